//! The first step of an analysis: what follows from the ends of play alone.
//!
//! While the options of a position are looked at one after the other anyhow, those that are ends are taken into account. A
//! position with a won option is won in one move, and its moves are never asked for again; options that are lost for the mover
//! are counted out. What is left are moves between positions that are not settled, often a fraction of all.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use game::codes::Options;

use crate::codes::discovery::expand;
use crate::codes::ranks::Ranks;
use crate::codes::records::{Rank, each_move};
use crate::codes::source::Codes;
use crate::error::Error;
use crate::outcome_cell::Ordered;
use crate::retrograde::{CodeSet, Moves, SAME, marked};
use crate::segmented::List;

type Cell = Ordered<32>;

/// Takes the first step for one position after the other.
pub(crate) struct FirstLevel<'a> {
    pub ranks: &'a Ranks,
    pub cells: &'a [AtomicU32],
    /// The won and lost ends: a map of one bit each stays in the cache where the cells do not.
    pub over: &'a CodeSet,
    /// The positions that are won or lost in one move.
    pub settled: List,
}

impl FirstLevel<'_> {
    /// Whether an option that is an end is lost for who moves to it; `None` if it is no end.
    #[inline(always)]
    fn loses(&self, option: u32) -> Option<bool> {
        // Other threads may settle positions meanwhile: only ends count here.
        if !self.over.has(option & !SAME) {
            return None;
        }
        let won = u64::from(self.cells[(option & !SAME) as usize].load(Relaxed)) == Cell::end(1);
        Some(won != (option & SAME != 0))
    }
}

impl Rank for FirstLevel<'_> {
    #[inline(always)]
    fn keep(&mut self, rank: u32, options: &mut [u32]) -> Result<usize, Error> {
        let (mut kept, mut wins) = (0, false);
        for place in 0..options.len() {
            let option = options[place];
            match self.loses(option) {
                Some(lost) => wins |= !lost,
                None => {
                    if kept < place {
                        options[kept] = option;
                    }
                    kept += 1;
                }
            }
        }
        let cell = match (wins, kept) {
            (true, _) => Cell::end(1) - 1,
            (false, 0) => Cell::end(-1) + 1,
            (false, kept) => kept as u64,
        };
        self.cells[rank as usize].store(cell as u32, Relaxed);
        if Cell::is_settled(cell) {
            self.settled.push(rank)?;
            return Ok(0);
        }
        Ok(kept)
    }

    #[inline(always)]
    fn rank(&self, code: u32) -> u32 {
        self.ranks.of(code)
    }
}

/// Moves that are kept as records of ranks, a block at a time.
pub(crate) struct Kept<'a> {
    pub blocks: &'a [Vec<u32>],
    pub count: u64,
}

/// To turn moves round takes about as long as to look through them so often.
const LOOKS: u64 = 6;

impl Moves for Kept<'_> {
    fn chunks(&self) -> usize {
        self.blocks.len()
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn patience(&self) -> u64 {
        LOOKS
    }

    #[inline(always)]
    fn each<O, V>(&self, chunk: usize, open: &O, visit: &mut V) -> Result<(), Error>
    where
        O: Fn(u32) -> bool,
        V: FnMut(u32, u32) -> Result<(), Error>,
    {
        each_move(&self.blocks[chunk], open, visit)
    }
}

/// Moves that are found again whenever they are asked for.
pub(crate) struct Expanding<'a, 'g> {
    pub codes: &'a Codes<'g>,
    pub ranks: &'a Ranks,
    pub count: u64,
}

/// Words of the map of codes that are handed out at a time.
pub(crate) const WORDS: usize = 1 << 6;

impl Expanding<'_, '_> {
    /// Calls `visit` with the rank of each open position of a chunk, and its options: ranks, marked if the same player moves on.
    pub fn positions<O, V>(&self, chunk: usize, open: &O, visit: &mut V) -> Result<(), Error>
    where
        O: Fn(u32) -> bool,
        V: FnMut(u32, &mut [u32]) -> Result<(), Error>,
    {
        let (mut options, mut ranked) = (Options::default(), Vec::new());
        for (rank, code) in self.ranks.entries(chunk * WORDS..(chunk + 1) * WORDS) {
            if !open(rank) || !expand(self.codes, self.ranks.size(), code as u32, &mut options)? {
                continue;
            }
            ranked.clear();
            let moves = options.codes.iter().zip(&options.same);
            ranked.extend(moves.map(|(&option, &same)| self.ranks.of(option as u32) | marked(same != 0)));
            visit(rank, &mut ranked)?;
        }
        Ok(())
    }
}

impl Moves for Expanding<'_, '_> {
    fn chunks(&self) -> usize {
        self.ranks.words().div_ceil(WORDS)
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn is_stable(&self) -> bool {
        true
    }

    /// They cost more than to turn them round: that is tried at once.
    fn patience(&self) -> u64 {
        0
    }

    fn each<O, V>(&self, chunk: usize, open: &O, visit: &mut V) -> Result<(), Error>
    where
        O: Fn(u32) -> bool,
        V: FnMut(u32, u32) -> Result<(), Error>,
    {
        self.positions(chunk, open, &mut |rank, options| {
            options.iter().try_for_each(|&option| visit(rank | (option & SAME), option & !SAME))
        })
    }
}
