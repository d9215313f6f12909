//! The chooser: it makes the plans of a solve.
//!
//! It asks the methods in the order of the registry what they would do and at what cost. A method that is asked for is taken, and
//! so is the first that a theorem or a shape makes the best there is; among the others the cheapest that fits in memory and in
//! the time there is. Where a plan is given up, the chooser is told why ([`Chooser::give_up`]) and asked again. Nobody else has a
//! say in which method is tried next.
//!
//! A search finds the value of the start only, often in a small part of the time that a table of all positions takes, and nobody
//! can tell beforehand. So where a table takes long a search is tried first, for a share of that time. The table is left for a
//! search where it turns out not to be done in time. A method that was left because it seemed dear is taken again where nothing
//! else is left.

use engine::monitor::{Monitor, Stopwatch};
use positions::cost;
use positions::remembered::Remembered;
use rules::bind::{Bound, Position};

use crate::case::{Case, Kind, PartKind};
use crate::error::{Limit, Reason, SolveError};
use crate::facts::Fact;
use crate::methods;
use crate::methods::{Cost, GivenUp, Look, Method, Objection, Prospect, Unit};
use crate::numbers;
use crate::options::{MethodName, Options, Question};
use crate::plan::{PassedOver, Patience, Plan};
use crate::solo;
use crate::stopping::{scope, watched};

/// The plan for a game from a position on. It tells of every method, even where one is known to be the best.
pub fn plan<'b>(
    bound: &'b Bound,
    start: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Plan<'b>, SolveError> {
    let mut chooser = watched(monitor, |monitor| Chooser::new(&methods::ALL, bound, start, options, monitor))?;
    let plan = watched(monitor, |monitor| chooser.plan(monitor))?;
    Ok(chooser.told(plan, monitor))
}

/// How often a method that gave up may be taken again, with another way.
const OTHER_WAYS: usize = 2;

/// Makes the plans of one solve: the first, and another one whenever one was given up.
pub struct Chooser<'r, 'b> {
    case: Case<'b>,
    registry: &'r [&'r dyn Method],
    /// What decided the last choice, where not every method had to be looked at.
    decided: Option<Decided>,
    /// Whether the methods that seemed dear were forgiven already.
    is_patient: bool,
    /// Whether a plan was given up because of what it took, so that the clock says how much time is left.
    spent_time: bool,
}

