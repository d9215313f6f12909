//! Rows filled move by move: each move passes over the part of the row where it is legal, and the row holds the best
//! values so far.
//!
//! This fills moves with a counted choice side by side. The choice is counted outside, and for each number the guard
//! leaves a part of the row: `2m >= x` leaves the part from x/2 on. If the option is `max(m, x)`, the part is split at
//! x: from there on options lie side by side like the positions, before it all have one option.

use formula::rewrite::Rewrite;
use formula::{Arena, Node, Op};

use super::plan::{Move, Plan};
use super::rows::{LaneGain, SHORTEST, lane_gain};
use super::values::Values;

/// A move is split into at most this many passes.
const MOST_PARTS: usize = 8;

/// Where the options of a pass lie.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// At this shift from each position.
    Beside(Node),
    /// One option for all: it has this value of the last variable, once the rest of the shift is added.
    Common(Node),
}

/// One pass.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    /// The counted choice, from the largest of the first numbers to the least of the second.
    pub count: Option<(Node, Vec<Node>, Vec<Node>)>,
    /// Conditions that read neither the last variable nor the choice.
    pub guards: Vec<Node>,
    /// Conditions that read the choice.
    pub inner: Vec<Node>,
    /// The part of the row begins at the largest of these.
    pub lower: Vec<Node>,
    /// The part of the row ends at the least of these.
    pub upper: Vec<Node>,
    /// The options.
    pub target: Target,
    /// Whether the mover moves again.
    pub same: bool,
    /// The mover's gain.
    pub gain: LaneGain,
}

/// All passes over a row.
#[derive(Clone, Debug)]
pub(crate) struct Passes {
    /// In the order of the moves.
    pub passes: Vec<Pass>,
}

impl Passes {
    /// Nodes that are computed outside of the row.
    pub fn roots(&self) -> Vec<Node> {
        let mut roots = Vec::new();
        for pass in &self.passes {
            roots.extend(pass.guards.iter().chain(&pass.inner).chain(&pass.lower).chain(&pass.upper));
            roots.extend(pass.count.iter().flat_map(|count| count.1.iter().chain(&count.2)));
            roots.push(match pass.target {
                Target::Beside(node) | Target::Common(node) => node,
            });
            roots.push(pass.gain.uniform);
        }
        roots
    }

    /// Plans the passes; `None` if the moves are not of this kind.
    pub fn new(plan: &mut Plan) -> Option<Passes> {
        let var = plan.vars.last()?.clone();
        let depth = plan.vars.len();
        let kind = matches!(plan.values, Values::Nimber { .. }) || plan.values.width() == 8;
        let some = plan.moves.iter().any(|step| !step.counts.is_empty());
        let fits = var.stride == 1 && var.size() >= SHORTEST && plan.strict < depth && !plan.faults;
        if !some || kind || !fits || !plan.tested.is_empty() {
            return None;
        }
        let stuck =
            if plan.values == Values::Win { plan.never(plan.stuck) } else { !reads(plan, plan.stuck, var.node) };
        if !stuck || plan.ends.iter().any(|end| reads(plan, end.when, var.node) || reads(plan, end.value, var.node)) {
            return None;
        }
        let mut passes = Vec::new();
        for step in plan.moves.clone() {
            passes.extend(parts_of(plan, &step)?);
        }
        Some(Passes { passes })
    }
}

/// Whether a node reads another one.
fn reads(plan: &Plan, node: Node, wanted: Node) -> bool {
    dependents(&plan.formulas.arena, wanted)[node.index()]
}

/// Which nodes read a node.
fn dependents(arena: &Arena, wanted: Node) -> Vec<bool> {
    let mut found = vec![false; arena.len()];
    for index in 0..arena.len() {
        let node = Node(index as u32);
        let mut any = node == wanted;
        arena.operands(node, &mut |operand| any |= found[operand.index()]);
        found[index] = any;
    }
    found
}

/// A move with some comparisons decided.
struct Part {
    conditions: Vec<Node>,
    shift: Node,
    gain: Node,
}

