//! The conditions on the way to what is being evaluated, what is known there, and the faults that can happen there.

use std::rc::Rc;

use super::{Made, Specialiser};
use crate::facts::Facts;
use crate::node::{Node, Op, Range};

/// How many nodes are looked at to see whether a condition is settled on the way: on a board game with a search of its own in
/// an `end` rule, looking deeper took most of the time and settled nothing more.
const GLANCE: u32 = 24;

/// One condition on the way.
pub(super) struct Level {
    condition: Node,
    /// Whether a fault below has to say that the condition holds; not where it is only asked where it does.
    tells: bool,
    /// All conditions that tell, up to here.
    all: Option<Node>,
    /// What is known here.
    facts: Option<Rc<Facts>>,
    /// Something that holds with the condition.
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

    /// Takes a condition in. `tells`: whether a fault below has to say that it holds.
    pub(super) fn enter(&mut self, condition: Node, tells: bool) {
        let more = self.by_roots(condition);
        self.path.push(Level { condition, tells, all: None, facts: None, more });
    }

    /// What a bound by a square root says: `k <= isqrt(x)` is `k k <= x`.
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

    /// Where this is reached, among the positions that are asked about.
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
            if self.path[level].tells {
                all = self.arena.and(all, self.path[level].condition);
            }
            self.path[level].all = Some(all);
        }
        all
    }

    /// What is known here.
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

    /// What a node can be here.
    pub(super) fn range(&mut self, node: Node) -> Range {
        let range = self.arena.range(node);
        if range.single().is_some() || self.path.is_empty() {
            return range;
        }
        self.facts().range(&self.arena, node)
    }

    /// The node, or the number that it must be here.
    pub(super) fn settle(&mut self, node: Node) -> Node {
        if self.path.is_empty() || self.arena.known(node).is_some() {
            return node;
        }
        match self.facts().glance(&self.arena, node, GLANCE).single() {
            Some(number) => self.arena.number(number),
            None => node,
        }
    }

    /// The interpreter stops here if the condition holds.
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
        // What follows is only asked where nothing went wrong.
        if let Some(level) = self.path.last_mut() {
            let mut narrower = Facts::clone(&facts);
            narrower.assume(&mut self.arena, condition, false);
            level.facts = Some(Rc::new(narrower));
        }
    }

    /// The interpreter stops here.
    pub(super) fn fault_here(&mut self) {
        let always = self.arena.number(1);
        self.fault_if(always);
    }

    /// Faults where a number lies outside `low..=high`.
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

    /// The faults since this was last taken.
    pub(super) fn take_fault(&mut self) -> Node {
        let none = self.arena.number(0);
        std::mem::replace(&mut self.fault, none)
    }
}
