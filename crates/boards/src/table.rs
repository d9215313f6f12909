//! The table of parts: each shape once, on its standard side, with its value.
//!
//! A part is looked up as it lies, so that it is turned only when it is met for the first time.

use engine::interner::{Id, Interner, Words};
use engine::memory::{Lease, Memory};
use engine::{Error, Limit};

use crate::bits::Bits;
use crate::frame::{Frame, Planes};

/// A part in the table, and whether the players are exchanged in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part(u32);

impl Part {
    fn new(id: Id, exchanged: bool) -> Part {
        Part(id << 1 | u32::from(exchanged))
    }

    /// Its number.
    #[inline]
    pub fn id(self) -> Id {
        self.0 >> 1
    }

    /// Whether it is the negative of the part with that number.
    #[inline]
    pub fn is_exchanged(self) -> bool {
        self.0 & 1 == 1
    }

    /// As a number, for lists of parts.
    pub fn raw(self) -> u32 {
        self.0
    }

    /// The part of a number.
    pub fn from_raw(raw: u32) -> Part {
        Part(raw)
    }
}

/// What is known of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known<V> {
    /// Nothing yet.
    Nothing,
    /// It is being valued: to meet it again means that play repeats.
    Open,
    /// Its value.
    Value(V),
}

/// All parts met so far.
pub struct Table<V> {
    seen: Interner<Words>,
    /// The standard side of each part that was seen.
    standard: Vec<Part>,
    values: Vec<Known<V>>,
    key: Vec<u64>,
    lease: Lease,
    distinct: u64,
}

impl<V: Copy> Table<V> {
    /// An empty table of parts of so many words.
    pub fn new(words: usize, memory: &Memory) -> Table<V> {
        Table {
            seen: Interner::<Words>::new(words, memory),
            standard: Vec::new(),
            values: Vec::new(),
            key: vec![0; words],
            lease: memory.lease(),
            distinct: 0,
        }
    }

    /// How many shapes are in the table.
    pub fn distinct(&self) -> u64 {
        self.distinct
    }

    /// The part of these planes, which lie in the corner.
    pub fn part<B: Bits>(&mut self, frame: &Frame<B>, planes: &Planes<B>) -> Result<Part, Error> {
        frame.pack(planes, &mut self.key);
        let (id, new) = self.seen.intern(&self.key)?;
        if new {
            self.add()?;
            let (standard, exchanged) = frame.standard(planes);
            if standard != *planes {
                frame.pack(&standard, &mut self.key);
                let (to, new) = self.seen.intern(&self.key)?;
                if new {
                    self.add()?;
                    self.distinct += 1;
                }
                // The standard side may have another standard side, if the turns are no group.
                let end = self.standard[to as usize];
                self.standard[id as usize] = Part::new(end.id(), end.is_exchanged() != exchanged);
            } else {
                self.distinct += 1;
            }
        }
        Ok(self.standard[id as usize])
    }

    /// The part of these planes, if it was met on any side.
    pub fn find<B: Bits>(&self, frame: &Frame<B>, planes: &Planes<B>) -> Option<Part> {
        let look = |planes: &Planes<B>| {
            let mut key = vec![0; self.key.len()];
            frame.pack(planes, &mut key);
            self.seen.find(&key).map(|id| self.standard[id as usize])
        };
        look(planes).or_else(|| {
            let (standard, exchanged) = frame.standard(planes);
            look(&standard).map(|part| Part::new(part.id(), part.is_exchanged() != exchanged))
        })
    }

    fn add(&mut self) -> Result<(), Error> {
        let id = self.standard.len() as Id;
        if id >= u32::MAX >> 1 {
            return Err(Error::Limit { limit: Limit::Positions, positions: u64::from(id) });
        }
        if self.standard.len() == self.standard.capacity() {
            let more = self.standard.capacity().max(64);
            self.lease.grow((more * (size_of::<Part>() + size_of::<Known<V>>())) as u64)?;
            self.standard.reserve_exact(more);
            self.values.reserve_exact(more);
        }
        self.standard.push(Part::new(id, false));
        self.values.push(Known::Nothing);
        Ok(())
    }

    /// The planes of a part.
    pub fn planes<B: Bits>(&mut self, frame: &Frame<B>, id: Id) -> Planes<B> {
        self.seen.key(id, &mut self.key);
        frame.unpack(&self.key)
    }

    /// What is known of a part.
    #[inline]
    pub fn known(&self, id: Id) -> Known<V> {
        self.values[id as usize]
    }

    /// Writes down what is known of a part.
    pub fn learn(&mut self, id: Id, known: Known<V>) {
        self.values[id as usize] = known;
    }
}
