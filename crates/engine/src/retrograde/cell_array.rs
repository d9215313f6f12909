//! The cells of an analysis: one array, or one that grows in segments.

use std::sync::atomic::AtomicU32;

use crate::hints::prefetch;
use crate::segmented::Segmented;

/// The cells of all positions, by number or rank. Threads share them.
pub(crate) trait CellArray: Sync {
    /// How many there are.
    fn len(&self) -> usize;
    /// The cell of a position.
    fn at(&self, position: usize) -> &AtomicU32;
    /// Calls `visit` with each cell in order.
    fn each(&mut self, visit: impl FnMut(usize, &mut u32));
    /// Asks for the cell of a position.
    fn prefetch(&self, position: usize);
}

impl CellArray for Vec<AtomicU32> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn at(&self, position: usize) -> &AtomicU32 {
        &self[position]
    }

    fn each(&mut self, mut visit: impl FnMut(usize, &mut u32)) {
        self.iter_mut().enumerate().for_each(|(position, cell)| visit(position, cell.get_mut()));
    }

    #[inline(always)]
    fn prefetch(&self, position: usize) {
        prefetch(self, position);
    }
}

impl CellArray for Segmented<AtomicU32> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn at(&self, position: usize) -> &AtomicU32 {
        self.at(position)
    }

    fn each(&mut self, mut visit: impl FnMut(usize, &mut u32)) {
        self.iter_mut().enumerate().for_each(|(position, cell)| visit(position, cell.get_mut()));
    }

    #[inline(always)]
    fn prefetch(&self, position: usize) {
        prefetch(std::slice::from_ref(self.at(position)), 0);
    }
}
