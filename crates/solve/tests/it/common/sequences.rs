//! Sequences over the instances of rules.

use std::sync::Arc;

use rules::instance::Instance;
use rules::program::Program;
use solve::sequence::{Instances, Runs, Sequence, SequenceError, Source, Term};

use super::prelude::*;

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
