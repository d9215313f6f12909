//! The kernels on registers of 256 bits.

use std::arch::x86_64::*;

use super::kernel::kernels;
use super::{I16, I32, I64, Kernels};

/// 128-bit numbers, one at a time, need no vectors.
pub(super) mod i128s {
    pub use crate::triangle::lanes::portable::i128s::kernels;
}

macro_rules! operations {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:expr;)*) => {
        $(#[inline]
        #[target_feature(enable = "avx2")]
        fn $name($($argument: $type),*) -> $result {
            $body
        })*
    };
}

/// Shared by all kinds: memory is read and written as whole registers.
macro_rules! vectors {
    ($name:ident, $kind:ident, $($operations:tt)*) => {
        pub(super) mod $name {
            use super::*;

            kernels!($kind, #[target_feature(enable = "avx2")]);

            type Register = __m256i;
            type Lane = <$kind as Kind>::Lane;

            /// Both kernels; only for a machine with AVX2.
            pub fn kernels() -> Kernels<$kind> {
                // SAFETY: the caller has tested the machine for AVX2, the only feature these functions need.
                #[allow(unsafe_code)]
                Kernels {
                    diagonal: |step| unsafe { diagonal(step) },
                    square: |step| unsafe { square(step) },
                }
            }

            // SAFETY, for both: an array of lanes is 32 bytes, and these instructions need no alignment.
            #[allow(unsafe_code)]
            #[inline]
            #[target_feature(enable = "avx2")]
            fn load(from: &Lane) -> Register {
                const { assert!(size_of::<Lane>() == size_of::<Register>()) };
                unsafe { std::ptr::from_ref(from).cast::<Register>().read_unaligned() }
            }

            #[allow(unsafe_code)]
            #[inline]
            #[target_feature(enable = "avx2")]
            fn store(register: Register, to: &mut Lane) {
                const { assert!(size_of::<Lane>() == size_of::<Register>()) };
                unsafe { std::ptr::from_mut(to).cast::<Register>().write_unaligned(register) }
            }

            operations! {
                zero() -> Register = _mm256_setzero_si256();
                $($operations)*
            }
        }
    };
}

vectors! { i16s, I16,
    add(a: Register, b: Register) -> Register = _mm256_add_epi16(a, b);
    sub(a: Register, b: Register) -> Register = _mm256_sub_epi16(a, b);
    max(a: Register, b: Register) -> Register = _mm256_max_epi16(a, b);
    min(a: Register, b: Register) -> Register = _mm256_min_epi16(a, b);
    above(a: Register, b: Register) -> u32 = {
        let bytes = _mm256_packs_epi16(_mm256_cmpgt_epi16(a, b), _mm256_setzero_si256());
        // Each half of the register has eight of them, then zeros.
        let bits = _mm256_movemask_epi8(bytes) as u32;
        bits & 0xff | bits >> 8
    };
}

vectors! { i32s, I32,
    add(a: Register, b: Register) -> Register = _mm256_add_epi32(a, b);
    sub(a: Register, b: Register) -> Register = _mm256_sub_epi32(a, b);
    max(a: Register, b: Register) -> Register = _mm256_max_epi32(a, b);
    min(a: Register, b: Register) -> Register = _mm256_min_epi32(a, b);
    above(a: Register, b: Register) -> u32 =
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b))) as u32;
}

vectors! { i64s, I64,
    add(a: Register, b: Register) -> Register = _mm256_add_epi64(a, b);
    sub(a: Register, b: Register) -> Register = _mm256_sub_epi64(a, b);
    max(a: Register, b: Register) -> Register = _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));
    min(a: Register, b: Register) -> Register = _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
    above(a: Register, b: Register) -> u32 =
        _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(a, b))) as u32;
}
