//! The best move that raises the bound, for a whole column at once.
//!
//! From (i, m), a move of x > m items leads to (i + x, x). For a fixed i these are the bounds x in (m, limit(m)]. As m
//! falls, that window slides down: it gains one bound and drops some. This is the same for the columns of all bounds,
//! so the window is a queue of whole columns, each shifted by its bound, and its maximum is a column.
//!
//! A queue that knows its maximum is two stacks. The *back* has the bounds (m, seam] that came in since they met, as
//! one maximum. The *front* has the bounds above the seam, and for each of them the maximum from the seam to it. When
//! the front is used up, the back becomes the front. Every column is read a fixed number of times, and always as a
//! whole, side by side with another: this suits vector units.
//!
//! The front could be as large as half of the table. So it keeps only some of its maxima, at regular distances, and
//! computes those between them again when they are needed: two square roots of its columns are enough.

use super::AheadError;
use super::gains::room_for;
use super::layout::Layout;
use super::table::{Cell, Filled};
use crate::pace::Pace;

/// How many columns [`Cross`] keeps in its front, for the widest window.
pub(super) fn front_columns(widest: usize) -> (usize, usize) {
    let chunk = widest.isqrt().max(1);
    (chunk, widest.div_ceil(chunk))
}

/// The windows of bounds above the current one.
pub(super) struct Cross<T> {
    width: usize,
    /// The front has the bounds above this one up to `top`; it is empty if they are equal.
    seam: usize,
    top: usize,
    /// The bounds above the seam are cut in chunks of this length.
    chunk: usize,
    /// The maxima from the seam to before each chunk.
    marks: Vec<T>,
    /// The maxima from the seam to each bound of one chunk.
    fine: Vec<T>,
    /// The first bound of the chunk in `fine`.
    opened: Option<usize>,
    /// The maximum of the bounds up to the seam.
    back: Vec<T>,
}

impl<T: Cell> Cross<T> {
    pub(super) fn new(layout: &Layout) -> Result<Cross<T>, AheadError> {
        let width = layout.width();
        let (chunk, chunks) = front_columns(layout.widest);
        let room = |columns: usize| {
            let bytes = columns as u128 * width as u128 * size_of::<T>() as u128;
            room_for(T::LEAST, columns.checked_mul(width).ok_or(AheadError::Memory { bytes })?)
        };
        Ok(Cross {
            width,
            seam: 0,
            top: 0,
            chunk,
            marks: room(chunks)?,
            fine: room(chunk)?,
            opened: None,
            back: room(1)?,
        })
    }

    /// Writes the best key of a raised bound, for the indices of the column of `bound`, to `best`. Bounds must be asked
    /// for from the last to the first.
    pub(super) fn largest(
        &mut self,
        bound: usize,
        limit: usize,
        filled: &Filled<'_, T>,
        best: &mut [T],
        pace: &mut Pace<'_>,
    ) -> Result<(), AheadError> {
        if limit <= bound {
            best.fill(T::LEAST);
            return Ok(());
        }
        if self.seam == self.top || limit <= self.seam {
            self.turn(bound, limit, filled, pace)?;
        }
        let place = limit - self.seam - 1;
        let opening = self.seam + 1 + place / self.chunk * self.chunk;
        if self.opened != Some(opening) {
            self.open(opening, limit, filled, pace)?;
        }
        let column = filled.layout.column(bound);
        let from = column.start - filled.layout.start.0;
        let front = &self.fine[place % self.chunk * self.width + from..][..best.len()];
        for ((best, &front), &back) in best.iter_mut().zip(front).zip(&self.back[from..]) {
            *best = front.max(back);
        }
        Ok(())
    }

    /// Adds a bound whose column is done.
    pub(super) fn enter(&mut self, bound: usize, filled: &Filled<'_, T>) {
        filled.raise(&mut self.back, bound);
    }

    /// The back becomes the front.
    fn turn(
        &mut self,
        bound: usize,
        limit: usize,
        filled: &Filled<'_, T>,
        pace: &mut Pace<'_>,
    ) -> Result<(), AheadError> {
        (self.seam, self.top, self.opened) = (bound, limit, None);
        self.back.fill(T::LEAST);
        let width = self.width;
        self.marks[..width].fill(T::LEAST);
        for mark in 1..(limit - bound).div_ceil(self.chunk) {
            let (before, after) = self.marks.split_at_mut(mark * width);
            let here = &mut after[..width];
            here.copy_from_slice(&before[(mark - 1) * width..]);
            for raised in bound + 1 + (mark - 1) * self.chunk..=bound + mark * self.chunk {
                filled.raise(here, raised);
                pace.spend(width)?;
            }
        }
        Ok(())
    }

    /// Computes the maxima of a chunk, as far as they are still needed.
    fn open(
        &mut self,
        opening: usize,
        limit: usize,
        filled: &Filled<'_, T>,
        pace: &mut Pace<'_>,
    ) -> Result<(), AheadError> {
        self.opened = Some(opening);
        let width = self.width;
        let mark = (opening - self.seam - 1) / self.chunk;
        let mut before = &self.marks[mark * width..][..width];
        let mut rest = &mut self.fine[..];
        for raised in opening..=limit {
            let (here, others) = rest.split_at_mut(width);
            let range = filled.range(raised);
            here[range.clone()].copy_from_slice(&before[range]);
            filled.raise(here, raised);
            pace.spend(width)?;
            (before, rest) = (here, others);
        }
        Ok(())
    }
}
