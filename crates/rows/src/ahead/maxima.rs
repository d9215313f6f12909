//! The largest key in the window of an index, while indices are done from the last to the first.
//!
//! The key of an index is `arrive − value`: the worth of a move to it, without the cost of leaving. Which structure
//! finds the largest depends on how the windows move. Each asks only for keys of later indices, and those are done.
//!
//! - Windows that reach the end of the list only grow: [`Suffix`] carries one number.
//! - Windows of a fixed width slide by one: [`Blocks`] cuts the keys into blocks as long as the window. A window is the
//!   end of one block and the beginning of the next, so it is a maximum of two: of a suffix, found for a whole block at
//!   once when the block is full, and of a prefix, carried along. There is no branch to predict and one number for each
//!   index of the window; a queue of candidates took twice the time on random numbers.
//! - Windows whose ends both only move forward: [`Queue`] keeps the keys that may still become the largest.
//! - Any other windows: [`Tree`] finds the largest key by halving.

use std::collections::VecDeque;

use super::AheadError;
use super::gains::{Gains, room_for};

/// A number that holds keys.
pub(super) trait Key: Copy + Ord {
    /// At most any key.
    const LEAST: Self;

    /// The key of an index with a value, if it fits.
    fn of(arrive: i64, value: i64) -> Option<Self>;

    /// The key of an index with a value for which [`Key::of`] succeeded before.
    fn of_fitting(arrive: i64, value: i64) -> Self;

    /// The value of an index whose largest key is this, if it fits.
    fn value(self, leave: i64) -> Option<i64>;
}

impl Key for i64 {
    const LEAST: i64 = i64::MIN;

    #[inline]
    fn of(arrive: i64, value: i64) -> Option<i64> {
        arrive.checked_sub(value)
    }

    #[inline]
    fn of_fitting(arrive: i64, value: i64) -> i64 {
        arrive.wrapping_sub(value)
    }

    #[inline]
    fn value(self, leave: i64) -> Option<i64> {
        self.checked_sub(leave)
    }
}

impl Key for i128 {
    const LEAST: i128 = i128::MIN;

    #[inline]
    fn of(arrive: i64, value: i64) -> Option<i128> {
        Some(i128::from(arrive) - i128::from(value))
    }

    #[inline]
    fn of_fitting(arrive: i64, value: i64) -> i128 {
        i128::from(arrive) - i128::from(value)
    }

    #[inline]
    fn value(self, leave: i64) -> Option<i64> {
        // A key has at most 65 bits.
        i64::try_from(self - i128::from(leave)).ok()
    }
}

/// The keys of the finished indices.
#[derive(Clone, Copy)]
pub(super) struct Keys<'v> {
    pub(super) gains: &'v Gains<'v>,
    pub(super) values: &'v [i64],
}

impl Keys<'_> {
    #[inline]
    fn at<K: Key>(&self, index: usize) -> K {
        K::of_fitting(self.gains.arrive[index], self.values[index])
    }

    /// The largest key in a range that is not empty.
    fn largest<K: Key>(&self, from: usize, to: usize) -> K {
        let pairs = self.gains.arrive[from..=to].iter().zip(&self.values[from..=to]);
        pairs.fold(K::LEAST, |largest, (&arrive, &value)| largest.max(K::of_fitting(arrive, value)))
    }
}

/// Finds the largest key in the window of each index, for indices from the last to the first.
pub(super) trait Maxima<K> {
    /// The largest key in the window of an index, or `None` if the window is empty.
    fn largest(&mut self, index: usize, keys: Keys<'_>) -> Option<K>;
}

/// Windows that begin a fixed number of indices ahead and reach the end.
pub(super) struct Suffix<K> {
    least: usize,
    largest: K,
}

impl<K: Key> Suffix<K> {
    pub(super) fn new(least: usize) -> Suffix<K> {
        Suffix { least, largest: K::LEAST }
    }
}

impl<K: Key> Maxima<K> for Suffix<K> {
    #[inline]
    fn largest(&mut self, index: usize, keys: Keys<'_>) -> Option<K> {
        let target = index.checked_add(self.least).filter(|&target| target < keys.values.len())?;
        self.largest = self.largest.max(keys.at(target));
        Some(self.largest)
    }
}

/// Windows of a fixed width that begin a fixed number of indices ahead, cut at the end.
pub(super) struct Blocks<K> {
    least: usize,
    /// Up to `filled` the keys of the new block, then the suffix maxima of the block before it, then the least key.
    block: Vec<K>,
    filled: usize,
    /// The largest key of the new block.
    largest: K,
}

impl<K: Key> Blocks<K> {
    pub(super) fn new(least: usize, width: usize) -> Result<Blocks<K>, AheadError> {
        Ok(Blocks { least, block: room_for(K::LEAST, width + 1)?, filled: 0, largest: K::LEAST })
    }
}

impl<K: Key> Maxima<K> for Blocks<K> {
    #[inline]
    fn largest(&mut self, index: usize, keys: Keys<'_>) -> Option<K> {
        let target = index.checked_add(self.least).filter(|&target| target < keys.values.len())?;
        if self.filled + 1 == self.block.len() {
            suffix_maxima(&mut self.block);
            self.filled = 0;
            self.largest = K::LEAST;
        }
        let key = keys.at(target);
        self.block[self.filled] = key;
        self.filled += 1;
        self.largest = self.largest.max(key);
        Some(self.largest.max(self.block[self.filled]))
    }
}

/// Replaces each number by the largest from there on.
pub(super) fn suffix_maxima<K: Copy + Ord>(numbers: &mut [K]) {
    let mut reversed = numbers.iter_mut().rev();
    let Some(mut largest) = reversed.next().copied() else { return };
    for number in reversed {
        largest = largest.max(*number);
        *number = largest;
    }
}

/// One window for each index. Neither end ever moves back from one index to the next; empty windows do not count.
pub(super) struct Queue<'w, K> {
    from: &'w [usize],
    to: &'w [usize],
    /// Indices from the last to the first, with rising keys: an index whose key is not above an earlier one can no
    /// longer become the largest.
    candidates: VecDeque<(usize, K)>,
    /// The indices from here on have been in the queue or never will be.
    entered: usize,
}

