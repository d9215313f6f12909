//! Why a plan was given up, so that the chooser makes another.

use std::fmt;

use crate::error::SolveError;

/// Why a method stopped without an answer, where another one may have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Positions repeat; one cycle, shown.
    Cycle(String),
    /// A total does not fit in 64 bits, maybe at a position that play never reaches.
    Overflow(SolveError),
    /// A limit was reached that another method need not reach.
    Limit(SolveError),
    /// It took much longer than predicted.
    Dear(SolveError),
    /// It values all positions, and would not be done in time, or takes far longer than predicted.
    Late(SolveError),
    /// It was tried before a method that tells more, and had not ended after so many milliseconds.
    Tried(u64),
    /// Code could not be made.
    Code(String),
    /// The rules go wrong at a position that play may never reach.
    Unreached,
    /// The values that the method looks for were not found.
    Values(String),
    /// A misère sum has no quotient that was found; why.
    Quotient(String),
    /// Canonical forms take more than there is; why.
    TooLarge(String),
}

/// Why a method stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenUp {
    /// An error that no other method would avoid.
    Error(SolveError),
    /// Another method may do better.
    Because(Reason),
}

impl<E: Into<SolveError>> From<E> for GivenUp {
    fn from(error: E) -> GivenUp {
        GivenUp::Error(error.into())
    }
}

impl Reason {
    /// The error, where the method was asked for and there is no other.
    pub fn into_error(self, method: &str) -> SolveError {
        match self {
            Reason::Overflow(error) | Reason::Limit(error) | Reason::Dear(error) | Reason::Late(error) => error,
            other => SolveError::NotApplicable(format!("the method `{method}` does not apply: {other}")),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Cycle(cycle) => write!(f, "positions repeat: {cycle}"),
            Reason::Overflow(error) | Reason::Limit(error) | Reason::Dear(error) => error.fmt(f),
            Reason::Late(error) => write!(f, "{error}, since a search may be done far sooner"),
            Reason::Code(why) | Reason::Values(why) | Reason::Quotient(why) | Reason::TooLarge(why) => f.write_str(why),
            Reason::Tried(millis) => {
                write!(f, "it was tried first, and had not ended after {:.1} s", *millis as f64 / 1e3)
            }
            Reason::Unreached => {
                f.write_str("the rules go wrong at a position of the table, which play may never reach")
            }
        }
    }
}
