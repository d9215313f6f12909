//! `perfectplay explain`: what kind of game this is, how that is known, and how it is solved.

use std::time::Duration;

use perfectplay::{Bound, Limits, Method, Options, Plan, SolveError, Solved};
use serde_json::{Map, Value, json};
use solve::plan::CodePlan;
use solve::plan::Kind;
use solve::properties::{self, Fact};
use solve::solution::instance_json;
use solve::understood::Understood;

use crate::args::ExplainArgs;
use crate::commands::sum;
use crate::failure::Failure;
use crate::load::{self, Asked};
use crate::output::{self, Rows, bytes_text, plural, seconds_text};
use crate::{phrases, progress};

/// Where the right column starts.
const INDENT: usize = 17;

/// How far `explain` looks by itself when the rules alone do not show a property.
const LOOK: Limits = Limits { memory: 128 << 20, time: Some(Duration::from_secs(2)) };

/// What was found out.
struct Findings<'b> {
    bound: &'b Bound,
    plan: Plan,
    /// Whether positions repeat; `None` while neither is shown.
    repeats: Option<Fact>,
    constant_total: Option<Fact>,
    /// What the file declares, once checked.
    declared: Option<Fact>,
    /// What a solve or a look took, if there was one.
    run: Option<Ran>,
}

/// What a solve took.
struct Ran {
    positions: u64,
    bytes: u64,
    seconds: f64,
    complete: bool,
}

pub fn run(args: &ExplainArgs) -> Result<u8, Failure> {
    let (rules, bound) = match load::asked(&args.game)? {
        Asked::Game(game) => *game,
        Asked::Sum(sum) => return sum::explain(args, &sum),
    };
    let asked = &args.common.limits;
    let failed = |error| Failure::solving(error, &rules);
    let memory = asked.limits().memory;
    let options = asked.options();
    let plan = solve::solver::plan(&bound, &bound.start, &options, memory).map_err(failed)?;
    let mut findings = unfound(&bound, plan);
    let quiet = args.common.quiet || args.common.json;
    if args.run {
        let mut monitor = progress::monitor(&asked.limits(), quiet);
        let solved = perfectplay::solve(&bound, &bound.start, &options, &mut monitor).map_err(failed)?;
        let (bytes, seconds) = (monitor.memory().peak(), monitor.elapsed().as_secs_f64());
        findings.run = Some(Ran { positions: solved.positions, bytes, seconds, complete: true });
        findings.take(&solved);
        findings.plan = solved.plan;
    }
    if findings.wants_a_look() {
        let look = Limits { memory: asked.memory.unwrap_or(LOOK.memory), time: asked.time.or(LOOK.time) };
        let mut monitor = progress::monitor(&if args.run { asked.limits() } else { look }, quiet);
        let options = Options { check_total: true, ..options };
        let solved = perfectplay::solve(&bound, &bound.start, &options, &mut monitor);
        let (bytes, seconds) = (monitor.memory().peak(), monitor.elapsed().as_secs_f64());
        drop(monitor);
        let took = |positions, complete| Ran { positions, complete, bytes, seconds };
        let looked = match solved {
            Ok(solved) => {
                findings.take(&solved);
                if findings.plan.code == solved.plan.code || matches!(solved.plan.code, CodePlan::Interpreted(_)) {
                    findings.plan = solved.plan.clone();
                }
                took(solved.positions, true)
            }
            Err(error) if error.is_limit() && !args.run => {
                let positions = if let SolveError::Limit { positions, .. } = error { positions } else { 0 };
                took(positions, false)
            }
            Err(error) => return Err(failed(error)),
        };
        findings.run.get_or_insert(looked);
    }
    match args.common.json {
        true => output::print_json(&findings.json()),
        false => output::print(&findings.text(args.run)),
    }
    Ok(0)
}

fn unfound(bound: &Bound, plan: Plan) -> Findings<'_> {
    let repeats = plan.acyclic.holds.then(|| Fact::no(plan.acyclic.why.clone()));
    let constant_total = plan.constant_total.clone();
    Findings { bound, plan, repeats, constant_total, declared: None, run: None }
}

/// A property as it is told: whether it holds, where that is known, and why.
struct Told {
    name: &'static str,
    holds: Option<bool>,
    why: String,
}

impl Told {
    fn of(name: &'static str, fact: &Fact) -> Told {
        Told { name, holds: Some(fact.holds), why: fact.why.clone() }
    }
}

