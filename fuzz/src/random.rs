//! Chance that the fuzzer's bytes decide: a draw takes one byte. When they are used up, SplitMix64 goes on from them.

/// Has the functions of the generator that the tests use.
#[derive(Debug)]
pub struct Random {
    bytes: Vec<u8>,
    at: usize,
    state: u64,
}

impl Random {
    /// A generator that starts with these bytes.
    pub fn new(bytes: &[u8]) -> Random {
        let state = bytes.iter().fold(0u64, |state, byte| state.wrapping_mul(0x100_0000_01b3) ^ u64::from(*byte));
        Random { bytes: bytes.to_vec(), at: 0, state }
    }

    fn next(&mut self) -> u64 {
        if let Some(byte) = self.bytes.get(self.at) {
            self.at += 1;
            return u64::from(*byte);
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
