//! What the methods that search share: only the value of the start is proved, and of other positions what is asked later.
//!
//! [`game`](mod@game) is the rules as a search sees them, [`answers`] proves moves one by one on demand, [`race`] lets the searches
//! compete in short trials, [`ahead`] looks so many moves ahead, [`counts`] shows for teaching what simpler searches would look at.
//!
//! A search is chosen where a table of all positions is much dearer, or where that is asked for: it tells neither how long play
//! lasts nor nimbers.

pub(crate) mod ahead;
pub mod answers;
pub mod counts;
pub mod game;
pub mod race;

use std::sync::Arc;

use ::game::OutcomeClass;
use engine::Error;
use engine::monitor::Monitor;
use formula::study::Study;
use rules::bind::{Bound, Position};
use search::game::{Bounds, Game, INFINITE, MOST_WORDS, Shared};
use search::solver::{Settings, Solver, Way, solver};

use self::answers::SearchAnswers;
use self::game::{RulesGame, Source};
use super::compiled::{Coding, Use, hashed, suits};
use super::cost;
use super::proofs::proved;
use super::sampling::sampled;
use crate::audit::Proved;
use crate::case::{Case, Kind, Sampled};
use crate::error::SolveError;
use crate::fact::Fact;
use crate::method::{Code, Cost, Found, GivenUp, Look, Prepared, Prospect, Report};
use crate::options::{Best, MethodName, Options, Question};
use crate::positions::state::Keys;
use crate::positions::{Keeps, other_to_move};
use crate::reason::Reason;
use crate::{declared, repeats};

/// A table that takes longer than this is dear: then only the value of the start is proved, unless more is asked for.
const DEAR: f64 = 20.0;
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
    let (maker, code) = Maker::new(case);
    if maker.words() > MOST_WORDS {
        return Ok(Look::no(format!("a position takes more than {} bits", 64 * MOST_WORDS)));
    }
    let mut cost =
        sampled.map(|found| cost::proving(maker.making(), &found, case.memory / 100 * SHARE)).unwrap_or_default();
    let objection = objection(case, sampled.as_ref(), &cost);
    let acyclic = maker.acyclic.clone();
    let mut why = format!("{}: only the value of the start is proved, and moves one by one", proving.what);
    if objection.is_none() && case.facts.kind == Kind::Outcome && case.options.method.is_none() {
        let race = race::race(case, &maker, monitor)?;
        if let (Some(seconds), Some(race)) = (cost.seconds, race) {
            cost.seconds = Some(seconds * race.handicap(proving.way));
            why.push_str(&format!("; {}", race.told()));
        }
    }
    let prepared = PreparedSearch {
        proving,
        start: case.start.clone(),
        partizan: case.facts.partizan,
        options: case.options.clone(),
        total: case.facts.total_is_proved(),
        depth: sampled.map_or(0, |found| found.sample.depth),
        maker,
    };
    let prospect = Prospect { objection, is_decisive: false, cost, acyclic, ..Prospect::new(why, code, prepared) };
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

/// Why no search is for such a game.
fn unsuited_at_all(case: &Case<'_>) -> Option<String> {
    if let Err(why) = suits(case) {
        return Some(why);
    }
    let summed = case.options.summand || case.bound.program.sum.is_some();
    summed.then(|| "a sum is solved by its parts, or searched as a whole".to_string())
}

/// Why a table of all positions is better, although a search applies.
fn objection(case: &Case<'_>, sampled: Option<&Sampled>, own: &Cost) -> Option<String> {
    let more = "a table of all positions tells more: how long play lasts, and every position's value";
    match case.options.question {
        Question::Strong => Some(more.to_string()),
        Question::Weak => None,
        Question::Auto => {
            let Some(sampled) = sampled.filter(|sampled| !sampled.sample.repeats) else {
                return Some("it is not known how many positions there are, or they repeat".to_string());
            };
            let table = cost::table_of_all(sampled);
            let dear =
                table.seconds.is_some_and(|seconds| seconds > DEAR && own.seconds.is_some_and(|own| own < seconds));
            let large = table.bytes.is_some_and(|bytes| bytes > case.memory);
            (!dear && !large).then(|| more.to_string())
        }
    }
}

/// Makes the game that is searched.
pub(crate) struct Maker<'b> {
    bound: &'b Bound,
    coding: Option<Coding<'b>>,
    program: Option<Arc<jit::program::Rules>>,
    keys: Keys,
    keeps: Keeps,
    bounds: Bounds,
    /// That positions cannot repeat, where the rules show it.
    pub acyclic: Option<Fact>,
    shown_acyclic: bool,
    /// What the file declares that is proved from the rules.
    proved: Proved,
}

