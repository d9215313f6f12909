//! Snapshots of a solve that is under way, beside the table that it is for.
//!
//! ```text
//! magic        8 bytes
//! a chunk:     4 bytes: how many bytes it has; 8 bytes: the checksum of its number and its bytes; its bytes
//! …
//! the end:     a chunk without bytes
//! ```
//!
//! A snapshot is written under another name, made safe on the disk, and then takes its own name: so there is the old one or the
//! new one, whatever happens. All checksums are compared before the first byte is handed out.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::head::checksum;
use crate::pieces::PieceFile;
use crate::place;
use crate::writer::part_path;

const MAGIC: [u8; 8] = *b"PPsnap01";
/// Bytes of a chunk.
const CHUNK: usize = 1 << 18;
/// The name of the pages of a solve, which lie among the snapshots.
const PAGES: &str = "pages";
/// So much of a disk is left free.
const SPARE: u64 = 1 << 20;

/// The snapshots beside a table.
#[derive(Clone, Debug)]
pub struct Snapshots {
    table: PathBuf,
}

impl Snapshots {
    /// Those beside a table of that path.
    pub fn beside(table: &Path) -> Snapshots {
        Snapshots { table: table.to_path_buf() }
    }

    /// The file of the snapshot of a name.
    pub fn path(&self, name: &str) -> PathBuf {
        with_ending(&part_path(&self.table), name)
    }

    /// Writes a snapshot of about so many bytes in place of the one of that name. With an error, the one that was there stays.
    pub fn save(
        &self,
        name: &str,
        bytes: u64,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        if place::free_space(&self.table).is_some_and(|free| free < bytes.saturating_add(SPARE)) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let path = self.path(name);
        // What a process left that was killed while it wrote; should it still write, then its snapshot is not saved.
        for left in beginning_with(&with_ending(&path, "new")) {
            let _ = fs::remove_file(left);
        }
        let new = with_ending(&path, &format!("new{}", std::process::id()));
        let written = self.write(&new, write).and_then(|()| fs::rename(&new, &path));
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        written
    }

    fn write(&self, path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(&MAGIC)?;
        let mut chunks = Chunks { file, chunk: Vec::with_capacity(CHUNK), number: 0 };
        write(&mut chunks)?;
        chunks.flush()?;
        chunks.put()?;
        chunks.file.sync_all()
    }

    /// The snapshot of a name, if there is one and it is sound.
    pub fn load(&self, name: &str) -> Option<Box<dyn Read>> {
        let path = self.path(name);
        place::regular(&path).ok()?;
        let opened = || Reading::open(File::open(&path).ok()?);
        let mut first = opened()?;
        while first.next().ok()? {}
        Some(Box::new(opened()?))
    }

    /// Removes the snapshot of a name, if there is one.
    pub fn forget(&self, name: &str) {
        let _ = fs::remove_file(self.path(name));
    }

    /// Removes all snapshots beside the table, also those that were not complete.
    pub fn forget_all(&self) {
        for path in self.all() {
            let _ = fs::remove_file(path);
        }
    }

    /// Whether there is any.
    pub fn is_any(&self) -> bool {
        !self.all().is_empty()
    }

    fn all(&self) -> Vec<PathBuf> {
        beginning_with(&with_ending(&part_path(&self.table), ""))
    }
}

/// The snapshots whose paths begin so.
fn beginning_with(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let begins = path.file_name().unwrap_or_default().as_encoded_bytes().to_vec();
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.flatten().filter(|entry| entry.file_name().as_encoded_bytes().starts_with(&begins));
    names.map(|entry| entry.path()).filter(|path| is_snapshot(path)).collect()
}

/// Whether a file is a snapshot, or the beginning of one.
fn is_snapshot(path: &Path) -> bool {
    let mut magic = Vec::new();
    let is_file = place::regular(path).is_ok();
    let read = is_file.then(|| File::open(path).and_then(|file| file.take(8).read_to_end(&mut magic)));
    matches!(read, Some(Ok(_))) && (MAGIC.starts_with(&magic) || is_pages(path))
}

