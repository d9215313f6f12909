//! A table file, for writers and readers.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use crate::at;
use crate::error::TableError;
use crate::head::{FINISHED, Head, Pieces, checksum};

/// A table file.
#[derive(Debug)]
pub struct TableFile {
    file: File,
    head: Head,
    pieces_at: u64,
}

impl TableFile {
    /// Creates a new file. Disk space is used as pieces are written, not before. An existing file is not touched; it is
    /// an error of the kind [`AlreadyExists`](io::ErrorKind::AlreadyExists).
    pub fn create(path: &Path, about: &str, pieces: Pieces) -> Result<TableFile, TableError> {
        let head = Head { about: about.to_string(), pieces, finished: false };
        let size = head.size().ok_or(TableError::TooLarge)?;
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        lock(&file)?;
        let made = at::write(&file, &head.encode(), 0).and_then(|()| file.set_len(size));
        if let Err(error) = made {
            // Half a head is useless.
            let _ = std::fs::remove_file(path);
            return Err(error.into());
        }
        Ok(Self::of(file, head))
    }

    /// Opens a file to continue it, and locks it until it is dropped.
    pub fn resume(path: &Path) -> Result<TableFile, TableError> {
        regular(path)?;
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        lock(&file)?;
        let head = Head::read(&file)?;
        Ok(Self::of(file, head))
    }

    /// Opens a file to read it.
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        regular(path)?;
        let file = File::open(path)?;
        let head = Head::read(&file)?;
        Ok(Self::of(file, head))
    }

    fn of(file: File, head: Head) -> Self {
        Self { pieces_at: head.pieces_at(), file, head }
    }

    /// The text that says what the table is about.
    pub fn about(&self) -> &str {
        &self.head.about
    }

    /// How many pieces a complete table has, and how long they are.
    pub fn pieces(&self) -> Pieces {
        self.head.pieces
    }

    /// Whether [`finish`](TableFile::finish) was called.
    pub fn is_finished(&self) -> bool {
        self.head.finished
    }

    /// The size of the complete file in bytes.
    pub fn size(&self) -> u64 {
        self.head.size().unwrap_or(u64::MAX)
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

    /// Marks the table as complete, once all pieces are safe on the disk.
    pub fn finish(&self) -> io::Result<()> {
        self.file.sync_all()?;
        at::write(&self.file, &[1], FINISHED)?;
        self.file.sync_all()
    }

    fn place(&self, piece: u64, bytes: usize) -> io::Result<u64> {
        let Pieces { count, bytes: length } = self.head.pieces;
        let wrong = || io::Error::new(io::ErrorKind::InvalidInput, "there is no such piece in the table");
        if piece >= count || bytes != length {
            return Err(wrong());
        }
        let place = (length as u64).checked_add(8).and_then(|length| length.checked_mul(piece));
        place.and_then(|place| place.checked_add(self.pieces_at)).ok_or_else(wrong)
    }
}

fn sum(piece: u64, bytes: &[u8]) -> u64 {
    checksum(&[&piece.to_le_bytes(), bytes])
}

/// Checks that this is a regular file: opening a pipe would wait for its other end.
fn regular(path: &Path) -> Result<(), TableError> {
    match std::fs::metadata(path)? {
        found if found.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory).into()),
        found if !found.is_file() => Err(TableError::NotATable),
        _ => Ok(()),
    }
}

/// Keeps others from writing. On a system without locks, this does nothing.
fn lock(file: &File) -> Result<(), TableError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(TableError::Busy),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}
