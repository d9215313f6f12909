//! The reduction of one list, item by item from the left.
//!
//! A block is a run of neighbouring items, an odd number of them, that play like one item: its worth is the alternating
//! sum of its items. At first every item is a block. Three neighbours x ≤ y ≥ z become the block x − y + z, as long as
//! there are any. A stack of blocks finds them all in one pass, because only the newest block can complete a peak. The
//! result is a *valley*: it falls, then it rises.
//!
//! The reduction keeps two more things, because the value after a first move is needed nearly as often as the value:
//!
//! - Without the **last** item: that is simply the reduction before the last item was pushed.
//! - Without the **first** item: only the first block loses something. Let `bared` be the first block without its first
//!   item, reduced; it falls from left to right, and nothing in it is below the first block (the lemma in
//!   [`super::theorem`], mirrored). When the first three blocks x ≤ y ≥ z fuse, x has become `bared`, followed by y and
//!   z. If y is below its last block w, the two are appended; else w ≤ y ≥ z is a peak, and w becomes w − y + z. So one
//!   pass over the row also reduces the row without its first item.

use super::Stopped;
use super::number::Number;
use crate::pace::{PIECE, Pace};

/// The blocks of one list.
#[derive(Default)]
pub(super) struct Reduction<T> {
    /// The worth of each block, from left to right: a valley.
    blocks: Vec<T>,
    /// The first block without its first item, reduced.
    bared: Vec<T>,
}

impl<T: Number> Reduction<T> {
    /// An empty list with room for this many items. Unused memory is not touched.
    pub(super) fn with_capacity(items: usize) -> Reduction<T> {
        Reduction { blocks: Vec::with_capacity(items), bared: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.bared.clear();
    }

    /// Adds an item at the right.
    pub(super) fn push(&mut self, item: i64) {
        self.push_items(&[item]);
    }

    /// Adds items at the right.
    pub(super) fn push_items(&mut self, items: &[i64]) {
        // A slice with room for all items and a separate count, which stays in a register as a vector's length does
        // not.
        let mut top = self.blocks.len();
        self.blocks.resize(top + items.len(), T::default());
        let blocks = self.blocks.as_mut_slice();
        for &item in items {
            let mut z = T::from(item);
            while top >= 2 {
                let (x, y) = (blocks[top - 2], blocks[top - 1]);
                if y < z || y < x {
                    break;
                }
                top -= 2;
                if top == 0 {
                    bare(&mut self.bared, y, z);
                }
                z = x - y + z;
            }
            blocks[top] = z;
            top += 1;
        }
        self.blocks.truncate(top);
    }

    /// Adds items at the right, with pauses for the hook.
    pub(super) fn push_all(&mut self, items: &[i64], pace: &mut Pace<'_>) -> Result<(), Stopped> {
        for piece in items.chunks(PIECE) {
            self.push_items(piece);
            pace.spend(piece.len())?;
        }
        Ok(())
    }

    /// The reduced list.
    pub(super) fn blocks(&self) -> &[T] {
        &self.blocks
    }

    /// Turns this into the reduction of the list without its first item, and returns that.
    pub(super) fn without_first(&mut self) -> &[T] {
        if self.bared.is_empty() {
            return self.blocks.get(1..).unwrap_or_default();
        }
        self.bared.extend_from_slice(&self.blocks[1..]);
        &self.bared
    }
}

/// Updates `bared` when the first block fuses with its neighbours y and z.
#[inline]
fn bare<T: Number>(bared: &mut Vec<T>, y: T, z: T) {
    match bared.last_mut() {
        Some(w) if *w <= y => *w = *w - y + z,
        _ => bared.extend([y, z]),
    }
}

/// The alternating sum of a valley in falling order, which is the value of a row with this reduction.
pub(super) fn valley_value<T: Number>(valley: &[T]) -> T {
    let mut value = T::default();
    let mut rest = valley;
    // Two at a time, so that the signs are fixed. Which end is larger is unpredictable: choose without a branch.
    while rest.len() >= 2 {
        value += pop_larger(&mut rest);
        value -= pop_larger(&mut rest);
    }
    if let [last] = rest {
        value += *last;
    }
    value
}

/// Takes the larger end of a valley that is not empty.
#[inline]
fn pop_larger<T: Number>(rest: &mut &[T]) -> T {
    let (left, right) = (rest[0], rest[rest.len() - 1]);
    let is_left = left >= right;
    let start = usize::from(is_left);
    *rest = &rest[start..start + rest.len() - 1];
    std::hint::select_unpredictable(is_left, left, right)
}

/// Writes a valley in falling order.
pub(super) fn fall_into<T: Number>(valley: &[T], falling: &mut Vec<T>) {
    let mut rest = valley;
    falling.reserve(rest.len());
    while !rest.is_empty() {
        let block = pop_larger(&mut rest);
        falling.push(block);
    }
}

/// Splits a reduced stack into the settled pairs at its bottom and the rest, which rises to the top. Also returns what
/// the pairs are worth to the player who does not have to open them. A pair is settled if its lower block is at least
/// the upper one: nobody wants to open it.
pub(super) fn settle<B, T: Number>(valley: &[B], worth: impl Fn(&B) -> T) -> (&[B], &[B], T) {
    let mut settlement = T::default();
    let mut count = 0;
    while let [lower, upper, ..] = &valley[count..]
        && worth(lower) >= worth(upper)
    {
        settlement += worth(lower) - worth(upper);
        count += 2;
    }
    let (pairs, rising) = valley.split_at(count);
    (pairs, rising, settlement)
}
