//! Sparse nimbers: the nimbers of very many heaps that fall into two, without a look at all the ways in which they do.
//!
//! # Why that proves something
//!
//! [`heap_rules`] reads from the rules what the moves of all heaps from a size on are: a heap becomes one smaller heap, or two. A mask
//! divides numbers: those with an odd number of bits in common with it are *odd*, the others *even*. The exclusive or of two numbers is
//! odd exactly if one of them is odd and the other even. A heap is *rare* if its nimber is even. (In many games such a mask makes
//! almost all heaps odd, for ever: the sparse space phenomenon. Nothing is believed of that here; a bad mask costs time alone.)
//!
//! Let g be what is said of heap n. It is the nimber of n if no option has g, and every smaller number has an option.
//!
//! * *g is odd.* An option with an odd number is one heap, or two of which one is rare. All of these are looked at. So all odd
//!   numbers of options are seen: g may not be among them, those below g must be. Each even number below g is seen in the same look,
//!   or by a pair of heaps that the argument names.
//! * *g is even.* All options are looked at, one by one. These are few heaps.
//!
//! Pairs that were named lately often serve again: the last [`RING`] of them are tried at each heap, and named no more. So the time is
//! that of looking at all rare heaps and this ring once for each heap, and at all heaps once for each rare one.
//!
//! Heaps below that size are worked out from the moves that the interpreter lists. If the nimbers also repeat, [`crate::periods`] says why
//! they do so for ever.

use game::LoopyNimber;
use rules::bind::{Bound, Position};
use rules::stop;

use crate::entries::Entries;
pub use crate::heap_pairs::{Known, Pair, RING, Sparse};
use crate::heap_rules::{self, HeapRules, Split};
use crate::heaps;
use crate::periods::{LARGEST, Nimbers, Period};
use crate::proved::Proved;
use crate::refusal::Refusal;

/// So many pairs are looked at between two looks at the clock.
const STEPS_A_LOOK: usize = 1 << 20;

impl Sparse {
    /// The period, where there is one.
    pub fn repeating(&self) -> Option<Period> {
        self.period.map(|(first, length)| Period { alike: self.alike, first, length })
    }

    /// Reads the rules, and refuses those that the argument is not about.
    fn rules(&self, bound: &Bound) -> Result<HeapRules, Refusal> {
        if self.alike > LARGEST || self.heaps > LARGEST {
            return Err(Refusal::wrong("these are too many heaps"));
        }
        let rules = match self.repeating() {
            Some(period) => {
                let rules = period.rules(bound)?;
                if self.heaps < period.needed(rules.most_taken()) {
                    return Err(Refusal::wrong("there are fewer heaps than the period needs"));
                }
                rules
            }
            None => heap_rules::read(bound, self.alike as i64)?,
        };
        let least = rules.least.unsigned_abs();
        match rules.ranged.is_empty() && (least..=self.heaps).contains(&self.alike) {
            true => Ok(rules),
            false => Err(Refusal::wrong("these are no rules of heaps that fall into two")),
        }
    }
}

/// Checks the nimbers of the first heaps. Gives what that proves, and how many heaps there were.
pub fn check(
    bound: &Bound,
    start: &Position,
    sparse: Sparse,
    entries: &mut dyn Entries,
) -> Result<(Proved, u64), Refusal> {
    let rules = sparse.rules(bound)?;
    let least = rules.least.unsigned_abs();
    if bound.layout.misfit(&[sparse.heaps as i64 - 1]).is_some() {
        return Err(Refusal::wrong("there are fewer heaps than the argument speaks of"));
    }
    let mut known = Known::new(sparse, rules)?;
    for nimber in heaps::check(bound, least..sparse.alike, &Nimbers, entries)?.iter() {
        known.push(*nimber)?;
    }
    while known.next() < sparse.heaps {
        let heap = known.next();
        known.settle(heap, entries).map_err(|refusal| refusal.at(heap - least + 1, || format!("heap {heap}")))?;
        entries.passed(known.nimbers.len() as u64)?;
    }
    let period = sparse.repeating();
    if let Some(period) = &period {
        period.repeats(least, &known.nimbers)?;
    }
    let mut sum = 0;
    for part in &start.parts {
        let heap = heaps::size(part);
        let heap = period.map_or(heap, |period| period.reduced(heap, sparse.heaps));
        match known.nimber(heap) {
            Some(nimber) => sum ^= nimber,
            None => return Err(Refusal::wrong("the argument says nothing of a heap of the position")),
        }
    }
    Ok((Proved::Nimber(LoopyNimber::Finite(sum)), known.nimbers.len() as u64))
}