/// Whether a file holds the pages of a solve.
fn is_pages(path: &Path) -> bool {
    PieceFile::open(path).is_ok_and(|file| !file.is_finished() && file.about().name == PAGES)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

fn sum(number: u64, bytes: &[u8]) -> u64 {
    checksum(&[&number.to_le_bytes(), bytes])
}

/// A snapshot that is being written.
struct Chunks {
    file: File,
    chunk: Vec<u8>,
    number: u64,
}

impl Chunks {
    fn put(&mut self) -> io::Result<()> {
        let mut bytes = (self.chunk.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(&sum(self.number, &self.chunk).to_le_bytes());
        self.file.write_all(&bytes)?;
        self.file.write_all(&self.chunk)?;
        self.number += 1;
        self.chunk.clear();
        Ok(())
    }
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(CHUNK - self.chunk.len());
        self.chunk.extend_from_slice(&bytes[..taken]);
        if self.chunk.len() == CHUNK {
            self.put()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() { Ok(()) } else { self.put() }
    }
}

/// A snapshot that is being read.
struct Reading {
    file: BufReader<File>,
    chunk: Vec<u8>,
    taken: usize,
    number: u64,
    is_over: bool,
}

impl Reading {
    fn open(file: File) -> Option<Reading> {
        let mut file = BufReader::with_capacity(CHUNK, file);
        let mut magic = [0; 8];
        file.read_exact(&mut magic).ok()?;
        (magic == MAGIC).then_some(Reading { file, chunk: Vec::new(), taken: 0, number: 0, is_over: false })
    }

    /// Reads the next chunk; false at the end.
    fn next(&mut self) -> io::Result<bool> {
        if self.is_over {
            return Ok(false);
        }
        let damaged = || io::Error::from(io::ErrorKind::InvalidData);
        let (mut length, mut found) = ([0; 4], [0; 8]);
        self.file.read_exact(&mut length)?;
        self.file.read_exact(&mut found)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > CHUNK {
            return Err(damaged());
        }
        self.chunk.resize(length, 0);
        self.file.read_exact(&mut self.chunk)?;
        if sum(self.number, &self.chunk) != u64::from_le_bytes(found) {
            return Err(damaged());
        }
        (self.taken, self.is_over) = (0, length == 0);
        self.number += 1;
        Ok(!self.is_over)
    }
}

impl Read for Reading {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.chunk.len() && !self.next()? {
            return Ok(0);
        }
        let count = into.len().min(self.chunk.len() - self.taken);
        into[..count].copy_from_slice(&self.chunk[self.taken..self.taken + count]);
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_is_read_as_it_was_written_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("perfectplay-snapshots-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let table = folder.join("some.table");
        let snapshots = Snapshots::beside(&table);
        assert!(snapshots.load("found").is_none() && !snapshots.is_any());
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5] {
            let bytes: Vec<u8> = (0..length).map(|place| (place * 7 % 251) as u8).collect();
            snapshots.save("found", length as u64, &mut |to| to.write_all(&bytes)).unwrap();
            let mut read = Vec::new();
            snapshots.load("found").unwrap().read_to_end(&mut read).unwrap();
            assert!(read == bytes, "{length}");
        }
        // An error leaves the one before.
        let failed = snapshots.save("found", 5, &mut |to| {
            to.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.is_err() && snapshots.load("found").is_some());
        assert!(snapshots.save("found", u64::MAX, &mut |_| Ok(())).is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        let path = snapshots.path("found");
        let whole = fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by(9973).chain([0, 9, 13, whole.len() - 1]) {
            let mut bent = whole.clone();
            bent[at] ^= 1;
            fs::write(&path, &bent).unwrap();
            assert!(snapshots.load("found").is_none(), "{at}");
            fs::write(&path, &whole[..at]).unwrap();
            assert!(snapshots.load("found").is_none(), "{at}");
        }
        fs::write(&path, &whole).unwrap();
        // A file of somebody else is not touched.
        let other = folder.join("some.table.part.notes");
        fs::write(&other, "notes").unwrap();
        snapshots.forget_all();
        assert!(!path.exists() && other.exists() && !snapshots.is_any());
        fs::remove_dir_all(&folder).unwrap();
    }
}
