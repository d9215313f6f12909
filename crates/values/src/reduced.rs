//! Reduced canonical forms: the simplest game that differs from a value by an infinitesimal.
//!
//! `G ≥ H` up to infinitesimals if the Right stop of `G − H` is at least zero. A value whose stops are equal reduces to
//! that number. Any other one reduces like a canonical form, with this order instead of the usual one (Grossman and
//! Siegel, Reductions of partizan games): its options are reduced, dominated ones go, reversible ones are bypassed. The
//! stops do not change on the way, so the game stays hot, and the theorem applies at each step.

use crate::arena::{Arena, Value};
use crate::error::Result;
use crate::number::Dyadic;
use crate::side::Side;

impl Arena {
    /// The reduced canonical form of a value.
    pub fn reduced(&mut self, value: Value) -> Result<Value> {
        let leaf = |arena: &mut Arena, value: Value| {
            let (left, right) = (arena.left_stop(value), arena.right_stop(value));
            if left == right { arena.number(left).map(Some) } else { Ok(None) }
        };
        self.build(value, leaf, |arena, value, left, right| {
            let left = arena.reduced_options(value, left, Side::Left)?;
            let right = arena.reduced_options(value, right, Side::Right)?;
            arena.game(&left, &right)
        })
    }

    /// The options of a player without those that are reversible or dominated up to infinitesimals.
    fn reduced_options(&mut self, value: Value, options: Vec<Value>, side: Side) -> Result<Vec<Value>> {
        let mut waiting = options;
        let mut met = waiting.clone();
        let mut kept = Vec::new();
        while let Some(option) = waiting.pop() {
            match self.reduced_reversal(value, option, side)? {
                None => kept.push(option),
                Some(through) => {
                    for next in self.options(through, side)? {
                        if !met.contains(&next) {
                            met.push(next);
                            waiting.push(next);
                        }
                    }
                }
            }
        }
        let mut best: Vec<Value> = Vec::new();
        for option in kept {
            let mut dominated = false;
            for &other in &best {
                dominated = dominated || self.prefers_nearly(side, other, option)?;
            }
            if !dominated {
                let mut rest = Vec::new();
                for &other in &best {
                    if !self.prefers_nearly(side, option, other)? {
                        rest.push(other);
                    }
                }
                rest.push(option);
                best = rest;
            }
        }
        Ok(best)
    }

    fn reduced_reversal(&mut self, value: Value, option: Value, side: Side) -> Result<Option<Value>> {
        for answer in self.options(option, side.opponent())? {
            if self.prefers_nearly(side, value, answer)? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Whether a player likes `a` at least as much as `b`, up to infinitesimals.
    fn prefers_nearly(&mut self, side: Side, a: Value, b: Value) -> Result<bool> {
        match side {
            Side::Left => self.at_most_nearly(b, a),
            Side::Right => self.at_most_nearly(a, b),
        }
    }

    /// Whether `a ≤ b` up to infinitesimals.
    pub fn at_most_nearly(&mut self, a: Value, b: Value) -> Result<bool> {
        if a == b {
            return Ok(true);
        }
        let (low, high) = ((self.left_stop(a), self.right_stop(a)), (self.left_stop(b), self.right_stop(b)));
        if low.0 > high.0 || low.1 > high.1 {
            return Ok(false);
        }
        if low.0 <= high.1 {
            return Ok(true);
        }
        let difference = self.minus(b, a)?;
        Ok(self.right_stop(difference) >= Dyadic::ZERO)
    }
}
