//! The values of the games of a sum, all in one arena.

use std::cell::{OnceCell, RefCell};

use values::search::SumSearch;

use super::rounds::Rounds;
use crate::answer::repeating::Repeating;
use crate::game_valuer::GameValuer;
use crate::part_values::SharedArena;

/// The values of the games of a sum.
pub(super) struct Theory<'b> {
    /// Where they are.
    pub arena: SharedArena,
    /// Who wins sums of them.
    pub search: RefCell<SumSearch>,
    /// One for each game whose moves belong to players.
    pub sources: RefCell<Vec<Option<Source<'b>>>>,
    /// All positions of the sum, where they repeat and are few. Empty until they are asked for.
    pub rounds: OnceCell<Option<Rounds>>,
}

/// Where the values of a game come from.
pub(super) enum Source<'b> {
    /// Play always ends.
    Forms(Box<GameValuer<'b>>),
    /// Positions may repeat.
    Loops(Box<Repeating<'b>>),
}

impl Source<'_> {
    /// How many parts were valued.
    pub fn met(&self) -> u64 {
        match self {
            Source::Forms(valuer) => valuer.met(),
            Source::Loops(loops) => loops.met(),
        }
    }
}