impl<'r, 'b> Chooser<'r, 'b> {
    /// Chooses among the methods of a registry, for a game from a position on, with the memory that a monitor has.
    pub fn new(
        registry: &'r [&'r dyn Method],
        bound: &'b Bound,
        start: &Position,
        options: &Options,
        monitor: &Monitor,
    ) -> Result<Chooser<'r, 'b>, SolveError> {
        let case = Case::new(bound, start, options, monitor.memory().free())?;
        Ok(Chooser { case, registry, decided: None, is_patient: false, spent_time: false })
    }

    /// The plan that was made last, with all that people are told of it and that nobody needed to choose it: what it is predicted to
    /// take, where it was asked for, and why the methods were passed over that were not looked at. This comes after everything
    /// else: it takes memory, which must not change what is chosen.
    pub fn told(&mut self, plan: Plan<'b>, monitor: &mut Monitor) -> Plan<'b> {
        let _scope = scope(monitor);
        // What the plan goes on from stays as it is.
        let looked_at = self.case.looked_at.take();
        let plan = match self.decided {
            Some(decided) => self.with_others(plan, decided, monitor),
            None if self.case.asks_for_code() => self.with_prediction(plan, monitor),
            None => plan,
        };
        self.case.looked_at.replace(looked_at);
        plan
    }

    /// A plan that was asked for, with what it takes as far as a sample of play tells.
    fn with_prediction(&mut self, plan: Plan<'b>, monitor: &mut Monitor) -> Plan<'b> {
        let is_sampled =
            self.case.sampled.get().is_none() && matches!(methods::sampled(&self.case, monitor), Ok(Some(_)));
        match is_sampled.then(|| self.ask_methods(monitor)) {
            Some(Ok(again)) => plan.predicted_to_take(again.cost()),
            _ => plan,
        }
    }

    /// A plan with the methods that were not looked at, and why these were passed over.
    fn with_others(&self, plan: Plan<'b>, decided: Decided, monitor: &mut Monitor) -> Plan<'b> {
        let Chooser { case, registry, .. } = self;
        let Decided { method: decided, table } = decided;
        let is_new = |name: MethodName| name != plan.method() && !plan.passed_over().iter().any(|it| it.method == name);
        let mut others = Looks::default();
        for method in registry.iter().filter(|method| is_new(method.name())) {
            // What goes wrong here does not concern the method that was chosen.
            if let Ok(look) = method.recognise_beside(case, table, monitor) {
                others.pass_over(case, method.name(), look, decided);
            }
        }
        plan.telling_of(others.passed_over)
    }

    /// The position that is asked about.
    pub(crate) fn start(&self) -> &Position {
        &self.case.start
    }

    /// The positions that were looked at for a plan. What is only tried leaves them to the next plan.
    pub(crate) fn looked_at(&self, plan: &Plan<'b>) -> Option<Remembered<'b>> {
        if plan.trial_seconds().is_none() { self.case.looked_at.take() } else { None }
    }

    /// The plan that is carried out now, after all that was given up before. An error where none is left.
    pub fn plan(&mut self, monitor: &mut Monitor) -> Result<Plan<'b>, SolveError> {
        let time = if self.spent_time { monitor.planned_left() } else { monitor.planned_time() };
        self.case.seconds = time.map(|time| time.as_secs_f64());
        loop {
            let error = match (self.ask_methods(monitor), self.case.given_up().last()) {
                // What does not fit by one table need not be tried by all of them, unless it is known what one takes.
                (Ok(plan), Some((_, Reason::OutOfMemory(error)))) if !plan.only_start() && !is_sized(&plan.cost()) => {
                    error.clone()
                }
                (Err(SolveError::NotApplicable(_)), Some((method, reason))) => {
                    self.full().unwrap_or_else(|| reason.clone().into_error(method.name()))
                }
                (plan, _) => return plan,
            };
            // A method that seemed dear is better than none.
            if self.is_patient || !self.case.given_up().any(|(_, reason)| reason.seemed_dear()) {
                return Err(error);
            }
            self.is_patient = true;
            self.case.forgive();
        }
    }

    /// Takes in why a plan was given up; or says what is wrong, where no other plan would help.
    pub fn give_up(&mut self, plan: &Plan<'b>, given_up: GivenUp) -> Result<(), SolveError> {
        let options = &self.case.options;
        let may_search = !plan.only_start() && options.method.is_none() && options.question != Question::Strong;
        let reason = match given_up {
            GivenUp::Because(reason) => reason,
            // A search needs no table of all positions.
            GivenUp::Error(error @ SolveError::Limit { limit: Limit::Memory { .. }, .. }) if may_search => {
                Reason::OutOfMemory(error)
            }
            GivenUp::Error(error) => return Err(error),
        };
        // A method may offer another way twice; more often it would go round in circles.
        if self.case.given_up().filter(|(method, _)| *method == plan.method()).count() >= OTHER_WAYS {
            return Err(reason.into_error(plan.method().name()));
        }
        self.spent_time |= reason.limit().is_some() || matches!(reason, Reason::Tried(_));
        self.case.give_up(plan.method(), reason);
        Ok(())
    }

    /// Takes in that the answers of a plan gave up when they were asked for more, with an error and for a reason; or says what is
    /// wrong, where another plan would not help, or where this method was asked for.
    pub fn give_up_answers(
        &mut self,
        plan: &Plan<'b>,
        reason: Option<Reason>,
        error: SolveError,
    ) -> Result<(), SolveError> {
        let is_free = self.case.options.method.is_none();
        let is_first = self.case.gave_up_with(plan.method()).is_none();
        let may_go_on = is_free && is_first && matches!(error, SolveError::NotApplicable(_));
        let reason = reason.filter(|_| may_go_on).ok_or(error)?;
        self.is_patient = false;
        self.case.give_up(plan.method(), reason);
        Ok(())
    }

    /// The limit on memory that a method reached: with more of it there would be an answer, whatever became of the others.
    fn full(&self) -> Option<SolveError> {
        self.case.given_up().find_map(|(_, reason)| match reason {
            Reason::OutOfMemory(error) => Some(error.clone()),
            _ => None,
        })
    }

    /// Asks the methods what they would do, and takes the best.
    fn ask_methods(&mut self, monitor: &mut Monitor) -> Result<Plan<'b>, SolveError> {
        let Chooser { case, registry, decided, .. } = self;
        let watch = Stopwatch::start();
        let asked = case.options.method;
        let mut looks = Looks::default();
        for method in registry.iter().filter(|method| asked.is_none_or(|asked| asked == method.name())) {
            let look = method.recognise_beside(case, looks.table(case), monitor)?;
            match looks.take(case, method.name(), look) {
                Ok(true) => break,
                Ok(false) => {}
                // With more memory it might apply.
                Err(error @ SolveError::NotApplicable(_)) => return Err(refusal(monitor).unwrap_or(error)),
                Err(error) => return Err(error),
            }
        }
        // How positions fall apart is found for the plan, and for the value beside the answer.
        if case.facts.partizan {
            case.decomposition();
        }
        // What an earlier plan was chosen with belongs to this one too.
        case.choosing.set(case.choosing.get() + watch.seconds());
        // Behind the first plan lies what the plans took that were given up.
        let bytes = case.choosing_bytes.get().unwrap_or_else(|| monitor.memory().peak());
        case.choosing_bytes.set(Some(bytes));
        looks.spent = (case.choosing.get(), bytes);
        let last = looks.rivals.last().filter(|(_, last)| last.is_decisive && asked.is_none());
        *decided = last.map(|(name, _)| Decided { method: *name, table: looks.table(case) });
        // Where play was seen to come back to a position, the method that is for that will take over.
        let repeats =
            asked.is_none() && case.sampled.get().is_some_and(|found| found.is_some_and(|it| it.sample.repeats));
        looks.successor = looks.successor.filter(|_| repeats);
        if let Some(plan) = cheapest(case, looks) {
            return Ok(plan);
        }
        Err(SolveError::NotApplicable(match asked {
            Some(name) => format!("there is no method `{name}`"),
            None => "no method applies".to_string(),
        }))
    }
}

/// The limit on memory, if anything that was looked for did not fit.
fn refusal(monitor: &Monitor) -> Option<SolveError> {
    monitor.memory().refusal().map(SolveError::from)
}

/// What decided a choice.
#[derive(Clone, Copy)]
struct Decided {
    /// The method after which no other was looked at.
    method: MethodName,
    /// What the cheapest method takes, in seconds, that values all positions and fits in memory.
    table: Option<f64>,
}

/// A method that tells how long play lasts is preferred to a quicker one that does not. It may take so many times as long, or so
/// many seconds more.
const LENGTHS_FACTOR: f64 = 1.5;
const LENGTHS_SECONDS: f64 = 1e-3;

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
    /// What a method takes that is the last resort.
    resort: Option<f64>,
}

