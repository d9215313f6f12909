//! Retrograde analysis: won, lost and drawn positions of games for two whose positions can repeat.
//!
//! All positions are found first, each expanded once, and their moves turned round. Then the ends are carried backwards,
//! level by level: a position is won as soon as one option is won for its mover, which happens at the least remoteness,
//! and lost when the last option turns out lost, at the largest. What is left at the fixed point is drawn, or belongs to
//! the player who wins play without end; nothing is called drawn before that. Iterating over all positions until nothing
//! changes would need no reversed moves and as many passes as the longest win.
//!
//! # What the values mean
//!
//! The remoteness is that of the quickest win and of the slowest loss. In a drawn position it is the length of the
//! shortest way through drawn positions to a declared draw, whoever moves, and `None` if there is no such way. Under
//! [`Forever::Win`], let P be that player and Q the other. Won by Q is what Q can force to an end that Q wins; drawn is
//! what Q can force to such an end or a declared draw, and no better; all else is P's, with a remoteness where P can force
//! an end and `None` where Q can go on for ever.
//!
//! # How it is divided
//!
//! ```text
//! graph ──explore───▶ cells and moves by bucket ──┐
//!                                                 ├──backward──▶ moves by where they lead ──analysis──▶ values
//! codes ─discovery──▶ cells and moves as found ───┘
//! ```
//!
//! There are two ways to find positions. `explore` numbers the positions of a [`crate::graph::Graph`] as they are met;
//! [`crate::codes`] knows them by their codes and numbers them in that order. From there on the number is an index, and all is
//! done once. Moves need not be turned round where few positions are decided (`moves`).

mod analysis;
mod backward;
mod buckets;
mod cell_array;
mod code_set;
mod explore;
mod found;
mod moves;
mod standing;

pub(crate) use analysis::{Prepared, VALUES, WORTH_SHARING, analyse_moves};
pub(crate) use buckets::{SAME, marked};
pub(crate) use code_set::CodeSet;
pub(crate) use moves::Moves;
pub(crate) use standing::{Pass, Standing, save};

pub use analysis::Forever;
pub use explore::retrograde;
