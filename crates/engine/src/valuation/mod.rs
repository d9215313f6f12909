//! What a position is worth: the cases of the template `D(S) = best over options`, one file a case.
//!
//! A [`Valuation`] works out the value of one position from the values of its options and stores it under the position's
//! number. It does not know in which order positions come, only that options come first: [`crate::induction`] sees to
//! that. So the order is written once and each case is a few lines.
//!
//! - [`Outcomes`]: won, drawn or lost, with remoteness, and Grundy numbers beside it where wanted.
//! - [`Scores`]: one number, the mover's gains minus the other's.
//! - [`Nimbers`]: Grundy numbers of the parts of a sum.
//! - [`Payoffs`]: one number a player, each maximising their own.
//! - [`Total`]: not a value but a check that goes along: is the sum of all gains the same however play goes on?
//!
//! Two valuations can go along with each other as a pair, which settles both.

mod mex;
mod nimber;
mod outcome;
mod payoffs;
mod reach;
mod score;
mod settle;
mod total;

pub use crate::outcome_cell::is_better;
pub use mex::Mex;
pub use nimber::Nimbers;
pub use outcome::Outcomes;
pub use payoffs::Payoffs;
pub use score::{Scores, difference};
pub use settle::Valuation;
pub use total::{Broken, Total};

pub(crate) use mex::{least_unmarked, mark};
pub(crate) use settle::{dead_end, wrong_end};
