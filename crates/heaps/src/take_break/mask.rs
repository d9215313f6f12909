//! Which indices are rare: the choice of the mask.
//!
//! A *character* gives an index `n` the class `|g(n) ∧ mask| + alternate · n` modulo 2. Classes add along with indices
//! and nim-sums. So for given sum and nim-sum, either both parts of every pair have equal classes, or they differ in
//! every pair. The mask that makes one class as small as possible is found by one Walsh–Hadamard transform of the
//! histogram of values: its coefficient at a mask is the difference of the sizes of the two classes.

/// Splits the indices into two classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Character {
    pub mask: u32,
    /// Whether the parity of the index counts too.
    pub alternate: bool,
    /// The class of the common indices.
    pub common: bool,
}

impl Character {
    /// The class of index `n` with value `value`; also of a pair with sum `n` and nim-sum `value`.
    pub fn class(&self, n: usize, value: u32) -> bool {
        ((value & self.mask).count_ones() as usize + (n & usize::from(self.alternate))) & 1 == 1
    }

    pub fn is_rare(&self, n: usize, value: u32) -> bool {
        self.class(n, value) != self.common
    }
}

/// How often each value occurs, by the parity of the index.
#[derive(Clone, Debug, Default)]
pub(super) struct Histogram {
    counts: [Vec<i64>; 2],
}

impl Histogram {
    pub fn add(&mut self, n: usize, value: u32) {
        let counts = &mut self.counts[n & 1];
        if value as usize >= counts.len() {
            counts.resize((value as usize + 1).next_power_of_two(), 0);
        }
        counts[value as usize] += 1;
    }

    /// The character with the fewest rare indices, and how many they are. `taken` is the parity of the tokens taken by
    /// moves that split, `None` if it varies: the parity of the index helps only if that parity is fixed.
    ///
    /// The value of a common index must be the nim-sum of a common and a rare part, since such pairs are few. So the
    /// class of pairs that leave it is 1, and its own class follows.
    pub fn best(&self, taken: Option<usize>) -> (Character, u64) {
        let size = self.counts[0].len().max(self.counts[1].len()).max(1);
        let at = |parity: usize, value: usize| self.counts[parity].get(value).copied().unwrap_or(0);
        let total: i64 = self.counts.iter().flatten().sum();
        let plain = transform((0..size).map(|value| at(0, value) + at(1, value)).collect());
        let least = |found: Vec<i64>, sign: i64| {
            let (mask, least) =
                found.iter().map(|c| c * sign).enumerate().min_by_key(|&(_, c)| c).unwrap_or((0, total));
            (mask as u32, ((total + least) / 2) as u64)
        };
        let (mask, rare) = least(plain, 1);
        let best = (Character { mask, alternate: false, common: true }, rare);
        let Some(taken) = taken else { return best };
        let parity = transform((0..size).map(|value| at(0, value) - at(1, value)).collect());
        let common = taken & 1 == 0;
        let (mask, rare) = least(parity, if common { 1 } else { -1 });
        if rare < best.1 { (Character { mask, alternate: true, common }, rare) } else { best }
    }
}

/// The Walsh–Hadamard transform of a vector whose length is a power of two.
fn transform(mut values: Vec<i64>) -> Vec<i64> {
    let mut half = 1;
    while half < values.len() {
        for block in values.chunks_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_character_has_the_fewest_rare_indices() {
        let mut random = testkit::Random::new(7);
        for round in 0..50u32 {
            let mut histogram = Histogram::default();
            let values: Vec<u32> = (0..200).map(|_| random.below(2 + round)).collect();
            values.iter().enumerate().for_each(|(n, &value)| histogram.add(n, value));
            for taken in [None, Some(2), Some(3)] {
                let (best, rare) = histogram.best(taken);
                let count = |c: Character| values.iter().enumerate().filter(|&(n, &v)| c.is_rare(n, v)).count() as u64;
                assert_eq!(count(best), rare);
                for mask in 0..64 {
                    assert!(count(Character { mask, alternate: false, common: true }) >= rare);
                    if let Some(taken) = taken {
                        assert!(count(Character { mask, alternate: true, common: taken % 2 == 0 }) >= rare);
                    }
                }
            }
        }
    }
}
