//! The inner loop of far moves: which heaps of a block can reach a marked heap.
//!
//! Taking s = 8 q + r stones shifts a row of bits up by q bytes and r bits. Numbers with equal r are collected first,
//! each with one load from any byte, and the collection is shifted by r bits once: at most eight times per block,
//! however many moves there are. Bits shifted out at the top of a block are carried into the next one. A number that
//! shares its r with no other is shifted by itself, from two loads a word apart.
//!
//! Rejected: eight copies of the row, each shifted by one more bit. They need eight stores per block, and eight times
//! the cache.

/// Numbers taken with equal remainders by 8.
#[derive(Clone, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
struct Group {
    /// The remainder.
    shift: u32,
    /// The quotients, ascending: distances in bytes.
    bytes: Vec<usize>,
    /// How many of them are in reach.
    active: usize,
    /// The last word collected, whose upper bits the next block needs.
    carry: u64,
}

/// Numbers of at least 256 · V, for blocks of V times 256 heaps.
#[derive(Clone, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(super) struct Far<const V: usize> {
    numbers: Vec<usize>,
    groups: Vec<Group>,
    /// Numbers in no group, ascending, and how many are in reach.
    ungrouped: Vec<usize>,
    active: usize,
    /// The least possible index of the next block: what is in reach stays in reach.
    next: usize,
    vector: bool,
}

impl<const V: usize> Far<V> {
    /// Sorts the numbers.
    pub fn new(mut numbers: Vec<usize>) -> Far<V> {
        numbers.sort_unstable();
        let mut groups = Vec::new();
        let mut ungrouped = Vec::new();
        for shift in 0..8 {
            let alike = numbers.iter().copied().filter(|number| number % 8 == shift);
            if alike.clone().count() > 2 {
                let bytes = alike.map(|number| number / 8).collect();
                groups.push(Group { shift: shift as u32, bytes, active: 0, carry: 0 });
            } else {
                ungrouped.extend(alike);
            }
        }
        ungrouped.sort_unstable();
        Far { numbers, groups, ungrouped, active: 0, next: 0, vector: has_vectors() }
    }

    /// Whether there are no such moves.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// These moves without vector instructions.
    #[cfg(test)]
    pub fn plain(self) -> Far<V> {
        Far { vector: false, ..self }
    }

    /// Prepares for the block at index `at` of `words`.
    pub fn start(&mut self, words: &[u64], at: usize) {
        self.next = 0;
        self.active = 0;
        self.groups.iter_mut().for_each(|group| (group.active, group.carry) = (0, 0));
        if !self.is_empty() && at >= 4 * V {
            self.pull(words, at - 4 * V);
        }
    }

    /// The heaps of the block at `at` that reach a bit of `words`.
    ///
    /// Blocks must be asked for one after the other.
    #[inline(always)]
    pub fn pull(&mut self, words: &[u64], at: usize) -> [[u64; 4]; V] {
        assert!(at >= self.next && at + 4 * V <= words.len());
        self.next = at + 4 * V;
        for group in &mut self.groups {
            while group.active < group.bytes.len() && group.bytes[group.active] <= 8 * at {
                group.active += 1;
            }
        }
        while self.active < self.ungrouped.len() && self.ungrouped[self.active] / 64 < at {
            self.active += 1;
        }
        #[cfg(target_arch = "x86_64")]
        if self.vector {
            return vector::pull(self, words, at);
        }
        self.pull_words(words, at)
    }

    /// The portable way: word by word for each move.
    fn pull_words(&self, words: &[u64], at: usize) -> [[u64; 4]; V] {
        let mut reached = [[0; 4]; V];
        for &number in &self.numbers {
            for (i, reached) in reached.as_flattened_mut().iter_mut().enumerate() {
                let Some(word) = (at + i).checked_sub(number / 64 + 1) else { continue };
                *reached |= words[word + 1] << (number % 64) | (words[word] >> 1) >> (63 - number % 64);
            }
        }
        reached
    }
}

fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use super::Far;
    use std::arch::x86_64::*;

    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn pull<const V: usize>(far: &mut Far<V>, words: &[u64], at: usize) -> [[u64; 4]; V] {
        // SAFETY: `Far::new` found AVX2. `Far::pull` made sure that the block lies within the words. It counted as
        // active only distances of at most 8 · at bytes, or numbers whose words and the one before exist. Indices never
        // fall, so that stays true. So each load begins at the first word or later, and no load ends after the block.
        unsafe { avx2(far, words.as_ptr().add(at)) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[allow(unsafe_code)]
    unsafe fn avx2<const V: usize>(far: &mut Far<V>, block: *const u64) -> [[u64; 4]; V] {
        let mut reached = [_mm256_setzero_si256(); V];
        for group in &mut far.groups {
            let mut all = [_mm256_setzero_si256(); V];
            for &bytes in &group.bytes[..group.active] {
                for (v, all) in all.iter_mut().enumerate() {
                    // SAFETY: see `pull`.
                    let load = unsafe { _mm256_loadu_si256(block.byte_sub(bytes).add(4 * v).cast()) };
                    *all = _mm256_or_si256(*all, load);
                }
            }
            let up = _mm_cvtsi32_si128(group.shift as i32);
            let down = _mm_cvtsi32_si128(64 - group.shift as i32);
            let mut carry = _mm256_castsi128_si256(_mm_cvtsi64_si128(group.carry as i64));
            for (reached, all) in reached.iter_mut().zip(all) {
                // Words move up by one lane; the lowest comes from the vector before.
                let turned = _mm256_permute4x64_epi64::<0b10_01_00_11>(all);
                let below = _mm256_blend_epi32::<0b0000_0011>(turned, carry);
                carry = turned;
                let moved = _mm256_or_si256(_mm256_sll_epi64(all, up), _mm256_srl_epi64(below, down));
                *reached = _mm256_or_si256(*reached, moved);
            }
            group.carry = _mm_cvtsi128_si64(_mm256_castsi256_si128(carry)) as u64;
        }
        for &number in &far.ungrouped[..far.active] {
            let up = _mm_cvtsi32_si128((number % 64) as i32);
            let down = _mm_cvtsi32_si128(64 - (number % 64) as i32);
            for (v, reached) in reached.iter_mut().enumerate() {
                // SAFETY: see `pull`.
                let (all, below) = unsafe {
                    let from = block.sub(number / 64).add(4 * v);
                    (_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.sub(1).cast()))
                };
                let moved = _mm256_or_si256(_mm256_sll_epi64(all, up), _mm256_srl_epi64(below, down));
                *reached = _mm256_or_si256(*reached, moved);
            }
        }
        let mut out = [[0; 4]; V];
        for (out, reached) in out.iter_mut().zip(reached) {
            // SAFETY: `out` has 32 bytes.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), reached) };
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const V: usize>(random: &mut impl FnMut() -> u64) {
        for _ in 0..100 {
            let numbers = (0..random() % 40 + 1).map(|_| 256 * V + (random() % 2000) as usize).collect();
            let some = |i| if i < 32 { 0 } else { random() << 40 ^ random() << 20 ^ random() };
            let words: Vec<u64> = (0..160).map(some).collect();
            let mut fast = Far::<V>::new(numbers);
            let mut plain = fast.clone().plain();
            fast.start(&words, 32);
            plain.start(&words, 32);
            for at in (32..160 - 4 * V).step_by(4 * V) {
                assert_eq!(fast.pull(&words, at), plain.pull(&words, at));
            }
        }
    }

    #[test]
    fn vectors_and_words_agree() {
        let mut source = testkit::Random::new(7);
        let mut random = || source.next() >> 33;
        check::<1>(&mut random);
        check::<2>(&mut random);
        check::<4>(&mut random);
    }
}
