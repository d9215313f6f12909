//! A table file of either form, as whoever opens it finds it.

use std::fs::File;
use std::path::Path;

use crate::error::TableError;
use crate::head::{About, Form, Head};
use crate::pieces::PieceFile;
use crate::place;
use crate::reader::BlockReader;

/// Files up to so many bytes are checked whole when they are opened, in a few hundredths of a second. Of larger ones what is read is
/// checked when it is read.
const SMALL: u64 = 256 << 20;

/// A complete table file.
#[allow(clippy::large_enum_variant, reason = "there are few, and they are not moved about")]
pub enum TableFile {
    /// Of blocks, in one file or in parts.
    Blocks(BlockReader),
    /// Of pieces.
    Pieces(PieceFile),
}

impl TableFile {
    /// Opens a table that is complete. A small one is checked whole.
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        let file = TableFile::open_unchecked(path)?;
        if file.bytes() <= SMALL {
            file.check(|_| Ok::<(), TableError>(()))?;
        }
        Ok(file)
    }

    /// Opens a table that is complete, and leaves most of it to be checked.
    pub fn open_unchecked(path: &Path) -> Result<TableFile, TableError> {
        place::regular(path)?;
        let (head, _) = Head::read(&File::open(path)?)?;
        match head.form {
            Form::Blocks | Form::Parts => BlockReader::open(path).map(TableFile::Blocks),
            Form::AllPieces => PieceFile::open(path).map(TableFile::Pieces),
            Form::Pieces => Err(TableError::Unfinished),
        }
    }

    /// Whether a file is a table of any kind and version, as far as its first bytes show.
    pub fn is_table(path: &Path) -> bool {
        let head = place::regular(path).and_then(|()| Head::read(&File::open(path)?).map(drop));
        !matches!(head, Err(TableError::NotATable | TableError::System(_)))
    }

    /// What a file is about, whatever is wrong behind its head.
    pub fn about_of(path: &Path) -> Result<About, TableError> {
        place::regular(path)?;
        Ok(Head::read(&File::open(path)?)?.0.about)
    }

    /// What the table is about.
    pub fn about(&self) -> &About {
        match self {
            TableFile::Blocks(file) => file.about(),
            TableFile::Pieces(file) => file.about(),
        }
    }

    /// How many bytes it has.
    pub fn bytes(&self) -> u64 {
        match self {
            TableFile::Blocks(file) => file.bytes(),
            TableFile::Pieces(file) => file.size(),
        }
    }

    /// Reads the whole file and compares all checksums. `going` is told how many bytes were read, and ends the work by an error.
    pub fn check<E: From<TableError>>(&self, going: impl FnMut(u64) -> Result<(), E>) -> Result<(), E> {
        match self {
            TableFile::Blocks(file) => file.check(going),
            TableFile::Pieces(file) => file.check(going),
        }
    }
}
