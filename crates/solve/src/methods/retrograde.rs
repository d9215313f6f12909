//! `retrograde`: backwards from the ends, level by level, for games of two that are won, lost or drawn and whose positions
//! can repeat. By dense codes where a bit for each of them fits, else on a graph.
//!
//! Positions with codes are ranked: those that are met, one for each orbit of the symmetries that are found in the rules and proved
//! ([`formula::orbits`]). Quixo of four by four cubes has 86 million codes, 5.2 million of which are kept.
//!
//! In a dense table, compiled code can find the positions before a position from the rules themselves ([`jit::reverse`]), so
//! that no moves are stored. Whole runs of `solve` on Cat and Mouse, with the time to compile both kinds of code, take so many times
//! as long without it (processor time, November 2026): 0.8 with 10,000 codes, 0.8 to 1.2 with 20,000 to 30,000, 1.1 to 1.2 with
//! 45,000, 1.8 with 320,000, 2.2 with 1.6 million. So it is taken from 2^15 codes on. For one token that walks through lists of
//! arrows it costs more than it saves. It does not yet know declared draws (rook endings), nor endless play that somebody wins (Cat
//! and Mouse II).

use std::cell::OnceCell;
use std::sync::Arc;

use engine::Error;
use engine::codes::{CodeTable, Codes, Kind as CodeKind, Map, dense_retrograde};
use engine::monitor::Monitor;
use engine::retrograde::{Forever, retrograde};
use formula::extremes::has_draws;
use jit::reverse;
use rules::bind::{Bound, Position};

use super::compiled::{MOST_SEARCHED, affords};
use super::graphs::{GraphAnswers, Graphs};
use super::sampling::sampled;
use super::search::CodeAnswers;
use crate::case::{Case, Kind};
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Ability, Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::{Engine, MethodName};
use positions::coding::{Coding, Use, dense, dense_places};
use positions::cost;
use positions::oracle::Keeps;
use positions::remembered::Remembered;

/// Its name.
const NAME: MethodName = MethodName::new("retrograde");
/// A map of more codes is not made where fewer than one in so many is met.
const SPARSE: f64 = 4096.0;
/// Codes have 32 bits.
const MOST_CODES: u64 = (1 << 32) - 1;
/// Moves are turned round where there are so many codes, and lists no longer than these.
const INVERTED: std::ops::RangeInclusive<u64> = 1 << 15..=1 << 22;
/// From so many codes on where compiled code is asked for, whatever it takes to compile.
const INVERTED_WHEN_ASKED: u64 = 1 << 9;
/// Codes worked on between two looks at the limits.
const STRETCH: u64 = 1 << 16;

/// The method.
pub(super) struct Retrograde;

