//! The hash index behind the tables of positions: from a hash to the number of a key that is kept elsewhere.
//!
//! Open addressing with linear probing in an array of `u32`. Numbers are stored plus one, so that 0 means empty. The index
//! holds no hashes and no keys: when it grows it drops the old array *first* and asks its owner for the hash of every
//! number again. That trades a little time for memory, where a table that keeps its old array while it fills the new one
//! would reach its peak just then. The array grows by half, not double, and a hash is brought into range by multiplication,
//! not by a mask, so a slot costs 5 to 8 bytes a position.

use crate::error::{Limit, SolveError};
use crate::graph::Id;
use crate::memory::{Lease, Memory};

const FEWEST: usize = 16;

/// An index from hashes to numbers.
#[derive(Debug)]
pub struct Slots {
    slots: Vec<u32>,
    used: usize,
    lease: Lease,
}

/// Where a key is, or where it would go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The number of the key.
    Old(Id),
    /// The place for it.
    Vacant(usize),
}

impl Slots {
    /// An empty index, which takes nothing yet.
    pub fn new(memory: &Memory) -> Slots {
        Slots { slots: Vec::new(), used: 0, lease: memory.lease() }
    }

    /// What the index takes now.
    pub fn bytes(&self) -> u64 {
        self.lease.bytes()
    }

    /// Looks for the key with this hash; `is` says whether a number is that of the key.
    #[inline]
    pub fn find(&self, hash: u64, mut is: impl FnMut(Id) -> bool) -> Found {
        let count = self.slots.len();
        if count == 0 {
            return Found::Vacant(0);
        }
        let mut slot = home(hash, count);
        loop {
            match self.slots[slot] {
                0 => return Found::Vacant(slot),
                number if is(number - 1) => return Found::Old(number - 1),
                _ => slot = if slot + 1 == count { 0 } else { slot + 1 },
            }
        }
    }

    /// The place and the number for a key that [`Slots::find`] did not find, growing the index if it is time;
    /// `hash_of` gives the hash of each number in use, which are `0..used`. An error leaves the index as it was.
    pub fn place(&mut self, hash: u64, hash_of: impl FnMut(Id) -> u64) -> Result<(usize, Id), SolveError> {
        if self.used >= (u32::MAX - 1) as usize {
            return Err(SolveError::Limit { limit: Limit::Positions, positions: self.used as u64 });
        }
        if self.used * 5 >= self.slots.len() * 4 {
            self.grow(hash_of)?;
        }
        match self.find(hash, |_| false) {
            Found::Vacant(slot) => Ok((slot, self.used as Id)),
            Found::Old(_) => Err(SolveError::Internal("a slot that is in use was called vacant".into())),
        }
    }

    #[cold]
    fn grow(&mut self, mut hash_of: impl FnMut(Id) -> u64) -> Result<(), SolveError> {
        let old = self.slots.len();
        let new = if old < FEWEST { FEWEST } else { old + old / 2 };
        self.lease.resize(new as u64 * 4)?;
        self.slots = Vec::new();
        match self.lease.vector(new) {
            Ok(slots) => self.slots = slots,
            Err(error) => {
                // The machine has no more: go back to the old size, which it had a moment ago.
                self.lease.resize(old as u64 * 4)?;
                self.slots = self.lease.vector(old)?;
                self.fill(old, &mut hash_of);
                return Err(error);
            }
        }
        self.fill(new, &mut hash_of);
        Ok(())
    }

    fn fill(&mut self, count: usize, hash_of: &mut impl FnMut(Id) -> u64) {
        self.slots.resize(count, 0);
        for number in 0..self.used as u32 {
            let mut slot = home(hash_of(number), count);
            while self.slots[slot] != 0 {
                slot = if slot + 1 == count { 0 } else { slot + 1 };
            }
            self.slots[slot] = number + 1;
        }
    }

    /// Puts a number into the place that [`Slots::place`] gave for it.
    #[inline]
    pub fn fill_vacant(&mut self, slot: usize, number: Id) {
        debug_assert!(self.slots[slot] == 0 && number as usize == self.used);
        self.slots[slot] = number + 1;
        self.used += 1;
    }
}

/// The place in which the search for a hash begins: the hash, stirred once more, as a fraction of 2^64, scaled.
///
/// Without the stirring, numbers a power of two apart would come to lie in a few places only.
#[inline]
fn home(hash: u64, count: usize) -> usize {
    let stirred = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((u128::from(stirred) * count as u128) >> 64) as usize
}

/// The folded multiply: both halves of a 128-bit product, so that high and low bits of the word move the whole result.
#[inline]
pub fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word ^ 0x2d35_8dcc_aa6c_78a5) * 0x9e37_79b9_7f4a_7c15;
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_again_even_when_all_hashes_are_equal() {
        for spread in [0, 1, u64::MAX / 300] {
            let mut slots = Slots::new(&Memory::unlimited());
            let hash_of = |number: Id| u64::from(number) * spread;
            for number in 0..300 {
                assert!(matches!(slots.find(hash_of(number), |n| n == number), Found::Vacant(_)));
                let place = slots.place(hash_of(number), hash_of).unwrap();
                assert_eq!(place.1, number);
                slots.fill_vacant(place.0, number);
                assert!(slots.used * 10 <= slots.slots.len() * 9);
            }
            assert!((0..300).all(|number| slots.find(hash_of(number), |n| n == number) == Found::Old(number)));
        }
    }

    #[test]
    fn a_limit_leaves_the_index_whole() {
        let memory = Memory::new(1000);
        let mut slots = Slots::new(&memory);
        let hash_of = |number: Id| mix(0, u64::from(number));
        let mut count = 0;
        while let Ok((place, number)) = slots.place(hash_of(count), hash_of) {
            slots.fill_vacant(place, number);
            count += 1;
        }
        assert!(count > 100 && memory.peak() <= 1000);
        assert!((0..count).all(|number| slots.find(hash_of(number), |n| n == number) == Found::Old(number)));
    }

    #[test]
    fn neighbouring_words_spread() {
        for shift in 0..=52 {
            let mut homes: Vec<usize> = (0..4096u64).map(|word| home(mix(0, word << shift), 8192)).collect();
            homes.sort_unstable();
            homes.dedup();
            // Random hashes would leave about 3220 distinct places.
            assert!(homes.len() > 3000, "{} places for a shift of {shift}", homes.len());
        }
    }
}
