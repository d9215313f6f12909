//! How a [`Table`] is filled, column by column from the largest bound to the least.
//!
//! The key of (i, m) is `arrive(i) + leave(i)` minus the best key ahead, which is one of two. For up to m items the target
//! stays in the column: a window of fixed width that slides with i, done as in [`super::maxima::Blocks`]. For more items it
//! is in a later column, see [`super::cross`].

use std::ops::Range;

use super::cross::{Cross, front_columns};
use super::gains::room_for;
use super::layout::Layout;
use super::maxima::suffix_maxima;
use super::table::{Cell, CellWidth, Filled, Table};
use super::{AheadError, Gains};
use crate::pace::Pace;

/// How many bytes filling a table with cells of a width allocates, if it keeps these bounds: those that stay and those that are
/// freed.
pub(super) fn bytes(layout: &Layout, limits: &[usize], cell: CellWidth, kept: &Range<usize>) -> u128 {
    let width = layout.width() as u128;
    let free = (layout.last - layout.free_from + 1) as u128;
    let (chunk, chunks) = front_columns(layout.widest);
    // The front and the back of the crossing, its answer, a column, its window, and the numbers of each index twice.
    let rest = (chunk + chunks + 6) as u128 * width;
    let cells = layout.peak(limits, kept);
    (cells + free + rest) * cell.bytes() + layout.bytes() + 48 * layout.bounds().len() as u128
}

impl<T: Cell> Table<T> {
    /// Computes the keys of some bounds, and on the way those of all larger ones, which are forgotten as soon as no move leads
    /// to them.
    pub(super) fn fill(
        layout: &Layout,
        gains: &Gains<'_>,
        limits: &[usize],
        kept: &Range<usize>,
        pace: &mut Pace<'_>,
    ) -> Result<Table<T>, AheadError> {
        let numbers = &Numbers::new(layout, gains)?;
        let mut table = Table { columns: vec![Vec::new(); layout.bounds().len()], free: Vec::new() };
        let mut last = layout.bounds().end;
        table.fill_free(layout, gains, numbers)?;
        let mut cross = Cross::new(layout)?;
        let mut best = room_for(T::LEAST, layout.width())?;
        let mut column = best.clone();
        let mut window = Vec::new();
        for bound in (kept.start..layout.bounds().end).rev() {
            let limit = limits[bound];
            let indices = layout.column(bound);
            let column = &mut column[..indices.len()];
            if limit == 0 {
                for (key, index) in column.iter_mut().zip(indices) {
                    *key = numbers.arrive[index - layout.start.0] - T::fitting(gains.stuck_at(index).into());
                }
            } else {
                let best = &mut best[..indices.len()];
                cross.largest(bound, limit, &Filled { layout, table: &table }, best, pace)?;
                window.clear();
                let beyond = indices.end - layout.free_from;
                window.extend(table.free[beyond..beyond + limit.min(bound)].iter().rev());
                let from = indices.start - layout.start.0;
                slide(&mut window, best, &numbers.sums[from..], column);
                numbers.check(from, column, layout)?;
            }
            let mut keys = Vec::new();
            let bytes = size_of_val(column) as u128;
            keys.try_reserve_exact(column.len()).map_err(|_| AheadError::Memory { bytes })?;
            keys.extend_from_slice(column);
            table.columns[bound - layout.start.1] = keys;
            if bound > layout.start.1 {
                cross.enter(bound, &Filled { layout, table: &table });
            }
            if bound > layout.start.1 {
                // The next column is read by moves that raise the bound to this at most.
                let needed = limits[bound - 1].max(bound - 1);
                while last > needed.saturating_add(1).max(bound) {
                    last -= 1;
                    if !kept.contains(&last) {
                        table.columns[last - layout.start.1] = Vec::new();
                    }
                }
            }
            pace.spend(4 * column.len())?;
        }
        Ok(table)
    }

    /// Computes the keys where play is free: the best key ahead is carried along.
    fn fill_free(&mut self, layout: &Layout, gains: &Gains<'_>, numbers: &Numbers<T>) -> Result<(), AheadError> {
        let count = layout.last - layout.free_from + 1;
        self.free = room_for(T::LEAST, count)?;
        let mut best = T::fitting(-i128::from(gains.stuck_at(layout.last)));
        self.free[count - 1] = best;
        let from = layout.free_from - layout.start.0;
        for (free, &sum) in self.free[..count - 1].iter_mut().zip(&numbers.sums[from..]).rev() {
            *free = sum - best;
            best = best.max(*free);
        }
        numbers.check(from, &self.free[..count - 1], layout)
    }
}

/// The numbers of the game relative to the last one, from the start to before the last index.
struct Numbers<T> {
    arrive: Vec<T>,
    /// `arrive + leave`.
    sums: Vec<T>,
}

impl<T: Cell> Numbers<T> {
    fn new(layout: &Layout, gains: &Gains<'_>) -> Result<Numbers<T>, AheadError> {
        let mut arrive = room_for(T::LEAST, layout.width())?;
        let mut sums = arrive.clone();
        let base = i128::from(gains.arrive[layout.last]);
        for (k, index) in (layout.start.0..layout.last).enumerate() {
            let relative = i128::from(gains.arrive[index]) - base;
            arrive[k] = T::fitting(relative);
            sums[k] = T::fitting(relative + i128::from(gains.leave_at(index)) - base);
        }
        Ok(Numbers { arrive, sums })
    }

    /// Checks that the values behind some keys fit, from the last one on.
    fn check(&self, from: usize, keys: &[T], layout: &Layout) -> Result<(), AheadError> {
        let mut pairs = self.arrive[from..].iter().zip(keys);
        match pairs.rposition(|(&arrive, &key)| !T::has_value(arrive, key)) {
            Some(place) => Err(AheadError::Overflow { index: layout.start.0 + from + place }),
            None => Ok(()),
        }
    }
}

/// Fills a column from its end: each key is its sum minus the largest of its `best` and the keys in the window ahead.
/// At first the window holds the keys beyond the end, the farthest first.
fn slide<T: Cell>(window: &mut [T], best: &[T], sums: &[T], column: &mut [T]) {
    if window.is_empty() {
        for ((key, &best), &sum) in column.iter_mut().zip(best).zip(sums) {
            *key = sum - best;
        }
        return;
    }
    let mut end = column.len();
    while end > 0 {
        suffix_maxima(window);
        let start = end.saturating_sub(window.len());
        let mut largest = T::LEAST;
        let rows = column[start..end].iter_mut().zip(&best[start..end]).zip(&sums[start..end]).rev();
        for (((key, &best), &sum), held) in rows.zip(window.iter_mut()) {
            // Only the last two steps wait for the key before.
            let ahead = largest.max(best.max(*held));
            *key = sum - ahead;
            *held = *key;
            largest = largest.max(*key);
        }
        end = start;
    }
}
