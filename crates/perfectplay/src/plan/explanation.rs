//! A plan with all that is known of the game: what `perfectplay explain` prints.

use std::time::Duration;

use engine::monitor::{Limits, Monitor};
use rules::bind::Bound;
use solve::answer::solution;
use solve::case::Kind;
use solve::chooser::Chooser;
use solve::error::SolveError;
use solve::facts::{Fact, splits};
use solve::methods::{self, Ability, Aside, Code, Report, Unit};
use solve::options::Options;
use solve::plan::Plan;
use solve::solved::{Foreseen, Solved, foresee, solve, solve_and};
use solve::stopping::watched;

use crate::numbers::plural;

/// How far an explanation looks by itself, unless it is told otherwise, when the rules alone do not show a property.
///
/// ```
/// assert_eq!(perfectplay::plan::LOOK.memory, 128 << 20);
/// ```
pub const LOOK: Limits = Limits { memory: 128 << 20, time: Some(Duration::from_secs(1)) };

/// Memory is scarce where a plan is predicted to take this share of it, as a divisor: predictions may be wrong by that.
const SCARCE: u64 = 8;

/// A plan with all that is known of the game.
///
/// ```
/// use perfectplay::language::Rules;
/// use perfectplay::plan::{LOOK, explain};
/// use perfectplay::solving::{Limits, Monitor, Options};
///
/// let chomp = Rules::gallery("chomp").unwrap().bind("{}")?;
/// let explanation = explain(&chomp, &Options::default(), &Limits::default(), Some(&LOOK), &Monitor::new)?;
/// assert_eq!(explanation.kind(), "won by the last mover, impartial: positions have Grundy numbers");
/// assert_eq!(explanation.plan.method().name(), "induction");
/// assert!(explanation.properties().iter().any(|property| property.name == "acyclic" && property.holds == Some(true)));
///
/// // How far the look came, and what was counted.
/// assert!(explanation.complete() && !explanation.by_parts() && !explanation.grows());
/// assert!(explanation.most_positions().unwrap() >= explanation.taken.unwrap().positions);
/// assert_eq!(explanation.kernel(), None); // Rules are run, not code of ours for a shape.
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub struct Explanation<'b> {
    /// The game.
    pub bound: &'b Bound,
    /// The plan.
    pub plan: Plan<'b>,
    /// What a solve or a look took, if there was one.
    pub taken: Option<Taken>,
    /// Whether the game was solved because that was asked for.
    pub ran: bool,
    /// What the compiled code looks like, where it was made.
    pub code: String,
    /// What else was found, by name.
    pub findings: Vec<(&'static str, String)>,
    /// Whether positions repeat; `None` while neither is shown.
    repeats: Option<Fact>,
    constant_total: Option<Fact>,
    /// What the file declares, once checked.
    declared: Option<Fact>,
}

/// What a solve took.
///
/// ```
/// let taken = perfectplay::plan::Taken { positions: 5, bytes: 100, seconds: 0.1, complete: true };
/// assert!(taken.complete);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// Positions that were met.
    pub positions: u64,
    /// Bytes at the peak.
    pub bytes: u64,
    /// Seconds.
    pub seconds: f64,
    /// Whether these are all positions.
    pub complete: bool,
}

/// A property of a game: whether it holds, where that is known, and why.
///
/// ```
/// use perfectplay::plan::{Property, ToldBy};
///
/// let why = "nobody looked".to_string();
/// let property = Property { name: "acyclic", holds: None, why, told_by: Some(ToldBy::Run) };
/// assert_eq!(property.holds, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// Whether it holds; `None` where that is not known.
    pub holds: Option<bool>,
    /// The proof, or what speaks against it.
    pub why: String,
    /// What would tell it, where it is not known.
    pub told_by: Option<ToldBy>,
}

/// What would tell a property that is not known: it looks at all positions.
///
/// See [`Property`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldBy {
    /// A run of the plan.
    Run,
    /// A solve of all positions, where the plan looks at some.
    Strong,
}

impl Property {
    fn of(name: &'static str, fact: &Fact) -> Property {
        Property { name, holds: Some(fact.holds), why: fact.why.clone(), told_by: None }
    }
}

/// Explains a game. Without `look` the game is solved, so that everything is known. With it, the plan that a solve within `limits`
/// carries out is told; a look within limits of its own tells what the rules alone do not show. Every solve has a monitor of
/// its own.
///
/// See [`Explanation`] for an example.
pub fn explain<'b>(
    bound: &'b Bound,
    options: &Options,
    limits: &Limits,
    look: Option<&Limits>,
    monitor: &dyn Fn(&Limits) -> Monitor,
) -> Result<Explanation<'b>, SolveError> {
    let mut first = monitor(limits);
    let mut explanation = match look {
        None => {
            let monitor = &mut first;
            // As `solve` does: a plan may be given up when its moves are asked for.
            let (solved, _) = solve_and(&methods::ALL, bound, &bound.start, options, monitor, solution)?;
            let taken = Taken::by(monitor, solved.positions(), !solved.plan.only_start()).without(solved.report.aside);
            let Solved { plan, report, .. } = solved;
            let mut explanation = Explanation::new(plan, true);
            explanation.take(report);
            explanation.taken = Some(taken);
            explanation
        }
        Some(look) => planned(bound, options, &mut first, look, monitor)?,
    };
    if explanation.wants_totals() {
        let mut look = look.unwrap_or(limits).clone();
        look.memory = look.memory.min(first.memory().free());
        explanation.look_at_totals(options, &mut monitor(&look))?;
    }
    Ok(explanation)
}

