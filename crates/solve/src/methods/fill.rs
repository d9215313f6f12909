//! `fill`: a loop nest fills a dense table of all codes, in an order proved from the rules, so that nothing is searched.

use std::cell::OnceCell;

use engine::monitor::Monitor;
use game::{Player, Verdict};
use jit::{Outline, Strategy, Values};
use rules::bind::Position;

use super::compiled::{Filled, Nests, filling, nest_cost, random_position};
use super::sampling::studied;
use crate::answers::{Answers, Positions, Proof, outcome_class};
use crate::case::{Case, Sampled};
use crate::error::SolveError;
use crate::facts::Fact;
use crate::methods::{Ability, Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;
use positions::coding::{Coding, Use, dense};
use positions::compiled::Codec;
use positions::cost;

/// Its name.
const NAME: MethodName = MethodName::compiled("fill");

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

impl FilledAnswers {
    /// What the position of a code is worth.
    fn at(&self, code: u64) -> Option<Verdict> {
        if let Some(score) = self.values.score(code) {
            return Some(Verdict::Score(score));
        }
        let (outcome, remoteness) = self.values.outcome(code)?;
        let nimber = self.nimbers.as_ref().and_then(|nimbers| nimbers.nimber(code));
        Some(Verdict::Outcome { outcome, remoteness, nimber })
    }
}

impl Answers for FilledAnswers {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.at(self.codec.code_of(position)?)
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
