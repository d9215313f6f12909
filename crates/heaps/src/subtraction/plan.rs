//! The moves of a game, sorted by how the bit-parallel engine treats them.
//!
//! Heaps are valued in words of 64, four words to a vector, 16 words to a block. A number taken is
//!
//! - *small* (below 64): its effect stays partly within the word, heap by heap;
//! - *near* (64 to 255): it reads words that are known, some of this vector;
//! - *far* (256 and more): it reads only what was known before, 256 heaps with one vector load, and twice or four times
//!   that at once if it is at least 512 or 1024;
//! - part of a *stretch*, a long range from 64 on: one look at the latest lost heap serves the whole range.

use super::bits::PAD;
use super::game::{Subtraction, Takes};
use super::kernel::Far;

/// Heaps are valued in blocks of this many words.
pub(super) const BLOCK: usize = 16;

/// The largest far number of a [`Plan::short`] list: the words that it needs lie within the padding.
pub(super) const LONGEST: usize = 64 * (PAD - 1) - 1;
/// The most numbers of such a list: beyond that grouping pays.
pub(super) const MOST: usize = 16;

/// Ranges of at least this many numbers are stretches; shorter ones are single numbers.
const STRETCH: u64 = 8;

/// More than any heap; stands for the end of an unbounded range.
pub(super) const UNBOUNDED: u64 = 1 << 61;

/// A long range of numbers taken, all at least 64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub least: u64,
    /// The largest number; [`UNBOUNDED`] if there is no bound.
    pub most: u64,
    /// For an unbounded range, the least heap that may be left.
    pub floor: u64,
}

/// The sorted moves.
#[derive(Clone, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(super) struct Plan {
    pub takes: Vec<Takes>,
    pub misere: bool,
    /// Bit s: s stones can be taken.
    pub small: u64,
    pub near: Vec<usize>,
    /// For heap i of a word: the heaps of the four words after it that reach heap i by small and near numbers.
    pub rows: Box<[[u64; 4]; 65]>,
    /// Far numbers from 256, from 512 and from 1024 on.
    pub far1: Far<1>,
    pub far2: Far<2>,
    pub far4: Far<4>,
    /// All far numbers, if they are few and not too large, and the processor supports the quicker code.
    pub short: Option<Vec<usize>>,
    pub stretches: Vec<Stretch>,
    /// Below this word, guards or heaps without a move make the rule irregular; a multiple of [`BLOCK`].
    pub regular_from: usize,
    /// Whether the processor supports the quicker code.
    pub vectors: bool,
    /// How many words before a block the engine reads.
    pub reach: usize,
    /// Heaps below this have no move.
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
        let from_to =
            |low: u64, high: u64| singles.iter().filter(|&&s| low <= s && s < high).map(|&s| s as usize).collect();
        let irregular = game
            .takes()
            .iter()
            .filter(|take| !take.is_plain())
            // An unbounded stretch looks one word ahead of its floor.
            .map(|take| take.pure_from().saturating_add(64))
            .chain(game.is_misere().then(|| game.first()))
            .max()
            .unwrap_or(0);
        let far: Vec<usize> = from_to(256, UNBOUNDED);
        let short = has_vectors() && stretches.is_empty() && far.len() <= MOST && far.iter().all(|&s| s <= LONGEST);
        Plan {
            short: short.then_some(far),
            takes: game.takes().to_vec(),
            misere: game.is_misere(),
            small,
            rows: rows(small, &near),
            near,
            far1: Far::new(from_to(256, 512)),
            far2: Far::new(from_to(512, 1024)),
            far4: Far::new(from_to(1024, UNBOUNDED)),
            stretches,
            regular_from: (irregular.div_ceil(64 * BLOCK as u64) as usize).saturating_mul(BLOCK),
            reach: (game.reach() / 64) as usize + 2 * BLOCK,
            first: game.first(),
            vectors: has_vectors(),
        }
    }
}

/// A row for each heap of a word, and one for none.
fn rows(small: u64, near: &[usize]) -> Box<[[u64; 4]; 65]> {
    let mut rows = Box::new([[0; 4]; 65]);
    for (i, row) in rows.iter_mut().take(64).enumerate() {
        let small = (0..64).filter(|number| small >> number & 1 == 1);
        for number in small.chain(near.iter().copied()).filter(|number| i + number >= 64) {
            let place = i + number - 64;
            row[place / 64] |= 1 << (place % 64);
        }
    }
    rows
}

fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("lzcnt");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
