//! Writes the bytes of a certificate, block by block, as [`verify::stream`] reads them.

use std::io::{self, Write};

use miniz_oxide::deflate::compress_to_vec;
use verify::stream::{BLOCK, NAME, VERSION, checksum};

/// How hard blocks are packed: the usual measure of deflate. The certificate of Connect Four on 5 × 5 (446 kB) has 53 kB, 65 kB at
/// level 1 and 51 kB at 9.
const LEVEL: u8 = 6;

/// Packs numbers and texts into blocks.
pub struct Packer<W> {
    out: W,
    block: Vec<u8>,
    before: u64,
    bytes: u64,
}

impl<W: Write> Packer<W> {
    /// Begins a certificate.
    pub fn new(mut out: W) -> io::Result<Packer<W>> {
        out.write_all(&NAME)?;
        out.write_all(&VERSION.to_le_bytes())?;
        Ok(Packer { out, block: Vec::with_capacity(BLOCK), before: 0, bytes: (NAME.len() + 4) as u64 })
    }

    /// One byte.
    pub fn byte(&mut self, byte: u8) -> io::Result<()> {
        self.block.push(byte);
        if self.block.len() == BLOCK { self.flush() } else { Ok(()) }
    }

    /// Writes the block as it is.
    fn flush(&mut self) -> io::Result<()> {
        let packed = if self.block.is_empty() { Vec::new() } else { compress_to_vec(&self.block, LEVEL) };
        let unpacked = self.block.len() as u32;
        self.before = checksum(self.before, unpacked, &packed);
        self.out.write_all(&unpacked.to_le_bytes())?;
        self.out.write_all(&(packed.len() as u32).to_le_bytes())?;
        self.out.write_all(&self.before.to_le_bytes())?;
        self.out.write_all(&packed)?;
        self.bytes += 16 + packed.len() as u64;
        self.block.clear();
        Ok(())
    }

    /// A number.
    pub fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80)?;
            number >>= 7;
        }
        self.byte(number as u8)
    }

    /// A signed number.
    pub fn signed(&mut self, number: i64) -> io::Result<()> {
        self.number((number << 1 ^ number >> 63).cast_unsigned())
    }

    /// A text with its length.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        text.bytes().try_for_each(|byte| self.byte(byte))
    }

    /// The last block. Gives how many bytes there are in all.
    pub fn finish(mut self) -> io::Result<u64> {
        if !self.block.is_empty() {
            self.flush()?;
        }
        self.flush()?;
        self.out.flush()?;
        Ok(self.bytes)
    }
}
