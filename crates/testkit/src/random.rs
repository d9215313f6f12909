//! The source of chance for tests: [`game::Random`], or the bytes of a fuzzer. The same seed gives the same tests on every machine.
//!
//! `PERFECTPLAY_SEED=7 cargo test` runs other tests of the same kind, for a longer search.

/// A source of random numbers.
///
/// ```
/// let mut random = testkit::Random::new(1);
/// let place: usize = random.below(10);
/// assert!(place < 10);
/// assert!((-3..=3).contains(&random.between(-3, 3)));
/// assert!([2, 3, 5].contains(random.pick(&[2, 3, 5])));
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: game::Random,
    /// Bytes that decide the first draws, the next one last: those of a fuzzer.
    bytes: Vec<u8>,
}

impl Random {
    /// A source with a seed.
    pub fn new(seed: u64) -> Random {
        let other = std::env::var("PERFECTPLAY_SEED").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        Random { state: game::Random::new(seed ^ other << 32), bytes: Vec::new() }
    }

    /// A source whose first draws take a byte each from these. When they are used up, it goes on from them.
    pub fn fed(bytes: &[u8]) -> Random {
        let state = bytes.iter().fold(0u64, |state, byte| state.wrapping_mul(0x100_0000_01b3) ^ u64::from(*byte));
        Random { state: game::Random::new(state), bytes: bytes.iter().rev().copied().collect() }
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        if let Some(byte) = self.bytes.pop() {
            return u64::from(byte);
        }
        self.state.next()
    }

    /// A number below `bound`; 0 if the bound is 0.
    pub fn below<N: Number>(&mut self, bound: N) -> N {
        N::from_bits(self.next() % bound.bits().max(1))
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let count = high.wrapping_sub(low) as u64;
        if count == u64::MAX { self.next() as i64 } else { low.wrapping_add_unsigned(self.below(count + 1)) }
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// True with this chance in percent.
    pub fn chance<N: Number>(&mut self, percent: N) -> bool {
        self.below(100) < percent.bits()
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// So many numbers from `low` to `high`, both included.
    pub fn list(&mut self, length: usize, low: i64, high: i64) -> Vec<i64> {
        (0..length).map(|_| self.between(low, high)).collect()
    }

    /// Puts items into any order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }

    /// A permutation of `0..n`.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        self.shuffle(&mut order);
        order
    }
}

/// A kind of whole number that [`Random::below`] gives.
pub trait Number: Copy {
    /// The number, which is not negative.
    fn bits(self) -> u64;
    /// The number with these bits, which fit.
    fn from_bits(bits: u64) -> Self;
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Number for $number {
            fn bits(self) -> u64 {
                u64::try_from(self).expect("a bound is not negative")
            }

            fn from_bits(bits: u64) -> $number {
                bits as $number
            }
        })*
    };
}

numbers!(u8 u16 u32 u64 usize i32 i64);
