//! Ranges: from some size on a heap becomes any heap of a range that grows with it, so that all nimbers follow from a few of them.
//!
//! # Why that proves something
//!
//! [`heap_rules`] reads from the rules that each heap h of at least `alike` becomes exactly the heaps from L to h − s. Let V(h) be the
//! nimbers of these, and c(h) the nimber of h, the least number that is not in V(h). As h grows, V(h) only grows. Let V(h) have nothing
//! above c(h) for alike ≤ h < alike + s, and let c(alike + s − 1) be at most c(alike) + 1. Then c(h + s) = c(h) + 1 for all h ≥ alike,
//! by induction: V(h + s) is V(h + s − 1) with c(h), which is no more than c(h + s − 1). So it has all numbers below its mex and
//! nothing above, and c(h + s) is the larger of c(h + s − 1) and c(h) + 1. The first is at most the second: at the start that is checked,
//! and later c(h + s) = c(h) + 1 ≤ c(h + 1) + 1. In Nim, s is 1 and L is 0.
//!
//! The nimbers of the first heaps are worked out from the moves that the interpreter lists.

use game::LoopyNimber;
use rules::bind::{Bound, Position};

use crate::entries::Entries;
use crate::heap_rules::{self, HeapRules, Ranged};
use crate::heaps;
use crate::periods::{LARGEST, Nimbers};
use crate::proved::Proved;
use crate::refusal::Refusal;

/// The nimbers of all heaps, where large ones become the heaps of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// From which heap on the rules are the same for all.
    pub alike: u64,
}

impl Ranges {
    /// The range that a large heap becomes; none where it becomes something else, too.
    fn whole(&self, rules: &HeapRules) -> Option<Ranged> {
        let whole = rules.ranged.iter().copied().min_by_key(|range| (range.least, range.taken))?;
        let within = |range: &Ranged| range.least >= whole.least && range.taken >= whole.taken;
        let taken = |taken: &i64| *taken >= whole.taken && self.alike as i64 - taken >= whole.least;
        let fits = rules.split.is_empty() && rules.ranged.iter().all(within) && rules.taken.iter().all(taken);
        fits.then_some(whole)
    }

    /// Up to which heap nimbers must be known; none where the rules are others.
    pub fn needed(&self, rules: &HeapRules) -> Option<u64> {
        let steps = self.whole(rules)?.taken.unsigned_abs();
        (steps <= LARGEST && self.alike <= LARGEST).then_some(self.alike + steps)
    }

    /// Whether the nimbers of the first heaps, from the least one on, say what all are.
    pub fn hold(&self, rules: &HeapRules, nimbers: &[u64]) -> Result<(), Refusal> {
        let (Some(whole), Some(needed)) = (self.whole(rules), self.needed(rules)) else {
            return Err(Refusal::wrong("large heaps do not become the heaps of one range"));
        };
        let known = |heap: u64| nimbers.get((heap - rules.least.unsigned_abs()) as usize).copied();
        let missing = || Refusal::wrong("there are fewer nimbers than the range needs");
        let mut largest = None;
        let mut next = whole.least.unsigned_abs();
        for heap in self.alike..needed {
            let own = known(heap).ok_or_else(missing)?;
            while next <= heap - whole.taken.unsigned_abs() {
                largest = largest.max(Some(known(next).ok_or_else(missing)?));
                next += 1;
            }
            if largest.is_some_and(|largest| largest > own) {
                return Err(Refusal::wrong(format!("heap {heap} becomes heaps of larger nimbers than its own")));
            }
        }
        let (first, last) = known(self.alike).zip(known(needed - 1)).ok_or_else(missing)?;
        if last > first + 1 {
            return Err(Refusal::wrong("the nimbers of large heaps do not grow evenly"));
        }
        Ok(())
    }
}

/// Checks the nimbers of the first heaps, and that they say what all are. Gives what that proves, and how many heaps there were.
pub fn check(
    bound: &Bound,
    start: &Position,
    ranges: Ranges,
    entries: &mut dyn Entries,
) -> Result<(Proved, u64), Refusal> {
    if ranges.alike > LARGEST {
        return Err(Refusal::wrong("this is no range"));
    }
    let rules = heap_rules::read(bound, ranges.alike as i64)?;
    let least = rules.least.unsigned_abs();
    let Some(needed) = ranges.needed(&rules) else {
        return Err(Refusal::wrong("large heaps do not become the heaps of one range"));
    };
    let nimbers = heaps::check(bound, least..needed, &Nimbers, entries)?;
    ranges.hold(&rules, &nimbers)?;
    let (alike, steps) = (ranges.alike, needed - ranges.alike);
    let nimber = |heap: u64| match heap.checked_sub(alike) {
        None => nimbers[(heap - least) as usize],
        Some(beyond) => nimbers[(alike + beyond % steps - least) as usize] + beyond / steps,
    };
    let sum = start.parts.iter().fold(0, |sum, part| sum ^ nimber(heaps::size(part)));
    Ok((Proved::Nimber(LoopyNimber::Finite(sum)), needed - least))
}
