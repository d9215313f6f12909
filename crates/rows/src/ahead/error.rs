//! Why there is no answer.

use std::error::Error;
use std::fmt;

use crate::taking::Stopped;

/// Why a game that goes forward is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AheadError {
    /// The caller's hook said stop.
    Stopped,
    /// A list of numbers has the wrong length.
    Length {
        /// Which list it is.
        list: &'static str,
        /// The length it must have, at least.
        wanted: usize,
        /// The length it has.
        found: usize,
    },
    /// The window of an index does not lie between that index and the end of the list.
    Window {
        /// The index.
        index: usize,
        /// The first target of its window.
        from: usize,
        /// The last target of its window.
        to: usize,
    },
    /// The limit of a bound is below the limit of the bound before it.
    FallingLimit {
        /// The larger bound.
        bound: usize,
    },
    /// The start lies beyond the end of the list.
    Start {
        /// The start.
        index: usize,
        /// The last index.
        last: usize,
    },
    /// The value of a position does not fit in 64 bits.
    Overflow {
        /// The index of the position; of several positions, the first that was met.
        index: usize,
    },
    /// There is not enough memory for the values.
    Memory {
        /// How many bytes were asked for.
        bytes: u128,
    },
}

impl fmt::Display for AheadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            AheadError::Stopped => Stopped.fmt(f),
            AheadError::Length { list, wanted, found } => {
                write!(f, "the list `{list}` has {found} numbers where {wanted} are needed")
            }
            AheadError::Window { index, from, to } => {
                write!(f, "the window {from}..={to} of index {index} must begin after it and end inside the list")
            }
            AheadError::FallingLimit { bound } => {
                write!(f, "the limit of bound {bound} is below the limit of bound {}", bound.saturating_sub(1))
            }
            AheadError::Start { index, last } => write!(f, "the start {index} lies beyond the last index {last}"),
            AheadError::Overflow { index } => write!(f, "the value at index {index} does not fit in 64 bits"),
            AheadError::Memory { bytes } => write!(f, "there is no room for {bytes} bytes of values"),
        }
    }
}

impl Error for AheadError {}

impl From<Stopped> for AheadError {
    fn from(_: Stopped) -> AheadError {
        AheadError::Stopped
    }
}