impl Known {
    fn note(&mut self, heap: u64, number: Option<u64>) {
        if let Some(number) = number {
            self.last_heap[number as usize] = heap + 1;
        }
    }

    fn is_noted(&self, heap: u64, number: u64) -> bool {
        self.last_heap[number as usize] == heap + 1
    }

    /// Checks what is said of the next heap.
    fn settle(&mut self, heap: u64, entries: &mut dyn Entries) -> Result<(), Refusal> {
        let own = entries.nimber(&[heap as i64])?;
        if own >= self.last_heap.len() as u64 {
            return Err(Refusal::wrong(format!("nimber {own} is more than the options give")));
        }
        for number in 0..self.rules.taken.len() {
            let taken = self.rules.taken[number].unsigned_abs();
            self.note(heap, heap.checked_sub(taken).and_then(|left| self.nimber(left)));
        }
        let odd = self.sparse.is_odd(own);
        for split in 0..self.rules.split.len() {
            match odd {
                true => self.see_rare(heap, split),
                false => self.see_all(heap, split),
            }
        }
        self.look()?;
        for number in 0..if odd { self.ring.len() } else { 0 } {
            self.note(heap, self.of_pair(heap, self.ring[number]));
        }
        for number in 0..own {
            if !self.is_noted(heap, number) {
                self.named(heap, number, odd, entries)?;
            }
        }
        if self.is_noted(heap, own) {
            return Err(Refusal::wrong(format!("it says nimber {own}, and an option has the same")));
        }
        self.push(own)
    }

    /// Looks at all pairs with a rare heap.
    fn see_rare(&mut self, heap: u64, split: usize) {
        let Split { taken, least, .. } = self.rules.split[split];
        let Some(rest) = heap.checked_sub(taken.unsigned_abs()) else { return };
        for place in 0..self.rare.len() {
            let rare = u64::from(self.rare[place]);
            let Some(other) = rest.checked_sub(rare) else { break };
            self.note(heap, self.of_pair(heap, Pair { split, first: rare }));
            if least[0] != least[1] {
                self.note(heap, self.of_pair(heap, Pair { split, first: other }));
            }
        }
        self.steps += self.rare.len() + RING;
    }

    /// Looks at all pairs.
    fn see_all(&mut self, heap: u64, split: usize) {
        let Split { taken, least, .. } = self.rules.split[split];
        let first = least[0].unsigned_abs();
        let last = heap.checked_sub(taken.unsigned_abs()).and_then(|rest| rest.checked_sub(least[1].unsigned_abs()));
        for first in first..last.map_or(0, |last| last + 1) {
            self.note(heap, self.of_pair(heap, Pair { split, first }));
        }
        self.steps += heap as usize;
    }

    /// Looks at the clock now and then.
    fn look(&mut self) -> Result<(), Refusal> {
        if self.steps >= STEPS_A_LOOK {
            self.steps = 0;
            stop::look()?;
        }
        Ok(())
    }

    /// Has a pair named that gives a number which was not seen.
    fn named(&mut self, heap: u64, number: u64, odd: bool, entries: &mut dyn Entries) -> Result<(), Refusal> {
        if !odd || self.sparse.is_odd(number) {
            return Err(Refusal::wrong(format!("no option has nimber {number}")));
        }
        let pair = entries.pair(heap, number, self)?;
        if self.of_pair(heap, pair) != Some(number) {
            return Err(Refusal::wrong(format!("the pair that is named has not nimber {number}")));
        }
        self.note(heap, Some(number));
        if self.ring.len() < RING {
            self.ring.push(pair);
        } else {
            self.ring[self.oldest] = pair;
            self.oldest = (self.oldest + 1) % RING;
        }
        Ok(())
    }
}
