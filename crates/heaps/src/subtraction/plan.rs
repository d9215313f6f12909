//! The moves of a game, sorted by how the bit-parallel engine treats them.
//!
//! Heaps are valued in words of 64 and blocks of 256. A number taken is
//!
//! - *small* (below 64): its effect stays partly within the word, heap by heap;
//! - *near* (64 to 255): it reads words that are known, some of this block;
//! - *far* (256 and more): it reads only what was known before the block, 256 heaps with one vector load;
//! - part of a *stretch*, a long range from 64 on: one look at the latest lost heap serves the whole range.

use super::game::{Subtraction, Takes};

/// Ranges of so many numbers are treated as stretches; shorter ones as single numbers.
const STRETCH: u64 = 8;

/// More than any heap: the end of a range without one.
pub(super) const UNBOUNDED: u64 = 1 << 61;

/// A long range of numbers taken, all at least 64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub least: u64,
    /// [`UNBOUNDED`] where there is no bound.
    pub most: u64,
    /// Where there is no bound, the least heap that may be left.
    pub floor: u64,
}

/// Numbers taken that have the same remainder by 8.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The remainder.
    pub shift: u32,
    /// The quotients, ascending: a distance in bytes of a row of bits.
    pub bytes: Vec<usize>,
}

/// The sorted moves.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub takes: Vec<Takes>,
    pub misere: bool,
    /// Bit s: s stones can be taken.
    pub small: u64,
    pub near: Vec<usize>,
    /// What heap i of a word reaches upwards in the four words after it, by small and near numbers.
    pub rows: Vec<[u64; 4]>,
    pub far: Vec<Group>,
    pub stretches: Vec<Stretch>,
    /// Below this word, guards or heaps without a move make the rule irregular; a multiple of 4.
    pub regular_from: usize,
    /// How many words before a block the engine reads.
    pub reach: usize,
    /// Heaps without a move are those below this.
    pub first: u64,
}

impl Plan {
    pub fn new(game: &Subtraction) -> Plan {
        let mut small = 0;
        let mut singles = Vec::new();
        let mut stretches = Vec::new();
        for take in game.takes() {
            let most = take.most.unwrap_or(UNBOUNDED);
            for number in take.least..=most.min(63) {
                small |= 1 << number;
            }
            let least = take.least.max(64);
            if most < least {
                continue;
            }
            if most - least < STRETCH {
                singles.extend(least..=most);
            } else {
                let floor = if take.most.is_none() { take.floor } else { 0 };
                stretches.push(Stretch { least, most, floor });
            }
        }
        singles.sort_unstable();
        singles.dedup();
        let near: Vec<usize> = singles.iter().filter(|&&s| s < 256).map(|&s| s as usize).collect();
        let mut far: Vec<Group> = (0..8).map(|shift| Group { shift, bytes: Vec::new() }).collect();
        for &number in singles.iter().filter(|&&s| s >= 256) {
            far[(number % 8) as usize].bytes.push((number / 8) as usize);
        }
        far.retain(|group| !group.bytes.is_empty());
        let irregular = game
            .takes()
            .iter()
            .filter(|take| !take.is_plain())
            // A stretch without bound looks one word ahead of its floor.
            .map(|take| take.pure_from().saturating_add(64))
            .chain(game.is_misere().then(|| game.first()))
            .max()
            .unwrap_or(0);
        Plan {
            takes: game.takes().to_vec(),
            misere: game.is_misere(),
            small,
            rows: rows(small, &near),
            near,
            far,
            stretches,
            regular_from: (irregular.div_ceil(256) as usize).saturating_mul(4),
            reach: (game.reach() / 64) as usize + 16,
            first: game.first(),
        }
    }
}

fn rows(small: u64, near: &[usize]) -> Vec<[u64; 4]> {
    let mut rows = vec![[0; 4]; 64];
    for (i, row) in rows.iter_mut().enumerate() {
        let small = (0..64).filter(|number| small >> number & 1 == 1);
        for number in small.chain(near.iter().copied()).filter(|number| i + number >= 64) {
            let place = i + number - 64;
            row[place / 64] |= 1 << (place % 64);
        }
    }
    rows
}
