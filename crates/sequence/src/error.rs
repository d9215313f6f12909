//! Why a sequence has no further term.

use std::fmt;

use rules::diagnostic::Diagnostic;

use solve::error::SolveError;

/// Why a sequence does not grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SequenceError {
    /// The rules do not admit an instance.
    Refused {
        /// The parameter.
        at: i64,
        /// What is wrong with it.
        diagnostics: Vec<Diagnostic>,
    },
    /// An instance was not solved.
    Solve {
        /// The parameter.
        at: i64,
        /// Why.
        error: SolveError,
    },
    /// An instance has an answer, but no value.
    NoValue {
        /// The parameter.
        at: i64,
    },
    /// No period was proved within as many heaps as can be computed.
    TooLong {
        /// How many that is.
        heaps: u64,
    },
    /// A heap has no negative size.
    Negative {
        /// The first number of the range.
        from: i64,
    },
}

impl fmt::Display for SequenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SequenceError::Refused { at, diagnostics } => {
                let title = diagnostics.first().map_or("the instance is wrong", |diagnostic| &diagnostic.title);
                write!(f, "at {at}: {title}")
            }
            SequenceError::Solve { at, error } => write!(f, "at {at}: {error}"),
            SequenceError::NoValue { at } => write!(f, "at {at}: the answer has no value to list"),
            SequenceError::TooLong { heaps } => write!(f, "no period is proved within {heaps} heaps"),
            SequenceError::Negative { from } => write!(f, "a heap cannot be negative, and the range starts at {from}"),
        }
    }
}

impl std::error::Error for SequenceError {}
