//! The plan: which method solves a case, why, and what that will cost. A value that never changes.
//!
//! The chooser ([`crate::chooser`]) makes it, for `solve`, `explain`, `build`, `sequence` and benchmarks alike. Where a plan is given
//! up, the chooser is told why and makes another.

use std::time::Instant;

use engine::monitor::{Monitor, Prediction};
use positions::remembered::Remembered;
use rules::bind::Bound;
use shapes::heap::HeapGame;

use crate::case::{Case, Decomposition, Facts, PartKind};
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Code, Cost, Found, GivenUp, Intervals, Prepared, Prospect, Unit};
use crate::options::MethodName;

/// A trial ends after so many times its seconds, even if it has met fewer positions than it may.
const TRIAL_PATIENCE: f64 = 4.0;

/// What is done with a game, and what is known of it beforehand.
pub struct Plan<'b> {
    bound: &'b Bound,
    facts: Facts,
    shapes: Vec<(&'static str, Fact)>,
    method: MethodName,
    why: String,
    code: Code,
    cost: Cost,
    unit: Unit,
    passed_over: Vec<PassedOver>,
    given_up: Vec<(MethodName, Reason)>,
    patience: Patience,
    only_start: bool,
    prepared: Box<dyn Prepared<'b> + 'b>,
    decomposition: Decomposition,
}

/// What stands for a method where values are read from a file.
const TABLE: MethodName = MethodName::new("table");

/// The work of a plan where there is none.
struct Nothing;

impl<'b> Prepared<'b> for Nothing {
    fn run(&self, _: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        Err(SolveError::internal("a plan without work was to be carried out").into())
    }
}

/// How long a run may take before it is given up for another method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Patience {
    /// Seconds that the run is predicted to take, without what was measured while it was chosen.
    pub own_seconds: Option<f64>,
    /// Seconds that the next best method is predicted to take: a run that turns out much dearer is given up for it.
    pub rival_seconds: Option<f64>,
    /// Seconds that a search takes that is the last resort where this method would not be done in time.
    pub resort_seconds: Option<f64>,
    /// For so many seconds the method is tried.
    pub trial_seconds: Option<f64>,
    /// How many positions it is expected to meet in that time.
    pub trial_positions: Option<u64>,
}

/// A method that was passed over.
#[derive(Clone, Debug, PartialEq)]
pub struct PassedOver {
    /// The method.
    pub method: MethodName,
    /// Why.
    pub why: String,
    /// What it would take, as far as that is known, where it applies.
    pub cost: Option<Cost>,
    /// What it would count.
    pub unit: Unit,
}

impl<'b> Plan<'b> {
    /// The plan to use a method for a case.
    pub(crate) fn new(
        case: &Case<'b>,
        method: MethodName,
        prospect: Prospect<'b>,
        shapes: Vec<(&'static str, Fact)>,
        passed_over: Vec<PassedOver>,
        patience: Patience,
    ) -> Plan<'b> {
        let Prospect { why, code, cost, unit, acyclic, constant_total, only_start, prepared, .. } = prospect;
        let why = if case.options.method.is_some() { "asked for".to_string() } else { why };
        let mut facts = case.facts.clone();
        facts.acyclic = acyclic.unwrap_or(facts.acyclic);
        facts.constant_total = constant_total.or(facts.constant_total);
        let given_up = case.tried().to_vec();
        let decomposition = if facts.partizan { case.decomposition() } else { Decomposition::default() };
        let bound = case.bound;
        Plan {
            bound,
            facts,
            shapes,
            method,
            why,
            code,
            cost,
            unit,
            passed_over,
            given_up,
            patience,
            only_start,
            prepared,
            decomposition,
        }
    }

