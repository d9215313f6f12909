//! Sequences over the instances of rules.

use std::sync::Arc;

use engine::monitor::{Limits, Monitor};
use rules::bind::Bound;
use rules::instance::Instance;
use rules::program::Program;
use sequence::{Instances, Runs, Sequence, SequenceError, Source, Term};
use solve::answer::solution::Solution;
use solve::error::SolveError;
use solve::options::Options;

pub use testkit::files::{bound, program};
pub use testkit::with_room;

/// With the method of that name.
pub fn by(name: &str) -> Options {
    Options { method: solve::methods::find(name), ..Options::default() }
}

/// The answer, with default options.
pub fn answer(bound: &Bound) -> Result<Solution, SolveError> {
    answer_with(bound, &Options::default())
}

/// The answer, found in a way of one's choice.
pub fn answer_with(bound: &Bound, options: &Options) -> Result<Solution, SolveError> {
    solve::answer::answer(bound, options, &mut Monitor::new(&Limits::default()))
}

/// The instances of rules whose first parameter runs.
pub fn instances(program: &Arc<Program>, way: &Options) -> Instances {
    let runs = Runs::of(&program.params[0].ty).unwrap();
    Instances::new(program, Instance::default(), 0, runs, way.clone())
}

/// The terms as far as they go, what stopped them, and how many were read off the table of another instance.
pub fn together(program: &Arc<Program>, from: i64, to: i64, way: &Options) -> (Vec<Term>, Option<SequenceError>, u64) {
    // Not `Sequence::of`: heaps in one sweep are another matter.
    let mut sequence = Sequence::new(Source::Instances(Box::new(instances(program, way))), from, to).unwrap();
    let mut monitor = Monitor::unlimited();
    let error = loop {
        match sequence.extend(&mut monitor) {
            Ok(true) => break None,
            Ok(false) => {}
            Err(error) => break Some(error),
        }
    };
    let Source::Instances(instances) = sequence.source() else { unreachable!() };
    (sequence.terms().collect(), error, instances.shared())
}
