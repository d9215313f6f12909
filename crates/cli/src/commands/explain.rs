//! `perfectplay explain`: what kind of game this is, how that is known, and how it is solved.

use std::time::Duration;

use perfectplay::{Bound, Limits, Method, Options, Plan, SolveError, Solved};
use rules::show::cut;
use serde_json::{Map, Value, json};
use solve::plan::Kind;
use solve::properties::Fact;
use solve::solution::instance_json;

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::load;
use crate::output::{self, FAINT, GOOD, STRONG, bytes_text, count, seconds_text, styled};
use crate::progress;

/// How far `explain` looks by itself when the rules alone do not show a property.
const LOOK: Limits = Limits { memory: 128 << 20, time: Some(Duration::from_secs(2)) };

/// What was found out.
struct Findings<'b> {
    bound: &'b Bound,
    plan: Plan,
    impartial: Fact,
    acyclic: Option<Fact>,
    cyclic: Option<Fact>,
    constant_total: Option<Fact>,
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
    let (rules, bound) = load::game(&args.game)?;
    let method = args.common.limits.method();
    let plan = Plan::new(&bound, method).map_err(|error| Failure::solving(error, &rules))?;
    let limits = if args.run { args.common.limits.limits() } else { LOOK };
    let mut monitor = progress::monitor(&limits, args.common.quiet || args.common.json);
    let options = Options { method, check_total: true };
    let solved = perfectplay::solve(&bound, &bound.start, &options, &mut monitor);
    let took = |positions, complete| Ran {
        positions,
        complete,
        bytes: monitor.memory().peak(),
        seconds: monitor.elapsed().as_secs_f64(),
    };
    let findings = match solved {
        Ok(solved) => found(&bound, &solved, took(solved.positions, true)),
        Err(SolveError::Limit { positions, .. }) if !args.run => unfound(&bound, plan, took(positions, false)),
        Err(error) => return Err(Failure::solving(error, &rules)),
    };
    output::print(&if args.common.json { format!("{}\n", findings.json()) } else { findings.text(args.run) });
    Ok(0)
}

fn found<'b>(bound: &'b Bound, solved: &Solved<'b>, run: Ran) -> Findings<'b> {
    let plan = solved.plan.clone();
    let repeats = solved.cyclic.holds;
    let acyclic =
        Fact { holds: !repeats, why: if repeats { "see cyclic".to_string() } else { solved.cyclic.why.clone() } };
    let cyclic =
        Fact { holds: repeats, why: if repeats { solved.cyclic.why.clone() } else { "see acyclic".to_string() } };
    Findings {
        bound,
        impartial: plan.impartial.clone(),
        acyclic: Some(acyclic),
        cyclic: Some(cyclic),
        constant_total: solved.constant_total.clone(),
        run: Some(run),
        plan,
    }
}

fn unfound(bound: &Bound, plan: Plan, run: Ran) -> Findings<'_> {
    let unknown = |what: &str| {
        Fact::no(format!(
            "not known: {what}, and looking at {} positions was not enough (use --run)",
            count(run.positions)
        ))
    };
    let acyclic = if plan.acyclic.holds { plan.acyclic.clone() } else { unknown("not seen in the rules") };
    let constant_total =
        plan.constant_total.clone().map(|fact| if fact.holds { fact } else { unknown("not seen in the rules") });
    Findings {
        bound,
        impartial: plan.impartial.clone(),
        acyclic: Some(acyclic),
        cyclic: None,
        constant_total,
        run: Some(run),
        plan,
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

    fn facts(&self) -> Vec<(&'static str, &Fact)> {
        let mut facts = vec![("impartial", &self.impartial), ("sum", &self.plan.sum)];
        facts.extend(self.acyclic.as_ref().map(|fact| ("acyclic", fact)));
        facts.extend(self.cyclic.as_ref().filter(|fact| fact.holds).map(|fact| ("cyclic", fact)));
        facts.extend(self.constant_total.as_ref().map(|fact| ("constant total", fact)));
        if !self.bound.program.counted {
            facts.push(("last mover wins", &self.plan.last_mover));
        }
        facts
    }

    /// The product of the domains and of the players to move: no more positions than that.
    fn most_positions(&self) -> Option<u64> {
        if self.plan.sum.holds && self.plan.method != Method::Grundy {
            return None;
        }
        let turns = if self.plan.with_turn { self.bound.players as u64 } else { 1 };
        self.bound.layout.size().and_then(|size| size.checked_mul(turns))
    }

    fn text(&self, ran: bool) -> String {
        let instance: Vec<String> =
            instance_json(self.bound).iter().map(|(name, value)| cut(70, &format!("{name}={value}"))).collect();
        let mut text = format!("{}  {}\n", styled(&self.bound.program.name, STRONG), styled(instance.join(" "), FAINT));
        let mut row =
            |name: &str, value: String| text.push_str(&format!("  {} {value}\n", styled(format!("{name:16}"), FAINT)));
        row("kind", self.kind().to_string());
        row("players", self.bound.players.to_string());
        for (name, fact) in self.facts() {
            let mark = if fact.holds { styled("yes", GOOD) } else { "no ".to_string() };
            row(name, format!("{mark}  {}", fact.why));
        }
        row("method", format!("{}: {}", styled(self.plan.method.name(), STRONG), self.plan.why));
        let bits = self.bound.layout.bits();
        let turn = if self.plan.with_turn { ", and whose turn it is" } else { ", whoever's turn it is" };
        row("a position", format!("{bits} bits{turn}"));
        row(
            "at most",
            self.most_positions().map_or("more positions than can be counted".to_string(), |n| {
                format!("{} positions by the domains", count(n))
            }),
        );
        if let Some(run) = &self.run {
            let (bytes, seconds) = (bytes_text(run.bytes), seconds_text(run.seconds));
            let what = match (ran, run.complete) {
                (true, _) => "took",
                (false, true) => "looked at",
                (false, false) => "looked at first",
            };
            row(what, format!("{} positions, {bytes}, {seconds}", count(run.positions)));
        }
        text
    }

    fn json(&self) -> Value {
        let facts: Map<String, Value> = self
            .facts()
            .into_iter()
            .map(|(name, fact)| (name.replace(' ', "_"), json!({ "holds": fact.holds, "why": fact.why })))
            .collect();
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
            "complete": self.run.as_ref().map(|run| run.complete),
            "positions": self.run.as_ref().map(|run| run.positions),
            "bytes": self.run.as_ref().map(|run| run.bytes),
            "seconds": self.run.as_ref().map(|run| run.seconds),
        })
    }
}
