//! What play meets, found before a method is chosen: the positions of a small game are counted, those of a large one sampled.
//!
//! The interpreter has a short look first, and a longer one where code takes long to make. If it meets all positions, it would
//! solve the game before code is ready, and nothing is compiled. Else the look goes on with the graph on which the case would
//! be explored; the code that is made for that is the one that the methods run.

use std::sync::Arc;

use engine::monitor::Monitor;
use engine::sample::{Allowance, Budget, Count, sample};
use engine::{Error, Limit};
use formula::study::Study;
use formula::weight::Weight;
use game::Player;

use super::graphs::Graphs;
use crate::case::{Case, Sampled};
use crate::error::SolveError;
use crate::facts;
use crate::options::Engine;
use crate::stopping::scope;
use positions::coding::dense_places;
use positions::cost;
use positions::oracle::{Keeps, Numbered, other_to_move};
use positions::parts::Parts;
use positions::remembered::Remembered;
use positions::state::StateGraph;
use rules::bind::Position;

/// What the interpreter may do at first: so many steps, which take about a millisecond. Steps are counted so that a plan does not
/// depend on what else the machine does; the clock is for positions that are out of all proportion.
const FIRST_LOOK_STEPS: u64 = 80_000;
pub(super) const FIRST_LOOK_SECONDS: f64 = 0.5;
/// Seconds for a step of the interpreter, about.
const STEP_SECONDS: f64 = 14e-9;
/// The interpreter may go on for so many times as long as code would take to make, for at most so many seconds. Besides the code, the
/// rules would have to be studied, and other code to be weighed.
const LOOK_PER_MAKING: f64 = 2.0;
const LONGEST_LOOK_SECONDS: f64 = 0.05;
/// What may be looked at with the graph of the case, by compiled rules and by interpreted ones. Options are counted, and fewer are
/// looked at where one takes long; the clock is for what nobody could know.
const COMPILED_BUDGET: Budget =
    Budget { whole: 40_000, herds: 40_000, most: 1_000_000, seconds: 4.0, places: u64::MAX };
const INTERPRETED_BUDGET: Budget =
    Budget { whole: 10_000, herds: 10_000, most: 100_000, seconds: 4.0, places: u64::MAX };
/// The largest herds of a sample may take so many seconds, as far as steps and formulas tell, and an option that is met so many
/// beside the rules: it is numbered, and compared with what was met before.
const SAMPLE_SECONDS: f64 = 0.15;
const MET: f64 = 400e-9;
/// A part of a sum may have so many states; all moves of a part are worked out at once.
pub(super) const LARGEST_PART: u64 = 20_000;

/// Why no compiled method solves the whole game by itself; else the study, and what a sample of play met. Where a compiled method is
/// asked for there is nothing to choose, and nothing is sampled for it.
pub(super) fn studied(case: &Case<'_>, monitor: &mut Monitor) -> Result<Result<Studied, String>, SolveError> {
    if let Err(why) = case.suits_code() {
        return Ok(Err(why));
    }
    let sampled = match case.asks_for_code() {
        true => case.sampled.get().copied().flatten(),
        false => sampled(case, monitor)?,
    };
    Ok(case.study_beside(sampled.as_ref()).map(|study| Studied { study, sampled }))
}

/// The study of a case, and what a sample of play met.
pub(super) struct Studied {
    pub study: Arc<Study>,
    pub sampled: Option<Sampled>,
}

/// What play meets; nothing where the rules go wrong on the way, or where one position is too large to be looked at.
pub(crate) fn sampled(case: &Case<'_>, monitor: &mut Monitor) -> Result<Option<Sampled>, Error> {
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

/// How many positions play reaches, or parts where the position is a sum, if they are so few that a first look meets them all. The
/// values that variables may have are often far more: whoever would list those asks here first.
pub(super) fn few_reached(case: &Case<'_>, monitor: &mut Monitor) -> Result<Option<u64>, Error> {
    monitor.enter("sampling");
    let _scope = scope(monitor);
    match count_at_once(case, monitor) {
        Ok(counted) => Ok(counted),
        Err(error @ (Error::Interrupted { .. } | Error::Limit { limit: Limit::Time { .. }, .. })) => Err(error),
        // What goes wrong here is told where the game is solved.
        Err(_) => Ok(None),
    }
}

fn count_at_once(case: &Case<'_>, monitor: &mut Monitor) -> Result<Option<u64>, Error> {
    let memory = monitor.memory().clone();
    let mut graph: Box<dyn Numbered + '_> = match case.facts.sum.holds {
        true => Box::new(Parts::new(case.bound, Keeps::Outcome, &memory)?),
        false => Box::new(StateGraph::without_audit(case.bound, case.kept(), case.facts.with_turn, &memory)),
    };
    let roots = match case.facts.sum.holds {
        true => number_parts(case, &mut *graph)?,
        false => number(case, &mut *graph)?,
    };
    let mut count = Count::new(&mut *graph, roots, &memory);
    let counted = count.go_on(first_look(), monitor)?;
    Ok(counted.map(|sample| sample.positions as u64))
}

