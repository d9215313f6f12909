//! Numbers for positions that are written in a fixed number of words.
//!
//! Each packed position is kept once, in order of discovery; a hash index of numbers ([`Slots`]) finds it again. A standard
//! hash map would hold the key beside its number and waste a part of every bucket: with one word a position it takes
//! 19 to 39 bytes where this takes 13 to 16, and only this way round can a number be turned back into its position.

use crate::error::Error;
use crate::graph::Id;
use crate::memory::Memory;
use crate::segmented::Segmented;
use crate::slots::{Found, Slots, mix};

/// A set of packed positions, numbered from 0 in order of discovery.
#[derive(Debug)]
pub struct PositionTable {
    words: usize,
    len: usize,
    keys: Segmented<u64>,
    slots: Slots,
}

impl PositionTable {
    /// An empty table for keys of `words` words. 0 is a game with one position.
    pub fn new(words: usize, memory: &Memory) -> PositionTable {
        PositionTable { words, len: 0, keys: Segmented::new(memory), slots: Slots::new(memory) }
    }

    /// How many words a key has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How many positions have a number.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What the table takes now.
    pub fn bytes(&self) -> u64 {
        self.keys.bytes() + self.slots.bytes()
    }

    /// The number of a position, and whether it is new. An error leaves the table as it was.
    ///
    /// # Panics
    /// If the key has not [`PositionTable::words`] words.
    #[inline]
    pub fn intern(&mut self, key: &[u64]) -> Result<(Id, bool), Error> {
        assert_eq!(key.len(), self.words, "a key of the wrong width");
        let hash = hash(key.iter().copied());
        match self.look_up(hash, key) {
            Found::Old(id) => Ok((id, false)),
            Found::Vacant(vacant) => Ok((self.add(hash, vacant, key)?, true)),
        }
    }

    /// The number of a position, if it has one.
    #[inline]
    pub fn find(&self, key: &[u64]) -> Option<Id> {
        if key.len() != self.words {
            return None;
        }
        match self.look_up(hash(key.iter().copied()), key) {
            Found::Old(id) => Some(id),
            Found::Vacant(_) => None,
        }
    }

    /// Writes out the position with this number.
    ///
    /// # Panics
    /// If there is none, or `into` has not [`PositionTable::words`] words.
    #[inline]
    pub fn key(&self, id: Id, into: &mut [u64]) {
        assert!(into.len() == self.words && (id as usize) < self.len);
        self.keys.read(id as usize * self.words, into);
    }

    #[inline]
    fn look_up(&self, hash: u64, key: &[u64]) -> Found {
        self.slots.find(hash, |id| self.keys.matches(id as usize * self.words, key))
    }

    fn add(&mut self, hash_of_key: u64, vacant: usize, key: &[u64]) -> Result<Id, Error> {
        let (words, keys) = (self.words, &self.keys);
        let hash_of = |id: Id| hash((0..words).map(|k| keys.get(id as usize * words + k)));
        let (slot, id) = self.slots.place(hash_of_key, vacant, hash_of)?;
        if let Err(error) = self.keys.extend(key) {
            self.keys.truncate(self.len * self.words);
            return Err(error);
        }
        self.slots.fill_vacant(slot, id, hash_of_key);
        self.len += 1;
        Ok(id)
    }
}

#[inline]
fn hash(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, mix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Limit;
    use std::collections::HashMap;

    #[test]
    fn agrees_with_a_hash_map() {
        for words in 1..=5 {
            let memory = Memory::unlimited();
            let mut table = PositionTable::new(words, &memory);
            let mut map: HashMap<Vec<u64>, Id> = HashMap::new();
            let mut seed = 1u64;
            for _ in 0..200_000 / words {
                let key: Vec<u64> = (0..words)
                    .map(|_| {
                        seed = mix(seed, 7);
                        (seed % 40) << (seed >> 60)
                    })
                    .collect();
                let next = map.len() as Id;
                let known = map.get(&key).copied();
                assert_eq!(table.find(&key), known);
                assert_eq!(table.intern(&key).unwrap(), (known.unwrap_or(next), known.is_none()));
                map.insert(key, known.unwrap_or(next));
            }
            assert_eq!(table.len(), map.len());
            let mut back = vec![0; words];
            for (key, id) in &map {
                table.key(*id, &mut back);
                assert_eq!(&back, key);
                assert_eq!(table.find(key), Some(*id));
            }
            assert_eq!(memory.used(), table.bytes());
        }
    }

    #[test]
    fn one_position_needs_no_word() {
        let mut table = PositionTable::new(0, &Memory::unlimited());
        assert_eq!(table.find(&[]), None);
        assert_eq!(table.intern(&[]).unwrap(), (0, true));
        assert_eq!(table.intern(&[]).unwrap(), (0, false));
        assert_eq!((table.len(), table.find(&[])), (1, Some(0)));
        table.key(0, &mut []);
    }

    #[test]
    fn a_position_of_one_word_costs_less_than_16_bytes() {
        let mut table = PositionTable::new(1, &Memory::unlimited());
        for i in 0..1_000_000u64 {
            table.intern(&[i * i]).unwrap();
            if i % 100_000 == 99_999 {
                let each = (table.bytes() - 65536 * 8) as f64 / (i + 1) as f64;
                assert!((8.0..16.0).contains(&each), "{each} bytes a position at {i}");
            }
        }
    }

    #[test]
    fn a_limit_leaves_the_table_whole() {
        for limit in [0, 50, 64, 500, 1000, 5000, 100_000, 1_000_000] {
            let memory = Memory::new(limit);
            let mut table = PositionTable::new(3, &memory);
            let mut count = 0u64;
            let error = loop {
                match table.intern(&[count, 5, count / 3]) {
                    Ok(_) => count += 1,
                    Err(error) => break error,
                }
            };
            assert!(matches!(error, Error::Limit { limit: Limit::Memory { .. }, .. }));
            assert!(memory.peak() <= limit);
            assert_eq!(table.len() as u64, count);
            for i in 0..count {
                assert_eq!(table.intern(&[i, 5, i / 3]).unwrap(), (i as Id, false));
            }
            assert!(table.intern(&[count, 5, count / 3]).is_err());
        }
    }

    #[test]
    fn a_key_cut_off_by_a_limit_can_be_added_later() {
        for held in (0..4000).step_by(24) {
            let memory = Memory::new(4000);
            let mut table = PositionTable::new(3, &memory);
            let mut hold = memory.lease();
            hold.grow(held).unwrap();
            let key = |i: u64| [i, i + 1, i * i];
            let cut = (0..).find(|&i| table.intern(&key(i)).is_err()).unwrap();
            drop(hold);
            let mut back = [0; 3];
            for i in 0..=cut + 1 {
                let Ok((id, new)) = table.intern(&key(i)) else { break };
                assert_eq!((u64::from(id), new), (i, i >= cut));
                table.key(id, &mut back);
                assert_eq!(back, key(i));
            }
        }
    }
}
