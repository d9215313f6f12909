//! The mean and the temperature of values, by their thermographs, which are kept.

use std::sync::Arc;

use crate::arena::{Arena, Compact, Value};
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
            let Some(compact) = arena.compact_of(value) else { return Ok(None) };
            if compact.up == 0 && compact.star == 0 && compact.number.halvings() == 0 {
                return Ok(Some(Arc::new(Thermograph::mast(compact.number))));
            }
            // Many ups are drawn like one, any star like the smallest: so ups and stars are no deeper than this.
            let alike = alike(compact);
            if alike == compact { Ok(None) } else { arena.compact_thermograph(alike).map(Some) }
        };
        self.build(value, leaf, |arena, value, left, right| {
            let made = Arc::new(Thermograph::join(&left, &right)?);
            arena.take_bytes(made.bytes())?;
            arena.thermographs.insert(value.0, made.clone());
            Ok(made)
        })
    }

    /// The thermograph of a number with at most one up and one star.
    fn compact_thermograph(&mut self, compact: Compact) -> Result<Arc<Thermograph>> {
        let value = self.compact(compact)?;
        self.thermograph(value)
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

/// The simplest compact value with the same thermograph.
///
/// The Left wall of `x + n·^ + *k` for `n ≥ 1` is the right wall of `x`, minus `t`, whatever `n` and `k` are. Its right wall
/// comes from the Left wall of what has one up less, so it does not depend on them either, but for `^*`.
fn alike(compact: Compact) -> Compact {
    let Compact { number, up, star } = compact;
    let star = match (up, star) {
        (0, star) => star.min(1),
        (-1 | 1, 1) => 1,
        _ => 0,
    };
    Compact { number, up: up.signum(), star }
}
