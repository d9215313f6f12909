//! What play meets, found before a method is chosen: the positions of a small game are counted, those of a large one sampled.
//!
//! The interpreter has a short look first, and a longer one where code takes long to make. If it meets all positions, it would
//! solve the game before code is ready, and nothing is compiled. Else the look goes on with the graph on which the case would
//! be explored; the code that is made for that is the one that the methods run.

use std::sync::Arc;
use std::time::Instant;

use engine::monitor::Monitor;
use engine::sample::{Allowance, Budget, Count, sample};
use engine::{Error, Limit};
use formula::study::Study;
use formula::weight::Weight;

use super::graphs::Graphs;
use crate::case::{Case, Sampled};
use crate::error::SolveError;
use crate::facts;
use crate::options::Engine;
use crate::stopping::scope;
use positions::coding::dense_places;
use positions::cost;
use positions::oracle::{Numbered, other_to_move};
use positions::remembered::Remembered;
use positions::state::StateGraph;

/// What the interpreter may do at first: so many steps, which take about a millisecond, and at most so many seconds. Steps are
/// counted so that a plan does not depend on what else the machine does.
const FIRST_LOOK_STEPS: u64 = 80_000;
pub(super) const FIRST_LOOK_SECONDS: f64 = 0.1;
/// Seconds for a step of the interpreter, about.
const STEP_SECONDS: f64 = 14e-9;
/// The interpreter may go on for so many times as long as code would take to make, for at most so many seconds. Besides the code, the
/// rules would have to be studied, and other code to be weighed.
const LOOK_PER_MAKING: f64 = 2.0;
const LONGEST_LOOK_SECONDS: f64 = 0.05;
/// What may be looked at with the graph of the case, by compiled rules and by interpreted ones.
const COMPILED_BUDGET: Budget =
    Budget { whole: 40_000, herds: 40_000, most: 1_000_000, seconds: 1.0, places: u64::MAX };
const INTERPRETED_BUDGET: Budget =
    Budget { whole: 10_000, herds: 10_000, most: 100_000, seconds: 1.0, places: u64::MAX };
/// Where a search takes less than so many seconds, the formulas tell what a position takes. The clock corrects them only where it
/// differs by more than this factor. So the plan for a small game is nearly always the same.
const SHORT_SEARCH_SECONDS: f64 = 0.25;
const CLOCK_TOLERANCE: f64 = 3.0;
/// A part of a sum may have so many states; all moves of a part are worked out at once.
pub(super) const LARGEST_PART: u64 = 20_000;

/// Why no compiled method solves the whole game by itself; else the study, and what a sample of play met.
pub(super) fn studied(case: &Case<'_>, monitor: &mut Monitor) -> Result<Result<Studied, String>, SolveError> {
    if let Err(why) = case.suits_code() {
        return Ok(Err(why));
    }
    let sampled = sampled(case, monitor)?;
    Ok(case.study_beside(sampled.as_ref()).map(|study| Studied { study, sampled }))
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
    // What does not fit here may fit where the game is solved.
    let _scope = scope(monitor);
    let found = match look(case, monitor) {
        Ok(found) => found.map(|found| within(case, found)),
        Err(error @ (Error::Interrupted { .. } | Error::Limit { limit: Limit::Time { .. }, .. })) => return Err(error),
        Err(_) => None,
    };
    Ok(*case.sampled.get_or_init(|| found))
}

/// With no more positions than the variables have values. The parts of a sum stay as many as they are, unless moves split them.
fn within(case: &Case<'_>, mut found: Sampled) -> Sampled {
    let most = case.facts.most_positions(case.bound, case.start.parts.len());
    if let Some(most) = most.filter(|_| !facts::splits(&case.bound.program)) {
        found.sample.positions = found.sample.positions.min(most as f64);
    }
    found
}

