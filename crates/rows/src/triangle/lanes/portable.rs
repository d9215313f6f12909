//! The kernels on plain arrays.

use super::kernel::kernels;
use super::{I16, I32, I64, I128, Kernels};

macro_rules! plain {
    ($name:ident, $kind:ident, $cell:ty, $word:ty) => {
        pub(in super::super) mod $name {
            use super::*;

            kernels!($kind);

            type Register = [$cell; COUNT];
            type Bits = [$word; COUNT];

            /// Both kernels.
            pub fn kernels() -> Kernels<$kind> {
                Kernels { diagonal, square }
            }

            #[inline(always)]
            fn map<A: Copy, B: Copy, C: Copy + Default>(
                a: [A; COUNT],
                b: [B; COUNT],
                f: impl Fn(A, B) -> C,
            ) -> [C; COUNT] {
                let mut out = [C::default(); COUNT];
                for k in 0..COUNT {
                    out[k] = f(a[k], b[k]);
                }
                out
            }

            #[inline(always)]
            fn zero() -> Register {
                [0; COUNT]
            }

            #[inline(always)]
            fn load(from: &Register) -> Register {
                *from
            }

            #[inline(always)]
            fn store(register: Register, to: &mut Register) {
                *to = register;
            }

            #[inline(always)]
            fn add(a: Register, b: Register) -> Register {
                map(a, b, <$cell>::wrapping_add)
            }

            #[inline(always)]
            fn sub(a: Register, b: Register) -> Register {
                map(a, b, <$cell>::wrapping_sub)
            }

            #[inline(always)]
            fn max(a: Register, b: Register) -> Register {
                map(a, b, |a, b| if a > b { a } else { b })
            }

            #[inline(always)]
            fn min(a: Register, b: Register) -> Register {
                map(a, b, |a, b| if a < b { a } else { b })
            }

            #[inline(always)]
            fn no_bits() -> Bits {
                [0; COUNT]
            }

            #[inline(always)]
            fn same(a: Register, b: Register) -> Bits {
                map(a, b, |a, b| (a == b) as $word)
            }

            #[inline(always)]
            fn push(bits: Bits, bit: Bits, place: usize) -> Bits {
                map(bits, bit, |bits, bit| bits | bit << place)
            }

            #[inline(always)]
            fn join(word: Bits, bits: Bits) -> Bits {
                map(word, bits, |word, bits| word << STRIP | bits)
            }

            #[inline(always)]
            fn store_bits(bits: Bits, to: &mut Bits) {
                *to = bits;
            }
        }
    };
}

plain!(i16s, I16, i16, u16);
plain!(i32s, I32, i32, u32);
plain!(i64s, I64, i64, u64);
plain!(i128s, I128, i128, u128);