/// Numbers the parts of the start, each as a position of its own. How many numbers were given.
fn number_parts(case: &Case<'_>, graph: &mut dyn Numbered) -> Result<usize, Error> {
    for part in &case.start.parts {
        graph.number(&Position { parts: vec![part.clone()], turn: Player::FIRST })?;
    }
    Ok(graph.len())
}

/// What a first look may take.
fn first_look() -> Allowance {
    Allowance { work: FIRST_LOOK_STEPS, seconds: FIRST_LOOK_SECONDS, despairs: false }
}

fn look(case: &Case<'_>, monitor: &mut Monitor) -> Result<Option<Sampled>, Error> {
    let keeps = case.kept();
    let mut met = Met::default();
    if case.facts.sum.holds {
        if case.bound.layout.size().is_none_or(|size| size > LARGEST_PART) {
            return Ok(None);
        }
    } else {
        let graph = StateGraph::without_audit(case.bound, keeps, case.facts.with_turn, monitor.memory());
        let mut graph = Remembered::new(Box::new(graph), keeps, false, monitor.memory());
        let roots = number(case, &mut graph)?;
        let mut count = Count::new(&mut graph, roots, monitor.memory());
        let mut allowance = first_look();
        let mut sample = count.go_on(allowance, monitor)?;
        if sample.is_none() {
            allowance.work = ((LOOK_PER_MAKING * making(case)).min(LONGEST_LOOK_SECONDS) / STEP_SECONDS) as u64;
            allowance.despairs = true;
            sample = count.go_on(allowance, monitor)?;
        }
        met = Met { steps: count.mean_steps(), options: count.mean_options() };
        if sample.is_none() && !Graphs::new(case, None).0.is_compiled() {
            sample = Some(count.sample(within_seconds(INTERPRETED_BUDGET, met.interpreted(), met), monitor)?);
        }
        if let Some(sample) = sample {
            let pace = cost::interpreted(sample.steps, sample.options);
            case.looked_at.replace(Some(graph));
            return Ok(Some(Sampled { sample, pace, interpreted: true, code: None, step: met.step() }));
        }
    }
    let graphs = Graphs::new(case, None).0;
    let compiled = graphs.is_compiled();
    let graph = graphs.without_audit(keeps, monitor)?;
    let mut graph = Remembered::new(graph, keeps, compiled, monitor.memory());
    let roots = number(case, &mut graph)?;
    let places = case.study().ok().and_then(|study| dense_places(&study)).unwrap_or(u64::MAX);
    let weight = case.study().ok().map(|study| Weight::of(&study.formulas));
    let compiled_seconds = |options: f64| cost::compiled(weight.as_ref(), met.steps, options);
    let budget = match compiled {
        true => within_seconds(COMPILED_BUDGET, compiled_seconds(met.options), met),
        false => INTERPRETED_BUDGET,
    };
    let sample = sample(&mut graph, roots, Budget { places, ..budget }, monitor)?;
    let pace = match case.facts.sum.holds {
        true => cost::summed(sample.steps, sample.options),
        false => cost::interpreted(met.steps, sample.options),
    };
    let code = compiled.then(|| compiled_seconds(sample.options));
    case.looked_at.replace(Some(graph));
    Ok(Some(Sampled { sample, pace, interpreted: !compiled, code, step: met.step() }))
}

/// What the interpreter met at first: steps and options of a position, on average.
#[derive(Clone, Copy, Default)]
struct Met {
    steps: f64,
    options: f64,
}

impl Met {
    /// Seconds that the interpreter takes for a position.
    fn interpreted(self) -> f64 {
        cost::interpreted(self.steps, self.options)
    }

    /// Seconds that the interpreter takes for an option, or for a position that has none.
    fn step(self) -> f64 {
        self.interpreted() / (1.0 + self.options)
    }
}

/// A budget that is spent in about the time a sample may take, where the options of a position take so many seconds.
fn within_seconds(budget: Budget, options: f64, met: Met) -> Budget {
    let most = (SAMPLE_SECONDS / (options / (1.0 + met.options) + MET)) as u64;
    Budget { whole: budget.whole.min(most), herds: budget.herds.min(most), most: budget.most.min(most), ..budget }
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
