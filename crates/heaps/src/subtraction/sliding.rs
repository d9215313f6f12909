//! Nim-values of long ranges and of unbounded moves, heap by heap.
//!
//! From heap n to heap n + 1 each range of options gains a heap at its top and loses one at its bottom. So it suffices
//! to count how often each value occurs among the options, and to find the least value that does not: a few steps for
//! each range, however long it is.
//!
//! # Values that grow
//!
//! Let some move take any number from a on. All values that occur up to heap k are 0 to P(k), without gaps, since a mex
//! of some earlier values is at most the least value that did not occur yet. So beyond all guards, with no floor, heap n
//! has the least value above P(n − a) that no other option has, and other options lie above n − a (the rest are counted
//! already). Hence if the a − 1 values before heap k + p are those before heap k plus q, and P(k + p − a) is P(k − a) + q,
//! then by induction g(n + p) = g(n) + q for all later n, and for the a − 1 heaps before. With a floor f the same holds
//! once the heaps from f to k − a have all values 0 to P(k − a).

use super::SubtractionError;
use super::game::Subtraction;
use super::trail::{Shape, Trail};
use crate::Period;

/// Heaps are valued in 32 bits.
const MOST: u64 = 1 << 32;

/// Nim-values that grow.
#[derive(Clone, Debug)]
pub(super) struct Sliding {
    game: Subtraction,
    values: Vec<u32>,
    /// The largest value up to each heap; only if moves are unbounded.
    peaks: Vec<u32>,
    /// The half-open range of counted options of each kind of move.
    ranges: Vec<(u64, u64)>,
    counts: Counts,
    growth: Option<Growth>,
    trail: Option<Trail>,
    pub period: Option<Period>,
    max: u32,
}

/// The least number that an unbounded move takes, and its floor.
#[derive(Clone, Copy, Debug)]
struct Growth {
    least: u64,
    floor: u64,
}

impl Sliding {
    pub fn new(game: &Subtraction) -> Sliding {
        let unbounded = || game.takes().iter().filter(|take| take.most.is_none());
        let growth =
            unbounded().min_by_key(|take| take.least).map(|take| Growth { least: take.least, floor: take.floor });
        let trail = match growth {
            None => Some(Trail::new(game.reach(), game.pure_from().saturating_sub(game.reach()))),
            // Moves with a lower floor would see more than the window shows.
            Some(growth) if unbounded().any(|take| take.floor < growth.floor) => None,
            Some(growth) => {
                // A bounded move that goes back further than `least` sees values that are already counted, unless a
                // floor hides them.
                let from = game.pure_from().saturating_add(growth.least).saturating_add(growth.floor);
                Some(Trail::new(growth.least - 1, from))
            }
        };
        Sliding {
            game: game.clone(),
            values: Vec::new(),
            peaks: Vec::new(),
            ranges: vec![(0, 0); game.takes().len()],
            counts: Counts::default(),
            growth,
            trail,
            period: None,
            max: 0,
        }
    }

    /// Continues from saved values.
    pub fn resume(game: &Subtraction, saved: &[u32]) -> Result<Sliding, SubtractionError> {
        let mut sliding = Sliding::new(game);
        // No value exceeds the number of smaller heaps.
        if saved.iter().enumerate().any(|(n, &value)| value as usize > n) {
            return Err(SubtractionError::Saved);
        }
        let failed = |_| SubtractionError::Memory { bytes: 4 * saved.len() as u64 };
        sliding.values.try_reserve(saved.len()).map_err(failed)?;
        sliding.values.extend_from_slice(saved);
        if sliding.growth.is_some() {
            sliding.peaks.try_reserve(saved.len()).map_err(failed)?;
        }
        for &value in saved {
            sliding.max = sliding.max.max(value);
            if sliding.growth.is_some() {
                sliding.peaks.push(sliding.max);
            }
        }
        let Some(last) = sliding.len().checked_sub(1) else { return Ok(sliding) };
        for (take, range) in game.takes().iter().zip(&mut sliding.ranges) {
            let Some((low, high)) = take.options(last) else { continue };
            *range = (low, high + 1);
            saved[low as usize..=high as usize].iter().for_each(|&value| sliding.counts.add(value));
        }
        Ok(sliding)
    }

