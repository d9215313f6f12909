//! The template: a game is positions, moves, gains and ends.

use std::hash::Hash;

use crate::{Outcome, Player};

/// How play ends in a position where the game is over, seen by the player to move there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Won, lost or drawn by the player to move.
    Outcome(Outcome),
    /// Further gains, one for each player from player 0 on, in a game with scores.
    Gains(Vec<i64>),
}

/// One move as it is played out: its label, its gains, and its option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play<M, P> {
    /// The label of the move.
    pub mv: M,
    /// What each player gains by it; empty in a game without scores.
    pub gains: Vec<i64>,
    /// The option: the position after the move. It knows whose turn it is.
    pub option: P,
}

/// A finite game of perfect information written in Rust.
///
/// Equal positions must be interchangeable: equal mover, moves, gains and ends.
pub trait Game {
    /// A position, including whose turn it is.
    type Position: Clone + Eq + Hash;
    /// The label of a move.
    type Move: Clone;

    /// How many players take turns.
    fn players(&self) -> usize {
        2
    }

    /// Where play starts.
    fn start(&self) -> Self::Position;

    /// Whose turn it is.
    fn mover(&self, position: &Self::Position) -> Player;

    /// The result if the game is over here. A position without moves must be over.
    fn end(&self, position: &Self::Position) -> Option<End>;

    /// Every move, in the order in which ties are broken.
    fn moves(&self, position: &Self::Position) -> Vec<Play<Self::Move, Self::Position>>;
}