fn look(case: &Case<'_>, monitor: &mut Monitor) -> Result<Option<Sampled>, Error> {
    let keeps = case.kept();
    let mut step = 0.0;
    if case.facts.sum.holds {
        if case.bound.layout.size().is_none_or(|size| size > LARGEST_PART) {
            return Ok(None);
        }
    } else {
        let graph = StateGraph::without_audit(case.bound, keeps, case.facts.with_turn, monitor.memory());
        let mut graph = Remembered::new(Box::new(graph), keeps, false, monitor.memory());
        let roots = number(case, &mut graph)?;
        let mut count = Count::new(&mut graph, roots, monitor.memory());
        let mut allowance = Allowance { work: FIRST_LOOK_STEPS, seconds: FIRST_LOOK_SECONDS, despairs: false };
        let mut sample = count.go_on(allowance, monitor)?;
        if sample.is_none() {
            allowance.work = ((LOOK_PER_MAKING * making(case)).min(LONGEST_LOOK_SECONDS) / STEP_SECONDS) as u64;
            allowance.despairs = true;
            sample = count.go_on(allowance, monitor)?;
        }
        step = count.step();
        if sample.is_none() && !Graphs::new(case, None).0.is_compiled() {
            sample = Some(count.sample(INTERPRETED_BUDGET, monitor)?);
        }
        if let Some(sample) = sample {
            case.looked_at.replace(Some(graph));
            return Ok(Some(Sampled { sample, interpreted: true, code: None, step }));
        }
    }
    let graphs = Graphs::new(case, None).0;
    let compiled = graphs.is_compiled();
    let graph = graphs.without_audit(keeps, monitor)?;
    let mut graph = Remembered::new(graph, keeps, compiled, monitor.memory());
    let roots = number(case, &mut graph)?;
    let places = case.study().ok().and_then(|study| dense_places(&study)).unwrap_or(u64::MAX);
    let budget = Budget { places, ..if compiled { COMPILED_BUDGET } else { INTERPRETED_BUDGET } };
    let sample = sample(&mut graph, roots, budget, monitor)?;
    let timed = time(&mut graph);
    let code = match (timed, case.study()) {
        (Some(timed), Ok(study)) if sample.positions * timed < SHORT_SEARCH_SECONDS => {
            let nominal = cost::nominal(&Weight::of(&study.formulas));
            // Where all options are known, code hardly runs again.
            Some(if sample.is_exact {
                nominal
            } else {
                nominal.clamp(timed / CLOCK_TOLERANCE, timed * CLOCK_TOLERANCE)
            })
        }
        (timed, _) => timed,
    };
    case.looked_at.replace(Some(graph));
    Ok(Some(Sampled { sample, interpreted: !compiled, code, step }))
}

/// Seconds to make code for the case; nothing where none is made.
fn making(case: &Case<'_>) -> f64 {
    match (case.options.engine, case.readings.unfolded()) {
        (Engine::Interpreted, _) => 0.0,
        (_, Ok(reading)) => cost::making(&Weight::of(reading.formulas())),
        (_, Err(_)) => cost::MAKE_PROGRAM,
    }
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
/// No more batches are timed after so many seconds.
const TIMING_SECONDS: f64 = 0.5e-3;

/// Seconds that compiled code takes for the options of a position: the mean over positions of all depths.
fn time(graph: &mut dyn Numbered) -> Option<f64> {
    let met = graph.len();
    let mut paces = Vec::with_capacity(BATCHES);
    let began = Instant::now();
    // Positions of all depths, in no order, so that few batches tell as much as many.
    for batch in (0..BATCHES.min(met)).map(|batch| batch * 27 % BATCHES) {
        if began.elapsed().as_secs_f64() > TIMING_SECONDS && paces.len() >= 4 {
            break;
        }
        // The second time counts if it is shorter: the first may have been disturbed, or have waited for memory.
        let mut least = f64::INFINITY;
        for _ in 0..2 {
            let start = Instant::now();
            for place in 0..BATCH {
                let id = (batch * BATCH + place) * met / (BATCHES * BATCH);
                if !graph.try_code(id as u32) {
                    return None;
                }
            }
            least = least.min(start.elapsed().as_secs_f64());
        }
        paces.push(least / BATCH as f64);
    }
    engine::sample::undisturbed(&mut paces)
}
