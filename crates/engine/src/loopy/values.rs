//! The loopy nimbers of all positions, in a word each: a nimber, or the number of a set that is kept once.

use std::borrow::Cow;
use std::rc::Rc;

use game::{LoopyNimber, Nimber, NimberSet, Verdict};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::graph::Id;
use crate::memory::{Lease, Memory};
use crate::segmented::Segmented;

/// Not valued yet.
const UNKNOWN: u32 = u32::MAX;
/// Set where the value is infinite; the rest is the number of its set.
const INFINITE: u32 = 1 << 31;

/// A value that is looked at and not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value<'v> {
    Finite(Nimber),
    Infinite(Cow<'v, NimberSet>),
}

impl Value<'_> {
    /// Whether who moves there can move to this nimber.
    pub fn has_option(&self, nimber: Nimber) -> bool {
        match self {
            Value::Finite(own) => nimber < *own,
            Value::Infinite(set) => set.contains(nimber),
        }
    }
}

/// The loopy nimbers of all positions. Sets are kept once, however many positions have them.
#[derive(Debug)]
pub struct LoopyValues {
    codes: Segmented<u32>,
    ranks: Segmented<u32>,
    labelled: u32,
    sets: Vec<Rc<NimberSet>>,
    numbers: FxHashMap<Rc<NimberSet>, u32>,
    room: Lease,
}

impl LoopyValues {
    pub(super) fn new(positions: usize, memory: &Memory) -> Result<LoopyValues, Error> {
        let (mut codes, mut ranks) = (Segmented::new(memory), Segmented::new(memory));
        codes.grow_to(positions, UNKNOWN)?;
        ranks.grow_to(positions, u32::MAX)?;
        let (sets, numbers) = (Vec::new(), FxHashMap::default());
        Ok(LoopyValues { codes, ranks, labelled: 0, sets, numbers, room: memory.lease() })
    }

    /// The value of a position; `None` if it was not met.
    pub fn get(&self, position: Id) -> Option<LoopyNimber> {
        match self.value(position)? {
            Value::Finite(nimber) => Some(LoopyNimber::Finite(nimber)),
            Value::Infinite(set) => Some(LoopyNimber::Infinite(set.into_owned())),
        }
    }

    /// What a position is worth; `None` if it was not met.
    pub fn verdict(&self, position: Id) -> Option<Verdict> {
        self.get(position).map(Verdict::from)
    }

    /// Which position it was, in the order in which labels were given; `u32::MAX` where the value is infinite.
    ///
    /// From a position with nimber m, every move leads to a nimber below m and a lower rank, or can be answered by a move to
    /// nimber m and a lower rank; and every nimber below m has an option of lower rank. Where an option is a sum, all its
    /// parts have lower ranks. So whoever wins a sum of nimbers can make its ranks fall, and wins in the end.
    pub fn rank(&self, position: Id) -> u32 {
        self.ranks.get(position as usize)
    }

    /// How many different sets the infinite values have.
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// The value of a position, if it is known.
    pub(super) fn value(&self, position: Id) -> Option<Value<'_>> {
        if position as usize >= self.codes.len() {
            return None;
        }
        match self.codes.get(position as usize) {
            UNKNOWN => None,
            code if code & INFINITE == 0 => Some(Value::Finite(code.into())),
            code => Some(Value::Infinite(Cow::Borrowed(&self.sets[(code ^ INFINITE) as usize]))),
        }
    }

    /// The value of a sum of positions, if all are known.
    pub(super) fn sum(&self, mut parts: impl Iterator<Item = Id>) -> Option<Value<'_>> {
        let Some(first) = parts.next() else { return Some(Value::Finite(0)) };
        let mut sum = self.value(first)?;
        for part in parts {
            sum = match (sum, self.value(part)?) {
                (Value::Finite(a), Value::Finite(b)) => Value::Finite(a ^ b),
                (Value::Infinite(set), Value::Finite(0)) | (Value::Finite(0), Value::Infinite(set)) => {
                    Value::Infinite(set)
                }
                (Value::Infinite(set), Value::Finite(nimber)) | (Value::Finite(nimber), Value::Infinite(set)) => {
                    Value::Infinite(Cow::Owned(set.plus(nimber)))
                }
                (Value::Infinite(_), Value::Infinite(_)) => Value::Infinite(Cow::Owned(NimberSet::default())),
            };
        }
        Some(sum)
    }

    /// Labels a position, after all that were labelled before it.
    pub(super) fn set_finite(&mut self, position: Id, nimber: Nimber) -> Result<(), Error> {
        if nimber >= Nimber::from(INFINITE) {
            return Err(Error::NotApplicable("a nimber does not fit in 31 bits".to_string()));
        }
        self.codes.set(position as usize, nimber as u32);
        self.ranks.set(position as usize, self.labelled);
        self.labelled += 1;
        Ok(())
    }

    /// Values a position that will never be labelled.
    pub(super) fn set_infinite(&mut self, position: Id, set: NimberSet) -> Result<(), Error> {
        let number = match self.numbers.get(&set) {
            Some(&number) => number,
            None => {
                let number = self.sets.len() as u32;
                if number >= INFINITE - 1 {
                    return Err(Error::NotApplicable("too many different infinite values".to_string()));
                }
                self.room.grow(4 * set.as_slice().len() as u64 + 64)?;
                let set = Rc::new(set);
                self.sets.push(Rc::clone(&set));
                self.numbers.insert(set, number);
                number
            }
        };
        self.codes.set(position as usize, INFINITE | number);
        Ok(())
    }
}
