//! The canonical forms of the games of a sum, all in one arena.

use std::cell::RefCell;

use values::search::SumSearch;

use crate::appraise::SharedArena;
use crate::appraiser::Appraiser;

/// The canonical forms of the games of a sum.
pub(super) struct Theory<'b> {
    /// Where they are.
    pub arena: SharedArena,
    /// Who wins sums of them.
    pub search: RefCell<SumSearch>,
    /// One for each game whose moves belong to players.
    pub appraisers: RefCell<Vec<Option<Appraiser<'b>>>>,
}
