//! Numbers for positions: each position is kept once, in order of discovery, and found again by its hash.
//!
//! The keys lie in a store of their own ([`Keys`]), so that a number can be turned back into its position; a hash index of
//! numbers finds them. A standard hash map would hold the key beside its number and waste a part of every bucket: with one
//! word a position it takes 19 to 39 bytes where this takes 13 to 16.
//!
//! There are three stores: [`Words`] for positions of a fixed number of words, [`Lists`] for those whose length varies,
//! [`Values`] for positions that are Rust values.

mod keys;
mod slots;

pub use keys::{Keys, Lists, Values, Words};
pub use slots::Id;

use std::borrow::Borrow;

use crate::error::Error;
use crate::memory::Memory;
use slots::{Found, Slots};

/// A set of positions, numbered from 0 in order of discovery.
#[derive(Debug)]
pub struct Interner<K> {
    keys: K,
    slots: Slots,
}

impl<K: Keys> Interner<K> {
    fn with_keys(keys: K, memory: &Memory) -> Interner<K> {
        Interner { keys, slots: Slots::new(memory) }
    }

    /// How many positions have a number.
    #[inline]
    pub fn len(&self) -> usize {
        self.slots.used()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the table takes now.
    pub fn bytes(&self) -> u64 {
        self.keys.bytes() + self.slots.bytes()
    }

    /// The number of a position, and whether it is new. An error leaves the table as it was.
    ///
    /// # Panics
    /// If the key does not fit the store: [`Words`] have a fixed number.
    #[inline]
    pub fn intern(&mut self, key: K::New<'_>) -> Result<(Id, bool), Error> {
        assert!(self.keys.fits(key.borrow()), "a key of the wrong width");
        let hash = K::hash(key.borrow());
        match self.look_up(hash, key.borrow()) {
            Found::Old(id) => Ok((id, false)),
            Found::Vacant(vacant) => Ok((self.add(hash, vacant, key)?, true)),
        }
    }

    /// The number of a position, if it has one.
    #[inline]
    pub fn find(&self, key: &K::Key) -> Option<Id> {
        if !self.keys.fits(key) {
            return None;
        }
        match self.look_up(K::hash(key), key) {
            Found::Old(id) => Some(id),
            Found::Vacant(_) => None,
        }
    }

    #[inline]
    fn look_up(&self, hash: u64, key: &K::Key) -> Found {
        self.slots.find(hash, |id| self.keys.matches(id as usize, key))
    }

    fn add(&mut self, hash: u64, vacant: usize, key: K::New<'_>) -> Result<Id, Error> {
        let keys = &self.keys;
        let (slot, id) = self.slots.place(hash, vacant, |id| keys.hash_of(id as usize))?;
        self.keys.push(id as usize, key)?;
        self.slots.fill_vacant(slot, id, hash);
        Ok(id)
    }
}

impl Interner<Words> {
    /// An empty table for keys of `words` words. 0 is a game with one position.
    pub fn new(words: usize, memory: &Memory) -> Interner<Words> {
        Interner::with_keys(Words::new(words, memory), memory)
    }

    /// How many words a key has.
    pub fn words(&self) -> usize {
        self.keys.words()
    }

    /// Writes out the position with this number.
    ///
    /// # Panics
    /// If there is none, or `into` has not [`Interner::words`] words.
    #[inline]
    pub fn key(&self, id: Id, into: &mut [u64]) {
        assert!(into.len() == self.words() && (id as usize) < self.len());
        self.keys.read(id as usize, into);
    }
}

impl Interner<Lists> {
    /// An empty table of lists. They are compared as they are: the caller sorts what has no order and adds a leading item
    /// for the turn.
    pub fn new(memory: &Memory) -> Interner<Lists> {
        Interner::with_keys(Lists::new(memory), memory)
    }

    /// Writes out the list with this number, in the place of what `into` held.
    ///
    /// # Panics
    /// If there is none.
    pub fn key(&self, id: Id, into: &mut Vec<u32>) {
        self.keys.read(id as usize, into);
    }
}

impl<P: std::hash::Hash + Eq> Interner<Values<P>> {
    /// An empty table of Rust values. What a value keeps on the heap is not counted against the memory limit, its own
    /// size is.
    pub fn new(memory: &Memory) -> Interner<Values<P>> {
        Interner::with_keys(Values::new(memory), memory)
    }

    /// The position with this number.
    ///
    /// # Panics
    /// If there is none.
    pub fn key(&self, id: Id) -> &P {
        self.keys.at(id as usize)
    }
}

#[cfg(test)]
mod tests;
