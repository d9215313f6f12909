//! The table of parts in masks: each shape once, on its standard side.
//!
//! A part is looked up as it lies, so that it is turned only when it is met for the first time.

use engine::interner::{Id, Interner, Words};
use engine::memory::{Lease, Memory};
use engine::{Error, Limit};

use crate::bits::Bits;
use crate::descent::{Options, Part, PartGraph};
use crate::frame::{Frame, Planes, Scratch};
use crate::local::Grid;

/// How many parts are remembered as looked up lately: a quarter of a megabyte.
const LATELY: usize = 1 << 14;

/// All parts met so far, in a frame.
pub struct Table<B> {
    frame: Frame<B>,
    interner: Interner<Words>,
    /// The standard side of each part that was seen.
    standard: Vec<Part>,
    distinct: u64,
    /// At most so many shapes are met.
    pub(crate) most: u64,
    lease: Lease,
    /// Parts of one word that were looked up lately, by a few bits of it. Zero is no part.
    lately: Vec<(u64, Part)>,
    key: Vec<u64>,
    scratch: Scratch<B>,
    live: Vec<u32>,
    found: Vec<Planes<B>>,
}

impl<B: Bits> Table<B> {
    /// An empty table.
    pub fn new(frame: Frame<B>, memory: &Memory) -> Table<B> {
        let words = frame.words();
        Table {
            frame,
            interner: Interner::<Words>::new(words, memory),
            standard: Vec::new(),
            distinct: 0,
            most: u64::MAX,
            lease: memory.lease(),
            lately: if words == 1 { vec![(0, Part::new(0, false)); LATELY] } else { Vec::new() },
            key: vec![0; words],
            scratch: Scratch::default(),
            live: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The frame.
    pub fn frame(&self) -> &Frame<B> {
        &self.frame
    }

    /// The part of these planes, which lie in the corner.
    pub fn part(&mut self, planes: &Planes<B>) -> Result<Part, Error> {
        self.frame.pack(planes, &mut self.key);
        if self.lately.is_empty() {
            return self.looked_up(planes);
        }
        let word = self.key[0];
        let slot = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - LATELY.trailing_zeros())) as usize;
        if self.lately[slot].0 == word && word != 0 {
            return Ok(self.lately[slot].1);
        }
        let part = self.looked_up(planes)?;
        self.lately[slot] = (word, part);
        Ok(part)
    }

    /// The part of these planes, whose words are the key.
    fn looked_up(&mut self, planes: &Planes<B>) -> Result<Part, Error> {
        let (id, new) = self.interner.intern(&self.key)?;
        if new {
            self.add()?;
            let (standard, exchanged) = self.frame.standard(planes);
            if standard == *planes {
                self.distinct += 1;
            } else {
                self.frame.pack(&standard, &mut self.key);
                let (to, new) = self.interner.intern(&self.key)?;
                if new {
                    self.add()?;
                    self.distinct += 1;
                }
                self.standard[id as usize] = Part::new(to, exchanged);
            }
        }
        Ok(self.standard[id as usize])
    }

    /// The parts of a whole position, which are added to a list; whether the frame is as large as the board.
    pub fn whole(&mut self, board: Grid, position: &[u8], into: &mut Vec<Part>) -> Result<bool, Error> {
        let Some(planes) = self.frame.whole(board, position) else { return Ok(false) };
        let mut live = std::mem::take(&mut self.live);
        let mut found = std::mem::take(&mut self.found);
        if self.frame.splits_by_moves() {
            self.frame.live(&planes, &mut self.scratch, &mut live);
        }
        self.frame.split(&planes, &live, &mut self.scratch, &mut found);
        for planes in &found {
            into.push(self.part(planes)?);
        }
        (self.live, self.found) = (live, found);
        Ok(true)
    }

    /// The part of these planes, if it was met on any side.
    pub fn find(&self, planes: &Planes<B>) -> Option<Part> {
        let look = |planes: &Planes<B>| {
            let mut key = vec![0; self.key.len()];
            self.frame.pack(planes, &mut key);
            self.interner.find(&key).map(|id| self.standard[id as usize])
        };
        look(planes).or_else(|| {
            let (standard, exchanged) = self.frame.standard(planes);
            look(&standard).map(|part| Part::new(part.id(), part.is_exchanged() != exchanged))
        })
    }

    /// Makes room for one part more, its own standard side.
    fn add(&mut self) -> Result<(), Error> {
        let id = self.standard.len() as Id;
        if id >= u32::MAX >> 1 {
            return Err(Error::Limit { limit: Limit::Positions, positions: u64::from(id) });
        }
        if self.standard.len() == self.standard.capacity() {
            let more = self.standard.capacity().max(64);
            self.lease.grow((more * size_of::<Part>()) as u64)?;
            self.standard.reserve_exact(more);
        }
        self.standard.push(Part::new(id, false));
        Ok(())
    }
}

impl<B: Bits> PartGraph for Table<B> {
    fn expand(&mut self, part: Id, options: &mut Options) -> Result<(), Error> {
        if self.distinct > self.most {
            return Err(Error::NotApplicable(format!("more than {} parts", self.most)));
        }
        self.interner.key(part, &mut self.key);
        let planes = self.frame.unpack(&self.key);
        let mut live = std::mem::take(&mut self.live);
        let mut found = std::mem::take(&mut self.found);
        self.frame.live(&planes, &mut self.scratch, &mut live);
        for &mv in &live {
            if !self.frame.is_legal(mv, &planes) {
                continue;
            }
            let after = self.frame.after(mv, &planes);
            self.frame.split(&after, &live, &mut self.scratch, &mut found);
            options.begin(self.frame.owner(mv));
            for planes in &found {
                options.add(self.part(planes)?);
            }
        }
        self.live = live;
        self.found = found;
        Ok(())
    }

    fn met(&self) -> u64 {
        self.distinct
    }
}
