//! Differences of two games: a player moves in the first as there, or in the second as the other player would.

use crate::forms::Side;
use crate::graph::Graph;

/// A difference of two games, in which one player must always have an answer.
#[derive(Clone, Copy)]
pub struct Duel<'g> {
    /// The first game, and where it begins.
    pub first: (&'g Graph, u32),
    /// The second game, in which the players are exchanged, and where it begins.
    pub second: (&'g Graph, u32),
    /// Who answers.
    pub answering: Side,
    /// Whether play may not stay in the second game for ever.
    pub steady: bool,
}

/// A pair of positions, of the first game and of the second.
pub type Pair = (u32, u32);

/// A move in a duel: where it leads, and whether it was made in the first game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The pair after it.
    pub to: Pair,
    /// Whether it was made in the first game.
    pub in_first: bool,
}

impl Duel<'_> {
    /// The moves of a player in a pair of positions.
    pub fn moves(&self, (one, other): Pair, side: Side) -> impl Iterator<Item = Step> + use<'_> {
        let first = self.first.0.options(one, side).iter();
        let second = self.second.0.options(other, side.other()).iter();
        first
            .map(move |option| Step { to: (*option, other), in_first: true })
            .chain(second.map(move |option| Step { to: (one, *option), in_first: false }))
    }
}
