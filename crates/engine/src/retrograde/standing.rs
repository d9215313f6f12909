//! How far an analysis has come: what a snapshot of it holds beside the cells.
//!
//! Snapshots are made between two levels. Where moves are found again by expanding positions, a look through all of them may
//! take long, so there are snapshots in the middle of a level, too.

use std::io;

use crate::keeping::{Loader, Saver, Unloaded};
use crate::memory::Memory;
use crate::segmented::List;

/// The passes of an analysis, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pass {
    /// What follows from ends alone is looked for, chunk by chunk.
    FirstLevel,
    /// Wins and losses are carried back.
    Decided,
    /// Play without end is won: who can force a declared draw.
    ForcedDraws,
    /// How far declared draws are.
    Drawn,
}

const PASSES: [Pass; 4] = [Pass::FirstLevel, Pass::Decided, Pass::ForcedDraws, Pass::Drawn];

/// How far an analysis has come.
#[derive(Debug)]
pub(crate) struct Standing {
    pub pass: Pass,
    /// Levels carried back.
    pub moves: u64,
    /// Chunks of moves that were looked through for this level.
    pub chunk: usize,
    /// Whether it was tried to turn moves round, and there was no memory for it.
    pub is_short: bool,
    /// The positions of the level.
    pub level: List,
    /// Those of the next one, as far as they are known.
    pub next: List,
}

impl Standing {
    /// Reads what [`save`] wrote, for so many positions.
    pub fn load(loader: &mut Loader, positions: u64, memory: &Memory) -> Result<Standing, Unloaded> {
        let pass = PASSES[loader.below(PASSES.len() as u64)? as usize];
        let (moves, chunk, is_short) = (loader.number()?, loader.number()? as usize, loader.below(2)? == 1);
        let (mut level, mut next) = (List::in_segments(memory), List::in_segments(memory));
        loader.list(positions, &mut level)?;
        loader.list(positions, &mut next)?;
        Ok(Standing { pass, moves, chunk, is_short, level, next })
    }
}

/// Writes how far an analysis has come.
pub(crate) fn save<'l>(
    (pass, moves, chunk, is_short): (Pass, u64, usize, bool),
    level: impl Iterator<Item = &'l List> + Clone,
    next: impl Iterator<Item = &'l List> + Clone,
    to: &mut Saver,
) -> io::Result<()> {
    to.number(PASSES.iter().position(|known| *known == pass).unwrap_or(0) as u64)?;
    to.number(moves)?;
    to.number(chunk as u64)?;
    to.number(u64::from(is_short))?;
    to.lists(level)?;
    to.lists(next)
}
