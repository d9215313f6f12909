//! Why codes were not valued. Positions are named by their codes, which the caller turns back into positions.

use std::fmt;

use crate::error::{Limit, SolveError};

/// Why a game given by codes was not solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeError {
    /// The rules go wrong in this position; the interpreter says how.
    Fault(u64),
    /// Positions repeat: the codes of one cycle in the order of play, the first not repeated at the end.
    Cycle(Vec<u64>),
    /// The value of this position does not fit in the table, or a sum on the way to it not in 64 bits.
    OverflowAt(u64),
    /// What can happen to every method: a limit, a stop, a method that does not apply.
    Solve(SolveError),
}

impl CodeError {
    /// A code that the table has no place for: the expander and the numbering disagree.
    #[cold]
    pub(crate) fn outside(code: u64) -> CodeError {
        CodeError::internal(format!("code {code} is outside the table"))
    }

    /// A check of our own failed.
    #[cold]
    pub(crate) fn internal(what: String) -> CodeError {
        CodeError::Solve(SolveError::Internal(what))
    }

    /// More positions, moves or levels than there are numbers for.
    #[cold]
    pub(crate) fn too_many(positions: u64) -> CodeError {
        CodeError::Solve(SolveError::Limit { limit: Limit::Positions, positions })
    }

    /// Fills in how many positions had been met, where whoever raised the error could not know.
    pub(crate) fn after(self, met: u64) -> CodeError {
        match self {
            CodeError::Solve(error) => CodeError::Solve(error.after(met)),
            other => other,
        }
    }
}

impl From<SolveError> for CodeError {
    fn from(error: SolveError) -> CodeError {
        CodeError::Solve(error)
    }
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodeError::Fault(code) => write!(f, "the rules go wrong in position {code}"),
            CodeError::Cycle(cycle) => write!(f, "positions repeat: a cycle of {} moves", cycle.len()),
            CodeError::OverflowAt(code) => write!(f, "overflow: the value of position {code} does not fit"),
            CodeError::Solve(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CodeError {}
