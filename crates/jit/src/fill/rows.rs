//! Rows: the positions that differ only in the last variable, and their moves side by side.
//!
//! In most of a row the comparisons with the last variable have one result: `k <= left` holds from k on. So a row is
//! split. Between `lower` and `upper`, except at `breaks`, every guard and every end is the same for all positions, and
//! the shift to an option is too. There many positions are filled at once; the few others are filled one at a time.
//! Comparing lane by lane and masking was rejected: masked lanes still read, perhaps outside of the table.

use formula::facts::Facts;
use formula::{Node, Op, Range};

use super::known::settle;
use super::plan::{End, Plan};
use super::values::Values;

/// Rows shorter than this are filled one position at a time.
pub(crate) const SHORTEST: u64 = 16;

/// Moves shorter than this within a row are pushed from lost positions by bits.
pub(crate) const WORD: i64 = 64;

/// The gain of a move, for all lanes: `uniform + Σ factor · item`.
#[derive(Clone, Debug)]
pub(crate) struct LaneGain {
    /// The part that is constant in the row.
    pub uniform: Node,
    /// The factor of the last variable.
    pub variable: i64,
    /// Lists read at `index`, which grows with the last variable, with the range of the index and the factor.
    pub items: Vec<(u32, Node, Range, i64)>,
}

/// A move that is the same for all positions of the even part of a row.
#[derive(Clone, Debug)]
pub(crate) struct RowMove {
    /// Whether it is legal; constant in the row.
    pub guard: Node,
    /// Code of the option minus code of the position.
    pub shift: Node,
    /// Whether the mover moves again.
    pub same: bool,
    /// The mover's gain.
    pub gain: LaneGain,
    /// Whether it is pushed from the lost positions of the row instead of looked up.
    pub push: bool,
    /// How far it jumps, if it stays in the row.
    pub within: Option<i64>,
    /// Whether it jumps less far than there are lanes. Then it is done one position after the other.
    pub near: bool,
}

/// Rows and how they are filled.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// The row is even from the largest of these on.
    pub lower: Vec<Node>,
    /// The row is even up to the least of these.
    pub upper: Vec<Node>,
    /// The row is not even at these.
    pub breaks: Vec<Node>,
    /// Ends; each holds in the whole row or nowhere in it.
    pub ends: Vec<End>,
    /// Moves.
    pub moves: Vec<RowMove>,
    /// Whether there is any move.
    pub any: Node,
    /// The value of a position without moves.
    pub stuck: Node,
    /// Whether bits are pushed.
    pub bits: bool,
}

impl Rows {
    /// All nodes that rows need.
    pub fn roots(&self) -> Vec<Node> {
        let mut roots = vec![self.any, self.stuck];
        roots.extend(self.lower.iter().chain(&self.upper).chain(&self.breaks));
        roots.extend(self.ends.iter().flat_map(|end| [end.when, end.value]));
        for step in &self.moves {
            roots.extend([step.guard, step.shift, step.gain.uniform]);
            roots.extend(step.gain.items.iter().map(|item| item.1));
        }
        roots
    }

    /// Plans how rows are filled; `None` if they must be filled one position at a time.
    pub fn new(plan: &mut Plan) -> Option<Rows> {
        let var = plan.vars.last()?.clone();
        let counted = plan.moves.iter().any(|step| !step.counts.is_empty() || step.parts.is_some());
        let kind = matches!(plan.values, Values::Nimber { .. }) || plan.values.width() == 8;
        if var.stride != 1 || var.size() < SHORTEST || plan.faults || !plan.tested.is_empty() || counted || kind {
            return None;
        }
        let mut study =
            Study { plan, rows: Vec::new(), conditions: Vec::new(), settled: Vec::new(), levels: Vec::new() };
        study.run()
    }
}

