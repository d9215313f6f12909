//! Heap games for misère play: the options of each heap, and nothing else.

use super::watch::{Watch, allocated};
use super::{Error, Limits, Resource};
use crate::Period;

/// The rules of a heap game: what one heap may become.
///
/// Any `Fn(u32) -> Vec<Vec<u32>>` implements it.
pub trait HeapRules {
    /// The options of a heap, each a list of heaps that replace it. Parts must be smaller than the heap. Parts of 0 are
    /// ignored, and an empty list removes the heap.
    fn options(&self, heap: u32) -> Vec<Vec<u32>>;

    /// The common shape of the options of all large heaps, if there is one. Only then can a period be proved.
    fn uniform(&self) -> Option<Uniform> {
        None
    }
}

/// All heaps larger than `taken` have options of one shape.
///
/// The promise: there is a fixed set of pairs `(t, j)` with `0 ≤ t ≤ taken` and `1 ≤ j ≤ parts`, and the options of every
/// heap `n > taken` are exactly the divisions of `n − t` tokens into `j` heaps of at least one token, for all pairs, with
/// no further condition. Octal games (`parts` 2 at most) and subtraction sets (`parts` 1) keep it; Grundy's game, whose
/// parts must differ, does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// The largest number of tokens that a move takes.
    pub taken: u32,
    /// The largest number of heaps that a move leaves.
    pub parts: u32,
}

impl<F: Fn(u32) -> Vec<Vec<u32>>> HeapRules for F {
    fn options(&self, heap: u32) -> Vec<Vec<u32>> {
        self(heap)
    }
}

/// A move in a sum of heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapMove {
    /// The index in the sum of the heap that is played on.
    pub place: usize,
    /// The heaps that replace it, ascending.
    pub parts: Box<[u32]>,
}

/// The options of the heaps met so far, normalised: no parts of 0, parts in order, no option twice.
#[derive(Clone, Debug)]
pub(super) struct HeapTable<R> {
    pub rules: R,
    options: Vec<Vec<Box<[u32]>>>,
    /// How many options are listed, and the limit.
    listed: usize,
    limit: usize,
    /// What the options take in memory.
    bytes: u64,
}

impl<R: HeapRules> HeapTable<R> {
    pub fn new(rules: R, limits: Limits) -> HeapTable<R> {
        HeapTable { rules, options: Vec::new(), listed: 0, limit: limits.options, bytes: 0 }
    }

    /// Lists the options of all heaps up to `heap`.
    pub fn extend(&mut self, heap: u32, watch: &Watch<'_>) -> Result<(), Error> {
        while self.options.len() <= heap as usize {
            watch.check()?;
            let next = self.options.len() as u32;
            let options = tidy(&self.rules, next)?;
            if self.listed + options.len() > self.limit {
                return Err(Error::Limit { what: Resource::Options, limit: self.limit });
            }
            let bytes = bytes_of(&options);
            watch.charge(bytes)?;
            self.bytes += bytes;
            self.listed += options.len();
            self.options.push(options);
        }
        Ok(())
    }

    /// What the options take in memory.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The options of a heap that [`HeapTable::extend`] has reached.
    pub fn options(&self, heap: u32) -> &[Box<[u32]>] {
        &self.options[heap as usize]
    }
}

/// What the options of a heap take in memory. The list may have room for as many again.
fn bytes_of(options: &[Box<[u32]>]) -> u64 {
    let own: u64 = options.iter().map(|parts| allocated(4 * parts.len())).sum();
    own + (2 * size_of_val(options)) as u64 + 64
}

/// The options of one heap, normalised and checked.
pub(super) fn tidy(rules: &impl HeapRules, heap: u32) -> Result<Vec<Box<[u32]>>, Error> {
    let mut options = Vec::new();
    for mut parts in rules.options(heap) {
        if let Some(&part) = parts.iter().find(|&&part| part >= heap) {
            return Err(Error::NotSmaller { heap, part });
        }
        parts.retain(|&part| part != 0);
        parts.sort_unstable();
        options.push(parts.into_boxed_slice());
    }
    options.sort_unstable();
    options.dedup();
    Ok(options)
}

/// The least period of `known`, a property of the heaps from 0 on, that proves itself: see the theorem at
/// [`Quotient`](super::Quotient). The property of a heap must follow from those of its options.
pub(super) fn period<T: PartialEq>(known: &[T], uniform: Option<Uniform>) -> Option<Period> {
    let Uniform { taken, parts } = uniform?;
    let (taken, parts) = (u64::from(taken), u64::from(parts.max(1)));
    let largest = known.len() as u64 - 1;
    for length in 1..=largest {
        let alike = |n: u64| known[n as usize] == known[(n + length) as usize];
        let start = (1..=largest - length).rev().take_while(|&n| alike(n)).last();
        if let Some(start) = start
            && parts.checked_mul(start + length).is_some_and(|window| largest + 1 >= window + taken)
        {
            return Some(Period { start, length, saltus: 0 });
        }
        if parts * (length + 1) + taken > largest + 1 {
            break;
        }
    }
    None
}
