//! Engines: numbered positions in, values out. No engine knows rules.
//!
//! ```text
//! graph (positions numbered as they are met) ──induction · retrograde · loopy──▶ values by number
//! codes (positions that are numbers)         ──search · retrograde──────────────▶ values by code
//! ```
//!
//! Read [`graph`] first: it is the template `D(S) = max over moves of gain − D(S')` as engines see it. [`valuation`] holds
//! its cases, [`induction`] and [`retrograde`] the two orders in which positions come, [`loopy`] the values of sums whose
//! parts repeat, [`codes`] the fast engines for compiled rules. What an engine found of a position is read as a
//! [`game::Verdict`].
//!
//! Modules in the order in which they stand on one another; none names one of a later line:
//!
//! | modules | what they are |
//! |---|---|
//! | [`Error`], [`memory`], `stopwatch` | why there is no value; the memory budget; what a thread takes |
//! | `segmented`, [`keeping`], [`monitor`] | arrays that grow in place and charge what they take; snapshots of long solves; limits, progress, the stop button |
//! | `bits`, `hints`, `crew` | sets of bits; prefetching; threads that share a task |
//! | [`interner`], [`graph`], [`growth`] | numbers for positions of any form; games on numbers; sums that grow without end |
//! | `outcome_cell`, [`valuation`] | outcome and remoteness in one number; what a position is worth by its options |
//! | [`induction`], [`retrograde`], [`loopy`] | the engines on graphs |
//! | [`sample`] | about how many positions a graph has, found before an engine is chosen |
//! | [`codes`] | the engines on codes |
//! | [`layered`] | retrograde analysis layer by layer, in any memory |
//! | [`numbers`] | numbers in texts for people |
//!
//! Memory is asked for before it is used, recursion never follows the depth of a game, and every error is an [`Error`] that
//! names positions by number.

mod bits;
pub mod codes;
mod crew;
mod error;
pub mod graph;
pub mod growth;
mod hints;
pub mod induction;
pub mod interner;
pub mod keeping;
pub mod layered;
pub mod loopy;
pub mod memory;
pub mod monitor;
pub mod numbers;
mod outcome_cell;
mod prediction;
pub mod retrograde;
pub mod sample;
mod segmented;
mod stopwatch;
pub mod valuation;

pub use error::{Error, Limit};
