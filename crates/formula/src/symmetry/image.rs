//! Images of positions: cells change places, their values change names, the players change seats.

use std::sync::Arc;

use crate::formulas::Formulas;

/// A map of positions to positions: `new[i] = values[i](old[from[i]])`, and the other player to move if they are exchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Image {
    /// For each cell, where its value comes from.
    pub from: Vec<u32>,
    /// For each cell, what becomes of each value, the least first; `None` if values stay as they are.
    pub values: Vec<Option<Arc<[i64]>>>,
    /// Whether the players change seats.
    pub exchanges: bool,
}

impl Image {
    /// Cells change places, and nothing else changes.
    pub fn of_cells(from: Vec<u32>) -> Image {
        Image { values: vec![None; from.len()], from, exchanges: false }
    }

    /// Whether it is a map of all positions of the game onto themselves.
    pub fn suits(&self, formulas: &Formulas) -> bool {
        let cells = &formulas.cells;
        let count = cells.len();
        let mut seen = vec![false; count];
        let permutes = self.from.len() == count
            && self.values.len() == count
            && self.from.iter().all(|&c| seen.get_mut(c as usize).is_some_and(|seen| !std::mem::replace(seen, true)));
        permutes
            && (0..count).all(|cell| cells[cell] == cells[self.from[cell] as usize])
            && (0..count).all(|cell| self.values[cell].as_ref().is_none_or(|map| renames(map, cells[cell])))
            && (!self.exchanges || formulas.players == 2)
    }

    /// The new value of a cell that held `value` where it comes from.
    #[inline]
    pub fn value(&self, cell: usize, low: i64, value: i64) -> i64 {
        match &self.values[cell] {
            Some(map) => {
                usize::try_from(value.wrapping_sub(low)).ok().and_then(|at| map.get(at)).copied().unwrap_or(value)
            }
            None => value,
        }
    }
}

/// Whether a map of values permutes a range.
fn renames(map: &[i64], range: crate::node::Range) -> bool {
    let Some(width) = range.high.checked_sub(range.low).filter(|width| *width < 1 << 16) else { return false };
    let mut seen = vec![false; width as usize + 1];
    map.len() == seen.len()
        && map.iter().all(|value| {
            let place = usize::try_from(value.wrapping_sub(range.low)).ok();
            place.and_then(|place| seen.get_mut(place)).is_some_and(|seen| !std::mem::replace(seen, true))
        })
}
