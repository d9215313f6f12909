//! Why there is no answer ([`SolveError`]), and why a plan was given up, so that the chooser makes another ([`Reason`]).

use std::fmt;

use engine::Error;
use rules::fault::Fault;

pub use positions::error::{Bounded, Limit, SolveError, Stuck, stopped_by};

use crate::options::MethodName;

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
    /// It values all positions, and these do not fit in memory.
    OutOfMemory(SolveError),
    /// It was tried before a method that tells more, and had not ended after so many milliseconds.
    Tried(u64),
    /// Another method was tried beside it, and was done first: which, and how many positions it took.
    Outrun(MethodName, u64),
    /// Code could not be made.
    Code(String),
    /// Code could not be made for want of memory.
    CodeMemory(SolveError),
    /// The rules go wrong at a position that play may never reach.
    Unreached,
    /// The values that the method looks for were not found.
    Values(String),
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

impl GivenUp {
    /// The error, where there is no other method: a limit as it is, else that something does not apply, in words.
    pub fn into_error(self, words: impl FnOnce(&Reason) -> String) -> SolveError {
        match self {
            GivenUp::Error(error) => error,
            GivenUp::Because(reason) => {
                reason.limit().cloned().unwrap_or_else(|| SolveError::NotApplicable(words(&reason)))
            }
        }
    }
}

impl From<SolveError> for GivenUp {
    fn from(error: SolveError) -> GivenUp {
        GivenUp::Error(error)
    }
}

impl From<Error> for GivenUp {
    fn from(error: Error) -> GivenUp {
        GivenUp::Error(error.into())
    }
}

impl From<Fault> for GivenUp {
    fn from(fault: Fault) -> GivenUp {
        GivenUp::Error(fault.into())
    }
}

impl From<Stuck> for GivenUp {
    fn from(stuck: Stuck) -> GivenUp {
        match stuck {
            Stuck::Error(error) => GivenUp::Error(error),
            Stuck::Cycle(cycle) => GivenUp::Because(Reason::Cycle(cycle)),
            Stuck::Overflow(error) => GivenUp::Because(Reason::Overflow(error)),
            Stuck::Code(why) => GivenUp::Because(Reason::Code(why)),
            Stuck::CodeMemory(error) => GivenUp::Because(Reason::CodeMemory(error)),
        }
    }
}

impl Reason {
    /// The error, where the method was asked for and there is no other.
    pub fn into_error(self, method: &str) -> SolveError {
        match self.limit() {
            Some(error) => error.clone(),
            None => SolveError::NotApplicable(format!("the method `{method}` does not apply: {self}")),
        }
    }

    /// The limit that was reached, where it was one.
    pub fn limit(&self) -> Option<&SolveError> {
        match self {
            Reason::Overflow(error)
            | Reason::Limit(error)
            | Reason::Dear(error)
            | Reason::Late(error)
            | Reason::OutOfMemory(error)
            | Reason::CodeMemory(error) => Some(error),
            _ => None,
        }
    }

    /// Whether it was given up only because another was predicted to be quicker, or to tell more.
    pub fn seemed_dear(&self) -> bool {
        matches!(self, Reason::Dear(_) | Reason::Late(_) | Reason::Tried(_))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Cycle(cycle) => write!(f, "positions repeat: {cycle}"),
            Reason::Overflow(error) | Reason::Limit(error) | Reason::Dear(error) | Reason::OutOfMemory(error) => {
                error.fmt(f)
            }
            Reason::CodeMemory(error) => write!(f, "the rules could not be compiled: {error}"),
            Reason::Late(error) => write!(f, "{error}, since a search may be done far sooner"),
            Reason::Code(why) | Reason::Values(why) | Reason::TooLarge(why) => f.write_str(why),
            Reason::Tried(millis) => {
                write!(f, "it was tried first, and had not ended after {:.1} s", *millis as f64 / 1e3)
            }
            Reason::Outrun(by, positions) => {
                let positions = engine::numbers::grouped(*positions);
                write!(f, "`{by}` was tried beside it, and was done first after {positions} positions")
            }
            Reason::Unreached => {
                f.write_str("the rules go wrong at a position of the table, which play may never reach")
            }
        }
    }
}
