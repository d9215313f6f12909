//! Tables in parts: several files of blocks, each of a range of keys, and a file that lists them in order.
//!
//! ```text
//! head         see `head`
//! parts        8 bytes, how many there are
//! for each     length of its name (8 bytes), its name; its entries (8 bytes); its hash (16 bytes)
//! checksum     8 bytes, of all that follows the head
//! ```
//!
//! The files lie beside the list. Each is a table by itself, which says the same of what it is about. The list is small and names the hash
//! of each part, so that a part of another table is not taken for one of this.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Component, Path};

use xxhash_rust::xxh3::Xxh3;

use crate::error::TableError;
use crate::head::{About, Form, Head, checksum};
use crate::shape::Shape;
use crate::writer::part_path;

/// A longer list is refused.
const LONGEST: u64 = 1 << 30;

/// A part, as the list has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name of its file.
    pub name: String,
    /// How many entries it has.
    pub entries: u64,
    /// Its hash.
    pub hash: u128,
}

/// The hash of a table of these parts.
pub fn hash(parts: &[Listed]) -> u128 {
    let mut hash = Xxh3::new();
    parts.iter().for_each(|part| hash.update(&part.hash.to_le_bytes()));
    hash.digest128()
}

/// Writes the list of the parts of a table, in the order of their keys, in the place of one that is there.
pub fn write_list(path: &Path, about: &About, shape: Shape, parts: &[Listed]) -> Result<(), TableError> {
    let about = About { layout: shape.to_string(), ..about.clone() };
    let mut bytes = Head { form: Form::Parts, about }.encode();
    let begin = bytes.len();
    bytes.extend_from_slice(&(parts.len() as u64).to_le_bytes());
    for Listed { name, entries, hash } in parts {
        bytes.extend_from_slice(&(name.len() as u64).to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(&entries.to_le_bytes());
        bytes.extend_from_slice(&hash.to_le_bytes());
    }
    let sum = checksum(&[&bytes[begin..]]);
    bytes.extend_from_slice(&sum.to_le_bytes());
    // It takes its name when all of it is there. Processes that share a folder write the same.
    let mut part = part_path(path).into_os_string();
    part.push(format!("{}", std::process::id()));
    let mut file = File::create(&part)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    Ok(fs::rename(part, path)?)
}

/// Reads a list whose head ends at an offset.
pub fn read(path: &Path, begin: u64) -> Result<Vec<Listed>, TableError> {
    let damaged = || TableError::Damaged("its list of parts is damaged".to_string());
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(begin))?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes)?;
    let (list, sum) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
    if checksum(&[list]) != u64::from_le_bytes(*sum) {
        return Err(damaged());
    }
    listed(list).ok_or_else(damaged)
}

fn listed(mut bytes: &[u8]) -> Option<Vec<Listed>> {
    let mut take = |length: usize| {
        let (taken, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        Some(taken)
    };
    let count = u64::from_le_bytes(take(8)?.try_into().ok()?);
    let mut parts = Vec::new();
    for _ in 0..count {
        let length = usize::try_from(u64::from_le_bytes(take(8)?.try_into().ok()?)).ok()?;
        let name = String::from_utf8(take(length)?.to_vec()).ok()?;
        // Beside the list, and nowhere else.
        let mut components = Path::new(&name).components();
        if !matches!((components.next(), components.next()), (Some(Component::Normal(_)), None)) {
            return None;
        }
        let entries = u64::from_le_bytes(take(8)?.try_into().ok()?);
        let hash = u128::from_le_bytes(take(16)?.try_into().ok()?);
        parts.push(Listed { name, entries, hash });
    }
    bytes.is_empty().then_some(parts)
}
