//! The vocabulary of Perfect Play, shared by every other crate and free of files, rules text and threads.
//!
//! One template underlies everything: measured from the mover's side, the value of a position is
//!
//! ```text
//! D(S) = max over moves of  gain(S → S') − D(S')
//! ```
//!
//! Win, draw and loss are its three-valued case ([`Outcome`], which negates with `-`). Grundy numbers are its case for
//! sums ([`Nimber`], with [`mex`] in place of the maximum). Payoff vectors are its case for many players, where a
//! player maximises a component instead of negating.
//!
//! Read [`outcome`] first; most others are a few lines each:
//! - [`mod@player`], [`mod@remoteness`]: who moves, and how long play lasts.
//! - [`mod@game`]: the trait [`Game`] for games written in Rust: positions, moves, gains and ends. Rules files do not
//!   implement it; the crate `rules` has its own form of them.
//! - [`codes`]: [`codes::Successors`], the same for games whose positions are plain numbers.
//! - [`mod@verdict`]: [`Verdict`], what is found of a position or a move.
//! - [`mod@nimber`]: [`Nimber`], and [`Nim64`], the arithmetic of nimbers.
//! - [`mod@random`]: [`Random`], a source of chance that its seed fixes.
//! - [`mod@loopy`]: [`LoopyNimber`], which replaces nimbers if impartial positions can repeat.

pub mod codes;
pub mod game;
pub mod loopy;
pub mod nimber;
pub mod outcome;
pub mod player;
pub mod random;
pub mod remoteness;
pub mod verdict;

pub use crate::game::{End, Game, Play};
pub use crate::loopy::{LoopyNimber, NimberSet};
pub use crate::nimber::{Nim64, Nimber, mex};
pub use crate::outcome::{Outcome, OutcomeClass};
pub use crate::player::Player;
pub use crate::random::Random;
pub use crate::remoteness::Remoteness;
pub use crate::verdict::Verdict;
