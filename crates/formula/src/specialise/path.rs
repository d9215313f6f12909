//! The conditions on the way to the current expression, the facts there, and the faults that can happen there.

use std::rc::Rc;

use super::{Made, Specialiser};
use crate::facts::Facts;
use crate::node::{Node, Op, Range};

/// How many nodes are visited to see whether a condition is already decided. On a board game with a search of its own
/// in an `end` rule, looking deeper took most of the time and decided nothing more.
const GLANCE: u32 = 24;

/// One condition on the way.
#[derive(Clone)]
pub(super) struct Level {
    condition: Node,
    /// Whether a fault below must include this condition. It need not if it is only asked for where the condition
    /// holds.
    in_faults: bool,
    /// The conjunction of all conditions that faults must include, up to here.
    all: Option<Node>,
    /// The facts here.
    facts: Option<Rc<Facts>>,
    /// A consequence of the condition.
    more: Option<Node>,
}

impl Specialiser<'_> {
    /// Runs something where a condition holds.
    pub(super) fn under<T>(&mut self, condition: Node, run: impl FnOnce(&mut Self) -> Made<T>) -> Made<T> {
        if self.arena.known(condition) == Some(1) {
            return run(self);
        }
        self.enter(condition, true);
        let done = run(self);
        self.path.pop();
        done
    }

    /// Adds a condition. `in_faults`: whether a fault below must include it.
    pub(super) fn enter(&mut self, condition: Node, in_faults: bool) {
        let more = self.by_roots(condition);
        self.path.push(Level { condition, in_faults, all: None, facts: None, more });
    }

    /// The consequence of a bound by a square root: `k <= isqrt(x)` is `k k <= x`.
    fn by_roots(&mut self, condition: Node) -> Option<Node> {
        if self.roots.is_empty() {
            return None;
        }
        let (number, root) = match *self.arena.op(condition) {
            Op::Lt(number, root) => (number, root),
            Op::Not(inner) => match *self.arena.op(inner) {
                Op::Lt(root, number) => (number, root),
                _ => return None,
            },
            _ => return None,
        };
        let of = *self.roots.get(&root)?;
        let square = self.arena.mul(number, number);
        let fits = self.arena.range(number).low >= 0 && self.arena.range(square) != Range::FULL;
        fits.then(|| self.arena.le(square, of))
    }

    /// The condition under which this point is reached, among the positions that are asked about.
    pub(super) fn here(&mut self) -> Node {
        let mut from = self.path.len();
        let mut all = loop {
            match from.checked_sub(1) {
                None => break self.arena.number(1),
                Some(last) => match self.path[last].all {
                    Some(all) => break all,
                    None => from = last,
                },
            }
        };
        for level in from..self.path.len() {
            if self.path[level].in_faults {
                all = self.arena.and(all, self.path[level].condition);
            }
            self.path[level].all = Some(all);
        }
        all
    }

    /// The facts here.
    pub(super) fn facts(&mut self) -> Rc<Facts> {
        let mut from = self.path.len();
        let mut facts = loop {
            match from.checked_sub(1) {
                None => break Rc::default(),
                Some(last) => match &self.path[last].facts {
                    Some(facts) => break Rc::clone(facts),
                    None => from = last,
                },
            }
        };
        for level in from..self.path.len() {
            let condition = self.path[level].condition;
            let mut narrower = Facts::clone(&facts);
            narrower.assume(&mut self.arena, condition, true);
            narrower.assume(&mut self.arena, condition, true);
            if let Some(more) = self.path[level].more {
                narrower.assume(&mut self.arena, more, true);
            }
            facts = Rc::new(narrower);
            self.path[level].facts = Some(Rc::clone(&facts));
        }
        facts
    }

    /// The range of a node here.
    pub(super) fn range(&mut self, node: Node) -> Range {
        let range = self.arena.range(node);
        if range.single().is_some() || self.path.is_empty() {
            return range;
        }
        self.facts().range(&self.arena, node)
    }

    /// The node, or the number that it must equal here.
    pub(super) fn settle(&mut self, node: Node) -> Node {
        if self.path.is_empty() || self.arena.known(node).is_some() {
            return node;
        }
        match self.facts().glance(&self.arena, node, GLANCE).single() {
            Some(number) => self.arena.number(number),
            None => node,
        }
    }

    /// Adds a fault: the interpreter stops here if the condition holds.
    pub(super) fn fault_if(&mut self, condition: Node) {
        if self.arena.known(condition) == Some(0) {
            return;
        }
        let facts = self.facts();
        if facts.refutes(&self.arena, condition) {
            return;
        }
        let here = self.here();
        let happens = self.arena.and(here, condition);
        self.fault = self.arena.or(self.fault, happens);
        // What follows matters only where nothing went wrong.
        if let Some(level) = self.path.last_mut() {
            let mut narrower = Facts::clone(&facts);
            narrower.assume(&mut self.arena, condition, false);
            level.facts = Some(Rc::new(narrower));
        }
    }

    /// Adds a fault: the interpreter stops here.
    pub(super) fn fault_here(&mut self) {
        let always = self.arena.number(1);
        self.fault_if(always);
    }

    /// Adds a fault where a number lies outside `low..=high`.
    pub(super) fn fault_outside(&mut self, node: Node, low: i64, high: i64) {
        let inside = Range { low, high };
        if low <= high && inside.covers(self.arena.range(node)) {
            return;
        }
        let range = self.range(node);
        if low <= high && inside.covers(range) {
            return;
        }
        let (low, high) = (self.arena.number(low), self.arena.number(high));
        let (below, above) = (self.arena.lt(node, low), self.arena.lt(high, node));
        let outside = self.arena.or(below, above);
        self.fault_if(outside);
    }

    /// Takes the faults collected since the last call.
    pub(super) fn take_fault(&mut self) -> Node {
        let none = self.arena.number(0);
        std::mem::replace(&mut self.fault, none)
    }
}