impl<'b> Maker<'b> {
    /// The game that fits a case, and what runs its rules.
    pub fn new(case: &Case<'b>) -> (Maker<'b>, Code) {
        let bound = case.bound;
        let study = case.study();
        let coding = match &study {
            Ok(study) => hashed(study)
                .map(|coded| Coding::new(case, Arc::clone(study), coded, Use::Hashed))
                .ok_or("a position does not fit in 63 bits".to_string()),
            Err(why) => Err(why.clone()),
        };
        let (coding, program, code) = match coding {
            Ok(coding) => {
                let code = coding.code(case);
                (Some(coding), None, code)
            }
            Err(why) => match case.program() {
                Ok(rules) => {
                    let numbering = format!("keys of {} bits: {why}", rules.bits());
                    let proved = study.iter().flat_map(|study| &study.facts).map(|fact| case.named(fact)).collect();
                    (None, Some(rules), Code::Compiled { numbering, proved })
                }
                Err(_) => (None, None, Code::Interpreted(why)),
            },
        };
        let acyclic = study.as_ref().ok().and_then(|study| shown_acyclic(case, study));
        let keeps = if case.facts.kind == Kind::Score { Keeps::Score } else { Keeps::Outcome };
        let score = study.as_ref().ok().and_then(|study| study.score_bound).map(i64::unsigned_abs);
        let bounds = match (keeps, score) {
            (Keeps::Outcome, _) => Bounds::OUTCOME,
            (_, Some(most)) if most < INFINITE as u64 / 4 => Bounds { low: -(most as i64), high: most as i64 },
            _ => Bounds::ANY,
        };
        let shown_acyclic = acyclic.is_some() || case.facts.acyclic.holds;
        let keys = Keys::new(bound, case.facts.with_turn);
        let proved = proved(case, study.ok().as_deref());
        (Maker { bound, coding, program, keys, keeps, bounds, acyclic, shown_acyclic, proved }, code)
    }

    fn words(&self) -> usize {
        match (&self.coding, &self.program) {
            (Some(_), _) => 1,
            (None, Some(rules)) => rules.words(),
            (None, None) => self.keys.words(),
        }
    }

    fn making(&self) -> f64 {
        self.coding.as_ref().map_or(0.0, Coding::making)
    }

    /// The game.
    pub fn game(&self) -> Result<Arc<RulesGame<'b>>, GivenUp> {
        let source = match (&self.coding, &self.program) {
            (Some(coding), _) => {
                Source::Codes { codec: coding.codec.clone(), code: coding.successors()?, group: coding.group.clone() }
            }
            (None, Some(rules)) => Source::Program(Arc::clone(rules)),
            (None, None) => Source::Interpreted(self.keys.clone()),
        };
        Ok(Arc::new(RulesGame::new(self.bound, self.keeps, source, self.bounds, self.shown_acyclic)))
    }

    /// What the file declares: proved from the rules, or checked at the first positions. No answer rests on it.
    fn declared(&self, start: &Position, monitor: &mut Monitor) -> Result<Option<Fact>, SolveError> {
        match self.coding.as_ref().and_then(Coding::proves_declared) {
            Some(proved) => Ok(Some(proved)),
            None => declared::check(self.bound, start, None, self.proved, self.keeps, monitor),
        }
    }
}

/// That positions cannot repeat, if formulas prove it.
fn shown_acyclic(case: &Case<'_>, study: &Study) -> Option<Fact> {
    match (&study.order, &study.potential) {
        (Ok(order), _) => Some(Fact::yes(case.named(&order.why))),
        (Err(_), Some(potential)) => Some(Fact::yes(format!("with every move {}", case.named(&potential.why)))),
        (Err(_), None) => None,
    }
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
}

impl<'b> Prepared<'b> for PreparedSearch<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let declared = self.maker.declared(&self.start, monitor)?;
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
        report
            .findings
            .push(("searched", format!("{} positions, with a table of {} bytes", solver.nodes(), solver.bytes())));
        if self.options.teach {
            report.findings.extend(counts::counts(&shared, &key, solver.nodes(), self.depth, monitor)?);
        }
        let one = self.options.best == Best::One;
        let answers = SearchAnswers::new(game, solver, &self.start, value, one, monitor.fork());
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
            (None, false) => format!("the search looked at {nodes} positions, and no play came back to one"),
        })
    }
}

/// Keeps what is proved of the start, for the case that a limit is reached.
fn tell(monitor: &Monitor, bounds: Bounds) {
    let Bounds { low, high } = bounds;
    monitor.prove(if low <= -INFINITE { i64::MIN } else { low }, if high >= INFINITE { i64::MAX } else { high });
}

/// An error of a search, with the position it is about. A cycle is a reason to give up.
fn placed(error: Error, game: &RulesGame<'_>, keeps: Keeps) -> GivenUp {
    match error {
        Error::Cycle(words) => {
            let keys = words.chunks(Game::words(game));
            let cycle: Vec<Position> = keys.filter_map(|key| game.position(key)).collect();
            let same = |a: &Position, b: &Position| game.key(a) == game.key(b);
            let shown = repeats::describe_positions(game.bound, &cycle, cycle.len(), &same);
            match keeps {
                Keeps::Outcome => GivenUp::Because(Reason::Cycle(shown)),
                _ => repeats::refuse(game.bound, Kind::Score, cycle.len(), &shown).into(),
            }
        }
        Error::Fault(_) => match game.fault() {
            Some(fault) => fault.into(),
            None => GivenUp::Because(Reason::Code("a position could not be worked out".to_string())),
        },
        Error::Overflow => GivenUp::Because(Reason::Overflow(game.fault().unwrap_or(SolveError::Overflow))),
        error => error.into(),
    }
}
