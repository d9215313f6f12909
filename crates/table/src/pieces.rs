//! A table file of pieces of equal length, for tables that are filled in any order and by several threads at a time.
//!
//! ```text
//! head                     see `head`
//! bytes of a piece         8 bytes
//! number of pieces         8 bytes
//! checksum                 8 bytes, of these two
//! nothing                  zeros up to a multiple of 4096
//! piece 0: its checksum    8 bytes, of its number and its bytes
//! piece 0: its bytes
//! piece 1: …
//! ```
//!
//! Pieces have fixed offsets, so that each can be found without a list. A piece is complete or missing, whatever happened while it
//! was written.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use crate::at;
use crate::error::TableError;
use crate::head::{About, FORM, Form, Head, checksum};
use crate::place;

const PAGE: u64 = 4096;
const NUMBERS: u64 = 24;
/// So many pieces, or bytes, are read before somebody is asked whether to go on.
const STRETCH: u64 = 1 << 22;

/// How many pieces a table has, and how long they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// How many there are.
    pub count: u64,
    /// Bytes of each.
    pub bytes: usize,
}

impl Pieces {
    fn numbers(self) -> [u8; NUMBERS as usize] {
        let [bytes, count] = [self.bytes as u64, self.count].map(u64::to_le_bytes);
        let sum = checksum(&[&bytes, &count]).to_le_bytes();
        let mut all = [0; NUMBERS as usize];
        for (into, number) in all.as_chunks_mut::<8>().0.iter_mut().zip([bytes, count, sum]) {
            *into = number;
        }
        all
    }

    /// Bytes of all of them, with their checksums.
    fn all(self) -> Option<u64> {
        (self.bytes as u64).checked_add(8)?.checked_mul(self.count)
    }
}

/// A table file of pieces.
#[derive(Debug)]
pub struct PieceFile {
    file: File,
    head: Head,
    pieces: Pieces,
    /// The offset of the first piece.
    start: u64,
    size: u64,
}

impl PieceFile {
    /// Creates a new file. Disk space is used as pieces are written, not before. An existing file is not touched; it is
    /// an error of the kind [`AlreadyExists`](io::ErrorKind::AlreadyExists).
    pub fn create(path: &Path, about: &About, pieces: Pieces) -> Result<PieceFile, TableError> {
        let head = Head { form: Form::Pieces, about: about.clone() };
        let mut bytes = head.encode();
        let numbers_at = bytes.len() as u64;
        bytes.extend_from_slice(&pieces.numbers());
        bytes.resize(bytes.len().next_multiple_of(PAGE as usize), 0);
        let (start, size) = extent(numbers_at, pieces).ok_or(TableError::TooLarge)?;
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        place::lock(&file)?;
        let made = at::write(&file, &bytes, 0).and_then(|()| file.set_len(size));
        if let Err(error) = made {
            // Half a head is useless.
            let _ = std::fs::remove_file(path);
            return Err(error.into());
        }
        Ok(PieceFile { file, head, pieces, start, size })
    }

    /// Opens a file to continue it, and locks it until it is dropped.
    pub fn resume(path: &Path) -> Result<PieceFile, TableError> {
        place::regular(path)?;
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        place::lock(&file)?;
        PieceFile::of(file)
    }

    /// Opens a file to read it.
    pub fn open(path: &Path) -> Result<PieceFile, TableError> {
        place::regular(path)?;
        PieceFile::of(File::open(path)?)
    }

    fn of(file: File) -> Result<PieceFile, TableError> {
        let (head, numbers_at) = Head::read(&file)?;
        if matches!(head.form, Form::Blocks | Form::Parts) {
            return Err(TableError::Damaged("it is no table of pieces".to_string()));
        }
        let mut numbers = [0; NUMBERS as usize];
        if !at::read(&file, &mut numbers, numbers_at)? {
            return Err(TableError::Damaged("it ends within its head".to_string()));
        }
        let wrong = || TableError::Damaged("the checksum of its head is wrong".to_string());
        let (known, _) = numbers.as_chunks::<8>();
        let [bytes, count] = [known[0], known[1]].map(u64::from_le_bytes);
        let pieces = Pieces { count, bytes: usize::try_from(bytes).map_err(|_| wrong())? };
        let (start, size) = extent(numbers_at, pieces).filter(|_| pieces.numbers() == numbers).ok_or_else(wrong)?;
        let mut nothing = vec![0; (start - numbers_at - NUMBERS) as usize];
        if at::read(&file, &mut nothing, numbers_at + NUMBERS)? && nothing.iter().any(|byte| *byte != 0) {
            return Err(TableError::Damaged("there is something between its head and its pieces".to_string()));
        }
        Ok(PieceFile { file, head, pieces, start, size })
    }

