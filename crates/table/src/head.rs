//! The head of a table file.
//!
//! ```text
//! perfect play table\n     19 bytes
//! finished                 1 byte: 1 once all pieces are there
//! version                  4 bytes
//! bytes of a piece         8 bytes
//! number of pieces         8 bytes
//! length of the text       8 bytes
//! checksum                 8 bytes, of all numbers above but `finished`, and of the text
//! text                     what the table is of
//! nothing                  zeros up to a multiple of 4096
//! piece 0: its checksum    8 bytes, of its number and its bytes
//! piece 0: its bytes
//! piece 1: …
//! ```
//!
//! All numbers have their lowest byte first. Pieces have fixed offsets, so that each can be found without a list.

use std::fs::File;

use xxhash_rust::xxh3::Xxh3;

use crate::at;
use crate::error::TableError;

const MAGIC: &[u8; 19] = b"perfect play table\n";
const VERSION: u32 = 1;
/// The offset of the `finished` byte.
pub const FINISHED: u64 = MAGIC.len() as u64;
const TEXT: usize = MAGIC.len() + 1 + 4 + 4 * 8;
const PAGE: u64 = 4096;
/// A longer text is refused: it would be read into memory before it can be checked.
const LONGEST_TEXT: u64 = 1 << 32;

/// How many pieces a table has, and how long they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// How many there are.
    pub count: u64,
    /// Bytes of each.
    pub bytes: usize,
}

/// The head of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub about: String,
    pub pieces: Pieces,
    pub finished: bool,
}

impl Head {
    /// The head as bytes, up to the first piece.
    pub fn encode(&self) -> Vec<u8> {
        let numbers = self.numbers();
        let mut bytes = Vec::with_capacity(TEXT + self.about.len() + PAGE as usize);
        bytes.extend_from_slice(MAGIC);
        bytes.push(self.finished.into());
        bytes.extend_from_slice(&numbers);
        bytes.extend_from_slice(&checksum(&[&numbers, self.about.as_bytes()]).to_le_bytes());
        bytes.extend_from_slice(self.about.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(PAGE as usize), 0);
        bytes
    }

    fn numbers(&self) -> Vec<u8> {
        let mut bytes = VERSION.to_le_bytes().to_vec();
        for number in [self.pieces.bytes as u64, self.pieces.count, self.about.len() as u64] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// Reads the head of a file.
    pub fn read(file: &File) -> Result<Head, TableError> {
        let mut fixed = [0; TEXT];
        let whole = at::read(file, &mut fixed, 0)?;
        let rest = fixed.strip_prefix(MAGIC).ok_or(TableError::NotATable)?;
        let cut = TableError::Damaged("it ends within its head");
        if !whole {
            return Err(cut);
        }
        let (&[finished], rest) = rest.split_first_chunk().ok_or(TableError::NotATable)?;
        let (version, rest) = rest.split_first_chunk().ok_or(TableError::NotATable)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(TableError::Version { found: version, known: VERSION });
        }
        let (numbers, _) = rest.as_chunks::<8>();
        let [bytes, count, length, sum] = numbers else { return Err(TableError::NotATable) };
        let [bytes, count, length, sum] = [bytes, count, length, sum].map(|number| u64::from_le_bytes(*number));
        let wrong = TableError::Damaged("the checksum of its head is wrong");
        let room = file.metadata()?.len().saturating_sub(TEXT as u64).min(LONGEST_TEXT);
        let (Ok(bytes), true) = (usize::try_from(bytes), length <= room) else { return Err(wrong) };
        let mut text = vec![0; length as usize];
        if !at::read(file, &mut text, TEXT as u64)? {
            return Err(cut);
        }
        let Ok(about) = String::from_utf8(text) else { return Err(wrong) };
        let head = Head { about, pieces: Pieces { count, bytes }, finished: finished == 1 };
        if checksum(&[&head.numbers(), head.about.as_bytes()]) != sum || finished > 1 {
            return Err(wrong);
        }
        Ok(head)
    }

    /// The offset of the first piece.
    pub fn pieces_at(&self) -> u64 {
        (TEXT as u64 + self.about.len() as u64).next_multiple_of(PAGE)
    }

    /// The size of the whole file; `None` if that is more than a file can have.
    pub fn size(&self) -> Option<u64> {
        let pieces = (self.pieces.bytes as u64).checked_add(8)?.checked_mul(self.pieces.count)?;
        pieces.checked_add(self.pieces_at()).filter(|&size| i64::try_from(size).is_ok())
    }
}

/// The checksum of these bytes, one list after the other.
pub fn checksum(lists: &[&[u8]]) -> u64 {
    let mut sum = Xxh3::new();
    for list in lists {
        sum.update(&(list.len() as u64).to_le_bytes());
        sum.update(list);
    }
    sum.digest()
}
