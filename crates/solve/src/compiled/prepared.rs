//! A game with its code ready, to be solved again and again: what benchmarks measure.

use rules::bind::Bound;

use crate::compiled::blueprint::Blueprint;
use crate::compiled::run::{Job, Machine, Unanswered, run};
use crate::compiled::table::CompiledTable;
use crate::error::SolveError;
use crate::monitor::Monitor;
use crate::options::Options;
use crate::plan::Plan;
use crate::verdict::Verdict;

/// A blueprint and its code.
pub struct Prepared<'b> {
    bound: &'b Bound,
    plan: Plan,
    blueprint: Blueprint,
    machine: Machine,
    options: Options,
}

impl<'b> Prepared<'b> {
    /// Makes the code for a solve from the start, with so much memory to spend.
    pub fn new(bound: &'b Bound, options: &Options, memory: u64) -> Result<Prepared<'b>, SolveError> {
        let mut plan = Plan::new(bound, options.method)?;
        let no = |why: String| SolveError::NotApplicable(format!("not compiled: {why}"));
        let blueprint =
            Blueprint::new(bound, &bound.start, &plan, options, memory).map_err(|why| no(why.to_string()))?;
        blueprint.note(bound, &mut plan);
        let job = Job::new(bound, &bound.start, &plan, options);
        let machine = Machine::new(&job, &blueprint).map_err(|why| match why {
            Unanswered::NoCode(why) => no(why),
            _ => no("there is no answer".to_string()),
        })?;
        Ok(Prepared { bound, plan, blueprint, machine, options: options.clone() })
    }

    /// The plan, with what was chosen.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What the code looks like, in words.
    pub fn describe(&self) -> String {
        match &self.machine {
            Machine::Nests(nests) => nests.first().map_or(String::new(), |(nest, _)| nest.describe().to_string()),
            Machine::Options(_) | Machine::Few(_) => "the options of one position".to_string(),
            Machine::Backwards(_, Some(_), _) => "moves turned round".to_string(),
            Machine::Backwards(..) => "the options of one position".to_string(),
        }
    }

    /// Solves the game once.
    pub fn solve(&self, monitor: &mut Monitor) -> Result<Table, SolveError> {
        let job = Job::new(self.bound, &self.bound.start, &self.plan, &self.options);
        match run(&job, &self.blueprint, &self.machine, monitor) {
            Ok(answered) => Ok(Table { table: answered.table, method: answered.route.name() }),
            Err(Unanswered::Error(error)) => Err(error),
            Err(_) => Err(SolveError::Internal("the game has no answer by codes".to_string())),
        }
    }
}

/// What a prepared solve has found.
pub struct Table {
    table: CompiledTable,
    /// How.
    pub method: &'static str,
}

impl Table {
    /// What is known of a position.
    pub fn verdict(&self, position: &rules::bind::Position) -> Option<Verdict> {
        self.table.verdict(position)
    }

    /// How many positions have a value.
    pub fn positions(&self) -> u64 {
        self.table.positions()
    }
}
