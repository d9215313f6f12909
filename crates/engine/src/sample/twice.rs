//! How many positions there are at the least, from those that were met once and those that were met twice.
//!
//! Herds meet some positions far more often than others: where many moves end in a few positions, nearly all that two herds share
//! are these, and from what they share there seem to be few. Positions that were met once or twice tell of those that are
//! seldom met. If each herd meets each of N positions λ times on average, f1 = 2Nλ·e^(−2λ) of them are met once in all,
//! f11 = Nλ²·e^(−2λ) once by each herd, and f2 = 2Nλ²·e^(−2λ) twice by whomever. So N·e^(−2λ) = f1² / 4f11 = f1² / 2f2 are
//! not met at all. Where λ differs from position to position both are too few (A. Chao, 1987).
//!
//! Either may be too many for a reason of its own. A herd has a position once, so that it never meets an option twice that only one
//! move leads to: f2 is too small. The positions of a herd are related, and those of two herds less so: f11 is too small. The
//! smaller number is taken, and only where much of what both herds met was met again and again: else what they share tells more.

use crate::graph::{Edge, Id};
use crate::memory::{Lease, Memory};

/// So many positions must have been met by both herds once, else chance decides.
const ENOUGH: u64 = 20;
/// For so many of these there must be one that each herd met more than once. There were 2 of them on Fibonacci Nim and less than one on
/// Chomp; on boards where every move leaves a mark hundreds.
const OFTEN: u64 = 8;
/// Set where the herd has worked out the options of a position.
const EXPANDED: u8 = 0x80;
/// Times are counted up to this.
const MOST: u8 = 3;
/// Bytes for each position, and the share of the free memory that they may take.
const BYTES: usize = 6;
const SHARE: u64 = 16;

/// How often each position was met by either herd, on whatever level.
pub(super) struct Meetings {
    /// By number: times, from how many positions of a herd.
    times: Vec<[u8; 2]>,
    /// The position from which it was met last: two moves from there count once.
    from: Vec<Id>,
    /// `None` where there was no memory for this, and nothing is counted.
    lease: Option<Lease>,
}

impl Meetings {
    pub fn new(memory: &Memory) -> Meetings {
        Meetings { times: Vec::new(), from: Vec::new(), lease: Some(memory.lease()) }
    }

    /// Takes in the options of a position of one of the herds, where so many positions have numbers.
    pub fn count(&mut self, herd: usize, position: Id, options: &[Edge], numbered: usize) {
        let Some(lease) = &mut self.lease else { return };
        if self.times.len() < numbered {
            // Twice as many as now, so that this is rare.
            let room = numbered.max(2 * self.times.len());
            let bytes = (room * BYTES) as u64;
            if bytes > lease.memory().free() / SHARE || lease.resize(bytes).is_err() {
                (self.times, self.from, self.lease) = (Vec::new(), Vec::new(), None);
                return;
            }
            self.times.resize(room, [0; 2]);
            self.from.resize(room, Id::MAX);
        }
        let Some(own) = self.times.get_mut(position as usize) else { return };
        if own[herd] & EXPANDED != 0 {
            return;
        }
        own[herd] |= EXPANDED;
        for option in options {
            let to = option.to as usize;
            if self.from[to] == position {
                continue;
            }
            self.from[to] = position;
            let times = &mut self.times[to][herd];
            if *times & !EXPANDED < MOST {
                *times += 1;
            }
        }
    }

    /// How many positions there are from a number on, at the least; `None` where too few were met twice.
    pub fn at_least(&self, first: usize) -> Option<f64> {
        let (mut met, mut once, mut apart, mut twice, mut often) = (0u64, 0u64, 0u64, 0u64, 0u64);
        for times in self.times.iter().skip(first) {
            match times.map(|times| times & !EXPANDED) {
                [0, 0] => continue,
                [0, 1] | [1, 0] => once += 1,
                [1, 1] => (apart, twice) = (apart + 1, twice + 1),
                [0, 2] | [2, 0] => twice += 1,
                [2..=MOST, 2..=MOST] => often += 1,
                _ => {}
            }
            met += 1;
        }
        let pairs = (4.0 * apart as f64).max(2.0 * twice as f64);
        (apart >= ENOUGH && OFTEN * often >= apart).then(|| met as f64 + once as f64 * once as f64 / pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Random;

    /// What is told of `positions` that herds of `size` draws meet, each draw one of them by `pick`.
    fn estimate(size: usize, positions: usize, pick: impl Fn(&mut Random) -> usize) -> Option<f64> {
        let mut meetings = Meetings::new(&Memory::new(u64::MAX));
        let mut random = Random::new(5);
        for herd in 0..2 {
            for draw in 0..size {
                let option = Edge::to(pick(&mut random) as Id);
                let parent = (positions + herd * size + draw) as Id;
                meetings.count(herd, parent, &[option], positions + 2 * size);
            }
        }
        meetings.at_least(0)
    }

    #[test]
    fn where_positions_are_met_alike_what_herds_share_tells_more() {
        assert_eq!(estimate(1000, 10_000, |random| random.below(10_000) as usize), None);
    }

    #[test]
    fn a_few_that_are_met_by_most_ways_do_not_hide_the_others() {
        // Half of all ways lead to forty positions: two herds share those, and nothing else counts by what they share.
        let estimate = estimate(2000, 10_000, |random| match random.below(2) {
            0 => random.below(40) as usize,
            _ => random.below(10_000) as usize,
        });
        assert!((8_000.0..12_500.0).contains(&estimate.unwrap()), "{estimate:?}");
    }

    #[test]
    fn chance_tells_nothing() {
        assert_eq!(estimate(10, 1_000_000, |random| random.below(1_000_000) as usize), None);
    }
}
