//! The head of a table file, whatever follows it.
//!
//! ```text
//! perfect play table\n     19 bytes
//! form                     1 byte: 0 pieces, not all there yet; 1 pieces; 2 blocks; 3 a list of parts
//! version                  4 bytes
//! length                   8 bytes, of what the table is about
//! checksum                 8 bytes, of the length and of what the table is about
//! about                    the name of the game, its rules, the instance and the layout: for each its length (8 bytes) and its text
//! ```
//!
//! All numbers have their lowest byte first. Version 1, which knew pieces only, had its version at the same place: so every
//! version can tell that a file is of another one.

use std::fs::File;

use xxhash_rust::xxh3::Xxh3;

use crate::at;
use crate::error::TableError;

const MAGIC: &[u8; 19] = b"perfect play table\n";
/// The version of the files that are written and read here.
pub const VERSION: u32 = 2;
/// The offset of the byte that says the form.
pub const FORM: u64 = MAGIC.len() as u64;
const FIXED: usize = MAGIC.len() + 1 + 4 + 8 + 8;
/// A longer text is refused: it would be read into memory before it can be checked.
const LONGEST: u64 = 1 << 32;

/// What follows the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Pieces of equal length, of which some may be missing.
    Pieces,
    /// Pieces, all of them.
    AllPieces,
    /// Packed blocks with an index.
    Blocks,
    /// A list of the files of blocks that are parts of it.
    Parts,
}

impl Form {
    fn byte(self) -> u8 {
        match self {
            Form::Pieces => 0,
            Form::AllPieces => 1,
            Form::Blocks => 2,
            Form::Parts => 3,
        }
    }

    fn of(byte: u8) -> Option<Form> {
        [Form::Pieces, Form::AllPieces, Form::Blocks, Form::Parts].into_iter().find(|form| form.byte() == byte)
    }
}

/// What a table is about: nothing else is needed to read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The name of the rules, as people gave it.
    pub name: String,
    /// The text of the rules.
    pub rules: String,
    /// The instance: a JSON object of parameters.
    pub instance: String,
    /// How the positions are laid out. Files with another layout are refused.
    pub layout: String,
}

impl About {
    fn texts(&self) -> [&str; 4] {
        [&self.name, &self.rules, &self.instance, &self.layout]
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for text in self.texts() {
            bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        bytes
    }

    fn decode(mut bytes: &[u8]) -> Option<About> {
        let mut next = || {
            let (length, rest) = bytes.split_first_chunk()?;
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            let (text, rest) = rest.split_at_checked(length)?;
            bytes = rest;
            String::from_utf8(text.to_vec()).ok()
        };
        let about = About { name: next()?, rules: next()?, instance: next()?, layout: next()? };
        bytes.is_empty().then_some(about)
    }
}

/// The head of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub form: Form,
    pub about: About,
}

impl Head {
    /// The head as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let about = self.about.encode();
        let length = (about.len() as u64).to_le_bytes();
        let mut bytes = Vec::with_capacity(FIXED + about.len());
        bytes.extend_from_slice(MAGIC);
        bytes.push(self.form.byte());
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&length);
        bytes.extend_from_slice(&checksum(&[&length, &about]).to_le_bytes());
        bytes.extend_from_slice(&about);
        bytes
    }

    /// Reads the head of a file; also how long it is.
    pub fn read(file: &File) -> Result<(Head, u64), TableError> {
        let mut fixed = [0; FIXED];
        let whole = at::read(file, &mut fixed, 0)?;
        let rest = fixed.strip_prefix(MAGIC).ok_or(TableError::NotATable)?;
        let cut = TableError::Damaged("it ends within its head".to_string());
        if !whole {
            return Err(cut);
        }
        let (&[form], rest) = rest.split_first_chunk().ok_or(TableError::NotATable)?;
        let (version, rest) = rest.split_first_chunk().ok_or(TableError::NotATable)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(TableError::Version { found: version, known: VERSION });
        }
        let (numbers, _) = rest.as_chunks::<8>();
        let [length, sum] = numbers else { return Err(TableError::NotATable) };
        let wrong = || TableError::Damaged("the checksum of its head is wrong".to_string());
        let bytes = u64::from_le_bytes(*length);
        if bytes > file.metadata()?.len().saturating_sub(FIXED as u64).min(LONGEST) {
            return Err(wrong());
        }
        let mut text = vec![0; bytes as usize];
        if !at::read(file, &mut text, FIXED as u64)? {
            return Err(cut);
        }
        if checksum(&[length, &text]) != u64::from_le_bytes(*sum) {
            return Err(wrong());
        }
        let head = About::decode(&text).zip(Form::of(form)).map(|(about, form)| Head { form, about });
        Ok((head.ok_or_else(wrong)?, FIXED as u64 + bytes))
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
