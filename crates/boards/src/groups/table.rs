//! The table of groups: positions of each kind once, and what each falls into.

use std::sync::Arc;

use engine::interner::{Id, Interner, Lists};
use engine::memory::{Lease, Memory};
use engine::{Error, Limit};

use super::fall;
use super::kind::{Kind, Room, Trouble};
use super::kinds::{KindId, Kinds, Piece, ROOT};
use crate::descent::{Options, Part, PartGraph};

/// A part has so many options at the most.
const MOST_OPTIONS: usize = 1 << 22;

/// What a position of a kind is: a part by itself, or other parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Whole,
    Falls { from: u32, to: u32 },
}

/// A group of a whole position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// Its cells, ascending.
    pub cells: Vec<u32>,
    pub kind: KindId,
}

/// All groups met so far.
pub(super) struct Table {
    pub kinds: Kinds,
    interner: Interner<Lists>,
    standing: Vec<Standing>,
    falls: Vec<Part>,
    wholes: u64,
    /// At most so many parts are met.
    pub most: u64,
    lease: Lease,
    key: Vec<u32>,
    ranges: fall::Room,
    room: Room,
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Error {
        Error::NotApplicable(match trouble {
            Trouble::Fault => "a move may be a fault".to_string(),
            Trouble::TooMany => "a part has too many moves".to_string(),
        })
    }
}

impl Table {
    pub fn new(kinds: Kinds, memory: &Memory) -> Table {
        Table {
            kinds,
            interner: Interner::<Lists>::new(memory),
            standing: Vec::new(),
            falls: Vec::new(),
            wholes: 0,
            most: u64::MAX,
            lease: memory.lease(),
            key: Vec::new(),
            ranges: fall::Room::default(),
            room: Room::default(),
        }
    }

    /// The groups of a whole position.
    pub fn placed(&mut self, position: &[i64]) -> Result<Vec<Placed>, Error> {
        let root = Arc::clone(self.kinds.get(ROOT));
        let mut placed = Vec::new();
        for group in fall::groups(&root, position, &mut self.ranges) {
            let fall::Group { cells, rules, faultless, settled } = group;
            let piece = Piece { of: ROOT, cells: cells.clone(), rules, faultless, settled };
            placed.push(Placed { cells, kind: self.kinds.kind(piece).map_err(Error::NotApplicable)? });
        }
        Ok(placed)
    }

    /// The parts of a position of a kind.
    pub fn parts(&mut self, kind: KindId, values: &[i64], into: &mut Vec<Part>) -> Result<(), Error> {
        let id = self.met(kind, values)?;
        self.stand(id, into);
        Ok(())
    }

    fn stand(&self, id: Id, into: &mut Vec<Part>) {
        match self.standing[id as usize] {
            Standing::Whole => into.push(Part::new(id, false)),
            Standing::Falls { from, to } => into.extend_from_slice(&self.falls[from as usize..to as usize]),
        }
    }

    fn number(&mut self, kind: KindId, values: &[i64]) -> Result<(Id, bool), Error> {
        let domains = &self.kinds.get(kind).domains;
        self.key.clear();
        self.key.push(kind);
        // Domains are narrow enough, see `Cut`.
        self.key.extend(values.iter().zip(domains).map(|(value, domain)| value.wrapping_sub(domain.low) as u32));
        let (id, new) = self.interner.intern(&self.key)?;
        if id >= u32::MAX >> 1 {
            return Err(Error::Limit { limit: Limit::Positions, positions: u64::from(id) });
        }
        if new {
            if self.standing.len() == self.standing.capacity() {
                let more = self.standing.capacity().max(64);
                self.lease.grow((more * size_of::<Standing>()) as u64)?;
                self.standing.reserve_exact(more);
            }
            self.standing.push(Standing::Whole);
        }
        Ok((id, new))
    }

    /// The number of a position of a kind, whose standing is then known.
    fn met(&mut self, kind: KindId, values: &[i64]) -> Result<Id, Error> {
        let (id, new) = self.number(kind, values)?;
        if !new {
            return Ok(id);
        }
        let of = Arc::clone(self.kinds.get(kind));
        if of.domains.len() == 1 {
            self.wholes += 1;
            return Ok(id);
        }
        let groups = fall::groups(&of, values, &mut self.ranges);
        if let [only] = &groups[..]
            && only.cells.len() == of.domains.len()
        {
            self.wholes += 1;
            return Ok(id);
        }
        let mut parts = Vec::new();
        for fall::Group { cells, rules, faultless, settled } in groups {
            let held: Vec<i64> = cells.iter().map(|cell| values[*cell as usize]).collect();
            let kind =
                self.kinds.kind(Piece { of: kind, cells, rules, faultless, settled }).map_err(Error::NotApplicable)?;
            let (part, new) = self.number(kind, &held)?;
            self.wholes += u64::from(new);
            self.stand(part, &mut parts);
        }
        let from = self.falls.len() as u32;
        self.lease.grow((parts.len() * size_of::<Part>()) as u64)?;
        self.falls.extend(parts);
        self.standing[id as usize] = Standing::Falls { from, to: self.falls.len() as u32 };
        Ok(id)
    }

    /// The kind and the values of a part.
    pub fn held(&mut self, part: Id) -> (Arc<Kind>, KindId, Vec<i64>) {
        let mut key = std::mem::take(&mut self.key);
        self.interner.key(part, &mut key);
        let kind = key.first().copied().unwrap_or(ROOT);
        let of = Arc::clone(self.kinds.get(kind));
        let values = key[1..].iter().zip(&of.domains).map(|(offset, domain)| domain.low + i64::from(*offset)).collect();
        self.key = key;
        (of, kind, values)
    }
}

impl PartGraph for Table {
    fn expand(&mut self, part: Id, options: &mut Options) -> Result<(), Error> {
        if self.wholes > self.most {
            return Err(Error::NotApplicable(format!("more than {} parts", self.most)));
        }
        let (of, kind, values) = self.held(part);
        let mut room = std::mem::take(&mut self.room);
        let mut parts = Vec::new();
        let expanded = of.expand(&values, &mut room, MOST_OPTIONS, &mut |owner, after| {
            parts.clear();
            self.parts(kind, after, &mut parts)?;
            options.begin(owner);
            parts.iter().for_each(|part| options.add(*part));
            Ok(())
        });
        self.room = room;
        expanded
    }

    fn met(&self) -> u64 {
        self.wholes
    }
}
