//! The cell of a table: one value in as few bits as its range allows.
//!
//! Every cell is unsigned, 0 means that the position was not met and 1 that it is being looked at, so that the value
//! itself says whether it was visited and a fresh table is zeroed memory. Outcomes are ordered as the mover orders
//! them:
//!
//! ```text
//!  W−1  W−2 W−3                                           0
//! ┌────────┬───────────────────────────────────────────────┐
//! │outcome │ lost: remoteness · else: all ones − remoteness│   1 loss, 2 draw, 3 win
//! │   0    │ not settled: 0, 1, or a counter               │   remoteness of all ones: play need never end
//! └────────┴───────────────────────────────────────────────┘
//! ```
//!
//! So the best option is a plain maximum: winners hurry, losers linger, draws take the shortest way. Scores are shifted
//! up by half the range, nimbers by 2.

use game::{Nimber, Outcome, Remoteness};

/// Not met.
pub(crate) const NEW: u64 = 0;
/// Met, not valued.
pub(crate) const OPEN: u64 = 1;

/// An unsigned number of a table.
pub(crate) trait Cell: Copy + Default + Send + Sync + 'static {
    /// Its width.
    const BITS: u32;
    /// The number in it.
    fn wide(self) -> u64;
    /// A number that is known to fit.
    fn narrow(wide: u64) -> Self;
}

