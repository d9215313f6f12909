//! The inner loop of far moves: which of 256 heaps can reach a marked heap.
//!
//! Taking s = 8 q + r stones moves a row of bits up by q bytes and r bits. Numbers with the same r are collected first,
//! each with one load from any byte, and the collection is moved by r bits once: at most eight times a block, however
//! many moves there are. What it pushes out at the top of a block is carried into the next one.
//!
//! Rejected: eight copies of the row, each moved by one more bit. They need eight stores a block, and eight times the
//! cache.

use super::plan::Group;

/// What the vector loop keeps between blocks: how many moves of each group are in reach, and the bits carried.
#[derive(Clone, Debug)]
pub(super) struct Carry {
    active: Vec<usize>,
    top: Vec<u64>,
    /// The place of the next block at the earliest: moves in reach stay in reach.
    next: usize,
    vector: bool,
}

impl Carry {
    /// Starts at the block at place `at` of `words`.
    pub fn new(groups: &[Group], words: &[u64], at: usize) -> Carry {
        let mut carry =
            Carry { active: vec![0; groups.len()], top: vec![0; groups.len()], next: 0, vector: has_vectors() };
        if at >= 4 {
            carry.pull(groups, words, at - 4);
        }
        carry
    }

    /// The heaps of the 4 words at `at` that reach a bit of `words` by a move of `groups`.
    ///
    /// Blocks are asked for in order.
    #[inline]
    pub fn pull(&mut self, groups: &[Group], words: &[u64], at: usize) -> [u64; 4] {
        assert!(at >= self.next && at + 4 <= words.len());
        self.next = at + 4;
        for (group, active) in groups.iter().zip(&mut self.active) {
            while *active < group.bytes.len() && group.bytes[*active] <= 8 * at {
                *active += 1;
            }
        }
        #[cfg(all(target_arch = "x86_64", target_endian = "little"))]
        if self.vector {
            return vector::pull(groups, &self.active, &mut self.top, words, at);
        }
        portable(groups, &self.active, words, at)
    }
}

fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// The plain way, for any processor: four words for each move.
fn portable(groups: &[Group], active: &[usize], words: &[u64], at: usize) -> [u64; 4] {
    let mut reached = [0; 4];
    for (group, &active) in groups.iter().zip(active) {
        for &bytes in &group.bytes[..active] {
            let back = 8 * bytes + group.shift as usize;
            for (i, reached) in reached.iter_mut().enumerate() {
                let Some(word) = (at + i).checked_sub(back / 64) else { continue };
                let low = if word > 0 { (words[word - 1] >> 1) >> (63 - back % 64) } else { 0 };
                *reached |= words[word] << (back % 64) | low;
            }
        }
    }
    reached
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use super::Group;
    use std::arch::x86_64::*;

    /// Checks what the loads rely on, then runs the loop.
    #[inline]
    #[allow(unsafe_code)]
    pub fn pull(groups: &[Group], active: &[usize], top: &mut [u64], words: &[u64], at: usize) -> [u64; 4] {
        // SAFETY: the caller found AVX2. `Carry::pull` made sure that the block lies within the words, and counted as
        // active only distances of at most 8 · at bytes (places never fall, so that stays true). So each load of 32
        // bytes begins at the first word or later and ends with the block or earlier.
        unsafe { avx2(groups, active, top, words.as_ptr().add(at).cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[allow(unsafe_code)]
    unsafe fn avx2(groups: &[Group], active: &[usize], top: &mut [u64], block: *const u8) -> [u64; 4] {
        let mut reached = _mm256_setzero_si256();
        for ((group, &active), top) in groups.iter().zip(active).zip(top) {
            let mut some = _mm256_setzero_si256();
            let mut others = _mm256_setzero_si256();
            let mut pairs = group.bytes[..active].chunks_exact(2);
            for pair in &mut pairs {
                // SAFETY: see `pull`.
                let (a, b) = unsafe {
                    (_mm256_loadu_si256(block.sub(pair[0]).cast()), _mm256_loadu_si256(block.sub(pair[1]).cast()))
                };
                some = _mm256_or_si256(some, a);
                others = _mm256_or_si256(others, b);
            }
            if let [last] = pairs.remainder() {
                // SAFETY: see `pull`.
                some = _mm256_or_si256(some, unsafe { _mm256_loadu_si256(block.sub(*last).cast()) });
            }
            let all = _mm256_or_si256(some, others);
            // Words move up by one place, the lowest comes from the block before.
            let turned = _mm256_permute4x64_epi64::<0b10_01_00_11>(all);
            let below = _mm256_blend_epi32::<0b0000_0011>(turned, _mm256_set_epi64x(0, 0, 0, *top as i64));
            *top = _mm256_extract_epi64::<0>(turned) as u64;
            let up = _mm_cvtsi32_si128(group.shift as i32);
            let down = _mm_cvtsi32_si128(64 - group.shift as i32);
            let moved = _mm256_or_si256(_mm256_sll_epi64(all, up), _mm256_srl_epi64(below, down));
            reached = _mm256_or_si256(reached, moved);
        }
        let mut out = [0; 4];
        // SAFETY: `out` has 32 bytes.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), reached) };
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_and_words_agree() {
        let mut seed = 7u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed >> 33
        };
        for _ in 0..200 {
            let mut groups: Vec<Group> = (0..8).map(|shift| Group { shift, bytes: Vec::new() }).collect();
            for _ in 0..random() % 20 + 1 {
                groups[(random() % 8) as usize].bytes.push((32 + random() % 200) as usize);
            }
            groups.iter_mut().for_each(|group| group.bytes.sort_unstable());
            let words: Vec<u64> =
                (0..80).map(|i| if i < 8 { 0 } else { random() << 40 ^ random() << 20 ^ random() }).collect();
            let mut fast = Carry::new(&groups, &words, 8);
            let mut plain = Carry { vector: false, ..fast.clone() };
            for at in (8..80).step_by(4) {
                assert_eq!(fast.pull(&groups, &words, at), plain.pull(&groups, &words, at));
            }
        }
    }
}
