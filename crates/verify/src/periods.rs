//! Periods: the nimbers of heaps repeat, so that a few of them say what all are.
//!
//! # Why that proves something
//!
//! [`heap_rules`](crate::heap_rules) reads from the rules what the moves of all heaps from a size on are: a heap h becomes h − s, or two
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

use crate::charged::Charged;
use crate::entries::Entries;
use crate::heap_rules;
use crate::parts::{NormalParts, each};
use crate::proved::Proved;
use crate::refusal::Refusal;

/// A period of the nimbers of heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

/// Checks the nimbers of the first heaps, and that they repeat. Gives what that proves, and how many heaps there were.
pub fn check(
    bound: &Bound,
    start: &Position,
    period: Period,
    entries: &mut dyn Entries,
) -> Result<(Proved, u64), Refusal> {
    let Period { alike, first, length } = period;
    if length == 0 || [alike, first, length].iter().any(|number| *number > LARGEST) {
        return Err(Refusal::wrong("this is no period"));
    }
    let rules = heap_rules::read(bound, alike as i64)?;
    let least = rules.least.unsigned_abs();
    if first < rules.largest_least().unsigned_abs().max(1) || 2 * first + length < alike {
        return Err(Refusal::wrong("the period begins too soon"));
    }
    let count = period.needed(rules.most_taken());
    let nimbers = nimbers(bound, least..count, entries)?;
    let nimber = |heap: u64| nimbers[(heap - least) as usize];
    for heap in first..count - length {
        if nimber(heap) != nimber(heap + length) {
            return Err(Refusal::wrong(format!("heaps {heap} and {} have different nimbers", heap + length)));
        }
    }
    let mut sum = 0;
    for part in &start.parts {
        let heap = part.first().copied().unwrap_or(0).unsigned_abs();
        sum ^= nimber(if heap < count { heap } else { first + (heap - first) % length });
    }
    Ok((Proved::Nimber(LoopyNimber::Finite(sum)), count - least))
}

/// The nimbers of heaps one after the other.
fn nimbers(bound: &Bound, heaps: std::ops::Range<u64>, entries: &mut dyn Entries) -> Result<Charged<u64>, Refusal> {
    let mut parts = NormalParts::new(bound)?;
    let mut nimbers: Charged<u64> = Charged::new();
    let least = heaps.start as i64;
    for heap in heaps {
        let cells = [heap as i64];
        if bound.layout.misfit(&cells).is_some() {
            return Err(Refusal::wrong("there are fewer heaps than the period needs"));
        }
        let id = parts.enter(&cells)?;
        let options = parts.options(id)?;
        let mut found = Vec::new();
        for option in each(&options) {
            let mut nimber = 0;
            for part in option {
                let smaller = usize::try_from(parts.cells(*part)[0] - least).ok();
                match smaller.and_then(|place| nimbers.get(place)) {
                    Some(own) => nimber ^= own,
                    None => return Err(Refusal::wrong("a part is not smaller than its heap")),
                }
            }
            found.push(nimber);
        }
        let own = mex(&mut found);
        nimbers.push(own)?;
        entries.passed(nimbers.len() as u64)?;
        if entries.nimber(&cells)? != own {
            return Err(Refusal::wrong(format!("the nimber of heap {heap} is {own}")));
        }
    }
    Ok(nimbers)
}
