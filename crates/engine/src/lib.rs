//! Engines: numbered positions in, values out. No engine knows rules.
//!
//! ```text
//! graph (positions numbered as they are met) ──induction · retrograde · loopy──▶ values by number
//! codes (positions that are numbers)         ──search · retrograde──────────────▶ values by code
//! ```
//!
//! Read [`graph`] first: it is the template `D(S) = max over moves of gain − D(S')` as engines see it. [`valuation`] holds
//! its cases, [`induction`] and [`retrograde`] the two orders in which positions come, [`loopy`] the values of sums whose
//! parts repeat, [`codes`] the fast engines for compiled rules. Below them lie the things that all share: the memory budget
//! ([`memory`]), limits and progress ([`monitor`]), and compact tables that charge what they take ([`segmented`], [`bits`],
//! [`slots`], [`position_table`], [`multiset_table`]).
//!
//! Memory is asked for before it is used, recursion never follows the depth of a game, and every error is an [`Error`] that
//! names positions by number.

pub mod bits;
pub mod codes;
mod error;
pub mod graph;
pub mod growth;
pub mod induction;
pub mod loopy;
pub mod memory;
pub mod monitor;

pub mod interner;
pub mod retrograde;
pub mod segmented;
pub mod valuation;

pub use error::{Error, Limit};
