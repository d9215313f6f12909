//! A source of random numbers that its seed fixes: SplitMix64.
//!
//! A seed gives the same numbers on every machine, so that what was found by chance can be found again.

/// A source of random numbers.
///
/// ```
/// let mut random = game::Random::new(7);
/// assert!(random.below(10) < 10);
/// assert_eq!(game::Random::new(3).next(), game::Random::new(3).next());
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A source with a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_fair_and_repeat_with_their_seed() {
        let mut counts = [0u32; 5];
        let mut random = Random::new(7);
        (0..10_000).for_each(|_| counts[random.below(5) as usize] += 1);
        assert!(counts.iter().all(|count| (1800..2200).contains(count)), "{counts:?}");
        let (mut one, mut other) = (Random::new(3), Random::new(3));
        assert!((0..100).all(|_| one.next() == other.next()));
    }
}