impl<'w, K: Key> Queue<'w, K> {
    /// `widest` is the largest number of indices in a window.
    pub(super) fn new(from: &'w [usize], to: &'w [usize], widest: usize) -> Result<Queue<'w, K>, AheadError> {
        let mut candidates = VecDeque::new();
        let bytes = widest as u128 * size_of::<(usize, K)>() as u128;
        candidates.try_reserve_exact(widest).map_err(|_| AheadError::Memory { bytes })?;
        Ok(Queue { from, to, candidates, entered: from.len() })
    }
}

impl<K: Key> Maxima<K> for Queue<'_, K> {
    #[inline]
    fn largest(&mut self, index: usize, keys: Keys<'_>) -> Option<K> {
        let (from, to) = (self.from[index], self.to[index]);
        if from > to {
            return None;
        }
        while self.candidates.front().is_some_and(|&(target, _)| target > to) {
            self.candidates.pop_front();
        }
        // Indices between the old window and the new one are skipped.
        for target in (from..self.entered.min(to + 1)).rev() {
            let key = keys.at(target);
            while self.candidates.back().is_some_and(|&(_, other)| other <= key) {
                self.candidates.pop_back();
            }
            self.candidates.push_back((target, key));
        }
        self.entered = from;
        self.candidates.front().map(|&(_, key)| key)
    }
}

/// One window for each index, anywhere ahead of it.
pub(super) struct Tree<'w, K> {
    from: &'w [usize],
    to: &'w [usize],
    /// A binary tree: the largest keys of the blocks are its leaves, in the second half; node k is above 2k and 2k + 1.
    nodes: Vec<K>,
}

/// How many indices share a leaf of the tree: comparing their adjacent keys is faster than climbing a tree.
pub(super) const LEAF: usize = 16;

impl<'w, K: Key> Tree<'w, K> {
    pub(super) fn new(from: &'w [usize], to: &'w [usize]) -> Result<Tree<'w, K>, AheadError> {
        Ok(Tree { from, to, nodes: room_for(K::LEAST, 2 * from.len().div_ceil(LEAF))? })
    }

    /// The largest key of some whole blocks.
    fn largest_of_blocks(&self, from: usize, end: usize) -> K {
        let leaves = self.nodes.len() / 2;
        let (mut low, mut high) = (from + leaves, end + leaves);
        let mut largest = K::LEAST;
        while low < high {
            if low % 2 == 1 {
                largest = largest.max(self.nodes[low]);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                largest = largest.max(self.nodes[high]);
            }
            (low, high) = (low / 2, high / 2);
        }
        largest
    }

    /// Records that a block is done.
    fn enter(&mut self, block: usize, largest: K) {
        let mut node = block + self.nodes.len() / 2;
        while node > 0 && self.nodes[node] < largest {
            self.nodes[node] = largest;
            node /= 2;
        }
    }
}

impl<K: Key> Maxima<K> for Tree<'_, K> {
    fn largest(&mut self, index: usize, keys: Keys<'_>) -> Option<K> {
        let done = index + 1;
        if done.is_multiple_of(LEAF) && done < keys.values.len() {
            let to = (done + LEAF).min(keys.values.len()) - 1;
            self.enter(done / LEAF, keys.largest(done, to));
        }
        let (from, to) = (self.from[index], self.to[index]);
        if from > to {
            return None;
        }
        let (first, end) = (from.div_ceil(LEAF), (to + 1) / LEAF);
        if first >= end {
            return Some(keys.largest(from, to));
        }
        let mut largest = self.largest_of_blocks(first, end);
        if from < first * LEAF {
            largest = largest.max(keys.largest(from, first * LEAF - 1));
        }
        if end * LEAF <= to {
            largest = largest.max(keys.largest(end * LEAF, to));
        }
        Some(largest)
    }
}
