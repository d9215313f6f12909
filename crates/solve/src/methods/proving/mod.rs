//! `alpha_beta` and `proof_number`: only the value of the start is proved, and of other positions what is asked later.
//!
//! [`Maker`] makes the game that is searched of a case ([`positions::searched`]); [`answers`] proves moves one by one on demand. The
//! searches themselves are the crate `search`, and so is the race that lets the two compete in short trials.
//!
//! A search is offered where a table of all positions takes long, or where only the start is asked about: it tells neither how
//! long play lasts nor nimbers. Elsewhere it is the last resort, should the table turn out far dearer. The chooser tries it for a
//! share of what the table takes.

pub mod answers;

use ::game::OutcomeClass;
use engine::monitor::Monitor;
use engine::{Error, Limit};
use rules::bind::Position;
use search::game::{Bounds, INFINITE, MOST_WORDS, Shared};
use search::race::{Lengths, Race};
use search::solver::{Settings, Solver, Way, solver};
use search::turns::{self, Done};

use self::answers::SearchAnswers;
use super::maker::{Maker, unsuited_at_all};
use super::sampling::sampled;
use crate::case::{Case, Kind, Sampled};
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Aside, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::numbers::grouped;
use crate::options::{Best, MethodName, Options, Question};
use positions::cost;
use positions::oracle::other_to_move;
use positions::searched::{RulesGame, placed};

/// A table that takes longer than this is dear, and so is one that takes this share of the time there is.
const DEAR: f64 = 2.0;
const DEAR_COUNTED: f64 = 0.02;
const SHARE_OF_TIME: f64 = 0.1;
/// With less memory no search is taken, unless it is asked for, or a table of all positions does not fit and one of the search does.
const SMALLEST: u64 = 16 << 20;
/// The share of the memory that a table of transpositions takes at the most, in percent.
const SHARE: u64 = 60;

/// The share of that which the other search gets where two take turns, as a divisor.
const OTHERS_SHARE: u64 = 4;

/// A search, as a method.
#[derive(Clone, Copy)]
pub(crate) struct Proving {
    pub(super) name: MethodName,
    way: Way,
    about: &'static str,
    /// What it does, as the beginning of a sentence.
    what: &'static str,
}

/// The value of the start by alpha-beta with a table of transpositions.
pub(crate) const ALPHA_BETA: Proving = Proving {
    name: MethodName::new("alpha_beta"),
    way: Way::AlphaBeta,
    about: "The start only: alpha-beta with a table of transpositions",
    what: "alpha-beta with a table of transpositions",
};

/// Who wins from the start, by proof-number search.
pub(crate) const PROOF_NUMBER: Proving = Proving {
    name: MethodName::new("proof_number"),
    way: Way::ProofNumber,
    about: "The start only, won or lost: proof-number search",
    what: "proof-number search, which goes where the least is missing for a proof",
};

impl Proving {
    /// The other search.
    fn other(&self) -> Proving {
        match self.way {
            Way::AlphaBeta => PROOF_NUMBER,
            Way::ProofNumber => ALPHA_BETA,
        }
    }
}

impl Method for Proving {
    fn name(&self) -> MethodName {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        self.recognise_beside(case, None, monitor)
    }

    fn recognise_beside<'b>(
        &self,
        case: &Case<'b>,
        table: Option<f64>,
        monitor: &mut Monitor,
    ) -> Result<Look<'b>, SolveError> {
        recognise(*self, case, table, monitor)
    }
}

