//! Facts at a position: from the bounds of its loops, and from the guard of a move.

use formula::facts::Facts;
use formula::rewrite::Rewrite;
use formula::{Count, Formulas, Node, Op, Range};

use super::plan::Plan;
use super::values::Values;

impl Plan {
    /// Finds the nodes that are parities.
    pub(super) fn find_parities(&mut self) {
        let arena = &self.formulas.arena;
        self.parities = (0..arena.len() as u32).map(Node).filter(|node| parity_of(arena, *node).is_some()).collect();
    }

    /// Whether some result may be a draw; for keys of remoteness.
    pub fn draws(&self) -> bool {
        self.results().any(|range| range.contains(0))
    }

    /// Whether some position may be won by its mover without a move; for keys of remoteness.
    pub fn won_ends(&self) -> bool {
        self.results().any(|range| range.high >= self.values.largest())
    }

    fn results(&self) -> impl Iterator<Item = Range> {
        let all = self.ends.iter().map(|end| end.value).chain([self.stuck]);
        all.map(|value| self.formulas.arena.range(value))
    }

    /// How far a move shifts each loop variable that it changes.
    pub(super) fn moved(&mut self, facts: &Facts, after: &[(usize, Node)]) -> Vec<(usize, Range)> {
        let arena = &mut self.formulas.arena;
        let mut moved = Vec::new();
        for &(level, to) in after {
            let var = &self.vars[level];
            let range = match arena.difference(to, var.node) {
                None => Range::FULL,
                Some(_) => {
                    let difference = arena.sub(to, var.node);
                    facts.range(arena, difference)
                }
            };
            let range = match var.ascending {
                true => range,
                false => Range::wide(-i128::from(range.high), -i128::from(range.low)),
            };
            moved.push((level, range));
        }
        moved
    }

    /// Nodes with the variables replaced that the guard fixes: a stone goes to an empty square.
    pub(super) fn where_legal(&mut self, facts: &Facts, nodes: [Node; 3]) -> (Node, Node, Node) {
        let mut known = Vec::new();
        for var in &self.vars {
            if let Some(number) = facts.range(&self.formulas.arena, var.node).single() {
                known.push((var.node, self.formulas.arena.number(number)));
            }
        }
        // Parities are not replaced, so that all moves read one and the same.
        known.extend(self.parities.iter().map(|node| (*node, *node)));
        let mut rewrite = Rewrite::new(&known);
        let [shift, same, gain] = nodes.map(|node| rewrite.node(&mut self.formulas.arena, &self.formulas.lists, node));
        (shift, same, gain)
    }

    /// Consequences of conditions on single bits: a set with element k is at least 2^k.
    pub(super) fn bits_known(&mut self, conditions: &[Node]) -> Vec<Node> {
        let arena = &mut self.formulas.arena;
        let mut open: Vec<(Node, bool)> = conditions.iter().map(|condition| (*condition, true)).collect();
        let mut found = Vec::new();
        while let Some((node, holds)) = open.pop() {
            let truths = |a: Node, b: Node| arena.range(a).is_truth() && arena.range(b).is_truth();
            match *arena.op(node) {
                Op::And(a, b) if holds && truths(a, b) && bit_of(arena, node).is_none() => {
                    open.extend([(a, true), (b, true)]);
                    continue;
                }
                Op::Or(a, b) if !holds && truths(a, b) => {
                    open.extend([(a, false), (b, false)]);
                    continue;
                }
                Op::Not(inner) => {
                    open.push((inner, !holds));
                    continue;
                }
                _ => {}
            }
            let Some((set, bit)) = bit_of(arena, node) else { continue };
            let Range { low, high } = arena.range(set);
            if low < 0 {
                continue;
            }
            if holds {
                let least = arena.number(1 << bit);
                found.push(arena.le(least, set));
            } else if high.checked_add(1).is_some_and(|size| size.count_ones() == 1) {
                let most = arena.number(high & !(1 << bit));
                found.push(arena.le(set, most));
            }
        }
        found
    }

    /// The facts where the loops' own bounds and these conditions hold.
    pub fn facts(&mut self, conditions: &[Node]) -> Facts {
        let bits = self.bits_known(conditions);
        let all: Vec<Node> = conditions.iter().chain(&bits).chain(&self.held).copied().collect();
        Facts::assuming(&mut self.formulas.arena, &all)
    }

    pub(super) fn assume_counts(&mut self, facts: &mut Facts, counts: &[Count]) {
        let arena = &mut self.formulas.arena;
        for count in counts {
            let Some(choice) = arena.find(&Op::Choice(count.choice)) else { continue };
            for (a, b) in [(count.low, choice), (choice, count.high)] {
                let condition = arena.le(a, b);
                facts.assume(arena, condition, true);
            }
        }
    }

