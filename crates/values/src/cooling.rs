//! Cooling, heating, overheating and freezing.
//!
//! Cooling by `t` taxes every move by `t`, until the game is a number. Heating gives a bonus of `t` for every move in
//! what is no number; overheating from `s` to `t` also turns each whole number `n` into `n` copies of `s`. All three
//! are taken on canonical forms.

use crate::arena::{Arena, Value};
use crate::error::{Error, Result};
use crate::number::Dyadic;

impl Arena {
    /// A value cooled by `t ≥ 0`.
    pub fn cool(&mut self, value: Value, t: Dyadic) -> Result<Value> {
        if t < Dyadic::ZERO {
            return Err(Error::Undefined(format!("games are cooled by 0 or more, not by {t}")));
        }
        if t == Dyadic::ZERO {
            return Ok(value);
        }
        let tax = self.number(t)?;
        let bonus = self.number(-t)?;
        let leaf = |arena: &mut Arena, value: Value| {
            if arena.number_of(value).is_some() {
                return Ok(Some(value));
            }
            if t <= arena.temperature(value)? {
                return Ok(None);
            }
            let mean = arena.mean(value)?;
            arena.number(mean).map(Some)
        };
        self.build(value, leaf, |arena, _, left, right| {
            let (left, right) = (arena.shifted(&left, bonus)?, arena.shifted(&right, tax)?);
            arena.game(&left, &right)
        })
    }

    /// A value cooled by its own temperature, or by zero if that is below zero: its mean and an infinitesimal.
    pub fn freeze(&mut self, value: Value) -> Result<Value> {
        let temperature = self.temperature(value)?;
        self.cool(value, temperature.max(Dyadic::ZERO))
    }

    /// A value heated by `t`: the undoing of cooling, for many games.
    pub fn heat(&mut self, value: Value, t: Value) -> Result<Value> {
        let tax = self.negative(t)?;
        let leaf = |arena: &mut Arena, value: Value| Ok(arena.number_of(value).map(|_| value));
        self.build(value, leaf, |arena, _, left, right| {
            let (left, right) = (arena.shifted(&left, t)?, arena.shifted(&right, tax)?);
            arena.game(&left, &right)
        })
    }

    /// A value overheated from `s` to `t`.
    pub fn overheat(&mut self, value: Value, s: Value, t: Value) -> Result<Value> {
        let tax = self.negative(t)?;
        let leaf = |arena: &mut Arena, value: Value| match arena.integer_of(value) {
            Some(n) => arena.times(n, s).map(Some),
            None => Ok(None),
        };
        self.build(value, leaf, |arena, _, left, right| {
            let (left, right) = (arena.shifted(&left, t)?, arena.shifted(&right, tax)?);
            arena.game(&left, &right)
        })
    }
}