/// Looks at a case for one of the searches.
fn recognise<'b>(
    proving: Proving,
    case: &Case<'b>,
    table: Option<f64>,
    monitor: &mut Monitor,
) -> Result<Look<'b>, SolveError> {
    if let Some(why) = unsuited(&proving, case) {
        return Ok(Look::no(why));
    }
    let sampled = sampled(case, monitor)?;
    let asked = case.options.method.is_some();
    let scored = case.facts.kind == Kind::Score;
    let predicted = |making: f64| {
        let (comes_back, most) = (proving.way == Way::ProofNumber, case.memory / 100 * SHARE);
        sampled.map(|found| cost::proving(making, scored, comes_back, &found, most)).unwrap_or_default()
    };
    if !asked {
        if let Some(why) = objection(case, sampled.as_ref(), &predicted(0.0)) {
            return Ok(Look::no(why));
        }
        if is_cheap(case, table, sampled.as_ref()) {
            return Ok(Look::tells_less(TELLS_MORE, predicted(0.0)));
        }
    }
    let (maker, code) = Maker::new(case, sampled.as_ref());
    if maker.words() > MOST_WORDS {
        return Ok(Look::no(format!("a position takes more than {} bits", 64 * MOST_WORDS)));
    }
    let mut cost = predicted(maker.making());
    let acyclic = maker.acyclic.clone();
    let mut why = format!("{}: only the value of the start is proved, and moves one by one", proving.what);
    let mut other = None;
    if case.facts.kind == Kind::Outcome && !asked {
        let race = race(case, &maker, table_seconds(table, sampled.as_ref()), monitor)?;
        if let (Some(seconds), Some(race)) = (cost.seconds, race) {
            cost.seconds = Some(seconds * race.handicap(proving.way));
            why.push_str(&format!("; {}", race.text()));
        }
        let known = race.and_then(|race| race.needed(proving.way)).or_else(|| needed(case, proving.name));
        if let (Some(known), Some(found)) = (known, &sampled) {
            cost = cost::looking_at(known as f64, maker.making(), found, case.memory / 100 * SHARE);
        } else {
            other = Some(proving.other()).filter(|other| unsuited(other, case).is_none());
        }
    }
    let prepared = PreparedSearch {
        proving,
        start: case.start.clone(),
        partizan: case.facts.partizan,
        options: case.options.clone(),
        total: case.facts.total_is_proved(),
        depth: sampled.map_or(0, |found| found.sample.depth),
        seconds: cost.seconds,
        maker,
        other,
        turns: turns::Lengths::after(trial_lengths(case, f64::INFINITY).start),
    };
    let prospect =
        Prospect { is_decisive: false, only_start: true, cost, acyclic, ..Prospect::new(why, code, prepared) };
    Ok(Look::yes(prospect))
}

/// How many positions a search needs for the start, where it was done before another.
fn needed(case: &Case<'_>, search: MethodName) -> Option<u64> {
    case.given_up().find_map(|(_, reason)| match reason {
        Reason::Outrun(by, positions) if *by == search => Some(*positions),
        _ => None,
    })
}

/// Lets the searches compete on the game itself, where a table would take so many seconds; `None` where nothing came of it. A
/// case has one race.
fn race(
    case: &Case<'_>,
    maker: &Maker<'_>,
    table: Option<f64>,
    monitor: &mut Monitor,
) -> Result<Option<Race>, SolveError> {
    if let Some(found) = case.race.get() {
        return Ok(*found);
    }
    monitor.enter("trying searches");
    let found = match trials(case, maker, table.unwrap_or(f64::INFINITY), monitor) {
        Ok(found) => found,
        Err(GivenUp::Error(
            error @ (SolveError::Interrupted { .. } | SolveError::Limit { limit: Limit::Time { .. }, .. }),
        )) => return Err(error),
        // The method itself says what is wrong, and needs less memory than two searches, or more.
        Err(_) => None,
    };
    Ok(*case.race.get_or_init(|| found))
}

fn trials(case: &Case<'_>, maker: &Maker<'_>, table: f64, monitor: &mut Monitor) -> Result<Option<Race>, GivenUp> {
    let game = maker.game()?;
    game.watch(monitor);
    let Some(start) = game.key(&case.start) else { return Ok(None) };
    let shared: Shared<'_> = game;
    Ok(search::race::race(&shared, &start, trial_lengths(case, table), monitor)?)
}

/// How long trials of a race may be, where a table would take so many seconds.
fn trial_lengths(case: &Case<'_>, table: f64) -> Lengths {
    let sampled = case.sampled.get().copied().flatten();
    let pace = sampled.map_or(1e-6, |found| found.code.unwrap_or(found.pace));
    search::race::lengths(pace, sampled.map_or(1.0, |found| found.sample.options), table)
}

/// Why a search is not for such a game.
fn unsuited(proving: &Proving, case: &Case<'_>) -> Option<String> {
    if let Some(why) = unsuited_at_all(case) {
        return Some(why);
    }
    if proving.way == Way::ProofNumber && case.facts.kind != Kind::Outcome {
        return Some("it is for games that are won and lost".to_string());
    }
    if let Some(reason) = case.gave_up_with(proving.name) {
        return Some(reason.to_string());
    }
    // A search looks at a part of the game, and where one came back to a position, the other may not.
    let searched = |(name, reason): (MethodName, &Reason)| is_search(name) && matches!(reason, Reason::Cycle(_));
    case.cycle().filter(|_| !case.given_up().any(searched)).map(|cycle| format!("positions repeat: {cycle}"))
}

/// Whether a method is one of the searches.
fn is_search(name: MethodName) -> bool {
    [ALPHA_BETA, PROOF_NUMBER].iter().any(|search| search.name == name)
}

const TELLS_MORE: &str = "a table of all positions tells more: how long play lasts, and every position's value";

