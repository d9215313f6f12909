//! Rules files from the fuzzer's bytes, and small instances of them.

use std::sync::Arc;

use rules::bind::{Bound, bind};
use rules::instance::Instance;
use rules::program::Program;

use crate::mutate::mutated;
use testkit::Random;
use testkit::writer::{Style, Writer};

/// How many numbers a position may have, so that one input does not take minutes.
const CELLS: usize = 100;

/// A rules file: by the first byte a game of the gallery with some tokens changed, or a written one.
pub fn source(bytes: &[u8]) -> String {
    match bytes.split_first() {
        Some((first, rest)) if first % 2 == 1 => written(rest),
        Some((_, rest)) => mutated(rest),
        None => mutated(bytes),
    }
}

fn written(bytes: &[u8]) -> String {
    let mut random = Random::fed(bytes);
    let style = match random.below(4usize) {
        0 => Style::won(&mut random),
        1 => Style::counted(&mut random, 6),
        2 => Style::risky(&mut random),
        _ => {
            let style = Style::won(&mut random);
            Style { players: 2, counter: true, sum: true, ..style }
        }
    };
    Writer::new(&mut random, style).file()
}

/// Instances of the sample, of the examples and the default one.
pub fn instances(program: Program) -> Vec<Bound> {
    let program = Arc::new(program);
    let mut instances = rules::sample::instances(&program, 2, 1).unwrap_or_default();
    for example in program.examples.iter().take(1) {
        instances.extend(rules::parameters::example_instance(&program, example));
    }
    instances.push(Instance::default());
    let bound = instances.iter().filter_map(|instance| bind(&program, instance).ok());
    bound.filter(|bound| bound.start.parts.iter().map(|part| part.len()).sum::<usize>() <= CELLS).collect()
}
