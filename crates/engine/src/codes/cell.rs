//! The cell of a table: one value in as few bits as its range allows.
//!
//! Every cell is unsigned, 0 means that the position was not met and 1 that it is being looked at, so that the value
//! itself says whether it was visited and a fresh table is zeroed memory. Outcomes are packed as in
//! [`crate::outcome_cell`], scores are shifted up by half the range, nimbers by 2.

use game::Nimber;

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
