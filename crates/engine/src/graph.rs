//! The template as the solving methods see it: numbered positions, options, gains and ends.
//!
//! A [`Graph`] hides how positions are written down (packed variables, sorted parts of a sum, a Rust type) behind
//! numbers given in order of discovery, so that each method is written once.

use game::{Outcome, Player};

use crate::error::Error;

pub use crate::interner::Id;

/// One option of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The position after the move.
    pub to: Id,
    /// The mover's gain minus the other's; 0 where the game is not counted or not for two.
    pub gain: i64,
    /// The mover moves on, so the option's value is not negated.
    pub same: bool,
    /// Sums of parts only: `to` is a further part of the option that the edge before began.
    pub joined: bool,
}

impl Edge {
    /// An edge that passes the turn and earns nothing.
    pub fn to(to: Id) -> Edge {
        Edge { to, gain: 0, same: false, joined: false }
    }
}

/// How play ends in a position where it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Won, lost or drawn by the player to move.
    Outcome(Outcome),
    /// The mover's further gain minus the other's.
    Score(i64),
    /// One further gain a player, in [`Expansion::gains`].
    Payoffs,
}

/// All there is to know about one position: it is over, or it has options.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// Who moves; player 0 where positions do not record the turn.
    pub mover: Player,
    /// Set where play is over; then there are no edges.
    pub end: Option<Ending>,
    /// The options in rule order.
    pub edges: Vec<Edge>,
    /// In graphs with payoffs: one number a player for each edge in turn, or for the end. Empty otherwise.
    pub gains: Vec<i64>,
}

impl Expansion {
    /// Ready for the next position, keeping the memory.
    pub fn clear(&mut self) {
        self.mover = Player::FIRST;
        self.end = None;
        self.edges.clear();
        self.gains.clear();
    }
}

/// A game whose positions are numbered as they are met.
pub trait Graph {
    /// How many positions have a number so far.
    fn len(&self) -> usize;

    /// Whether no position has a number yet.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How much work that was so far, in steps that do not depend on the machine; 0 where nobody counts.
    fn steps(&self) -> u64 {
        0
    }

    /// Works out the end or the options of a position, numbering options that are new.
    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error>;
}
