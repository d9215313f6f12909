//! The far moves of a game that has few of them, none very long.
//!
//! [`super::kernel`] handles any number of moves of any length: it groups them, and tests which are in reach. If there
//! are only a dozen moves, and none reaches beyond the padding before heap 0, that costs more than the moves
//! themselves. Here each number is two loads a word apart and two shifts, the compiler knows the number of moves, and
//! nothing is tested. Ten moves up to 1000 take a third of the time.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, unused_imports))]

use super::bits::PAD;
use super::plan::{LONGEST, Plan};
use super::settle::SettleWord;

/// A number taken, as words and bits.
#[derive(Clone, Copy, Debug)]
struct Shift {
    words: usize,
    bits: usize,
}

/// `K` numbers from 256 to [`LONGEST`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Short<const K: usize> {
    shifts: [Shift; K],
}

/// A row of words, the index from which on it is unknown, and the heaps that are never lost there.
pub(super) struct Row<'a> {
    pub words: &'a mut [u64],
    pub at: usize,
    pub excluded: Option<&'a [u64]>,
}

impl<const K: usize> Short<K> {
    /// At most `K` numbers, each from 256 to [`LONGEST`], and at least one unless `K` is 0.
    pub fn new(numbers: &[usize]) -> Short<K> {
        assert!(numbers.len() <= K && numbers.iter().all(|number| (256..=LONGEST).contains(number)));
        // The nearest come last: what they read was written last. The farthest fills unused entries.
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let number = |i: usize| sorted[i.saturating_sub(K - sorted.len())];
        Short { shifts: std::array::from_fn(|i| Shift { words: number(i) / 64, bits: number(i) % 64 }) }
    }

    /// Values `count` words of a row, a multiple of four. There are [`PAD`] words before them.
    ///
    /// For a machine with AVX2 and related features.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    pub fn run(&self, plan: &Plan, row: Row<'_>, count: usize, mut settle: impl SettleWord) {
        use std::arch::x86_64::*;
        let Row { words, at, excluded } = row;
        for block in (0..count).step_by(4) {
            let at = at + block;
            let mut won = [0; 4];
            if let Some(excluded) = excluded {
                won.copy_from_slice(&excluded[block..block + 4]);
            }
            let window = &words[at - PAD..at + 4];
            // SAFETY: a load begins at most `LONGEST / 64 + 1`, which is `PAD - 1`, words before the last four words of
            // the window, and ends within them. The array has 32 bytes.
            #[allow(unsafe_code)]
            unsafe {
                let from = window.as_ptr().add(PAD);
                let mut reached = _mm256_loadu_si256(won.as_ptr().cast());
                for shift in &self.shifts {
                    let from = from.sub(shift.words);
                    let (all, below) = (_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.sub(1).cast()));
                    let up = _mm256_sll_epi64(all, _mm_cvtsi64_si128(shift.bits as i64));
                    let down = _mm256_srl_epi64(below, _mm_cvtsi64_si128(64 - shift.bits as i64));
                    reached = _mm256_or_si256(reached, _mm256_or_si256(up, down));
                }
                _mm256_storeu_si256(won.as_mut_ptr().cast(), reached);
            }
            for (i, won) in won.into_iter().enumerate() {
                words[at + i] = settle.word(plan, won, words, at + i);
            }
        }
    }
}