impl<'b> Looks<'b> {
    /// What the cheapest of the methods takes that value all positions and fit in memory.
    fn table(&self, case: &Case<'_>) -> Option<f64> {
        let tables = self.rivals.iter().filter(|(_, rival)| !rival.only_start && fits(case, rival));
        tables.filter_map(|(_, rival)| rival.cost.seconds).min_by(f64::total_cmp)
    }

    /// Takes in what a method said; whether no other is looked at.
    fn take(&mut self, case: &Case<'b>, method: MethodName, look: Look<'b>) -> Result<bool, SolveError> {
        let asked = case.options.method.is_some();
        if let Some((shape, fact)) = look.shape {
            // Several methods may look for one shape: that one of them found it counts.
            self.shapes.retain(|(known, _)| *known != shape);
            self.shapes.push((shape, fact));
        }
        let (why, cost, unit) = match look.prospect {
            Ok(prospect) if prospect.objection.is_none() || asked => {
                let is_decisive = prospect.is_decisive || asked;
                self.rivals.push((method, prospect));
                return Ok(is_decisive);
            }
            Ok(Prospect { objection, cost, takes_over, unit, .. }) => {
                let cost = cost.seconds.map(|_| cost);
                self.successor = self.successor.or(cost.filter(|_| takes_over));
                (objection.unwrap_or_default(), cost, unit)
            }
            Err(Objection::Because(why)) if asked => {
                return Err(SolveError::NotApplicable(format!("the method `{method}` does not apply: {why}")));
            }
            Err(Objection::Limit(error)) if asked => return Err(error),
            Err(objection) => {
                if let Objection::TellsLess { cost, .. } = &objection {
                    self.resort = cost.seconds.into_iter().chain(self.resort).min_by(f64::total_cmp);
                }
                objected(case, objection)
            }
        };
        self.passed_over.push(PassedOver { method, why, cost, unit });
        Ok(false)
    }

