//! Why positions were not valued. One type serves every engine: positions are named by their numbers or codes, which the
//! caller turns back into positions.

use std::fmt;
use std::io;
use std::time::Duration;

/// A limit that was reached before the answer was proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// More memory would be needed than was allowed, in bytes.
    Memory {
        /// The limit.
        limit: u64,
        /// What was in use, or asked for, when it was reached.
        needed: u64,
    },
    /// The time is up.
    Time {
        /// The limit.
        limit: Duration,
    },
    /// More positions than numbers for them.
    Positions,
    /// It was to look only so many moves ahead.
    Depth {
        /// So many.
        moves: u32,
    },
    /// A heap so large that only a period could tell its value, and none is proved.
    Heap {
        /// The heap.
        heap: u64,
        /// Why no more heaps were valued.
        why: String,
    },
}

/// Why an engine has no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A limit was reached after this many positions.
    Limit {
        /// Which.
        limit: Limit,
        /// Positions met so far.
        positions: u64,
    },
    /// The person stopped it.
    Interrupted {
        /// Positions met so far.
        positions: u64,
    },
    /// It takes much longer than was thought, and another method may be quicker.
    Dear {
        /// Positions met so far.
        positions: u64,
    },
    /// The rules go wrong in this position; whoever knows the rules says how.
    Fault(u64),
    /// Positions repeat: those of one cycle in the order of play, the first not repeated at the end.
    Cycle(Vec<u64>),
    /// This position can come back with another one beside it, so that sums grow without end.
    Grows(u64),
    /// A total does not fit in 64 bits.
    Overflow,
    /// The value of this position does not fit, or a total on the way to it.
    OverflowAt(u64),
    /// The engine is not for such games; says why.
    NotApplicable(String),
    /// What is kept in files beside the memory cannot be written or read.
    Space {
        /// What went wrong.
        kind: io::ErrorKind,
        /// In the words of the system.
        why: String,
    },
    /// The disk has too little room for these files.
    Room {
        /// Bytes that will be needed, about.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// A check of our own failed: never the user's mistake.
    Internal(String),
}

impl Error {
    /// Fills in how many positions had been met, where whoever raised the error could not know.
    pub fn after(mut self, met: u64) -> Error {
        if let Error::Limit { positions, .. } | Error::Interrupted { positions } = &mut self {
            *positions = met.max(*positions);
        }
        self
    }

    /// Whether nothing is wrong with the game: it only is too much for the limits.
    pub fn is_limit(&self) -> bool {
        matches!(self, Error::Limit { .. })
    }

    /// Whether the memory did not reach.
    pub(crate) fn is_memory(&self) -> bool {
        matches!(self, Error::Limit { limit: Limit::Memory { .. }, .. })
    }

    /// A total that does not fit, with the position whose value it is.
    pub(crate) fn at(self, position: u64) -> Error {
        match self {
            Error::Overflow => Error::OverflowAt(position),
            other => other,
        }
    }

    /// A code that the table has no place for: the game and its numbering disagree.
    #[cold]
    pub(crate) fn outside(code: u64) -> Error {
        Error::internal(format!("code {code} is outside the table"))
    }

    /// A check of our own failed.
    #[cold]
    pub(crate) fn internal(what: String) -> Error {
        Error::Internal(what)
    }

    /// More positions, moves or levels than there are numbers for.
    #[cold]
    pub(crate) fn too_many(positions: u64) -> Error {
        Error::Limit { limit: Limit::Positions, positions }
    }
}

/// How many positions, in words.
fn counted(positions: u64) -> String {
    format!("{positions} position{}", if positions == 1 { "" } else { "s" })
}

/// A limit of time as it was given.
fn time_text(limit: Duration) -> String {
    if limit.is_zero() { "0s".to_string() } else { format!("{limit:?}") }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Limit { limit: Limit::Memory { limit, needed }, positions } => {
                write!(f, "memory limit reached: {needed} of {limit} bytes after {}", counted(*positions))
            }
            Error::Limit { limit: Limit::Time { limit }, positions } => {
                write!(f, "time limit of {} reached after {}", time_text(*limit), counted(*positions))
            }
            Error::Limit { limit: Limit::Positions, positions } => {
                write!(f, "more than {positions} positions cannot be numbered")
            }
            Error::Limit { limit: Limit::Depth { moves }, positions } => {
                write!(f, "not proved {moves} moves ahead, after {}", counted(*positions))
            }
            Error::Limit { limit: Limit::Heap { heap, why }, positions } => {
                write!(
                    f,
                    "not proved: the first {positions} heaps show no period that settles a heap of {heap} ({why})"
                )
            }
            Error::Interrupted { positions } => write!(f, "interrupted after {}", counted(*positions)),
            Error::Dear { positions } => write!(f, "slower than predicted: given up after {}", counted(*positions)),
            Error::Fault(position) => write!(f, "the rules go wrong in position {position}"),
            Error::Cycle(cycle) => write!(f, "positions repeat: a cycle of {} moves", cycle.len()),
            Error::Grows(position) => write!(f, "position {position} can come back with another one beside it"),
            Error::Overflow | Error::OverflowAt(_) => f.write_str("overflow: a total of gains does not fit in 64 bits"),
            Error::NotApplicable(why) => f.write_str(why),
            Error::Space { why, .. } => write!(f, "the files of the layers cannot be written or read: {why}"),
            Error::Room { needed, free } => {
                write!(f, "the files of the layers would take about {needed} bytes, and {free} are free")
            }
            Error::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl std::error::Error for Error {}
