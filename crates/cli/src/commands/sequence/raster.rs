//! Values over their parameters on a grid of cells, for drawing.
//!
//! A million points have fewer places on a screen. Every point marks the cell that it is in, so that nothing is thinned
//! out that could be seen: extremes least of all.

use perfectplay::sequence::{Sequence, SequenceError, Summary};
use perfectplay::solving::Monitor;

/// A cell with a point in it.
pub const POINT: u8 = 1;
/// A cell with a rare value in it.
pub const RARE: u8 = 2;

/// What is drawn: the least and the greatest parameter and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub first: i64,
    pub last: i64,
    pub low: i64,
    pub high: i64,
}

impl Frame {
    /// The frame of the terms that are numbers, if there are any.
    pub fn of(sequence: &Sequence, monitor: &mut Monitor) -> Result<Option<Frame>, SequenceError> {
        let mut found: Option<(i64, i64)> = None;
        each(sequence, monitor, |_, value| {
            let (low, high) = found.unwrap_or((value, value));
            found = Some((low.min(value), high.max(value)));
        })?;
        let last = sequence.parameter(sequence.known().saturating_sub(1));
        Ok(found.map(|(low, high)| Frame { first: sequence.from(), last, low, high }))
    }

    /// How many different values there may be.
    pub fn values(&self) -> u64 {
        self.high.abs_diff(self.low).saturating_add(1)
    }

    /// How many parameters there are.
    pub fn parameters(&self) -> u64 {
        self.last.abs_diff(self.first).saturating_add(1)
    }
}

/// So many terms are looked at between two looks at the clock.
const CHUNK: u64 = 1 << 14;

/// Goes through the terms that are numbers, each with its parameter, as long as the monitor lets it.
fn each(sequence: &Sequence, monitor: &mut Monitor, mut see: impl FnMut(i64, i64)) -> Result<(), SequenceError> {
    for (index, term) in (0..).zip(sequence.terms()) {
        if index % CHUNK == 0 {
            sequence.look(index, monitor)?;
        }
        if let Some(value) = term.number() {
            see(sequence.parameter(index), value);
        }
    }
    Ok(())
}

/// A grid of marked cells; row 0 is the lowest.
pub struct Raster {
    pub columns: usize,
    pub rows: usize,
    cells: Vec<u8>,
}

impl Raster {
    /// The terms of a sequence on a grid of this size.
    pub fn draw(
        (sequence, monitor): (&Sequence, &mut Monitor),
        summary: &Summary,
        frame: Frame,
        columns: usize,
        rows: usize,
    ) -> Result<Raster, SequenceError> {
        let (columns, rows) = (columns.max(1), rows.max(1));
        let mut raster = Raster { columns, rows, cells: vec![0; columns * rows] };
        let mut rare = summary.rare.iter().flat_map(|rare| rare.at.iter().copied()).peekable();
        each(sequence, monitor, |at, value| {
            let is_rare = rare.next_if_eq(&at).is_some();
            let column = place(at, frame.first, frame.last, columns);
            let row = place(value, frame.low, frame.high, rows);
            raster.cells[column * rows + row] |= if is_rare { POINT | RARE } else { POINT };
        })?;
        Ok(raster)
    }

    /// The marks of a cell.
    pub fn at(&self, column: usize, row: usize) -> u8 {
        self.cells.get(column * self.rows + row).copied().unwrap_or(0)
    }
}

/// In which of `cells` cells between `low` and `high` a number is.
pub fn place(number: i64, low: i64, high: i64, cells: usize) -> usize {
    let (offset, length) = (u128::from(number.abs_diff(low)), u128::from(high.abs_diff(low)));
    let last = cells.saturating_sub(1) as u128;
    // The middle of the only cell, or the nearest cell.
    ((offset * last * 2 + length) / (length * 2).max(1)).min(last) as usize
}

/// Round numbers between two, at most about `most` of them, a step of 1, 2 or 5 times a power of ten apart.
pub fn ticks(low: i64, high: i64, most: u64) -> Vec<i64> {
    let (low, high) = (i128::from(low), i128::from(high));
    let wanted = ((high - low) / i128::from(most.max(1))).max(1);
    let mut step = 1i128;
    let factors = [2, 5, 10];
    let mut power = 1i128;
    while step < wanted {
        let next = factors.iter().map(|factor| power * factor).find(|&next| next > step);
        step = next.unwrap_or(power * 10);
        if step == power * 10 {
            power *= 10;
        }
    }
    let first = low.div_euclid(step) * step;
    let ticks = std::iter::successors(Some(first), |tick| Some(tick + step)).take_while(|&tick| tick <= high);
    ticks.filter(|&tick| tick >= low).filter_map(|tick| i64::try_from(tick).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_at_the_ends() {
        assert_eq!((place(5, 5, 9, 100), place(9, 5, 9, 100)), (0, 99));
        assert_eq!(place(7, 7, 7, 10), 0);
        assert_eq!(place(i64::MAX, i64::MIN, i64::MAX, 1000), 999);
        assert!((0..=50).all(|n| place(n, 0, 50, 51) == n as usize));
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
        assert_eq!(ticks(0, 999_999, 5), [0, 200_000, 400_000, 600_000, 800_000]);
        assert_eq!(ticks(-1, 1, 5), [-1, 0, 1]);
        assert_eq!(ticks(3, 3, 5), [3]);
        assert!(ticks(i64::MIN, i64::MAX, 5).len() <= 6);
    }
}
