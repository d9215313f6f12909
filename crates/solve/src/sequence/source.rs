//! Where the values of a sequence come from.

use std::fmt;

use heaps::subtraction::{Nimbers, Outcomes, Subtraction};
use heaps::take_break::NimSequence;
use rules::bind::Bound;

use super::instances::Instances;
use shapes::heap::HeapGame;

use crate::methods::heap_game;

/// Where the values of a sequence come from. Heaps are numbered by the parameter itself: term `n` is heap `n`.
pub enum Source {
    /// A heap from which a move takes, and which it may break up.
    Take(Box<NimSequence>),
    /// A heap from which a move only takes.
    Shift(Box<Nimbers>),
    /// The same, where who takes the last stone loses: won or lost.
    Misere(Box<Subtraction>, Box<Outcomes>),
    /// Any game: each instance is solved by itself.
    Instances(Box<Instances>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Take(_) => "Take",
            Source::Shift(_) => "Shift",
            Source::Misere(..) => "Misere",
            Source::Instances(_) => "Instances",
        })
    }
}

/// The heap game behind rules, if the instance in which parameter `parameter` is `n` is heap `n` of one game for every `n` up
/// to the one that `bound` has.
///
/// The conditions that the rules put on an instance are not looked at: some `n` may be refused.
pub fn heap_source(bound: &Bound, parameter: usize) -> Option<Source> {
    match heap_game(bound, parameter).ok()? {
        (HeapGame::Shift(game), false) => Nimbers::new(&game).ok().map(|nimbers| Source::Shift(Box::new(nimbers))),
        (HeapGame::Shift(game), true) => {
            let outcomes = Outcomes::new(&game);
            Some(Source::Misere(Box::new(game), Box::new(outcomes)))
        }
        (HeapGame::Break(game), false) => NimSequence::new(game).ok().map(|heaps| Source::Take(Box::new(heaps))),
        (HeapGame::Break(_), true) => None,
    }
}
