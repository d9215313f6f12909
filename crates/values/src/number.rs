//! Dyadic numbers: a whole number over a power of two, exact, with checked arithmetic.

use std::cmp::Ordering;
use std::fmt;

use crate::error::{Error, Result};

/// The highest power of two below the bar.
pub const MOST_HALVINGS: u32 = 60;

/// A number `numerator / 2^halvings` in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    numerator: i64,
    halvings: u32,
}

const OVERFLOW: Error = Error::Overflow("a number does not fit in 63 bits over 2^60");

impl Dyadic {
    /// Zero.
    pub const ZERO: Dyadic = Dyadic { numerator: 0, halvings: 0 };
    /// One.
    pub const ONE: Dyadic = Dyadic { numerator: 1, halvings: 0 };
    /// Minus one.
    pub const MINUS_ONE: Dyadic = Dyadic { numerator: -1, halvings: 0 };

    /// `numerator / 2^halvings`, in lowest terms.
    pub fn new(numerator: i64, halvings: u32) -> Result<Dyadic> {
        Dyadic::reduced(numerator as i128, halvings)
    }

    /// The whole number `n`.
    pub const fn integer(n: i32) -> Dyadic {
        Dyadic { numerator: n as i64, halvings: 0 }
    }

    /// The whole number `n`, which is not the least one.
    pub(crate) const fn whole(n: i64) -> Dyadic {
        Dyadic { numerator: n, halvings: 0 }
    }

    fn reduced(numerator: i128, halvings: u32) -> Result<Dyadic> {
        if numerator == 0 {
            return Ok(Dyadic::ZERO);
        }
        let zeros = numerator.trailing_zeros().min(halvings);
        let (numerator, halvings) = (numerator >> zeros, halvings - zeros);
        // The least number is left out, so that every number has its negative.
        match i64::try_from(numerator) {
            Ok(numerator) if numerator != i64::MIN && halvings <= MOST_HALVINGS => Ok(Dyadic { numerator, halvings }),
            _ => Err(OVERFLOW),
        }
    }

    /// Above the bar.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The power of two below the bar.
    pub fn halvings(self) -> u32 {
        self.halvings
    }

    /// The whole number this is, if it is one.
    pub fn to_integer(self) -> Option<i64> {
        (self.halvings == 0).then_some(self.numerator)
    }

    /// The largest whole number not above this.
    pub fn floor(self) -> i64 {
        self.numerator >> self.halvings
    }

    /// The sum.
    pub fn plus(self, other: Dyadic) -> Result<Dyadic> {
        let halvings = self.halvings.max(other.halvings);
        let wide = |x: Dyadic| (x.numerator as i128) << (halvings - x.halvings);
        Dyadic::reduced(wide(self) + wide(other), halvings)
    }

    /// The difference.
    pub fn minus(self, other: Dyadic) -> Result<Dyadic> {
        self.plus(-other)
    }

    /// The product.
    pub fn times(self, other: Dyadic) -> Result<Dyadic> {
        Dyadic::reduced(self.numerator as i128 * other.numerator as i128, self.halvings + other.halvings)
    }

    /// Half of it.
    pub fn half(self) -> Result<Dyadic> {
        Dyadic::reduced(self.numerator as i128, self.halvings + 1)
    }

    /// Its numerator over `2^halvings`, if that is whole and fits.
    pub(crate) fn scaled(self, halvings: u32) -> Option<i64> {
        let up = halvings.checked_sub(self.halvings)?;
        i64::try_from((self.numerator as i128).checked_shl(up)?).ok().filter(|&scaled| scaled != i64::MIN)
    }

    /// The day on which it is born.
    pub fn birthday(self) -> u64 {
        let whole = self.numerator.unsigned_abs() >> self.halvings;
        if self.halvings == 0 { whole } else { whole + 1 + self.halvings as u64 }
    }

    /// The Left or Right option of its canonical form.
    pub(crate) fn option(self, left: bool) -> Result<Option<Dyadic>> {
        if self.halvings == 0 {
            return Ok(match (self.numerator.signum(), left) {
                (1, true) => Some(Dyadic::whole(self.numerator - 1)),
                (-1, false) => Some(Dyadic::whole(self.numerator + 1)),
                _ => None,
            });
        }
        let step = if left { -1 } else { 1 };
        Dyadic::reduced(self.numerator as i128 + step, self.halvings).map(Some)
    }
}

impl std::ops::Neg for Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic { numerator: -self.numerator, halvings: self.halvings }
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        let halvings = self.halvings.max(other.halvings);
        let wide = |x: &Dyadic| (x.numerator as i128) << (halvings - x.halvings);
        wide(self).cmp(&wide(other))
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.halvings {
            0 => write!(f, "{}", self.numerator),
            halvings => write!(f, "{}/{}", self.numerator, 1u64 << halvings),
        }
    }
}

/// An end of an interval of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Where the interval ends.
    pub at: Dyadic,
    /// True if the end itself is outside.
    pub open: bool,
}

/// The simplest number between two bounds: the one born first. None if there is no number between them.
pub fn simplest(lower: Option<Bound>, upper: Option<Bound>) -> Result<Option<Dyadic>> {
    if let (Some(lower), Some(upper)) = (lower, upper)
        && (lower.at > upper.at || (lower.at == upper.at && (lower.open || upper.open)))
    {
        return Ok(None);
    }
    let above = |x: Dyadic| lower.is_none_or(|bound| x > bound.at || (x == bound.at && !bound.open));
    let below = |x: Dyadic| upper.is_none_or(|bound| x < bound.at || (x == bound.at && !bound.open));
    if above(Dyadic::ZERO) && below(Dyadic::ZERO) {
        return Ok(Some(Dyadic::ZERO));
    }
    if !above(Dyadic::ZERO) {
        return upward(lower.expect("a bound that zero is not above"), below);
    }
    let upper = upper.expect("a bound that zero is not below");
    let found = upward(Bound { at: -upper.at, open: upper.open }, |x| above(-x))?;
    Ok(found.map(|x| -x))
}

/// The simplest number above a bound that is not negative and `below` the other one. There is one.
fn upward(lower: Bound, below: impl Fn(Dyadic) -> bool) -> Result<Option<Dyadic>> {
    for halvings in 0..=MOST_HALVINGS {
        // The least number over 2^halvings that is above the bound.
        let (numerator, own) = (lower.at.numerator as i128, lower.at.halvings);
        let least = if halvings >= own {
            (numerator << (halvings - own)) + lower.open as i128
        } else {
            let shift = own - halvings;
            // The bound has more halvings than this one, so it is not met exactly.
            (numerator >> shift) + 1
        };
        let least = Dyadic::reduced(least, halvings)?;
        if below(least) {
            return Ok(Some(least));
        }
    }
    Err(OVERFLOW)
}
