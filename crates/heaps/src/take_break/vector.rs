//! Many values at once: loads, comparisons and masks of lanes.
//!
//! The sparse engine is written once over these traits. `Avx2` is chosen at run time if the machine has it; `Portable`
//! is plain arrays, runs everywhere, and is the reference for tests.

use std::fmt::Debug;
use std::ops::BitXor;

/// The number type in which a lane holds a value.
pub(super) trait Cell: Copy + Eq + Debug + Default + BitXor<Output = Self> + TryFrom<u32> + Into<u32> {
    /// How many nimbers a cell can hold.
    const NIMBERS: u32;
    /// Lanes of a vector of 32 bytes.
    const LANES: usize = 32 / size_of::<Self>();
    /// Bits of a mask for each lane.
    const BITS: usize = size_of::<Self>();

    /// The least bound of the marking table.
    const BOUND: usize;

    /// A nimber below [`Cell::NIMBERS`].
    fn of(nimber: u32) -> Self;

    /// The nim-sums of eight cells with one more. From the bit of [`Cell::NIMBERS`] on, each may have junk above it:
    /// cells are added a word at a time, and separated afterwards.
    fn sums(cells: &[Self; 8], partner: Self) -> [u64; 8];
}

impl Cell for u8 {
    const NIMBERS: u32 = 1 << 8;
    const BOUND: usize = 256;

    fn of(nimber: u32) -> u8 {
        nimber as u8
    }

    #[inline(always)]
    fn sums(cells: &[u8; 8], partner: u8) -> [u64; 8] {
        let all = u64::from_le_bytes(*cells) ^ (u64::from(partner) * 0x0101_0101_0101_0101);
        [all, all >> 8, all >> 16, all >> 24, all >> 32, all >> 40, all >> 48, all >> 56]
    }
}

impl Cell for u16 {
    const NIMBERS: u32 = 1 << 16;
    const BOUND: usize = 512;

    fn of(nimber: u32) -> u16 {
        nimber as u16
    }

    #[inline(always)]
    fn sums(cells: &[u16; 8], partner: u16) -> [u64; 8] {
        let word = |at: usize| {
            u64::from(cells[at])
                | u64::from(cells[at + 1]) << 16
                | u64::from(cells[at + 2]) << 32
                | u64::from(cells[at + 3]) << 48
        };
        let partner = u64::from(partner) * 0x0001_0001_0001_0001;
        let (low, high) = (word(0) ^ partner, word(4) ^ partner);
        [low, low >> 16, low >> 32, low >> 48, high, high >> 16, high >> 32, high >> 48]
    }
}

/// 32 bytes of cells.
pub(super) trait Vector<C: Cell>: Copy {
    /// The first cells of a slice, which must have enough of them.
    fn load(cells: &[C]) -> Self;
    /// The cells that start `back` before the end of a slice; `back` is at least the number of lanes.
    fn load_before(cells: &[C], back: usize) -> Self;
    fn splat(cell: C) -> Self;
    fn xor(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// All bits of the lanes that are equal.
    fn equal(self, other: Self) -> Self;
    /// One bit for every byte: its highest.
    fn mask(self) -> u32;
}

/// The portable implementation.
#[derive(Clone, Copy)]
pub(super) struct Portable([u64; 4]);

fn map(a: Portable, b: Portable, f: impl Fn(u64, u64) -> u64) -> Portable {
    Portable([f(a.0[0], b.0[0]), f(a.0[1], b.0[1]), f(a.0[2], b.0[2]), f(a.0[3], b.0[3])])
}

/// The highest bit of each lane of `size` bytes that is zero, spread over the lane.
fn zero_lanes(word: u64, size: usize) -> u64 {
    let (high, ones) = match size {
        1 => (0x8080_8080_8080_8080u64, 0xff),
        _ => (0x8000_8000_8000_8000u64, 0xffff),
    };
    let nonzero = ((word & !high) + !high) | word;
    ((!nonzero & high) >> (8 * size - 1)) * ones
}

impl<C: Cell> Vector<C> for Portable {
    fn load(cells: &[C]) -> Self {
        let mut words = [0u64; 4];
        for (word, cells) in words.iter_mut().zip(cells[..C::LANES].chunks_exact(C::LANES / 4)) {
            for (i, &cell) in cells.iter().enumerate() {
                let value: u32 = cell.into();
                *word |= u64::from(value) << (8 * C::BITS * i);
            }
        }
        Portable(words)
    }

