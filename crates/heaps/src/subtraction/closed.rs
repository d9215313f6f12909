//! Moves of one range: answers in closed form.
//!
//! A move takes any number from a to b, of what lies above a floor f. Heaps below f + a have no move. Let n count the
//! stones above the floor and L = a + b.
//!
//! **Nim-values** are g(n) = ⌊(n mod L) / a⌋, or ⌊n / a⌋ where b is infinite. Proof by induction. Write n = L c + a v + i
//! with i < a and a v + i < L. The options are n − b to n − a (from 0 on, if c = 0). Counted from L c, they run from
//! a v + i − b to a v + i − a. Those from 0 on have the values 0 to v − 1, all of them, since they run down from
//! a (v − 1) + i to 0 or below 0 unless a v + i > b; in that case they run down to a v + i − b, which is below a, so
//! that 0 is still among them. Those below 0 lie in the period before, at places from a v + i + a up to L − 1, and have
//! values ⌊(a v + i + a) / a⌋ = v + 1 and more. So v is not among the values of the options and all smaller ones are.
//! If b is infinite there is no second part.
//!
//! **Misère**: heaps n < a are won, since they have no move. Lost are exactly those with n mod L from a to 2a − 1 (just
//! n from a to 2a − 1, if b is infinite). Proof: two such heaps differ by less than a or by more than L − a = b, so that
//! no move leads from one to another. Any other heap from 2a on lies, modulo L, from 2a to L + a − 1: take what leads to
//! the place from a to 2a − 1 below it, at a distance from a to b: from the place 2a + j, j < b, take a + j if j ≤ b − a,
//! and else take b, which leads to the place 2a + j − b, at least a + 1 and below 2a.

use super::game::Subtraction;
use crate::Period;

/// The only range, and the floor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closed {
    least: u64,
    /// The length of a period, least + most; `None` if there is no largest move.
    length: Option<u64>,
    floor: u64,
}

impl Closed {
    /// The closed form of a game whose moves are one range without a guard.
    pub fn of(game: &Subtraction) -> Option<Closed> {
        match game.takes() {
            [take] if take.guard == 0 => {
                Some(Closed { least: take.least, length: take.most.map(|most| most + take.least), floor: take.floor })
            }
            _ => None,
        }
    }

    /// The place of a heap above the floor, within the period.
    fn place(&self, n: u64) -> Option<u64> {
        let above = n.checked_sub(self.floor)?;
        Some(self.length.map_or(above, |length| above % length))
    }

    /// The nim-value under normal play.
    pub fn value(&self, n: u64) -> u64 {
        self.place(n).map_or(0, |place| place / self.least)
    }

    /// Whether the heap is lost.
    pub fn is_lost(&self, n: u64, misere: bool) -> bool {
        match self.place(n) {
            None => !misere,
            Some(place) => place / self.least == u64::from(misere),
        }
    }

    /// The period of the nim-values, least start and least length.
    pub fn value_period(&self) -> Period {
        match self.length {
            Some(length) => Period { start: self.floor, length, saltus: 0 },
            None => Period { start: self.floor, length: self.least, saltus: 1 },
        }
    }

    /// The period of the outcomes, least start and least length.
    pub fn outcome_period(&self, misere: bool) -> Period {
        match self.length {
            Some(length) => {
                // Heaps below the floor are won in misère play, as are the last places of a period.
                let won = if misere { length - 2 * self.least } else { 0 };
                Period { start: self.floor.saturating_sub(won), length, saltus: 0 }
            }
            None => {
                let start = self.floor.saturating_add(self.least * if misere { 2 } else { 1 });
                Period { start, length: 1, saltus: 0 }
            }
        }
    }

    /// The least heap of a closed range with a nim-value.
    pub fn next_value(&self, low: u64, high: u64, value: u64) -> Option<u64> {
        if value == 0 && low < self.floor {
            return Some(low);
        }
        self.next_block(low, high, value)
    }

    /// The least lost heap of a closed range.
    pub fn next_lost(&self, low: u64, high: u64, misere: bool) -> Option<u64> {
        if !misere && low < self.floor {
            return Some(low);
        }
        self.next_block(low, high, u64::from(misere))
    }

    /// The least heap above the floor whose place divided by the least move is `block`.
    fn next_block(&self, low: u64, high: u64, block: u64) -> Option<u64> {
        let low = low.max(self.floor);
        if low > high {
            return None;
        }
        if self.place(low)? / self.least == block {
            return Some(low);
        }
        let first = block.checked_mul(self.least)?;
        if self.length.is_some_and(|length| first >= length) {
            return None;
        }
        let above = low - self.floor;
        let round = self.length.map_or(0, |length| above - above % length);
        let mut found = first.checked_add(round)?;
        if found < above {
            found = found.checked_add(self.length?)?;
        }
        found.checked_add(self.floor).filter(|&found| found <= high)
    }
}
