//! The values of the games of a sum, all in one arena.

use std::cell::{OnceCell, RefCell};

use values::search::SumSearch;

use super::rounds::Rounds;
use crate::answer::game_forms::GameForms;
use crate::part_values::SharedArena;

/// The values of the games of a sum.
pub(super) struct Theory<'b> {
    /// Where they are.
    pub arena: SharedArena,
    /// Who wins sums of them.
    pub search: RefCell<SumSearch>,
    /// One for each game whose moves belong to players.
    pub sources: RefCell<Vec<Option<GameForms<'b>>>>,
    /// All positions of the sum, where they repeat and are few. Empty until they are asked for.
    pub rounds: OnceCell<Option<Rounds>>,
}
