//! The hash index of an interner: from a hash to the number of a key that is kept elsewhere.
//!
//! Open addressing with linear probing in an array of `u32`. A slot holds a number plus one, so that 0 means empty, and in
//! the bits that numbers of this size leave free, a tag from the hash:
//!
//! ```text
//!  31           bits of the count of slots            0
//! ┌──────────────┬────────────────────────────────────┐
//! │ tag          │ number + 1                         │
//! └──────────────┴────────────────────────────────────┘
//! ```
//!
//! The keys lie far apart in memory, so looking at the wrong one is what costs; ten million positions leave 8 bits for the
//! tag, which spare all but one in 256 of these looks.
//!
//! The index holds no hashes and no keys: when it grows it drops the old array *first* and asks its owner for the hash of
//! every number again. That trades a little time for memory, where a table that keeps its old array while it fills the new
//! one would reach its peak just then. The array grows by half, not double, and a hash is brought into range by
//! multiplication, not by a mask, so slots cost 5 to 8 bytes a position.

use crate::error::{Error, Limit};
use crate::memory::{Lease, Memory};

/// The number of a position, in order of discovery.
pub type Id = u32;

const FEWEST: usize = 16;

/// An index from hashes to numbers.
#[derive(Debug)]
pub(super) struct Slots {
    slots: Vec<u32>,
    used: usize,
    lease: Lease,
}

/// Where a key is, or where it would go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
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

    /// How many numbers there are.
    #[inline]
    pub fn used(&self) -> usize {
        self.used
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
        let numbers = number_mask(count);
        let stirred = stir(hash);
        let tag = stirred as u32 & !numbers;
        let mut slot = home(stirred, count);
        loop {
            let held = self.slots[slot];
            if held == 0 {
                return Found::Vacant(slot);
            }
            if held & !numbers == tag && is((held & numbers) - 1) {
                return Found::Old((held & numbers) - 1);
            }
            slot = if slot + 1 == count { 0 } else { slot + 1 };
        }
    }

    /// The place and the number for a key with this hash that [`Slots::find`] did not find but for which it gave the slot
    /// `vacant`. Grows the index if it is time; `hash_of` gives the hash of each number in use, which are `0..used`. An error
    /// leaves the index as it was.
    pub fn place(&mut self, hash: u64, vacant: usize, hash_of: impl FnMut(Id) -> u64) -> Result<(usize, Id), Error> {
        let number = self.used as Id;
        if self.used >= (u32::MAX - 1) as usize {
            return Err(Error::Limit { limit: Limit::Positions, positions: self.used as u64 });
        }
        if self.used * 5 < self.slots.len() * 4 {
            return Ok((vacant, number));
        }
        self.grow(hash_of)?;
        match self.find(hash, |_| false) {
            Found::Vacant(slot) => Ok((slot, number)),
            Found::Old(_) => Err(Error::Internal("a slot in use was called vacant".into())),
        }
    }

    #[cold]
    fn grow(&mut self, mut hash_of: impl FnMut(Id) -> u64) -> Result<(), Error> {
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
        let numbers = number_mask(count);
        for number in 0..self.used as u32 {
            let stirred = stir(hash_of(number));
            let mut slot = home(stirred, count);
            while self.slots[slot] != 0 {
                slot = if slot + 1 == count { 0 } else { slot + 1 };
            }
            self.slots[slot] = stirred as u32 & !numbers | (number + 1);
        }
    }

    /// Puts a number into the place that [`Slots::place`] gave for it and for this hash.
    #[inline]
    pub fn fill_vacant(&mut self, slot: usize, number: Id, hash: u64) {
        debug_assert!(self.slots[slot] == 0 && number as usize == self.used);
        self.slots[slot] = stir(hash) as u32 & !number_mask(self.slots.len()) | (number + 1);
        self.used += 1;
    }
}

/// Stirs a hash once more, without which numbers a power of two apart would come to lie in a few places only.
#[inline]
fn stir(hash: u64) -> u64 {
    (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The place in which the search for a stirred hash begins: the hash as a fraction of 2^64, scaled.
#[inline]
fn home(stirred: u64, count: usize) -> usize {
    ((u128::from(stirred) * count as u128) >> 64) as usize
}

/// The bits in which a number plus one is written among so many slots; the rest hold the tag.
#[inline]
fn number_mask(count: usize) -> u32 {
    u32::MAX.checked_shr(u32::try_from(count).map_or(0, u32::leading_zeros)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interner::keys::mix;

    /// Adds the next number under its hash, as the tables do.
    fn add(slots: &mut Slots, hash_of: impl Fn(Id) -> u64, expected: Id) -> Result<(), Error> {
        let hash = hash_of(expected);
        let Found::Vacant(vacant) = slots.find(hash, |n| n == expected) else { panic!("{expected} is there already") };
        let (slot, number) = slots.place(hash, vacant, &hash_of)?;
        assert_eq!(number, expected);
        slots.fill_vacant(slot, number, hash);
        Ok(())
    }

    #[test]
    fn numbers_are_found_again_even_when_all_hashes_are_equal() {
        for spread in [0, 1, u64::MAX / 300] {
            let mut slots = Slots::new(&Memory::unlimited());
            let hash_of = |number: Id| u64::from(number) * spread;
            for number in 0..300 {
                add(&mut slots, hash_of, number).unwrap();
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
        while add(&mut slots, hash_of, count).is_ok() {
            count += 1;
        }
        assert!(count > 100 && memory.peak() <= 1000);
        assert_eq!(slots.bytes(), 4 * slots.slots.len() as u64);
        assert!((0..count).all(|number| slots.find(hash_of(number), |n| n == number) == Found::Old(number)));
    }

    #[test]
    fn neighbouring_words_spread() {
        for shift in 0..=52 {
            let mut homes: Vec<usize> = (0..4096u64).map(|word| home(stir(mix(0, word << shift)), 8192)).collect();
            homes.sort_unstable();
            homes.dedup();
            // Random hashes would leave about 3220 distinct places.
            assert!(homes.len() > 3000, "{} places for a shift of {shift}", homes.len());
        }
    }

    #[test]
    fn tags_spare_most_looks_at_wrong_keys() {
        let mut slots = Slots::new(&Memory::unlimited());
        let hash_of = |number: Id| mix(0, u64::from(number) * 256);
        (0..100_000).for_each(|number| add(&mut slots, hash_of, number).unwrap());
        let mut wrong = 0;
        for number in 0..100_000 {
            slots.find(hash_of(number), |n| {
                wrong += u32::from(n != number);
                n == number
            });
        }
        assert!(wrong < 200, "{wrong} wrong keys looked at");
    }

    #[test]
    fn masks_hold_every_number_plus_one() {
        for (count, mask) in [(16, 31), (17, 31), (31, 31), (32, 63), (1 << 31, u32::MAX), (5 << 30, u32::MAX)] {
            assert_eq!(number_mask(count), mask);
        }
        assert_eq!(number_mask(1 << 32), u32::MAX);
        assert_eq!(number_mask(1 << 40), u32::MAX);
    }
}
