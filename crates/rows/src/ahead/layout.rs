//! Which pairs of an index and a bound need a cell.
//!
//! A pair (i, m) is an index and a bound; a move passes at most limit(m) items. There are n² pairs, and most are not
//! needed:
//!
//! - **Too early.** A bound above the first is the number of items of one move, and the moves before it had to raise
//!   the bound that far. Let first(m) be the least index at which bound m is possible. To make a move of m items, some
//!   bound below m must allow it, and the earliest is the least bound g(m) that does: first(m) = m + first(g(m)). Both
//!   g and first rise with m, so the possible bounds are all from the start's to some last one. If the limit is twice
//!   the bound, first(m) is about 2m.
//! - **Free.** If limit(m) ≥ n − i, any number of items may be passed, now and for ever, since limits do not fall. So
//!   the value is that of a game without bounds, and one list serves for all m.
//!
//! The remaining columns are first(m) ≤ i < n − limit(m): for twice the bound, n²/8 pairs.

use super::AheadError;
use super::gains::room_for;

/// The bounds that play can reach, and the indices at which each of them needs a cell.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The last index, n.
    pub(super) last: usize,
    /// The index and the bound of the start.
    pub(super) start: (usize, usize),
    /// The least index of each possible bound, from the start's bound on.
    first: Vec<usize>,
    /// The index at which each column ends, as far as there are columns.
    end: Vec<usize>,
    /// The least index at which play can be free of the bound.
    pub(super) free_from: usize,
    /// How many pairs need a cell.
    pub(super) cells: u128,
    /// The most bounds that a move can choose from when it raises the bound.
    pub(super) widest: usize,
}

impl Layout {
    /// The layout for checked limits: they do not fall, and there are enough of them.
    pub(super) fn new(last: usize, start: (usize, usize), limits: &[usize]) -> Result<Layout, AheadError> {
        let (index, bound) = start;
        let mut first = room_for(0, 0)?;
        first
            .try_reserve(last + 1 - index)
            .map_err(|_| AheadError::Memory { bytes: 8 * (last + 1 - index) as u128 })?;
        first.push(index);
        let mut least = bound;
        // All bounds up to one are possible, and then those that the next move can raise it to.
        for raised in bound + 1..=last.max(bound) {
            while least < raised && limits[least] < raised {
                least += 1;
            }
            let at = raised.saturating_add(first.get(least - bound).copied().unwrap_or(last));
            if least == raised || at > last {
                break;
            }
            first.push(at);
        }
        let mut layout = Layout { last, start, first, end: Vec::new(), free_from: last, cells: 0, widest: 0 };
        layout.lay_columns(limits);
        Ok(layout)
    }

    fn lay_columns(&mut self, limits: &[usize]) {
        let bound = self.start.1;
        for (k, &first) in self.first.iter().enumerate() {
            let limit = limits[bound + k];
            let end = self.last.saturating_sub(limit);
            self.free_from = self.free_from.min(first.max(end));
            if first < end {
                self.end.push(end);
                self.cells += (end - first) as u128;
                self.widest = self.widest.max(limit.saturating_sub(bound + k));
            }
        }
    }

    /// How many indices there are from the start to before the last.
    pub(super) fn width(&self) -> usize {
        self.last - self.start.0
    }

    /// The bounds of the columns.
    pub(super) fn bounds(&self) -> std::ops::Range<usize> {
        self.start.1..self.start.1 + self.end.len()
    }

    /// The indices of a column; none if the bound has no column.
    pub(super) fn column(&self, bound: usize) -> std::ops::Range<usize> {
        let end = bound.checked_sub(self.start.1).and_then(|k| Some((self.first.get(k)?, self.end.get(k)?)));
        end.map_or(0..0, |(&first, &end)| first..end)
    }

    /// The least index of a possible bound.
    pub(super) fn first(&self, bound: usize) -> usize {
        self.first[bound - self.start.1]
    }

    /// The most cells that are needed at a time, if the columns from the first of these bounds on are computed, and only
    /// these bounds are kept. A column is needed as long as a move can raise the bound to it.
    pub(super) fn peak(&self, limits: &[usize], kept: &std::ops::Range<usize>) -> u128 {
        let bounds = self.bounds();
        let mut before = Vec::with_capacity(bounds.len() + 1);
        before.push(0u128);
        for bound in bounds.clone() {
            before.push(before[bound - bounds.start] + self.column(bound).len() as u128);
        }
        let cells = |from: usize, to: usize| match from < to.min(bounds.end) {
            true => before[to.min(bounds.end) - bounds.start] - before[from - bounds.start],
            false => 0,
        };
        let alive = |bound: usize| {
            let needed = limits[bound].max(bound).min(bounds.end).saturating_add(1);
            cells(bound, needed) + cells(needed.max(bound), kept.end)
        };
        (kept.start..bounds.end).map(alive).max().unwrap_or(0)
    }

    /// The bytes of the layout itself.
    pub(super) fn bytes(&self) -> u128 {
        8 * (self.last - self.start.0 + 1 + self.end.len()) as u128
    }
}