    /// Takes in what a method said that comes too late: the choice is made.
    fn pass_over(&mut self, case: &Case<'b>, method: MethodName, look: Look<'b>, decided: MethodName) {
        let (why, cost, unit) = match look.prospect {
            Ok(Prospect { objection, cost, unit, .. }) => {
                let why = objection
                    .unwrap_or_else(|| format!("it applies, but the rules are of the kind `{decided}` is for"));
                (why, cost.seconds.map(|_| cost), unit)
            }
            Err(objection) => objected(case, objection),
        };
        self.passed_over.push(PassedOver { method, why, cost, unit });
    }
}

/// Why a method is passed over, what it would take where that is known, and what it counts.
fn objected(case: &Case<'_>, objection: Objection) -> (String, Option<Cost>, Unit) {
    let (why, cost) = match objection {
        Objection::Because(why) => (why, None),
        Objection::Limit(error) => (error.to_string(), None),
        Objection::TellsLess { why, .. } => (unpredicted(case, why), Some(Cost::default())),
    };
    (why, cost, Unit::Position)
}

/// Why a search is passed over, with what it may take: how much it leaves out is not known, so that nothing is predicted of it.
fn unpredicted(case: &Case<'_>, why: String) -> String {
    let all = match case.sampled.get() {
        Some(Some(found)) if found.sample.is_exact => numbers::grouped(found.sample.positions as u64),
        Some(Some(found)) => format!("about {}", numbers::rounded(found.sample.positions as u64)),
        _ => return format!("{why}; what it takes is not predicted"),
    };
    format!(
        "{why}; what it takes is not predicted: it may look at a few of {all} positions, or at all, some of them often"
    )
}

fn seconds(prospect: &Prospect<'_>) -> f64 {
    prospect.cost.seconds.unwrap_or(f64::INFINITY)
}

/// Whether the memory that something takes is known: that of a table of all codes, of which none is looked for.
fn is_sized(cost: &Cost) -> bool {
    cost.codes.is_some() && cost.positions == cost.codes
}

fn fits(case: &Case<'_>, prospect: &Prospect<'_>) -> bool {
    prospect.cost.bytes.is_none_or(|bytes| bytes <= case.memory)
}

/// A method is expected to be done in time if the time that is left is so many times what it is predicted to take.
const TIME_MARGIN: f64 = 1.5;
/// A search is tried first for so many times what it is predicted to take. That is at least this share of what a table takes, and at
/// most that share. Where another search was tried before, half of it.
const TRIAL_FACTOR: f64 = 6.0;
const LEAST_TRIAL_SHARE: f64 = 0.25;
const MOST_TRIAL_SHARE: f64 = 0.5;
/// A trial has at least so many seconds, and at least so many where gains count: in less, chance would decide whether it ends.
const SHORTEST_TRIAL: f64 = 0.1;
const SHORTEST_TRIAL_COUNTED: f64 = 0.01;
/// No search is tried for a smaller share of what a table takes: there is too little time beside the table.
const LEAST_USEFUL_SHARE: f64 = 0.05;
/// The share of the time that the first of two searches has at the least, where no table would be done in time. It has at most half.
const LEAST_TIME_SHARE: f64 = 0.125;

/// Whether a method is predicted to be done in the time that is left. Where it is not known how long it takes, it is not known to
/// be late either.
fn in_time(prospect: &Prospect<'_>, left: Option<f64>) -> bool {
    left.is_none_or(|left| prospect.cost.seconds.is_none_or(|seconds| TIME_MARGIN * seconds <= left))
}

/// Whether a method values all positions, fits in memory, and is predicted to be done in the time that is left.
fn is_table(case: &Case<'_>, prospect: &Prospect<'_>, left: Option<f64>) -> bool {
    !prospect.only_start && fits(case, prospect) && in_time(prospect, left)
}

