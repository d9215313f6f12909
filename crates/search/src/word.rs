//! What alpha-beta keeps of a position: bounds of its value and a move, in one word of the table.

use crate::game::{Bounds, INFINITE};
use crate::table::Rule;

/// How bounds and a move lie in a word of the table.
///
/// ```text
/// 63       24 23    16 15   11 10      0
/// ┌──────────┬────────┬───────┬─────────┐
/// │  bounds  │  move  │ work  │   tag   │     tag 0: proved; else how far the search looked
/// └──────────┴────────┴───────┴─────────┘
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// What all values lie between.
    pub bounds: Bounds,
    /// Whether lower and upper bounds have 20 bits each; else there is one of both with 38 bits.
    narrow: bool,
}

/// Masks of the parts of a word.
pub(crate) const TAG: u64 = (1 << 11) - 1;
pub(crate) const MOVE: u64 = 0xff;
const HALF: u64 = (1 << 20) - 1;
const WIDE: i64 = 1 << 37;

impl Layout {
    pub fn new(bounds: Bounds) -> Layout {
        Layout { bounds, narrow: bounds.high.saturating_sub(bounds.low) < HALF as i64 - 1 }
    }

    pub fn pack(self, found: Bounds, mv: usize, work: u64, tag: u64) -> u64 {
        let bounds = if self.narrow {
            // One more than the distance: so that no word is 0.
            let low = found.low.max(self.bounds.low).min(self.bounds.high) - self.bounds.low + 1;
            let high = found.high.min(self.bounds.high).max(self.bounds.low) - self.bounds.low + 1;
            (low as u64) << 20 | high as u64
        } else {
            // The lower bound where there is one. A bound that does not fit is weakened, or left out.
            let exact = found.low == found.high && found.low.abs() < WIDE;
            let (kind, bound) = match (found.low > -INFINITE, exact) {
                (_, true) => (3, found.low),
                (true, _) if found.low > -WIDE => (1, found.low.min(WIDE - 1)),
                _ if found.high < WIDE => (2, found.high.max(-WIDE)),
                _ => (0, 0),
            };
            kind << 38 | (bound as u64 & ((1 << 38) - 1))
        };
        bounds << 24 | (mv as u64).min(MOVE) << 16 | u64::from(work.max(1).ilog2().min(31)) << 11 | tag
    }

    pub fn bounds_of(self, data: u64) -> Bounds {
        let packed = data >> 24;
        if self.narrow {
            let low = (packed >> 20) as i64 - 1 + self.bounds.low;
            let high = (packed & HALF) as i64 - 1 + self.bounds.low;
            return Bounds { low, high };
        }
        let bound = ((packed << 26) as i64) >> 26;
        let Bounds { low, high } = self.bounds;
        match packed >> 38 {
            1 => Bounds { low: bound, high },
            2 => Bounds { low, high: bound },
            3 => Bounds { low: bound, high: bound },
            _ => Bounds { low, high },
        }
    }

    pub fn move_of(data: u64) -> usize {
        (data >> 16 & MOVE) as usize
    }
}

impl Rule for Layout {
    fn work(&self, data: u64) -> u64 {
        data >> 11 & 31
    }

    fn merge(&self, old: u64, new: u64) -> u64 {
        let (a, b) = (self.bounds_of(old), self.bounds_of(new));
        let both = Bounds { low: a.low.max(b.low), high: a.high.min(b.high) };
        let mv = if Layout::move_of(new) < MOVE as usize { Layout::move_of(new) } else { Layout::move_of(old) };
        self.pack(both, mv, 1 << self.work(old).max(self.work(new)), new & TAG)
    }
}
