//! Positions as plain numbers: what an engine asks of a game whose positions have codes.
//!
//! [`Successors`] is to codes what [`crate::Game`] is to Rust types. Compiled rules implement it; tests write their own.

/// Which gains are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gains {
    /// None: the game is won and lost. An end is one number: 1 won, 0 drawn, −1 lost by the mover.
    Outcome,
    /// One number for each option, or for the end: the mover's gain minus the other's.
    Difference,
    /// One number for each player, option after option, or for the end.
    All,
}

/// A buffer for the options of one position, to be reused.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The codes of the options, in rule order.
    pub codes: Vec<u64>,
    /// For each option, whether the mover moves again: 1 or 0.
    pub same: Vec<u8>,
    /// Gains in the form of [`Gains`]; empty for outcomes, except the one number of an end.
    pub gains: Vec<i64>,
}

/// A buffer for the options of one position where turns alternate and nothing is gained, sifted by what is known of them at once.
#[derive(Clone, Debug, Default)]
pub struct Sifted {
    /// The keys of options of which nothing is known, one after the other, in rule order.
    pub keys: Vec<u64>,
    /// For each of these a number that its move has in every position, and how promising it is.
    pub moves: Vec<(u32, i32)>,
    /// What the best of all others is worth to the mover, and the number of the first such.
    pub best: Option<(i64, u32)>,
}

/// The result of expanding a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expanded {
    /// It has options, at least one.
    Options,
    /// Play is over, by a rule or because there is no move; the result is in [`Options::gains`].
    End,
    /// The rules go wrong here; the interpreter says how.
    Fault,
}

/// A game whose positions are codes.
pub trait Successors: Sync {
    /// Expands one position and overwrites the buffer.
    fn expand(&self, code: u64, out: &mut Options) -> Expanded;
}