macro_rules! cell {
    ($($unsigned:ty),*) => {
        $(impl Cell for $unsigned {
            const BITS: u32 = <$unsigned>::BITS;
            #[inline(always)]
            fn wide(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn narrow(wide: u64) -> $unsigned {
                wide as $unsigned
            }
        })*
    };
}

cell!(u8, u16, u32, u64);

/// Outcome and remoteness in a cell of `BITS` bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ordered<const BITS: u32>;

impl<const BITS: u32> Ordered<BITS> {
    const ONE: u64 = 1 << (BITS - 2);
    /// The largest number beside the outcome: a remoteness that means never.
    pub const NEVER: u64 = Self::ONE - 1;
    const LOSS: u64 = Self::ONE;
    const DRAW: u64 = 2 * Self::ONE;
    const WIN: u64 = 3 * Self::ONE;

    /// Whether the cell has a value.
    #[inline(always)]
    pub fn is_settled(cell: u64) -> bool {
        cell >= Self::LOSS
    }

    /// Whether a settled cell is a loss.
    #[inline(always)]
    pub fn is_loss(cell: u64) -> bool {
        cell < Self::DRAW
    }

    /// The cell of an end: 1 won, 0 drawn, −1 lost by the mover.
    #[inline(always)]
    pub fn end(result: i64) -> u64 {
        match result.signum() {
            1 => Self::WIN | Self::NEVER,
            0 => Self::DRAW | Self::NEVER,
            _ => Self::LOSS,
        }
    }

    /// What an option with this cell is to the player who moves there, one move further from the end.
    #[inline(always)]
    pub fn before(option: u64, same: bool) -> u64 {
        let kept = if option < Self::DRAW { option + 1 } else { option - 1 };
        let turned = (5 * Self::ONE).wrapping_sub(option).wrapping_sub(if option < Self::DRAW { 2 } else { 0 });
        let drawn = option.wrapping_sub(Self::DRAW) < Self::ONE;
        if same | drawn { kept } else { turned }
    }

    /// Whether the remoteness has grown to the number that means never.
    #[inline(always)]
    pub fn is_full(cell: u64) -> bool {
        let low = cell & Self::NEVER;
        low == if cell < Self::DRAW { Self::NEVER } else { 0 }
    }

    /// A cell from its parts; the remoteness is known to fit.
    #[inline(always)]
    pub fn pack(outcome: Outcome, remoteness: Remoteness) -> u64 {
        let moves = remoteness.map_or(Self::NEVER, u64::from);
        match outcome {
            Outcome::Loss => Self::LOSS | moves,
            Outcome::Draw => Self::DRAW | (Self::NEVER - moves),
            Outcome::Win => Self::WIN | (Self::NEVER - moves),
        }
    }

    /// The parts of a cell, if it is settled.
    #[inline]
    pub fn unpack(cell: u64) -> Option<(Outcome, Remoteness)> {
        let low = cell & Self::NEVER;
        let (outcome, moves) = match cell / Self::ONE {
            0 => return None,
            1 => (Outcome::Loss, low),
            2 => (Outcome::Draw, Self::NEVER - low),
            _ => (Outcome::Win, Self::NEVER - low),
        };
        Some((outcome, (moves != Self::NEVER).then_some(moves as u32)))
    }
}

/// A score in a cell of `bits` bits, if it fits.
#[inline(always)]
pub(crate) fn pack_score(score: i64, bits: u32) -> Option<u64> {
    let cell = (score as u64).wrapping_add(1 << (bits - 1));
    let fits = cell > OPEN && (bits == 64 || cell >> bits == 0);
    fits.then_some(cell)
}

/// The score in a cell, if it is settled.
#[inline(always)]
pub(crate) fn unpack_score(cell: u64, bits: u32) -> Option<i64> {
    (cell > OPEN).then(|| cell.wrapping_sub(1 << (bits - 1)) as i64)
}

/// The nimber in a cell, if it is settled.
#[inline(always)]
pub(crate) fn unpack_nimber(cell: u64) -> Option<Nimber> {
    (cell > OPEN).then(|| (cell - 2) as Nimber)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::valuation::outcome::is_better;

    fn all() -> Vec<(Outcome, Remoteness)> {
        let mut all = Vec::new();
        for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
            for remoteness in [None, Some(0), Some(1), Some(7), Some(61)] {
                all.push((outcome, remoteness));
            }
        }
        all
    }

    fn check<const BITS: u32>() {
        for a in all() {
            let cell = Ordered::<BITS>::pack(a.0, a.1);
            assert!(Ordered::<BITS>::is_settled(cell) && (BITS == 64 || cell >> BITS == 0));
            assert_eq!(Ordered::<BITS>::unpack(cell), Some(a));
            for b in all() {
                let other = Ordered::<BITS>::pack(b.0, b.1);
                assert_eq!(cell > other, is_better(a, b), "{a:?} {b:?}");
            }
            let Some(moves) = a.1 else { continue };
            for same in [false, true] {
                let before = (if same { a.0 } else { -a.0 }, Some(moves + 1));
                assert_eq!(Ordered::<BITS>::unpack(Ordered::<BITS>::before(cell, same)), Some(before));
            }
        }
        for (result, outcome) in [(-1, Outcome::Loss), (0, Outcome::Draw), (1, Outcome::Win)] {
            assert_eq!(Ordered::<BITS>::end(result), Ordered::<BITS>::pack(outcome, Some(0)));
        }
        assert_eq!(Ordered::<BITS>::unpack(OPEN), None);
    }

    #[test]
    fn outcomes_in_every_width_are_ordered_as_the_mover_orders_them() {
        check::<8>();
        check::<16>();
        check::<32>();
    }

    #[test]
    fn a_full_remoteness_shows() {
        for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
            assert!(Ordered::<8>::is_full(Ordered::<8>::pack(outcome, Some(63))));
            assert!(!Ordered::<8>::is_full(Ordered::<8>::pack(outcome, Some(62))));
            assert!(!Ordered::<8>::is_full(Ordered::<8>::pack(outcome, Some(0))));
        }
    }

    #[test]
    fn scores_fit_or_are_refused() {
        for bits in [16, 32, 64] {
            let most = i64::MAX >> (64 - bits);
            for score in [-most + 1, -5, 0, 1, most] {
                assert_eq!(unpack_score(pack_score(score, bits).unwrap(), bits), Some(score));
            }
            for score in [-most, -most - 1, most.wrapping_add(1)] {
                assert_eq!(pack_score(score, bits), None, "{score} in {bits}");
            }
        }
    }
}
