//! What the differential tests share: a generator of chance, games as explicit graphs, a naive solver of these, and the
//! comparison of an answer with it.
//!
//! ```text
//! rules text ──compile, bind──▶ bound game ──answer──▶ solution ─┐
//!      └── or: a net, a sum of parts ──▶ explicit graph          ├─ compare
//! bound game ──interpreter──▶ explicit graph ──oracle──▶ worths ─┘
//! ```
//!
//! The oracle uses nothing of the crate `solve`: it is the definition, written down twice where that is cheap.
#![allow(dead_code, reason = "each file of tests uses its own part of this")]

pub mod compare;
pub mod explicit;
pub mod explore;
pub mod net;
pub mod oracle;
pub mod product;
pub mod random;
pub mod writer;

use std::sync::Arc;

use perfectplay::{Bound, Instance, Limits, Monitor, Options, Program, Solution, SolveError};

/// The program of a rules file that must be right.
pub fn program(source: &str) -> Arc<Program> {
    match perfectplay::compile(source) {
        Ok(program) => Arc::new(program),
        Err(wrong) => panic!("{}", perfectplay::parts::rules::report::report("test", source, &wrong, false)),
    }
}

/// A program with an instance given as JSON.
pub fn bound(program: &Arc<Program>, instance: &str) -> Bound {
    let instance = perfectplay::parse_instance(instance).unwrap_or_else(|error| panic!("{instance}: {error}"));
    bound_to(program, &instance)
}

/// A program with an instance.
pub fn bound_to(program: &Arc<Program>, instance: &Instance) -> Bound {
    perfectplay::bind(program, instance).unwrap_or_else(|wrong| panic!("{instance}: {}", wrong[0].title))
}

/// The answer, with default options and limits that no test of a small game reaches.
pub fn answer(bound: &Bound) -> Result<Solution, SolveError> {
    answer_with(bound, &Options::default())
}

/// The same, solved in a way of one's choice.
pub fn answer_with(bound: &Bound, options: &Options) -> Result<Solution, SolveError> {
    perfectplay::answer(bound, options, &mut Monitor::new(&Limits::default()))
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

/// Runs a test on a thread with room for plain recursion.
pub fn with_room(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(test).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
