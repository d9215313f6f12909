//! Rounds: the mixed nimbers that marks left open meet all rare parts, for the whole block in step.
//!
//! The rare parts form a circle, cut in chunks. Every heap of the block has a few *slots*, each with a nimber that
//! looks for its witness. A nimber that meets one leaves, and the next open nimber takes its place at once, wherever
//! the walk around the circle is. A nimber that has walked the whole circle has no far witness, and then no larger one
//! is needed.
//!
//! So the walk goes once around and a little more, although a heap may need many nimbers: most find a witness soon.
//! (Passes from the first to the last rare part, with new nimbers only after a whole pass, walked two to three times
//! around, and needed more slots.)

use std::ops::Range;

use super::super::vector::{Cell, Vector};
use super::{LANES, Sparse};

/// How many nimbers of a heap walk at the same time.
const SLOTS: usize = 2;
/// How many rare indices are passed between two checks of what was found.
const CHUNK: usize = 16;
/// A walk around costs as much as examining this many pairs for each rare index and each heap of the block.
const WALK_COST: usize = 4;
/// The most nimbers without far witness that a heap needs.
pub(super) const MOST_SPARE: u32 = 4;

/// A heap of the current block.
#[derive(Clone, Copy, Default)]
pub(super) struct Lane {
    /// Mixed nimbers below this are decided.
    pub(super) settled: u32,
    /// The next nimber to examine.
    next: u32,
    /// How many nimbers have no far witness, and the largest of them.
    spare: u32,
    largest: u32,
}

/// The nimbers that walk.
struct Walk<C> {
    nimbers: [[C; LANES]; SLOTS],
    /// The step at which each began.
    begun: [[usize; LANES]; SLOTS],
    /// The bits of lanes that walk.
    active: [u32; SLOTS],
    /// Steps once around.
    circle: usize,
    /// No nimber completes its walk before this step.
    around: usize,
}

/// A heap of the block, by its lane, and the number of words of its set.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    lane: usize,
    words: usize,
}

impl<C: Cell> Sparse<C> {
    /// Decides mixed nimbers of `count` heaps from `start` on.
    #[inline(always)]
    pub(super) fn rounds<V: Vector<C>>(&mut self, start: usize, count: usize, words: usize) -> [Lane; LANES] {
        let mut lanes = [Lane::default(); LANES];
        let mut walk = Walk {
            nimbers: [[C::default(); LANES]; SLOTS],
            begun: [[0; LANES]; SLOTS],
            active: [0; SLOTS],
            circle: 0,
            around: 0,
        };
        // A rare part after the end leaves a near part, or none, for every heap of the block.
        self.ends.clear();
        for &taken in &self.splits {
            let mut end = self.rare.len();
            while end > 0 && self.rare[end - 1] as usize + self.least + taken > start {
                end -= 1;
            }
            self.ends.push(end);
            walk.circle += end.div_ceil(CHUNK);
        }
        walk.around = walk.circle;
        for (lane, state) in lanes[..count].iter_mut().enumerate() {
            for slot in 0..SLOTS {
                self.enter(Place { start, lane, words }, slot, 0, state, &mut walk);
            }
        }
        let mut step = 0;
        if walk.circle == 0 {
            self.go_around(start, words, 0, &mut lanes, &mut walk);
        }
        while walk.is_active() {
            for i in 0..self.splits.len() {
                let (taken, end) = (self.splits[i], self.ends[i]);
                let mut from = 0;
                while from < end && walk.is_active() {
                    let to = (from + CHUNK).min(end);
                    let met = self.chunk::<V>(&self.forward[..start - taken], from..to, &walk.nimbers);
                    step += 1;
                    for (slot, met) in met.into_iter().enumerate() {
                        if met & walk.active[slot] != 0 {
                            let missing =
                                self.look::<V>(start, taken, from..to, &walk.nimbers[slot], walk.active[slot]);
                            self.leave(start, words, slot, step, missing, &mut lanes, &mut walk);
                        }
                    }
                    if step >= walk.around {
                        self.go_around(start, words, step, &mut lanes, &mut walk);
                    }
                    from = to;
                }
            }
            if walk.is_active() && self.is_cheaper_alone(start, count, &walk) {
                break;
            }
        }
        for (lane, state) in lanes[..count].iter_mut().enumerate() {
            for slot in 0..SLOTS {
                if walk.active[slot] & lane_bits::<C>(lane) != 0 {
                    state.settled = state.settled.min(walk.nimbers[slot][lane].into());
                }
            }
        }
        lanes
    }

