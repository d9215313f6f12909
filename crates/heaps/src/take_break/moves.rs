//! The moves from a heap to a given value, for heaps of any size.
//!
//! Values of heaps beyond the table come from a proved period. Then the nim-sum of the parts `a` and `m − a` repeats in
//! `a` as well, so after a whole period of parts without a hit no larger part hits either.

use super::game::Split;
use super::sequence::NimSequence;

/// How many parts are examined before the search gives up.
const STEPS: u64 = 200_000_000;

/// A move: what is taken, and the heaps left in its place, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// Tokens taken.
    pub taken: u64,
    /// The heaps that are left.
    pub parts: Vec<u64>,
}

/// Moves, and whether these are all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// By tokens taken, then by parts.
    pub moves: Vec<Take>,
    /// Whether these are all.
    pub complete: bool,
}

/// A search in progress.
struct Search<'a> {
    sequence: &'a NimSequence,
    limit: usize,
    steps: u64,
    found: Moves,
}

/// Ends a search early: enough was found, too much was tried, or a value is not known.
struct Stop;

impl NimSequence {
    /// The first `limit` moves from a heap to positions of value `nimber`; `None` if the value of the heap is not known.
    ///
    /// ```
    /// use heaps::take_break::{NimSequence, TakeAndBreak};
    /// let kayles: TakeAndBreak = "0.77".parse().unwrap();
    /// let mut sequence = NimSequence::new(kayles).unwrap();
    /// sequence.extend(1000).unwrap();
    /// let win = sequence.moves_to(10u64.pow(18) + 1, 0, 1).unwrap();
    /// assert_eq!((win.moves[0].taken, &win.moves[0].parts[..]), (1, &[2, 10u64.pow(18) - 2][..]));
    /// ```
    pub fn moves_to(&self, heap: u64, nimber: u64, limit: usize) -> Option<Moves> {
        self.value(heap)?;
        let found = Moves { moves: Vec::new(), complete: false };
        let mut search = Search { sequence: self, limit, steps: STEPS, found };
        search.found.complete = search.all(heap, nimber).is_ok();
        Some(search.found)
    }
}

impl Search<'_> {
    fn all(&mut self, heap: u64, nimber: u64) -> Result<(), Stop> {
        let game = self.sequence.game();
        let most = game.most_taken().unwrap_or(heap).min(heap);
        for taken in 0..=most {
            self.step()?;
            let (digit, left) = (game.digit(taken), heap - taken);
            if digit.leaves(0) && left == 0 && nimber == 0 {
                self.push(taken, &[])?;
            }
            if digit.leaves(1) && left > 0 && self.value(left)? == nimber {
                self.push(taken, &[left])?;
            }
            if digit.leaves(2) {
                self.pairs(taken, None, left, nimber)?;
            }
            if digit.leaves(3) {
                self.triples(taken, left, nimber)?;
            }
        }
        Ok(())
    }

    /// Pairs with this sum whose first part is at least `smallest`, the third part.
    fn pairs(&mut self, taken: u64, smallest: Option<u64>, sum: u64, nimber: u64) -> Result<(), Stop> {
        let split = *self.sequence.game().split();
        let (start, round) = self.rhythm(&split);
        let within = split.within.map_or(0, |within| sum.saturating_sub(u64::from(within)).div_ceil(2));
        let first = u64::from(split.least).max(within).max(smallest.unwrap_or(0));
        let Some(twice) = sum.checked_sub(u64::from(split.apart)) else { return Ok(()) };
        let mut idle = 0;
        for part in first..=twice / 2 {
            self.step()?;
            let other = sum - part;
            // After the start, pairs repeat after a round, as long as both parts are after the start.
            idle = if part >= start && other >= start { idle + 1 } else { 0 };
            if idle > round {
                return Ok(());
            }
            if self.value(part)? ^ self.value(other)? != nimber {
                continue;
            }
            let parts = [smallest.unwrap_or(part), part, other];
            let parts = if smallest.is_some() { &parts[..] } else { &parts[1..] };
            idle = 0;
            if split.allows(parts) {
                self.push(taken, parts)?;
            }
        }
        Ok(())
    }

    fn triples(&mut self, taken: u64, sum: u64, nimber: u64) -> Result<(), Stop> {
        let least = u64::from(self.sequence.game().split().least);
        for part in least..=sum / 3 {
            self.step()?;
            let value = self.value(part)?;
            self.pairs(taken, Some(part), sum - part, nimber ^ value)?;
        }
        Ok(())
    }

    /// Where parts begin to repeat, and after how many.
    fn rhythm(&self, split: &Split) -> (u64, u64) {
        let Some(period) = self.sequence.proved() else { return (u64::MAX, u64::MAX) };
        let modulus = split.residues.map_or(1, |residues| u64::from(residues.modulus));
        (period.start, period.length.saturating_mul(modulus))
    }

    fn value(&self, heap: u64) -> Result<u64, Stop> {
        self.sequence.value(heap).ok_or(Stop)
    }

    fn step(&mut self) -> Result<(), Stop> {
        self.steps = self.steps.checked_sub(1).ok_or(Stop)?;
        Ok(())
    }

    fn push(&mut self, taken: u64, parts: &[u64]) -> Result<(), Stop> {
        if self.found.moves.len() >= self.limit {
            return Err(Stop);
        }
        self.found.moves.push(Take { taken, parts: parts.to_vec() });
        Ok(())
    }
}
