//! Counts by value: how many positions have each number of moves, each score, each nimber.

use std::collections::BTreeMap;

use engine::Error;
use engine::memory::{Lease, Memory};
use game::Outcome;

/// What one more value takes in a tally, about.
const ENTRY: u64 = 64;

/// How many positions are won, drawn and lost for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Won.
    pub won: u64,
    /// Drawn.
    pub drawn: u64,
    /// Lost.
    pub lost: u64,
}

impl Sides {
    /// Counts one more.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.won += 1,
            Outcome::Draw => self.drawn += 1,
            Outcome::Loss => self.lost += 1,
        }
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// How many positions have each value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram(pub BTreeMap<i64, u64>);

/// Some neighbouring values of a histogram, counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// The least value.
    pub from: i64,
    /// The greatest value.
    pub to: i64,
    /// How many positions have one of these values.
    pub count: u64,
}

impl Histogram {
    /// At most `most` bins with all values in order: each value by itself where they are few enough, else ranges of equal
    /// width. Bins without positions are left out.
    ///
    /// ```
    /// use solve::survey::{Bin, Histogram};
    ///
    /// let histogram = Histogram([(0, 5), (1, 2), (7, 1)].into());
    /// assert_eq!(histogram.bins(3)[2], Bin { from: 7, to: 7, count: 1 });
    /// assert_eq!(histogram.bins(2), [Bin { from: 0, to: 3, count: 7 }, Bin { from: 4, to: 7, count: 1 }]);
    /// ```
    pub fn bins(&self, most: usize) -> Vec<Bin> {
        let (Some((&low, _)), Some((&high, _))) = (self.0.first_key_value(), self.0.last_key_value()) else {
            return Vec::new();
        };
        if self.0.len() <= most {
            return self.0.iter().map(|(&value, &count)| Bin { from: value, to: value, count }).collect();
        }
        let (low, high) = (i128::from(low), i128::from(high));
        let width = ((high - low) / most.max(1) as i128) + 1;
        let mut bins: Vec<Bin> = Vec::new();
        for (&value, &count) in &self.0 {
            let from = low + (i128::from(value) - low) / width * width;
            // Both lie between the least and the greatest value.
            let (from, to) = (from as i64, (from + width - 1).min(high) as i64);
            match bins.last_mut() {
                Some(bin) if bin.from == from => bin.count += count,
                _ => bins.push(Bin { from, to, count }),
            }
        }
        bins
    }

    /// How many positions there are in all.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// The mean of the values; 0 where there are none.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.0.iter().map(|(&value, &count)| value as f64 * count as f64).sum();
        sum / (self.total().max(1) as f64)
    }
}

/// At most `most` bins of positions by the moves that are left, each with how they come out.
pub fn lengths(remoteness: &BTreeMap<u32, Sides>, most: usize) -> Vec<(Bin, Sides)> {
    let all = Histogram(remoteness.iter().map(|(&moves, sides)| (i64::from(moves), sides.total())).collect());
    let with_sides = |bin: Bin| {
        let mut sum = Sides::default();
        // A bin lies between two of the numbers of moves.
        for (_, sides) in remoteness.range(bin.from as u32..=bin.to as u32) {
            sum.won += sides.won;
            sum.drawn += sides.drawn;
            sum.lost += sides.lost;
        }
        (bin, sum)
    };
    all.bins(most).into_iter().map(with_sides).collect()
}

/// Counts by key, charged to a budget as new keys come up.
#[derive(Debug)]
pub(super) struct Tally<K> {
    pub counts: BTreeMap<K, u64>,
    lease: Lease,
    entry: u64,
}

impl<K: Ord> Tally<K> {
    /// No counts yet; each key holds so many bytes beyond its own size.
    pub fn new(memory: &Memory, beyond: usize) -> Tally<K> {
        let entry = ENTRY + (size_of::<K>() + beyond) as u64;
        Tally { counts: BTreeMap::new(), lease: memory.lease(), entry }
    }

    /// Counts one more of a key.
    pub fn add(&mut self, key: K) -> Result<(), Error> {
        match self.counts.get_mut(&key) {
            Some(count) => *count += 1,
            None => {
                self.lease.grow(self.entry)?;
                self.counts.insert(key, 1);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_everything_in_order() {
        let ends = Histogram([(i64::MIN, 1), (-1, 2), (0, 3), (1, 4), (i64::MAX, 5)].into());
        for most in 1..8 {
            let bins = ends.bins(most);
            assert!(bins.len() <= most && bins.iter().map(|bin| bin.count).sum::<u64>() == 15, "{bins:?}");
            assert!(bins.iter().all(|bin| bin.from <= bin.to) && bins.windows(2).all(|two| two[0].to < two[1].from));
        }
        assert!(Histogram::default().bins(5).is_empty());
        assert_eq!((ends.total(), Histogram([(2, 1), (4, 3)].into()).mean()), (15, 3.5));
    }

    #[test]
    fn tallies_are_charged() {
        let memory = Memory::new(1000);
        let mut tally = Tally::new(&memory, 0);
        assert!((0..1000).any(|key: i64| tally.add(key).is_err()));
        assert!(memory.used() <= 1000);
    }
}
