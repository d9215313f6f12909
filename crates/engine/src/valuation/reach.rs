//! The sets of payoff vectors that a position can come to, over all ways of breaking ties.
//!
//! Most positions come to one vector only and have no entry here. A set of more than [`MOST`] vectors is replaced by the
//! least and the largest total of each player, which cover it: from there on it may not be known whether a position is
//! ambiguous, and then that is said.

use std::collections::BTreeSet;

use crate::error::Error;

/// The most vectors that are kept one by one.
pub(crate) const MOST: usize = 256;

/// All vectors that a position can come to, where there is more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Exactly these, in order.
    These(Box<[Box<[i64]>]>),
    /// Some of those between these two, player by player; the flag says that there surely is more than one.
    Between(Box<[i64]>, Box<[i64]>, bool),
}

impl Reach {
    /// The least total of one player.
    pub fn least(&self, player: usize) -> i64 {
        match self {
            Reach::These(vectors) => vectors.iter().map(|vector| vector[player]).min().unwrap_or(i64::MIN),
            Reach::Between(low, ..) => low[player],
        }
    }

    /// The largest total of one player.
    pub fn largest(&self, player: usize) -> i64 {
        match self {
            Reach::These(vectors) => vectors.iter().map(|vector| vector[player]).max().unwrap_or(i64::MAX),
            Reach::Between(_, high, _) => high[player],
        }
    }

    /// Whether there surely is more than one vector.
    pub fn is_several(&self) -> bool {
        match self {
            Reach::These(_) => true,
            Reach::Between(_, _, several) => *several,
        }
    }

    /// About what it takes, with its entry in a hash map.
    pub fn bytes(&self) -> u64 {
        let vector = |vector: &[i64]| size_of_val(vector) + 16;
        let inside = match self {
            Reach::These(vectors) => vectors.iter().map(|v| vector(v) + 16).sum(),
            Reach::Between(low, high, _) => vector(low) + vector(high),
        };
        (inside + 2 * size_of::<(u32, Reach)>()) as u64
    }
}

type Vector = Box<[i64]>;

/// Collects what the options of a position can come to.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    these: BTreeSet<Vector>,
    between: Option<(Vector, Vector)>,
    several: bool,
}

impl Gathering {
    /// Adds one vector.
    pub fn add(&mut self, vector: Box<[i64]>) {
        if self.between.is_some() {
            self.widen(&vector, &vector);
        } else if self.these.insert(vector) && self.these.len() > MOST {
            self.give_up();
        }
    }

    /// Adds all that an option can come to after gaining `gains`, as far as `mover`'s total is at least `threshold`.
    pub fn add_option(&mut self, option: &Reach, gains: &[i64], mover: usize, threshold: i64) -> Result<(), Error> {
        match option {
            Reach::These(vectors) => {
                for vector in vectors {
                    if checked(vector[mover], gains[mover])? >= threshold {
                        self.add(sum(vector, gains)?);
                    }
                }
            }
            Reach::Between(low, high, several) => {
                if checked(high[mover], gains[mover])? >= threshold {
                    let mut low = sum(low, gains)?;
                    self.several |= *several && low[mover] >= threshold;
                    low[mover] = low[mover].max(threshold);
                    self.give_up();
                    self.widen(&low, &sum(high, gains)?);
                }
            }
        }
        Ok(())
    }

    /// What was collected; `None` if it is a single vector.
    pub fn finish(self) -> Option<Reach> {
        match self.between {
            Some((low, high)) => (low != high).then_some(Reach::Between(low, high, self.several)),
            None => (self.these.len() > 1).then(|| Reach::These(self.these.into_iter().collect())),
        }
    }

    /// From here on only the least and the largest totals are kept.
    fn give_up(&mut self) {
        self.several |= self.these.len() > 1;
        for vector in std::mem::take(&mut self.these) {
            self.widen(&vector, &vector);
        }
    }

    fn widen(&mut self, low: &[i64], high: &[i64]) {
        let (least, largest) = self.between.get_or_insert_with(|| (low.into(), high.into()));
        for (old, new) in least.iter_mut().zip(low) {
            *old = (*old).min(*new);
        }
        for (old, new) in largest.iter_mut().zip(high) {
            *old = (*old).max(*new);
        }
    }
}

/// A sum that fits.
pub(crate) fn checked(a: i64, b: i64) -> Result<i64, Error> {
    a.checked_add(b).ok_or(Error::Overflow)
}

/// The sum of two vectors, if it fits.
pub(crate) fn sum(a: &[i64], b: &[i64]) -> Result<Box<[i64]>, Error> {
    a.iter().zip(b).map(|(&a, &b)| checked(a, b)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_vectors_are_one() {
        let mut gathering = Gathering::default();
        gathering.add([1, 2].into());
        gathering.add([1, 2].into());
        assert_eq!(gathering.finish(), None);
    }

    #[test]
    fn many_vectors_become_bounds() {
        let mut gathering = Gathering::default();
        for i in 0..=MOST as i64 {
            gathering.add([i, -i].into());
        }
        gathering.add([5, 7].into());
        let reach = gathering.finish().unwrap();
        assert_eq!(reach, Reach::Between([0, -(MOST as i64)].into(), [MOST as i64, 7].into(), true));
        assert_eq!((reach.least(0), reach.largest(1)), (0, 7));

        let mut parent = Gathering::default();
        parent.add([1000, 0].into());
        parent.add_option(&reach, &[10, 0], 0, MOST as i64 + 11).unwrap();
        assert_eq!(parent.finish(), None, "an option that is too bad adds nothing");

        let mut parent = Gathering::default();
        parent.add([70, 0].into());
        parent.add_option(&reach, &[10, 0], 0, 70).unwrap();
        let expected = Reach::Between([70, -(MOST as i64)].into(), [MOST as i64 + 10, 7].into(), false);
        assert_eq!(parent.finish(), Some(expected));
    }
}