/// Puts the methods into the order in which they are taken: one that is decisive first, whatever is predicted of it, if it fits in
/// memory and is not known to be late; then those that fit, those that are done in the time that is left, and the cheaper ones.
/// Where nothing is known of what a method takes, one that comes before it in the registry is better. For how long the first is
/// to be tried, where that is a search and a table could be had.
fn ordered(case: &Case<'_>, rivals: &mut [(MethodName, Prospect<'_>)]) -> Option<f64> {
    let left = case.seconds;
    let decides = |prospect: &Prospect<'_>| prospect.is_decisive && fits(case, prospect) && in_time(prospect, left);
    if let Some(place) = rivals.iter().position(|(_, rival)| decides(rival)) {
        rivals[..=place].rotate_right(1);
        return None;
    }
    let order = |(_, a): &(_, Prospect<'_>), (_, b): &(_, Prospect<'_>)| {
        let fitting = fits(case, b).cmp(&fits(case, a));
        fitting.then(in_time(b, left).cmp(&in_time(a, left))).then(seconds(a).total_cmp(&seconds(b)))
    };
    // The sort is stable: equals stay in the order of the registry.
    rivals.sort_by(order);
    if case.given_up().any(|(_, reason)| matches!(reason, Reason::Late(_) | Reason::OutOfMemory(_))) {
        // What was predicted of tables was far too little. One whose size is known beforehand still fits.
        let is_full = case.given_up().any(|(_, reason)| matches!(reason, Reason::OutOfMemory(_)));
        let sized = |rival: &Prospect<'_>| is_full && is_sized(&rival.cost) && is_table(case, rival, left);
        let sized = rivals.iter().position(|(_, rival)| sized(rival));
        let search = || rivals.iter().position(|(_, rival)| rival.only_start && fits(case, rival));
        let place = sized.or_else(search)?;
        rivals[..=place].rotate_right(1);
        return None;
    }
    if case.facts.kind == Kind::Score && rivals.first().is_some_and(|(_, first)| !first.only_start) {
        return search_first(case, rivals);
    }
    let (_, quickest) = rivals.first().filter(|(_, quickest)| !quickest.is_decisive)?;
    if quickest.only_start {
        let own = TRIAL_FACTOR * seconds(quickest);
        let Some(place) = rivals.iter().position(|(_, rival)| is_table(case, rival, left)) else {
            let two = rivals.get(1).is_some_and(|(_, rival)| rival.only_start);
            return left.filter(|_| two).map(|left| own.clamp(LEAST_TIME_SHARE * left, left / 2.0));
        };
        let table = seconds(&rivals[place].1);
        let most = left.map_or(f64::INFINITY, |left| left - TIME_MARGIN * table);
        let tried = case.given_up().filter(|(_, reason)| matches!(reason, Reason::Tried(_))).count();
        let trial = own.clamp(LEAST_TRIAL_SHARE * table, MOST_TRIAL_SHARE * table) / f64::powi(2.0, tried as i32);
        let trial = trial.max(SHORTEST_TRIAL).min(most);
        if table.is_infinite() || trial >= LEAST_USEFUL_SHARE * table {
            return Some(trial).filter(|trial| trial.is_finite());
        }
        rivals[..=place].rotate_right(1);
    } else if !quickest.tells_lengths {
        let most = (LENGTHS_FACTOR * seconds(quickest)).max(seconds(quickest) + LENGTHS_SECONDS);
        let tells_more = |(_, rival): &(_, Prospect<'_>)| {
            rival.tells_lengths && is_table(case, rival, left) && seconds(rival) <= most
        };
        if let Some(place) = rivals.iter().position(tells_more) {
            rivals[..=place].rotate_right(1);
        }
    }
    None
}

/// Where gains count, a table tells no more of the start than a search, and how much a search leaves out is known least: it is tried
/// even where it is predicted to take longer than the table. For how long, where there is one.
fn search_first(case: &Case<'_>, rivals: &mut [(MethodName, Prospect<'_>)]) -> Option<f64> {
    let (_, table) = rivals.first().filter(|(_, table)| !table.is_decisive && fits(case, table))?;
    let trial = (LEAST_TRIAL_SHARE * seconds(table)).max(SHORTEST_TRIAL_COUNTED);
    let allowed = case.seconds.is_none_or(|left| trial + TIME_MARGIN * seconds(table) <= left);
    let place = rivals.iter().position(|(_, rival)| rival.only_start && fits(case, rival))?;
    if !allowed || trial > MOST_TRIAL_SHARE * seconds(table) {
        return None;
    }
    rivals[..=place].rotate_right(1);
    Some(trial).filter(|trial| trial.is_finite())
}

