//! The width of the numbers inside.
//!
//! A fused block is an alternating sum of its items, and so is every value: nothing exceeds the sum of |a| over all items.
//! Where that sum surely fits, 64 bits are used, else 128, which always suffice: 2^64 items of 2^63 each stay below 2^127.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use super::List;

/// What the reduction needs of a number: `i64` and `i128` have it.
pub(super) trait Number:
    Copy + Ord + Default + From<i64> + Into<i128> + Add<Output = Self> + Sub<Output = Self> + AddAssign + SubAssign
{
}

impl Number for i64 {}
impl Number for i128 {}

/// A cheap bound on the size of numbers, kept as the bits seen so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Bound {
    bits: u64,
}

impl Bound {
    /// Looks at some more items.
    pub(super) fn see(&mut self, items: &[i64]) {
        // |a| is a or its complement plus one; OR-ing them bounds all at one operation each, at most twice too high.
        self.bits |= items.iter().fold(0, |bits, &a| bits | (a ^ (a >> 63)) as u64);
    }

    /// Whether sums over this many of the items seen fit in 63 bits, with room for two marks above them.
    pub(super) fn fits(self, items: u128) -> bool {
        items.saturating_mul(u128::from(self.bits) + 1) < (i64::MAX / 2) as u128
    }
}

/// Whether everything about a sum fits in 64 bits.
pub(super) fn is_narrow(lists: &[List<'_>]) -> bool {
    let mut bound = Bound::default();
    let mut items = 0;
    for list in lists {
        bound.see(list.items);
        items += list.items.len() as u128;
    }
    bound.fits(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_one() {
        for (items, fits) in [
            (vec![], true),
            (vec![0, 0], true),
            (vec![i64::MAX], false),
            (vec![i64::MIN], false),
            (vec![1 << 61, -(1 << 61)], false),
            (vec![1 << 59, -(1 << 59)], true),
            (vec![-1; 1000], true),
        ] {
            assert_eq!(is_narrow(&[List::row(&items)]), fits, "{items:?}");
        }
    }
}
