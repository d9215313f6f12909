//! Marked numbers of a layer, or of a window of it: one bit each, shared by threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::error::Error;
use crate::memory::{Lease, Memory};

/// Marks of the numbers from `first` on, which is a multiple of 64.
#[derive(Debug)]
pub(crate) struct Marks {
    first: u64,
    words: Vec<AtomicU64>,
    _lease: Lease,
}

impl Marks {
    /// What the marks of so many numbers take.
    pub fn bytes(numbers: u64) -> u64 {
        numbers.div_ceil(64) * 8
    }

    /// No marks for these numbers.
    pub fn new(numbers: Range<u64>, memory: &Memory) -> Result<Marks, Error> {
        let mut lease = memory.lease();
        let bytes = Marks::bytes(numbers.end - numbers.start);
        lease.grow(bytes)?;
        let count = (bytes / 8) as usize;
        let mut words = lease.vector(count)?;
        words.resize_with(count, AtomicU64::default);
        Ok(Marks { first: numbers.start, words, _lease: lease })
    }

    /// The words.
    pub fn words(&self) -> &[AtomicU64] {
        &self.words
    }

    /// A word, by the number of its first bit divided by 64.
    #[inline(always)]
    pub fn word(&self, index: usize) -> u64 {
        self.words[index].load(Relaxed)
    }

    /// Marks a number, which must lie within.
    #[inline(always)]
    pub fn mark(&self, number: u64) {
        let at = number - self.first;
        let (word, bit) = (&self.words[(at / 64) as usize], 1 << (at % 64));
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    /// Marks a number if it lies within.
    #[inline(always)]
    pub fn mark_within(&self, number: u64) {
        if number >= self.first && ((number - self.first) / 64) < self.words.len() as u64 {
            self.mark(number);
        }
    }

    /// Whether a number is marked, which must lie within.
    #[inline(always)]
    pub fn has(&self, number: u64) -> bool {
        let at = number - self.first;
        self.words[(at / 64) as usize].load(Relaxed) >> (at % 64) & 1 != 0
    }

    /// How many numbers are marked.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum()
    }
}

/// The bits that are set in a word, from the lowest on.
#[inline(always)]
pub(crate) fn bits(word: u64) -> impl Iterator<Item = u64> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(u64::from(bit))
    })
}
