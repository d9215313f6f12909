//! The marking table of a block: which nimbers a lane has seen.
//!
//! Every lane has a row of bytes, one byte for each nimber: a mark is one store at a constant distance from the last,
//! and 32 bytes become 32 bits in one instruction. Rows are not a power of two apart, or they would compete for the
//! same cache lines.

use super::vector::{Cell, Vector};
use super::witness::Witness;

/// Bytes between the end of a row and the next row.
const GAP: usize = 32;

/// One byte for every lane and nimber.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    bytes: Vec<u8>,
    stride: usize,
}

impl Marks {
    /// No marks, and room for nimbers below `bound`, a power of two from 64.
    #[inline(always)]
    pub fn clear(&mut self, bound: usize, lanes: usize) {
        self.stride = bound + GAP;
        self.bytes.clear();
        self.bytes.resize(self.stride * lanes, 0);
    }

    /// Marks what the witnesses propose for the heaps from `start` on, one for each lane.
    #[inline(always)]
    pub fn mark<C: Cell>(&mut self, values: &[C], start: usize, witnesses: &[Witness<C>]) {
        // A constant distance of rows saves the checks, and most values are small.
        match self.stride - GAP {
            256 => fixed::<C, 256, { 256 + GAP }>(&mut self.bytes, values, start, witnesses),
            512 => fixed::<C, 512, { 512 + GAP }>(&mut self.bytes, values, start, witnesses),
            1024 => fixed::<C, 1024, { 1024 + GAP }>(&mut self.bytes, values, start, witnesses),
            2048 => fixed::<C, 2048, { 2048 + GAP }>(&mut self.bytes, values, start, witnesses),
            _ => {
                for witness in witnesses {
                    let cells = &values[start - witness.shift..];
                    for (row, &cell) in self.bytes.chunks_exact_mut(self.stride).zip(cells) {
                        row[(cell ^ witness.partner).into() as usize] = u8::MAX;
                    }
                }
            }
        }
    }

    /// Marks one nimber of one lane; returns whether it was new.
    pub fn is_new(&mut self, lane: usize, nimber: usize) -> bool {
        let byte = &mut self.bytes[lane * self.stride + nimber];
        let new = *byte == 0;
        *byte = u8::MAX;
        new
    }

    /// The nimbers of a lane as a set, 64 in each word.
    #[inline(always)]
    pub fn collect<V: Vector<u8>>(&self, lane: usize, words: &mut [u64]) {
        let row = &self.bytes[lane * self.stride..(lane + 1) * self.stride];
        for (word, bytes) in words.iter_mut().zip(row.chunks_exact(64)) {
            let (low, high) = (V::load(bytes).mask(), V::load(&bytes[32..]).mask());
            *word = u64::from(low) | u64::from(high) << 32;
        }
    }
}

/// Marks in rows of `STRIDE` bytes, nimbers below `BOUND`.
#[inline(always)]
fn fixed<C: Cell, const BOUND: usize, const STRIDE: usize>(
    bytes: &mut [u8],
    values: &[C],
    start: usize,
    witnesses: &[Witness<C>],
) {
    let (rows, _) = bytes.as_chunks_mut::<STRIDE>();
    // As many rows as fit in the nearest cache together.
    let (eights, _) = rows.as_chunks_mut::<8>();
    for (i, rows) in eights.iter_mut().enumerate() {
        for witness in witnesses {
            let Some(cells) = values[start + 8 * i - witness.shift..].first_chunk::<8>() else { continue };
            // All sums are below the bound, so only the junk above them is cut off.
            let sums = C::sums(cells, witness.partner);
            for (row, sum) in rows.iter_mut().zip(sums) {
                row[sum as usize & (BOUND - 1)] = u8::MAX;
            }
        }
    }
}
