//! The options of all positions, one behind the other: each is looked at many times and expanded only once.

use std::ops::Range;

use crate::bits::Bits;
use crate::error::Error;
use crate::graph::{Edge, Id};
use crate::memory::Memory;
use crate::segmented::Segmented;

/// The options of all positions. An option is a run of parts, mostly of one.
pub(super) struct Options {
    /// Where the parts of a position's options end; they begin where those of the position before end.
    ends: Segmented<u64>,
    parts: Segmented<Id>,
    /// Whether a part belongs to the option that the part before began; as long as no further than the last that does.
    joined: Bits,
}

impl Options {
    pub fn new(memory: &Memory) -> Options {
        Options { ends: Segmented::new(memory), parts: Segmented::new(memory), joined: Bits::new(memory) }
    }

    /// Adds the options of the next position.
    pub fn push(&mut self, edges: &[Edge]) -> Result<(), Error> {
        for edge in edges {
            if edge.joined {
                self.joined.grow_to(self.parts.len() + 1)?;
                self.joined.set(self.parts.len(), 1);
            }
            self.parts.push(edge.to)?;
        }
        self.ends.push(self.parts.len() as u64)
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.ends.len()
    }

    /// All parts of all options of a position, as places to ask [`Options::part`] for.
    pub fn all_parts(&self, position: Id) -> Range<usize> {
        let end = self.ends.get(position as usize) as usize;
        let start = if position == 0 { 0 } else { self.ends.get(position as usize - 1) as usize };
        start..end
    }

    /// The part at a place.
    #[inline]
    pub fn part(&self, place: usize) -> Id {
        self.parts.get(place)
    }

    /// Whether nobody can move in a position.
    pub fn is_dead(&self, position: Id) -> bool {
        self.all_parts(position).is_empty()
    }

    /// The options of a position, each as the places of its parts.
    pub fn of(&self, position: Id) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut rest = self.all_parts(position);
        std::iter::from_fn(move || {
            let start = rest.next()?;
            while !rest.is_empty() && rest.start < self.joined.len() && self.joined.get(rest.start) != 0 {
                rest.start += 1;
            }
            Some(start..rest.start)
        })
    }
}