/// The plan that a solve carries out that has the limits of `choosing`. Where the rules leave something open, it is carried out within
/// the limits of a look; if it is given up there, the chooser makes the next one, as it does for the solve.
fn planned<'b>(
    bound: &'b Bound,
    options: &Options,
    choosing: &mut Monitor,
    look: &Limits,
    monitor: &dyn Fn(&Limits) -> Monitor,
) -> Result<Explanation<'b>, SolveError> {
    let new = |monitor: &mut Monitor| Chooser::new(&methods::ALL, bound, &bound.start, options, monitor);
    let mut chooser = watched(choosing, new)?;
    let explanation = Explanation::new(watched(choosing, |monitor| chooser.plan(monitor))?, false);
    // Where memory is scarce, a plan may be given up for that: a look shows it.
    let free = choosing.memory().free();
    let is_scarce = look.memory >= free && explanation.plan.cost().bytes.is_none_or(|bytes| bytes > free / SCARCE);
    if !explanation.wants_a_look() && !is_scarce {
        let plan = chooser.told(explanation.plan, choosing);
        return Ok(Explanation { plan, ..explanation });
    }
    // A search leaves positions out: that it is given up early is all that a look can tell.
    let time = if explanation.plan.only_start() { look.time.map(|time| time / 2) } else { look.time };
    // Where the solve has no more memory than the look, the look is the beginning of the solve itself.
    let mut looking = match look.memory < free {
        true => monitor(&Limits { time, ..*look }).as_if_within(choosing.time_limit()),
        false => choosing.fork_for(time),
    };
    let Foreseen { plan, report, positions } =
        foresee(explanation.plan, &mut chooser, (choosing, &mut looking), solution)?;
    let mut explanation = Explanation::new(plan, false);
    let aside = report.as_ref().and_then(|report| report.aside);
    explanation.taken = Some(Taken::by(&looking, positions, report.is_some()).without(aside));
    if let Some(report) = report {
        explanation.take(report);
    }
    // What is told of the other methods comes last, and does not count.
    let plan = chooser.told(explanation.plan, choosing);
    Ok(Explanation { plan, ..explanation })
}

impl Taken {
    fn by(monitor: &Monitor, positions: u64, complete: bool) -> Taken {
        let (bytes, seconds) = (monitor.memory().peak(), monitor.elapsed().as_secs_f64());
        Taken { positions, bytes, seconds, complete }
    }

    /// Without what was spent beside the solve, to count what simpler searches would look at.
    fn without(self, aside: Option<Aside>) -> Taken {
        let Some(Aside { seconds, peak }) = aside else { return self };
        Taken { seconds: (self.seconds - seconds).max(0.0), bytes: peak, ..self }
    }
}

