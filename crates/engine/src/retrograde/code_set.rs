//! A set of codes, one bit each, that threads can share.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::error::Error;
use crate::memory::{Lease, Memory};

/// The codes that are marked.
#[derive(Debug)]
pub(crate) struct CodeSet {
    words: Vec<AtomicU64>,
    lease: Lease,
}

impl CodeSet {
    /// A map of the codes below `size`, none of them marked.
    pub fn new(size: u64, memory: &Memory) -> Result<CodeSet, Error> {
        let mut lease = memory.lease();
        let count = size.div_ceil(64);
        lease.grow(count * 8)?;
        let mut words = lease.vector(count as usize)?;
        words.resize_with(count as usize, AtomicU64::default);
        Ok(CodeSet { words, lease })
    }

    /// The words of the map.
    pub fn words(&self) -> &[AtomicU64] {
        &self.words
    }

    /// Marks a code; returns whether it was new.
    #[inline(always)]
    pub fn mark<const SHARED: bool>(&self, code: u32) -> bool {
        let (word, bit) = (&self.words[code as usize / 64], 1 << (code % 64));
        let held = word.load(Relaxed);
        if held & bit != 0 {
            return false;
        }
        if SHARED {
            return word.fetch_or(bit, Relaxed) & bit == 0;
        }
        word.store(held | bit, Relaxed);
        true
    }

    /// The marks as plain words, with what they are charged to.
    pub fn into_words(self) -> (Vec<u64>, Lease) {
        (self.words.into_iter().map(AtomicU64::into_inner).collect(), self.lease)
    }

    /// Takes the mark of a code away.
    pub fn unmark(&mut self, code: u32) {
        *self.words[code as usize / 64].get_mut() &= !(1 << (code % 64));
    }

    /// Whether a code is marked.
    #[inline(always)]
    pub fn has(&self, code: u32) -> bool {
        self.words[code as usize / 64].load(Relaxed) >> (code % 64) & 1 != 0
    }

    /// Takes all marks away; gives the codes that had one, in order.
    pub fn drain(&mut self) -> impl Iterator<Item = u32> + '_ {
        let mut words = self.words.iter_mut().enumerate();
        let mut rest = (0, 0);
        std::iter::from_fn(move || {
            while rest.1 == 0 {
                let (index, word) = words.next()?;
                rest = (index as u32 * 64, std::mem::take(word.get_mut()));
            }
            let bit = rest.1.trailing_zeros();
            rest.1 &= rest.1 - 1;
            Some(rest.0 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_kept_and_drained_in_order() {
        let mut marked = CodeSet::new(1000, &Memory::unlimited()).unwrap();
        for code in [999, 0, 64, 63, 500] {
            assert!(marked.mark::<false>(code) && !marked.mark::<true>(code) && marked.has(code));
        }
        assert!(!marked.has(1));
        assert!(marked.drain().eq([0, 63, 64, 500, 999]));
        assert_eq!(marked.drain().next(), None);
    }
}
