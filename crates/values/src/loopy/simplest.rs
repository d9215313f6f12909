//! The simplest form of a stopper: equal positions are one, and no option is dominated or reversible.
//!
//! These steps are safe for games without loops. With loops they are safe for stoppers as long as the result is a
//! stopper again (Siegel, VI.4). So each step is checked: the new graph must be a stopper and equal to the old one, or
//! it is not taken.

use crate::error::{Error, Result};
use crate::loopy::graph::Graph;
use crate::loopy::survival::above;
use crate::side::Side;

/// The simplest form of a stopper.
pub fn simplest(graph: &Graph) -> Result<Graph> {
    let mut graph = graph.reached(0)?;
    check(&graph)?;
    while let Some(simpler) = step(&graph)? {
        graph = simpler.reached(0)?;
    }
    Ok(graph)
}

/// The simplest forms of all positions of a graph, under their old numbers. Where positions are equal, the first stands for
/// all of them.
pub(super) fn simplest_everywhere(mut graph: Graph) -> Result<Graph> {
    check(&graph)?;
    while let Some(simpler) = step(&graph)? {
        graph = simpler;
    }
    Ok(graph)
}

fn check(graph: &Graph) -> Result<()> {
    if !graph.is_stopper() {
        return Err(Error::Undefined("play that alternates can go on for ever here, so this is no stopper".into()));
    }
    Ok(())
}

/// One step towards the simplest form, if there is one.
fn step(graph: &Graph) -> Result<Option<Graph>> {
    let order = above(graph, graph)?;
    let at_least = |i: usize, j: usize| order.is(i, j);
    let leaner = prune(&fuse(graph, &at_least), &at_least);
    if accepted(&leaner, graph)? {
        return Ok(Some(leaner));
    }
    // Some options may be dominated only by ones that are equal to others: each step alone may be safe.
    let fused = fuse(graph, &at_least);
    if accepted(&fused, graph)? {
        return Ok(Some(fused));
    }
    let pruned = prune(graph, &at_least);
    if accepted(&pruned, graph)? {
        return Ok(Some(pruned));
    }
    let bypassed = bypass(graph, &at_least);
    if accepted(&bypassed, graph)? {
        return Ok(Some(bypassed));
    }
    for (position, side, option) in reversible(graph, &at_least) {
        let better = bypass_some(graph, &at_least, |at| at == (position, side, option));
        if accepted(&better, graph)? {
            return Ok(Some(better));
        }
    }
    Ok(None)
}

/// Whether a new graph is another one, has stoppers only, and is worth the same at every position.
fn accepted(new: &Graph, old: &Graph) -> Result<bool> {
    if new == old || !new.is_stopper() {
        return Ok(false);
    }
    let (up, down) = (above(new, old)?, above(old, new)?);
    Ok((0..new.len()).all(|at| up.is(at, at) && down.is(at, at)))
}

/// Every option is replaced by the first position that equals it.
pub(super) fn fuse(graph: &Graph, at_least: &impl Fn(usize, usize) -> bool) -> Graph {
    let same = |i: usize, j: usize| at_least(i, j) && at_least(j, i);
    let first: Vec<u32> =
        (0..graph.len()).map(|at| (0..=at).find(|&other| same(at, other)).unwrap_or(at) as u32).collect();
    graph.edited(|_, _, options| options.iter().map(|&option| first[option as usize]).collect())
}

/// Whether a player likes position `i` at least as much as `j`.
fn prefers(at_least: &impl Fn(usize, usize) -> bool, side: Side, i: u32, j: u32) -> bool {
    match side {
        Side::Left => at_least(i as usize, j as usize),
        Side::Right => at_least(j as usize, i as usize),
    }
}

/// Without options that another one is better than, or as good and listed before.
pub(super) fn prune(graph: &Graph, at_least: &impl Fn(usize, usize) -> bool) -> Graph {
    graph.edited(|_, side, options| {
        let dominated = |at: usize| {
            options.iter().enumerate().any(|(other, &rival)| {
                other != at
                    && prefers(at_least, side, rival, options[at])
                    && (other < at || !prefers(at_least, side, options[at], rival))
            })
        };
        (0..options.len()).filter(|&at| !dominated(at)).map(|at| options[at]).collect()
    })
}

/// With all reversible options bypassed. Endless play, if there is any, is a win for Left.
pub(super) fn bypass(graph: &Graph, at_least: &impl Fn(usize, usize) -> bool) -> Graph {
    bypass_some(graph, at_least, |_| true)
}

/// The answer by which an option is reversible.
fn answer(graph: &Graph, at_least: &impl Fn(usize, usize) -> bool, at: (usize, Side, u32)) -> Option<u32> {
    let (position, side, option) = at;
    // Going back and forth is no answer to Left, whom endless play suits here; in a stopper nobody can.
    let suits = |answer: u32| side == Side::Right || answer as usize != position;
    let mut answers = graph.options(option as usize, side.opponent()).iter().copied();
    answers.find(|&answer| suits(answer) && prefers(at_least, side, position as u32, answer))
}

/// All reversible options: the position, the player and the option.
fn reversible(graph: &Graph, at_least: &impl Fn(usize, usize) -> bool) -> Vec<(usize, Side, u32)> {
    let sides = (0..graph.len()).flat_map(|position| Side::BOTH.map(|side| (position, side)));
    let all = sides
        .flat_map(|(position, side)| graph.options(position, side).iter().map(move |&option| (position, side, option)));
    all.filter(|&at| answer(graph, at_least, at).is_some()).collect()
}

/// With some of the reversible options bypassed: instead of one, the player has what is left after the answer.
fn bypass_some(
    graph: &Graph,
    at_least: &impl Fn(usize, usize) -> bool,
    chosen: impl Fn((usize, Side, u32)) -> bool,
) -> Graph {
    graph.edited(|position, side, options| {
        let mut kept = Vec::with_capacity(options.len());
        for &option in options {
            let at = (position, side, option);
            match answer(graph, at_least, at).filter(|_| chosen(at)) {
                // An answer that leads back leaves Right what he has without this option.
                Some(answer) if answer as usize == position => {}
                Some(answer) => kept.extend(graph.options(answer as usize, side)),
                None => kept.push(option),
            }
        }
        kept
    })
}
