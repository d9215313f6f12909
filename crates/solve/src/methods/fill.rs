//! `fill`: a loop nest fills a dense table of all codes, in an order proved from the rules, so that nothing is searched.

use std::cell::OnceCell;
use std::sync::Arc;

use engine::Error;
use engine::memory::{Lease, Memory};
use engine::monitor::Monitor;
use formula::TurnPlace;
use formula::study::Study;
use game::{Nimber, Outcome, Player, Remoteness, Verdict};
use jit::{Filler, Halt, Outline, Strategy, Values};
use memmap2::{MmapMut, MmapOptions};
use rules::bind::Position;

use super::compiled::nest_values;
use super::sampling::studied;
use crate::answers::{Answers, Positions, Proof, outcome_class};
use crate::case::{Case, Sampled};
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Ability, Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;
use positions::coding::{Coding, Use, dense, dense_places};
use positions::compiled::Codec;
use positions::cost;
use positions::names::cell_name;

/// Its name.
const NAME: MethodName = MethodName::compiled("fill");
/// How often a code is drawn until one is met that can be reached.
const MOST_TRIES: usize = 100_000;

/// The method.
pub(super) struct Fill;

impl Method for Fill {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "Compiled: a dense table filled by a loop nest"
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::EveryPosition | Ability::EveryCode | Ability::EveryPart)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        if let Some(reason) = case.gave_up_with(NAME) {
            return Ok(Look::no(reason.to_string()));
        }
        let studied = studied(case, monitor)?;
        let sampled = studied.as_ref().ok().and_then(|found| found.sampled);
        let found = studied.and_then(|found| filling(case, found.study)).and_then(|filling| {
            let coded = dense(&filling.study).ok_or("no loop nest: too many codes for a dense table")?;
            Ok((case.coding(filling.study, coded, Use::Dense), filling.values, filling.more, filling.bytes))
        });
        Ok(match found {
            Ok((coding, values, more, bytes)) => {
                let why = "a loop nest fills a table of all codes: the order is proved, so that nothing is searched";
                let code = Code::compiled(case, &coding);
                let acyclic = case.shown_acyclic(&coding.study);
                let threads = case.options.threads();
                let cost = least_cost(case, sampled, &coding, values, more, bytes)
                    .unwrap_or_else(|| nest_cost(case, &coding, values, more, bytes));
                let known = case.proved_once.outlines.borrow();
                if let Some(why) = known.iter().find_map(|(_, outline)| outline.as_ref().err()) {
                    return Ok(Look::no(format!("no loop nest: {why}")));
                }
                let nests = Nests { values, more, code: OnceCell::new() };
                let prepared = PreparedFill { total: case.facts.total_is_proved(), coding, nests, threads };
                Look::yes(Prospect { cost, acyclic, is_decisive: false, ..Prospect::new(why, code, prepared) })
            }
            Err(why) => Look::no(why),
        })
    }
}

/// What a loop nest would fill.
struct Filling {
    study: Arc<Study>,
    values: Values,
    more: Option<Values>,
    bytes: u64,
}

/// The study, values and bytes of a table that a loop nest can fill, or why there is none.
fn filling(case: &Case<'_>, study: Arc<Study>) -> Result<Filling, String> {
    if let Some(skewed) = &study.skewed
        && let Some(numbering) = skewed.numbering(true, TurnPlace::First)
        && let Ok((values, more, bytes)) = nest_values(case, skewed, numbering.size)
    {
        return Ok(Filling { study: Arc::new((**skewed).clone()), values, more, bytes });
    }
    let places = dense_places(&study).ok_or("no loop nest: too many codes for a dense table")?;
    let found = nest_values(case, &study, places).map_err(|why| format!("no loop nest: {}", case.named(&why)));
    let (values, more, bytes) = found?;
    Ok(Filling { study, values, more, bytes })
}

/// What filling the tables of a case takes.
pub(super) fn nest_cost(
    case: &Case<'_>,
    coding: &Coding<'_>,
    values: Values,
    more: Option<Values>,
    bytes: u64,
) -> Cost {
    let mut code = 0;
    let seconds = [Some(values), more].into_iter().flatten().map(|values| {
        let outline = outline(case, coding, values).ok()?;
        code = code.max(cost::code_bytes(&coding.weight, values, outline));
        Some(cost::fill(&coding.weight, coding.places, values, outline, case.options.threads()))
    });
    let seconds = seconds.sum();
    // Code is made before the table.
    let bytes = Some(bytes.max(code));
    let places = Some(coding.places);
    Cost { positions: places, codes: places, bytes, seconds, ..Cost::default() }
}

