//! Choices from sets that are written out, such as `{i, j - 1}`: each number is an option of its own.
//!
//! The options of a set come in ascending order, and each once. So `i` is offered first where it is smaller, and `j - 1` first
//! where that is; where both are equal, one of them stands for both. Each option stays as simple as it is written, however
//! many numbers the set could hold.

use rules::program::Expr;

use super::symbols::Sym;
use super::{Made, Specialiser};
use crate::node::{Arena, Node, Op, Range};

/// Longer sets are read as sets.
pub(super) const MOST: usize = 3;

/// Which of two equal numbers stands for both. It does not matter to the rules; but `if at == i` is decided where `i` stands for
/// both, and `if at == j - 1` where that does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ties {
    /// No set was seen yet that is written out.
    #[default]
    None,
    /// The one that is smaller at the start.
    Smaller,
    /// The one that is larger at the start.
    Larger,
}

impl<'b> Specialiser<'b> {
    /// The numbers of a set, each with the condition under which it comes at this place in the order.
    pub(super) fn written_set(&mut self, items: &'b [Expr]) -> Made<Vec<(Node, Sym)>> {
        let mut numbers = Vec::with_capacity(items.len());
        for item in items {
            let number = self.scalar(item)?;
            numbers.push(self.settle(number));
        }
        if self.ties == Ties::None {
            self.ties = Ties::Smaller;
        }
        // The first of equal numbers stands for them. Ranks are counted from its side.
        let start: &[i64] = self.bound.start.parts.first().map_or(&[], |part| part);
        numbers.sort_by_key(|&number| at_start(&self.arena, start, number));
        if self.ties == Ties::Larger {
            numbers.reverse();
        }
        let mut found = Vec::new();
        let mut ranks: Vec<u32> = (0..numbers.len() as u32).collect();
        if self.ties == Ties::Larger {
            ranks.reverse();
        }
        for rank in ranks {
            for at in 0..numbers.len() {
                let there = self.at_rank(&numbers, at, rank);
                if !self.is_never(there) {
                    found.push((there, Sym::Scalar(numbers[at])));
                }
            }
        }
        Ok(found)
    }

    /// Whether so many of the other numbers are smaller (or larger, if ranks are counted from the largest on), and none before
    /// it is equal.
    fn at_rank(&mut self, numbers: &[Node], at: usize, rank: u32) -> Node {
        let number = numbers[at];
        let mut any = self.arena.number(0);
        let larger = self.ties == Ties::Larger;
        let beyond = |arena: &mut Arena, a: Node, b: Node| if larger { less(arena, b, a) } else { less(arena, a, b) };
        for ahead in (0u32..1 << numbers.len()).filter(|set| set >> at & 1 == 0 && set.count_ones() == rank) {
            let mut all = self.arena.number(1);
            for (other, &than) in numbers.iter().enumerate().filter(|(other, _)| *other != at) {
                let holds = match (ahead >> other & 1 == 1, other < at) {
                    (true, _) => beyond(&mut self.arena, than, number),
                    (false, true) => beyond(&mut self.arena, number, than),
                    (false, false) => {
                        let ahead = beyond(&mut self.arena, than, number);
                        self.arena.not(ahead)
                    }
                };
                all = self.arena.and(all, holds);
            }
            any = self.arena.or(any, all);
        }
        any
    }

    /// Whether the rule is to be read once more, with the other one of equal numbers: the actions that it made from number
    /// `before` on change a cell in one way or another.
    pub(super) fn retry_ties(&mut self, before: usize) -> bool {
        if self.ties != Ties::Smaller {
            return false;
        }
        let plain = |node: Node| {
            let (terms, _) = self.arena.linear(node);
            terms.iter().all(|(term, _)| matches!(self.arena.op(*term), Op::Cell(_) | Op::Choice(_)))
        };
        let mixed = self.found[before..].iter().any(|action| !action.after.iter().all(|(_, node)| plain(*node)));
        if mixed {
            self.ties = Ties::Larger;
        }
        mixed
    }
}

/// `a < b`; `p - 1 < q` is told as `not q < p`, as conditions mostly are written.
fn less(arena: &mut Arena, a: Node, b: Node) -> Node {
    let ((of, more), (by, than)) = (arena.linear(a), arena.linear(b));
    if more.checked_sub(than) == Some(-1) && arena.range(a) != Range::FULL && arena.range(b) != Range::FULL {
        let (p, q) = (arena.combine(&of, 0), arena.combine(&by, 0));
        if arena.range(p) != Range::FULL && arena.range(q) != Range::FULL {
            let greater = arena.lt(q, p);
            return arena.not(greater);
        }
    }
    arena.lt(a, b)
}

/// What a number is at the start, if it is a sum of cells.
fn at_start(arena: &Arena, start: &[i64], node: Node) -> i128 {
    let (terms, constant) = arena.linear(node);
    terms.iter().fold(i128::from(constant), |sum, (term, factor)| match arena.op(*term) {
        Op::Cell(cell) => sum + i128::from(start.get(*cell as usize).copied().unwrap_or(0)) * i128::from(*factor),
        _ => sum,
    })
}