    /// The same plan, with the methods too that nobody had to look at to choose it, and why these were passed over.
    pub(crate) fn telling_of(mut self, others: Vec<PassedOver>) -> Plan<'b> {
        self.passed_over.extend(others);
        self
    }

    /// The same plan, with a prediction that nobody needed to choose it.
    pub(crate) fn predicted_to_take(self, cost: Cost) -> Plan<'b> {
        Plan { cost, ..self }
    }

    /// The same plan, given up: it is told, and not carried out any more. What was ready for its work is gone, with its memory.
    pub(crate) fn put_aside(self) -> Plan<'b> {
        Plan { prepared: Box::new(Nothing), ..self }
    }

    /// The plan of a game whose values stand in a table file: there is nothing to be done.
    pub(crate) fn of_table(bound: &'b Bound, facts: Facts) -> Plan<'b> {
        Plan {
            bound,
            facts,
            shapes: Vec::new(),
            method: TABLE,
            why: "all values stand in a file".to_string(),
            code: Code::Kernel("reads a table file".to_string()),
            cost: Cost::default(),
            unit: Unit::Position,
            passed_over: Vec::new(),
            given_up: Vec::new(),
            patience: Patience::default(),
            only_start: false,
            prepared: Box::new(Nothing),
            decomposition: Decomposition::default(),
        }
    }

    /// The game.
    pub fn bound(&self) -> &'b Bound {
        self.bound
    }

    /// What the rules show, and what the method has shown of them.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The shapes that were looked for, and whether the game has them.
    pub fn shapes(&self) -> &[(&'static str, Fact)] {
        &self.shapes
    }

    /// The shape of that name, where it was looked for.
    pub fn shape(&self, name: &str) -> Option<&Fact> {
        self.shapes.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact)
    }

    /// The method.
    pub fn method(&self) -> MethodName {
        self.method
    }

    /// Why this method.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// What runs the rules.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// What it will take.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// What is counted.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// The methods that were passed over, and why.
    pub fn passed_over(&self) -> &[PassedOver] {
        &self.passed_over
    }

    /// The methods that were tried before and gave up, with their reasons.
    pub fn given_up(&self) -> &[(MethodName, Reason)] {
        &self.given_up
    }

    /// For so many seconds the method is tried, before another is taken that tells more.
    pub fn trial_seconds(&self) -> Option<f64> {
        self.patience.trial_seconds
    }

    /// Whether it proves the value of the start alone.
    pub fn only_start(&self) -> bool {
        self.only_start
    }

    /// How positions fall into parts that have canonical forms.
    pub fn parts(&self) -> PartKind {
        self.decomposition.kind()
    }

    /// How positions fall apart, where moves belong to players: values are looked for by it.
    pub(crate) fn decomposition(&self) -> &Decomposition {
        &self.decomposition
    }

    /// The heap game whose sequence of values holds the answer, and whether play is misère.
    pub fn heap_game(&self) -> Option<(HeapGame, bool)> {
        self.prepared.heap_game()
    }

    /// The intervals of a row whose table holds the answer.
    pub(crate) fn intervals(&self) -> Option<Intervals> {
        self.prepared.intervals()
    }

    /// Carries the plan out, from the positions that were looked at where there are any.
    pub fn run(&self, looked_at: Option<Remembered<'b>>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let Patience { own_seconds: own, rival_seconds, resort_seconds, trial_seconds, trial_positions } =
            self.patience;
        let began = Instant::now();
        monitor.predict(Prediction {
            positions: self.cost.positions,
            own,
            rival: rival_seconds,
            resort: resort_seconds,
        });
        if let Some(seconds) = trial_seconds {
            // Positions count first, so that a busy machine comes to the same result.
            monitor.spend(trial_positions.map_or(seconds, |_| TRIAL_PATIENCE * seconds));
            if let Some(positions) = trial_positions {
                monitor.spend_positions(positions);
            }
        }
        let found = match looked_at {
            Some(looked_at) => self.prepared.run_from(looked_at, monitor),
            None => self.prepared.run(monitor),
        };
        monitor.predict(Prediction::default());
        if trial_seconds.is_some() {
            monitor.spend_all();
        }
        found.map_err(|given_up| match given_up {
            GivenUp::Error(SolveError::Dear { .. }) if trial_seconds.is_some() => {
                GivenUp::Because(Reason::Tried(began.elapsed().as_millis() as u64))
            }
            GivenUp::Error(error @ SolveError::Dear { .. }) if resort_seconds.is_some() && rival_seconds.is_none() => {
                GivenUp::Because(Reason::Late(error))
            }
            GivenUp::Error(error @ SolveError::Dear { .. }) => GivenUp::Because(Reason::Dear(error)),
            other => other,
        })
    }
}
