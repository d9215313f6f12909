//! The template: a game is positions, moves, gains and ends.

use std::hash::Hash;

use crate::{Outcome, Player};

/// How play ends in a position where the game is over, seen by the player to move there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Won, lost or drawn by the player to move.
    Outcome(Outcome),
    /// Further gains, one a player from player 0 on, in a game that is counted.
    Gains(Vec<i64>),
}

/// One move as it is played out: what it is called, what it earns, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play<M, P> {
    /// The label of the move.
    pub mv: M,
    /// What each player earns by it; empty where the game is not counted.
    pub gains: Vec<i64>,
    /// The option: the position after the move. It knows whose turn it is.
    pub option: P,
}

/// A finite game of perfect information written in Rust.
///
/// Equal positions must be interchangeable: the same mover, moves, gains and ends.
pub trait Game {
    /// A position, including whose turn it is.
    type Position: Clone + Eq + Hash;
    /// What a move is called.
    type Move: Clone;

    /// How many players take turns.
    fn players(&self) -> usize {
        2
    }

    /// Where play starts.
    fn start(&self) -> Self::Position;

    /// Whose turn it is.
    fn mover(&self, position: &Self::Position) -> Player;

    /// Whether the game is over here, and how. A position without moves must be over.
    fn end(&self, position: &Self::Position) -> Option<End>;

    /// Every move, in the order in which ties are to be broken.
    fn moves(&self, position: &Self::Position) -> Vec<Play<Self::Move, Self::Position>>;
}
