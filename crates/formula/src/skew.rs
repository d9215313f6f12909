//! A change of variables: one of two cells is replaced by a sum of both, so that only one loop is strict.
//!
//! ```text
//! coins: i rises or j falls             s = j - i falls with every move, i is free
//!
//!   j │ 3 2 1 0        every arrow       s │ · · · ·      row by row: all positions of a row
//!     │ 2 1 0          goes to a         1 │ 1 1 1        are independent, so they can be
//!     │ 1 0            smaller s         0 │ 0 0 0 0      done side by side, in lanes
//!     └────── i                            └────── i
//! ```
//!
//! The alternative, walking the anti-diagonals of the old table, reads and writes with a stride.

use crate::formulas::Formulas;
use crate::node::{Node, Op, Range};
use crate::order::bound::bound;
use crate::order::effects::Effects;
use crate::order::{Loop, Order, free_last, width};
use crate::rebuild::rebuild;

/// How much larger than the old table the new one may be, in eighths.
const EIGHTHS: u128 = 10;

/// One cell holds a sum: `new = old + factor · by`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skew {
    /// The cell that is replaced.
    pub cell: u32,
    /// The other cell, which does not change.
    pub by: u32,
    /// 1 or −1.
    pub factor: i64,
}

impl Skew {
    /// From cells of the game to cells of the formulas.
    pub fn apply(self, cells: &mut [i64]) {
        let add = cells[self.by as usize].wrapping_mul(self.factor);
        cells[self.cell as usize] = cells[self.cell as usize].wrapping_add(add);
    }

    /// From cells of the formulas to cells of the game.
    pub fn undo(self, cells: &mut [i64]) {
        let add = cells[self.by as usize].wrapping_mul(self.factor);
        cells[self.cell as usize] = cells[self.cell as usize].wrapping_sub(add);
    }
}

/// Formulas with a skewed cell, and the order in which only that cell is strict. The `carried` nodes are moved to the
/// new arena too. `None` unless the two strict loops make a wave and the new table is not much larger.
pub(crate) fn skewed(
    formulas: &mut Formulas,
    effects: &Effects,
    order: &Order,
    carried: &mut [&mut Node],
) -> Option<(Formulas, Order, Skew)> {
    let [outer, inner] = order.loops.get(..order.strict)? else { return None };
    let wave = order.wave?;
    let Op::Linear(terms, 0) = formulas.arena.op(wave) else { return None };
    let factor = |cell: u32| terms.iter().find(|term| term.0 == effects.cells[cell as usize]).map(|term| term.1);
    let (a, b) = (factor(outer.cell)?, factor(inner.cell)?);
    if terms.len() != 2 || a.abs() != 1 || b.abs() != 1 {
        return None;
    }
    // The loop with more values is the longer lane.
    let size = |cell: u32| width(formulas.cells[cell as usize]);
    let (by, cell, sign) =
        if size(outer.cell) >= size(inner.cell) { (outer.cell, inner.cell, b) } else { (inner.cell, outer.cell, a) };
    let skew = Skew { cell, by, factor: a * b };
    let parts = [(effects.cells[cell as usize], 1), (effects.cells[by as usize], skew.factor)];
    let sum = formulas.arena.combine(&parts, 0);
    let range = bound(&mut formulas.arena, &effects.valid, sum);
    if width(range) * 8 > size(cell).max(1) * EIGHTHS {
        return None;
    }
    let mut new = replaced(formulas, skew, range, carried);
    let strict = Loop { cell, ascending: sign > 0 };
    let mut loops = vec![strict];
    let rest = order.loops.iter().map(|each| each.cell).filter(|other| *other != cell).collect();
    loops.extend(free_last(formulas, effects, rest));
    let node = new.arena.cell(cell, range);
    let wave = Some(new.arena.scale(node, sign));
    let way = if sign > 0 { "lowers" } else { "raises" };
    let joined = if skew.factor > 0 { "plus" } else { "minus" };
    let why = format!("every move {way} {{{cell}}} {joined} {{{by}}}");
    let order = Order { loops, strict: 1, wave, longest: order.longest, why };
    Some((new, order, skew))
}

/// The formulas where a cell has its new meaning.
fn replaced(formulas: &Formulas, skew: Skew, range: Range, carried: &mut [&mut Node]) -> Formulas {
    let Skew { cell, by, factor } = skew;
    let (old, side) = (formulas.cells[cell as usize], formulas.cells[by as usize]);
    let mut domains = formulas.cells.clone();
    domains[cell as usize] = range;
    let ranges = domains.clone();
    let mut new = formulas.clone();
    rebuild(&mut new, domains, carried, &mut |arena, leaf, range| {
        let number = match *leaf {
            Op::Cell(number) => number,
            Op::Choice(choice) => return arena.choice(choice, range),
            _ => return arena.number(0),
        };
        let node = arena.cell(number, ranges[number as usize]);
        if number != cell {
            return node;
        }
        let by = arena.cell(by, side);
        arena.combine(&[(node, 1), (by, -factor)], 0)
    });
    let Formulas { arena, actions, valid, .. } = &mut new;
    let sum = arena.cell(cell, range);
    let other = arena.cell(by, side);
    let was = arena.combine(&[(sum, 1), (other, -factor)], 0);
    for action in actions {
        let after = |cell: u32| action.after.iter().find(|entry| entry.0 == cell).map(|entry| entry.1);
        let (this, that) = (after(cell), after(by));
        if this.is_some() || that.is_some() {
            let new = arena.combine(&[(this.unwrap_or(was), 1), (that.unwrap_or(other), factor)], 0);
            action.after.retain(|entry| entry.0 != cell);
            if new != sum {
                action.after.push((cell, new));
                action.after.sort_unstable_by_key(|entry| entry.0);
            }
        }
        for part in action.split.iter_mut().flatten() {
            part[cell as usize] = arena.combine(&[(part[cell as usize], 1), (part[by as usize], factor)], 0);
        }
    }
    // The condition that the old domain gave.
    let (low, high) = (arena.number(old.low), arena.number(old.high));
    let conditions = [arena.le(low, was), arena.le(was, high)];
    valid.extend(conditions.into_iter().filter(|node| arena.known(*node).is_none()));
    valid.retain(|node| arena.known(*node) != Some(1));
    new
}
