//! Why a table file cannot be used.

use std::{fmt, io};

/// Why a table file cannot be used.
#[derive(Debug)]
pub enum TableError {
    /// The file is not a table.
    NotATable,
    /// The file was written by another version.
    Version {
        /// The version of the file.
        found: u32,
        /// The version that is known here.
        known: u32,
    },
    /// The file is truncated or changed; the text says what shows it.
    Damaged(String),
    /// The file holds something else than was expected; the text says what.
    Foreign(String),
    /// The table is not complete yet.
    Unfinished,
    /// Another program is writing it.
    Busy,
    /// The table would be larger than any file.
    TooLarge,
    /// An error of the system.
    System(io::Error),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::NotATable => f.write_str("it is not a table file"),
            TableError::Version { found, known } => {
                write!(f, "it is a table file of version {found}, and only {known} is known here")
            }
            TableError::Damaged(how) => write!(f, "it is damaged: {how}"),
            TableError::Foreign(what) => f.write_str(what),
            TableError::Unfinished => f.write_str("it is not complete"),
            TableError::Busy => f.write_str("another program writes it"),
            TableError::TooLarge => f.write_str("the table would be larger than any file"),
            TableError::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TableError {}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        TableError::System(error)
    }
}
