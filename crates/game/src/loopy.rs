//! Values of impartial games whose positions can repeat: C. A. B. Smith's loopy nimbers.
//!
//! Even if play need not end, some positions still act as a Nim heap in every sum: they have a nimber. The others have
//! an infinite value ∞(A), of which only the set A matters: the nimbers of those options that have one. The player who
//! moves in ∞(A) can turn it into any nimber of A, or play on without end. That is enough to add positions and to find
//! who wins:
//!
//! ```text
//! a + b = a ⊕ b      ∞(A) + b = ∞(A ⊕ b)      ∞(A) + ∞(B) = ∞(∅)
//! lost: 0            won: above 0, or ∞(A) with 0 in A            drawn: every other ∞(A)
//! ```
//!
//! ```
//! use game::{LoopyNimber, Outcome};
//!
//! let off_or_on = LoopyNimber::infinite([2, 0, 2]);
//! assert_eq!(off_or_on.to_string(), "∞{0,2}");
//! assert_eq!(off_or_on.outcome(), Outcome::Win);
//! let sum = &off_or_on + &LoopyNimber::Finite(3);
//! assert_eq!(sum, LoopyNimber::infinite([1, 3]));
//! assert_eq!(sum.outcome(), Outcome::Draw);
//! assert_eq!((&sum + &sum).to_string(), "∞{}");
//! ```

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use crate::nimber::Nimber;
use crate::outcome::Outcome;

/// The value of a position of an impartial game whose positions can repeat, won by the last mover.
///
/// In the order, finite values come before infinite ones; that means nothing in play.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoopyNimber {
    /// The position equals a Nim heap of this size.
    Finite(Nimber),
    /// The position equals no Nim heap; these are the nimbers of its options that do.
    Infinite(NimberSet),
}

/// A set of nimbers, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NimberSet(Box<[Nimber]>);

impl NimberSet {
    /// Whether a nimber is in the set.
    pub fn contains(&self, nimber: Nimber) -> bool {
        self.0.binary_search(&nimber).is_ok()
    }

    /// The nimbers, ascending.
    pub fn as_slice(&self) -> &[Nimber] {
        &self.0
    }

    /// The set with a nimber added to each member.
    pub fn plus(&self, nimber: Nimber) -> NimberSet {
        self.0.iter().map(|own| own ^ nimber).collect()
    }
}

impl FromIterator<Nimber> for NimberSet {
    fn from_iter<I: IntoIterator<Item = Nimber>>(nimbers: I) -> NimberSet {
        let mut nimbers: Vec<Nimber> = nimbers.into_iter().collect();
        nimbers.sort_unstable();
        nimbers.dedup();
        NimberSet(nimbers.into())
    }
}

impl LoopyNimber {
    /// The value of a position without moves.
    pub const ZERO: LoopyNimber = LoopyNimber::Finite(0);

    /// The infinite value whose options have these nimbers.
    pub fn infinite(nimbers: impl IntoIterator<Item = Nimber>) -> LoopyNimber {
        LoopyNimber::Infinite(nimbers.into_iter().collect())
    }

    /// The nimber, if the value is one.
    pub fn nimber(&self) -> Option<Nimber> {
        match self {
            LoopyNimber::Finite(nimber) => Some(*nimber),
            LoopyNimber::Infinite(_) => None,
        }
    }

    /// Won, lost or drawn by the player to move.
    pub fn outcome(&self) -> Outcome {
        match self {
            LoopyNimber::Finite(0) => Outcome::Loss,
            LoopyNimber::Finite(_) => Outcome::Win,
            LoopyNimber::Infinite(set) if set.contains(0) => Outcome::Win,
            LoopyNimber::Infinite(_) => Outcome::Draw,
        }
    }

    /// Whether the player to move can turn the position into this nimber.
    pub fn has_option(&self, nimber: Nimber) -> bool {
        match self {
            LoopyNimber::Finite(own) => nimber < *own,
            LoopyNimber::Infinite(set) => set.contains(nimber),
        }
    }
}

impl Default for LoopyNimber {
    fn default() -> LoopyNimber {
        LoopyNimber::ZERO
    }
}

impl From<Nimber> for LoopyNimber {
    fn from(nimber: Nimber) -> LoopyNimber {
        LoopyNimber::Finite(nimber)
    }
}

/// The value of the sum of two positions.
impl Add for &LoopyNimber {
    type Output = LoopyNimber;

    #[allow(clippy::suspicious_arithmetic_impl)]
    fn add(self, other: &LoopyNimber) -> LoopyNimber {
        use LoopyNimber::{Finite, Infinite};
        match (self, other) {
            (Finite(a), Finite(b)) => Finite(a ^ b),
            (Infinite(set), Finite(nimber)) | (Finite(nimber), Infinite(set)) => Infinite(set.plus(*nimber)),
            (Infinite(_), Infinite(_)) => Infinite(NimberSet::default()),
        }
    }
}

impl<'a> Sum<&'a LoopyNimber> for LoopyNimber {
    fn sum<I: Iterator<Item = &'a LoopyNimber>>(values: I) -> LoopyNimber {
        values.fold(LoopyNimber::ZERO, |sum, value| &sum + value)
    }
}

/// `3`, `∞{0,2}`, `∞{}`.
impl fmt::Display for LoopyNimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoopyNimber::Finite(nimber) => nimber.fmt(f),
            LoopyNimber::Infinite(set) => write!(f, "∞{set}"),
        }
    }
}

impl fmt::Display for NimberSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, nimber) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{nimber}")?;
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_values() -> Vec<LoopyNimber> {
        let finite = (0..4).map(LoopyNimber::Finite);
        let sets = (0..16u32).map(|bits| LoopyNimber::infinite((0..4).filter(move |bit| bits >> bit & 1 == 1)));
        finite.chain(sets).collect()
    }

    #[test]
    fn sums_do_not_depend_on_the_order() {
        for a in &some_values() {
            assert_eq!(&(a + &LoopyNimber::ZERO), a);
            for b in &some_values() {
                assert_eq!(a + b, b + a);
                for c in &some_values() {
                    assert_eq!(&(a + b) + c, a + &(b + c));
                }
            }
        }
    }

    /// A nimber added twice cancels out; an infinite value never does.
    #[test]
    fn only_nimbers_cancel() {
        for a in &some_values() {
            let twice = a + a;
            assert_eq!(twice == LoopyNimber::ZERO, a.nimber().is_some());
            assert_eq!(twice.outcome() == Outcome::Draw, a.nimber().is_none());
        }
    }

    #[test]
    fn shown_as_people_write_them() {
        let shown = |value: LoopyNimber| value.to_string();
        assert_eq!(shown(LoopyNimber::Finite(7)), "7");
        assert_eq!(shown(LoopyNimber::infinite([3, 1, 3])), "∞{1,3}");
        assert_eq!(shown(LoopyNimber::infinite([])), "∞{}");
    }
}
