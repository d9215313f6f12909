//! How much work formulas are. The distinct nodes say how long code for them takes to make. The nodes that are worked out at one
//! position say how long the code takes to run.

use rustc_hash::FxHashSet;

use crate::formulas::{Action, Case, EndResult, Formulas};
use crate::node::{Arena, Node};

/// The weight of the formulas of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weight {
    /// Distinct nodes.
    pub nodes: u64,
    /// Nodes worked out at one position: those of a counted choice as often as it is counted, on average.
    pub work: f64,
    /// Actions: moves with their unrolled choices made.
    pub actions: u64,
    /// Options looked at, on average: a counted choice takes half of its range.
    pub moves: f64,
}

impl Weight {
    /// The weight of formulas.
    pub fn of(formulas: &Formulas) -> Weight {
        let mut seen = FxHashSet::default();
        let mut weight = Weight::default();
        for case in formulas.ends.iter().chain([&formulas.stuck]) {
            weight.add(&formulas.arena, &mut seen, &case_roots(case), 1.0);
        }
        for action in &formulas.actions {
            let ways = ways(&formulas.arena, action);
            weight.actions += 1;
            weight.moves += ways;
            weight.add(&formulas.arena, &mut seen, &action_roots(action), ways);
        }
        weight
    }

    fn add(&mut self, arena: &Arena, seen: &mut FxHashSet<Node>, roots: &[Node], times: f64) {
        let mut open: Vec<Node> = roots.to_vec();
        while let Some(node) = open.pop() {
            if arena.known(node).is_some() || !seen.insert(node) {
                continue;
            }
            self.nodes += 1;
            self.work += times;
            arena.operands(node, &mut |operand| open.push(operand));
        }
        self.work += times;
    }
}

/// How many options an action stands for, on average.
fn ways(arena: &Arena, action: &Action) -> f64 {
    let width = |count: &crate::Count| arena.range(count.high).high as f64 - arena.range(count.low).low as f64;
    action.counts.iter().map(|count| (width(count) / 2.0).max(1.0)).product()
}

fn case_roots(case: &Case) -> Vec<Node> {
    let mut roots = vec![case.when, case.fault];
    match &case.result {
        EndResult::Outcome(node) => roots.push(*node),
        EndResult::Gains(nodes) => roots.extend(nodes),
    }
    roots
}

fn action_roots(action: &Action) -> Vec<Node> {
    let mut roots = vec![action.guard, action.turn, action.fault];
    roots.extend(action.counts.iter().flat_map(|count| [count.low, count.high, count.fault]));
    roots.extend(action.after.iter().map(|(_, node)| *node));
    roots.extend(action.split.iter().flatten().flatten());
    roots.extend(&action.gains);
    roots
}
