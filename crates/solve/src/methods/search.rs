//! `search` and `hash`: a memoised search from the start on compiled options. The first indexes a table by the code, the
//! second hashes the positions that it meets.

use std::sync::Arc;

use engine::codes::{CodeTable, Codes, Kind as CodeKind, Map, dense_search, hashed_search, layered_search};
use engine::monitor::Monitor;
use engine::{Error, Limit};
use formula::extremes::max_options;
use formula::study::Study;
use game::{Player, Verdict};
use jit::Successors;
use rules::bind::Position;

use super::compiled::{MOST_SEARCHED, affords, no_filling, wants_nimbers};
use super::sampling::{Studied, studied};
use positions::cost;

use crate::answers::{Answers, Positions, Proof, outcome_class};
use crate::case::{Case, Kind};
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Ability, Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;
use positions::coding::{Coding, Use, dense, dense_places, hashed, uncoded};
use positions::compiled::Codec;

/// Their names.
const DENSE: MethodName = MethodName::compiled("search");
const HASHED: MethodName = MethodName::compiled("hash");

/// The method that indexes a table.
pub(super) struct Search;

/// The method that hashes.
pub(super) struct Hash;

impl Method for Search {
    fn name(&self) -> MethodName {
        DENSE
    }

    fn about(&self) -> &'static str {
        "Compiled: a memoised search in a dense table"
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::EveryPosition | Ability::EveryPart)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        if let Some(why) = gave_up(case, DENSE) {
            return Ok(Look::no(why));
        }
        let Studied { study, sampled } = match studied(case, monitor)? {
            Ok(found) => found,
            Err(why) => return Ok(Look::no(why)),
        };
        let width = code_kind(&study, case.facts.kind, wants_nimbers(&case.options, case.facts.nimbers)).bytes();
        let is_asked = case.options.method.is_some();
        let fits = |places: &u64| (is_asked || *places <= MOST_SEARCHED) && affords(case, places.saturating_mul(width));
        let coded = dense_places(&study).filter(fits).and_then(|_| dense(&study));
        let Some(coded) = coded else { return Ok(Look::no("a dense table would not fit in memory")) };
        let bytes = coded.numbering.size.saturating_mul(width);
        let coding = case.coding(study, coded, Use::Dense);
        let cost = sampled.map(|sampled| cost::search(&coding.before(&sampled), bytes, &sampled));
        let cost = cost.unwrap_or(Cost { codes: Some(coding.places), bytes: Some(bytes), ..Cost::default() });
        let why =
            format!("a memoised search in a table of all codes, from the start; {}", instead_of_fill(case, &coding));
        Ok(Look::yes(Prospect { cost, ..prospect(case, coding, why, true) }))
    }
}

impl Method for Hash {
    fn name(&self) -> MethodName {
        HASHED
    }

    fn about(&self) -> &'static str {
        "Compiled: a search whose positions are hashed"
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::EveryPosition | Ability::EveryPart)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        if let Some(why) = gave_up(case, HASHED) {
            return Ok(Look::no(why));
        }
        let Studied { study, sampled } = match studied(case, monitor)? {
            Ok(found) => found,
            Err(why) => return Ok(Look::no(why)),
        };
        let Some(coded) = hashed(&study) else { return Ok(Look::no(uncoded(&study))) };
        let coding = case.coding(study, coded, Use::Hashed);
        let cost = sampled.map(|found| cost::hash(&coding.before(&found), &found));
        let cost = cost.unwrap_or_default();
        let because = match (case.unfilled(), cost.positions) {
            (Some(reason), _) => reason.to_string(),
            (None, Some(positions)) => {
                format!(
                    "about {} of {} codes are met",
                    crate::numbers::rounded(positions),
                    crate::numbers::grouped(coding.places)
                )
            }
            (None, None) => "a dense table would not fit in memory".to_string(),
        };
        let why = format!("a search that hashes the positions it meets: {because}");
        Ok(Look::yes(Prospect { cost, ..prospect(case, coding, why, false) }))
    }
}

/// Why a search is of no use any more.
fn gave_up(case: &Case<'_>, name: MethodName) -> Option<String> {
    let repeats = case.cycle().filter(|_| case.options.method.is_none());
    let repeats = repeats.map(|cycle| format!("positions repeat: {cycle}"));
    repeats.or_else(|| case.gave_up_with(name).map(|reason| reason.to_string()))
}

/// Why nothing is filled.
fn instead_of_fill(case: &Case<'_>, coding: &Coding<'_>) -> String {
    match (case.unfilled(), no_filling(case, Arc::clone(&coding.study))) {
        (Some(reason), _) => reason.to_string(),
        (None, Some(why)) => why,
        (None, None) => "it is predicted to be done before all codes would be filled".to_string(),
    }
}

fn prospect<'b>(case: &Case<'b>, coding: Coding<'b>, why: String, dense: bool) -> Prospect<'b> {
    let (code, acyclic) = (Code::compiled(case, &coding), case.shown_acyclic(&coding.study));
    let prepared = PreparedSearch {
        shown_acyclic: acyclic.clone().or_else(|| Some(case.facts.acyclic.clone()).filter(|fact| fact.holds)),
        nimbers: wants_nimbers(&case.options, case.facts.nimbers),
        threads: case.options.threads(),
        total: case.facts.total_is_proved(),
        coding,
        dense,
    };
    Prospect { acyclic, is_decisive: false, ..Prospect::new(why, code, prepared) }
}

