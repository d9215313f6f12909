//! A bound game: a program with the values of one instance, and its positions.
//!
//! [`mod@crate::bind`] makes it. Everything after that reads it: the interpreter, texts, and every method that solves.

use std::sync::Arc;

use game::Player;

use crate::instance::{Given, Instance};
use crate::layout::Layout;
use crate::naming::Naming;
use crate::program::Program;
use crate::value::Value;

/// A game with an instance: everything that stays fixed in all its positions.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The rules.
    pub program: Arc<Program>,
    /// Parameters, then `let`s.
    pub globals: Vec<Value>,
    /// How many players take turns.
    pub players: usize,
    /// Who moves first.
    pub starts: Player,
    /// Who wins play that never ends; `None` if nobody does.
    pub forever: Option<Player>,
    /// How a position, or a part of one, is stored.
    pub layout: Layout,
    /// Where play starts.
    pub start: Position,
    /// The declared symmetries, one for each of the program's.
    pub symmetries: Vec<Permutation>,
    /// The shapes of the declared regions, one for each of the program's.
    pub regions: Vec<Shape>,
    /// The names of numbers, one for each of the program's `name` items.
    pub namings: Vec<Naming>,
}

/// A position: its parts and whose turn it is. A game that is no sum has exactly one part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The cells of each part, as [`Bound::layout`] places them.
    pub parts: Vec<Box<[i64]>>,
    /// Who moves.
    pub turn: Player,
}

/// A declared symmetry: `new[i] = old[order[i]]` for the outermost items of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    /// The variable.
    pub variable: usize,
    /// Which old item each new item is.
    pub order: Vec<usize>,
}

impl Permutation {
    /// Writes the symmetric position into `out`, which must have as many cells.
    pub fn apply(&self, layout: &Layout, cells: &[i64], out: &mut [i64]) {
        out.copy_from_slice(cells);
        let slot = &layout.variables[self.variable];
        let block = slot.cells.checked_div(self.order.len()).unwrap_or(0);
        for (new, old) in self.order.iter().enumerate() {
            let (to, from) = (slot.offset + new * block, slot.offset + old * block);
            out[to..to + block].copy_from_slice(&cells[from..from + block]);
        }
    }
}

/// The rows and columns of declared regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The variable.
    pub variable: usize,
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
}

impl Bound {
    /// The value of parameter `param`, in the form in which an instance gives it.
    pub fn given(&self, param: usize) -> Given {
        Given::of(&self.globals[param], &self.program.params[param].ty)
    }

    /// The complete instance, with defaults filled in.
    pub fn instance(&self) -> Instance {
        let params = self.program.params.iter().enumerate();
        Instance(params.map(|(index, param)| (param.name.clone(), self.given(index))).collect())
    }
}
