//! Periods: the nimbers of heaps repeat, so that a few of them say what all are.
//!
//! # Why that proves something
//!
//! [`heap_rules`] reads from the rules what the moves of all heaps from a size on are: a heap h becomes h − s, or two
//! heaps x and h − k − x, each at least so large, for some fixed s and k. Let K be the largest of these. Let the nimbers g(n + p) =
//! g(n) for all n with f ≤ n < 2f + p + K, where f is at least all the least sizes of parts. Then so it is for all n ≥ f, by induction
//! (Guy and Smith, 1956): let n be 2f + p + K or more. An option of n + p leaves heaps that make at least 2f + 2p, so one of
//! them is at least f + p, and p less of it is an option of n with the same nimber. An option of n leaves heaps that make at least
//! 2f + p, so one of them is at least f, and p more of it is an option of n + p with the same nimber. So both have the same
//! options' nimbers, and the same mex.
//!
//! The nimbers of the first heaps are worked out from the moves that the interpreter lists.

use game::{LoopyNimber, mex};
use rules::bind::{Bound, Position};

use crate::entries::Entries;
use crate::heap_rules::{self, HeapRules};
use crate::heaps::{self, HeapTheory};
use crate::proved::Proved;
use crate::refusal::Refusal;

/// A period of the nimbers of heaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    /// From which heap on the rules are the same for all.
    pub alike: u64,
    /// The first heap from which on the nimbers repeat.
    pub first: u64,
    /// After how many they do.
    pub length: u64,
}

/// The largest number of a period.
pub const LARGEST: u64 = 1 << 32;

impl Period {
    /// How many nimbers must be known to prove it, where a move takes at most so much.
    pub fn needed(&self, most_taken: i64) -> u64 {
        2 * self.first + 2 * self.length + most_taken.unsigned_abs()
    }

    /// Reads the rules, and refuses those and numbers that the theorem is not about.
    pub(crate) fn rules(&self, bound: &Bound) -> Result<HeapRules, Refusal> {
        let Period { alike, first, length } = *self;
        if length == 0 || [alike, first, length].iter().any(|number| *number > LARGEST) {
            return Err(Refusal::wrong("this is no period"));
        }
        let rules = heap_rules::read(bound, alike as i64)?;
        if !rules.ranged.is_empty() {
            return Err(Refusal::wrong("a heap becomes any of a range, so that nothing says how far its moves go"));
        }
        if rules.split.iter().any(|split| split.unequal) {
            return Err(Refusal::wrong("heaps that must differ may become equal when one is made smaller"));
        }
        if first < rules.largest_least().unsigned_abs().max(1) || 2 * first + length < alike {
            return Err(Refusal::wrong("the period begins too soon"));
        }
        Ok(rules)
    }

    /// Sees to it that known nimbers repeat, the first of which is that of the least heap.
    pub(crate) fn repeats<T: Copy + PartialEq>(&self, least: u64, nimbers: &[T]) -> Result<(), Refusal> {
        let known = least + nimbers.len() as u64;
        for heap in self.first..known - self.length {
            if nimbers[(heap - least) as usize] != nimbers[(heap + self.length - least) as usize] {
                let later = heap + self.length;
                return Err(Refusal::wrong(format!("heaps {heap} and {later} have different nimbers")));
            }
        }
        Ok(())
    }

    /// The heap below `known` that has the same nimber.
    pub(crate) fn reduced(&self, heap: u64, known: u64) -> u64 {
        if heap < known { heap } else { self.first + (heap - self.first) % self.length }
    }
}

/// Checks the nimbers of the first heaps, and that they repeat. Gives what that proves, and how many heaps there were.
pub fn check(
    bound: &Bound,
    start: &Position,
    period: Period,
    entries: &mut dyn Entries,
) -> Result<(Proved, u64), Refusal> {
    let rules = period.rules(bound)?;
    let (least, count) = (rules.least.unsigned_abs(), period.needed(rules.most_taken()));
    let nimbers = heaps::check(bound, least..count, &Nimbers, entries)?;
    period.repeats(least, &nimbers)?;
    let nimber = |heap: u64| nimbers[(period.reduced(heap, count) - least) as usize];
    let sum = start.parts.iter().fold(0, |sum, part| sum ^ nimber(heaps::size(part)));
    Ok((Proved::Nimber(LoopyNimber::Finite(sum)), count - least))
}

/// The nimber of a heap.
pub(crate) struct Nimbers;

impl HeapTheory for Nimbers {
    type Heap = u64;
    type Move = u64;

    fn of_move(&self, heaps: &[u64]) -> Result<u64, Refusal> {
        Ok(heaps.iter().fold(0, |sum, nimber| sum ^ nimber))
    }

    fn of_heap(&self, moves: &mut [u64]) -> u64 {
        mex(moves)
    }

    fn said(&self, cells: &[i64], entries: &mut dyn Entries) -> Result<u64, Refusal> {
        entries.nimber(cells)
    }
}
