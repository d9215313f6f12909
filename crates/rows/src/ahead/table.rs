//! The keys of all pairs that need a cell, by bound and index. `filling` computes them.
//!
//! A cell holds a key: `arrive − value`, the worth of a move to the pair without the cost of leaving. Beyond the end of a
//! column play is free, and its keys are in one list. All numbers are relative to the last one, which changes no gain and
//! keeps keys as small as the game is. The width of a cell follows from a bound on all keys before anything is computed.

use std::ops::{Range, Sub};

use super::Gains;
use super::layout::Layout;

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

/// The keys of all pairs that need a cell.
#[derive(Clone, Debug)]
pub(super) struct Table<T> {
    /// The column of each bound, from the start's bound on; empty where it is not kept.
    pub(super) columns: Vec<Vec<T>>,
    /// The keys where play is free of the bound, from the least of these indices on.
    pub(super) free: Vec<T>,
}

/// The filled part of a table.
pub(super) struct Filled<'t, T> {
    pub(super) layout: &'t Layout,
    pub(super) table: &'t Table<T>,
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
            raise(held, &self.table.columns[raised - layout.start.1]);
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
    /// The key of a pair, if it is kept.
    pub(super) fn key(&self, layout: &Layout, limit: usize, index: usize, bound: usize) -> Option<i128> {
        if limit >= layout.last.checked_sub(index)? {
            return Some((*self.free.get(index.checked_sub(layout.free_from)?)?).into());
        }
        let column = layout.column(bound);
        if !column.contains(&index) {
            return None;
        }
        let keys = self.columns.get(bound.checked_sub(layout.start.1)?)?;
        Some((*keys.get(index - column.start)?).into())
    }
}