    /// Meets nimbers with a chunk of rare parts; returns the masks of lanes that met something.
    #[inline(always)]
    fn chunk<V: Vector<C>>(&self, before: &[C], parts: Range<usize>, nimbers: &[[C; LANES]; SLOTS]) -> [u32; SLOTS] {
        let [a, b] = nimbers;
        let want = [V::load(a), V::load(b)];
        let mut met = [V::splat(C::default()); SLOTS];
        for (&part, &value) in self.rare[parts.clone()].iter().zip(&self.rare_values[parts]) {
            let sum = V::load_before(before, part as usize).xor(V::splat(value));
            met[0] = met[0].or(sum.equal(want[0]));
            met[1] = met[1].or(sum.equal(want[1]));
        }
        [met[0].mask(), met[1].mask()]
    }

    /// Examines rare parts that may have met something, and clears the lanes for which it is a move.
    #[inline(always)]
    fn look<V: Vector<C>>(
        &mut self,
        start: usize,
        taken: usize,
        parts: Range<usize>,
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

    /// Nimbers of a slot that are not in `missing` have a witness; others take their place.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn leave(
        &mut self,
        start: usize,
        words: usize,
        slot: usize,
        step: usize,
        missing: u32,
        lanes: &mut [Lane; LANES],
        walk: &mut Walk<C>,
    ) {
        let mut gone = walk.active[slot] & !missing;
        while gone != 0 {
            let lane = gone.trailing_zeros() as usize / C::BITS;
            gone &= !lane_bits::<C>(lane);
            let nimber: u32 = walk.nimbers[slot][lane].into();
            self.witnessed[lane * words + nimber as usize / 64] |= 1 << (nimber % 64);
            self.enter(Place { start, lane, words }, slot, step, &mut lanes[lane], walk);
        }
    }

    /// Nimbers that have walked once around have no far witness.
    fn go_around(&mut self, start: usize, words: usize, step: usize, lanes: &mut [Lane; LANES], walk: &mut Walk<C>) {
        loop {
            walk.around = usize::MAX;
            for slot in 0..SLOTS {
                for (lane, state) in lanes[..C::LANES].iter_mut().enumerate() {
                    if walk.active[slot] & lane_bits::<C>(lane) == 0 {
                        continue;
                    }
                    if step - walk.begun[slot][lane] >= walk.circle {
                        let nimber = walk.nimbers[slot][lane].into();
                        state.spare += 1;
                        state.largest = state.largest.max(nimber);
                        self.enter(Place { start, lane, words }, slot, step, state, walk);
                    }
                }
            }
            for slot in 0..SLOTS {
                for (lane, state) in lanes[..C::LANES].iter().enumerate() {
                    let nimber: u32 = walk.nimbers[slot][lane].into();
                    if state.spare >= self.spare && nimber > state.largest {
                        walk.active[slot] &= !lane_bits::<C>(lane);
                    }
                    if walk.active[slot] & lane_bits::<C>(lane) != 0 {
                        walk.around = walk.around.min(walk.begun[slot][lane] + walk.circle);
                    }
                }
            }
            // Without rare parts, all complete their walk at once.
            if !(walk.is_active() && walk.around <= step) {
                return;
            }
        }
    }

    /// The next open mixed nimber of a heap takes a slot, if the heap needs one.
    #[inline(always)]
    fn enter(&self, place: Place, slot: usize, step: usize, state: &mut Lane, walk: &mut Walk<C>) {
        let Place { start, lane, words } = place;
        walk.active[slot] &= !lane_bits::<C>(lane);
        if state.spare >= self.spare {
            state.settled = state.largest + 1;
            return;
        }
        let witnessed = &self.witnessed[lane * words..(lane + 1) * words];
        let mut i = state.next as usize / 64;
        let mut below = (1u64 << (state.next % 64)) - 1;
        while i < words {
            let mut open = !(witnessed[i] | below);
            below = 0;
            while open != 0 {
                let nimber = i as u32 * 64 + open.trailing_zeros();
                open &= open - 1;
                if self.is_mixed(start + lane, nimber) {
                    state.next = nimber + 1;
                    state.settled = nimber + 1;
                    walk.nimbers[slot][lane] = C::of(nimber);
                    walk.begun[slot][lane] = step;
                    walk.active[slot] |= lane_bits::<C>(lane);
                    return;
                }
            }
            i += 1;
        }
        // There is no other.
        state.next = words as u32 * 64;
        state.settled = state.next;
    }

    /// Whether the few heaps that still walk are finished sooner one by one: a walk costs the same for one as for all.
    #[inline(always)]
    fn is_cheaper_alone(&self, start: usize, count: usize, walk: &Walk<C>) -> bool {
        let mut left = 0;
        for lane in 0..count {
            left += usize::from((walk.active[0] | walk.active[1]) & lane_bits::<C>(lane) != 0);
        }
        left * start < WALK_COST * C::LANES * self.rare.len()
    }
}

impl<C> Walk<C> {
    #[inline(always)]
    fn is_active(&self) -> bool {
        self.active[0] | self.active[1] != 0
    }
}

/// The bits of a lane in a mask.
#[inline(always)]
fn lane_bits<C: Cell>(lane: usize) -> u32 {
    ((1 << C::BITS) - 1) << (lane * C::BITS)
}
