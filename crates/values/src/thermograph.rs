//! Thermographs: the stops of a game under a tax on every move, from −1 upward.
//!
//! ```text
//! left wall(t)  = max over Left options of their right wall(t) − t
//! right wall(t) = min over Right options of their left wall(t) + t     until the two meet; above that, the mast
//! ```
//!
//! Where they meet is the mean, at the height of the temperature. A whole number is a mast from −1 on. So a number
//! `m/2^k` has the temperature `−1/2^k`, as in Siegel's book and in CGSuite. All corners are dyadic: walls have slope 0
//! or ±1.

use std::sync::Arc;

use crate::error::Result;
use crate::number::Dyadic;
use crate::side::Side;

/// A wall: corners as (temperature, value), upward from −1. Above the last corner the wall is vertical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall {
    corners: Vec<(Dyadic, Dyadic)>,
}

impl Wall {
    /// The corners as (temperature, value), upward from −1.
    pub fn corners(&self) -> &[(Dyadic, Dyadic)] {
        &self.corners
    }

    /// Where the wall is at a temperature of at least −1.
    pub fn at(&self, temperature: Dyadic) -> Result<Dyadic> {
        let next = self.corners.partition_point(|corner| corner.0 <= temperature);
        let (from, value) = self.corners[next.max(1) - 1];
        let Some(&(_, then)) = self.corners.get(next) else { return Ok(value) };
        // Between two corners the slope is 0 or ±1.
        let run = temperature.minus(from)?;
        match then.cmp(&value) {
            std::cmp::Ordering::Equal => Ok(value),
            std::cmp::Ordering::Greater => value.plus(run),
            std::cmp::Ordering::Less => value.minus(run),
        }
    }

    /// The higher (or lower) of two walls with slopes 0 and 1 (or 0 and −1).
    fn better(&self, other: &Wall, higher: bool) -> Result<Wall> {
        let mut corners = Vec::new();
        let mut last: Option<(Dyadic, Dyadic, Dyadic)> = None;
        for t in heights(&[self, other]) {
            let (a, b) = (self.at(t)?, other.at(t)?);
            if let Some((from, a_was, b_was)) = last
                && ((a_was > b_was && a < b) || (a_was < b_was && a > b))
            {
                // One wall stands still and the other moves by one a unit: they cross after their distance.
                let (low, high) = (a_was.min(b_was), a_was.max(b_was));
                let t = from.plus(high.minus(low)?)?;
                corners.push((t, self.at(t)?));
            }
            corners.push((t, if higher { a.max(b) } else { a.min(b) }));
            last = Some((t, a, b));
        }
        Ok(Wall { corners }.straightened())
    }

    /// Without corners that are none.
    fn straightened(self) -> Wall {
        let mut corners: Vec<(Dyadic, Dyadic)> = Vec::with_capacity(self.corners.len());
        for corner in self.corners {
            if let [.., before, last] = corners[..]
                && before.1.cmp(&last.1) == last.1.cmp(&corner.1)
            {
                corners.pop();
            }
            corners.push(corner);
        }
        if let [.., before, last] = corners[..]
            && before.1 == last.1
        {
            corners.pop();
        }
        Wall { corners }
    }
}

/// The temperatures of all corners, upward.
fn heights(walls: &[&Wall]) -> Vec<Dyadic> {
    let mut heights: Vec<Dyadic> = walls.iter().flat_map(|wall| wall.corners.iter().map(|corner| corner.0)).collect();
    heights.sort_unstable();
    heights.dedup();
    heights
}

/// A thermograph: its two walls, which meet at the mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    left: Wall,
    right: Wall,
    temperature: Dyadic,
    mean: Dyadic,
}

impl Thermograph {
    /// A mast at a number from −1 on.
    pub(crate) fn mast(at: Dyadic) -> Thermograph {
        let wall = Wall { corners: vec![(Dyadic::MINUS_ONE, at)] };
        Thermograph { left: wall.clone(), right: wall, temperature: Dyadic::MINUS_ONE, mean: at }
    }

    /// The left or right wall.
    pub fn wall(&self, side: Side) -> &Wall {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    /// Where the mast stands.
    pub fn mean(&self) -> Dyadic {
        self.mean
    }

    /// Where the mast begins.
    pub fn temperature(&self) -> Dyadic {
        self.temperature
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> u64 {
        let corners = self.left.corners.len() + self.right.corners.len();
        (size_of::<Thermograph>() + 16 + corners * size_of::<(Dyadic, Dyadic)>()) as u64
    }

    /// From the right walls of Left's options and the left walls of Right's.
    pub(crate) fn join(left: &[Arc<Thermograph>], right: &[Arc<Thermograph>]) -> Result<Thermograph> {
        let gather = |graphs: &[Arc<Thermograph>], side: Side| -> Result<Wall> {
            let mut walls = graphs.iter().map(|graph| graph.wall(side));
            let mut best = walls.next().expect("only whole numbers lack options").clone();
            for wall in walls {
                best = best.better(wall, side == Side::Right)?;
            }
            Ok(best)
        };
        let (high, low) = (gather(left, Side::Right)?, gather(right, Side::Left)?);
        let mut heights = heights(&[&high, &low]);
        let top = *heights.last().expect("a wall has a corner");
        // Above all corners the two run together at twice the slope, so they have met at this height.
        let gap = high.at(top)?.minus(low.at(top)?)?;
        heights.push(top.plus(gap.max(Dyadic::ZERO))?.plus(top.max(Dyadic::ZERO))?.plus(Dyadic::ONE)?);
        let mut walls = (Vec::new(), Vec::new());
        let mut last: Option<(Dyadic, Dyadic, Dyadic)> = None;
        for t in heights {
            let (mut a, mut b) = (high.at(t)?.minus(t)?, low.at(t)?.plus(t)?);
            let mut at = t;
            if a <= b {
                if let Some((from, a_was, b_was)) = last {
                    // The gap closes by one or two a unit, evenly, between two corners.
                    let closing = a_was.minus(b_was)?.minus(a.minus(b)?)?;
                    let gap = a_was.minus(b_was)?;
                    let step = if closing == t.minus(from)? { gap } else { gap.half()? };
                    at = from.plus(step)?;
                    (a, b) = (high.at(at)?.minus(at)?, low.at(at)?.plus(at)?);
                }
                debug_assert_eq!(a, b, "walls meet");
                walls.0.push((at, a));
                walls.1.push((at, a));
                let (left, right) = (Wall { corners: walls.0 }, Wall { corners: walls.1 });
                return Ok(Thermograph {
                    left: left.straightened(),
                    right: right.straightened(),
                    temperature: at,
                    mean: a,
                });
            }
            walls.0.push((t, a));
            walls.1.push((t, b));
            last = Some((t, a, b));
        }
        unreachable!("walls close in on one another by two a unit above their corners")
    }
}
