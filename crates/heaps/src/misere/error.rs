//! The limits of misère work, and what stops it.

use std::fmt;

/// How much memory and work misère play may use.
///
/// Each figure bounds one table; none of them changes an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions (sums of heaps) that a search may store.
    pub positions: usize,
    /// Canonical forms, and sums of two of them, that may be stored.
    pub forms: usize,
    /// Elements of a misère quotient.
    pub order: usize,
    /// Transitions that the verification of a quotient may store.
    pub transitions: usize,
    /// Options of heaps that may be listed.
    pub options: usize,
    /// Heaps that are examined one by one in search of a period.
    pub heaps: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            positions: 2_000_000,
            forms: 100_000,
            order: 500,
            transitions: 200_000,
            options: 4_000_000,
            heaps: 1_000,
        }
    }
}

/// The table that a limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// See [`Limits::positions`].
    Positions,
    /// See [`Limits::forms`].
    Forms,
    /// See [`Limits::order`].
    Order,
    /// See [`Limits::transitions`].
    Transitions,
    /// See [`Limits::options`].
    Options,
    /// See [`Limits::heaps`].
    Heaps,
    /// Relations between sums that were assumed and turned out wrong; a fixed number for each heap of a quotient.
    Refutations,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A table reached its limit.
    Limit {
        /// Which table.
        what: Resource,
        /// How much it may hold.
        limit: usize,
    },
    /// The rules allow a heap to become one that is not smaller, so play might never end.
    NotSmaller {
        /// The heap that is played on.
        heap: u32,
        /// The part of its option that is too large.
        part: u32,
    },
    /// The heap is larger than the description of the game can handle.
    TooLarge {
        /// The heap.
        heap: u64,
    },
    /// The heap is not tame, so the types of tame games say nothing about it.
    NotTame {
        /// The least heap that is not tame.
        heap: u32,
    },
    /// The caller stopped the work. Earlier results remain.
    Stopped,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::Positions => "positions",
            Resource::Forms => "canonical forms",
            Resource::Order => "elements of the misère quotient",
            Resource::Transitions => "transitions of the misère quotient",
            Resource::Options => "options of heaps",
            Resource::Heaps => "heaps without a proved period",
            Resource::Refutations => "refuted relations of the misère quotient",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Limit { what, limit } => write!(f, "the limit of {limit} {what} was reached"),
            Error::NotSmaller { heap, part } => {
                write!(f, "heap {heap} has an option with a heap of {part}, which is not smaller")
            }
            Error::TooLarge { heap } => write!(f, "heap {heap} is too large: its options cannot be listed"),
            Error::NotTame { heap } => write!(f, "heap {heap} is not tame"),
            Error::Stopped => f.write_str("stopped before the end"),
        }
    }
}

impl std::error::Error for Error {}
