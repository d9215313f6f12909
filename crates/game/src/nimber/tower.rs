//! The tower of fields: nimbers of 16, 32 and 64 bits as pairs of nimbers of half as many.
//!
//! With the Fermat power F = 2^h, a nimber of 2h bits is a₁⊗F ⊕ a₀, and F⊗F = F ⊕ F/2. So every operation reduces to a
//! few of half the width:
//!
//! ```text
//! product   (a₁b₀ ⊕ a₀b₁ ⊕ a₁b₁)F ⊕ a₀b₀ ⊕ a₁b₁⊗F/2
//! square    a₁²F ⊕ a₀² ⊕ a₁²⊗F/2                       (and root: the same, read backwards)
//! inverse   (a₁F ⊕ a₀ ⊕ a₁) / N,  N = a₀(a₀ ⊕ a₁) ⊕ a₁²⊗F/2
//! x² ⊕ x    (x₁² ⊕ x₁)F ⊕ x₀² ⊕ x₀ ⊕ x₁²⊗F/2
//! ```
//!
//! Below 256 there are tables. From 32 bits on a product takes three products of half the width instead of four
//! (Karatsuba's trick). At 16 bits four are cheaper, since each logarithm is looked up once and used twice, and F/2 is
//! a logarithm to be added.

use std::ops::BitXor;

use super::bytes::{LOG, LOG_128, ROOT, TIMES_128, TIMES_128_TWICE, UNSQUARE, exp};

/// The nimbers of one width.
pub(super) trait Level: Copy {
    fn product(self, other: Self) -> Self;
    /// The product with half the Fermat power that follows this width.
    fn half(self) -> Self;
    /// [`Level::half`], applied twice.
    #[inline]
    fn half_twice(self) -> Self {
        self.half().half()
    }
    fn square(self) -> Self;
    fn root(self) -> Self;
    /// The inverse; of 0 it is 0.
    fn inverse(self) -> Self;
    /// The even x for which x⊗x ⊕ x is this nimber, whose top bit must be 0.
    fn unsquare(self) -> Self;
}

impl Level for u8 {
    #[inline]
    fn product(self, other: u8) -> u8 {
        exp(LOG[self as usize] + LOG[other as usize])
    }

    #[inline]
    fn half(self) -> u8 {
        TIMES_128[self as usize]
    }

    #[inline]
    fn half_twice(self) -> u8 {
        TIMES_128_TWICE[self as usize]
    }

    fn square(self) -> u8 {
        self.product(self)
    }

    fn root(self) -> u8 {
        ROOT[self as usize]
    }

    fn inverse(self) -> u8 {
        if self == 0 { 0 } else { exp(255 - LOG[self as usize]) }
    }

    fn unsquare(self) -> u8 {
        UNSQUARE[self as usize]
    }
}

/// Two halves as one nimber.
macro_rules! join {
    ($whole:ty, $part:ty, $high:expr, $low:expr) => {
        (<$whole>::from($high) << <$part>::BITS) | <$whole>::from($low)
    };
}

/// The nimbers of one width as pairs of nimbers of half that width.
macro_rules! pairs {
    ($whole:ty, $part:ty, $product:expr) => {
        impl Level for $whole {
            #[inline]
            fn product(self, other: $whole) -> $whole {
                let split = |whole: $whole| ((whole >> <$part>::BITS) as $part, whole as $part);
                let (high, low): ($part, $part) = $product(split(self), split(other));
                join!($whole, $part, high, low)
            }

            #[inline]
            fn half(self) -> $whole {
                let (high, low) = ((self >> <$part>::BITS) as $part, self as $part);
                join!($whole, $part, (high ^ low).half(), high.half_twice())
            }

            fn square(self) -> $whole {
                let (high, low) = (((self >> <$part>::BITS) as $part).square(), (self as $part).square());
                join!($whole, $part, high, low ^ high.half())
            }

            fn root(self) -> $whole {
                let (high, low) = ((self >> <$part>::BITS) as $part, self as $part);
                join!($whole, $part, high.root(), (low ^ high.half()).root())
            }

            fn inverse(self) -> $whole {
                let (high, low) = ((self >> <$part>::BITS) as $part, self as $part);
                let norm = low.product(low ^ high) ^ high.square().half();
                let over = norm.inverse();
                join!($whole, $part, high.product(over), (high ^ low).product(over))
            }

            fn unsquare(self) -> $whole {
                let mut high = ((self >> <$part>::BITS) as $part).unsquare();
                let mut rest = self as $part ^ high.square().half();
                // The high part can also be the other solution; then the rest changes by half the Fermat power, whose
                // top bit is 1. Exactly one of the two leaves a rest that can be solved.
                if rest >> (<$part>::BITS - 1) != 0 {
                    high ^= 1;
                    rest = self as $part ^ high.square().half();
                }
                join!($whole, $part, high, rest.unsquare())
            }
        }
    };
}

#[inline]
fn four_products((a1, a0): (u8, u8), (b1, b0): (u8, u8)) -> (u8, u8) {
    let log = |nimber: u8| LOG[nimber as usize];
    let (a1, a0, b1, b0) = (log(a1), log(a0), log(b1), log(b0));
    (exp(a1 + b1) ^ exp(a1 + b0) ^ exp(a0 + b1), exp(a0 + b0) ^ exp(a1 + b1 + LOG_128))
}

#[inline]
fn three_products<T: Level + BitXor<Output = T>>((a1, a0): (T, T), (b1, b0): (T, T)) -> (T, T) {
    let low = a0.product(b0);
    let both = (a1 ^ a0).product(b1 ^ b0);
    (both ^ low, low ^ a1.product(b1).half())
}

pairs!(u16, u8, four_products);
pairs!(u32, u16, three_products);
pairs!(u64, u32, three_products);
