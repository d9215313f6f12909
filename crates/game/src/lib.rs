//! The vocabulary of Perfect Play, shared by every other crate and free of files, rules text and threads.
//!
//! One template underlies everything: measured from the mover's side, the value of a position is
//!
//! ```text
//! D(S) = max over moves of  gain(S → S') − D(S')
//! ```
//!
//! Win, draw and loss are its three-valued case ([`Outcome`], which negates with `-`), Grundy numbers its case for
//! sums ([`Nimber`], with [`mex`] in the place of the maximum), and payoff vectors its case for many players, where a
//! player maximises a component instead of negating. A game, for the purpose of solving, is positions, moves, gains
//! and ends: that is the trait [`Game`], which a game written in Rust implements. Where positions are plain numbers it is
//! [`codes::Successors`]. What is found of a position is a [`Verdict`].
//!
//! Where impartial positions can repeat, [`LoopyNimber`]s take the place of nimbers; [`Nim64`] is the arithmetic of nimbers
//! themselves.
//!
//! Read [`outcome`] first; the rest are a few lines each.

pub mod codes;
pub mod game;
pub mod loopy;
pub mod nimber;
pub mod outcome;
pub mod player;
pub mod remoteness;
pub mod verdict;

pub use crate::game::{End, Game, Play};
pub use crate::loopy::{LoopyNimber, NimberSet};
pub use crate::nimber::{Nim64, Nimber, mex};
pub use crate::outcome::{Outcome, OutcomeClass};
pub use crate::player::Player;
pub use crate::remoteness::Remoteness;
pub use crate::verdict::Verdict;
