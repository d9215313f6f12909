//! What goes wrong with table files.

use std::io;
use std::sync::{Mutex, PoisonError};

use table::TableError;

use crate::error::SolveError;

/// Why a table is not filled.
#[derive(Debug)]
pub enum Unfilled {
    /// A limit, or the person, stopped it: what is there stays.
    Solve(SolveError),
    /// The file cannot be written or read.
    File(io::Error),
    /// The file is not what it should be.
    Table(TableError),
    /// There is not enough room on the disk. Nothing was written.
    Room {
        /// What the table takes, about.
        needed: u64,
        /// What there is.
        free: u64,
    },
}

impl From<SolveError> for Unfilled {
    fn from(error: SolveError) -> Unfilled {
        Unfilled::Solve(error)
    }
}

impl From<TableError> for Unfilled {
    fn from(error: TableError) -> Unfilled {
        match error {
            TableError::System(error) => Unfilled::File(error),
            other => Unfilled::Table(other),
        }
    }
}

/// What was found wrong with a table that is being read, if anything: answers got from it are not to be told then.
#[derive(Debug, Default)]
pub struct Trouble(Mutex<Option<String>>);

impl Trouble {
    /// The first thing that was wrong.
    pub fn text(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says that something is wrong.
    pub(super) fn tell(&self, what: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
    }
}
