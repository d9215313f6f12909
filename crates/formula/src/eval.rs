//! Evaluates nodes at one position. It is slow, and the reference for everything compiled from nodes.

use crate::formulas::Formulas;
use crate::node::{Node, Op, divide, remainder};

/// A position with the choices made so far.
#[derive(Clone, Copy, Debug)]
pub struct Point<'p> {
    /// The cells.
    pub cells: &'p [i64],
    /// The player to move.
    pub mover: i64,
    /// The choices by number; missing ones count as 0.
    pub choices: &'p [i64],
}

/// Evaluates nodes; remembers their values until the next point.
pub struct Evaluator<'f> {
    formulas: &'f Formulas,
    known: Vec<Option<i64>>,
}

impl<'f> Evaluator<'f> {
    /// An evaluator for these formulas.
    pub fn new(formulas: &'f Formulas) -> Evaluator<'f> {
        Evaluator { formulas, known: vec![None; formulas.arena.len()] }
    }

    /// Forgets the last point.
    pub fn move_on(&mut self) {
        self.known.fill(None);
    }

    /// The value of a node at a point. The point must not change until [`Evaluator::move_on`].
    pub fn value(&mut self, node: Node, point: &Point<'_>) -> i64 {
        // Operands are made before the nodes that use them, so their numbers are smaller: a sweep needs no recursion.
        let mut wanted = vec![node];
        while let Some(&next) = wanted.last() {
            let before = wanted.len();
            if self.known[next.index()].is_none() {
                self.formulas.arena.operands(next, &mut |operand| {
                    if self.known[operand.index()].is_none() {
                        wanted.push(operand);
                    }
                });
                if wanted.len() > before {
                    continue;
                }
                self.known[next.index()] = Some(self.compute(next, point));
            }
            wanted.pop();
        }
        self.known[node.index()].unwrap_or(0)
    }

    fn compute(&self, node: Node, point: &Point<'_>) -> i64 {
        let of = |node: Node| self.known[node.index()].unwrap_or(0);
        computed(self.formulas.arena.op(node), point, &self.formulas.lists, &of)
    }
}

/// What an operation gives at a point; `of` gives its operands.
#[inline]
pub fn computed(op: &Op, point: &Point<'_>, lists: &[Vec<i64>], of: &impl Fn(Node) -> i64) -> i64 {
    match op {
        Op::Const(number) => *number,
        Op::Cell(cell) => point.cells[*cell as usize],
        Op::Mover => point.mover,
        Op::Choice(choice) => point.choices.get(*choice as usize).copied().unwrap_or(0),
        Op::Linear(terms, constant) => {
            terms.iter().fold(*constant, |sum, (node, factor)| sum.wrapping_add(of(*node).wrapping_mul(*factor)))
        }
        Op::Mul(a, b) => of(*a).wrapping_mul(of(*b)),
        Op::Div(a, b) => divide(of(*a), of(*b)),
        Op::Rem(a, b) => remainder(of(*a), of(*b)),
        Op::Min(a, b) => of(*a).min(of(*b)),
        Op::Max(a, b) => of(*a).max(of(*b)),
        Op::And(a, b) => of(*a) & of(*b),
        Op::Or(a, b) => of(*a) | of(*b),
        Op::Xor(a, b) => of(*a) ^ of(*b),
        Op::Shl(a, b) => of(*a).wrapping_shl(of(*b) as u32),
        Op::Shr(a, b) => of(*a).wrapping_shr(of(*b) as u32),
        Op::Popcount(a) => i64::from(of(*a).count_ones()),
        Op::LowestBit(a) => i64::from(of(*a).trailing_zeros()),
        Op::HighestBit(a) => 63 - i64::from(of(*a).leading_zeros()),
        Op::Eq(a, b) => i64::from(of(*a) == of(*b)),
        Op::Lt(a, b) => i64::from(of(*a) < of(*b)),
        Op::Not(a) => i64::from(of(*a) == 0),
        Op::Select(c, a, b) => {
            if of(*c) != 0 {
                of(*a)
            } else {
                of(*b)
            }
        }
        Op::Load(list, index) => {
            let list = &lists[*list as usize];
            usize::try_from(of(*index)).ok().and_then(|index| list.get(index)).copied().unwrap_or(0)
        }
        Op::AddOverflows(a, b) => i64::from(of(*a).checked_add(of(*b)).is_none()),
        Op::SubOverflows(a, b) => i64::from(of(*a).checked_sub(of(*b)).is_none()),
        Op::MulOverflows(a, b) => i64::from(of(*a).checked_mul(of(*b)).is_none()),
    }
}
