//! `perfectplay explain`: what kind of game this is, how that is known, and how it is solved.

use std::time::Duration;

use perfectplay::{Bound, Limits, Method, Options, Plan, SolveError, Solved};
use serde_json::{Map, Value, json};
use solve::plan::Kind;
use solve::properties::{self, Fact};
use solve::solution::instance_json;

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::load;
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
    run: Ran,
}

/// What a solve took.
struct Ran {
    positions: u64,
    bytes: u64,
    seconds: f64,
    complete: bool,
}

pub fn run(args: &ExplainArgs) -> Result<u8, Failure> {
    let (rules, bound) = load::game(&args.game)?;
    let asked = &args.common.limits;
    let method = asked.method();
    let plan = Plan::new(&bound, method).map_err(|error| Failure::solving(error, &rules))?;
    let look = Limits { memory: asked.memory.unwrap_or(LOOK.memory), time: asked.time.or(LOOK.time) };
    let limits = if args.run { asked.limits() } else { look };
    let mut monitor = progress::monitor(&limits, args.common.quiet || args.common.json);
    let options = Options { check_total: true, ..asked.options() };
    let solved = perfectplay::solve(&bound, &bound.start, &options, &mut monitor);
    let (bytes, seconds) = (monitor.memory().peak(), monitor.elapsed().as_secs_f64());
    drop(monitor);
    let took = |positions, complete| Ran { positions, complete, bytes, seconds };
    let findings = match solved {
        Ok(solved) => found(&bound, &solved, took(solved.positions, true)),
        Err(error) if error.is_limit() && !args.run => {
            let positions = if let SolveError::Limit { positions, .. } = error { positions } else { 0 };
            unfound(&bound, plan, took(positions, false))
        }
        Err(error) => return Err(Failure::solving(error, &rules)),
    };
    output::print(&if args.common.json { format!("{}\n", findings.json()) } else { findings.text(args.run) });
    Ok(0)
}

fn found<'b>(bound: &'b Bound, solved: &Solved<'b>, run: Ran) -> Findings<'b> {
    let (plan, repeats) = (solved.plan.clone(), Some(solved.cyclic.clone()));
    let (constant_total, declared) = (solved.constant_total.clone(), solved.declared.clone());
    Findings { bound, plan, repeats, constant_total, declared, run }
}

fn unfound(bound: &Bound, plan: Plan, run: Ran) -> Findings<'_> {
    let repeats = plan.acyclic.holds.then(|| Fact::no(plan.acyclic.why.clone()));
    let constant_total = plan.constant_total.clone();
    Findings { bound, plan, repeats, constant_total, declared: None, run }
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
    fn kind(&self) -> &'static str {
        match (self.plan.kind, self.plan.nimbers, self.plan.partizan) {
            (Kind::Score, ..) => "counted: each of two players wants the largest difference",
            (Kind::Payoffs, ..) => "counted: each player wants the largest total of their own",
            (Kind::Winners, ..) => "won by one of several players",
            (Kind::Outcome, true, _) => "won by the last mover, impartial: positions have Grundy numbers",
            (Kind::Outcome, _, true) => "won by the last mover, partizan: it has an outcome class",
            (Kind::Outcome, ..) => "won, lost or drawn",
        }
    }

    fn facts(&self) -> Vec<Told> {
        let mut facts = vec![Told::of("impartial", &self.plan.impartial), Told::of("sum", &self.plan.sum)];
        match &self.repeats {
            Some(fact) => facts.push(Told { name: "acyclic", holds: Some(!fact.holds), why: fact.why.clone() }),
            None => facts.push(Told { name: "acyclic", holds: None, why: self.unknown() }),
        }
        match &self.constant_total {
            Some(fact) if fact.holds || self.run.complete => facts.push(Told::of("constant total", fact)),
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
        let looked = plural(self.run.positions, self.noun());
        format!("the rules alone do not show it, and a look at {looked} was not enough; --run looks at all")
    }

    /// No more positions than these: the product of the domains, for every player to move where that matters. For a
    /// sum that is solved whole, the product over its parts, unless parts can split.
    fn most_positions(&self) -> Option<u64> {
        let turns = if self.plan.with_turn { self.bound.players as u64 } else { 1 };
        let size = self.bound.layout.size()?;
        if self.plan.sum.holds && self.plan.method != Method::Grundy {
            let parts = u32::try_from(self.bound.start.parts.len())
                .ok()
                .filter(|_| !properties::splits(&self.bound.program))?;
            return size.checked_pow(parts)?.checked_mul(turns);
        }
        size.checked_mul(turns)
    }

    /// What is counted.
    fn noun(&self) -> &'static str {
        if self.plan.method == Method::Grundy { "part" } else { "position" }
    }

    /// The bound on the positions, and what they would take at the rate of those that were met.
    fn prediction(&self) -> String {
        let parts = self.plan.method == Method::Grundy;
        let noun = self.noun();
        match self.most_positions() {
            None if self.plan.sum.holds && !parts && properties::splits(&self.bound.program) => {
                "no bound: parts can split".to_string()
            }
            None => format!("more than 10^19 {noun}s"),
            Some(most) if self.run.positions >= 1000 => {
                let bytes = most as f64 / self.run.positions as f64 * self.run.bytes as f64;
                let over = if bytes < u64::MAX as f64 { "" } else { "over " };
                format!("{}, which would take {over}{}", plural(most, noun), bytes_text(bytes as u64))
            }
            Some(most) => plural(most, noun),
        }
    }

    fn text(&self, ran: bool) -> String {
        let title = phrases::title(&self.bound.program.name, &instance_json(self.bound));
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
        let turn = if self.plan.with_turn { ", and whose turn it is" } else { "; whose turn it is does not matter" };
        let thing = if self.plan.sum.holds { "a part" } else { "a position" };
        rows.prose(thing, &format!("{}{turn}", plural(self.bound.layout.bits() as u64, "bit")));
        rows.prose("at most", &self.prediction());
        let took = format!("{}, {}", bytes_text(self.run.bytes), seconds_text(self.run.seconds));
        let (name, note) = match (ran, self.run.complete) {
            (true, _) => ("took", ""),
            (false, true) => ("found", ": all there are"),
            (false, false) => ("found so far", ": not all"),
        };
        rows.prose(name, &format!("{}, {took}{note}", plural(self.run.positions, self.noun())));
        format!("{title}{}", rows.text())
    }

    fn json(&self) -> Value {
        let fact = |told: Told| (told.name.replace(' ', "_"), json!({ "holds": told.holds, "why": told.why }));
        let facts: Map<String, Value> = self.facts().into_iter().map(fact).collect();
        json!({
            "game": self.bound.program.name,
            "instance": instance_json(self.bound),
            "kind": self.kind(),
            "players": self.bound.players,
            "facts": facts,
            "method": self.plan.method.name(),
            "why": self.plan.why,
            "position_bits": self.bound.layout.bits(),
            "positions_at_most": self.most_positions(),
            "complete": self.run.complete,
            "positions": self.run.positions,
            "bytes": self.run.bytes,
            "seconds": self.run.seconds,
        })
    }
}
