//! What a position is worth: the cases of the template `D(S) = best over options`, one file a case.
//!
//! A [`Valuation`] works out the value of one position from the values of its options and stores it under the position's
//! number. It does not know in which order positions come, only that options come first: [`crate::induction`] sees to
//! that. So the order is written once and each case is a few lines.
//!
//! - [`outcome`]: won, drawn or lost, with remoteness, and Grundy numbers beside it where wanted.
//! - [`score`]: one number, the mover's gains minus the other's.
//! - [`nimber`]: Grundy numbers of the parts of a sum.
//! - [`payoffs`]: one number a player, each maximising their own.
//! - [`total`]: not a value but a check that goes along: is the sum of all gains the same however play goes on?
//!
//! Two valuations can go along with each other as a pair, which settles both.

pub mod mex;
pub mod nimber;
pub mod outcome;
pub mod payoffs;
mod reach;
pub mod score;
pub mod total;

pub use nimber::Nimbers;
pub use outcome::Outcomes;
pub use payoffs::Payoffs;
pub use score::Scores;
pub use total::Total;

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
