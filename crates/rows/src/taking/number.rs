//! The width of the numbers inside.
//!
//! A fused block is an alternating sum of its items, and so is every value: nothing exceeds the sum of |a| over all
//! items. If that sum surely fits, 64 bits are used, else 128, which always suffice: 2^64 items of 2^63 each stay below
//! 2^127.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use super::List;

/// The operations that the reduction needs; `i64` and `i128` have them.
pub(super) trait Number:
    Copy + Ord + Default + From<i64> + Into<i128> + Add<Output = Self> + Sub<Output = Self> + AddAssign + SubAssign
{
}

impl Number for i64 {}
impl Number for i128 {}

/// A check that items are small enough for sums over all of them to fit in 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// Items from −2^bits to 2^bits − 1 are small enough.
    bits: u32,
}

impl Room {
    /// The room that each of this many items has, if any.
    pub(super) fn for_each_of(count: u128) -> Option<Room> {
        let most = i64::MAX as u128 / count.max(1);
        Some(Room { bits: most.checked_ilog2()? })
    }

    /// Whether all of these items are small enough.
    pub(super) fn holds(self, items: &[i64]) -> bool {
        // Shifted up, a small enough number is below 2^(bits + 1); the bits of all items are tested together.
        let shift = 1 << self.bits;
        let seen = items.iter().fold(0, |seen, &item| seen | item.wrapping_add(shift) as u64);
        seen >> (self.bits + 1) == 0
    }
}

/// Whether everything about a sum fits in 64 bits.
pub(super) fn is_narrow(lists: &[List<'_>]) -> bool {
    let count = lists.iter().map(|list| list.items.len() as u128).sum();
    Room::for_each_of(count).is_some_and(|room| lists.iter().all(|list| room.holds(list.items)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_surely_fits_is_narrow() {
        for (items, fits) in [
            (vec![], true),
            (vec![0, 0], true),
            (vec![i64::MAX], false),
            (vec![i64::MIN], false),
            (vec![1 << 61, -(1 << 61)], false),
            (vec![(1 << 61) - 1, -(1 << 61)], true),
            (vec![(1 << 61) - 1, -(1 << 61) - 1], false),
            (vec![(1 << 62) - 1], true),
            (vec![1 << 62], false),
            (vec![0, 1 << 60, -(1 << 60)], true),
            (vec![-1; 1000], true),
        ] {
            assert_eq!(is_narrow(&[List::row(&items)]), fits, "{items:?}");
        }
    }
}
