//! `grundy`: an impartial sum won by the last mover. Each part has a Grundy number, the sum their XOR.
//!
//! The parts are valued by a loop nest where the rules prove an order, else by backward induction on the interpreter.

use std::cell::OnceCell;

use engine::Error;
use engine::graph::Id;
use engine::induction::induction;
use engine::monitor::Monitor;
use engine::valuation::Nimbers;
use game::{LoopyNimber, Player};
use rules::bind::{Bound, Position};

use super::by_parts::{ByParts, NumberedParts, PartValues, parts_cost};
use super::compiled::{Filled, Nests, nest_cost, nest_values, random_position};
use crate::answers::PartValue;
use crate::case::Case;
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Ability, Code, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;
use positions::coding::{Coding, Use, dense};
use positions::compiled::Codec;
use positions::oracle::{Keeps, Numbered};
use positions::parts::Parts;
use positions::remembered::Remembered;
use positions::repeats;

/// Its name.
const NAME: MethodName = MethodName::new("grundy");
/// The theorem behind it.
pub(crate) const THEOREM: &str = "Sprague-Grundy";

/// The method.
pub(super) struct Grundy;

impl Method for Grundy {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "The Grundy numbers of the parts of a sum"
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::EveryPart)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        if let Some(why) = objection(case) {
            return Ok(Look::no(why));
        }
        let interpreted = match case.gave_up_with(NAME) {
            None => None,
            // Code was not to be had, or only for parts that can be reached: these are interpreted.
            Some(reason @ (Reason::Code(_) | Reason::CodeMemory(_) | Reason::Unreached)) => Some(reason.to_string()),
            Some(reason) => return Ok(Look::no(format!("it gave up: {reason}"))),
        };
        let why = "an impartial sum won by the last mover: each part has a Grundy number, the sum their XOR";
        let nest = interpreted.map_or_else(|| loop_nest(case), Err);
        Ok(Look::yes(match nest {
            Ok((prepared, bytes)) => {
                let (code, acyclic) =
                    (Code::compiled(case, &prepared.coding), case.shown_acyclic(&prepared.coding.study));
                let cost = nest_cost(case, &prepared.coding, prepared.nests.values, prepared.nests.more, bytes);
                Prospect { cost, unit: case.unit_of_parts(), acyclic, ..Prospect::new(why, code, prepared) }
            }
            Err(no_code) => {
                let (cost, parts) = parts_cost(case, monitor)?;
                case.looked_at.replace(parts);
                let prepared = Interpreted { bound: case.bound, start: case.start.clone() };
                Prospect {
                    cost,
                    unit: case.unit_of_parts(),
                    ..Prospect::new(why, Code::Interpreted(no_code), prepared)
                }
            }
        }))
    }
}

/// Why a game has no Grundy numbers of parts.
fn objection(case: &Case<'_>) -> Option<String> {
    let facts = &case.facts;
    match () {
        () if !facts.sum.holds => Some("the game is not a `sum of` parts".to_string()),
        () if !facts.impartial.holds => Some(format!("the game is not impartial: {}", facts.impartial.why)),
        () if !facts.nimbers => Some(format!("the last mover does not always win: {}", facts.last_mover.why)),
        () => None,
    }
}

fn loop_nest<'b>(case: &Case<'b>) -> Result<(PreparedNest<'b>, u64), String> {
    let study = case.study()?;
    let no = |why: String| format!("no loop nest for the parts: {}", case.named(&why));
    let coded = dense(&study).ok_or_else(|| no("too many codes for a dense table".to_string()))?;
    let (values, more, bytes) = nest_values(case, &study, coded.numbering.size).map_err(no)?;
    let coding = case.coding(study, coded, Use::Dense);
    let nests = Nests { values, more, code: OnceCell::new() };
    Ok((PreparedNest { coding, nests, threads: case.options.threads() }, bytes))
}

/// Parts by a loop nest.
struct PreparedNest<'b> {
    coding: Coding<'b>,
    nests: Nests,
    threads: usize,
}

impl<'b> Prepared<'b> for PreparedNest<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let declared = self.coding.check_declared(monitor)?;
        let filled = self.nests.fill(&self.coding, self.threads, monitor)?;
        let nimbers = filled.into_iter().next().ok_or_else(|| SolveError::internal("a fill without values"))?;
        let values = FilledParts { codec: self.coding.codec.clone(), nimbers };
        let why = self.coding.study.order.as_ref().map_or(String::new(), |order| self.coding.named(&order.why));
        let mut report = Report::new(Fact::no(why));
        report.declared = declared;
        report.code = self.nests.describe(&self.coding);
        Ok(Found { answers: Box::new(ByParts { values, theorem: THEOREM }), report })
    }
}

struct FilledParts {
    codec: Codec,
    nimbers: Filled,
}

impl FilledParts {
    fn part(&self, position: Position) -> Option<Box<[i64]>> {
        position.parts.into_iter().next()
    }
}

impl PartValues for FilledParts {
    fn value(&self, part: &[i64]) -> Option<PartValue> {
        let nimber = self.nimbers.nimber(self.codec.code(part, Player::FIRST)?)?;
        Some(PartValue { value: LoopyNimber::Finite(nimber), rank: None })
    }

    fn parts(&self) -> u64 {
        self.codec.coded().numbering.size
    }

    fn each(&self) -> Box<dyn Iterator<Item = Box<[i64]>> + '_> {
        Box::new((0..self.parts()).filter_map(|code| self.part(self.codec.position(code)?)))
    }

    fn random(&self, random: &mut dyn FnMut() -> u64) -> Option<Box<[i64]>> {
        self.part(random_position(&self.codec, random)?)
    }
}

/// Parts by backward induction.
struct Interpreted<'b> {
    bound: &'b Bound,
    start: Position,
}

impl<'b> Prepared<'b> for Interpreted<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let parts = Parts::new(self.bound, Keeps::Outcome, monitor.memory())?;
        self.solve(Box::new(parts), monitor)
    }

    fn run_from(&self, mut looked_at: Remembered<'b>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        if !looked_at.is_of_parts() {
            drop(looked_at);
            return self.run(monitor);
        }
        looked_at.take_up();
        self.solve(Box::new(looked_at), monitor)
    }
}

impl<'b> Interpreted<'b> {
    fn solve(&self, mut graph: Box<dyn Numbered + 'b>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let memory = monitor.memory().clone();
        let mut nimbers = Nimbers::new(&memory);
        let of_part = |part: &[i64]| Position { parts: vec![part.into()], turn: Player::FIRST };
        let roots = self.start.parts.iter().map(|part| graph.number(&of_part(part))).collect::<Result<Vec<_>, _>>()?;
        match induction(&mut *graph, &roots, &mut nimbers, monitor) {
            Ok(()) => {}
            Err(Error::Cycle(cycle)) => {
                let positions: Vec<Position> = cycle.iter().map(|&id| graph.position(id as Id)).collect();
                return Err(GivenUp::Because(Reason::Cycle(repeats::cycle_text(self.bound, &positions))));
            }
            Err(error) => return Err(graph.placed(self.bound, error).into()),
        }
        let values = NumberedParts { graph, values: nimbers };
        let why = format!("the search met {} different parts and none repeats", values.parts());
        let mut report = Report::new(Fact::no(why));
        report.declared = values.graph.audit().map(|audit| audit.report());
        Ok(Found { answers: Box::new(ByParts { values, theorem: THEOREM }), report })
    }
}
