//! Rules as bit masks, for searches: boards of few values, and sets.
//!
//! ```text
//! formulas ──▶ moves (where, what they write) · ends (lines of cells) ──▶ masks ──▶ options and ends of one position
//! ```
//!
//! A cell of few values is a bit in each of a few planes, see `layout`. A move is a test of planes and bits of the key that
//! change, see `moves`. An `end` condition is a list of lines, any of which ends the game, see `ends`; it is proved which of them
//! a move can complete (`watched`), and only those are tested after it. So one look at a position tells which moves end the game.
//!
//! Everything is read off the formulas. What does not have this form is not used: then [`Masks::new`] says why, and other code
//! runs the rules. Ends that are no lines but read few bits are looked up, see `lookup`. Modules in the order in which they stand on
//! one another: `cube`, `reader`, `moves`, `ends`, `watched`, `layout`, `lookup`, `placing`, `potential`, `fold`, `program`.

mod cube;
mod ends;
mod fold;
mod layout;
mod lines;
mod lookup;
mod moves;
mod placing;
mod potential;
mod program;
mod reader;
mod watched;

pub use program::{Judge, Look, Masks};

/// A move that does not end the game.
pub const OPEN: i64 = i64::MIN;

/// Nobody could say how the game ends: the judge was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecided;
