//! `loopy`: Smith's loopy nimbers of the parts of an impartial sum whose parts can repeat, and their sum.

use engine::loopy::loopy_values;
use engine::monitor::Monitor;
use rules::bind::{Bound, Position};

use super::by_parts::{ByParts, NumberedParts, parts_cost};
use super::graphs::Graphs;
use super::sampling::sampled;
use crate::case::Case;
use crate::error::SolveError;
use crate::facts::Fact;
use crate::methods::{Ability, Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;
use positions::oracle::{Keeps, Numbered};
use positions::parts::Parts;
use positions::remembered::Remembered;

/// Its name.
const NAME: MethodName = MethodName::new("loopy");
/// The theorem behind it.
pub(crate) const THEOREM: &str = "Smith's loopy nimbers";

/// The method.
pub(super) struct Loopy;

impl Method for Loopy {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "Smith's loopy nimbers, for impartial games and sums whose positions repeat"
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::EveryPart | Ability::LoopyNimbers)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let facts = &case.facts;
        if !facts.impartial.holds {
            return Ok(Look::no(format!("the game is not impartial: {}", facts.impartial.why)));
        }
        if !facts.nimbers {
            return Ok(Look::no(format!("the last mover does not always win: {}", facts.last_mover.why)));
        }
        let why = match facts.sum.holds {
            false => "positions repeat, so that not all have nimbers: each has a loopy one, and these add up",
            true => "a part can repeat, so that not all have Grundy numbers: each has a loopy nimber, and these add up",
        };
        let cyclic = match case.cycle() {
            Some(cycle) => Fact::yes(format!("the search found a part that repeats: {cycle}")),
            None => {
                Fact { holds: !facts.acyclic.holds, why: format!("not looked at; the rules: {}", facts.acyclic.why) }
            }
        };
        let objection = match (case.cycle(), facts.sum.holds || case.options.summand) {
            (None, _) => Some("no part is known to repeat".to_string()),
            (Some(_), false) => Some("the game is no sum: who wins, and how soon, is more".to_string()),
            (Some(_), true) => None,
        };
        let (graphs, code, cost) = match facts.sum.holds {
            true => {
                let (cost, _) = parts_cost(case, monitor)?;
                (None, Code::Interpreted("the moves of each part are worked out once".to_string()), cost)
            }
            false => {
                let (graphs, code) = Graphs::new(case, sampled(case, monitor)?.as_ref());
                (Some(graphs), code, Cost::default())
            }
        };
        let prepared = PreparedLoopy { bound: case.bound, start: case.start.clone(), graphs, cyclic };
        Ok(Look::yes(Prospect { objection, cost, unit: case.unit_of_parts(), ..Prospect::new(why, code, prepared) }))
    }
}

struct PreparedLoopy<'b> {
    bound: &'b Bound,
    start: Position,
    /// The graph of a game that is no sum.
    graphs: Option<Graphs<'b>>,
    cyclic: Fact,
}

impl<'b> Prepared<'b> for PreparedLoopy<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        self.solve(None, monitor)
    }

    fn run_from(&self, looked_at: Remembered<'b>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        self.solve(Some(looked_at).filter(|_| self.graphs.is_some()), monitor)
    }
}

impl<'b> PreparedLoopy<'b> {
    fn solve(&self, looked_at: Option<Remembered<'b>>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let mut report = Report::new(self.cyclic.clone());
        let mut graph: Box<dyn Numbered + 'b> = if let Some(graphs) = &self.graphs {
            let mut graph = graphs.go_on(looked_at, Keeps::Outcome, monitor)?;
            graph.number(&self.start)?;
            graph
        } else {
            let mut parts = Parts::new(self.bound, Keeps::Outcome, monitor.memory())?;
            self.start.parts.iter().try_for_each(|part| parts.number(part).map(|_| ()))?;
            Box::new(parts)
        };
        let values = loopy_values(&mut *graph, monitor).map_err(|error| graph.placed(self.bound, error))?;
        report.declared = match &self.graphs {
            Some(graphs) => graphs.declared(&*graph, &self.start, Keeps::Outcome, monitor)?,
            None => graph.audit().map(|audit| audit.report()),
        };
        let values = NumberedParts { graph, values };
        Ok(Found { answers: Box::new(ByParts { values, theorem: THEOREM }), report })
    }
}