    fn load_before(cells: &[C], back: usize) -> Self {
        Vector::<C>::load(&cells[cells.len() - back..])
    }

    fn splat(cell: C) -> Self {
        let value: u32 = cell.into();
        let ones = if C::BITS == 1 { 0x0101_0101_0101_0101 } else { 0x0001_0001_0001_0001 };
        Portable([u64::from(value) * ones; 4])
    }

    fn xor(self, other: Self) -> Self {
        map(self, other, |a, b| a ^ b)
    }

    fn or(self, other: Self) -> Self {
        map(self, other, |a, b| a | b)
    }

    fn equal(self, other: Self) -> Self {
        map(self, other, |a, b| zero_lanes(a ^ b, C::BITS))
    }

    fn mask(self) -> u32 {
        let gather = |word: u64| ((word & 0x8080_8080_8080_8080).wrapping_mul(0x0002_0408_1020_4081) >> 56) as u32;
        self.0.iter().enumerate().fold(0, |mask, (i, &word)| mask | gather(word) << (8 * i))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Cell, Vector};
    use std::arch::x86_64::*;

    /// A register of a machine with AVX2. Only code that runs after a test for it may touch one.
    #[derive(Clone, Copy)]
    pub struct Avx2(__m256i);

    // SAFETY: every use is inlined into a function that is compiled for AVX2 and called only after the machine was
    // tested for it. The loads read 32 bytes within a slice, which is checked.
    #[allow(unsafe_code)]
    impl<C: Cell> Vector<C> for Avx2 {
        #[inline(always)]
        fn load(cells: &[C]) -> Self {
            let cells = &cells[..C::LANES];
            unsafe { Avx2(_mm256_loadu_si256(cells.as_ptr().cast())) }
        }

        #[inline(always)]
        fn load_before(cells: &[C], back: usize) -> Self {
            assert!(C::LANES <= back && back <= cells.len());
            unsafe { Avx2(_mm256_loadu_si256(cells.as_ptr_range().end.sub(back).cast())) }
        }

        #[inline(always)]
        fn splat(cell: C) -> Self {
            let value: u32 = cell.into();
            match C::BITS {
                1 => unsafe { Avx2(_mm256_set1_epi8(value as i8)) },
                _ => unsafe { Avx2(_mm256_set1_epi16(value as i16)) },
            }
        }

        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_xor_si256(self.0, other.0)) }
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_or_si256(self.0, other.0)) }
        }

        #[inline(always)]
        fn equal(self, other: Self) -> Self {
            match C::BITS {
                1 => unsafe { Avx2(_mm256_cmpeq_epi8(self.0, other.0)) },
                _ => unsafe { Avx2(_mm256_cmpeq_epi16(self.0, other.0)) },
            }
        }

        #[inline(always)]
        fn mask(self) -> u32 {
            unsafe { _mm256_movemask_epi8(self.0) as u32 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<C: Cell, V: Vector<C>>() {
        let cells: Vec<C> = (0..200u32).map(|i| C::of(i * 7919 % 11 * (C::NIMBERS / 11))).collect();
        for start in 0..150 {
            for other in [0, start / 2, 149 - start / 2] {
                let (a, b) = (V::load(&cells[start..]), V::load(&cells[other..]));
                let x = C::of(start as u32 % 3 * (C::NIMBERS / 11));
                let mask = a.xor(V::splat(x)).equal(b).mask();
                let or = a.equal(V::splat(x)).or(b.equal(V::splat(x))).mask();
                for lane in 0..C::LANES {
                    let lanes = (1u64 << C::BITS) as u32 - 1;
                    let of = |mask: u32| mask >> (lane * C::BITS) & lanes;
                    let (p, q) = (cells[start + lane], cells[other + lane]);
                    assert_eq!(of(mask), if p ^ x == q { lanes } else { 0 });
                    assert_eq!(of(or), if p == x || q == x { lanes } else { 0 });
                }
            }
        }
    }

    #[test]
    fn portable_vectors_are_right() {
        check::<u8, Portable>();
        check::<u16, Portable>();
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn vectors_of_the_machine_are_right() {
        if std::arch::is_x86_feature_detected!("avx2") {
            check::<u8, Avx2>();
            check::<u16, Avx2>();
        }
    }
}
