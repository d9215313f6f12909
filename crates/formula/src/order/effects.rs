//! What moves do to cells: for each step, the facts that hold where it is made, and how far it shifts each cell.
//!
//! A *step* is an action, or one part of an action that splits. It is made only where the guard holds, no end rule
//! does, the choices lie within their bounds, and there is no fault. All of that narrows how far it can go.

use rules::stop::{Held, look};

use crate::facts::Facts;
use crate::formulas::{Action, Formulas};
use crate::node::{Arena, Node, Op, Range};
use crate::order::bound::{Weights, bound};
use crate::order::conditions::{Conditions, take_apart, taken_in};

/// How many of the conditions that all steps share are used.
const SHARED: usize = 64;
/// How many conditions of its own a step may have.
const OWN: usize = 48;
/// With more changes than this in all, only cheap analyses run.
const MANY: usize = 20_000;
/// Into how many cases one action may be split.
const CASES: usize = 24;

/// One way in which a position changes.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The action.
    pub(crate) action: usize,
    /// The cells that it changes, in ascending order, with their new value.
    pub(crate) after: Vec<(u32, Node)>,
    /// The facts where it is made.
    pub(crate) facts: Facts,
    /// `after - before` for each of `after`.
    pub(crate) shifts: Vec<(u32, Range)>,
}

/// The steps of a game.
#[derive(Debug)]
pub(crate) struct Effects {
    /// All of them; those that can never be made are left out.
    pub(crate) steps: Vec<Step>,
    /// A node for each cell; a constant if the cell has one value.
    pub(crate) cells: Vec<Node>,
    /// The facts at every reachable position.
    pub(crate) valid: Facts,
    /// The facts where, in addition, no end rule holds.
    pub(crate) shared: Facts,
    /// The conditions behind `shared`.
    pub(crate) known: Conditions,
    pub(crate) weights: Weights,
    /// Whether somebody stopped the study: then steps may be missing, and nothing that follows is true.
    stopped: bool,
    _held: Held,
}

impl Effects {
    /// The steps of these formulas.
    pub(crate) fn new(formulas: &mut Formulas) -> Effects {
        let mut weights = Weights::default();
        let cells: Vec<Node> =
            (0..formulas.cells.len()).map(|cell| formulas.arena.cell(cell as u32, formulas.cells[cell])).collect();
        let known = shared_conditions(formulas, &mut weights);
        let Formulas { arena, lists, actions, cells: domains, .. } = formulas;
        let valid = taken_in(arena, lists, Facts::default(), &known.0);
        let shared = taken_in(arena, lists, valid.clone(), &known.1);
        let changes: usize = actions.iter().map(|action| action.after.len()).sum();
        let mut maker = Maker { arena, lists, domains, cells: &cells, weights: &mut weights, deep: changes <= MANY };
        let mut steps = Vec::with_capacity(actions.len());
        let (mut stopped, mut held) = (false, Held::default());
        for (number, action) in actions.iter().enumerate() {
            let before = steps.len();
            if stopped || look().is_err() {
                stopped = true;
                break;
            }
            let mut conditions = known.0.clone();
            conditions.extend(&known.1);
            maker.own_conditions(action, &mut conditions);
            match &action.split {
                None => maker.cases(number, &action.after, &shared, &conditions, &mut steps),
                Some(parts) => {
                    for part in parts {
                        let after = (0u32..).zip(part.iter().copied());
                        let after: Vec<(u32, Node)> =
                            after.filter(|(cell, node)| cells[*cell as usize] != *node).collect();
                        maker.cases(number, &after, &shared, &conditions, &mut steps);
                    }
                }
            }
            stopped = held.try_grow(steps[before..].iter().map(Step::bytes).sum()).is_err();
        }
        let known = known.0.into_iter().chain(known.1).collect();
        Effects { steps, cells, valid, shared, known, weights, stopped, _held: held }
    }

    /// Whether the study is given up: somebody stopped it, or it does not fit in memory.
    pub(crate) fn is_stopped(&mut self, formulas: &Formulas) -> bool {
        self.stopped |= formulas.arena.is_full() || look().is_err();
        self.stopped
    }

