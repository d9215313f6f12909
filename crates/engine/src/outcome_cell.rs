//! Outcome and remoteness in one unsigned number, ordered as the mover orders them.
//!
//! ```text
//!  W−1  W−2 W−3                                           0
//! ┌────────┬───────────────────────────────────────────────┐
//! │outcome │ lost: remoteness · else: all ones − remoteness│   1 loss, 2 draw, 3 win
//! │   0    │ not settled: 0, 1, or a counter               │   remoteness of all ones: play need never end
//! └────────┴───────────────────────────────────────────────┘
//! ```
//!
//! So the best option is a plain maximum: winners hurry, losers linger, draws take the shortest way. Zero means that
//! nothing is known, so a fresh table is zeroed memory. Two arrays, one of outcomes and one of remoteness, would be
//! clearer and cost a cache miss more.

use game::{Outcome, Remoteness};

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

    /// Whether a settled cell is a draw.
    #[inline(always)]
    pub fn is_draw(cell: u64) -> bool {
        cell.wrapping_sub(Self::DRAW) < Self::ONE
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

    /// What an option with this cell is to the player who moves there, one move further from the end. The option
    /// must have an end: [`Ordered::later`] of [`Ordered::turned`] asks for that, this does not, for hot loops.
    #[inline(always)]
    pub fn before(option: u64, same: bool) -> u64 {
        let kept = if option < Self::DRAW { option + 1 } else { option - 1 };
        let turned = (5 * Self::ONE).wrapping_sub(option).wrapping_sub(if option < Self::DRAW { 2 } else { 0 });
        let drawn = Self::is_draw(option);
        if same | drawn { kept } else { turned }
    }

    /// What an option with this cell is to the player who moves there, as far from the end as the option is.
    #[inline(always)]
    pub fn turned(option: u64, same: bool) -> u64 {
        let drawn = Self::is_draw(option);
        if same | drawn { option } else { (5 * Self::ONE - 1).wrapping_sub(option) }
    }

    /// One move further from the end, with the outcome as it is; what never ends stays so. `None` if it does not fit.
    #[inline(always)]
    pub fn later(cell: u64) -> Option<u64> {
        if Self::is_full(cell) {
            return Some(cell);
        }
        let later = if cell < Self::DRAW { cell + 1 } else { cell - 1 };
        (!Self::is_full(later)).then_some(later)
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

/// Whether an option is better for its mover than another: winners hurry, losers linger, and a draw is taken by the
/// shortest way.
pub fn is_better(option: (Outcome, Remoteness), than: (Outcome, Remoteness)) -> bool {
    let moves = |remoteness: Remoteness| remoteness.map_or(u64::MAX, u64::from);
    if option.0 != than.0 {
        return option.0 > than.0;
    }
    match option.0 {
        Outcome::Loss => moves(option.1) > moves(than.1),
        Outcome::Draw | Outcome::Win => moves(option.1) < moves(than.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            for same in [false, true] {
                let turned = if same { a.0 } else { -a.0 };
                let cell_turned = Ordered::<BITS>::turned(cell, same);
                assert_eq!(Ordered::<BITS>::unpack(cell_turned), Some((turned, a.1)));
                let later = Ordered::<BITS>::later(cell_turned).unwrap();
                assert_eq!(Ordered::<BITS>::unpack(later), Some((turned, a.1.map(|moves| moves + 1))));
                assert!(a.1.is_none() || Ordered::<BITS>::before(cell, same) == later);
            }
        }
        for (result, outcome) in [(-1, Outcome::Loss), (0, Outcome::Draw), (1, Outcome::Win)] {
            assert_eq!(Ordered::<BITS>::end(result), Ordered::<BITS>::pack(outcome, Some(0)));
        }
        assert_eq!(Ordered::<BITS>::unpack(1), None);
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
            assert_eq!(Ordered::<8>::later(Ordered::<8>::pack(outcome, Some(62))), None);
        }
    }
}