/// What the loop nest for a table would look like, or why none would be made.
fn outline(case: &Case<'_>, coding: &Coding<'_>, values: Values) -> Result<Outline, String> {
    let known = &case.proved_once.outlines;
    if let Some((_, outline)) = known.borrow().iter().find(|(known, _)| *known == values) {
        return outline.clone();
    }
    let order = coding.study.order.as_ref().map_err(Clone::clone)?;
    let outline = Filler::outline(coding.codec.coded(), order, values).map_err(|error| error.to_string());
    known.borrow_mut().push((values, outline.clone()));
    outline
}

/// What filling takes at the least, where that is more than to value the positions that were looked at, which are all: then how
/// the loop nest would be made is not worth finding out.
fn least_cost(
    case: &Case<'_>,
    sampled: Option<Sampled>,
    coding: &Coding<'_>,
    values: Values,
    more: Option<Values>,
    bytes: u64,
) -> Option<Cost> {
    let explored = cost::explored(0.0, 1, &sampled.filter(|_| case.is_explored())?);
    let threads = case.options.threads();
    let outline = Outline { strategy: Strategy::Rows, written: 0 };
    let least = |values| cost::fill(&coding.weight, coding.places, values, outline, threads);
    let seconds: f64 = [Some(values), more].into_iter().flatten().map(least).sum();
    let places = Some(coding.places);
    let cost = Cost { positions: places, codes: places, bytes: Some(bytes), seconds: Some(seconds), ..Cost::default() };
    explored.seconds.filter(|explored| *explored < seconds).map(|_| cost)
}

/// Why no loop nest fills a table.
pub(super) fn objection(case: &Case<'_>, study: Arc<Study>) -> Option<String> {
    filling(case, study).err()
}

/// A loop nest for each table, compiled once.
pub(super) struct Nests {
    pub values: Values,
    pub more: Option<Values>,
    pub code: OnceCell<Vec<(Filler, Values)>>,
}

impl Nests {
    /// The code.
    pub fn compiled(&self, coding: &Coding<'_>) -> Result<&[(Filler, Values)], GivenUp> {
        if let Some(code) = self.code.get() {
            return Ok(code);
        }
        let no = |why: String| GivenUp::Because(Reason::Code(why));
        let order = coding.study.order.as_ref().map_err(|why| no(why.clone()))?;
        let nest = |values| Filler::compile(coding.codec.coded(), order, values).map(|filler| (filler, values));
        let nests: Result<Vec<_>, _> = [Some(self.values), self.more].into_iter().flatten().map(nest).collect();
        let nests = nests.map_err(|error| no(error.to_string()))?;
        Ok(self.code.get_or_init(|| nests))
    }

    /// The filled tables.
    pub fn fill(&self, coding: &Coding<'_>, threads: usize, monitor: &mut Monitor) -> Result<Vec<Filled>, GivenUp> {
        monitor.enter("compiling");
        let nests = self.compiled(coding)?;
        let mut tables = Vec::with_capacity(nests.len());
        for (filler, values) in nests {
            monitor.enter_expecting("loop nest", coding.places);
            let filled = Filled::fill(filler, *values, coding.places, threads, monitor);
            tables.push(filled.map_err(|unfilled| match unfilled {
                Unfilled::Stopped(error) => error.into(),
                // Somewhere the rules go wrong: only what can be reached counts.
                Unfilled::Fault => GivenUp::Because(Reason::Unreached),
            })?);
        }
        Ok(tables)
    }

    /// What the code looks like, in words.
    pub fn describe(&self, coding: &Coding<'_>) -> String {
        let first = self.code.get().and_then(|nests| nests.first());
        first.map(|(filler, _)| filler.describe_with(&|cell| cell_name(coding.bound, cell))).unwrap_or_default()
    }
}

struct PreparedFill<'b> {
    coding: Coding<'b>,
    nests: Nests,
    threads: usize,
    total: Option<Fact>,
}

impl<'b> Prepared<'b> for PreparedFill<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let coding = &self.coding;
        let declared = coding.check_declared(monitor)?;
        let mut tables = self.nests.fill(coding, self.threads, monitor)?.into_iter();
        let first = tables.next().ok_or_else(|| SolveError::internal("a fill without values"))?;
        let answers = FilledAnswers { codec: coding.codec.clone(), values: first, nimbers: tables.next() };
        let why = coding.study.order.as_ref().map_or(String::new(), |order| coding.named(&order.why));
        let mut report = Report::new(Fact::no(why));
        report.declared = declared;
        report.constant_total = self.total.clone();
        report.code = self.nests.describe(coding);
        report.class_missing = coding.other_start(monitor)?;
        let asked = coding.partizan && report.class_missing.is_none();
        report.class = asked.then(|| outcome_class(&answers, &coding.start)).flatten();
        Ok(Found { answers: Box::new(answers), report })
    }
}