/// Why no search is taken, although one applies.
fn objection(case: &Case<'_>, sampled: Option<&Sampled>, predicted: &cost::Cost) -> Option<String> {
    match case.options.question {
        Question::Strong => Some(TELLS_MORE.to_string()),
        Question::Weak => None,
        // It would go on for ever, and forget what it has found.
        Question::Auto
            if case.memory < SMALLEST && (fits(case, sampled) || cost::unforgetful(predicted) > case.memory) =>
        {
            Some("there is too little memory for a table of transpositions".to_string())
        }
        Question::Auto => sampled
            .is_none_or(|sampled| sampled.sample.repeats)
            .then(|| "it is not known how many positions there are, or they repeat".to_string()),
    }
}

/// Whether a table of all positions fits in memory, as far as is known.
fn fits(case: &Case<'_>, sampled: Option<&Sampled>) -> bool {
    sampled.is_none_or(|sampled| cost::table_of_all(sampled).bytes <= Some(case.memory))
}

/// Seconds that a table of all positions takes, where that is known.
fn table_seconds(table: Option<f64>, sampled: Option<&Sampled>) -> Option<f64> {
    table.or_else(|| sampled.and_then(|sampled| cost::table_of_all(sampled).seconds))
}

/// Whether a table was begun and turned out far dearer, would not have been done in time, or did not fit.
fn seemed_cheap(case: &Case<'_>) -> bool {
    case.given_up().any(|(_, reason)| matches!(reason, Reason::Dear(_) | Reason::Late(_) | Reason::OutOfMemory(_)))
}

/// Whether a table of all positions takes so little that it is made at once, unless only the start is asked about.
fn is_cheap(case: &Case<'_>, table: Option<f64>, sampled: Option<&Sampled>) -> bool {
    let left = case.seconds.unwrap_or(f64::INFINITY);
    // Where gains count, a table tells no lengths either: a search tells as much.
    let dear = if case.facts.kind == Kind::Score { DEAR_COUNTED } else { DEAR };
    case.options.question == Question::Auto
        && !seemed_cheap(case)
        && table_seconds(table, sampled).is_some_and(|seconds| seconds <= dear.min(SHARE_OF_TIME * left))
        && (table.is_some() || (sampled.is_some() && fits(case, sampled)))
}

/// Who wins if the other player starts may take so many positions, and so many times those that the answer took.
const BESIDE: u64 = 200_000;
const TIMES_BESIDE: u64 = 4;

struct PreparedSearch<'b> {
    proving: Proving,
    maker: Maker<'b>,
    start: Position,
    partizan: bool,
    options: Options,
    total: Option<Fact>,
    /// How long plays are, about.
    depth: usize,
    /// How long the search takes, about.
    seconds: Option<f64>,
    /// The other search, where it is not known which is better: the two take turns.
    other: Option<Proving>,
    /// How long these are.
    turns: turns::Lengths,
}

impl<'b> Prepared<'b> for PreparedSearch<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let declared = self.maker.declared(&self.start, self.seconds, monitor)?;
        monitor.enter("compiling");
        let game = self.maker.game()?;
        game.watch(monitor);
        let key = self.key(&game, &self.start)?;
        monitor.enter_pruned_search("searching");
        let shared: Shared<'b> = game.clone();
        let settings = Settings::new(self.options.threads(), monitor.memory().free() / 100 * SHARE);
        let mut solver = solver(&shared, self.proving.way, settings, monitor.memory())?;
        let found = self.value(&shared, &mut *solver, &key, monitor);
        // What holds of every position is nothing to tell.
        if solver.bounds() != self.maker.bounds {
            tell(monitor, solver.bounds());
        }
        let value = match found.map_err(|error| placed(error, &game, self.maker.keeps))? {
            Done::First(value) => value,
            Done::Other(positions) => {
                let by = self.other.unwrap_or(self.proving).name;
                return Err(GivenUp::Because(Reason::Outrun(by, positions)));
            }
        };
        let (class, class_missing) = self.class(&game, &mut *solver, value, monitor)?;
        let mut report = Report::new(self.cyclic());
        (report.class, report.class_missing, report.declared) = (class, class_missing, declared);
        report.constant_total = self.total.clone();
        report.code = "the options of one position".to_string();
        report.findings.push((
            "searched",
            format!("{} positions, with a table of {} bytes", grouped(solver.nodes()), grouped(solver.bytes())),
        ));
        report.findings.extend(self.maker.no_masks.clone().map(|why| ("no masks", why)));
        if self.options.teach {
            let (began, peak) = (monitor.elapsed(), monitor.memory().peak());
            report.findings.extend(search::counts::counts(&shared, &key, solver.nodes(), self.depth, monitor)?);
            let seconds = monitor.elapsed().saturating_sub(began).as_secs_f64();
            report.aside = Some(Aside { seconds, peak });
        }
        let one = self.options.best == Best::One;
        let answers = SearchAnswers::new(self.proving.name, game, solver, &self.start, value, one, monitor.fork());
        Ok(Found { answers: Box::new(answers), report })
    }
}

