//! Numbers for positions of any length, such as the sorted parts of a sum.
//!
//! The same as [`crate::position_table`], for keys whose length varies: the items of all keys lie behind each other and a
//! second array says where each begins. Padding keys to the longest would waste most of the table, since sums shrink
//! as they are played.

use crate::error::Error;
use crate::graph::Id;
use crate::memory::Memory;
use crate::segmented::Segmented;
use crate::slots::{Found, Slots, mix};

/// A set of lists of numbers, numbered from 0 in order of discovery.
///
/// The table compares lists as they are: the caller sorts what has no order and adds a leading item for the turn.
#[derive(Debug)]
pub struct MultisetTable {
    items: Segmented<u32>,
    /// Where each key ends; it begins where the one before ends.
    ends: Segmented<u64>,
    slots: Slots,
}

impl MultisetTable {
    /// An empty table.
    pub fn new(memory: &Memory) -> MultisetTable {
        MultisetTable { items: Segmented::new(memory), ends: Segmented::new(memory), slots: Slots::new(memory) }
    }

    /// How many keys have a number.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What the table takes now.
    pub fn bytes(&self) -> u64 {
        self.items.bytes() + self.ends.bytes() + self.slots.bytes()
    }

    /// The number of a key, and whether it is new. An error leaves the table as it was.
    pub fn intern(&mut self, key: &[u32]) -> Result<(Id, bool), Error> {
        let hash = hash(key.iter().copied());
        match self.look_up(hash, key) {
            Found::Old(id) => Ok((id, false)),
            Found::Vacant(vacant) => Ok((self.add(hash, vacant, key)?, true)),
        }
    }

    /// The number of a key, if it has one.
    pub fn find(&self, key: &[u32]) -> Option<Id> {
        match self.look_up(hash(key.iter().copied()), key) {
            Found::Old(id) => Some(id),
            Found::Vacant(_) => None,
        }
    }

    /// Writes out the key with this number, in the place of what `into` held.
    ///
    /// # Panics
    /// If there is none.
    pub fn key(&self, id: Id, into: &mut Vec<u32>) {
        let (start, end) = range(&self.ends, id);
        into.clear();
        into.resize(end - start, 0);
        self.items.read(start, into);
    }

    fn look_up(&self, hash: u64, key: &[u32]) -> Found {
        self.slots.find(hash, |id| {
            let (start, end) = range(&self.ends, id);
            end - start == key.len() && self.items.matches(start, key)
        })
    }

    fn add(&mut self, hash_of_key: u64, vacant: usize, key: &[u32]) -> Result<Id, Error> {
        let (items, ends) = (&self.items, &self.ends);
        let hash_of = |id: Id| {
            let (start, end) = range(ends, id);
            hash((start..end).map(|index| items.get(index)))
        };
        let (slot, id) = self.slots.place(hash_of_key, vacant, hash_of)?;
        let start = self.items.len();
        let added = self.items.extend(key).and_then(|()| self.ends.push(self.items.len() as u64));
        if let Err(error) = added {
            self.items.truncate(start);
            return Err(error);
        }
        self.slots.fill_vacant(slot, id, hash_of_key);
        Ok(id)
    }
}

/// Where the items of a key begin and end.
fn range(ends: &Segmented<u64>, id: Id) -> (usize, usize) {
    let end = ends.get(id as usize) as usize;
    let start = if id == 0 { 0 } else { ends.get(id as usize - 1) as usize };
    (start, end)
}

/// Two items a word; a last odd one is marked, so that a list and the same list with a 0 behind it differ.
fn hash(mut items: impl Iterator<Item = u32>) -> u64 {
    let mut hash = 0;
    while let Some(low) = items.next() {
        match items.next() {
            Some(high) => hash = mix(hash, u64::from(low) | u64::from(high) << 32),
            None => return mix(hash.rotate_left(1), u64::from(low)),
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn agrees_with_a_hash_map() {
        let memory = Memory::unlimited();
        let mut table = MultisetTable::new(&memory);
        let mut map: HashMap<Vec<u32>, Id> = HashMap::new();
        let mut seed = 1u64;
        for _ in 0..100_000 {
            seed = mix(seed, 3);
            let key: Vec<u32> = (0..seed % 7).map(|k| (seed >> (8 * k + 3)) as u32 % 5).collect();
            let next = map.len() as Id;
            let known = map.get(&key).copied();
            assert_eq!(table.find(&key), known);
            assert_eq!(table.intern(&key).unwrap(), (known.unwrap_or(next), known.is_none()));
            map.insert(key, known.unwrap_or(next));
        }
        let mut back = vec![9];
        for (key, id) in &map {
            table.key(*id, &mut back);
            assert_eq!(&back, key);
        }
        assert_eq!((table.len(), table.bytes()), (map.len(), memory.used()));
    }

    #[test]
    fn keys_longer_than_a_segment() {
        let mut table = MultisetTable::new(&Memory::unlimited());
        let long: Vec<u32> = (0..200_000).collect();
        let longer: Vec<u32> = (0..200_001).collect();
        assert_eq!(table.intern(&long).unwrap(), (0, true));
        assert_eq!(table.intern(&longer).unwrap(), (1, true));
        assert_eq!(table.intern(&[]).unwrap(), (2, true));
        assert_eq!((table.find(&long), table.find(&longer), table.find(&[])), (Some(0), Some(1), Some(2)));
        let mut back = Vec::new();
        table.key(1, &mut back);
        assert_eq!(back, longer);
    }

    #[test]
    fn a_limit_leaves_the_table_whole() {
        for limit in [0, 63, 64, 300, 1000, 10_000, 300_000] {
            let memory = Memory::new(limit);
            let mut table = MultisetTable::new(&memory);
            let key = |i: u32| (0..i % 9).map(|k| i + k).collect::<Vec<u32>>();
            let mut count = 1;
            while table.intern(&key(count)).is_ok() {
                count += 1;
            }
            assert!(memory.peak() <= limit);
            let len = table.len() as Id;
            assert!((1..count).all(|i| table.find(&key(i)).is_some_and(|id| id < len)));
        }
    }
}
