//! The whole game: solved by methods that have a value for every position, and walked from the start on.
//!
//! Surveys count these positions, and tables store them.

use engine::monitor::Monitor;
use rules::bind::Bound;

use crate::case::Case;
use crate::error::SolveError;
use crate::methods::{self, Ability, Code, Graphs, Method};
use crate::options::{Engine, Options};
use crate::solved::{Solved, solve_with};
use positions::oracle::{Keeps, Numbered};
use positions::sum::SumGraph;

/// The methods that value every position of a game, or every part of a sum.
pub(crate) fn able(bound: &Bound, options: &Options) -> Vec<&'static dyn Method> {
    let sum = bound.program.sum.is_some() || options.summand;
    methods::able(if sum { Ability::EveryPart } else { Ability::EveryPosition })
}

/// Solves a game by a method that values every position, or every part of a sum; by the one that is asked for, if any is.
pub(crate) fn solve<'b>(bound: &'b Bound, options: &Options, monitor: &mut Monitor) -> Result<Solved<'b>, SolveError> {
    let registry = match options.method {
        Some(_) => methods::ALL.to_vec(),
        None => able(bound, options),
    };
    solve_with(&registry, bound, &bound.start, options, monitor)
}

/// The graph of a solved game, with an option for each move.
pub(crate) fn graph<'b>(
    solved: &Solved<'b>,
    options: &Options,
    keeps: Keeps,
    monitor: &Monitor,
) -> Result<Box<dyn Numbered + 'b>, SolveError> {
    let with_turn = solved.plan.facts().with_turn;
    if solved.bound.program.sum.is_some() {
        return Ok(Box::new(SumGraph::new(solved.bound, keeps, with_turn, monitor.memory())?.with_every_move()));
    }
    // Another case, since the engine is another: where code did not pay for solving, it does not for counting.
    let engine = if matches!(solved.plan.code(), Code::Interpreted(_)) { Engine::Interpreted } else { options.engine };
    let options = Options { engine, ..options.clone() };
    let case = Case::new(solved.bound, &solved.start, &options, monitor.memory().free())?;
    let (graphs, _) = Graphs::new(&case, None);
    Ok(graphs.without_audit(keeps, monitor)?)
}

/// What is kept of gains where positions have such a verdict.
pub(crate) fn keeps(verdict: &game::Verdict) -> Keeps {
    match verdict {
        game::Verdict::Score(_) => Keeps::Score,
        game::Verdict::Payoffs { .. } => Keeps::Payoffs,
        _ => Keeps::Outcome,
    }
}