/// The passes of one move.
fn parts_of(plan: &mut Plan, step: &Move) -> Option<Vec<Pass>> {
    let counts = &step.counts;
    if counts.len() > 1 || step.parts.is_some() {
        return None;
    }
    let variable = plan.vars.last()?.node;
    let mut conditions = vec![step.guard];
    let mut choice = None;
    if let Some(count) = counts.first() {
        let arena = &mut plan.formulas.arena;
        let node = arena.find(&Op::Choice(count.choice))?;
        let mut highs = vec![count.high];
        while let Some(high) = highs.pop() {
            match *arena.op(high) {
                Op::Min(a, b) => highs.extend([a, b]),
                _ => conditions.push(arena.le(node, high)),
            }
        }
        conditions.push(arena.le(count.low, node));
        choice = Some(node);
    }
    let mut open = vec![Part { conditions, shift: step.shift, gain: step.gain }];
    let mut done = Vec::new();
    while let Some(part) = open.pop() {
        if open.len() + done.len() > MOST_PARTS {
            return None;
        }
        match split_at(plan, &part, variable) {
            Some((first, second)) => open.extend([second, first]),
            None => done.extend(pass(plan, step, &part, choice)?),
        }
    }
    Some(done)
}

/// Splits a part at the first `min` or `max` that reads the last variable.
fn split_at(plan: &mut Plan, part: &Part, variable: Node) -> Option<(Part, Part)> {
    let arena = &mut plan.formulas.arena;
    let dependent = dependents(arena, variable);
    let mut stack = vec![part.shift, part.gain];
    let mut found = None;
    while let Some(node) = stack.pop() {
        if !dependent[node.index()] {
            continue;
        }
        if let Op::Min(a, b) | Op::Max(a, b) = *arena.op(node) {
            found = Some((node, a, b));
            break;
        }
        arena.operands(node, &mut |operand| stack.push(operand));
    }
    let (node, a, b) = found?;
    let least = matches!(arena.op(node), Op::Min(..));
    let less = arena.lt(a, b);
    let not_less = arena.not(less);
    let lists = &plan.formulas.lists;
    let mut make = |condition: Node, to: Node| {
        let mut rewrite = Rewrite::new(&[(node, to)]);
        let (shift, gain) = (rewrite.node(arena, lists, part.shift), rewrite.node(arena, lists, part.gain));
        Part { conditions: part.conditions.iter().copied().chain([condition]).collect(), shift, gain }
    };
    let (of_less, of_other) = if least { (a, b) } else { (b, a) };
    Some((make(less, of_less), make(not_less, of_other)))
}

/// A part as a pass; `Some(None)` if it never happens, `None` if it is not of this kind.
fn pass(plan: &mut Plan, step: &Move, part: &Part, choice: Option<Node>) -> Option<Option<Pass>> {
    let facts = plan.facts(&part.conditions);
    if facts.is_impossible() {
        return Some(None);
    }
    let variable = plan.vars.last()?.node;
    let same = plan.formulas.arena.known(step.same)? != 0;
    let gain = lane_gain(plan, &facts, part.gain, &dependents(&plan.formulas.arena, variable))?;
    let target = target(plan, part.shift, variable)?;
    let arena = &mut plan.formulas.arena;
    let count = choice.map(|choice| {
        let range = arena.range(choice);
        (choice, vec![arena.number(range.low)], vec![arena.number(range.high)])
    });
    let mut pass =
        Pass { count, guards: Vec::new(), inner: Vec::new(), lower: Vec::new(), upper: Vec::new(), target, same, gain };
    let mut open: Vec<Node> = part.conditions.clone();
    while let Some(condition) = open.pop() {
        let arena = &mut plan.formulas.arena;
        match arena.op(condition).clone() {
            Op::Const(0) => return Some(None),
            Op::Const(_) => {}
            Op::And(a, b) if arena.range(a).is_truth() && arena.range(b).is_truth() => open.extend([a, b]),
            Op::Lt(a, b) => pass.take_in(plan, condition, b, a, -1, choice)?,
            Op::Not(inner) => match arena.op(inner).clone() {
                Op::Lt(a, b) => pass.take_in(plan, condition, a, b, 0, choice)?,
                Op::Or(a, b) if arena.range(a).is_truth() && arena.range(b).is_truth() => {
                    open.extend([arena.not(a), arena.not(b)]);
                }
                _ => pass.test(plan, condition, choice)?,
            },
            _ => pass.test(plan, condition, choice)?,
        }
    }
    Some(Some(pass))
}

