//! Whether two instances have the same rules, as far as positions of the smaller one go.
//!
//! A rule may read the parameter and mean the same for all: `take(k in 1..=n) when k <= left` never takes more than is left, so
//! that `n` does not matter. That is proved from the formulas of both instances. Written for cells that stay in the ranges of
//! the smaller instance, their ends and moves must be the same nodes. Only the bounds of choices may differ, if what the larger
//! instance offers beyond is never legal there. Faults are compared, too, and leaving a range is one: so no play of the smaller
//! instance leaves its ranges unless the larger one finds a fault there.

use formula::facts::Facts;
use formula::formulas::{Action, Case, Count, EndResult, Formulas};
use formula::node::{Arena, Node, Op, Range};
use formula::rebuild::Rebuild;
use formula::specialise::{Limits, specialise_within};
use rules::bind::Bound;
use rustc_hash::FxHashMap;

/// The formulas of an instance, to be compared with smaller ones.
pub(super) struct Larger {
    formulas: Formulas,
    choices: FxHashMap<u32, Range>,
}

impl Larger {
    /// The formulas of an instance, if there are any.
    pub fn of(bound: &Bound) -> Option<Larger> {
        let formulas = specialise_within(bound, Limits::counted()).ok()?;
        let mut choices = FxHashMap::default();
        for node in (0..formulas.arena.len() as u32).map(Node) {
            if let Op::Choice(choice) = formulas.arena.op(node) {
                choices.insert(*choice, formulas.arena.range(node));
            }
        }
        Some(Larger { formulas, choices })
    }

    /// Whether the rules of a smaller instance, whose ranges are within those of this one, are the same at its positions.
    pub fn is_like(&self, small: &Bound) -> bool {
        let Ok(small) = specialise_within(small, Limits::counted()) else { return false };
        let large = &self.formulas;
        let same = small.players == large.players
            && small.counted == large.counted
            && small.reads_mover == large.reads_mover
            && small.cells.len() == large.cells.len()
            && small.lists == large.lists
            && small.ends.len() == large.ends.len()
            && small.actions.len() == large.actions.len();
        same && self.compared(&small)
    }

    fn compared(&self, small: &Formulas) -> bool {
        let mut leaf = |arena: &mut Arena, op: &Op, range: Range| match op {
            Op::Cell(cell) => arena.cell(*cell, small.cells[*cell as usize]),
            // What is written for few choices must hold for all that the larger instance offers.
            Op::Choice(choice) => arena.choice(*choice, self.choices.get(choice).copied().unwrap_or(range)),
            _ => arena.number(0),
        };
        let mut large = Rebuild::new(&self.formulas.arena, &self.formulas.lists);
        let theirs = Written::of(&self.formulas, &mut |node| large.node(node, &mut leaf));
        let mut arena = std::mem::take(&mut large.arena);
        let mut rebuild = Rebuild::new(&small.arena, &small.lists);
        std::mem::swap(&mut rebuild.arena, &mut arena);
        let ours = Written::of(small, &mut |node| rebuild.node(node, &mut leaf));
        let mut arena = rebuild.arena;
        let pairs = ours.actions.iter().zip(&theirs.actions);
        ours.ends == theirs.ends && pairs.fold(true, |so_far, (a, b)| so_far && is_same(&mut arena, a, b))
    }
}

/// Formulas in an arena that two instances share.
struct Written {
    ends: Vec<Vec<Node>>,
    actions: Vec<WrittenAction>,
}

/// An action as far as it is compared.
struct WrittenAction {
    /// Everything but the bounds of choices.
    nodes: Vec<Option<Node>>,
    guard: Node,
    fault: Node,
    counts: Vec<WrittenCount>,
}

#[derive(PartialEq, Eq)]
struct WrittenCount {
    choice: Option<Node>,
    low: Node,
    high: Node,
    fault: Node,
}