    /// All values computed.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Values all heaps below `upto`, unless a period is proved before.
    pub fn extend(&mut self, upto: u64) -> Result<(), SubtractionError> {
        if upto > MOST {
            return Err(SubtractionError::TooLarge { number: upto, limit: MOST });
        }
        while self.len() < upto && self.period.is_none() {
            let piece = (self.len() / 4).clamp(64, 1 << 16).min(upto - self.len());
            let bytes = 4 * (self.len() + piece);
            let failed = |_| SubtractionError::Memory { bytes };
            self.values.try_reserve(piece as usize).map_err(failed)?;
            if self.growth.is_some() {
                self.peaks.try_reserve(piece as usize).map_err(failed)?;
            }
            for n in self.len()..self.len() + piece {
                self.step(n);
            }
            if let Some(mut trail) = self.trail.take() {
                self.period = trail.advance(self, self.len());
                self.trail = Some(trail);
            }
        }
        Ok(())
    }

    fn step(&mut self, n: u64) {
        for (take, range) in self.game.takes().iter().zip(&mut self.ranges) {
            let Some((low, high)) = take.options(n) else { continue };
            while range.0 < low.min(range.1) {
                self.counts.remove(self.values[range.0 as usize]);
                range.0 += 1;
            }
            if range.1 < low {
                *range = (low, low);
            }
            while range.1 <= high {
                self.counts.add(self.values[range.1 as usize]);
                range.1 += 1;
            }
        }
        let value = self.counts.mex();
        self.max = self.max.max(value);
        self.values.push(value);
        if self.growth.is_some() {
            self.peaks.push(self.max);
        }
    }

    pub fn len(&self) -> u64 {
        self.values.len() as u64
    }

    /// The value of a heap that was computed.
    pub fn value_at(&self, n: u64) -> u64 {
        u64::from(self.values[n as usize])
    }

    pub fn max(&self) -> u64 {
        u64::from(self.max)
    }

    pub fn bytes(&self) -> u64 {
        4 * (self.values.capacity() + self.peaks.capacity()) as u64 + self.counts.bytes()
    }

    /// The least heap with a value from `from` to before `to`, of those computed.
    pub fn next(&self, from: u64, to: u64, value: u64) -> Option<u64> {
        let value = u32::try_from(value).ok()?;
        let to = to.min(self.len()) as usize;
        let range = self.values.get(from as usize..to)?;
        range.iter().position(|&found| found == value).map(|place| from + place as u64)
    }
}

impl Shape for Sliding {
    fn value(&self, n: u64) -> i64 {
        i64::from(self.values[n as usize])
    }

    fn anchor(&self, end: u64) -> i64 {
        self.growth.map_or(0, |growth| i64::from(self.peaks[(end - growth.least) as usize]))
    }

    fn is_sound(&self, end: u64) -> bool {
        let Some(growth) = self.growth else { return true };
        if growth.floor == 0 {
            return true;
        }
        let last = (end - growth.least) as usize;
        let mut occurs = vec![false; self.peaks[last] as usize + 1];
        for &value in &self.values[growth.floor as usize..=last] {
            occurs[value as usize] = true;
        }
        occurs.into_iter().all(|occurs| occurs)
    }

    fn allows(&self, saltus: i64) -> bool {
        if self.growth.is_some() { saltus >= 0 } else { saltus == 0 }
    }
}

/// How often each value occurs among the options, with a quick way to the least that does not.
#[derive(Clone, Debug, Default)]
struct Counts {
    counts: Vec<u32>,
    /// Bit v of the first row: value v occurs. Bit w of the next row: word w of the row before is full; and so on.
    rows: Vec<Vec<u64>>,
}

impl Counts {
    fn add(&mut self, value: u32) {
        let value = value as usize;
        if value >= self.counts.len() {
            self.counts.resize(value + 1, 0);
        }
        self.counts[value] += 1;
        if self.counts[value] > 1 {
            return;
        }
        let mut place = value;
        for level in 0.. {
            if level == self.rows.len() {
                self.rows.push(Vec::new());
            }
            let row = &mut self.rows[level];
            if place / 64 >= row.len() {
                row.resize(place / 64 + 1, 0);
            }
            row[place / 64] |= 1 << (place % 64);
            if row[place / 64] != !0 {
                return;
            }
            place /= 64;
        }
    }

    fn remove(&mut self, value: u32) {
        let value = value as usize;
        self.counts[value] -= 1;
        if self.counts[value] > 0 {
            return;
        }
        let mut place = value;
        for row in &mut self.rows {
            let Some(word) = row.get_mut(place / 64) else { return };
            let full = *word == !0;
            *word &= !(1 << (place % 64));
            if !full {
                return;
            }
            place /= 64;
        }
    }

    fn mex(&self) -> u32 {
        let mut place = 0;
        for row in self.rows.iter().rev() {
            place = place * 64 + row.get(place).map_or(0, |word| word.trailing_ones() as usize);
        }
        place as u32
    }

    fn bytes(&self) -> u64 {
        4 * self.counts.capacity() as u64 + self.rows.iter().map(|row| 8 * row.capacity() as u64).sum::<u64>()
    }
}
