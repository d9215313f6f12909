//! The plan: which method solves a case, why, and what that will cost. A value that never changes.
//!
//! One chooser makes it, for `solve`, `explain`, `build` and benchmarks alike. It asks the methods in the order of the registry
//! what they would do and at what cost. A method that is asked for is taken, and so is the first that a theorem or a shape
//! makes the best there is; among the others the cheapest that fits in memory. Where a plan is given up, the reason is added to
//! the case and the chooser makes another plan.

use engine::monitor::{Monitor, Prediction, Stopwatch};
use rules::bind::{Bound, Position};

use crate::case::{Case, Decomposition, Facts};
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::method::{Code, Cost, Found, GivenUp, Look, Method, Objection, Prepared, Prospect};
use crate::methods;
use crate::options::{MethodName, Options};
use crate::stopping::watched;

/// What is done with a game, and what is known of it beforehand.
pub struct Plan<'b> {
    /// The game.
    pub bound: &'b Bound,
    /// What the rules show, and what the method has shown of them.
    pub facts: Facts,
    /// The shapes that were looked for, and whether the game has them.
    pub shapes: Vec<(&'static str, Fact)>,
    /// The method.
    pub method: MethodName,
    /// Why this method.
    pub why: String,
    /// What runs the rules.
    pub code: Code,
    /// What it will take.
    pub cost: Cost,
    /// What is counted: positions, unless the method values parts, heaps or items.
    pub noun: &'static str,
    /// The methods that were passed over, and why.
    pub passed_over: Vec<PassedOver>,
    /// The methods that were tried before and gave up, with their reasons.
    pub given_up: Vec<(MethodName, Reason)>,
    /// What the next best method is predicted to take: a run that turns out much dearer is given up for it.
    rival: Option<f64>,
    prepared: Box<dyn Prepared<'b> + 'b>,
    /// How positions fall apart, where moves belong to players: values are looked for by it.
    pub(crate) decomposition: Decomposition,
}

/// A method that was passed over.
#[derive(Clone, Debug, PartialEq)]
pub struct PassedOver {
    /// The method.
    pub method: MethodName,
    /// Why.
    pub why: String,
    /// What it would take, where that is known.
    pub cost: Option<Cost>,
    /// What it would count.
    pub noun: &'static str,
}

impl<'b> Plan<'b> {
    /// Carries the plan out.
    pub fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        monitor.predict(Prediction { positions: self.cost.positions, own: self.cost.seconds, rival: self.rival });
        let found = self.prepared.run(monitor);
        monitor.predict(Prediction::default());
        found.map_err(|given_up| match given_up {
            GivenUp::Error(error @ SolveError::Dear { .. }) => GivenUp::Because(Reason::Dear(error)),
            other => other,
        })
    }

    /// The shape of that name, where it was looked for.
    pub fn shape(&self, name: &str) -> Option<&Fact> {
        self.shapes.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact)
    }
}

/// The plan for a game from a position on. Every method is looked at, even where one is known to be the best.
pub fn plan<'b>(
    bound: &'b Bound,
    start: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Plan<'b>, SolveError> {
    watched(monitor, |monitor| {
        let case = Case::new(bound, start, options, monitor.memory().free())?;
        ask_methods(&case, &methods::ALL, true, monitor)
    })
}

/// Chooses a method for a case.
pub(crate) fn choose<'b>(
    case: &Case<'b>,
    registry: &[&dyn Method],
    monitor: &mut Monitor,
) -> Result<Plan<'b>, SolveError> {
    ask_methods(case, registry, false, monitor)
}

