//! What the tests of the whole solver share: answers, and their comparison with the oracle of `testkit`.
//!
//! ```text
//! rules text ──compile, bind──▶ bound game ──answer──▶ solution ─┐
//!      └── or: a net, a sum of parts ──▶ explicit game           ├─ compare
//! bound game ──interpreter──▶ explicit game ──oracle──▶ worths ──┘
//! ```

pub mod check;
pub mod compare;
pub mod prelude;

use prelude::*;

pub use testkit::files::{bound, bound_to, program};
pub use testkit::with_room;

/// The answer, with default options and limits that no test of a small game reaches.
pub fn answer(bound: &Bound) -> Result<Solution, SolveError> {
    answer_with(bound, &Options::default())
}

/// The answer, found in a way of one's choice.
pub fn answer_with(bound: &Bound, options: &Options) -> Result<Solution, SolveError> {
    solve::answer::answer(bound, options, &mut Monitor::new(&Limits::default()))
}

/// The answer of a rules file that must have one.
pub fn solved(source: &str, instance: &str) -> Solution {
    answer(&bound(&program(source), instance)).unwrap_or_else(|error| panic!("{error}\n{source}\n{instance}"))
}

/// The title and notes of the fault that solving must end in.
pub fn fault_of(source: &str, instance: &str) -> String {
    match answer(&bound(&program(source), instance)) {
        Err(SolveError::Fault(fault)) => {
            let lines = [fault.diagnostic.title.clone()].into_iter().chain(fault.diagnostic.notes.iter().cloned());
            lines.collect::<Vec<String>>().join("\n")
        }
        Err(error) => panic!("not a fault: {error}\n{source}\n{instance}"),
        Ok(solution) => panic!("solved: {:?}\n{source}\n{instance}", solution.outcome),
    }
}