impl<'b> PreparedSearch<'b> {
    /// The value of a position, by two searches in turns where it is not known which is better.
    fn value(
        &self,
        game: &Shared<'b>,
        solver: &mut (dyn Solver + 'b),
        key: &[u64],
        monitor: &mut Monitor,
    ) -> Result<Done, Error> {
        let Some(Proving { way, .. }) = self.other else { return solver.value(key, monitor).map(Done::First) };
        let bytes = monitor.memory().free() / 100 * SHARE / OTHERS_SHARE;
        let mut other =
            search::solver::solver(game, way, Settings::new(self.options.threads(), bytes), monitor.memory())?;
        turns::value((self.proving.way, solver), (way, &mut *other), key, self.turns, monitor)
    }

    fn key(&self, game: &RulesGame<'b>, position: &Position) -> Result<Vec<u64>, SolveError> {
        let outside = || SolveError::internal("the start is outside what was proved of all positions");
        game.key(position).ok_or_else(outside)
    }

    /// Who wins whoever starts, where that is asked, or why it is not known.
    fn class(
        &self,
        game: &RulesGame<'b>,
        solver: &mut dyn Solver,
        value: i64,
        monitor: &mut Monitor,
    ) -> Result<(Option<OutcomeClass>, Option<String>), GivenUp> {
        if !self.partizan {
            return Ok((None, None));
        }
        let other = other_to_move(&self.start);
        let missing = |why: String| Some(format!("if {} starts: {why}", other.turn));
        // Games whose positions repeat have no class, and a search does not see all of them.
        if !self.maker.shown_acyclic {
            return Ok((None, missing("positions may repeat, as far as the rules show".to_string())));
        }
        // The answer is known: it must not wait for this for much longer than it took.
        solver.limit(Some(BESIDE.max(TIMES_BESIDE * solver.nodes())));
        let found = solver.value(&self.key(game, &other)?, monitor);
        solver.limit(None);
        let second = match found {
            Ok(second) => second,
            Err(error @ (Error::Interrupted { .. } | Error::Limit { .. })) => return Err(error.into()),
            Err(Error::Dear { .. }) => {
                return Ok((None, missing("it takes more than is spent on it beside the answer".to_string())));
            }
            Err(Error::Cycle(_)) => return Ok((None, missing("positions repeat".to_string()))),
            Err(error) => {
                let why = game.fault().map_or_else(|| error.to_string(), |fault| fault.to_string());
                return Ok((None, missing(why)));
            }
        };
        let (first, second) = match self.start.turn.index() {
            0 => (value, second),
            _ => (second, value),
        };
        Ok((Some(OutcomeClass::new(first > 0, second < 0)), None))
    }

    /// That positions repeat is known from the rules alone: a search leaves most of them out.
    fn cyclic(&self) -> Option<Fact> {
        match (&self.maker.acyclic, self.maker.shown_acyclic) {
            (Some(fact), _) => Some(Fact::no(fact.why.clone())),
            (None, true) => Some(Fact::no("the rules show it")),
            (None, false) => None,
        }
    }
}

/// Keeps what is proved of the start, for the case that a limit is reached.
fn tell(monitor: &Monitor, bounds: Bounds) {
    let Bounds { low, high } = bounds;
    monitor.prove(if low <= -INFINITE { i64::MIN } else { low }, if high == INFINITE { i64::MAX } else { high });
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::bind::bind;
    use rules::instance::Instance;
    use std::sync::Arc;

    #[test]
    fn where_one_search_came_back_to_a_position_the_other_is_tried() {
        let rules = "game walk() { state { at in 0..=3 = 0; } end when at == 3 => lose;
            move step(to in 0..=3) when to != at { at = to; } }";
        let bound = bind(&Arc::new(rules::compile(rules).unwrap()), &Instance::default()).unwrap();
        let unsuited_after = |names: &[MethodName]| {
            let mut case = Case::new(&bound, &bound.start, &Options::default(), 1 << 30).unwrap();
            names.iter().for_each(|name| case.give_up(*name, Reason::Cycle("0, 1, 0".to_string())));
            [ALPHA_BETA, PROOF_NUMBER].map(|search| unsuited(&search, &case).is_some())
        };
        assert_eq!(unsuited_after(&[]), [false, false]);
        assert_eq!(unsuited_after(&[ALPHA_BETA.name]), [true, false]);
        assert_eq!(unsuited_after(&[ALPHA_BETA.name, PROOF_NUMBER.name]), [true, true]);
        assert_eq!(unsuited_after(&[MethodName::new("induction")]), [true, true]);
    }
}
