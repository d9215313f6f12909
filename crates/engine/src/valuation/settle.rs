//! The step that all cases share: a position is valued from its options, which were valued before.

use crate::error::Error;
use crate::graph::{Expansion, Id};

/// A way to value positions whose options are valued already.
pub trait Valuation {
    /// Works out and stores the value of a position. All its options were settled before.
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error>;

    /// What the stored values take.
    fn bytes(&self) -> u64;
}

/// Both, the first one first.
impl<A: Valuation, B: Valuation> Valuation for (A, B) {
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        self.0.settle(position, expansion)?;
        self.1.settle(position, expansion)
    }

    fn bytes(&self) -> u64 {
        self.0.bytes() + self.1.bytes()
    }
}

/// Nothing, where there is none.
impl<A: Valuation> Valuation for Option<A> {
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        match self {
            Some(valuation) => valuation.settle(position, expansion),
            None => Ok(()),
        }
    }

    fn bytes(&self) -> u64 {
        self.as_ref().map_or(0, A::bytes)
    }
}

/// The error for a position that is neither over nor has options.
pub(crate) fn dead_end(position: Id) -> Error {
    Error::Internal(format!("position {position} has no option and no end"))
}

/// The error for an end of a kind that the valuation has no value for.
pub(crate) fn wrong_end(position: Id, wanted: &str) -> Error {
    Error::Internal(format!("position {position} has an end that is not {wanted}"))
}
