//! Positions as plain numbers: what an engine asks of a game whose positions have codes.
//!
//! [`Successors`] is to codes what [`crate::Game`] is to Rust types. Compiled rules implement it; tests write their own.

/// What is kept of gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gains {
    /// Nothing: the game is won and lost. An end is one number, 1 won, 0 drawn, −1 lost by the mover.
    Outcome,
    /// One number an option, or for the end: the mover's gain minus the other's.
    Difference,
    /// One number a player for each option in turn, or for the end.
    All,
}

/// A buffer for the options of one position; used again and again.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The codes of the options, in rule order.
    pub codes: Vec<u64>,
    /// For each option whether the same player moves on: 1 or 0.
    pub same: Vec<u8>,
    /// Gains as [`Gains`] says; empty for outcomes, except the one number of an end.
    pub gains: Vec<i64>,
}

/// What a position turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expanded {
    /// It has options, at least one.
    Options,
    /// Play is over, by a rule or for want of a move; what it is worth is in [`Options::gains`].
    End,
    /// The rules go wrong here; the interpreter says how.
    Fault,
}

/// A game whose positions are codes.
pub trait Successors: Sync {
    /// Works out one position. What was in the buffer is overwritten.
    fn expand(&self, code: u64, out: &mut Options) -> Expanded;
}
