//! The parts of all workers as one table.

use std::path::Path;

use table::{About, Listed, Shape, Written};

use crate::error::Trouble;

/// The name of the list of parts, beside them.
pub const LIST: &str = "whole.table";

/// The name of the file of a part.
pub fn part_name(part: usize) -> String {
    format!("part-{part:04}.table")
}

/// What a worker tells at the end: of its part, nothing where no key falls into it; and of the start, where it has that.
pub struct Share {
    /// Its part.
    pub written: Option<Written>,
    /// What it knows of the start: a value, and a nimber.
    pub start: Option<[u64; 2]>,
}

impl Share {
    /// How many words tell it.
    pub const WORDS: usize = 7;

    /// What is told.
    pub fn words(&self) -> [u64; Share::WORDS] {
        let (entries, hash) = self.written.as_ref().map_or((0, 0), |written| (written.entries, written.hash));
        let [value, nimber] = self.start.unwrap_or_default();
        let known = |known: bool| u64::from(known);
        [
            known(self.written.is_some()),
            entries,
            hash as u64,
            (hash >> 64) as u64,
            known(self.start.is_some()),
            value,
            nimber,
        ]
    }

    /// What was told by a worker: its part in the list, and what it knows of the start.
    pub fn read(worker: usize, words: [u64; Share::WORDS]) -> (Option<Listed>, Option<[u64; 2]>) {
        let [is_written, entries, low, high, is_known, value, nimber] = words;
        let hash = u128::from(low) | u128::from(high) << 64;
        let listed = || Listed { name: part_name(worker), entries, hash };
        ((is_written == 1).then(listed), (is_known == 1).then_some([value, nimber]))
    }
}

/// Writes the list of all parts into a folder.
pub fn write(folder: &Path, about: &About, shape: Shape, parts: &[Listed]) -> Result<(), Trouble> {
    let path = folder.join(LIST);
    table::write_list(&path, about, shape, parts)
        .map_err(|error| Trouble::File(format!("cannot write {}: {error}", path.display())))
}
