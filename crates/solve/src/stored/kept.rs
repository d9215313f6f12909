//! Snapshots of the solve of a table, in files beside it.

use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use engine::keeping::{Keeper, Keeping, PAGE, Space, Writing};
use table::{About, PieceFile, Pieces, Snapshots, TableError};

/// Snapshots about that often of the solve whose table is written to this path.
pub fn keeping(path: &Path, about: &About, every: Duration) -> Keeping {
    let about = format!("{} {}\n{}\n{}", env!("CARGO_PKG_VERSION"), about.name, about.rules, about.instance);
    Keeping::new(Box::new(Beside { snapshots: Snapshots::beside(path), about }), every)
}

/// Pages of a layered solve, as the pieces of a file beside the table.
struct Paged {
    file: PieceFile,
}

impl Space for Paged {
    fn write(&self, page: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.put(page, bytes)
    }

    fn read(&self, page: u64, bytes: &mut [u8]) -> io::Result<()> {
        // A page that was never written is a hole in the file: zeros.
        match self.file.get(page, bytes)? || bytes.iter().all(|byte| *byte == 0) {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::InvalidData, format!("page {page} is damaged"))),
        }
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

struct Beside {
    snapshots: Snapshots,
    /// What is solved, and by which version. It stands at the head of each snapshot.
    about: String,
}

impl Keeper for Beside {
    fn save(&mut self, name: &str, bytes: u64, write: Writing) -> io::Result<()> {
        let about = self.about.as_bytes();
        self.snapshots.save(name, bytes.saturating_add(about.len() as u64), &mut |to| {
            to.write_all(&(about.len() as u64).to_le_bytes())?;
            to.write_all(about)?;
            write(to)
        })
    }

    fn load(&mut self, name: &str) -> Option<Box<dyn Read>> {
        let mut from = self.snapshots.load(name)?;
        let mut length = [0; 8];
        from.read_exact(&mut length).ok()?;
        let mut about = vec![0; self.about.len()];
        if u64::from_le_bytes(length) != about.len() as u64 {
            return None;
        }
        from.read_exact(&mut about).ok()?;
        (about == self.about.as_bytes()).then_some(from)
    }

    fn forget(&mut self, name: &str) {
        self.snapshots.forget(name);
    }

    fn space(&mut self, name: &str, about: &str, pages: u64, keeps: bool) -> io::Result<(Box<dyn Space>, bool)> {
        let path = self.snapshots.path(name);
        let text = |text: &str| text.to_string();
        let about = About { name: text(name), rules: self.about.clone(), instance: String::new(), layout: text(about) };
        let pieces = Pieces { count: pages, bytes: PAGE };
        let failed = |error: TableError| match error {
            TableError::System(error) => error,
            other => io::Error::other(other.to_string()),
        };
        if path.exists() {
            match PieceFile::resume(&path) {
                Ok(file) if keeps && *file.about() == about && file.pieces() == pieces => {
                    return Ok((Box::new(Paged { file }), true));
                }
                Err(error @ TableError::Busy) => return Err(failed(error)),
                _ => std::fs::remove_file(&path)?,
            }
        }
        let file = PieceFile::create(&path, &about, pieces).map_err(failed)?;
        Ok((Box::new(Paged { file }), false))
    }

    fn free(&self) -> Option<u64> {
        table::free_space(&self.snapshots.path("pages"))
    }
}
