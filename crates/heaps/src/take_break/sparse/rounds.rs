//! Rounds: the mixed nimbers that the marks left open meet all rare parts, for the whole block in step.
//!
//! A pass over the rare indices costs the same for one nimber of one heap as for a handful of every heap, so it is asked as
//! much as fits in registers.

use super::super::vector::{Cell, Vector};
use super::{LANES, Sparse};

/// Nimbers of a heap that one pass over the rare indices tests.
pub(super) const SLOTS: usize = 4;
/// Rare indices between two looks at what was found.
const CHUNK: usize = 16;
/// A pass over the rare indices costs as much as looking at so many pairs for each of them and each heap of the block.
const ALONE: usize = 4;

/// A heap of the block under way.
#[derive(Clone, Copy, Default)]
pub(super) struct Lane {
    /// Mixed nimbers below this are settled.
    pub(super) from: u32,
    /// How many of them have no far witness.
    pub(super) spare: u32,
}

/// The mixed nimbers that a pass tests: by slot and lane, and by slot the mask of lanes.
pub(super) struct Wanted<C> {
    pub(super) nimbers: [[C; LANES]; SLOTS],
    pub(super) lanes: [u32; SLOTS],
}

impl<C: Cell> Sparse<C> {
    /// Whether the few heaps that still want a pass are done sooner one by one: a pass costs the same for one as for all.
    #[inline(always)]
    pub(super) fn is_cheaper_alone(&self, start: usize, lanes: &[Lane]) -> bool {
        let mut left = 0;
        for lane in lanes {
            left += usize::from(lane.spare < self.spare);
        }
        left * start < ALONE * C::LANES * self.rare.len()
    }

    /// The first mixed nimbers that are not seen, of every heap that still wants some; whether there are any.
    #[inline(always)]
    pub(super) fn want(
        &self,
        start: usize,
        count: usize,
        words: usize,
        lanes: &[Lane; LANES],
        wanted: &mut Wanted<C>,
    ) -> bool {
        wanted.lanes = [0; SLOTS];
        for (lane, &Lane { from, spare }) in lanes[..count].iter().enumerate() {
            if spare >= self.spare {
                continue;
            }
            let seen = &self.seen[lane * words..(lane + 1) * words];
            let mut slot = 0;
            let mut i = from as usize / 64;
            let mut below = (1u64 << (from % 64)) - 1;
            while i < words && slot < SLOTS {
                let mut open = !(seen[i] | below);
                below = 0;
                while open != 0 && slot < SLOTS {
                    let nimber = i as u32 * 64 + open.trailing_zeros();
                    open &= open - 1;
                    if self.is_mixed(start + lane, nimber) {
                        wanted.nimbers[slot][lane] = C::of(nimber);
                        wanted.lanes[slot] |= lane_bits::<C>(lane);
                        slot += 1;
                    }
                }
                i += 1;
            }
        }
        wanted.lanes[0] != 0
    }

    /// Meets the wanted nimbers with every rare part; the masks of those without far witness.
    #[inline(always)]
    pub(super) fn pass<V: Vector<C>>(&mut self, start: usize, wanted: &Wanted<C>) -> [u32; SLOTS] {
        let mut missing = wanted.lanes;
        let [a, b, c, d] = &wanted.nimbers;
        let want = [V::load(a), V::load(b), V::load(c), V::load(d)];
        for i in 0..self.splits.len() {
            let taken = self.splits[i];
            // A rare part behind this leaves a part that is near, or none, for every heap of the block.
            let mut end = self.rare.len();
            while end > 0 && self.rare[end - 1] as usize + self.least + taken > start {
                end -= 1;
            }
            let mut from = 0;
            while from < end {
                let to = (from + CHUNK).min(end);
                let before = &self.forward[..start - taken];
                let mut met = [V::splat(C::default()); SLOTS];
                for (&part, &value) in self.rare[from..to].iter().zip(&self.rare_values[from..to]) {
                    let sum = V::load_before(before, part as usize).xor(V::splat(value));
                    met[0] = met[0].or(sum.equal(want[0]));
                    met[1] = met[1].or(sum.equal(want[1]));
                    met[2] = met[2].or(sum.equal(want[2]));
                    met[3] = met[3].or(sum.equal(want[3]));
                }
                for slot in 0..SLOTS {
                    if met[slot].mask() & missing[slot] != 0 {
                        let nimbers = &wanted.nimbers[slot];
                        missing[slot] = self.look::<V>(start, taken, from..to, nimbers, missing[slot]);
                    }
                }
                from = to;
            }
        }
        missing
    }

    /// Looks closely at rare parts that may have met something, and clears the lanes for which it is a move.
    #[inline(always)]
    pub(super) fn look<V: Vector<C>>(
        &mut self,
        start: usize,
        taken: usize,
        parts: std::ops::Range<usize>,
        nimbers: &[C; LANES],
        mut missing: u32,
    ) -> u32 {
        for k in parts {
            let part = self.rare[k] as usize;
            let sum = V::load(&self.forward[start - taken - part..]).xor(V::splat(self.rare_values[k]));
            let mut met = sum.equal(V::load(nimbers)).mask() & missing;
            while met != 0 {
                let lane = met.trailing_zeros() as usize / C::BITS;
                met &= !lane_bits::<C>(lane);
                let left = start + lane - taken;
                if left.abs_diff(2 * part) >= self.apart {
                    missing &= !lane_bits::<C>(lane);
                    self.found(taken, part.min(left - part));
                }
            }
        }
        missing
    }

    /// Enters what a pass found.
    #[inline(always)]
    pub(super) fn settle(
        &mut self,
        count: usize,
        words: usize,
        lanes: &mut [Lane; LANES],
        wanted: &Wanted<C>,
        missing: [u32; SLOTS],
    ) {
        for (lane, state) in lanes[..count].iter_mut().enumerate() {
            let bits = lane_bits::<C>(lane);
            if wanted.lanes[0] & bits == 0 {
                continue;
            }
            for (slot, missing) in missing.iter().enumerate() {
                if wanted.lanes[slot] & bits == 0 {
                    // There was no other.
                    *state = Lane { from: words as u32 * 64, spare: self.spare };
                    break;
                }
                let nimber: u32 = wanted.nimbers[slot][lane].into();
                state.from = nimber + 1;
                if missing & bits != 0 {
                    state.spare += 1;
                } else {
                    self.seen[lane * words + nimber as usize / 64] |= 1 << (nimber % 64);
                }
            }
        }
    }
}

/// The bits of a lane in a mask.
#[inline(always)]
fn lane_bits<C: Cell>(lane: usize) -> u32 {
    ((1 << C::BITS) - 1) << (lane * C::BITS)
}
