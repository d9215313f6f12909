//! Four pieces of a row reduced side by side.
//!
//! On random numbers nobody can foresee whether the next step fuses or pushes, and a processor that guesses pays about
//! fifteen cycles for each wrong guess. So a step here is the same instructions either way, with the outcome chosen by
//! selection; a single chain of such steps would wait for its own memory all the time, and four independent chains fill
//! the gaps.

use std::hint::select_unpredictable;

/// Items in the piece of one lane.
const PIECE: usize = 2048;

/// Places in a lane's stack: a power of two, so that masking an index replaces the check. At most `PIECE` + 2 are in use.
const PLACES: usize = 2 * PIECE;

const LANES: usize = 4;

/// The stacks of the lanes.
pub(super) struct Lanes {
    stacks: Box<[[i64; PLACES]; LANES]>,
}

/// Where one lane stands.
#[derive(Clone, Copy)]
struct Lane {
    /// The block that is to be pushed or fused next.
    block: i64,
    /// How many places of the stack are in use.
    top: usize,
    /// How many items of the piece were taken up; one more than there are when the last block is pushed.
    taken: usize,
}

impl Lane {
    /// One step: fuse the block with the two below it if those make a peak; else push it and take up the next item.
    #[inline(always)]
    fn step(&mut self, stack: &mut [i64; PLACES], piece: &[i64; PIECE]) {
        let (x, y, z) = (stack[(self.top - 2) % PLACES], stack[(self.top - 1) % PLACES], self.block);
        let is_peak = (y >= z) & (y >= x);
        stack[self.top % PLACES] = z;
        // The sum may wrap where the marks take part; it is not chosen then.
        let fused = x.wrapping_sub(y).wrapping_add(z);
        self.block = select_unpredictable(is_peak, fused, piece[self.taken % PIECE]);
        self.top = select_unpredictable(is_peak, self.top - 2, self.top + 1);
        self.taken += usize::from(!is_peak);
    }

    /// A lower bound on the steps to the end of the piece.
    fn steps_left(&self) -> usize {
        PIECE + 1 - self.taken
    }
}

impl Lanes {
    /// Items that are reduced at a time.
    pub(super) const ITEMS: usize = LANES * PIECE;

    pub(super) fn new() -> Lanes {
        let mut stacks = Box::new([[0; PLACES]; LANES]);
        for stack in stacks.iter_mut() {
            // Two marks below the stack, larger than any number and falling, so that they never take part in a peak.
            stack[0] = i64::MAX;
            stack[1] = i64::MAX - 1;
        }
        Lanes { stacks }
    }

    /// Reduces the pieces, and hands out the blocks that are left from left to right. All sums over the items must lie
    /// below the marks.
    pub(super) fn reduce(&mut self, items: &[i64; Lanes::ITEMS], push: impl FnMut(i64)) {
        let (pieces, _) = items.as_chunks::<PIECE>();
        let Ok(pieces) = <&[[i64; PIECE]; LANES]>::try_from(pieces) else { return };
        let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|lane| Lane { block: pieces[lane][0], top: 2, taken: 1 });
        let [stack_a, stack_b, stack_c, stack_d] = &mut *self.stacks;
        loop {
            let steps = [a, b, c, d].iter().map(Lane::steps_left).min().unwrap_or(0);
            if steps == 0 {
                break;
            }
            for _ in 0..steps {
                a.step(stack_a, &pieces[0]);
                b.step(stack_b, &pieces[1]);
                c.step(stack_c, &pieces[2]);
                d.step(stack_d, &pieces[3]);
            }
        }
        let mut tops = [0; LANES];
        for (n, mut lane) in [a, b, c, d].into_iter().enumerate() {
            while lane.steps_left() > 0 {
                lane.step(&mut self.stacks[n], &pieces[n]);
            }
            tops[n] = lane.top;
        }
        self.stacks.iter().zip(tops).flat_map(|(stack, top)| &stack[2..top]).copied().for_each(push);
    }
}