/// Chooses a method for a case. If `all` is to be told, methods are looked at even where the choice is made already.
fn ask_methods<'b>(
    case: &Case<'b>,
    registry: &[&dyn Method],
    all: bool,
    monitor: &mut Monitor,
) -> Result<Plan<'b>, SolveError> {
    let watch = Stopwatch::start();
    let asked = case.options.method;
    let mut looks = Looks::default();
    let mut rest = registry.iter().filter(|method| asked.is_none_or(|asked| asked == method.name()));
    for method in rest.by_ref() {
        let look = method.recognise(case, monitor)?;
        if looks.take(method.name(), look, asked.is_some())? {
            break;
        }
    }
    looks.spent = (watch.seconds(), monitor.memory().peak());
    let decided = looks.rivals.last().filter(|(_, prospect)| prospect.is_decisive).map(|(name, _)| *name);
    for method in rest.filter(|_| all && asked.is_none()) {
        // What goes wrong here does not concern the method that was chosen.
        if let (Ok(look), Some(decided)) = (method.recognise(case, monitor), decided) {
            looks.pass_over(method.name(), look, decided);
        }
    }
    // Where play was seen to come back to a position, the method that is for that will take over.
    let repeats = asked.is_none() && case.sampled.get().is_some_and(|found| found.is_some_and(|it| it.sample.repeats));
    looks.successor = looks.successor.filter(|_| repeats);
    if let Some(plan) = cheapest(case, looks) {
        return Ok(plan);
    }
    Err(SolveError::NotApplicable(match asked {
        Some(name) => format!("there is no method `{name}`"),
        None => "no method applies".to_string(),
    }))
}

/// A method that does not tell how long play lasts is taken only where the others take so many times as long, and so many
/// seconds more.
const MUCH: f64 = 1.5;
const NOTHING: f64 = 1e-3;
/// What most methods count.
const NOUN: &str = "position";

