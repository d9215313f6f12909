//! Where the keys of an interner lie: words, lists, or Rust values.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::error::Error;
use crate::memory::Memory;
use crate::segmented::Segmented;

/// A store of keys, in the order in which they were added.
pub trait Keys {
    /// A key, as it is looked up.
    type Key: ?Sized;
    /// A key, as it is added.
    type New<'k>: Borrow<Self::Key>;

    /// The hash of a key.
    fn hash(key: &Self::Key) -> u64;

    /// Whether a key can be in this store at all.
    #[inline]
    fn fits(&self, _: &Self::Key) -> bool {
        true
    }

    /// The hash of the key at a place.
    fn hash_of(&self, place: usize) -> u64;

    /// Whether this is the key at a place.
    fn matches(&self, place: usize, key: &Self::Key) -> bool;

    /// Adds a key at the end, which is this place. An error leaves the store as it was.
    fn push(&mut self, place: usize, key: Self::New<'_>) -> Result<(), Error>;

    /// What the store takes now.
    fn bytes(&self) -> u64;
}

/// Keys of a fixed number of words, one behind the other.
#[derive(Debug)]
pub struct Words {
    words: usize,
    items: Segmented<u64>,
}

impl Words {
    pub(super) fn new(words: usize, memory: &Memory) -> Words {
        Words { words, items: Segmented::new(memory) }
    }

    #[inline]
    pub(super) fn words(&self) -> usize {
        self.words
    }

    #[inline]
    pub(super) fn read(&self, place: usize, into: &mut [u64]) {
        self.items.read(place * self.words, into);
    }
}

impl Keys for Words {
    type Key = [u64];
    type New<'k> = &'k [u64];

    #[inline]
    fn hash(key: &[u64]) -> u64 {
        key.iter().copied().fold(0, mix)
    }

    #[inline]
    fn fits(&self, key: &[u64]) -> bool {
        key.len() == self.words
    }

    fn hash_of(&self, place: usize) -> u64 {
        (0..self.words).map(|word| self.items.get(place * self.words + word)).fold(0, mix)
    }

    #[inline]
    fn matches(&self, place: usize, key: &[u64]) -> bool {
        self.items.matches(place * self.words, key)
    }

    fn push(&mut self, place: usize, key: &[u64]) -> Result<(), Error> {
        let added = self.items.extend(key);
        if added.is_err() {
            self.items.truncate(place * self.words);
        }
        added
    }

    fn bytes(&self) -> u64 {
        self.items.bytes()
    }
}

/// Lists of any length, such as the sorted parts of a sum. The items of all lists lie behind each other and a second
/// array says where each ends: to pad them to the longest would waste most of the table, since sums shrink in play.
#[derive(Debug)]
pub struct Lists {
    items: Segmented<u32>,
    /// Where each list ends; it begins where the one before ends.
    ends: Segmented<u64>,
}

impl Lists {
    pub(super) fn new(memory: &Memory) -> Lists {
        Lists { items: Segmented::new(memory), ends: Segmented::new(memory) }
    }

    pub(super) fn read(&self, place: usize, into: &mut Vec<u32>) {
        let (start, end) = self.range(place);
        into.clear();
        into.resize(end - start, 0);
        self.items.read(start, into);
    }

    /// Where the items of a list begin and end.
    #[inline]
    fn range(&self, place: usize) -> (usize, usize) {
        let start = if place == 0 { 0 } else { self.ends.get(place - 1) as usize };
        (start, self.ends.get(place) as usize)
    }
}

impl Keys for Lists {
    type Key = [u32];
    type New<'k> = &'k [u32];

    #[inline]
    fn hash(key: &[u32]) -> u64 {
        hash_items(key.iter().copied())
    }

    fn hash_of(&self, place: usize) -> u64 {
        let (start, end) = self.range(place);
        hash_items((start..end).map(|index| self.items.get(index)))
    }

    #[inline]
    fn matches(&self, place: usize, key: &[u32]) -> bool {
        let (start, end) = self.range(place);
        end - start == key.len() && self.items.matches(start, key)
    }

    fn push(&mut self, _: usize, key: &[u32]) -> Result<(), Error> {
        let start = self.items.len();
        let added = self.items.extend(key).and_then(|()| self.ends.push(self.items.len() as u64));
        if added.is_err() {
            self.items.truncate(start);
        }
        added
    }

    fn bytes(&self) -> u64 {
        self.items.bytes() + self.ends.bytes()
    }
}

/// Positions that are Rust values.
#[derive(Debug)]
pub struct Values<P> {
    values: Segmented<P>,
}

impl<P> Values<P> {
    pub(super) fn new(memory: &Memory) -> Values<P> {
        Values { values: Segmented::new(memory) }
    }

    pub(super) fn at(&self, place: usize) -> &P {
        self.values.at(place)
    }
}

impl<P: Hash + Eq> Keys for Values<P> {
    type Key = P;
    type New<'k> = P;

    fn hash(key: &P) -> u64 {
        let mut hasher = FxHasher::default();
        key.hash(&mut hasher);
        hasher.finish()
    }

    fn hash_of(&self, place: usize) -> u64 {
        Self::hash(self.values.at(place))
    }

    fn matches(&self, place: usize, key: &P) -> bool {
        self.values.at(place) == key
    }

    fn push(&mut self, _: usize, key: P) -> Result<(), Error> {
        self.values.push(key)
    }

    fn bytes(&self) -> u64 {
        self.values.bytes()
    }
}

/// The folded multiply: both halves of a 128-bit product, so that high and low bits of the word move the whole result.
#[inline]
pub(super) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word ^ 0x2d35_8dcc_aa6c_78a5) * 0x9e37_79b9_7f4a_7c15;
    (product as u64) ^ (product >> 64) as u64
}

/// Two items a word; a last odd one is marked, so that a list and the same list with a 0 behind it differ.
fn hash_items(mut items: impl Iterator<Item = u32>) -> u64 {
    let mut hash = 0;
    while let Some(low) = items.next() {
        match items.next() {
            Some(high) => hash = mix(hash, u64::from(low) | u64::from(high) << 32),
            None => return mix(hash.rotate_left(1), u64::from(low)),
        }
    }
    hash
}
