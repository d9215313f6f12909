//! Atomic weights of all-small values, and how values compare with a remote star.
//!
//! A value is all-small (dicotic) if in each follower both players can move, or none can. Its atomic weight says about
//! how many ups it is worth; if that is 2 or more, Left wins. It is worked out from the options (Siegel, Combinatorial
//! Game Theory, II.7): put `X = {weights of Left's options − 2 | weights of Right's options + 2}`. If `X` is no whole
//! number, it is the weight. Else the far star decides: the weight is 0 if the game is confused with it, the largest
//! whole number that is less than or confused with the Right options of `X` if the game is above it, and the other way
//! round below it.

use std::cmp::Ordering;

use crate::arena::{Arena, Value};
use crate::error::{Error, Result};
use crate::number::Dyadic;
use crate::side::Side;
use crate::stops::COMPACT;

impl Arena {
    /// Whether both players or none can move in each follower.
    pub fn is_all_small(&mut self, value: Value) -> Result<bool> {
        let leaf = |arena: &Arena, value: Value| arena.stops[value.index()].is(COMPACT);
        for follower in self.followers_to(value, leaf)? {
            let one_sided = match self.compact_of(follower) {
                Some(compact) => compact.number != Dyadic::ZERO,
                None => {
                    let (start, middle, end) = self.range(follower.0);
                    (start == middle) != (middle == end)
                }
            };
            if one_sided {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The size of a nimber that no follower of this value equals, nor any larger one.
    pub fn remote_star(&mut self, value: Value) -> Result<u32> {
        let leaf = |arena: &Arena, value: Value| arena.stops[value.index()].is(COMPACT);
        let mut most = 0;
        for follower in self.followers_to(value, leaf)? {
            // Ups lead to stars that differ in the lowest bit.
            most = most.max(self.compact_of(follower).map_or(0, |compact| compact.star | 1));
        }
        most.checked_add(1).ok_or(Error::Overflow("the size of a nimber does not fit in 32 bits"))
    }

    /// Whether no follower of this value equals the nimber of this size.
    pub fn is_remote(&mut self, value: Value, star: u32) -> Result<bool> {
        for follower in self.followers(value)? {
            if self.nimber_of(follower) == Some(star) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How a value compares with a remote star; None if they are confused.
    pub fn compare_far_star(&mut self, value: Value) -> Result<Option<Ordering>> {
        let size = self.remote_star(value)?;
        let star = self.nimber(size)?;
        self.compare(value, star)
    }

    /// The atomic weight of an all-small value.
    pub fn atomic_weight(&mut self, value: Value) -> Result<Value> {
        if !self.is_all_small(value)? {
            let why = "atomic weights are defined for all-small games, where both players or none can move at any time";
            return Err(Error::Undefined(why.into()));
        }
        let two = self.integer(2)?;
        let minus_two = self.integer(-2)?;
        let leaf = |arena: &mut Arena, value: Value| match arena.compact_of(value) {
            Some(compact) => arena.integer(compact.up as i64).map(Some),
            None => Ok(None),
        };
        self.build(value, leaf, |arena, value, left, right| {
            let (left, right) = (arena.shifted(&left, minus_two)?, arena.shifted(&right, two)?);
            let weight = arena.game(&left, &right)?;
            if arena.integer_of(weight).is_none() {
                return Ok(weight);
            }
            let whole = match arena.compare_far_star(value)? {
                Some(Ordering::Greater) => right.iter().map(|&option| arena.whole(option, Side::Right)).min(),
                Some(Ordering::Less) => left.iter().map(|&option| arena.whole(option, Side::Left)).max(),
                _ => Some(0),
            };
            arena.integer(whole.expect("an all-small game that is not zero has options for both"))
        })
    }

    /// The largest whole number that is less than or confused with a Right option; for Left, the least one that is
    /// more.
    fn whole(&self, option: Value, side: Side) -> i64 {
        let stops = &self.stops[option.index()];
        match side {
            Side::Right => {
                let bound = stops.upper();
                let below = bound.at.floor();
                if bound.at.halvings() == 0 && bound.open { below - 1 } else { below }
            }
            Side::Left => {
                let bound = stops.lower();
                let above = -(-bound.at).floor();
                if bound.at.halvings() == 0 && bound.open { above + 1 } else { above }
            }
        }
    }
}