    /// Assumes further conditions that hold at every reachable position. Steps are left as they are.
    pub(crate) fn learn(&mut self, formulas: &mut Formulas, conditions: Conditions) {
        let Formulas { arena, lists, .. } = formulas;
        self.valid = taken_in(arena, lists, std::mem::take(&mut self.valid), &conditions);
        self.known.extend(conditions);
        self.shared = taken_in(arena, lists, std::mem::take(&mut self.shared), &self.known);
    }

    /// The change of a combination of features by a step (after minus before): a node and its range. The features are
    /// sorted, and their sum must not wrap. `None` if it is too large to analyse.
    pub(crate) fn change(&mut self, arena: &mut Arena, step: usize, terms: &[(Feature, i64)]) -> Option<(Node, Range)> {
        self.stopped |= look().is_err();
        if self.stopped {
            return None;
        }
        let step = &self.steps[step];
        let mut all = Vec::new();
        for &(cell, after) in &step.after {
            let from = terms.partition_point(|(feature, _)| feature.cell() < cell);
            for &(feature, factor) in terms[from..].iter().take_while(|(feature, _)| feature.cell() == cell) {
                if !self.weights.light(arena, after) {
                    return None;
                }
                all.push((feature.node(arena, after), factor));
                all.push((feature.node(arena, self.cells[cell as usize]), factor.checked_neg()?));
            }
        }
        let node = arena.combine(&all, 0);
        Some((node, bound(arena, &step.facts, node)))
    }

    /// How a bit of a set changes if a step changes the whole set by the number `by`, if known: an element of the set
    /// goes, or a new one comes.
    pub(crate) fn bit_change(&self, arena: &mut Arena, step: usize, cell: u32, bit: u32, by: i64) -> Option<i64> {
        if by == 0 {
            return Some(0);
        }
        if by == i64::MIN || by.unsigned_abs().count_ones() != 1 {
            return None;
        }
        let changed = by.trailing_zeros();
        let facts = &self.steps[step].facts;
        let of = self.cells[cell as usize];
        let there = Feature::Bit(cell, changed).node(arena, of);
        let single = arena.number(1 << changed);
        let inside = arena.and(of, single);
        let zero = arena.number(0);
        let missing = arena.eq(inside, zero);
        let is_there =
            match (facts.range(arena, there).single(), facts.range(arena, inside), facts.range(arena, missing)) {
                (Some(1), _, _) | (_, Range { low: 1.., .. }, _) | (_, _, Range { high: 0, .. }) => true,
                (Some(0), _, _) | (_, Range { high: 0, .. }, _) | (_, _, Range { low: 1.., .. }) => false,
                _ => return None,
            };
        (is_there == (by < 0)).then_some(if bit == changed { by.signum() } else { 0 })
    }

    /// By how much at least every step lowers a combination of features; `None` if some step may not lower it.
    pub(crate) fn falls(&mut self, arena: &mut Arena, terms: &[(Feature, i64)]) -> Option<i64> {
        let mut least = i64::MAX;
        for step in 0..self.steps.len() {
            let high = match self.apart(step, terms) {
                Some(high) if high < 0 => high,
                _ => self.change(arena, step, terms)?.1.high,
            };
            if high >= 0 {
                return None;
            }
            least = least.min(-high);
        }
        Some(least)
    }

    /// How far a step raises a combination of whole cells at most, bounding each cell by itself: quick, and often
    /// enough.
    fn apart(&self, step: usize, terms: &[(Feature, i64)]) -> Option<i64> {
        let mut high = 0i128;
        for &(cell, shift) in &self.steps[step].shifts {
            let from = terms.partition_point(|(feature, _)| feature.cell() < cell);
            for &(feature, factor) in terms[from..].iter().take_while(|(feature, _)| feature.cell() == cell) {
                let Feature::Value(_) = feature else { return None };
                let ends = [i128::from(shift.low), i128::from(shift.high)].map(|end| end * i128::from(factor));
                high += ends[0].max(ends[1]);
            }
        }
        i64::try_from(high).ok()
    }
}

impl Step {
    /// About how much memory it takes.
    fn bytes(&self) -> u64 {
        (size_of::<Step>() + 16 * self.after.len() + 24 * self.shifts.len()) as u64 + self.facts.bytes()
    }

