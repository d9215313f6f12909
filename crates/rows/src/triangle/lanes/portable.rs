//! The kernels on plain arrays.

use super::kernel::kernels;
use super::{F64, I16, I32, I64, I128, Kernels};

macro_rules! plain {
    ($name:ident, $kind:ident, $cell:ty, $word:ty, $zero:literal, $add:expr, $sub:expr) => {
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
                [$zero; COUNT]
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
                map(a, b, $add)
            }

            #[inline(always)]
            fn sub(a: Register, b: Register) -> Register {
                map(a, b, $sub)
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
            fn push(bits: Bits, bit: Bits) -> Bits {
                map(bits, bit, |bits, bit| bits << 1 | bit)
            }

            #[inline(always)]
            fn store_bits(bits: Bits, to: &mut Bits) {
                *to = bits;
            }
        }
    };
}

plain!(i16s, I16, i16, u16, 0, i16::wrapping_add, i16::wrapping_sub);
plain!(i32s, I32, i32, u32, 0, i32::wrapping_add, i32::wrapping_sub);
plain!(f64s, F64, f64, u64, 0.0, std::ops::Add::add, std::ops::Sub::sub);
plain!(i64s, I64, i64, u64, 0, i64::wrapping_add, i64::wrapping_sub);
plain!(i128s, I128, i128, u128, 0, i128::wrapping_add, i128::wrapping_sub);