impl Method for Retrograde {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "Backwards from the ends, for positions that repeat"
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::EveryPosition | Ability::EveryPart)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let facts = &case.facts;
        if facts.kind != Kind::Outcome {
            return Ok(Look::no("it is for games of two players that are won, lost or drawn"));
        }
        let no_code = match case.gave_up_with(NAME) {
            None => false,
            Some(Reason::Code(_) | Reason::CodeMemory(_)) => true,
            Some(reason) => return Ok(Look::no(format!("it gave up: {reason}"))),
        };
        let why = "positions repeat: ends are carried back over the moves, and what is never reached is endless play";
        let cyclic = match (case.cycle(), case.options.method) {
            (Some(cycle), None) => Fact::yes(format!("the search found a cycle: {cycle}")),
            _ => Fact { holds: !facts.acyclic.holds, why: format!("not looked at; the rules: {}", facts.acyclic.why) },
        };
        let objection = case.cycle().is_none().then(|| "positions are not known to repeat".to_string());
        let forever = case.bound.forever.map_or(Forever::Draw, Forever::Win);
        let sampled = sampled(case, monitor)?;
        let met = sampled.map_or(0.0, |sampled| sampled.sample.positions);
        // Two bits and a part of a count for each code.
        let fits = |places: &u64| {
            let dense = *places <= MOST_SEARCHED || (*places <= MOST_CODES && *places as f64 <= met * SPARSE);
            dense && affords(case, places / 2)
        };
        let study = case.study_beside(sampled.as_ref()).ok().filter(|_| !no_code && !case.facts.sum.holds);
        let coded = study.filter(|study| dense_places(study).filter(fits).is_some());
        let coded = coded.and_then(|study| dense(&study).map(|coded| (study, coded)));
        let prospect = match coded {
            Some((study, coded)) => {
                // Where positions cannot repeat, others are quicker: no proofs of symmetries are made for nothing.
                let may_repeat = study.order.is_err() && study.potential.is_none();
                let coding = match may_repeat || case.options.method == Some(NAME) {
                    true => case.folded_coding(study, coded),
                    false => case.coding(study, coded, Use::Dense),
                };
                let code = Code::compiled(case, &coding);
                let threads = case.options.threads();
                let inverts = inverts(case, &coding, forever);
                let cost = match (sampled, inverts) {
                    (Some(sampled), true) => cost::inverted(&coding.before(&sampled), &sampled),
                    (Some(sampled), false) => cost::retrograde(&coding.before(&sampled), threads, &sampled),
                    (None, _) => Cost::default(),
                };
                let prepared = PreparedDense { coding, forever, cyclic, threads, inverts, inverted: OnceCell::new() };
                Prospect { cost, ..Prospect::new(why, code, prepared) }
            }
            None => {
                let (graphs, code) = Graphs::new(case, sampled.as_ref());
                let cost = sampled.map(|sampled| graphs.retrograde_cost(&sampled)).unwrap_or_default();
                let (bound, start, partizan) = (case.bound, case.start.clone(), facts.partizan);
                let prepared = PreparedGraph { bound, start, partizan, graphs, forever, cyclic };
                Prospect { cost, ..Prospect::new(why, code, prepared) }
            }
        };
        Ok(Look::yes(Prospect { objection, takes_over: true, is_decisive: false, ..prospect }))
    }
}

/// Whether moves are turned round: only where that pays, and where the only draws are those of play without end.
fn inverts(case: &Case<'_>, coding: &Coding<'_>, forever: Forever) -> bool {
    let formulas = &coding.codec.coded().formulas;
    let items: u64 = formulas.lists.iter().map(|list| list.len() as u64).sum();
    let several = coding.codec.coded().numbering.digits.len() > 1;
    let asked = case.options.engine == Engine::Compiled;
    let least = if asked { INVERTED_WHEN_ASKED } else { *INVERTED.start() };
    let sizes = (least..=*INVERTED.end()).contains(&coding.places) && items <= *INVERTED.end();
    sizes && several && coding.orbits.is_none() && forever == Forever::Draw && !has_draws(formulas)
}

/// In a table of all codes.
struct PreparedDense<'b> {
    coding: Coding<'b>,
    forever: Forever,
    cyclic: Fact,
    threads: usize,
    /// Whether moves are turned round.
    inverts: bool,
    /// The code for moves turned round; nothing where it cannot be made.
    inverted: OnceCell<Option<reverse::Retrograde>>,
}

