//! Why an operation gave no value.

use std::fmt;

/// So many values fit into an arena: a pair of ids and four bits make a word.
pub const MOST_GAMES: u32 = (1 << 30) - 1;

/// Why an operation gave no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// More memory would be needed than the budget has, in bytes.
    Memory {
        /// The limit.
        limit: u64,
        /// What would be in use.
        needed: u64,
    },
    /// More games than there are ids for them.
    Games,
    /// A number does not fit; the text says which.
    Overflow(&'static str),
    /// The budget asked to stop.
    Stopped,
    /// The operation is not defined for this game; the text says why.
    Undefined(String),
    /// There may be a value, but finding it takes more than is spent on it; the text says what.
    Beyond(String),
    /// The text of a value would be longer than allowed, in bytes.
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// The games or brackets in a text are nested deeper than can be read or written.
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// A text that is no game; the place is a range of bytes.
    Text {
        /// Where the text goes wrong.
        place: std::ops::Range<usize>,
        /// What is wrong, and how to mend it.
        message: String,
    },
}

/// The result of operations on values.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Whether there is no value, or none that is worked out here: anything but a limit of the caller's or a mistake.
    pub fn is_without_value(&self) -> bool {
        matches!(self, Error::Undefined(_) | Error::Beyond(_))
    }

    /// An error at a place of a text.
    pub(crate) fn at(place: std::ops::Range<usize>, message: impl Into<String>) -> Error {
        Error::Text { place, message: message.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Memory { limit, needed } => {
                write!(f, "the values would need {needed} bytes, and {limit} are allowed")
            }
            Error::Games => write!(f, "there are more than {} different values", MOST_GAMES),
            Error::Overflow(what) => write!(f, "overflow: {what}"),
            Error::Stopped => write!(f, "stopped"),
            Error::Undefined(why) | Error::Beyond(why) => write!(f, "{why}"),
            Error::TooLong { limit } => write!(f, "the value is too large to write: its text has over {limit} bytes"),
            Error::TooDeep { limit } => write!(f, "games or brackets are nested more than {limit} deep"),
            Error::Text { place, message } => write!(f, "at byte {}: {message}", place.start),
        }
    }
}

impl std::error::Error for Error {}

/// Why a hot loop ended early. One byte, so that results of one bit stay in a register; [`crate::Arena`] knows the
/// rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The recursion is as deep as it may be. The question that it came to is kept, to be answered first.
    Deep,
    /// An error that the arena keeps.
    Fault,
}
