//! What the methods that search share: only the value of the start is proved, and of other positions what is asked later.
//!
//! [`game`](mod@game) is the rules as a search sees them, `maker` makes it of a case, [`answers`] proves moves one by one on demand, [`race`] lets the searches
//! compete in short trials, [`ahead`] looks so many moves ahead, [`counts`] shows for teaching what simpler searches would look at.
//!
//! A search is offered where a table of all positions takes long, or where only the start is asked about: it tells neither how
//! long play lasts nor nimbers. Elsewhere it is the last resort, should the table turn out far dearer. The chooser tries it for a
//! share of what the table takes.

pub(crate) mod ahead;
pub mod answers;
pub mod counts;
pub mod game;
mod maker;
pub mod race;

use ::game::OutcomeClass;
use engine::Error;
use engine::monitor::Monitor;
use rules::bind::Position;
use search::game::{Bounds, INFINITE, MOST_WORDS, Shared};
use search::solver::{Settings, Solver, Way, solver};

use self::answers::SearchAnswers;
use self::game::{RulesGame, placed};
use self::maker::{Maker, unsuited_at_all};
use super::cost;
use super::sampling::sampled;
use crate::case::{Case, Kind, Sampled};
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::method::{Aside, Found, GivenUp, Look, Prepared, Prospect, Report};
use crate::numbers::grouped;
use crate::options::{Best, MethodName, Options, Question};
use crate::positions::other_to_move;

/// A table that takes longer than this is dear, and so is one that takes this share of the time there is.
const DEAR: f64 = 2.0;
const DEAR_COUNTED: f64 = 0.02;
const SHARE_OF_TIME: f64 = 0.1;
/// With less memory no search is taken, unless it is asked for or a table does not fit either.
const SMALLEST: u64 = 16 << 20;
/// The share of the memory that a table of transpositions takes at the most, in percent.
const SHARE: u64 = 60;

/// What is proved, and how: one of the methods.
pub(super) struct Proving {
    pub name: MethodName,
    pub way: Way,
    /// What it does, as the beginning of a sentence.
    pub what: &'static str,
}