/// What the methods said of a case.
#[derive(Default)]
struct Looks<'b> {
    shapes: Vec<(&'static str, Fact)>,
    rivals: Vec<(MethodName, Prospect<'b>)>,
    passed_over: Vec<PassedOver>,
    /// Seconds and bytes that the choice took.
    spent: (f64, u64),
    /// What the method takes that takes over where positions repeat.
    successor: Option<Cost>,
}

impl<'b> Looks<'b> {
    /// Takes in what a method said; whether no other is looked at.
    fn take(&mut self, method: MethodName, look: Look<'b>, asked: bool) -> Result<bool, SolveError> {
        if let Some((shape, fact)) = look.shape {
            // Several methods may look for one shape: that one of them found it counts.
            self.shapes.retain(|(known, _)| *known != shape);
            self.shapes.push((shape, fact));
        }
        let (why, cost, noun) = match look.prospect {
            Ok(prospect) if prospect.objection.is_none() || asked => {
                let is_decisive = prospect.is_decisive || asked;
                self.rivals.push((method, prospect));
                return Ok(is_decisive);
            }
            Ok(Prospect { objection, cost, takes_over, noun, .. }) => {
                let cost = cost.seconds.map(|_| cost);
                self.successor = self.successor.or(cost.filter(|_| takes_over));
                (objection.unwrap_or_default(), cost, noun)
            }
            Err(Objection::Because(why)) if asked => {
                return Err(SolveError::NotApplicable(format!("the method `{method}` does not apply: {why}")));
            }
            Err(Objection::Limit(error)) if asked => return Err(error),
            Err(Objection::Because(why)) => (why, None, NOUN),
            Err(Objection::Limit(error)) => (error.to_string(), None, NOUN),
        };
        self.passed_over.push(PassedOver { method, why, cost, noun });
        Ok(false)
    }

    /// Takes in what a method said that comes too late: the choice is made.
    fn pass_over(&mut self, method: MethodName, look: Look<'b>, decided: MethodName) {
        let (why, cost, noun) = match look.prospect {
            Ok(Prospect { objection, cost, noun, .. }) => {
                let why = objection
                    .unwrap_or_else(|| format!("it applies, but the rules are of the kind `{decided}` is for"));
                (why, cost.seconds.map(|_| cost), noun)
            }
            Err(Objection::Because(why)) => (why, None, NOUN),
            Err(Objection::Limit(error)) => (error.to_string(), None, NOUN),
        };
        self.passed_over.push(PassedOver { method, why, cost, noun });
    }
}

/// The plan of the cheapest of the methods that apply. Where nothing is known of what a method takes, one that comes before
/// it in the registry is better.
fn cheapest<'b>(case: &Case<'b>, looks: Looks<'b>) -> Option<Plan<'b>> {
    let Looks { shapes, mut rivals, mut passed_over, spent, successor } = looks;
    let seconds = |prospect: &Prospect<'_>| prospect.cost.seconds.unwrap_or(f64::INFINITY);
    let fits = |prospect: &Prospect<'_>| prospect.cost.bytes.is_none_or(|bytes| bytes <= case.memory);
    let order = |(_, a): &(_, Prospect<'_>), (_, b): &(_, Prospect<'_>)| {
        fits(b).cmp(&fits(a)).then(seconds(a).total_cmp(&seconds(b)))
    };
    // The sort is stable: equals stay in the order of the registry.
    rivals.sort_by(order);
    if let Some((_, quickest)) = rivals.first().filter(|(_, quickest)| !quickest.is_decisive && !quickest.tells_lengths)
    {
        let most = (MUCH * seconds(quickest)).max(seconds(quickest) + NOTHING);
        let tells_more = |(_, rival): &(_, Prospect<'_>)| rival.tells_lengths && fits(rival) && seconds(rival) <= most;
        if let Some(place) = rivals.iter().position(tells_more) {
            rivals[..=place].rotate_right(1);
        }
    }
    let mut rivals = rivals.into_iter();
    let (method, mut best) = rivals.next()?;
    if !best.is_decisive {
        best.cost = successor.unwrap_or(best.cost);
    }
    let best_seconds = best.cost.seconds;
    // What the choice itself took belongs to the solve.
    best.cost.seconds = best.cost.seconds.map(|seconds| seconds + spent.0);
    best.cost.bytes = best.cost.bytes.map(|bytes| bytes.max(spent.1));
    let sampled = |cost: &Cost| cost.positions != cost.codes;
    let mut next = None;
    for (method, rival) in rivals {
        let why = match (rival.cost.seconds, fits(&rival)) {
            (_, false) => "it is predicted to need more memory than there is".to_string(),
            (Some(time), true) if !rival.tells_lengths && Some(time) < best_seconds => {
                "it is predicted to take little less, and does not tell how long play lasts".to_string()
            }
            (Some(_), true) => "the choice aside, it is predicted to take longer".to_string(),
            (None, true) => "it is not known how long it would take".to_string(),
        };
        // What rests on the same sample is dearer too where there are more positions than were thought.
        let apart = sampled(&best.cost) != sampled(&rival.cost) || best.tells_lengths != rival.tells_lengths;
        next = next.or(rival.cost.seconds.filter(|_| apart && fits(&rival)));
        passed_over.push(PassedOver { method, why, cost: Some(rival.cost), noun: rival.noun });
    }
    Some(plan_of(case, method, best, shapes, passed_over, next))
}

fn plan_of<'b>(
    case: &Case<'b>,
    method: MethodName,
    prospect: Prospect<'b>,
    shapes: Vec<(&'static str, Fact)>,
    passed_over: Vec<PassedOver>,
    rival: Option<f64>,
) -> Plan<'b> {
    let Prospect { why, code, cost, noun, acyclic, constant_total, mut prepared, .. } = prospect;
    let why = if case.options.method.is_some() { "asked for with --method".to_string() } else { why };
    let mut facts = case.facts.clone();
    facts.acyclic = acyclic.unwrap_or(facts.acyclic);
    facts.constant_total = constant_total.or(facts.constant_total);
    let given_up = case.given_up.clone();
    if let Some(looked_at) = case.explored.take() {
        prepared.take_over(looked_at);
    }
    let decomposition = if facts.partizan { case.decomposition() } else { Decomposition::default() };
    let bound = case.bound;
    Plan { bound, facts, shapes, method, why, code, cost, noun, passed_over, given_up, rival, prepared, decomposition }
}
