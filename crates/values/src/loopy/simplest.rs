//! The simplest form of a stopper: equal positions are one, and no option is dominated or reversible.
//!
//! These steps are safe for games without loops. With loops they are safe for stoppers as long as the result is a
//! stopper again (Siegel, VI.4). So each step is checked: the new graph must be a stopper and equal to the old one, or
//! it is not taken.

use crate::error::{Error, Result};
use crate::loopy::graph::Graph;
use crate::loopy::survival::{Above, above, equal};
use crate::side::Side;

/// The simplest form of a stopper.
pub fn simplest(graph: &Graph) -> Result<Graph> {
    if !graph.is_stopper() {
        return Err(Error::Undefined("play that alternates can go on for ever here, so this is no stopper".into()));
    }
    let mut graph = graph.clone();
    loop {
        let order = above(&graph, &graph)?;
        let fused = fuse(&graph, &order)?;
        if accepted(&fused, &graph)? {
            graph = fused;
            continue;
        }
        let pruned = prune(&graph, &order)?;
        if accepted(&pruned, &graph)? {
            graph = pruned;
            continue;
        }
        match bypass(&graph, &order)? {
            Some(better) => graph = better,
            None => return Ok(graph),
        }
    }
}

/// Whether a new graph is another one, a stopper, and worth the same.
fn accepted(new: &Graph, old: &Graph) -> Result<bool> {
    Ok(new != old && new.is_stopper() && equal(new, old)?)
}

fn edited(graph: &Graph, edit: impl Fn(usize, Side, &[u32]) -> Vec<u32>) -> Result<Graph> {
    let of = |side: Side| (0..graph.len()).map(|at| edit(at, side, graph.options(at, side))).collect();
    Graph::with_options([of(Side::Left), of(Side::Right)], 0)
}

/// Every option is replaced by the first position that equals it.
fn fuse(graph: &Graph, order: &Above) -> Result<Graph> {
    let same = |i: usize, j: usize| order.is(i, j) && order.is(j, i);
    let first: Vec<u32> =
        (0..graph.len()).map(|at| (0..=at).find(|&other| same(at, other)).unwrap_or(at) as u32).collect();
    edited(graph, |_, _, options| options.iter().map(|&option| first[option as usize]).collect())
}

/// Whether a player likes position `i` at least as much as `j`.
fn prefers(order: &Above, side: Side, i: u32, j: u32) -> bool {
    match side {
        Side::Left => order.is(i as usize, j as usize),
        Side::Right => order.is(j as usize, i as usize),
    }
}

/// Without options that another one is better than, or as good and listed before.
fn prune(graph: &Graph, order: &Above) -> Result<Graph> {
    edited(graph, |_, side, options| {
        let dominated = |at: usize| {
            options.iter().enumerate().any(|(other, &rival)| {
                other != at
                    && prefers(order, side, rival, options[at])
                    && (other < at || !prefers(order, side, options[at], rival))
            })
        };
        (0..options.len()).filter(|&at| !dominated(at)).map(|at| options[at]).collect()
    })
}

/// With one reversible option bypassed, if there is one.
fn bypass(graph: &Graph, order: &Above) -> Result<Option<Graph>> {
    for position in 0..graph.len() {
        for side in Side::BOTH {
            for &option in graph.options(position, side) {
                for &answer in graph.options(option as usize, side.opponent()) {
                    if !prefers(order, side, position as u32, answer) {
                        continue;
                    }
                    let better = edited(graph, |at, of, options| {
                        if at != position || of != side {
                            return options.to_vec();
                        }
                        let others = options.iter().filter(|&&other| other != option);
                        others.chain(graph.options(answer as usize, side)).copied().collect()
                    })?;
                    if accepted(&better, graph)? {
                        return Ok(Some(better));
                    }
                }
            }
        }
    }
    Ok(None)
}
