//! The moves of a game as they were found, from each position to its options.
//!
//! An analysis asks for the moves that lead to a position, which is the other way round. Where few positions are decided it
//! costs less to look through all moves once a level than to turn them round; where memory is short, it is all that can be
//! done.

use crate::error::Error;

/// All moves of a game, in chunks that threads can look through at once.
pub(crate) trait Moves: Sync {
    /// How many chunks there are.
    fn chunks(&self) -> usize;

    /// How many moves there are, about.
    fn count(&self) -> u64;

    /// How often all of them may be looked through before it is tried to turn them round.
    fn patience(&self) -> u64;

    /// Whether chunks are the same in every run, so that a later one can go on in the middle of a look.
    fn is_stable(&self) -> bool {
        false
    }

    /// Calls `visit` with each move of a chunk whose position is open: where it comes from, marked if the same player moves
    /// on, and where it leads.
    fn each<O, V>(&self, chunk: usize, open: &O, visit: &mut V) -> Result<(), Error>
    where
        O: Fn(u32) -> bool,
        V: FnMut(u32, u32) -> Result<(), Error>;
}

/// No moves, where all of them were turned round before.
pub(crate) struct NoMoves;

impl Moves for NoMoves {
    fn chunks(&self) -> usize {
        0
    }

    fn count(&self) -> u64 {
        0
    }

    fn patience(&self) -> u64 {
        0
    }

    fn each<O, V>(&self, _: usize, _: &O, _: &mut V) -> Result<(), Error>
    where
        O: Fn(u32) -> bool,
        V: FnMut(u32, u32) -> Result<(), Error>,
    {
        Ok(())
    }
}
