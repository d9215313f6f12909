//! A finished table with one cell for each position that was met, found by the rank of its code.

use crate::codes::cell::Cell;
use crate::codes::ranks::Ranks;
use crate::codes::store::Cells;

/// Cells by rank.
pub(crate) struct Ranked<C> {
    pub ranks: Ranks,
    pub cells: Vec<C>,
}

impl<C: Cell> Ranked<C> {
    fn entry(&self, (rank, code): (u32, u64)) -> (u64, u64) {
        (code, self.cells[rank as usize].wide())
    }
}

impl<C: Cell> Cells for Ranked<C> {
    fn cell(&self, code: u64) -> u64 {
        self.ranks.find(code).map_or(0, |rank| self.cells[rank as usize].wide())
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        Box::new(self.ranks.entries(0..usize::MAX).map(|entry| self.entry(entry)))
    }

    fn near(&self, random: u64, settled: &dyn Fn(u64) -> bool) -> Option<u64> {
        let rank = ((u128::from(random) * self.cells.len() as u128) >> 64) as u32;
        self.ranks.code(rank).filter(|_| settled(self.cells[rank as usize].wide()))
    }

    fn bytes(&self) -> u64 {
        self.ranks.bytes()
    }
}
