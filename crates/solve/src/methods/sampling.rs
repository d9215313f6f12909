//! What play meets, found before a method is chosen: the positions of a small game are counted, those of a large one sampled.
//!
//! The interpreter has a short look first. If it meets all positions, it would solve the game before code is ready, and
//! nothing is compiled. Else the look goes on with the graph on which the case would be explored.

use std::sync::Arc;
use std::time::Instant;

use engine::monitor::Monitor;
use engine::sample::{Budget, count, sample};
use engine::{Error, Limit};
use formula::study::Study;

use super::compiled::suits;
use super::graphs::{Graphs, keeps};
use crate::case::{Case, Sampled};
use crate::error::SolveError;
use crate::positions::state::StateGraph;
use crate::positions::{Numbered, other_to_move};

/// What the interpreter may look at: a few milliseconds. It is work that counts, not time, so that a plan does not depend on
/// what else the machine does.
const SHORT: Budget = Budget { whole: 12_000, herds: 0, most: 0, seconds: 0.1 };
/// What is looked at with the graph of the case, compiled or not.
const LONG: Budget = Budget { whole: 60_000, herds: 40_000, most: 1_000_000, seconds: 1.0 };
const SLOW: Budget = Budget { whole: 10_000, herds: 10_000, most: 100_000, seconds: 1.0 };
/// A part of a sum may have so many states; all moves of a part are worked out at once.
const LARGEST_PART: u64 = 20_000;

/// Why no compiled method solves the whole game by itself; else the study, and what a sample of play met.
pub(super) fn studied(case: &Case<'_>, monitor: &mut Monitor) -> Result<Result<Studied, String>, SolveError> {
    if let Err(why) = suits(case) {
        return Ok(Err(why));
    }
    let sampled = sampled(case, monitor)?;
    Ok(case.study().map(|study| Studied { study, sampled }))
}

/// The study of a case, and what a sample of play met.
pub(super) struct Studied {
    pub study: Arc<Study>,
    pub sampled: Option<Sampled>,
}

/// What play meets; nothing where the rules go wrong on the way, or where one position is too large to be looked at.
pub(super) fn sampled(case: &Case<'_>, monitor: &mut Monitor) -> Result<Option<Sampled>, Error> {
    if let Some(found) = case.sampled.get() {
        return Ok(*found);
    }
    monitor.enter("sampling");
    let found = match look(case, monitor) {
        Ok(found) => found,
        Err(error @ (Error::Interrupted { .. } | Error::Limit { limit: Limit::Time { .. }, .. })) => return Err(error),
        Err(_) => None,
    };
    Ok(*case.sampled.get_or_init(|| found))
}

fn look(case: &Case<'_>, monitor: &mut Monitor) -> Result<Option<Sampled>, Error> {
    let keeps = keeps(case.facts.kind);
    if !case.facts.sum.holds {
        let mut graph = StateGraph::without_audit(case.bound, keeps, case.facts.with_turn, monitor.memory());
        let roots = number(case, &mut graph)?;
        if let Some(sample) = count(&mut graph, roots, SHORT, monitor)? {
            return Ok(Some(Sampled { sample, interpreted: true, code: None }));
        }
    } else if case.bound.layout.size().is_none_or(|size| size > LARGEST_PART) {
        return Ok(None);
    }
    let graphs = Graphs::new(case).0;
    let mut graph = graphs.without_audit(keeps, monitor)?;
    let roots = number(case, &mut *graph)?;
    let budget = if graphs.is_compiled() { LONG } else { SLOW };
    let sample = sample(&mut *graph, roots, budget, monitor)?;
    let code = time(&mut *graph);
    Ok(Some(Sampled { sample, interpreted: !graphs.is_compiled(), code }))
}

/// Numbers the start, and the start with the other player to move where that is asked too. How many these are.
fn number(case: &Case<'_>, graph: &mut dyn Numbered) -> Result<usize, Error> {
    graph.number(&case.start)?;
    if case.facts.partizan {
        graph.number(&other_to_move(&case.start))?;
    }
    Ok(graph.len())
}

/// Batches of positions that are timed, and how many are in one.
const BATCHES: usize = 64;
const BATCH: usize = 16;

/// Seconds that compiled code takes for the options of a position: the mean over positions of all depths.
fn time(graph: &mut dyn Numbered) -> Option<f64> {
    let met = graph.len();
    let mut paces = Vec::with_capacity(BATCHES);
    for batch in 0..BATCHES.min(met) {
        let start = Instant::now();
        for place in 0..BATCH {
            let id = (batch * BATCH + place) * met / (BATCHES * BATCH);
            if !graph.try_code(id as u32) {
                return None;
            }
        }
        paces.push(start.elapsed().as_secs_f64() / BATCH as f64);
    }
    engine::sample::undisturbed(&mut paces)
}