impl<'b> Prepared<'b> for PreparedDense<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let coding = &self.coding;
        let declared = coding.check_declared(monitor)?;
        monitor.enter("compiling");
        let mut report = Report::new(self.cyclic.clone());
        report.declared = declared;
        report.class_missing = class_missing(coding.partizan);
        let repeats = self.cyclic.holds;
        let compile = || self.inverts.then(|| reverse::Retrograde::compile(coding.codec.coded()).ok()).flatten();
        if let Some(inverted) = self.inverted.get_or_init(compile) {
            let table = inverted_retrograde(inverted, monitor)?;
            report.code = "the number of options of each position, and the positions that lead to one".to_string();
            return Ok(Found {
                answers: Box::new(CodeAnswers { codec: coding.codec.clone(), table, repeats }),
                report,
            });
        }
        let expander = coding.expander()?;
        let root = &coding.roots()?[..1];
        let mut codes = Codes::new(&expander, root, CodeKind::Outcome { longest: None });
        codes.threads = self.threads;
        let order = coding.orbits.as_ref().map_or(1, |orbits| orbits.order());
        codes.identity = format!("{:?}, {order} symmetries", coding.codec.coded().numbering);
        codes.canonical = coding.orbits.clone().map(|orbits| Arc::new(move |code| orbits.canonical(code)) as Map);
        let codec = &coding.codec;
        let mover = |code: u64| codec.mover(code);
        let places = coding.places;
        let table = dense_retrograde(&codes, places, self.forever, Some(&mover), monitor);
        let table = table.map_err(|error| coding.placed(error))?;
        report.code = "the options of one position".to_string();
        Ok(Found { answers: Box::new(CodeAnswers { codec: coding.codec.clone(), table, repeats }), report })
    }
}

/// Values all codes that are positions, whether they can be reached or not: to find those that can be would cost more than to
/// value the rest. One thread: what is left to do is mostly waiting for memory.
fn inverted_retrograde(code: &reverse::Retrograde, monitor: &mut Monitor) -> Result<CodeTable, Error> {
    monitor.enter("counting options");
    let [cells, counters, queue, scratch] = code.needs();
    let memory = monitor.memory().clone();
    let ((cells, lease), (counters, _counted)) = (memory.zeroed(cells)?, memory.zeroed(counters)?);
    let ((queue, _queued), (scratch, _scratch)) = (memory.zeroed(queue)?, memory.zeroed(scratch)?);
    let Some(mut analysis) = reverse::Analysis::new(code, [cells, counters, queue, scratch]) else {
        return Err(Error::Internal("the analysis was given too little memory".to_string()));
    };
    while analysis.prepare(STRETCH) {
        monitor.tick(code.size(), 0)?;
    }
    if analysis.draws() > 0 {
        return Err(Error::Internal("a declared draw where the rules have none".to_string()));
    }
    monitor.enter("retrograde analysis");
    while analysis.carry(STRETCH) {
        monitor.tick(code.size(), analysis.settled())?;
    }
    let (cells, positions) = analysis.finish();
    Ok(CodeTable::of_outcomes(cells, positions, lease))
}

/// Why it is not said who wins whoever starts, where that is asked: a class has no place for play without end.
fn class_missing(partizan: bool) -> Option<String> {
    partizan.then(|| "positions may repeat, and an outcome class has no draws".to_string())
}

/// On a graph.
struct PreparedGraph<'b> {
    bound: &'b Bound,
    start: Position,
    /// Whether it is asked who wins whoever starts.
    partizan: bool,
    graphs: Graphs<'b>,
    forever: Forever,
    cyclic: Fact,
}

impl<'b> Prepared<'b> for PreparedGraph<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        self.solve(None, monitor)
    }

    /// A look at both starts meets positions that are not asked about here.
    fn run_from(&self, looked_at: Remembered<'b>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        self.solve(Some(looked_at).filter(|_| !self.partizan), monitor)
    }
}

impl<'b> PreparedGraph<'b> {
    fn solve(&self, looked_at: Option<Remembered<'b>>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let mut graph = self.graphs.go_on(looked_at, Keeps::Outcome, monitor)?;
        graph.number(&self.start).map_err(|error| graph.placed(self.bound, error))?;
        let values = retrograde(&mut *graph, self.forever, monitor);
        let values = values.map_err(|error| graph.placed(self.bound, error))?;
        let mut report = Report::new(self.cyclic.clone());
        report.declared = self.graphs.declared(&*graph, &self.start, Keeps::Outcome, monitor)?;
        report.class_missing = class_missing(self.partizan);
        Ok(Found { answers: Box::new(GraphAnswers { graph, values, repeats: self.cyclic.holds }), report })
    }
}
