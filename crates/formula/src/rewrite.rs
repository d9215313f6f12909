//! Rewriting: a formula with other leaves, simplified anew.
//!
//! A cell that others determine is replaced by its formula, the mover by a number or by the parity of the stones on the
//! board, a low digit by a constant. Each time, everything that becomes known folds away.

use rustc_hash::FxHashMap;

use crate::formulas::{Action, Case, Count, EndResult, Formulas};
use crate::node::{Arena, Node, Op};

/// Replaces nodes by others, everywhere below a formula. Remembers what it has rewritten.
#[derive(Clone, Debug, Default)]
pub struct Rewrite {
    done: FxHashMap<Node, Node>,
}

impl Rewrite {
    /// Replaces each first node by the second. The operands of the second are not rewritten.
    pub fn new(replace: &[(Node, Node)]) -> Rewrite {
        Rewrite { done: replace.iter().copied().collect() }
    }

    /// The rewritten node. `lists` are the lists of the formulas.
    pub fn node(&mut self, arena: &mut Arena, lists: &[Vec<i64>], node: Node) -> Node {
        let mut wanted = vec![node];
        while let Some(&next) = wanted.last() {
            if self.done.contains_key(&next) {
                wanted.pop();
                continue;
            }
            let before = wanted.len();
            arena.operands(next, &mut |operand| {
                if !self.done.contains_key(&operand) {
                    wanted.push(operand);
                }
            });
            if wanted.len() == before {
                let made = self.remake(arena, lists, next);
                self.done.insert(next, made);
                wanted.pop();
            }
        }
        self.done[&node]
    }

    fn remake(&self, arena: &mut Arena, lists: &[Vec<i64>], node: Node) -> Node {
        let op = arena.op(node).clone();
        remade(arena, lists, &op, &|node| self.done[&node]).unwrap_or(node)
    }

    /// Rewrites all formulas of a game. Actions that can no longer happen are dropped; returns which are kept.
    pub fn formulas(&mut self, formulas: &mut Formulas) -> Vec<bool> {
        let mut arena = std::mem::take(&mut formulas.arena);
        let lists = std::mem::take(&mut formulas.lists);
        all_nodes(formulas, &mut |node| *node = self.node(&mut arena, &lists, *node));
        let kept = formulas.actions.iter().map(|action| !action.never_happens(&arena)).collect();
        formulas.actions.retain(|action| !action.never_happens(&arena));
        formulas.arena = arena;
        formulas.lists = lists;
        kept
    }
}

/// A node made anew, and so simplified anew, from the new operands that `of` gives; `None` for leaves.
pub(crate) fn remade(arena: &mut Arena, lists: &[Vec<i64>], op: &Op, of: &dyn Fn(Node) -> Node) -> Option<Node> {
    Some(match *op {
        Op::Const(_) | Op::Cell(_) | Op::Mover | Op::Choice(_) => return None,
        Op::Linear(ref terms, constant) => {
            let terms: Vec<(Node, i64)> = terms.iter().map(|(node, factor)| (of(*node), *factor)).collect();
            arena.combine(&terms, constant)
        }
        Op::Mul(a, b) => arena.mul(of(a), of(b)),
        Op::Div(a, b) => arena.div(of(a), of(b)),
        Op::Rem(a, b) => arena.rem(of(a), of(b)),
        Op::Min(a, b) => arena.min(of(a), of(b)),
        Op::Max(a, b) => arena.max(of(a), of(b)),
        Op::And(a, b) => arena.and(of(a), of(b)),
        Op::Or(a, b) => arena.or(of(a), of(b)),
        Op::Xor(a, b) => arena.xor(of(a), of(b)),
        Op::Shl(a, b) => arena.shl(of(a), of(b)),
        Op::Shr(a, b) => arena.shr(of(a), of(b)),
        Op::Popcount(a) => arena.popcount(of(a)),
        Op::LowestBit(a) => arena.lowest_bit(of(a)),
        Op::HighestBit(a) => arena.highest_bit(of(a)),
        Op::Eq(a, b) => arena.eq(of(a), of(b)),
        Op::Lt(a, b) => arena.lt(of(a), of(b)),
        Op::Not(a) => arena.not(of(a)),
        Op::Select(c, a, b) => arena.select(of(c), of(a), of(b)),
        Op::Load(list, index) => arena.load(list, &lists[list as usize], of(index)),
        Op::AddOverflows(a, b) => arena.add_overflows(of(a), of(b)),
        Op::SubOverflows(a, b) => arena.sub_overflows(of(a), of(b)),
        Op::MulOverflows(a, b) => arena.mul_overflows(of(a), of(b)),
    })
}

/// Visits every node of the formulas.
pub(crate) fn all_nodes(formulas: &mut Formulas, visit: &mut dyn FnMut(&mut Node)) {
    formulas.ends.iter_mut().chain([&mut formulas.stuck]).for_each(|case| case_nodes(case, visit));
    formulas.actions.iter_mut().for_each(|action| action_nodes(action, visit));
    formulas.valid.iter_mut().for_each(&mut *visit);
    if let Some((measure, fault)) = &mut formulas.measure {
        visit(measure);
        visit(fault);
    }
}

/// Visits every node of a case.
pub fn case_nodes(case: &mut Case, visit: &mut dyn FnMut(&mut Node)) {
    visit(&mut case.when);
    visit(&mut case.fault);
    match &mut case.result {
        EndResult::Outcome(outcome) => visit(outcome),
        EndResult::Gains(gains) => gains.iter_mut().for_each(visit),
    }
}

/// Visits every node of an action.
pub fn action_nodes(action: &mut Action, visit: &mut dyn FnMut(&mut Node)) {
    for Count { low, high, fault, .. } in &mut action.counts {
        visit(low);
        visit(high);
        visit(fault);
    }
    visit(&mut action.guard);
    visit(&mut action.fault);
    visit(&mut action.turn);
    action.after.iter_mut().for_each(|(_, node)| visit(node));
    action.gains.iter_mut().for_each(&mut *visit);
    action.split.iter_mut().flatten().flatten().for_each(&mut *visit);
    action.choices.iter_mut().flatten().for_each(&mut *visit);
}
