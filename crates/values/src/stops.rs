//! The Left and Right stop of a game, and how it compares with them.
//!
//! The stops are where play ends in a number if Left, or Right, begins. A game is above a number `x` if `x` is below
//! its Right stop, and below `x` if `x` is above its Left stop. At the stops themselves two bits decide: whether the
//! game is at most its Left stop, and whether it is at least its Right stop. So every comparison with a number, and
//! most comparisons of two games, are answered here without a look at any option.
//!
//! ```text
//! left, right: numerators over 2^scale, one scale for both; nearly always SCALE, so that two games compare as integers
//! flags:       AT_MOST_LEFT · AT_LEAST_RIGHT · COMPACT · NUMBER · EXPANDED
//! ```

use crate::error::{Error, Result};
use crate::number::{Bound, Dyadic};

/// The usual scale: the stops are whole numbers over 2^20.
const SCALE: u32 = 20;

/// The game is at most its Left stop.
pub(crate) const AT_MOST_LEFT: u8 = 1;
/// The game is at least its Right stop.
pub(crate) const AT_LEAST_RIGHT: u8 = 2;
/// The game is a number plus a multiple of up plus a nimber, kept as these three.
pub(crate) const COMPACT: u8 = 4;
/// The game is a number.
pub(crate) const NUMBER: u8 = 8;
/// The options of a compact game are written out.
pub(crate) const EXPANDED: u8 = 16;

/// The stops of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stops {
    left: i64,
    right: i64,
    scale: u32,
    pub flags: u8,
}

impl Stops {
    /// Stops at two numbers.
    pub fn new(left: Dyadic, right: Dyadic, flags: u8) -> Result<Stops> {
        let need = left.halvings().max(right.halvings());
        for scale in [SCALE.max(need), need] {
            if let (Some(left), Some(right)) = (left.scaled(scale), right.scaled(scale)) {
                return Ok(Stops { left, right, scale, flags });
            }
        }
        Err(Error::Overflow("the stops of a game do not fit in 64 bits over one power of two"))
    }

    /// The Left stop.
    pub fn left(&self) -> Dyadic {
        Dyadic::new(self.left, self.scale).expect("a stop is a number")
    }

    /// The Right stop.
    pub fn right(&self) -> Dyadic {
        Dyadic::new(self.right, self.scale).expect("a stop is a number")
    }

    /// True if all these flags are set.
    #[inline(always)]
    pub fn is(&self, flags: u8) -> bool {
        self.flags & flags == flags
    }

    /// The stops of the negative.
    pub fn negated(&self) -> Stops {
        let (most, least) = (self.flags & AT_MOST_LEFT, self.flags & AT_LEAST_RIGHT);
        let flags = self.flags & !(AT_MOST_LEFT | AT_LEAST_RIGHT | EXPANDED) | most << 1 | least >> 1;
        Stops { left: -self.right, right: -self.left, scale: self.scale, flags }
    }

    /// About how good the game is for Left: no game is above one with a higher level, if both have the same scale.
    #[inline(always)]
    pub fn level(&self) -> (i64, i8) {
        let beside = self.is(AT_LEAST_RIGHT) as i8 - self.is(AT_MOST_LEFT) as i8;
        ((self.left >> 1) + (self.right >> 1), beside)
    }

    /// Whether `self` is at most `other`, where the stops say so.
    #[inline(always)]
    pub fn at_most(&self, other: &Stops) -> Option<bool> {
        if self.scale != other.scale {
            return self.at_most_unlike(other);
        }
        decide(self, other, self.left, self.right, other.left, other.right)
    }

    #[cold]
    fn at_most_unlike(&self, other: &Stops) -> Option<bool> {
        let scale = self.scale.max(other.scale);
        let wide = |x: i64, own: u32| (x as i128) << (scale - own);
        let (left, right) = (wide(self.left, self.scale), wide(self.right, self.scale));
        decide(self, other, left, right, wide(other.left, other.scale), wide(other.right, other.scale))
    }

    /// The Right stop of a Left option as a lower bound of the numbers that the game may be.
    pub fn lower(&self) -> Bound {
        Bound { at: self.right(), open: self.is(AT_LEAST_RIGHT) }
    }

    /// The Left stop of a Right option as an upper bound of the numbers that the game may be.
    pub fn upper(&self) -> Bound {
        Bound { at: self.left(), open: self.is(AT_MOST_LEFT) }
    }
}

#[inline(always)]
fn decide<N: Ord>(a: &Stops, b: &Stops, a_left: N, a_right: N, b_left: N, b_right: N) -> Option<bool> {
    if a_left > b_left || a_right > b_right {
        return Some(false);
    }
    if a_left < b_right || (a_left == b_right && a.is(AT_MOST_LEFT) && b.is(AT_LEAST_RIGHT)) {
        return Some(true);
    }
    if a_left == b_left && !a.is(AT_MOST_LEFT) && b.is(AT_MOST_LEFT) {
        return Some(false);
    }
    if a_right == b_right && a.is(AT_LEAST_RIGHT) && !b.is(AT_LEAST_RIGHT) {
        return Some(false);
    }
    None
}

/// The stops of the options of a game, gathered: the tightest bound, compared without making numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gathered {
    bound: Option<(i64, u32, bool)>,
}

impl Gathered {
    /// Takes in the Right stop of a Left option (`left`), or the Left stop of a Right option. Lower bounds gather
    /// upward, upper bounds downward; an open bound is tighter than a closed one.
    #[inline]
    pub fn take(&mut self, stops: &Stops, left: bool) {
        let (at, open) =
            if left { (stops.right, stops.is(AT_LEAST_RIGHT)) } else { (stops.left, stops.is(AT_MOST_LEFT)) };
        let Some((most, scale, was_open)) = self.bound else {
            self.bound = Some((at, stops.scale, open));
            return;
        };
        let order = if scale == stops.scale {
            at.cmp(&most)
        } else {
            let common = scale.max(stops.scale);
            ((at as i128) << (common - stops.scale)).cmp(&((most as i128) << (common - scale)))
        };
        if order.is_eq() {
            self.bound = Some((most, scale, was_open | open));
        } else if order.is_gt() == left {
            self.bound = Some((at, stops.scale, open));
        }
    }

    /// The bound, if there were options.
    pub fn bound(&self) -> Option<Bound> {
        self.bound.map(|(at, scale, open)| Bound { at: Dyadic::new(at, scale).expect("a stop is a number"), open })
    }

    /// The stops of a game that is no number, from those of its options; None if a number is between the bounds.
    pub fn game(left: &Gathered, right: &Gathered) -> Option<Result<Stops>> {
        let (Some((low, low_scale, low_open)), Some((high, high_scale, high_open))) = (left.bound, right.bound) else {
            return None;
        };
        // The game is at most its Left stop unless some Left option is at least that number.
        let flags = if low_open { 0 } else { AT_MOST_LEFT } | if high_open { 0 } else { AT_LEAST_RIGHT };
        if low_scale == high_scale {
            let number = low < high || (low == high && !low_open && !high_open);
            return (!number).then_some(Ok(Stops { left: low, right: high, scale: low_scale, flags }));
        }
        let (low, high) = (left.bound().expect("a bound"), right.bound().expect("a bound"));
        let number = low.at < high.at || (low.at == high.at && !low.open && !high.open);
        (!number).then(|| Stops::new(low.at, high.at, flags))
    }
}
