//! `loopy`: Smith's loopy nimbers of the parts of an impartial sum whose parts can repeat, and their sum.

use engine::graph::{Graph, Id};
use engine::loopy::{LoopyValues, loopy_values};
use engine::monitor::Monitor;
use game::Player;
use rules::bind::{Bound, Position};

use super::by_parts::{ByParts, PartValues};
use super::graphs::{Graphs, random_id};
use super::sampling::sampled;
use crate::answers::PartValue;
use crate::case::Case;
use crate::error::SolveError;
use crate::facts::Fact;
use crate::methods::{Code, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;
use positions::oracle::{Keeps, Numbered};
use positions::parts::{NOTHING, Parts};

/// Its name.
pub(super) const NAME: MethodName = MethodName::new("loopy");
/// The theorem behind it.
const THEOREM: &str = "Smith's loopy nimbers";

/// The method.
pub(super) struct Loopy;

impl Method for Loopy {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "Smith's loopy nimbers, for impartial games and sums whose positions repeat"
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
        let (graphs, code) = match facts.sum.holds {
            true => (None, Code::Interpreted("the moves of each part are worked out once".to_string())),
            false => {
                let (graphs, code) = Graphs::new(case, sampled(case, monitor)?.as_ref());
                (Some(graphs), code)
            }
        };
        let prepared = PreparedLoopy { bound: case.bound, start: case.start.clone(), graphs, cyclic };
        Ok(Look::yes(Prospect { objection, noun: case.part_noun(), ..Prospect::new(why, code, prepared) }))
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
        let mut report = Report::new(self.cyclic.clone());
        let values = if let Some(graphs) = &self.graphs {
            let mut graph = graphs.explored(Keeps::Outcome, monitor)?;
            graph.number(&self.start)?;
            let values = loopy_values(&mut *graph, monitor).map_err(|error| graph.placed(self.bound, error))?;
            report.declared = graphs.declared(&*graph, &self.start, Keeps::Outcome, monitor)?;
            LoopyParts { store: Store::Positions(graph), values }
        } else {
            let mut parts = Parts::new(self.bound, Keeps::Outcome, monitor.memory())?;
            self.start.parts.iter().try_for_each(|part| parts.number(part).map(|_| ()))?;
            let values = loopy_values(&mut parts, monitor).map_err(|error| parts.placed(error))?;
            report.declared = parts.audit().map(|audit| audit.report());
            LoopyParts { store: Store::Parts(Box::new(parts)), values }
        };
        Ok(Found { answers: Box::new(ByParts { values, theorem: THEOREM }), report })
    }

    fn goes_on(&self) -> bool {
        self.graphs.is_some()
    }
}

/// Where parts have their numbers. The positions of a game that is no sum are parts, too.
enum Store<'b> {
    Parts(Box<Parts<'b>>),
    Positions(Box<dyn Numbered + 'b>),
}

struct LoopyParts<'b> {
    store: Store<'b>,
    values: LoopyValues,
}

impl LoopyParts<'_> {
    fn part(&self, id: Id) -> Option<Box<[i64]>> {
        self.values.get(id)?;
        match &self.store {
            Store::Parts(_) if id == NOTHING => None,
            Store::Parts(parts) => Some(parts.cells(id).into()),
            Store::Positions(graph) => graph.position(id).parts.into_iter().next(),
        }
    }

    fn ids(&self) -> Id {
        match &self.store {
            Store::Parts(parts) => parts.len() as Id,
            Store::Positions(graph) => graph.len() as Id,
        }
    }
}

impl PartValues for LoopyParts<'_> {
    fn value(&self, part: &[i64]) -> Option<PartValue> {
        let id = match &self.store {
            Store::Parts(parts) => parts.find(part)?,
            Store::Positions(graph) => graph.find(&Position { parts: vec![part.into()], turn: Player::FIRST })?,
        };
        Some(PartValue { value: self.values.get(id)?, rank: Some(self.values.rank(id)) })
    }

    fn parts(&self) -> u64 {
        u64::from(self.ids()) - u64::from(matches!(self.store, Store::Parts(_)))
    }

    fn each(&self) -> Box<dyn Iterator<Item = Box<[i64]>> + '_> {
        Box::new((0..self.ids()).filter_map(|id| self.part(id)))
    }

    fn random(&self, random: &mut dyn FnMut() -> u64) -> Option<Box<[i64]>> {
        random_id(self.ids(), random, |id| self.part(id))
    }
}
