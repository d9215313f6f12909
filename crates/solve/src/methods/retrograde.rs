//! `retrograde`: backwards from the ends, level by level, for games of two that are won, lost or drawn and whose positions
//! can repeat. In a dense table of codes where that fits, else on a graph.

use std::cell::OnceCell;
use std::sync::Arc;

use engine::codes::{Codes, Extent, Kind as CodeKind, dense_retrograde};
use engine::monitor::Monitor;
use engine::retrograde::{Forever, retrograde};
use jit::Expander;
use rules::bind::{Bound, Position};

use super::compiled::{Coding, MOST_SEARCHED, Use, affords, dense, dense_places, studied};
use super::graphs::{GraphAnswers, Graphs};
use super::search::CodeAnswers;
use crate::case::{Case, Kind};
use crate::error::SolveError;
use crate::fact::Fact;
use crate::method::{Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;
use crate::positions::Keeps;
use crate::reason::Reason;

/// Its name.
const NAME: MethodName = MethodName::new("retrograde");
/// What a place of the table takes, with its counter.
const BYTES: u64 = 8;
/// Nanoseconds a place and a move.
const PACE: (f64, f64) = (40.0, 12.0);

/// The method.
pub(super) struct Retrograde;

impl Method for Retrograde {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "Backwards from the ends, for positions that repeat"
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let facts = &case.facts;
        if facts.kind != Kind::Outcome {
            return Ok(Look::no("it is for games of two players that are won, lost or drawn"));
        }
        let no_code = match case.gave_up_with(NAME) {
            None => false,
            Some(Reason::Code(_)) => true,
            Some(_) => return Ok(Look::no("it gave up")),
        };
        let why = match case.options.method {
            Some(_) => "asked for with --method",
            None => "positions repeat: ends are carried back over the moves, and what is never reached is endless play",
        };
        let cyclic = match (case.cycle(), case.options.method) {
            (Some(cycle), None) => Fact::yes(format!("the search found a cycle: {cycle}")),
            _ => Fact { holds: !facts.acyclic.holds, why: format!("not looked at; the rules: {}", facts.acyclic.why) },
        };
        let objection = case.cycle().is_none().then(|| "positions are not known to repeat".to_string());
        let fits = |places: &u64| *places <= MOST_SEARCHED && affords(case, places.saturating_mul(BYTES));
        let forever = case.bound.forever.map_or(Forever::Draw, Forever::Win);
        let study = studied(case).ok().filter(|_| !no_code);
        let coded = study.filter(|study| dense_places(study).filter(fits).is_some());
        let coded = coded.and_then(|study| dense(&study).map(|coded| (study, coded)));
        let prospect = match coded {
            Some((study, coded)) => {
                let coding = Coding::new(case, study, coded, Use::Dense);
                let (code, cost) = (coding.code(case), coding.cost(None, PACE));
                let threads = case.options.threads();
                let prepared = DensePlan { coding, forever, cyclic, threads, code: OnceCell::new() };
                Prospect { cost, ..Prospect::new(why, code, prepared) }
            }
            None => {
                let (graphs, code) = Graphs::new(case);
                let cost = graphs.cost;
                let prepared = GraphPlan { bound: case.bound, start: case.start.clone(), graphs, forever, cyclic };
                Prospect { cost, ..Prospect::new(why, code, prepared) }
            }
        };
        Ok(Look::yes(Prospect { objection, ..prospect }))
    }
}

/// In a table of all codes.
struct DensePlan<'b> {
    coding: Coding<'b>,
    forever: Forever,
    cyclic: Fact,
    threads: usize,
    code: OnceCell<Arc<Expander>>,
}

impl<'b> Prepared<'b> for DensePlan<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let coding = &self.coding;
        let declared = coding.check_declared(monitor)?;
        monitor.enter("compiling");
        let expander = match self.code.get() {
            Some(code) => code,
            None => {
                let code = coding.expander()?;
                self.code.get_or_init(|| code)
            }
        };
        let root = &coding.roots()?[..1];
        let mut codes = Codes::new(&**expander, root, CodeKind::Outcome { longest: None });
        codes.threads = self.threads;
        let codec = &coding.codec;
        let mover = |code: u64| codec.mover(code);
        let places = coding.places;
        let table = dense_retrograde(&codes, places, Extent::Reachable, self.forever, Some(&mover), monitor);
        let table = table.map_err(|error| coding.placed(error))?;
        let mut report = Report::new(self.cyclic.clone());
        report.declared = declared;
        report.code = "the options of one position".to_string();
        let repeats = self.cyclic.holds;
        Ok(Found { answers: Box::new(CodeAnswers { codec: coding.codec.clone(), table, repeats }), report })
    }
}

/// On a graph.
struct GraphPlan<'b> {
    bound: &'b Bound,
    start: Position,
    graphs: Graphs<'b>,
    forever: Forever,
    cyclic: Fact,
}

impl<'b> Prepared<'b> for GraphPlan<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let mut graph = self.graphs.graph(Keeps::Outcome, monitor.memory())?;
        graph.number(&self.start).map_err(|error| graph.placed(self.bound, error))?;
        let values = retrograde(&mut *graph, self.forever, monitor);
        let values = values.map_err(|error| graph.placed(self.bound, error))?;
        let mut report = Report::new(self.cyclic.clone());
        report.declared = self.graphs.declared(&*graph, &self.start, Keeps::Outcome, monitor)?;
        Ok(Found { answers: Box::new(GraphAnswers { graph, values, repeats: self.cyclic.holds }), report })
    }
}