/// Looks at a case for one of the searches.
pub(super) fn recognise<'b>(
    proving: &'static Proving,
    case: &Case<'b>,
    monitor: &mut Monitor,
) -> Result<Look<'b>, SolveError> {
    if let Some(why) = unsuited(proving, case) {
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
        if let Some(why) = objection(case, sampled.as_ref()) {
            return Ok(Look::no(why));
        }
        if is_cheap(case, sampled.as_ref(), monitor) {
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
    if case.facts.kind == Kind::Outcome && !asked {
        let race = race::race(case, &maker, table_seconds(case, sampled.as_ref()), monitor)?;
        if let (Some(seconds), Some(race)) = (cost.seconds, race) {
            cost.seconds = Some(seconds * race.handicap(proving.way));
            why.push_str(&format!("; {}", race.text()));
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
    };
    let prospect =
        Prospect { is_decisive: false, only_start: true, cost, acyclic, ..Prospect::new(why, code, prepared) };
    Ok(Look::yes(prospect))
}

/// Why a search is not for such a game.
fn unsuited(proving: &Proving, case: &Case<'_>) -> Option<String> {
    if let Some(why) = unsuited_at_all(case) {
        return Some(why);
    }
    if proving.way == Way::ProofNumber && case.facts.kind != Kind::Outcome {
        return Some("it is for games that are won and lost".to_string());
    }
    if let Some(cycle) = case.cycle() {
        return Some(format!("positions repeat: {cycle}"));
    }
    case.gave_up_with(proving.name).map(ToString::to_string)
}

const TELLS_MORE: &str = "a table of all positions tells more: how long play lasts, and every position's value";

/// Why no search is taken, although one applies.
fn objection(case: &Case<'_>, sampled: Option<&Sampled>) -> Option<String> {
    match case.options.question {
        Question::Strong => Some(TELLS_MORE.to_string()),
        Question::Weak => None,
        // It would go on for ever, and forget what it has found.
        Question::Auto if case.memory < SMALLEST && fits(case, sampled) => {
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
fn table_seconds(case: &Case<'_>, sampled: Option<&Sampled>) -> Option<f64> {
    case.table.get().or_else(|| sampled.and_then(|sampled| cost::table_of_all(sampled).seconds))
}

/// Whether a table was begun and turned out far dearer, would not have been done in time, or did not fit.
fn seemed_cheap(case: &Case<'_>) -> bool {
    case.given_up.iter().any(|(_, reason)| matches!(reason, Reason::Dear(_) | Reason::Late(_) | Reason::OutOfMemory(_)))
}

/// Whether a table of all positions takes so little that it is made at once, unless only the start is asked about.
fn is_cheap(case: &Case<'_>, sampled: Option<&Sampled>, monitor: &Monitor) -> bool {
    let left = monitor.time_left().map_or(f64::INFINITY, |left| left.as_secs_f64());
    // Where gains count, a table tells no lengths either: a search tells as much.
    let dear = if case.facts.kind == Kind::Score { DEAR_COUNTED } else { DEAR };
    case.options.question == Question::Auto
        && !seemed_cheap(case)
        && table_seconds(case, sampled).is_some_and(|seconds| seconds <= dear.min(SHARE_OF_TIME * left))
        && (case.table.get().is_some() || (sampled.is_some() && fits(case, sampled)))
}

struct PreparedSearch<'b> {
    proving: &'static Proving,
    maker: Maker<'b>,
    start: Position,
    partizan: bool,
    options: Options,
    total: Option<Fact>,
    /// How long plays are, about.
    depth: usize,
    /// How long the search takes, about.
    seconds: Option<f64>,
}

impl<'b> Prepared<'b> for PreparedSearch<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let declared = self.maker.declared(&self.start, self.seconds, monitor)?;
        monitor.enter("compiling");
        let game = self.maker.game()?;
        game.watch(monitor);
        let key = self.key(&game, &self.start)?;
        monitor.enter_search("searching");
        let shared: Shared<'b> = game.clone();
        let settings = Settings::new(self.options.threads(), monitor.memory().free() / 100 * SHARE);
        let mut solver = solver(&shared, self.proving.way, settings, monitor.memory())?;
        let found = solver.value(&key, monitor);
        tell(monitor, solver.bounds());
        let value = found.map_err(|error| placed(error, &game, self.maker.keeps))?;
        let (class, class_missing) = self.class(&game, &mut *solver, value, monitor)?;
        let mut report = Report::new(self.cyclic(solver.nodes()));
        (report.class, report.class_missing, report.declared) = (class, class_missing, declared);
        report.constant_total = self.total.clone();
        report.code = "the options of one position".to_string();
        report.findings.push((
            "searched",
            format!("{} positions, with a table of {} bytes", grouped(solver.nodes()), grouped(solver.bytes())),
        ));
        if self.options.teach {
            let (began, peak) = (monitor.elapsed(), monitor.memory().peak());
            report.findings.extend(counts::counts(&shared, &key, solver.nodes(), self.depth, monitor)?);
            let seconds = monitor.elapsed().saturating_sub(began).as_secs_f64();
            report.aside = Some(Aside { seconds, peak });
        }
        let one = self.options.best == Best::One;
        let answers =
            SearchAnswers::new(self.proving.name.name(), game, solver, &self.start, value, one, monitor.fork());
        Ok(Found { answers: Box::new(answers), report })
    }
}

impl<'b> PreparedSearch<'b> {
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
        let found = solver.value(&self.key(game, &other)?, monitor);
        let second = match found {
            Ok(second) => second,
            Err(error @ (Error::Interrupted { .. } | Error::Dear { .. } | Error::Limit { .. })) => {
                return Err(error.into());
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

    fn cyclic(&self, nodes: u64) -> Fact {
        Fact::no(match (&self.maker.acyclic, self.maker.shown_acyclic) {
            (Some(fact), _) => fact.why.clone(),
            (None, true) => "the rules show it".to_string(),
            (None, false) => format!("the search looked at {} positions, and no play came back to one", grouped(nodes)),
        })
    }
}

/// Keeps what is proved of the start, for the case that a limit is reached.
fn tell(monitor: &Monitor, bounds: Bounds) {
    let Bounds { low, high } = bounds;
    monitor.prove(if low <= -INFINITE { i64::MIN } else { low }, if high >= INFINITE { i64::MAX } else { high });
}
