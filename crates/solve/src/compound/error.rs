//! Why a sum has no answer.

use std::fmt;

use crate::error::SolveError;

/// Why a sum has no answer, and which summand is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumError {
    /// The summand in which it went wrong.
    pub summand: usize,
    /// What went wrong.
    pub error: SolveError,
}

impl fmt::Display for SumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "summand {}: {}", self.summand + 1, self.error)
    }
}

impl std::error::Error for SumError {}
