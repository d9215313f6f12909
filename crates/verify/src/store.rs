//! Positions by number: each key is kept once and gets the next number.
//!
//! Keys are short lists of 32-bit words. They stand one behind the other in one list, and a table of numbers finds them again:
//! 16 to 24 bytes a position beside its words, charged before they are taken. Keys come from a file that anybody may have made,
//! so the hash has a secret seed.

use std::hash::{BuildHasher, RandomState};

use rules::stop::Stopped;

use crate::charged::Charged;

/// The number of a position, counted from 0.
pub type Id = u32;

const EMPTY: Id = Id::MAX;

/// Keys with their numbers.
pub struct Store {
    words: Charged<u32>,
    /// Where each key ends.
    ends: Charged<u64>,
    slots: Charged<Id>,
    seed: RandomState,
}

impl Store {
    /// An empty store.
    pub fn new() -> Store {
        Store { words: Charged::new(), ends: Charged::new(), slots: Charged::new(), seed: RandomState::new() }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// A key.
    pub fn key(&self, id: Id) -> &[u32] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.words[start as usize..self.ends[id] as usize]
    }

    /// The number of a key that is there.
    pub fn find(&self, key: &[u32]) -> Option<Id> {
        if self.slots.is_empty() {
            return None;
        }
        let id = self.slots[self.slot(key)];
        (id != EMPTY).then_some(id)
    }

    /// The number of a key, which is added where it is new.
    pub fn enter(&mut self, key: &[u32]) -> Result<Id, Stopped> {
        if self.slots.len() * 2 <= self.len() * 3 {
            self.rehash()?;
        }
        let slot = self.slot(key);
        if self.slots[slot] != EMPTY {
            return Ok(self.slots[slot]);
        }
        let id = Id::try_from(self.len()).ok().filter(|id| *id != EMPTY);
        let id = id.ok_or(Stopped::Memory { limit: u64::MAX, needed: u64::MAX })?;
        self.words.extend(key)?;
        self.ends.push(self.words.len() as u64)?;
        self.slots[slot] = id;
        Ok(id)
    }

    /// Where a key is, or would be. One place in three is empty.
    fn slot(&self, key: &[u32]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.seed.hash_one(key) as usize & mask;
        while self.slots[slot] != EMPTY && self.key(self.slots[slot]) != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn rehash(&mut self) -> Result<(), Stopped> {
        let length = (self.slots.len() * 2).max(64);
        let mut slots = Charged::new();
        slots.fill_to(length, EMPTY)?;
        self.slots = slots;
        for id in 0..self.len() as Id {
            let slot = self.slot(self.key(id));
            self.slots[slot] = id;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_numbers_in_order() {
        let mut store = Store::new();
        for n in 0..5000u32 {
            let key: Vec<u32> = (0..n % 4).map(|i| n * 7 + i).chain([n]).collect();
            assert_eq!(store.find(&key), None);
            assert_eq!(store.enter(&key).unwrap(), n);
            assert_eq!(store.enter(&key).unwrap(), n);
            assert_eq!(store.key(n), key);
        }
        assert_eq!(store.len(), 5000);
        assert_eq!(store.find(&[4999 * 7, 4999 * 7 + 1, 4999 * 7 + 2, 4999]), Some(4999));
    }
}
