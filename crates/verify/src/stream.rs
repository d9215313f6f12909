//! The bytes of a certificate: a name, a version, and blocks that are compressed one by one.
//!
//! ```text
//! name       8 bytes   `PPPROOF` and a line feed
//! version    4 bytes   a number, the lowest byte first (as all numbers of fixed length)
//! block      4 bytes   how long it is unpacked, at most 2^16
//!            4 bytes   how long it is here
//!            8 bytes   checksum (XXH3) of both lengths and the bytes, seeded with the checksum of the block before
//!            …         bytes, packed by deflate
//! …
//! last       a block of nothing
//! ```
//!
//! Behind the last block nothing may follow. A checksum depends on all that stands before it, so that blocks cannot be left out,
//! doubled or exchanged by accident. Checksums find damage. They prove nothing: whoever changes a certificate and mends its
//! checksums still has to convince the checker.
//!
//! The unpacked bytes are numbers of seven bits a byte, the lowest first, with a high bit on all but the last byte; signed
//! numbers have their sign in the lowest bit. A number has one spelling. No more than one block is unpacked at any time.

use std::io::{self, Read};

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use rules::stop::{self, Held};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::refusal::Refusal;

/// The first bytes of every certificate.
pub const NAME: [u8; 8] = *b"PPPROOF\n";
/// The version that is read and written.
pub const VERSION: u32 = 1;
/// The most bytes of a block, unpacked.
pub const BLOCK: usize = 1 << 16;
/// The most bytes of a packed block: what cannot be packed grows a little.
pub const PACKED: usize = BLOCK + BLOCK / 8 + 64;

/// The checksum of a block behind another.
pub fn checksum(before: u64, unpacked: u32, packed: &[u8]) -> u64 {
    let mut head = [0; 8];
    head[..4].copy_from_slice(&unpacked.to_le_bytes());
    head[4..].copy_from_slice(&(packed.len() as u32).to_le_bytes());
    xxh3_64_with_seed(packed, xxh3_64_with_seed(&head, before))
}

/// Reads the bytes of a certificate.
pub struct Reader<R> {
    input: R,
    /// How many bytes of the file were read.
    at: u64,
    before: u64,
    block: Vec<u8>,
    next: usize,
    over: bool,
    /// How many unpacked bytes were read.
    unpacked: u64,
}

impl<R: Read> Reader<R> {
    /// Begins to read; refuses what is no certificate.
    pub fn new(input: R) -> Result<Reader<R>, Refusal> {
        let mut reader = Reader { input, at: 0, before: 0, block: Vec::new(), next: 0, over: false, unpacked: 0 };
        let mut name = [0; 8];
        let mut version = [0; 4];
        let foreign = |refusal| match refusal {
            Refusal::Damaged { .. } => Refusal::Foreign("this is no certificate".to_string()),
            other => other,
        };
        reader.fill(&mut name).map_err(foreign)?;
        if name != NAME {
            return Err(Refusal::Foreign("this is no certificate".to_string()));
        }
        reader.fill(&mut version).map_err(foreign)?;
        match u32::from_le_bytes(version) {
            VERSION => Ok(reader),
            other => {
                Err(Refusal::Foreign(format!("this is a certificate of version {other}; version {VERSION} is known")))
            }
        }
    }

    /// How many bytes of the file were read.
    pub fn bytes(&self) -> u64 {
        self.at
    }

    /// How many bytes they were when unpacked.
    pub fn unpacked(&self) -> u64 {
        self.unpacked
    }

    fn damaged(&self, why: impl Into<String>) -> Refusal {
        Refusal::Damaged { at: self.at, why: why.into() }
    }

    /// Reads bytes of the file.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Refusal> {
        match self.input.read_exact(bytes) {
            Ok(()) => {
                self.at += bytes.len() as u64;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.damaged("the file ends too soon")),
            Err(error) => Err(Refusal::Unread(error)),
        }
    }

    /// Reads and unpacks the next block.
    fn block(&mut self) -> Result<(), Refusal> {
        if self.over {
            return Err(self.damaged("the file ends too soon"));
        }
        stop::look()?;
        let mut head = [0; 16];
        self.fill(&mut head)?;
        let word = |from: usize| u32::from_le_bytes([head[from], head[from + 1], head[from + 2], head[from + 3]]);
        let (unpacked, packed) = (word(0), word(4));
        let sum = u64::from(word(8)) | u64::from(word(12)) << 32;
        if unpacked as usize > BLOCK || packed as usize > PACKED {
            return Err(self.damaged("a block is too long"));
        }
        let mut bytes = vec![0; packed as usize];
        self.fill(&mut bytes)?;
        let own = checksum(self.before, unpacked, &bytes);
        if own != sum {
            return Err(self.damaged("the checksum of a block is wrong"));
        }
        self.before = own;
        self.unpacked += u64::from(unpacked);
        self.next = 0;
        if unpacked == 0 {
            self.over = true;
            self.block.clear();
            return if packed == 0 { Ok(()) } else { Err(self.damaged("the last block is not empty")) };
        }
        self.block = match decompress_to_vec_with_limit(&bytes, unpacked as usize) {
            Ok(block) if block.len() == unpacked as usize => block,
            _ => return Err(self.damaged("a block cannot be unpacked")),
        };
        Ok(())
    }

    /// The next byte.
    pub fn byte(&mut self) -> Result<u8, Refusal> {
        while self.next == self.block.len() {
            self.block()?;
            if self.over {
                return Err(self.damaged("the certificate ends too soon"));
            }
        }
        self.next += 1;
        Ok(self.block[self.next - 1])
    }

    /// The next number.
    pub fn number(&mut self) -> Result<u64, Refusal> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if (shift == 63 && bits > 1) || (byte == 0 && shift > 0) {
                return Err(self.damaged("a number is spelled in a wrong way"));
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.damaged("a number is too long"))
    }

    /// The next signed number.
    pub fn signed(&mut self) -> Result<i64, Refusal> {
        let code = self.number()?;
        Ok((code >> 1).cast_signed() ^ -((code & 1).cast_signed()))
    }

    /// The next number, which may be at most so much.
    pub fn at_most(&mut self, most: u64, what: &str) -> Result<u64, Refusal> {
        let number = self.number()?;
        if number <= most { Ok(number) } else { Err(self.damaged(format!("{number} is too much for {what}"))) }
    }

    /// The next text, of at most so many bytes. It grows as it is read, whatever length the file says.
    pub fn text(&mut self, most: u64, what: &str) -> Result<String, Refusal> {
        let length = self.at_most(most, what)? as usize;
        let mut held = Held::default();
        let mut bytes = Vec::new();
        while bytes.len() < length {
            if self.next == self.block.len() {
                bytes.push(self.byte()?);
                continue;
            }
            let own = &self.block[self.next..];
            let part = &own[..own.len().min(length - bytes.len())];
            held.grow(2 * part.len() as u64)?;
            bytes.extend_from_slice(part);
            self.next += part.len();
        }
        String::from_utf8(bytes).map_err(|_| self.damaged(format!("{what} is no text")))
    }

    /// Sees to it that nothing follows.
    pub fn finish(&mut self) -> Result<(), Refusal> {
        if self.next < self.block.len() {
            return Err(self.damaged("something follows the last argument"));
        }
        self.block()?;
        if !self.over {
            return Err(self.damaged("something follows the last argument"));
        }
        let mut more = [0];
        match self.input.read(&mut more) {
            Ok(0) => Ok(()),
            Ok(_) => Err(self.damaged("something follows the last block")),
            Err(error) => Err(Refusal::Unread(error)),
        }
    }
}
