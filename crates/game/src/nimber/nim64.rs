//! The field of the nimbers below 2^64.
//!
//! Addition is the nim-sum (XOR) and every nimber is its own negative. The product is the least nimber that the field
//! axioms allow: a⊗b is the mex of all a′⊗b ⊕ a⊗b′ ⊕ a′⊗b′ with a′ < a and b′ < b.
//!
//! ```
//! use game::Nim64;
//!
//! let n = |nimber| Nim64(nimber);
//! assert_eq!(n(5) + n(3), n(6));
//! assert_eq!(n(2) * n(2), n(3));
//! assert_eq!(n(4) * n(2), n(8)); // a Fermat power times a smaller one: the ordinary product
//! assert_eq!(n(16) * n(16), n(24)); // a Fermat power squared: three halves of it
//! assert_eq!(n(1 << 32) * n(1 << 32), n(3 << 31));
//! assert_eq!(n(2).inverse(), Some(n(3)));
//! assert_eq!(n(2).square_root(), n(3));
//! ```

use std::fmt;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Sub, SubAssign};

use super::tower::Level;

/// A nimber below 2^64, as an element of the field that they form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nim64(pub u64);

impl Nim64 {
    /// The nimber that changes no sum.
    pub const ZERO: Nim64 = Nim64(0);

    /// The nimber that changes no product.
    pub const ONE: Nim64 = Nim64(1);

    /// The nimber whose product with this one is 1; 0 has none.
    ///
    /// ```
    /// # use game::Nim64;
    /// let nimber = Nim64(0x0123_4567_89ab_cdef);
    /// assert_eq!(nimber.inverse().map(|inverse| inverse * nimber), Some(Nim64::ONE));
    /// assert_eq!(Nim64(0).inverse(), None);
    /// ```
    pub fn inverse(self) -> Option<Nim64> {
        (self.0 != 0).then(|| Nim64(self.0.inverse()))
    }

    /// The quotient; `None` if the divisor is 0.
    pub fn checked_div(self, other: Nim64) -> Option<Nim64> {
        other.inverse().map(|inverse| self * inverse)
    }

    /// The square, which is much quicker than a product.
    pub fn square(self) -> Nim64 {
        Nim64(self.0.square())
    }

    /// The only nimber whose square is this.
    ///
    /// ```
    /// # use game::Nim64;
    /// assert_eq!(Nim64(24).square_root(), Nim64(16));
    /// ```
    pub fn square_root(self) -> Nim64 {
        Nim64(self.0.root())
    }

    /// The power with an ordinary number as exponent; with exponent 0 it is 1, also of 0.
    ///
    /// ```
    /// # use game::Nim64;
    /// assert_eq!(Nim64(7).power(u64::MAX), Nim64::ONE); // the field has 2^64 − 1 nimbers other than 0
    /// assert_eq!(Nim64(2).power(3), Nim64::ONE);
    /// ```
    pub fn power(self, mut exponent: u64) -> Nim64 {
        let (mut result, mut square) = (Nim64::ONE, self);
        while exponent != 0 {
            if exponent & 1 == 1 {
                result *= square;
            }
            exponent >>= 1;
            if exponent != 0 {
                square = square.square();
            }
        }
        result
    }

    /// The least exponent above 0 with which the power is 1; 0 has none.
    ///
    /// ```
    /// # use game::Nim64;
    /// assert_eq!(Nim64(2).order(), Some(3));
    /// assert_eq!(Nim64(4).order(), Some(15));
    /// ```
    pub fn order(self) -> Option<u64> {
        if self.0 == 0 {
            return None;
        }
        /// The prime factors of 2^64 − 1.
        const PRIMES: [u64; 7] = [3, 5, 17, 257, 641, 65537, 6_700_417];
        let needed = |order: u64, prime: &u64| match self.power(order / prime) {
            Nim64::ONE => order / prime,
            _ => order,
        };
        Some(PRIMES.iter().fold(u64::MAX, needed))
    }

    /// The sum of all 64 conjugates x, x², x⁴, …, which is 0 or 1. It is the top bit.
    pub fn trace(self) -> u8 {
        (self.0 >> 63) as u8
    }

    /// The even x with x² ⊕ x equal to this nimber; the other solution is x ⊕ 1. A nimber from 2^63 on has trace 1, and
    /// its solutions are beyond 2^64.
    ///
    /// ```
    /// # use game::Nim64;
    /// let x = Nim64(12345).artin_schreier_root().unwrap();
    /// assert_eq!(x.square() + x, Nim64(12345));
    /// assert_eq!(Nim64(1 << 63).artin_schreier_root(), None);
    /// ```
    pub fn artin_schreier_root(self) -> Option<Nim64> {
        (self.trace() == 0).then(|| Nim64(self.0.unsquare()))
    }
}

/// The nim-sum.
impl Add for Nim64 {
    type Output = Nim64;

    #[inline]
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn add(self, other: Nim64) -> Nim64 {
        Nim64(self.0 ^ other.0)
    }
}

impl AddAssign for Nim64 {
    #[inline]
    fn add_assign(&mut self, other: Nim64) {
        *self = *self + other;
    }
}

/// The nim-sum again, since every nimber is its own negative.
impl Sub for Nim64 {
    type Output = Nim64;

    #[inline]
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn sub(self, other: Nim64) -> Nim64 {
        self + other
    }
}

impl SubAssign for Nim64 {
    #[inline]
    fn sub_assign(&mut self, other: Nim64) {
        *self = *self - other;
    }
}

/// The nim-product.
impl Mul for Nim64 {
    type Output = Nim64;

    fn mul(self, other: Nim64) -> Nim64 {
        Nim64(self.0.product(other.0))
    }
}

impl MulAssign for Nim64 {
    fn mul_assign(&mut self, other: Nim64) {
        *self = *self * other;
    }
}

/// The quotient.
///
/// # Panics
/// If the divisor is 0, like integers; [`Nim64::checked_div`] does not.
impl Div for Nim64 {
    type Output = Nim64;

    fn div(self, other: Nim64) -> Nim64 {
        self.checked_div(other).expect("a nimber is divided by 0")
    }
}

impl Sum for Nim64 {
    fn sum<I: Iterator<Item = Nim64>>(nimbers: I) -> Nim64 {
        nimbers.fold(Nim64::ZERO, Add::add)
    }
}

impl Product for Nim64 {
    fn product<I: Iterator<Item = Nim64>>(nimbers: I) -> Nim64 {
        nimbers.fold(Nim64::ONE, Mul::mul)
    }
}

impl fmt::Display for Nim64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<u64> for Nim64 {
    fn from(nimber: u64) -> Nim64 {
        Nim64(nimber)
    }
}

impl From<Nim64> for u64 {
    fn from(nimber: Nim64) -> u64 {
        nimber.0
    }
}