    /// Comparisons without the variables on both sides: `i < s + i` is `0 < s`, which is computed further out.
    fn reduce(&mut self) {
        let levels = self.levels(&[]);
        let arena = &mut self.formulas.arena;
        let zero = arena.number(0);
        let mut pairs = Vec::new();
        for index in 0..levels.len() {
            let node = Node(index as u32);
            let (a, b, less) = match *arena.op(node) {
                Op::Lt(a, b) => (a, b, true),
                Op::Eq(a, b) => (a, b, false),
                _ => continue,
            };
            if arena.difference(b, a).is_none() {
                continue;
            }
            let difference = arena.sub(b, a);
            let (terms, _) = arena.linear(difference);
            let outer = terms.iter().all(|term| levels[term.0.index()] < levels[index]);
            if outer && arena.known(difference).is_none() {
                pairs.push((node, if less { arena.lt(zero, difference) } else { arena.eq(difference, zero) }));
            }
        }
        if pairs.is_empty() {
            return;
        }
        let mut rewrite = Rewrite::new(&pairs);
        let Formulas { arena, lists, .. } = &mut self.formulas;
        let mut of = |node: &mut Node| *node = rewrite.node(arena, lists, *node);
        self.ends.iter_mut().for_each(|end| of(&mut end.when));
        self.moves.iter_mut().for_each(|step| of(&mut step.guard));
    }

    /// Replaces conditions that the loops' bounds decide, and chooses which others must be tested.
    pub(super) fn settle(&mut self) {
        self.reduce();
        let facts = self.facts(&[]);
        let mut nodes: Vec<&mut Node> = vec![&mut self.stuck_fault];
        nodes.extend(self.ends.iter_mut().flat_map(|end| [&mut end.when, &mut end.fault]));
        nodes.extend(self.moves.iter_mut().flat_map(|step| [&mut step.guard, &mut step.fault]));
        settle(&mut self.formulas, &facts, &mut nodes);
        let arena = &self.formulas.arena;
        let never = |node: Node| arena.known(node) == Some(0);
        self.ends.retain(|end| !(never(end.when) && never(end.fault)));
        self.moves.retain(|step| {
            !(never(step.guard) && never(step.fault) && step.counts.iter().all(|count| never(count.fault)))
        });
        self.faults = !never(self.stuck_fault)
            || self.ends.iter().any(|end| !never(end.fault))
            || self
                .moves
                .iter()
                .any(|step| !never(step.fault) || step.checked || step.counts.iter().any(|count| !never(count.fault)))
            || matches!(self.values, Values::Score { checked: true, .. });
        if !self.faults && !self.lean {
            // Unreachable positions get some value; nobody reads it.
            self.tested.clear();
        }
    }
}

/// Replaces comparisons that facts decide by constants.
pub(crate) fn settle(formulas: &mut Formulas, facts: &Facts, nodes: &mut [&mut Node]) {
    let Formulas { arena, lists, .. } = formulas;
    let mut seen = vec![false; arena.len()];
    let mut stack: Vec<Node> = nodes.iter().map(|node| **node).collect();
    let mut known = Vec::new();
    while let Some(next) = stack.pop() {
        if std::mem::replace(&mut seen[next.index()], true) {
            continue;
        }
        match arena.op(next) {
            Op::Lt(..) | Op::Eq(..) => {
                if let Some(number) = facts.range(arena, next).single() {
                    known.push((next, number));
                    continue;
                }
            }
            _ => {}
        }
        arena.operands(next, &mut |operand| stack.push(operand));
    }
    if known.is_empty() {
        return;
    }
    let known: Vec<(Node, Node)> = known.into_iter().map(|(node, n)| (node, arena.number(n))).collect();
    let mut rewrite = Rewrite::new(&known);
    for node in nodes {
        **node = rewrite.node(arena, lists, **node);
    }
}

/// The sum of which a node is the parity.
pub(crate) fn parity_of(arena: &formula::Arena, node: Node) -> Option<Node> {
    let sum = match *arena.op(node) {
        Op::And(a, b) if arena.known(a) == Some(1) => b,
        Op::And(a, b) if arena.known(b) == Some(1) => a,
        Op::Rem(a, b) if arena.known(b) == Some(2) => a,
        _ => return None,
    };
    matches!(arena.op(sum), Op::Linear(..)).then_some(sum)
}

/// The number and the bit of it that a truth value tests.
fn bit_of(arena: &formula::Arena, node: Node) -> Option<(Node, u32)> {
    let shifted = |node: Node| match *arena.op(node) {
        Op::Shr(set, by) => Some((set, u32::try_from(arena.known(by)?).ok().filter(|by| *by < 62)?)),
        _ => None,
    };
    match *arena.op(node) {
        Op::And(a, b) if arena.known(a) == Some(1) => shifted(b).or(Some((b, 0))),
        Op::And(a, b) if arena.known(b) == Some(1) => shifted(a).or(Some((a, 0))),
        Op::Shr(..) if arena.range(node).is_truth() => shifted(node),
        _ => None,
    }
}