    /// The new value of a cell that it changes.
    pub(crate) fn after(&self, cell: u32) -> Option<Node> {
        self.after.binary_search_by_key(&cell, |entry| entry.0).ok().map(|place| self.after[place].1)
    }

    /// How far the step shifts a cell.
    pub(crate) fn shift(&self, cell: u32) -> Range {
        match self.shifts.binary_search_by_key(&cell, |entry| entry.0) {
            Ok(place) => self.shifts[place].1,
            Err(_) => Range::exactly(0),
        }
    }
}

/// A number that depends on one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Feature {
    /// The cell itself.
    Value(u32),
    /// 1 if the cell has this value, else 0.
    Is(u32, i64),
    /// A bit of the cell.
    Bit(u32, u32),
}

impl Feature {
    /// Which cell.
    pub(crate) fn cell(self) -> u32 {
        match self {
            Feature::Value(cell) | Feature::Is(cell, _) | Feature::Bit(cell, _) => cell,
        }
    }

    /// The feature, if the cell is this node.
    pub(crate) fn node(self, arena: &mut Arena, cell: Node) -> Node {
        match self {
            Feature::Value(_) => cell,
            Feature::Is(_, value) => {
                let value = arena.number(value);
                arena.eq(cell, value)
            }
            Feature::Bit(_, bit) => {
                let bit = arena.number(bit.into());
                let shifted = arena.shr(cell, bit);
                let one = arena.number(1);
                arena.and(shifted, one)
            }
        }
    }

    /// The feature, if the cell has this value.
    pub(crate) fn of(self, value: i64) -> i64 {
        match self {
            Feature::Value(_) => value,
            Feature::Is(_, wanted) => i64::from(value == wanted),
            Feature::Bit(_, bit) => value.wrapping_shr(bit) & 1,
        }
    }
}

/// How far a cell is shifted: `after - before`, exactly.
fn shift(arena: &mut Arena, weights: &mut Weights, facts: &Facts, before: Node, after: Node, domain: Range) -> Range {
    // Both lie in the domain. If it is narrow enough, the wrapping difference is exact.
    let width = i128::from(domain.high) - i128::from(domain.low);
    if width > i128::from(i64::MAX) || !weights.light(arena, after) {
        return Range::FULL;
    }
    let difference = arena.sub(after, before);
    let range = bound(arena, facts, difference);
    let width = width as i64;
    range.meet(Range { low: -width, high: width }).unwrap_or(range)
}

/// Makes steps of actions.
struct Maker<'m> {
    arena: &'m mut Arena,
    lists: &'m [Vec<i64>],
    domains: &'m [Range],
    cells: &'m [Node],
    weights: &'m mut Weights,
    /// Whether there is time for more than the simplest analysis.
    deep: bool,
}

