//! Why there is no answer: the rules went wrong, a limit was reached, the game is of a kind that has none ([`SolveError`]); or
//! the positions stopped an engine in a way that another one may not mind ([`Stuck`]).

use std::fmt;
use std::io;

use engine::Error;
use jit::JitError;
use rules::bind::{Bound, Position};
use rules::diagnostic::Diagnostic;
use rules::fault::Fault;
use rules::show;
use rules::stop::Stopped;

pub use engine::Limit;

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
    /// A limit was reached, or the person stopped it, and something is proved of the value by then.
    Bounded {
        /// What stopped it.
        error: Box<SolveError>,
        /// What is known.
        bounds: Bounded,
    },
    /// The person stopped it.
    Interrupted {
        /// Positions met so far.
        positions: u64,
    },
    /// It takes much longer than was predicted, and another method may be quicker. The chooser sees to it; nobody else meets it.
    Dear {
        /// Positions met so far.
        positions: u64,
    },
    /// A total does not fit in 64 bits.
    Overflow,
    /// A method or a question that is not for this game; says why.
    NotApplicable(String),
    /// What is kept in files beside the memory cannot be written or read.
    Files {
        /// What went wrong.
        kind: io::ErrorKind,
        /// In the words of the system.
        why: String,
    },
    /// The disk has too little room for the files of a solve.
    Room {
        /// Bytes that will be needed, about.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// A check of our own failed: never the user's mistake.
    Internal(String),
}

/// What is known of a value that was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// Whether the game is won and lost: −1, 0 and 1 are the outcomes for the player who starts. Else they are scores.
    pub is_outcome: bool,
    /// At least so much is proved, where anything is,
    pub low: Option<i64>,
    /// and at most so much.
    pub high: Option<i64>,
    /// A guess that is not proved: what the `estimate` of the rules makes of it so many moves ahead.
    pub estimate: Option<i64>,
}

impl SolveError {
    /// The error itself, without what is proved beside it.
    pub fn plain(&self) -> &SolveError {
        match self {
            SolveError::Bounded { error, .. } => error,
            error => error,
        }
    }

    /// What is proved of the value beside a limit.
    pub fn bounds(&self) -> Option<&Bounded> {
        match self {
            SolveError::Bounded { bounds, .. } => Some(bounds),
            _ => None,
        }
    }

    /// Whether nothing is wrong with the game: it only is too much for the limits.
    pub fn is_limit(&self) -> bool {
        match self {
            SolveError::Limit { .. } => true,
            SolveError::Bounded { error, .. } => error.is_limit(),
            SolveError::Fault(fault) => fault.too_much_work,
            _ => false,
        }
    }

    /// The error for a total that does not fit, at the place where the game gains and with the position.
    pub fn overflow(bound: &Bound, position: &Position) -> SolveError {
        let place = rules::visit::first_gain(&bound.program).unwrap_or(bound.program.name_span);
        let title = "overflow: the total of the gains does not fit in 64 bits";
        let diagnostic = Diagnostic::at(place, title, "gains are added up from here")
            .note(format!("in the position {} and what follows it", show::position_text(bound, position)))
            .help("totals and differences reach from -9223372036854775808 to 9223372036854775807");
        SolveError::Fault(diagnostic.into())
    }

    /// A check of our own failed.
    pub fn internal(what: impl Into<String>) -> SolveError {
        SolveError::Internal(what.into())
    }
}

/// The limit that stopped the rules.
pub fn stopped_by(why: Stopped) -> Error {
    let positions = 0;
    match why {
        Stopped::Cancelled => Error::Interrupted { positions },
        Stopped::Time { limit } => Error::Limit { limit: Limit::Time { limit }, positions },
        Stopped::Memory { limit, needed } => Error::Limit { limit: Limit::Memory { limit, needed }, positions },
    }
}

/// Rules that were stopped are not wrong.
impl From<Fault> for SolveError {
    fn from(fault: Fault) -> SolveError {
        if let Some(why) = fault.stopped() {
            return stopped_by(why).into();
        }
        SolveError::Fault(fault)
    }
}

/// For errors that name no position. Whoever knows the positions turns the others into words first.
impl From<Error> for SolveError {
    fn from(error: Error) -> SolveError {
        match error {
            Error::Limit { limit, positions } => SolveError::Limit { limit, positions },
            Error::Interrupted { positions } => SolveError::Interrupted { positions },
            Error::Dear { positions } => SolveError::Dear { positions },
            Error::Overflow | Error::OverflowAt(_) => SolveError::Overflow,
            Error::NotApplicable(why) => SolveError::NotApplicable(why),
            Error::Space { kind, why } => SolveError::Files { kind, why },
            Error::Room { needed, free } => SolveError::Room { needed, free },
            Error::Internal(what) => SolveError::Internal(what),
            unplaced @ (Error::Fault(_) | Error::Cycle(_) | Error::Grows(_)) => {
                SolveError::Internal(unplaced.to_string())
            }
        }
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = match self {
            SolveError::Fault(fault) => return f.write_str(&fault.diagnostic.title),
            SolveError::Bounded { error, .. } => return error.fmt(f),
            SolveError::Limit { limit, positions } => Error::Limit { limit: limit.clone(), positions: *positions },
            SolveError::Interrupted { positions } => Error::Interrupted { positions: *positions },
            SolveError::Dear { positions } => Error::Dear { positions: *positions },
            SolveError::Overflow => Error::Overflow,
            SolveError::NotApplicable(why) => return f.write_str(why),
            SolveError::Files { kind, why } => Error::Space { kind: *kind, why: why.clone() },
            SolveError::Room { needed, free } => Error::Room { needed: *needed, free: *free },
            SolveError::Internal(what) => return write!(f, "internal error: {what}"),
        };
        engine.fmt(f)
    }
}

impl std::error::Error for SolveError {}

/// Why an engine or a search came to no end on the positions of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// An error, whoever runs the game.
    Error(SolveError),
    /// Positions repeat; one cycle, shown.
    Cycle(String),
    /// A total does not fit in 64 bits, maybe at a position that play never reaches.
    Overflow(SolveError),
    /// Code could not be made, or cannot expand a position.
    Code(String),
    /// Code could not be made for want of memory.
    CodeMemory(SolveError),
}

impl Stuck {
    /// Code could not be made.
    pub fn uncompiled(error: JitError) -> Stuck {
        match error {
            JitError::Memory { limit, needed } => {
                Stuck::CodeMemory(SolveError::Limit { limit: Limit::Memory { limit, needed }, positions: 0 })
            }
            error => Stuck::Code(error.to_string()),
        }
    }
}

impl<E: Into<SolveError>> From<E> for Stuck {
    fn from(error: E) -> Stuck {
        Stuck::Error(error.into())
    }
}
