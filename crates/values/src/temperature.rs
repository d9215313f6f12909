//! The mean and the temperature of values, by their thermographs, which are kept.

use std::sync::Arc;

use crate::arena::{Arena, Value};
use crate::error::Result;
use crate::number::Dyadic;
use crate::thermograph::Thermograph;

impl Arena {
    /// The thermograph of a value.
    pub fn thermograph(&mut self, value: Value) -> Result<Arc<Thermograph>> {
        if let Some(known) = self.thermographs.get(&value.0) {
            return Ok(known.clone());
        }
        let leaf = |arena: &mut Arena, value: Value| -> Result<Option<Arc<Thermograph>>> {
            if let Some(known) = arena.thermographs.get(&value.0) {
                return Ok(Some(known.clone()));
            }
            let whole = arena.number_of(value).filter(|number| number.halvings() == 0);
            Ok(whole.map(|number| Arc::new(Thermograph::mast(number))))
        };
        self.build(value, leaf, |arena, value, left, right| {
            let made = Arc::new(Thermograph::join(&left, &right)?);
            arena.take_bytes(made.bytes())?;
            arena.thermographs.insert(value.0, made.clone());
            Ok(made)
        })
    }

    /// The mean of a value: what many copies of it are worth, each.
    pub fn mean(&mut self, value: Value) -> Result<Dyadic> {
        match self.compact_of(value) {
            Some(compact) => Ok(compact.number),
            None => Ok(self.thermograph(value)?.mean()),
        }
    }

    /// The temperature of a value: how urgent a move in it is. Numbers are below zero.
    pub fn temperature(&mut self, value: Value) -> Result<Dyadic> {
        match self.compact_of(value) {
            Some(compact) if compact.up != 0 || compact.star != 0 => Ok(Dyadic::ZERO),
            Some(compact) => Dyadic::new(-1, compact.number.halvings()),
            None => Ok(self.thermograph(value)?.temperature()),
        }
    }
}