/// A row while it is studied.
struct Study<'p> {
    plan: &'p mut Plan,
    /// How far each move jumps within the row, if it stays in it.
    rows: Vec<Option<i64>>,
    /// Comparisons with the last variable, and their result in the even part.
    conditions: Vec<(Node, bool)>,
    /// Comparisons that were examined.
    settled: Vec<Node>,
    /// The levels of nodes, as far as computed.
    levels: Vec<usize>,
}

/// A comparison as a bound of the last variable.
enum Bound {
    AtLeast(Node),
    AtMost(Node),
    Other(Node),
}

impl Study<'_> {
    fn run(&mut self) -> Option<Rows> {
        for index in 0..self.plan.moves.len() {
            let within = self.within(index)?;
            self.rows.push(within);
        }
        let lanes = 16 / self.plan.values.width() as i64;
        let near = self.rows.iter().flatten().any(|step| step.abs() < lanes);
        let bits = near && self.can_push();
        if near && !bits {
            let ascending = self.plan.vars.last()?.ascending;
            let back = |step: &i64| if ascending { *step < 0 } else { *step > 0 };
            if !self.rows.iter().flatten().all(back) {
                return None;
            }
        }
        let mut pushed = vec![None; self.plan.moves.len()];
        if bits {
            for (index, within) in self.rows.clone().into_iter().enumerate() {
                if let Some(step) = within
                    && step.abs() < WORD
                {
                    pushed[index] = Some(self.push_guard(index, step)?);
                }
            }
        }
        let (mut lower, mut upper, mut breaks) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..self.plan.ends.len() {
            self.gather(self.plan.ends[index].when, false);
        }
        for (index, pushed) in pushed.iter().enumerate() {
            if pushed.is_none() {
                self.gather(self.plan.moves[index].guard, true);
            }
        }
        let mut conditions = Vec::new();
        for (condition, holds) in self.conditions.clone() {
            match self.bound(condition, holds)? {
                Bound::AtLeast(node) => lower.push(node),
                Bound::AtMost(node) => upper.push(node),
                Bound::Other(node) => breaks.push(node),
            }
            conditions.push(if holds { condition } else { self.plan.formulas.arena.not(condition) });
        }
        if breaks.len() > 4 {
            return None;
        }
        let mut rows = self.even(&conditions, &pushed)?;
        (rows.lower, rows.upper, rows.breaks, rows.bits) = (lower, upper, breaks, bits);
        Some(rows)
    }

    /// How far a move jumps if it stays in the row; `Some(None)` if it leads to another row; `None` if that is unclear.
    fn within(&mut self, index: usize) -> Option<Option<i64>> {
        let plan = &mut *self.plan;
        let depth = plan.vars.len();
        if plan.strict < depth {
            return Some(None); // Every move leads to an earlier row.
        }
        let step = plan.moves[index].clone();
        let facts = plan.facts(&[step.guard]);
        let mut in_row = true;
        for &(outer, after) in &step.after {
            if outer + 1 == depth {
                continue;
            }
            let before = plan.vars[outer].node;
            let moved = plan.formulas.arena.difference(after, before)?;
            let difference = plan.formulas.arena.sub(after, before);
            let moved = facts.range(&plan.formulas.arena, difference).meet(moved).unwrap_or(moved);
            if !moved.contains(0) {
                return Some(None);
            }
            in_row = false;
        }
        let shift = plan.formulas.arena.known(step.shift)?;
        in_row.then_some(Some(shift))
    }

    /// Whether lost positions can push to positions before them: only if values are just won and lost.
    fn can_push(&self) -> bool {
        let var = &self.plan.vars[self.plan.vars.len() - 1];
        self.plan.values == Values::Win
            && var.ascending
            && self.plan.never(self.plan.stuck)
            && self.rows.iter().flatten().all(|step| *step < 0)
            && self
                .plan
                .moves
                .iter()
                .zip(&self.rows)
                .all(|(step, within)| within.is_none() || self.plan.never(step.same))
    }

    /// The guard of a move within the row, given that the option is in the row. It must be constant in the row.
    fn push_guard(&mut self, index: usize, step: i64) -> Option<Node> {
        let plan = &mut *self.plan;
        let var = plan.vars.last()?.clone();
        let arena = &mut plan.formulas.arena;
        let option = arena.shift(var.node, step);
        let low = arena.number(var.low);
        let mut conditions = vec![arena.le(low, option)];
        for &bound in &var.lower {
            conditions.push(arena.le(bound, option));
        }
        let facts = plan.facts(&conditions);
        let mut guard = plan.moves[index].guard;
        settle(&mut plan.formulas, &facts, &mut [&mut guard]);
        self.is_uniform(guard).then_some(guard)
    }

    fn level(&mut self, node: Node) -> usize {
        self.plan.more_levels(&[], &mut self.levels);
        self.levels[node.index()]
    }

    fn is_uniform(&mut self, node: Node) -> bool {
        self.level(node) < self.plan.vars.len()
    }

    /// Collects the comparisons with the last variable in a condition that should hold, or should not.
    fn gather(&mut self, root: Node, wanted: bool) {
        let depth = self.plan.vars.len();
        let mut stack = vec![(root, wanted)];
        while let Some((node, wanted)) = stack.pop() {
            if self.level(node) < depth || self.settled.contains(&node) {
                continue;
            }
            match self.plan.formulas.arena.op(node).clone() {
                Op::Not(inner) => stack.push((inner, !wanted)),
                Op::And(a, b) | Op::Or(a, b) => stack.extend([(a, wanted), (b, wanted)]),
                Op::Lt(..) => {
                    self.settled.push(node);
                    let wanted = self.larger_part(node).unwrap_or(wanted);
                    self.conditions.push((node, wanted));
                }
                Op::Eq(..) => {
                    self.settled.push(node);
                    self.conditions.push((node, false));
                }
                _ => {}
            }
        }
    }

    /// The result of a comparison with a number in the larger part of the row.
    fn larger_part(&mut self, condition: Node) -> Option<bool> {
        let var = self.plan.vars.last()?.clone();
        let (bound, least) = match self.bound(condition, true)? {
            Bound::AtLeast(node) => (self.plan.formulas.arena.known(node)?, true),
            Bound::AtMost(node) => (self.plan.formulas.arena.known(node)?, false),
            Bound::Other(_) => return None,
        };
        let from_bound = i128::from(var.high) - i128::from(bound);
        let to_bound = i128::from(bound) - i128::from(var.low);
        Some(if least { from_bound >= to_bound } else { to_bound >= from_bound })
    }

    /// A comparison, given whether it holds, as a bound of the last variable.
    fn bound(&mut self, condition: Node, holds: bool) -> Option<Bound> {
        self.plan.more_levels(&[], &mut self.levels);
        let depth = self.plan.vars.len();
        let variable = self.plan.vars[depth - 1].node;
        let arena = &mut self.plan.formulas.arena;
        let (a, b, equal) = match *arena.op(condition) {
            Op::Lt(a, b) => (a, b, false),
            Op::Eq(a, b) => (a, b, true),
            _ => return None,
        };
        arena.difference(b, a)?;
        // a < b: b − a − 1 ≥ 0
        let difference = arena.sub(b, a);
        let levels = &self.levels;
        let (terms, constant) = arena.linear(difference);
        let factor = terms.iter().find(|term| term.0 == variable)?.1;
        let rest: Vec<(Node, i64)> = terms.iter().copied().filter(|term| term.0 != variable).collect();
        if factor.abs() != 1 || rest.iter().any(|term| levels[term.0.index()] >= depth) {
            return None;
        }
        let rest = arena.combine(&rest, constant); // factor · v + rest is b − a
        let negative = arena.neg(rest);
        let at = |arena: &mut formula::Arena, node: Node, more: i64| arena.shift(node, more);
        Some(match (equal, factor > 0, holds) {
            (true, true, _) => Bound::Other(negative),
            (true, false, _) => Bound::Other(rest),
            (_, true, true) => Bound::AtLeast(at(arena, negative, 1)),
            (_, true, false) => Bound::AtMost(negative),
            (_, false, true) => Bound::AtMost(at(arena, rest, -1)),
            (_, false, false) => Bound::AtLeast(rest),
        })
    }

    /// Ends and moves of the even part.
    fn even(&mut self, conditions: &[Node], pushed: &[Option<Node>]) -> Option<Rows> {
        let facts = self.plan.facts(conditions);
        if facts.is_impossible() {
            return None;
        }
        let (mut ends, mut moves) = (self.plan.ends.clone(), self.plan.moves.clone());
        let mut stuck = self.plan.stuck;
        let mut nodes: Vec<&mut Node> = vec![&mut stuck];
        nodes.extend(ends.iter_mut().flat_map(|end| [&mut end.when, &mut end.value]));
        for step in &mut moves {
            nodes.extend([&mut step.guard, &mut step.shift, &mut step.same, &mut step.gain]);
        }
        settle(&mut self.plan.formulas, &facts, &mut nodes);
        ends.retain(|end| !self.plan.never(end.when));
        if ends.iter().any(|end| !self.is_uniform(end.when) || !self.is_uniform(end.value)) {
            return None;
        }
        let depth = self.plan.vars.len();
        let lanes = 16 / self.plan.values.width() as i64;
        let mut any = self.plan.formulas.arena.number(0);
        self.plan.more_levels(&[], &mut self.levels);
        let dependent: Vec<bool> = self.levels.iter().map(|level| *level >= depth).collect();
        let mut rows = Vec::new();
        for (index, step) in moves.iter().enumerate() {
            let guard = pushed[index].unwrap_or(step.guard);
            if !self.is_uniform(guard) || !self.is_uniform(step.shift) {
                return None;
            }
            if self.plan.never(guard) {
                continue;
            }
            any = self.plan.formulas.arena.or(any, guard);
            let same = self.plan.formulas.arena.known(step.same)? != 0;
            let gain = lane_gain(self.plan, &facts, step.gain, &dependent)?;
            let within = self.rows[index];
            let push = pushed[index].is_some();
            let near = !push && within.is_some_and(|step| step.abs() < lanes);
            rows.push(RowMove { guard, shift: step.shift, same, gain, push, within, near });
        }
        if self.plan.formulas.arena.known(any) != Some(1) && !self.is_uniform(stuck) {
            return None;
        }
        let (lower, upper, breaks) = Default::default();
        Some(Rows { lower, upper, breaks, ends, moves: rows, any, stuck, bits: false })
    }
}

