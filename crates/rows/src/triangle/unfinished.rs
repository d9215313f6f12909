//! Why a triangle was not finished, in memory or on a shelf.

use std::{fmt, io};

/// Why there is no triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The caller said stop.
    Stopped {
        /// Intervals that were done.
        intervals: u64,
    },
    /// The system does not provide that much memory.
    NoMemory {
        /// Bytes that were asked for.
        bytes: u64,
    },
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unfinished::Stopped { intervals } => write!(f, "stopped after {intervals} intervals"),
            Unfinished::NoMemory { bytes } => write!(f, "the system does not give {bytes} bytes of memory"),
        }
    }
}

impl std::error::Error for Unfinished {}

/// Why not all pieces are on the shelf.
#[derive(Debug)]
pub enum Unshelved {
    /// The caller said stop.
    Stopped {
        /// Intervals that were done.
        intervals: u64,
    },
    /// A piece could not be written or read.
    Shelf(io::Error),
}

impl fmt::Display for Unshelved {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unshelved::Stopped { intervals } => write!(f, "stopped after {intervals} intervals"),
            Unshelved::Shelf(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Unshelved {}