struct PreparedSearch<'b> {
    coding: Coding<'b>,
    /// Whether the table is indexed by the code.
    dense: bool,
    nimbers: bool,
    threads: usize,
    total: Option<Fact>,
    /// That positions cannot repeat, where the rules show it.
    shown_acyclic: Option<Fact>,
}

impl<'b> Prepared<'b> for PreparedSearch<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let coding = &self.coding;
        let declared = coding.check_declared(monitor)?;
        monitor.enter("compiling");
        let expander = coding.expander()?;
        let roots = coding.roots()?;
        let (table, class_missing) = match self.search(&expander, &roots, monitor) {
            Ok(table) => (table, None),
            Err(
                error @ (Error::Interrupted { .. }
                | Error::Dear { .. }
                | Error::Limit { limit: Limit::Time { .. }, .. }),
            ) => return Err(error.into()),
            Err(error) if roots.len() > 1 => {
                // The question who wins if the other player starts is a second one.
                let table = self.search(&expander, &roots[..1], monitor).map_err(|error| coding.placed(error))?;
                let why = match GivenUp::from(coding.placed(error)) {
                    GivenUp::Error(error) => error.to_string(),
                    GivenUp::Because(Reason::Cycle(_)) => "positions repeat".to_string(),
                    GivenUp::Because(reason) => reason.to_string(),
                };
                (table, Some(format!("if {} starts: {why}", coding.start.turn.other())))
            }
            Err(error) => return Err(coding.placed(error).into()),
        };
        let class_missing = match class_missing {
            None => coding.other_start(monitor)?,
            missing => missing,
        };
        let answers = CodeAnswers { codec: coding.codec.clone(), table, repeats: false };
        let why = match &self.shown_acyclic {
            Some(fact) => fact.why.clone(),
            None => {
                format!(
                    "the search met {} positions and none repeats",
                    crate::numbers::grouped(answers.table.positions())
                )
            }
        };
        let mut report = Report::new(Fact::no(why));
        report.class =
            (coding.partizan && class_missing.is_none()).then(|| outcome_class(&answers, &coding.start)).flatten();
        report.class_missing = class_missing;
        report.declared = declared;
        report.constant_total = self.total.clone();
        report.code = "the options of one position".to_string();
        Ok(Found { answers: Box::new(answers), report })
    }
}

/// What is worked out for each code.
fn code_kind(study: &Study, kind: Kind, nimbers: bool) -> CodeKind {
    let longest = study.order.as_ref().ok().and_then(|order| order.longest);
    let longest = longest.or(study.potential.as_ref().map(formula::Potential::longest));
    match kind {
        Kind::Score => CodeKind::Score { bound: study.score_bound.map(i64::unsigned_abs) },
        _ if nimbers => CodeKind::OutcomeAndNimber { longest, options: Some(max_options(&study.formulas)) },
        _ => CodeKind::Outcome { longest },
    }
}

impl PreparedSearch<'_> {
    fn search(&self, expander: &dyn Successors, roots: &[u64], monitor: &mut Monitor) -> Result<CodeTable, Error> {
        let kind = code_kind(&self.coding.study, self.coding.kind, self.nimbers);
        let mut codes = Codes::new(expander, roots, kind);
        codes.threads = self.threads;
        codes.size = self.coding.places;
        if self.dense {
            return dense_search(&codes, self.coding.places, monitor);
        }
        codes.canonical = self.coding.group.clone().map(|group| Arc::new(move |code| group.canonical(code)) as Map);
        // Layers expand every position twice, which pays as soon as threads share them.
        match self.layers().filter(|_| self.threads > 1) {
            Some(layer) => layered_search(&codes, layer, monitor),
            None => hashed_search(&codes, monitor),
        }
    }

    /// A number of each code that every move lowers, where one is known: positions are then met and valued layer by layer.
    fn layers(&self) -> Option<Map> {
        let potential = self.coding.study.potential.as_ref()?;
        let (low, node) = (potential.range.low, potential.node);
        let layer = jit::compile_node(self.coding.codec.coded(), node).ok()?;
        Some(Arc::new(move |code| layer.value(code).map_or(0, |number| number.wrapping_sub(low) as u64)))
    }
}

/// The values of the codes that were met.
pub(super) struct CodeAnswers {
    pub codec: Codec,
    pub table: CodeTable,
    /// Whether best play can go on for ever.
    pub repeats: bool,
}

impl Answers for CodeAnswers {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.table.get(self.codec.code_of(position)?)
    }

    fn positions(&self) -> u64 {
        self.table.positions()
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Table
    }

    fn may_repeat(&self) -> bool {
        self.repeats
    }

    fn number(&self, position: &Position) -> u64 {
        self.codec.code_of(position).unwrap_or(u64::MAX)
    }

    fn each(&self, _: Player) -> Positions<'_> {
        Box::new(self.table.codes().filter_map(|code| self.codec.position(code)))
    }

    fn random(&self, _: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        self.codec.position(self.table.sample(random)?)
    }
}
