//! Snapshots of the solve of a table, in files beside it.

use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use engine::keeping::{Keeper, Keeping, Writing};
use table::{About, Snapshots};

/// Snapshots about that often of the solve whose table is written to this path.
pub fn keeping(path: &Path, about: &About, every: Duration) -> Keeping {
    let about = format!("{} {}\n{}\n{}", env!("CARGO_PKG_VERSION"), about.name, about.rules, about.instance);
    Keeping::new(Box::new(Beside { snapshots: Snapshots::beside(path), about: about.into_bytes() }), every)
}

struct Beside {
    snapshots: Snapshots,
    /// What is solved, and by which version. It stands at the head of each snapshot.
    about: Vec<u8>,
}

impl Keeper for Beside {
    fn save(&mut self, name: &str, bytes: u64, write: Writing) -> io::Result<()> {
        let about = &self.about;
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
        (about == self.about).then_some(from)
    }

    fn forget(&mut self, name: &str) {
        self.snapshots.forget(name);
    }
}
