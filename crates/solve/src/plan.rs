//! The plan: which method solves a case, why, and what that will cost. A value that never changes.
//!
//! One chooser makes it, for `solve`, `explain`, `build` and benchmarks alike: it asks the methods in the order of the
//! registry and takes the first that applies and has no objection, or the one that is asked for. Where a plan is given up, the
//! reason is added to the case and the chooser makes another plan.

use engine::monitor::Monitor;
use rules::bind::{Bound, Position};

use crate::case::{Case, Facts};
use crate::error::SolveError;
use crate::fact::Fact;
use crate::method::{Code, Cost, Found, GivenUp, Method, Objection, Prepared, Prospect};
use crate::methods;
use crate::options::{MethodName, Options};
use crate::reason::Reason;

/// What is done with a game, and what is known of it beforehand.
pub struct Plan<'b> {
    /// The game.
    pub bound: &'b Bound,
    /// What the rules show, and what the method has shown of them.
    pub facts: Facts,
    /// The shapes that were looked for, and whether the game has them.
    pub shapes: Vec<(&'static str, Fact)>,
    /// The method.
    pub method: MethodName,
    /// Why this method.
    pub why: String,
    /// What runs the rules.
    pub code: Code,
    /// What it will take.
    pub cost: Cost,
    /// What is counted: positions, unless the method values parts, heaps or items.
    pub noun: &'static str,
    /// The methods that were passed over, and why.
    pub passed_over: Vec<(MethodName, String)>,
    /// The methods that were tried before and gave up, with their reasons.
    pub given_up: Vec<(MethodName, Reason)>,
    prepared: Box<dyn Prepared<'b> + 'b>,
}

impl<'b> Plan<'b> {
    /// Carries the plan out.
    pub fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        self.prepared.run(monitor)
    }

    /// The shape of that name, where it was looked for.
    pub fn shape(&self, name: &str) -> Option<&Fact> {
        self.shapes.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact)
    }
}

/// The plan for a game from a position on.
pub fn plan<'b>(
    bound: &'b Bound,
    start: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Plan<'b>, SolveError> {
    let case = Case::new(bound, start, options, monitor.memory().free())?;
    choose(&case, &methods::ALL, monitor)
}

/// Chooses a method for a case.
pub(crate) fn choose<'b>(
    case: &Case<'b>,
    registry: &[&dyn Method],
    monitor: &mut Monitor,
) -> Result<Plan<'b>, SolveError> {
    let (mut shapes, mut passed_over): (Vec<(&'static str, Fact)>, _) = (Vec::new(), Vec::new());
    let asked = case.options.method;
    for method in registry.iter().filter(|method| asked.is_none_or(|asked| asked == method.name())) {
        let name = method.name();
        let look = method.recognise(case, monitor)?;
        if let Some((shape, fact)) = look.shape {
            // Several methods may look for one shape: that one of them found it counts.
            shapes.retain(|(known, _)| *known != shape);
            shapes.push((shape, fact));
        }
        let why = match look.prospect {
            Ok(prospect) if prospect.objection.is_none() || asked.is_some() => {
                return Ok(made(case, name, prospect, shapes, passed_over));
            }
            Ok(Prospect { objection, .. }) => objection.unwrap_or_default(),
            Err(Objection::Because(why)) if asked.is_some() => {
                return Err(SolveError::NotApplicable(format!("the method `{name}` does not apply: {why}")));
            }
            Err(Objection::Limit(error)) if asked.is_some() => return Err(error),
            Err(Objection::Because(why)) => why,
            Err(Objection::Limit(error)) => error.to_string(),
        };
        passed_over.push((name, why));
    }
    Err(SolveError::NotApplicable(match asked {
        Some(name) => format!("there is no method `{name}`"),
        None => "no method applies".to_string(),
    }))
}

fn made<'b>(
    case: &Case<'b>,
    method: MethodName,
    prospect: Prospect<'b>,
    shapes: Vec<(&'static str, Fact)>,
    passed_over: Vec<(MethodName, String)>,
) -> Plan<'b> {
    let Prospect { why, code, cost, noun, acyclic, constant_total, prepared, .. } = prospect;
    let mut facts = case.facts.clone();
    facts.acyclic = acyclic.unwrap_or(facts.acyclic);
    facts.constant_total = constant_total.or(facts.constant_total);
    let given_up = case.given_up.clone();
    Plan { bound: case.bound, facts, shapes, method, why, code, cost, noun, passed_over, given_up, prepared }
}