    /// Once more, for somebody else who reads it.
    pub fn reopened(&self) -> Result<PieceFile, TableError> {
        PieceFile::of(self.file.try_clone()?)
    }

    /// What the table is about.
    pub fn about(&self) -> &About {
        &self.head.about
    }

    /// How many pieces a complete table has, and how long they are.
    pub fn pieces(&self) -> Pieces {
        self.pieces
    }

    /// Whether [`finish`](PieceFile::finish) was called.
    pub fn is_finished(&self) -> bool {
        self.head.form == Form::AllPieces
    }

    /// The size of the complete file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Writes a piece.
    pub fn put(&self, piece: u64, bytes: &[u8]) -> io::Result<()> {
        let place = self.place(piece, bytes.len())?;
        // The checksum is written last: until then the piece is missing.
        at::write(&self.file, bytes, place + 8)?;
        at::write(&self.file, &sum(piece, bytes).to_le_bytes(), place)
    }

    /// Reads a piece; false if it is missing or incomplete.
    pub fn get(&self, piece: u64, bytes: &mut [u8]) -> io::Result<bool> {
        let place = self.place(piece, bytes.len())?;
        let mut known = [0; 8];
        let whole = at::read(&self.file, &mut known, place)? && at::read(&self.file, bytes, place + 8)?;
        Ok(whole && sum(piece, bytes) == u64::from_le_bytes(known))
    }

    /// Reads all pieces and compares their checksums. `going` is told how many bytes were read, and ends the work by an error.
    pub fn check<E: From<TableError>>(&self, mut going: impl FnMut(u64) -> Result<(), E>) -> Result<(), E> {
        let damaged = |why: String| E::from(TableError::Damaged(why));
        let length = self.file.metadata().map_err(|error| E::from(error.into()))?.len();
        if length != self.size {
            return Err(damaged(format!("it has {length} bytes, and should have {}", self.size)));
        }
        let mut bytes = vec![0; self.pieces.bytes];
        let mut told = 0;
        for piece in 0..self.pieces.count {
            match self.get(piece, &mut bytes) {
                Ok(true) => {}
                Ok(false) => {
                    return Err(damaged(format!("piece {piece} of {} is missing or damaged", self.pieces.count)));
                }
                Err(error) => return Err(E::from(error.into())),
            }
            let read = (piece + 1) * (self.pieces.bytes as u64 + 8);
            if read - told >= STRETCH {
                told = read;
                going(read)?;
            }
        }
        Ok(())
    }

    /// Makes the pieces safe that were written.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Marks the table as complete, once all pieces are safe on the disk.
    pub fn finish(&mut self) -> io::Result<()> {
        self.file.sync_all()?;
        at::write(&self.file, &[1], FORM)?;
        self.head.form = Form::AllPieces;
        self.file.sync_all()
    }

    fn place(&self, piece: u64, bytes: usize) -> io::Result<u64> {
        let Pieces { count, bytes: length } = self.pieces;
        let wrong = || io::Error::new(io::ErrorKind::InvalidInput, "there is no such piece in the table");
        if piece >= count || bytes != length {
            return Err(wrong());
        }
        let place = (length as u64).checked_add(8).and_then(|length| length.checked_mul(piece));
        place.and_then(|place| place.checked_add(self.start)).ok_or_else(wrong)
    }
}

/// The offset of the first piece, and the size of the whole file; `None` if that is more than a file can have.
fn extent(numbers_at: u64, pieces: Pieces) -> Option<(u64, u64)> {
    let start = (numbers_at + NUMBERS).next_multiple_of(PAGE);
    let size = pieces.all()?.checked_add(start).filter(|&size| i64::try_from(size).is_ok())?;
    Some((start, size))
}

fn sum(piece: u64, bytes: &[u8]) -> u64 {
    checksum(&[&piece.to_le_bytes(), bytes])
}