impl<'b> Explanation<'b> {
    fn new(plan: Plan<'b>, ran: bool) -> Explanation<'b> {
        let repeats = plan.facts().acyclic.holds.then(|| Fact::no(plan.facts().acyclic.why.clone()));
        let constant_total = plan.facts().constant_total.clone();
        let (code, findings) = (String::new(), Vec::new());
        let bound = plan.bound();
        Explanation { bound, plan, taken: None, ran, code, findings, repeats, constant_total, declared: None }
    }

    /// Takes in what a solve has found.
    fn take(&mut self, report: Report) {
        self.repeats = report.cyclic.or(self.repeats.take());
        self.constant_total = report.constant_total.or(self.constant_total.take());
        self.declared = report.declared.or(self.declared.take());
        if !report.code.is_empty() {
            self.code = report.code;
        }
        if !report.findings.is_empty() {
            self.findings = report.findings;
        }
    }

    /// Compares the totals of all positions, which a solve does not do by itself. This adds facts and leaves the plan alone.
    fn look_at_totals(&mut self, options: &Options, monitor: &mut Monitor) -> Result<(), SolveError> {
        let options = Options { check_total: true, ..options.clone() };
        let taken = match solve(self.bound, &self.bound.start, &options, monitor) {
            Ok(solved) => {
                let taken = Taken::by(monitor, solved.positions(), true).without(solved.report.aside);
                self.constant_total = solved.report.constant_total.or(self.constant_total.take());
                self.repeats = self.repeats.take().or(solved.report.cyclic);
                taken
            }
            // The game itself is solved, or can be: this only is not known then.
            Err(error) if error.is_limit() => {
                let positions = if let SolveError::Limit { positions, .. } = error { positions } else { 0 };
                Taken::by(monitor, positions, false)
            }
            Err(error) => return Err(error),
        };
        self.taken.get_or_insert(taken);
        Ok(())
    }

    /// Whether something is not known that a look at positions would tell.
    fn wants_a_look(&self) -> bool {
        let few = !matches!(self.plan.code(), Code::Compiled { .. }) && self.plan.cost().bytes.is_none();
        self.repeats.is_none() || few
    }

    /// Whether it is not known whether all play gains the same in total, and positions would tell.
    fn wants_totals(&self) -> bool {
        self.constant_total.as_ref().is_some_and(|fact| !fact.holds && !self.looked_at_totals(fact))
    }

    fn looked_at_totals(&self, fact: &Fact) -> bool {
        let planned = self.plan.facts().constant_total.as_ref();
        // Kernels look at totals before anything is computed.
        matches!(self.plan.code(), Code::Kernel(_)) || planned.is_none_or(|planned| planned.why != fact.why)
    }

    /// Whether all positions were looked at.
    pub fn complete(&self) -> bool {
        self.taken.is_some_and(|taken| taken.complete)
    }

    /// What kind of game it is, in words.
    pub fn kind(&self) -> &'static str {
        let facts = self.plan.facts();
        match (facts.kind, facts.nimbers, facts.partizan) {
            (Kind::Score, ..) => "counted: each of two players wants the largest difference",
            (Kind::Payoffs, ..) => "counted: each player wants the largest total of their own",
            (Kind::Winners, ..) => "won by one of several players",
            (Kind::Outcome, true, _) if methods::can(self.plan.method(), Ability::LoopyNimbers) => {
                "won by the last mover, impartial: positions have loopy nimbers"
            }
            (Kind::Outcome, true, _) => "won by the last mover, impartial: positions have Grundy numbers",
            (Kind::Outcome, _, true) => "won by the last mover, partizan: it has an outcome class",
            (Kind::Outcome, ..) => "won, lost or drawn",
        }
    }

    /// What code of ours does for games of this shape: what it found, where it ran. `None` where the rules are run.
    pub fn kernel(&self) -> Option<&str> {
        match self.plan.code() {
            Code::Kernel(how) if self.code.is_empty() => Some(how),
            Code::Kernel(_) => Some(&self.code),
            Code::Interpreted(_) | Code::Compiled { .. } => None,
        }
    }

    /// Everything that is known of the game, each with its reason.
    pub fn properties(&self) -> Vec<Property> {
        let facts = self.plan.facts();
        let mut known = vec![Property::of("impartial", &facts.impartial), Property::of("sum", &facts.sum)];
        known.extend(self.plan.shapes().iter().map(|(name, fact)| Property::of(name, fact)));
        known.push(match &self.repeats {
            Some(fact) => Property { holds: Some(!fact.holds), ..Property::of("acyclic", fact) },
            None => self.unknown("acyclic"),
        });
        match &self.constant_total {
            Some(fact) if fact.holds || self.looked_at_totals(fact) => {
                known.push(Property::of("constant total", fact));
            }
            Some(_) => known.push(self.unknown("constant total")),
            None => {}
        }
        if !self.bound.program.counted {
            known.push(Property::of("last mover wins", &facts.last_mover));
        }
        known.extend(self.declared.as_ref().map(|fact| Property::of("declared", fact)));
        known
    }

    fn unknown(&self, name: &'static str) -> Property {
        let looked = plural(self.taken.map_or(0, |taken| taken.positions), self.plan.unit());
        let (why, told_by) = match self.plan.only_start() {
            true => ("a search leaves positions out".to_string(), ToldBy::Strong),
            false => (format!("a look at {looked} was not enough"), ToldBy::Run),
        };
        let why = format!("the rules alone do not show it, and {why}");
        Property { name, holds: None, why, told_by: Some(told_by) }
    }

    /// Whether the parts of a sum are valued one by one.
    pub fn by_parts(&self) -> bool {
        self.plan.unit() == Unit::Part
    }

    /// Whether parts can split, so that there is no bound on the positions of a sum that is solved whole.
    pub fn grows(&self) -> bool {
        self.plan.facts().sum.holds && !self.by_parts() && splits(&self.bound.program)
    }

    /// No more positions than these: the product of the domains, for every player to move where that matters. For a
    /// sum that is solved whole, the product over its parts, unless parts can split.
    pub fn most_positions(&self) -> Option<u64> {
        let parts = if self.by_parts() { 1 } else { self.bound.start.parts.len() };
        self.plan.facts().most_positions(self.bound, parts).filter(|_| !self.grows())
    }
}

/// One digit of a number of seconds: no more is known beforehand.
///
/// ```
/// assert_eq!(perfectplay::plan::order_of(47.3), 50.0);
/// ```
pub fn order_of(seconds: f64) -> f64 {
    let step = 10f64.powf(seconds.max(1e-6).log10().floor());
    (seconds / step).round().max(1.0) * step
}