/// Where the options lie, if they are of one of the two kinds.
fn target(plan: &mut Plan, shift: Node, variable: Node) -> Option<Target> {
    if !reads(plan, shift, variable) {
        return Some(Target::Beside(shift));
    }
    let place = plan.formulas.arena.add(shift, variable);
    (!reads(plan, place, variable)).then_some(Target::Common(place))
}

impl Pass {
    /// Adds a condition that does not read the last variable.
    fn test(&mut self, plan: &Plan, condition: Node, choice: Option<Node>) -> Option<()> {
        let variable = plan.vars.last()?.node;
        if reads(plan, condition, variable) {
            return None;
        }
        match choice {
            Some(choice) if reads(plan, condition, choice) => self.inner.push(condition),
            _ => self.guards.push(condition),
        }
        Some(())
    }

    /// Adds `condition`, which is `a − b + more ≥ 0`, as a bound of the last variable or of the choice.
    #[allow(clippy::too_many_arguments)]
    fn take_in(
        &mut self,
        plan: &mut Plan,
        condition: Node,
        a: Node,
        b: Node,
        more: i64,
        choice: Option<Node>,
    ) -> Option<()> {
        let variable = plan.vars.last()?.node;
        let arena = &mut plan.formulas.arena;
        let linear = arena.difference(a, b).map(|_| {
            let difference = arena.sub(a, b);
            arena.shift(difference, more)
        });
        let Some(linear) = linear.filter(|node| arena.range(*node) != formula::Range::FULL) else {
            return self.test(plan, condition, choice);
        };
        let (terms, constant) = arena.linear(linear);
        let factor = |of: Node| terms.iter().find(|term| term.0 == of).map_or(0, |term| term.1);
        let (of_variable, of_choice) = (factor(variable), choice.map_or(0, factor));
        let rest: Vec<(Node, i64)> = terms.iter().copied().filter(|term| term.0 != variable).collect();
        let dependent = dependents(arena, variable);
        if rest.iter().any(|term| dependent[term.0.index()]) {
            return None;
        }
        if of_variable != 0 {
            let rest = arena.combine(&rest, constant);
            let by = arena.number(of_variable.saturating_abs());
            let most = arena.div(rest, by);
            match of_variable > 0 {
                true => self.lower.push(arena.neg(most)),
                false => self.upper.push(most),
            }
        }
        let Some((node, lows, highs)) = &mut self.count else {
            return if of_variable == 0 { self.test(plan, condition, choice) } else { Some(()) };
        };
        let choices = dependents(arena, *node);
        let rest: Vec<(Node, i64)> = rest.into_iter().filter(|term| term.0 != *node).collect();
        let plain = rest.iter().all(|term| !choices[term.0.index()]);
        if of_choice != 0 && plain {
            // The choice is cut off at the end of the row.
            let var = plan.vars.last()?;
            let end = if of_variable > 0 { var.high } else { var.low };
            let constant = constant.wrapping_add(end.wrapping_mul(of_variable));
            let rest = arena.combine(&rest, constant);
            let by = arena.number(of_choice.saturating_abs());
            let most = arena.div(rest, by);
            match of_choice > 0 {
                true => lows.push(arena.neg(most)),
                false => highs.push(most),
            }
            return Some(());
        }
        if of_variable == 0 { self.test(plan, condition, choice) } else { Some(()) }
    }
}