/// Values by code: outcomes with Grundy numbers beside where the game has them, or scores.
struct FilledAnswers {
    codec: Codec,
    values: Filled,
    nimbers: Option<Filled>,
}

impl Answers for FilledAnswers {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        let code = self.codec.code_of(position)?;
        if let Some(score) = self.values.score(code) {
            return Some(Verdict::Score(score));
        }
        let (outcome, remoteness) = self.values.outcome(code)?;
        let nimber = self.nimbers.as_ref().and_then(|nimbers| nimbers.nimber(code));
        Some(Verdict::Outcome { outcome, remoteness, nimber })
    }

    fn positions(&self) -> u64 {
        self.codec.coded().numbering.size
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Table
    }

    fn number(&self, position: &Position) -> u64 {
        self.codec.code_of(position).unwrap_or(u64::MAX)
    }

    fn each(&self, _: Player) -> Positions<'_> {
        Box::new((0..self.positions()).filter_map(|code| self.codec.position(code)))
    }

    fn random(&self, _: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        random_position(&self.codec, random)
    }
}

/// The position of a random code.
pub(super) fn random_position(codec: &Codec, random: &mut dyn FnMut() -> u64) -> Option<Position> {
    (0..MOST_TRIES).find_map(|_| {
        let code = (u128::from(random()) * u128::from(codec.coded().numbering.size)) >> 64;
        codec.position(code as u64)
    })
}

/// A limit with what was valued by then, and not with all that there is.
fn after_valuing(positions: u64, error: Error) -> Error {
    match error {
        Error::Limit { limit, .. } => Error::Limit { limit, positions },
        Error::Interrupted { .. } => Error::Interrupted { positions },
        Error::Dear { .. } => Error::Dear { positions },
        error => error,
    }
}

/// A filled table.
#[derive(Debug)]
pub(super) struct Filled {
    values: Values,
    bytes: MmapMut,
    _lease: Lease,
}

/// Tables of at least so many bytes ask for large pages: what a fill of a large table costs is mostly the first touch of each
/// page, and large ones are touched 512 times less often.
const LARGE: usize = 4 << 20;

/// Why a table was not filled.
#[derive(Debug)]
pub(super) enum Unfilled {
    /// The rules go wrong at this code, which play may never reach.
    Fault,
    /// A limit or a stop.
    Stopped(Error),
}

impl Filled {
    /// Fills a table, in slices, so that limits and a stop are seen.
    pub fn fill(
        filler: &Filler,
        values: Values,
        places: u64,
        threads: usize,
        monitor: &mut Monitor,
    ) -> Result<Filled, Unfilled> {
        let mut filled = Filled::empty(values, filler.bytes(), monitor.memory()).map_err(Unfilled::Stopped)?;
        let mut stopped = None;
        let bytes = filler.bytes();
        let result =
            filler.run(&mut filled.bytes[..bytes], threads, &mut |done| match monitor.look(places, done.min(places)) {
                Ok(()) => true,
                Err(error) => {
                    stopped = Some(after_valuing(done.min(places), error));
                    false
                }
            });
        match (result, stopped) {
            (_, Some(error)) => Err(Unfilled::Stopped(error)),
            (Err(Halt::Fault(_)), _) => Err(Unfilled::Fault),
            (Err(Halt::Stopped), None) => Err(Unfilled::Stopped(Error::Internal("a fill stopped".to_string()))),
            (Ok(()), None) => Ok(filled),
        }
    }

    fn empty(values: Values, bytes: usize, memory: &Memory) -> Result<Filled, Error> {
        let mut lease = memory.lease();
        lease.grow(bytes as u64)?;
        let mapped = MmapOptions::new().len(bytes.max(1)).map_anon();
        let mapped = mapped.map_err(|_| memory.exceeded(memory.used()))?;
        #[cfg(target_os = "linux")]
        if bytes >= LARGE {
            // Only a wish: where the system has no large pages, small ones do.
            let _ = mapped.advise(memmap2::Advice::HugePage);
        }
        Ok(Filled { values, bytes: mapped, _lease: lease })
    }

    /// Won, drawn or lost, with remoteness where the table has it.
    pub fn outcome(&self, code: u64) -> Option<(Outcome, Remoteness)> {
        self.values.outcome(self.values.read(&self.bytes, code)?)
    }

    /// The mover's score.
    pub fn score(&self, code: u64) -> Option<i64> {
        self.values.score(self.values.read(&self.bytes, code)?)
    }

    /// The Grundy number.
    pub fn nimber(&self, code: u64) -> Option<Nimber> {
        self.values.nimber(self.values.read(&self.bytes, code)?)
    }
}