impl Maker<'_> {
    /// The conditions under which an action is made: its choices are within their bounds, its guard holds, there is no
    /// fault.
    fn own_conditions(&mut self, action: &Action, into: &mut Conditions) {
        let most = into.len() + OWN;
        for condition in count_conditions(self.arena, action) {
            take_apart(self.arena, self.weights, condition, most, into);
        }
        take_apart(self.arena, self.weights, (action.guard, true), most, into);
        take_apart(self.arena, self.weights, (action.fault, false), most, into);
    }

    /// The steps of one change: one, or several cases if only the cases show that something surely changes.
    fn cases(
        &mut self,
        action: usize,
        after: &[(u32, Node)],
        shared: &Facts,
        conditions: &Conditions,
        into: &mut Vec<Step>,
    ) {
        let mut open = vec![conditions.clone()];
        let mut made = Vec::new();
        while let Some(conditions) = open.pop() {
            let facts = taken_in(self.arena, self.lists, shared.clone(), &conditions);
            let Some(step) = self.step(action, after, facts) else { continue };
            let strict = step.shifts.iter().any(|(_, shift)| shift.low > 0 || shift.high < 0);
            let split = match strict || !self.deep || open.len() + made.len() >= CASES {
                true => None,
                false => self.undecided(&step),
            };
            match split {
                Some(condition) => {
                    for holds in [false, true] {
                        let mut case = conditions.clone();
                        take_apart(self.arena, self.weights, (condition, holds), case.len() + OWN, &mut case);
                        open.push(case);
                    }
                }
                None => made.push(step),
            }
        }
        into.extend(made);
    }

    /// A step, unless it can never be made.
    fn step(&mut self, action: usize, after: &[(u32, Node)], mut facts: Facts) -> Option<Step> {
        // A move that leaves a domain is a fault and not a step.
        for &(cell, node) in after {
            if self.deep && self.weights.light(self.arena, node) && !facts.is_impossible() {
                facts.narrow(self.arena, node, self.domains[cell as usize]);
            }
        }
        if facts.is_impossible() {
            return None;
        }
        let mut after = after.to_vec();
        if self.deep {
            after.iter_mut().for_each(|(_, node)| *node = self.resolved(&facts, *node));
            after.retain(|(cell, node)| self.cells[*cell as usize] != *node);
        }
        let shifts = after.iter().map(|&(cell, node)| {
            let (before, domain) = (self.cells[cell as usize], self.domains[cell as usize]);
            (cell, shift(self.arena, self.weights, &facts, before, node, domain))
        });
        let shifts = shifts.collect();
        Some(Step { action, after, facts, shifts })
    }

    /// A node without the branches that the facts rule out.
    fn resolved(&mut self, facts: &Facts, node: Node) -> Node {
        let mut node = node;
        loop {
            match *self.arena.op(node) {
                Op::Select(c, a, b) if self.weights.light(self.arena, c) => match facts.range(self.arena, c).single() {
                    Some(0) => node = b,
                    Some(_) => node = a,
                    None => return node,
                },
                _ => return node,
            }
        }
    }

    /// A condition that decides how a step changes a cell.
    fn undecided(&mut self, step: &Step) -> Option<Node> {
        for (&(_, after), (_, shift)) in step.after.iter().zip(&step.shifts) {
            if shift.single().is_some() || !self.weights.light(self.arena, after) {
                continue;
            }
            let mut open = vec![after];
            while let Some(node) = open.pop() {
                let decided = step.facts.range(self.arena, node).single().is_some();
                match self.arena.op(node) {
                    Op::Select(c, a, b) => match step.facts.range(self.arena, *c).single() {
                        None => return Some(*c),
                        Some(0) => open.push(*b),
                        Some(_) => open.push(*a),
                    },
                    Op::Linear(terms, _) => open.extend(terms.iter().map(|term| term.0)),
                    Op::Eq(..) | Op::Lt(..) | Op::Not(_) if !decided => return Some(node),
                    Op::And(a, b) | Op::Or(a, b)
                        if !decided && self.arena.range(*a).is_truth() && self.arena.range(*b).is_truth() =>
                    {
                        return Some(node);
                    }
                    _ => {}
                }
            }
        }
        None
    }
}

/// The conditions that the choices of an action are within their bounds.
///
/// Actions share the numbers of choices, and a number has one node, whose range covers what all of them choose from. A choice
/// that no formula reads has no node, and gets none here: its range would be that of one action.
pub(crate) fn count_conditions(arena: &mut Arena, action: &Action) -> Conditions {
    let mut conditions = Vec::new();
    for count in &action.counts {
        let bounds = match arena.find(&Op::Choice(count.choice)) {
            Some(choice) => vec![(count.low, choice), (choice, count.high)],
            None => vec![(count.low, count.high)],
        };
        for (low, high) in bounds {
            conditions.push((arena.lt(high, low), false));
        }
    }
    conditions
}

/// Conditions that hold at every reachable position, and further ones that hold where no end rule does.
fn shared_conditions(formulas: &Formulas, weights: &mut Weights) -> (Conditions, Conditions) {
    let arena = &formulas.arena;
    let (mut valid, mut open) = (Vec::new(), Vec::new());
    for &condition in &formulas.valid {
        take_apart(arena, weights, (condition, true), 2 * SHARED, &mut valid);
    }
    for case in &formulas.ends {
        take_apart(arena, weights, (case.when, false), 2 * SHARED, &mut open);
    }
    for conditions in [&mut valid, &mut open] {
        let simple = |node: Node| matches!(arena.op(node), Op::Lt(..) | Op::Eq(..) | Op::Cell(_) | Op::Mover);
        conditions.retain(|(node, _)| simple(*node));
        conditions.truncate(SHARED);
    }
    (valid, open)
}
