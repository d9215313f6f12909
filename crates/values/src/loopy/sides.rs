//! The onside and the offside of any graph, where they are stoppers that can be found.
//!
//! Let endless play be a win for Left. A stopper `S` is the onside of `G` if
//! 1. Left, moving second in `G − S`, survives: so `G` is worth at least `S` to her. What goes on for ever is hers.
//! 2. Left, moving second in `S − G`, survives, and play does not go on for ever in `G` alone: so `S` is worth at least
//!    `G`. She answers in `S` by what she would do in `G`; were she to think for ever about `G`, she would never move.
//!
//! Candidates are tried until one passes both: the stoppers within `G`, the usual loopy values, and what comes of
//! starting with `on` everywhere and working out options again and again (Siegel's sidling). Before that, options are left out that are
//! dominated or reversible if endless play is a win for Left: what is left is often a stopper.

use crate::error::{Error, Result};
use crate::loopy::graph::Graph;
use crate::loopy::simplest::{bypass, fuse, prune, simplest, simplest_everywhere};
use crate::loopy::survival::{above, above_steadily, equal};
use crate::side::Side;

/// So often options are worked out again.
const ROUNDS: usize = 12;

/// So often options are left out.
const MOST_THINNED: usize = 100;

/// Larger forms are not pursued.
const LARGEST: usize = 60;

/// A position that Left can pass in for ever.
pub fn on() -> Graph {
    small(&[vec![0]], &[vec![]])
}

/// A position that Left can leave for 0, and Right can pass in for ever: above 0, and below every positive number.
pub fn over() -> Graph {
    small(&[vec![1], vec![]], &[vec![0], vec![]])
}

fn small(left: &[Vec<u32>], right: &[Vec<u32>]) -> Graph {
    Graph::new(left, right, 0).expect("a small graph is sound")
}

/// The onside of a graph.
pub fn onside(graph: &Graph) -> Result<Graph> {
    if graph.is_stopper() {
        return simplest(graph);
    }
    let mut candidates = vec![on(), on().negative(), over(), over().negative(), small(&[vec![]], &[vec![]])];
    for position in 1..graph.len().min(LARGEST) {
        let part = graph.reached(position as u32)?;
        if part.is_stopper() {
            candidates.push(simplest(&part)?);
        }
    }
    for candidate in candidates {
        if is_onside(&candidate, graph)? {
            return Ok(candidate);
        }
    }
    if let Some(stoppers) = onside_everywhere(graph)? {
        return stoppers.reached(0);
    }
    sidle(graph)?.ok_or_else(|| {
        let why = "play that alternates can go on for ever, and no stopper was found that is worth the same";
        Error::Undefined(format!("{why}; theory does not promise that there is one"))
    })
}

/// The onsides of all positions of a graph, in simplest form and under their old numbers, where leaving out options finds them.
pub(super) fn onside_everywhere(graph: &Graph) -> Result<Option<Graph>> {
    if graph.is_stopper() {
        return simplest_everywhere(graph.clone()).map(Some);
    }
    // Of equal positions the first stands for all, so that the order of the positions matters.
    for reversed in [false, true] {
        let turned = |graph: &Graph| if reversed { graph.reversed() } else { graph.clone() };
        for first in [Thinning::Bypass, Thinning::Prune] {
            let Some(stopper) = thinned(&turned(graph), first)? else { continue };
            let stopper = turned(&stopper);
            let (low, high) = (above(graph, &stopper)?, above_steadily(&stopper, graph)?);
            if (0..graph.len()).all(|at| low.is(at, at) && high.is(at, at)) {
                return simplest_everywhere(stopper).map(Some);
            }
        }
    }
    Ok(None)
}

/// Which options are left out first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thinning {
    /// Reversible ones. An option of Right that Left can take back is worth what he has beside it, so nothing may have been left
    /// out for its sake.
    Bypass,
    /// Dominated ones.
    Prune,
}

/// Leaves out options that are dominated or reversible if endless play is a win for Left, until all positions are stoppers.
/// Whether they are worth the same is for the caller to check.
fn thinned(graph: &Graph, first: Thinning) -> Result<Option<Graph>> {
    let mut graph = graph.clone();
    for _ in 0..MOST_THINNED {
        let order = above_steadily(&graph, &graph)?;
        let at_least = |i: usize, j: usize| order.is(i, j);
        let by = |way: Thinning| match way {
            Thinning::Bypass => bypass(&graph, &at_least),
            Thinning::Prune => prune(&fuse(&graph, &at_least), &at_least),
        };
        let second = if first == Thinning::Bypass { Thinning::Prune } else { Thinning::Bypass };
        let mut leaner = by(first);
        if leaner == graph {
            leaner = by(second);
        }
        if leaner == graph {
            return Ok(None);
        }
        graph = leaner;
        if graph.is_stopper() {
            return Ok(Some(graph));
        }
    }
    Ok(None)
}

/// The offside of a graph.
pub fn offside(graph: &Graph) -> Result<Graph> {
    Ok(onside(&graph.negative())?.negative())
}

/// Whether a stopper is the onside of a graph.
pub fn is_onside(stopper: &Graph, graph: &Graph) -> Result<bool> {
    Ok(above(graph, stopper)?.is(0, 0) && above_steadily(stopper, graph)?.is(0, 0))
}

/// Starts with `on` at every position that is no stopper itself, and makes each anew from those of its options.
fn sidle(graph: &Graph) -> Result<Option<Graph>> {
    if graph.len() > LARGEST {
        return Ok(None);
    }
    let mut guesses = Vec::new();
    let mut settled = Vec::new();
    for position in 0..graph.len() {
        let part = graph.reached(position as u32)?;
        settled.push(part.is_stopper());
        guesses.push(if part.is_stopper() { simplest(&part)? } else { on() });
    }
    for _ in 0..ROUNDS {
        let mut next = Vec::with_capacity(guesses.len());
        for position in 0..graph.len() {
            next.push(if settled[position] { guesses[position].clone() } else { anew(graph, position, &guesses)? });
        }
        if next[0].len() > LARGEST {
            return Ok(None);
        }
        if is_onside(&next[0], graph)? {
            return Ok(Some(next.swap_remove(0)));
        }
        let mut stable = true;
        for (new, old) in next.iter().zip(&guesses) {
            stable = stable && equal(new, old)?;
        }
        if stable {
            return Ok(None);
        }
        guesses = next;
    }
    Ok(None)
}

/// The simplest form of a position whose options are worth these guesses.
fn anew(graph: &Graph, position: usize, guesses: &[Graph]) -> Result<Graph> {
    let mut options = [vec![Vec::new()], vec![Vec::new()]];
    for side in Side::BOTH {
        for &option in graph.options(position, side) {
            let guess = &guesses[option as usize];
            let base = options[0].len() as u32;
            options[side as usize][0].push(base);
            for at in 0..guess.len() {
                for inner in Side::BOTH {
                    let moved = guess.options(at, inner).iter().map(|&next| next + base).collect();
                    options[inner as usize].push(moved);
                }
            }
        }
    }
    simplest(&Graph::with_options(options, 0)?)
}