/// The plan of the best of the methods that apply.
fn cheapest<'b>(case: &Case<'b>, looks: Looks<'b>) -> Option<Plan<'b>> {
    let left = case.seconds;
    let Looks { shapes, mut rivals, mut passed_over, spent, successor, mut resort } = looks;
    let trial = ordered(case, &mut rivals);
    let table = rivals.iter().find(|(_, rival)| is_table(case, rival, left)).map(|(name, table)| (*name, table.cost));
    let mut rivals = rivals.into_iter();
    let (method, mut best) = rivals.next()?;
    if !best.is_decisive {
        best.cost = successor.unwrap_or(best.cost);
    }
    let trial_positions = trial.and_then(|trial| best.cost.met_in(trial));
    // A search that is tried although the table is predicted to be quicker will hardly be done.
    if let (Some(trial), Some((_, cost))) = (trial, table)
        && let Some(seconds) = cost.seconds.filter(|seconds| Some(*seconds) < best.cost.seconds)
    {
        best.cost = Cost { seconds: Some(seconds + trial), ..cost };
    }
    let (best_seconds, best_in_time) = (best.cost.seconds, in_time(&best, left));
    // What the choice itself took belongs to the solve, whichever method it had been.
    best.cost.seconds = best.cost.seconds.map(|seconds| seconds + spent.0);
    best.cost.bytes = best.cost.bytes.map(|bytes| bytes.max(spent.1));
    let sampled = |cost: &Cost| cost.positions != cost.codes;
    let (mut next, mut by_parts) = (None, None);
    for (name, rival) in rivals {
        let parts = rival.cost.seconds.filter(|_| methods::values_parts(name));
        by_parts = by_parts.or(parts.map(|seconds| (seconds, rival.cost.bytes.unwrap_or(0))));
        let why = match (rival.cost.seconds, fits(case, &rival)) {
            (_, false) => "it is predicted to need more memory than there is".to_string(),
            (Some(_), true) if !in_time(&rival, left) && (best.only_start || best_in_time) => {
                "it is predicted not to be done in the time there is".to_string()
            }
            (Some(_), true) if trial.is_some() && !rival.only_start => {
                format!("it tells more, but `{method}` may be done long before, and is tried first")
            }
            (Some(time), true) if !rival.tells_lengths && Some(time) < best_seconds => {
                "it is predicted to take little less, and does not tell how long play lasts".to_string()
            }
            (Some(_), true) => "it is predicted to take longer".to_string(),
            (None, true) => "it is not known how long it would take".to_string(),
        };
        // What rests on the same sample is dearer too where there are more positions than were thought.
        let apart = sampled(&best.cost) != sampled(&rival.cost) || best.tells_lengths != rival.tells_lengths;
        if rival.only_start && !best.only_start {
            resort = rival.cost.seconds.into_iter().chain(resort).min_by(f64::total_cmp);
        } else {
            next = next.or(rival.cost.seconds.filter(|_| apart && fits(case, &rival)));
        }
        let cost = Cost { seconds: rival.cost.seconds.map(|seconds| seconds + spent.0), ..rival.cost };
        let unit = rival.unit;
        passed_over.push(match rival.only_start {
            true => PassedOver { method: name, why: unpredicted(case, why), cost: Some(Cost::default()), unit },
            false => PassedOver { method: name, why, cost: Some(cost), unit },
        });
    }
    if trial.is_some() {
        best.why.push_str(&match table {
            Some((table, _)) => format!("; it is tried first, for a share of what `{table}` would take"),
            None => "; it is tried first, for a share of the time there is".to_string(),
        });
    }
    if let Some(Some(found)) = case.sampled.get().filter(|_| case.facts.partizan && !methods::values_parts(method)) {
        let is_shown = case.facts.acyclic.holds || best.acyclic.is_some();
        let may_repeat = !is_shown && (found.sample.repeats || solo::comes_back(case.bound, &case.start));
        // Where positions fall apart, the value is looked for by parts, whatever was said of a method for these.
        let falls_apart = !may_repeat && !best.only_start && case.decomposition().kind() != PartKind::Rules;
        let by_parts = by_parts.or_else(|| falls_apart.then(|| methods::parts_beside(found.sample.positions)));
        best.cost = cost::with_value(best.cost, by_parts, may_repeat, found);
    }
    let resort = resort.filter(|_| !best.only_start && !best.is_decisive && case.options.question != Question::Strong);
    let (own_seconds, rival_seconds, resort_seconds) = (best_seconds, next, resort);
    let patience = Patience { own_seconds, rival_seconds, resort_seconds, trial_seconds: trial, trial_positions };
    Some(Plan::new(case, method, best, shapes, passed_over, patience))
}
