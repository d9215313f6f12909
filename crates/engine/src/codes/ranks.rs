//! Positions numbered by the order of their codes.
//!
//! Of all codes below some size only some are positions that can be reached, and one of each class of symmetric ones. A
//! map of one bit a code says which; how many bits are set before a code is its rank. So a table has one cell for each
//! position and none for the rest, a rank costs two looks at memory, and it does not depend on the order in which
//! positions were met. Where nearly all codes are positions, a code is its own rank: a few cells stay empty, and nothing is
//! looked up.

use std::ops::Range;

use crate::error::Error;
use crate::memory::Lease;
use crate::monitor::Monitor;
use crate::retrograde::CodeSet;

/// Where at most one code in so many is no position, a code is its own rank.
const NEARLY_ALL: u64 = 8;
/// Ranks have 31 bits, so that a move can be marked.
pub(crate) const MOST_RANKS: u64 = 1 << 31;

/// The set of codes that are positions, with their ranks.
#[derive(Debug)]
pub(crate) struct Ranks {
    words: Vec<u64>,
    /// How many bits are set before each word; none where a code is its own rank.
    before: Vec<u32>,
    count: u64,
    size: u64,
    leases: [Lease; 2],
}

impl Ranks {
    /// The ranks of the marked codes, of all below `size`. There are fewer than 2^32 of them.
    pub fn new(marked: CodeSet, size: u64, monitor: &Monitor) -> Result<Ranks, Error> {
        let (words, lease) = marked.into_words();
        let count = words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        if size <= MOST_RANKS && size.saturating_sub(count) <= size / NEARLY_ALL {
            return Ok(Ranks { words, before: Vec::new(), count, size, leases: [lease, monitor.memory().lease()] });
        }
        let (mut before, other) = monitor.memory().zeroed::<u32>(words.len() as u64)?;
        let mut count = 0u64;
        for (word, before) in words.iter().zip(&mut before) {
            *before = count as u32;
            count += u64::from(word.count_ones());
        }
        Ok(Ranks { words, before, count, size, leases: [lease, other] })
    }

    /// How many positions there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// All ranks are below this: as many cells are needed.
    pub fn cells(&self) -> u64 {
        if self.are_codes() { self.size } else { self.count }
    }

    /// Whether every code is its own rank.
    #[inline(always)]
    pub fn are_codes(&self) -> bool {
        self.before.is_empty()
    }

    /// All codes are below this.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// What it takes.
    pub fn bytes(&self) -> u64 {
        self.leases.iter().map(Lease::bytes).sum()
    }

    /// The rank of a code that is a position.
    #[inline(always)]
    pub fn of(&self, code: u32) -> u32 {
        if self.are_codes() {
            return code;
        }
        let (word, bit) = (code as usize / 64, code % 64);
        self.before[word] + (self.words[word] & ((1 << bit) - 1)).count_ones()
    }

    /// The rank of a code, if it is a position.
    pub fn find(&self, code: u64) -> Option<u32> {
        let word = self.words.get(usize::try_from(code / 64).ok()?)?;
        (word >> (code % 64) & 1 != 0).then(|| self.of(code as u32))
    }

    /// The code of a rank.
    pub fn code(&self, rank: u32) -> Option<u64> {
        if self.are_codes() {
            return self.find(u64::from(rank)).map(u64::from);
        }
        if u64::from(rank) >= self.count {
            return None;
        }
        let index = self.before.partition_point(|before| *before <= rank) - 1;
        let mut word = self.words[index];
        for _ in 0..rank - self.before[index] {
            word &= word - 1;
        }
        Some(index as u64 * 64 + u64::from(word.trailing_zeros()))
    }

    /// How many words the map has.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// A word of the map.
    pub fn word(&self, index: usize) -> u64 {
        self.words[index]
    }

    /// The positions in some words of the map: rank and code of each, in order.
    pub fn entries(&self, words: Range<usize>) -> impl Iterator<Item = (u32, u64)> + '_ {
        let words = words.start.min(self.words.len())..words.end.min(self.words.len());
        words.flat_map(move |index| {
            let before = self.before.get(index).copied();
            let word = self.words[index];
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                let code = index as u64 * 64 + u64::from(bit);
                let rank = before.map_or(code as u32, |before| before + (word.count_ones() - rest.count_ones()));
                rest &= rest - 1;
                Some((rank, code))
            })
        })
    }
}
