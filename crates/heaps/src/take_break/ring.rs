//! The ring: splits that recently had the missing value.
//!
//! A witness `g(a) ⊕ g(n − t − a)` for one heap is a good guess for the next heaps too, and guesses are all that
//! marking needs: a mark is true whoever proposed it. So witnesses found by search join the ring, all of the ring is
//! marked for every heap, and now and then a census drops those that no longer mark anything first. (Holding an
//! election first, so that only proven witnesses join, was slower: what was found last is what is needed next.)

use super::marks::Marks;
use super::vector::Cell;
use super::witness::Witness;

/// The most witnesses in the ring.
const MOST: usize = 1 << 14;
/// With fewer new marks per block, over time, marking costs more than searching. Searching costs more the more indices
/// are rare, so this is divided by their number.
const WORTH: f32 = 600.0;
const MOST_WORTH: f32 = 2.0;
/// How much of its record a witness loses at a census.
const FADE: f32 = 0.25;
/// One of this many found witnesses joins.
const ADMIT: usize = 8;

/// The witnesses, best first except for those that joined since the last census.
#[derive(Clone, Debug)]
pub(super) struct Ring<C> {
    witnesses: Vec<Witness<C>>,
    /// A bit for every shift in the ring.
    members: Vec<u64>,
    found: usize,
    worth: f32,
}

impl<C: Cell> Ring<C> {
    pub fn new() -> Ring<C> {
        Ring { witnesses: Vec::new(), members: Vec::new(), found: 0, worth: MOST_WORTH }
    }

    pub fn witnesses(&self) -> &[Witness<C>] {
        &self.witnesses
    }

    /// Records a witness that a search found.
    pub fn found(&mut self, shift: usize, partner: C) {
        self.found += 1;
        if !self.found.is_multiple_of(ADMIT) || self.witnesses.len() == MOST {
            return;
        }
        let (word, bit) = (shift / 64, 1 << (shift % 64));
        if word >= self.members.len() {
            self.members.resize(word + 1, 0);
        }
        if self.members[word] & bit == 0 {
            self.members[word] |= bit;
            self.witnesses.push(Witness { shift, partner, record: self.worth / FADE });
        }
    }

    /// Counts what each witness marks first in the block from `start` on, among what its heaps needed: nimbers below
    /// their value. Useless witnesses leave. `rare` is the number of rare indices.
    pub fn census(&mut self, values: &[C], start: usize, rare: usize, marks: &mut Marks) {
        self.worth = (WORTH / (rare as f32 + 1.0)).min(MOST_WORTH);
        for witness in &mut self.witnesses {
            let mut new = 0;
            let met = &values[start - witness.shift..][..C::LANES];
            for (lane, (&met, &value)) in met.iter().zip(&values[start..]).enumerate() {
                let seen: u32 = (met ^ witness.partner).into();
                new += u32::from(seen < value.into() && marks.is_new(lane, seen as usize));
            }
            witness.record += new as f32 - witness.record * FADE;
        }
        self.witnesses.sort_by(|a, b| b.record.total_cmp(&a.record));
        let stay = self.witnesses.partition_point(|witness| witness.record >= self.worth / FADE);
        for witness in self.witnesses.drain(stay..) {
            self.members[witness.shift / 64] &= !(1 << (witness.shift % 64));
        }
    }

    pub fn bytes(&self) -> usize {
        self.witnesses.capacity() * size_of::<Witness<C>>() + self.members.capacity() * 8
    }
}