impl Findings<'_> {
    /// Takes in what a solve has found.
    fn take(&mut self, solved: &Solved<'_>) {
        self.repeats = Some(solved.cyclic.clone());
        self.constant_total = solved.constant_total.clone().or(self.constant_total.take());
        self.declared = solved.declared.clone().or(self.declared.take());
    }

    /// Whether something is not known that a look at positions would tell.
    fn wants_a_look(&self) -> bool {
        let total = self.constant_total.as_ref().is_some_and(|fact| !fact.holds && !self.looked_at_totals(fact));
        let few = matches!(self.plan.code, CodePlan::Interpreted(_)) && self.run.is_none();
        self.repeats.is_none() || total || few
    }

    fn looked_at_totals(&self, fact: &Fact) -> bool {
        let planned = self.plan.constant_total.as_ref();
        // Kernels look at totals before anything is computed.
        matches!(self.plan.code, CodePlan::Kernel { .. }) || planned.is_none_or(|planned| planned.why != fact.why)
    }

    fn complete(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.complete)
    }

    fn kind(&self) -> &'static str {
        match (self.plan.kind, self.plan.nimbers, self.plan.partizan) {
            (Kind::Score, ..) => "counted: each of two players wants the largest difference",
            (Kind::Payoffs, ..) => "counted: each player wants the largest total of their own",
            (Kind::Winners, ..) => "won by one of several players",
            (Kind::Outcome, true, _) if self.plan.method == Method::Loopy => {
                "won by the last mover, impartial: positions have loopy nimbers"
            }
            (Kind::Outcome, true, _) => "won by the last mover, impartial: positions have Grundy numbers",
            (Kind::Outcome, _, true) => "won by the last mover, partizan: it has an outcome class",
            (Kind::Outcome, ..) => "won, lost or drawn",
        }
    }

    fn facts(&self) -> Vec<Told> {
        let mut facts = vec![Told::of("impartial", &self.plan.impartial), Told::of("sum", &self.plan.sum)];
        if self.plan.heap.holds {
            facts.push(Told::of("heap", &self.plan.heap));
        }
        facts.extend(self.plan.row.as_ref().map(|fact| Told::of("row", fact)));
        facts.extend(self.plan.ahead.as_ref().filter(|fact| fact.holds).map(|fact| Told::of("forward", fact)));
        match &self.repeats {
            Some(fact) => facts.push(Told { name: "acyclic", holds: Some(!fact.holds), why: fact.why.clone() }),
            None => facts.push(Told { name: "acyclic", holds: None, why: self.unknown() }),
        }
        match &self.constant_total {
            Some(fact) if fact.holds || self.looked_at_totals(fact) => facts.push(Told::of("constant total", fact)),
            Some(_) => facts.push(Told { name: "constant total", holds: None, why: self.unknown() }),
            None => {}
        }
        if !self.bound.program.counted {
            facts.push(Told::of("last mover wins", &self.plan.last_mover));
        }
        facts.extend(self.declared.as_ref().map(|fact| Told::of("declared", fact)));
        facts
    }

    fn unknown(&self) -> String {
        let looked = plural(self.run.as_ref().map_or(0, |run| run.positions), self.noun());
        format!("the rules alone do not show it, and a look at {looked} was not enough; --run looks at all")
    }

    /// No more positions than these: the product of the domains, for every player to move where that matters. For a
    /// sum that is solved whole, the product over its parts, unless parts can split.
    fn most_positions(&self) -> Option<u64> {
        let turns = if self.plan.with_turn { self.bound.players as u64 } else { 1 };
        let size = self.bound.layout.size()?;
        if self.plan.sum.holds && !self.by_parts() {
            let parts = u32::try_from(self.bound.start.parts.len())
                .ok()
                .filter(|_| !properties::splits(&self.bound.program))?;
            return size.checked_pow(parts)?.checked_mul(turns);
        }
        size.checked_mul(turns)
    }

    /// What is counted.
    fn noun(&self) -> &'static str {
        match self.plan.method {
            Method::Heap => "heap",
            Method::Row => "item",
            _ if self.by_parts() => "part",
            _ => "position",
        }
    }

    /// Whether the parts of a sum are solved one by one.
    fn by_parts(&self) -> bool {
        self.plan.sum.holds && matches!(self.plan.method, Method::Grundy | Method::Loopy | Method::Quotient)
    }

    /// The bound on the positions, and what they would take at the rate of those that were met.
    fn prediction(&self) -> String {
        let parts = self.by_parts();
        let noun = self.noun();
        if self.plan.method == Method::Heap {
            let largest = self.bound.start.parts.iter().flatten().max().map_or(0, |heap| (*heap).max(0) as u64);
            return format!("{}, fewer where a period is proved", plural(largest.saturating_add(1), "heap"));
        }
        if self.plan.method == Method::Row {
            return "each item, once".to_string();
        }
        match self.most_positions() {
            None if self.plan.sum.holds && !parts && properties::splits(&self.bound.program) => {
                "no bound: parts can split".to_string()
            }
            None => format!("more than 10^19 {noun}s"),
            Some(most) => match &self.run {
                Some(run) if run.positions >= 1000 && matches!(self.plan.code, CodePlan::Interpreted(_)) => {
                    let bytes = most as f64 / run.positions as f64 * run.bytes as f64;
                    let over = if bytes < u64::MAX as f64 { "" } else { "over " };
                    format!("{}, which would take {over}{}", plural(most, noun), bytes_text(bytes as u64))
                }
                _ => plural(most, noun),
            },
        }
    }

    fn text(&self, ran: bool) -> String {
        let title = phrases::title(&self.bound.program.name, &Understood::new(self.bound));
        let mut rows = Rows::new(INDENT);
        rows.prose("kind", self.kind());
        rows.prose("players", &self.bound.players.to_string());
        for told in self.facts() {
            let mark = match told.holds {
                Some(true) => "yes: ",
                Some(false) => "no: ",
                None => "not known: ",
            };
            rows.prose(told.name, &format!("{mark}{}", told.why));
        }
        rows.prose("method", &format!("{}: {}", self.plan.method.name(), self.plan.why));
        for (name, found) in &self.plan.findings {
            rows.prose(name, found);
        }
        let turn = if self.plan.with_turn { ", and whose turn it is" } else { "; whose turn it is does not matter" };
        let thing = if self.plan.sum.holds { "a part" } else { "a position" };
        rows.prose(thing, &format!("{}{turn}", plural(self.bound.layout.bits() as u64, "bit")));
        rows.prose("at most", &self.prediction());
        self.code_rows(&mut rows);
        if let Some(run) = &self.run {
            let took = format!("{}, {}", bytes_text(run.bytes), seconds_text(run.seconds));
            let (name, note) = match (ran, run.complete) {
                (true, _) => ("took", ""),
                (false, true) => ("found", ": all there are"),
                (false, false) => ("found so far", ": not all"),
            };
            rows.prose(name, &format!("{}, {took}{note}", plural(run.positions, self.noun())));
        }
        format!("{title}{}", rows.text())
    }

    /// What runs the rules, and what that will take.
    fn code_rows(&self, rows: &mut Rows) {
        match &self.plan.code {
            CodePlan::Interpreted(how) if matches!(self.plan.method, Method::Heap | Method::Row) => {
                rows.prose("values", how)
            }
            CodePlan::Interpreted(why) => rows.prose("rules", &format!("interpreted: {why}")),
            CodePlan::Kernel { how, places, bytes, seconds } => {
                rows.prose("values", how);
                let time = seconds_text(order_of(*seconds));
                let what = if self.plan.method == Method::Triangle { "interval" } else { "position" };
                let places = plural(*places, what);
                rows.prose("predicted", &format!("{places}, {}, about {time}", bytes_text(*bytes)));
            }
            CodePlan::Compiled { numbering, facts, code, places, bytes, seconds } => {
                rows.prose("numbering", numbering);
                for fact in facts {
                    rows.prose("proved", fact);
                }
                let code = if code.is_empty() { String::new() } else { format!(": {code}") };
                rows.prose("rules", &format!("compiled{code}"));
                let time = seconds_text(order_of(*seconds));
                let prediction = match bytes {
                    Some(bytes) => {
                        format!("{}, a table of {}, about {time}", plural(*places, "code"), bytes_text(*bytes))
                    }
                    None => format!("at most {}; how many are met is not known beforehand", plural(*places, "code")),
                };
                rows.prose("predicted", &prediction);
            }
        }
    }

    fn json(&self) -> Value {
        let fact = |told: Told| (told.name.replace(' ', "_"), json!({ "holds": told.holds, "why": told.why }));
        let facts: Map<String, Value> = self.facts().into_iter().map(fact).collect();
        let mut object = json!({
            "game": self.bound.program.name,
            "instance": instance_json(self.bound),
            "kind": self.kind(),
            "players": self.bound.players,
            "facts": facts,
            "method": self.plan.method.name(),
            "why": self.plan.why,
            "position_bits": self.bound.layout.bits(),
            "positions_at_most": self.most_positions(),
            "code": self.code_json(),
            "complete": self.complete(),
            "positions": self.run.as_ref().map(|run| run.positions),
            "bytes": self.run.as_ref().map(|run| run.bytes),
            "seconds": self.run.as_ref().map(|run| run.seconds),
        });
        for (name, found) in &self.plan.findings {
            object[*name] = json!(found);
        }
        object
    }

    fn code_json(&self) -> Value {
        match &self.plan.code {
            CodePlan::Interpreted(why) => json!({ "compiled": false, "why": why }),
            CodePlan::Kernel { how, places, bytes, seconds } => json!({
                "compiled": false,
                "why": how,
                "predicted_positions": places,
                "predicted_bytes": bytes,
                "predicted_seconds": order_of(*seconds),
            }),
            CodePlan::Compiled { numbering, facts, code, places, bytes, seconds } => json!({
                "compiled": true,
                "numbering": numbering,
                "proved": facts,
                "code": code,
                "predicted_positions": places,
                "predicted_bytes": bytes,
                "predicted_seconds": bytes.map(|_| order_of(*seconds)),
            }),
        }
    }
}

/// One digit of it: no more is known beforehand.
fn order_of(seconds: f64) -> f64 {
    let step = 10f64.powf(seconds.max(1e-6).log10().floor());
    (seconds / step).round().max(1.0) * step
}