impl Written {
    fn of(formulas: &Formulas, node: &mut dyn FnMut(Node) -> Node) -> Written {
        let ends = formulas.ends.iter().chain([&formulas.stuck]);
        let ends = ends.map(|case| end_nodes(case).into_iter().map(&mut *node).collect()).collect();
        let actions = formulas.actions.iter().map(|action| WrittenAction::of(formulas, action, node)).collect();
        Written { ends, actions }
    }
}

fn end_nodes(case: &Case) -> Vec<Node> {
    let mut nodes = vec![case.when, case.fault];
    match &case.result {
        EndResult::Outcome(outcome) => nodes.push(*outcome),
        EndResult::Gains(gains) => nodes.extend(gains),
    }
    nodes
}

impl WrittenAction {
    fn of(formulas: &Formulas, action: &Action, node: &mut dyn FnMut(Node) -> Node) -> WrittenAction {
        // Which rule, and which cells change, are numbers beside the nodes.
        let mut nodes: Vec<Option<Node>> = vec![Some(Node(action.rule as u32)), Some(Node(action.gains.len() as u32))];
        nodes.extend(action.choices.iter().map(|choice| choice.map(&mut *node)));
        nodes.push(None);
        for &(cell, after) in &action.after {
            nodes.extend([Some(Node(cell)), Some(node(after))]);
        }
        for part in action.split.iter().flatten() {
            nodes.push(None);
            nodes.extend(part.iter().map(|&each| Some(node(each))));
        }
        nodes.push(action.split.as_ref().map(|parts| Node(parts.len() as u32)));
        nodes.extend([action.guard, action.turn, action.fault].map(|each| Some(node(each))));
        nodes.extend(action.gains.iter().map(|&gain| Some(node(gain))));
        let count = |node: &mut dyn FnMut(Node) -> Node, count: &Count| WrittenCount {
            choice: formulas.arena.find(&Op::Choice(count.choice)).map(&mut *node),
            low: node(count.low),
            high: node(count.high),
            fault: node(count.fault),
        };
        let counts = action.counts.iter().map(|each| count(node, each)).collect();
        WrittenAction { nodes, guard: node(action.guard), fault: node(action.fault), counts }
    }
}

/// Whether an action of the smaller instance is that of the larger one.
fn is_same(arena: &mut Arena, ours: &WrittenAction, theirs: &WrittenAction) -> bool {
    if ours.nodes != theirs.nodes || ours.counts.len() != theirs.counts.len() {
        return false;
    }
    if ours.counts == theirs.counts {
        return true;
    }
    // Bounds that differ are looked at for choices that nothing can go wrong with.
    let never = |arena: &Arena, node: Node| arena.known(node) == Some(0);
    let sound = ours.counts.iter().chain(&theirs.counts).all(|count| never(arena, count.fault));
    sound
        && ours.counts.iter().zip(&theirs.counts).all(|(small, large)| {
            small == large || {
                let (below, above) = (arena.lt(small.low, large.low), arena.lt(large.high, small.high));
                let within = never(arena, below) && never(arena, above);
                match small.choice.filter(|_| within && small.choice == large.choice) {
                    Some(choice) => {
                        let (more, less) = (arena.lt(small.high, choice), arena.lt(choice, small.low));
                        [more, less].into_iter().all(|beyond| is_illegal(arena, choice, beyond, large, theirs))
                    }
                    None => false,
                }
            }
        })
}

/// Whether what lies beyond a bound, but within those of the larger instance, is never legal and never a fault.
fn is_illegal(arena: &mut Arena, choice: Node, beyond: Node, large: &WrittenCount, action: &WrittenAction) -> bool {
    let inside = [arena.le(large.low, choice), arena.le(choice, large.high)];
    [action.guard, action.fault].into_iter().all(|node| {
        arena.known(node) == Some(0) || Facts::assuming(arena, &[inside[0], inside[1], beyond, node]).is_impossible()
    })
}