/// The gain of a move, if it can be computed side by side; `dependent` marks the nodes that read the last variable.
pub(crate) fn lane_gain(plan: &mut Plan, facts: &Facts, gain: Node, dependent: &[bool]) -> Option<LaneGain> {
    let variable_node = plan.vars.last()?.node;
    let arena = &mut plan.formulas.arena;
    let (terms, constant) = arena.linear(gain);
    let (mut uniform, mut items, mut variable) = (Vec::new(), Vec::new(), 0);
    for (node, factor) in terms {
        if !dependent[node.index()] {
            uniform.push((node, factor));
        } else if node == variable_node {
            variable = factor;
        } else if let Op::Load(list, index) = *arena.op(node) {
            let (terms, _) = arena.linear(index);
            let own = terms.iter().find(|term| term.0 == variable_node)?;
            let rest = terms.iter().all(|term| term.0 == variable_node || !dependent[term.0.index()]);
            let range = facts.range(arena, index);
            let length = plan.formulas.lists[list as usize].len() as i128;
            let span = i128::from(range.high) - i128::from(range.low);
            if own.1 != 1 || !rest || span > 2 * length + 4096 {
                return None;
            }
            items.push((list, index, range, factor));
        } else {
            return None;
        }
    }
    let uniform = arena.combine(&uniform, constant);
    Some(LaneGain { uniform, variable, items })
}
