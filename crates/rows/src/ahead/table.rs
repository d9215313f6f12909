//! The values of all pairs that need a cell, column by column from the largest bound to the least.
//!
//! A cell holds a key: `arrive − value`, the worth of a move to the pair without the cost of leaving. The key of (i, m)
//! is `arrive(i) + leave(i)` minus the best key ahead, which is one of two. For up to m items the target stays in the
//! column: a window of fixed width that slides with i, done as in [`super::maxima::Blocks`]. For more items it is in a
//! later column, see [`super::cross`]. Beyond the end of a column play is free, and its keys are in one list.
//!
//! All numbers are relative to the last one, which changes no gain and keeps keys as small as the game is. The width of
//! a cell follows from a bound on all keys before anything is computed.

use std::ops::{Range, Sub};

use super::cross::{Cross, front_columns};
use super::gains::room_for;
use super::layout::Layout;
use super::maxima::suffix_maxima;
use super::{AheadError, Gains};
use crate::pace::Pace;

/// A number that holds keys.
pub(super) trait Cell: Copy + Ord + Sub<Output = Self> + Into<i128> {
    /// At most any key.
    const LEAST: Self;

    /// A number that is known to fit.
    fn fitting(number: i128) -> Self;

    /// Whether the value of such a pair fits in 64 bits.
    fn has_value(arrive: Self, key: Self) -> bool;
}

macro_rules! cell {
    ($($t:ty),*) => {$(
        impl Cell for $t {
            const LEAST: $t = <$t>::MIN;

            fn fitting(number: i128) -> $t {
                debug_assert!(<$t>::try_from(number).is_ok(), "the bound on all keys is wrong");
                number as $t
            }

            /// Values of a cell this narrow always fit.
            #[inline]
            fn has_value(_: $t, _: $t) -> bool {
                true
            }
        }
    )*};
}

cell!(i32, i64);

impl Cell for i128 {
    const LEAST: i128 = i128::MIN;

    fn fitting(number: i128) -> i128 {
        number
    }

    #[inline]
    fn has_value(arrive: i128, key: i128) -> bool {
        i64::try_from(arrive - key).is_ok()
    }
}

/// How many bytes a cell must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellWidth {
    Four,
    Eight,
    Sixteen,
}

impl CellWidth {
    /// The width that holds all keys from an index on.
    ///
    /// A gain is arrive(t) − arrive(i), at most the way that `arrive` goes up and down from i to t, plus arrive(i) −
    /// leave(i). So no value is larger than the whole way, all those differences and the largest number of `stuck`; nor
    /// is a number relative to the last one. A key is the difference of two of these, and it is computed from four of
    /// them.
    pub(super) fn for_keys(gains: &Gains<'_>, from: usize) -> CellWidth {
        let arrive = &gains.arrive[from..];
        let mut most = 0_u128;
        for pair in arrive.windows(2) {
            most += u128::from(pair[1].abs_diff(pair[0]));
        }
        for (k, arrive) in arrive.iter().enumerate() {
            most += u128::from(arrive.abs_diff(gains.leave_at(from + k)));
        }
        let stuck =
            gains.stuck.map_or(0, |stuck| stuck[from..].iter().map(|number| number.unsigned_abs()).max().unwrap_or(0));
        most += u128::from(stuck);
        if most < 1 << 29 {
            CellWidth::Four
        } else if most < 1 << 61 {
            CellWidth::Eight
        } else {
            CellWidth::Sixteen
        }
    }

    pub(super) fn bytes(self) -> u128 {
        match self {
            CellWidth::Four => 4,
            CellWidth::Eight => 8,
            CellWidth::Sixteen => 16,
        }
    }
}

/// How many bytes filling a table with cells of a width allocates: those that stay and those that are freed.
pub(super) fn bytes(layout: &Layout, cell: CellWidth) -> u128 {
    let width = layout.width() as u128;
    let free = (layout.last - layout.free_from + 1) as u128;
    let (chunk, chunks) = front_columns(layout.widest);
    // The front and the back of the crossing, its answer, a column, its window, and the numbers of each index twice.
    let rest = (chunk + chunks + 6) as u128 * width;
    (layout.cells + free + rest) * cell.bytes() + layout.bytes() + 8 * layout.bounds().len() as u128
}

/// The keys of all pairs that need a cell.
#[derive(Clone, Debug)]
pub(super) struct Table<T> {
    cells: Vec<T>,
    /// Where the column of each bound begins, from the start's bound on.
    offsets: Vec<usize>,
    /// The keys where play is free of the bound, from the least of these indices on.
    free: Vec<T>,
}

/// The filled part of a table.
pub(super) struct Filled<'t, T> {
    pub(super) layout: &'t Layout,
    table: &'t Table<T>,
}

impl<T: Cell> Filled<'_, T> {
    /// The indices from which a move may raise the bound to this one, counted from the start.
    pub(super) fn range(&self, raised: usize) -> Range<usize> {
        let start = self.layout.start.0;
        self.layout.first(raised) - raised - start..self.layout.last - raised - start
    }

    /// Raises each number to the key of the pair that a move to this bound leads to, if that is larger.
    pub(super) fn raise(&self, numbers: &mut [T], raised: usize) {
        let layout = self.layout;
        let numbers = &mut numbers[self.range(raised)];
        let first = layout.first(raised);
        let column = layout.column(raised);
        let (held, free) = numbers.split_at_mut(column.len().min(numbers.len()));
        if !held.is_empty() {
            let offset = self.table.offsets[raised - layout.start.1];
            raise(held, &self.table.cells[offset..]);
        }
        raise(free, &self.table.free[first + held.len() - layout.free_from..]);
    }
}

/// Raises each number to the corresponding other one.
fn raise<T: Cell>(numbers: &mut [T], others: &[T]) {
    for (number, &other) in numbers.iter_mut().zip(others) {
        *number = other.max(*number);
    }
}

impl<T: Cell> Table<T> {
    /// Computes all keys.
    pub(super) fn fill(
        layout: &Layout,
        gains: &Gains<'_>,
        limits: &[usize],
        pace: &mut Pace<'_>,
    ) -> Result<Table<T>, AheadError> {
        let numbers = &Numbers::new(layout, gains)?;
        let cells = usize::try_from(layout.cells);
        let mut table = Table { cells: Vec::new(), offsets: room_for(0, layout.bounds().len())?, free: Vec::new() };
        let asked = cells.map(|cells| table.cells.try_reserve_exact(cells));
        if !matches!(asked, Ok(Ok(()))) {
            return Err(AheadError::Memory { bytes: layout.cells.saturating_mul(size_of::<T>() as u128) });
        }
        table.fill_free(layout, gains, numbers)?;
        let mut cross = Cross::new(layout)?;
        let mut best = room_for(T::LEAST, layout.width())?;
        let mut column = best.clone();
        let mut window = Vec::new();
        for bound in layout.bounds().rev() {
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
            table.offsets[bound - layout.start.1] = table.cells.len();
            table.cells.extend_from_slice(column);
            if bound > layout.start.1 {
                cross.enter(bound, &Filled { layout, table: &table });
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

    /// The key of a pair, if known.
    pub(super) fn key(&self, layout: &Layout, limit: usize, index: usize, bound: usize) -> Option<i128> {
        if limit >= layout.last.checked_sub(index)? {
            return Some((*self.free.get(index.checked_sub(layout.free_from)?)?).into());
        }
        let column = layout.column(bound);
        if !column.contains(&index) {
            return None;
        }
        let offset = self.offsets.get(bound.checked_sub(layout.start.1)?)?;
        Some((*self.cells.get(offset + (index - column.start))?).into())
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
