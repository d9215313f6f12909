//! Why there is no answer: the rules went wrong, a limit was reached, the game is of a kind that has none.

use std::fmt;
use std::time::Duration;

use rules::fault::Fault;

use crate::graph::Id;

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
    /// A heap so large that only a period could tell its value, and none is proved.
    Heap {
        /// The heap.
        heap: u64,
        /// Why no more heaps were valued.
        why: String,
    },
}

/// Why a game was not solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The rules or the instance are wrong.
    Fault(Fault),
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
    /// Positions repeat: the numbers of the positions of one cycle in order, the first not repeated at the end.
    Cycle(Vec<Id>),
    /// A total does not fit in 64 bits.
    Overflow,
    /// The same, with the position in which it shows.
    OverflowAt(Id),
    /// A method was asked for that does not apply; says why.
    NotApplicable(String),
    /// A check of our own failed: never the user's mistake.
    Internal(String),
}

impl SolveError {
    /// Fills in how many positions had been met, where whoever raised the error could not know.
    pub fn after(mut self, met: u64) -> SolveError {
        if let SolveError::Limit { positions, .. } | SolveError::Interrupted { positions } = &mut self {
            *positions = met.max(*positions);
        }
        self
    }
}

impl SolveError {
    /// Whether nothing is wrong with the game: it only is too much for the limits.
    pub fn is_limit(&self) -> bool {
        match self {
            SolveError::Limit { .. } => true,
            SolveError::Fault(fault) => fault.too_much_work,
            _ => false,
        }
    }
}

impl From<Fault> for SolveError {
    fn from(fault: Fault) -> SolveError {
        SolveError::Fault(fault)
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Fault(fault) => f.write_str(&fault.diagnostic.title),
            SolveError::Limit { limit: Limit::Memory { limit, needed }, positions } => {
                write!(f, "memory limit reached: {needed} of {limit} bytes after {positions} positions")
            }
            SolveError::Limit { limit: Limit::Time { limit }, positions } => {
                write!(f, "time limit of {limit:?} reached after {positions} positions")
            }
            SolveError::Limit { limit: Limit::Positions, positions } => {
                write!(f, "more than {positions} positions cannot be numbered")
            }
            SolveError::Limit { limit: Limit::Heap { heap, why }, positions } => {
                write!(
                    f,
                    "not proved: the first {positions} heaps show no period that settles a heap of {heap} ({why})"
                )
            }
            SolveError::Interrupted { positions } => write!(f, "interrupted after {positions} positions"),
            SolveError::Cycle(cycle) => write!(f, "positions repeat: a cycle of {} moves", cycle.len()),
            SolveError::Overflow | SolveError::OverflowAt(_) => {
                f.write_str("overflow: a total of gains does not fit in 64 bits")
            }
            SolveError::NotApplicable(why) => f.write_str(why),
            SolveError::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl std::error::Error for SolveError {}
