//! The kernels on plain arrays.

use super::kernel::kernels;
use super::{I16, I32, I64, I128, Kernels};

macro_rules! plain {
    ($name:ident, $kind:ident, $cell:ty) => {
        pub(in super::super) mod $name {
            use super::*;

            kernels!($kind);

            type Register = [$cell; COUNT];

            /// Both kernels.
            pub fn kernels() -> Kernels<$kind> {
                Kernels { diagonal, square }
            }

            #[inline(always)]
            fn map(a: Register, b: Register, f: impl Fn($cell, $cell) -> $cell) -> Register {
                let mut out = zero();
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
            fn above(a: Register, b: Register) -> u32 {
                (0..COUNT).fold(0, |bits, k| bits | u32::from(a[k] > b[k]) << k)
            }
        }
    };
}

plain!(i16s, I16, i16);
plain!(i32s, I32, i32);
plain!(i64s, I64, i64);
plain!(i128s, I128, i128);
