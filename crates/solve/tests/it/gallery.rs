//! The gallery against the interpreter: every rules file of `games/` compiles, tells what it is, passes its own tests, and
//! its small instances are solved exactly as plain recursion over the interpreter's moves solves them, position by
//! position.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::prelude::*;
use rules::parameters::example_instance;
use rules::sample;
use testkit::files::gallery;

use crate::common::check::{Agreed, check, check_forced, expect};
use crate::common::{bound_to, program, with_room};

/// How many positions an instance may have to be compared.
const MOST_POSITIONS: usize = 1500;
/// How many instances of a game are compared at the most, and how many positions they may have together.
const INSTANCES: usize = 100;
const ALL_POSITIONS: usize = 25_000;
/// How many positions an instance may have to be compared method by method.
const FEW_POSITIONS: usize = 300;

#[test]
fn every_file_says_what_it_is() {
    let gallery = gallery();
    assert!(gallery.len() >= 50, "{} games", gallery.len());
    for (name, source) in gallery {
        let program = program(&source);
        assert_eq!(program.name, name, "the game and its file have one name");
        assert!(program.doc.iter().any(|line| !line.trim().is_empty()), "{name} says nothing of itself");
        assert!(program.examples.len() >= 2, "{name} has {} examples", program.examples.len());
        assert!(program.show.is_some(), "{name} shows nothing");
        let claims = !program.claims.is_empty();
        assert!(!claims || !program.sample.is_empty(), "{name} claims something that is never checked");
    }
}

#[test]
fn small_instances_agree_with_the_interpreter() {
    with_room(|| {
        let mut compared = 0;
        let mut bare = Vec::new();
        for (name, source) in gallery() {
            let found = instances_agree(&name, &program(&source));
            compared += found;
            if found == 0 {
                bare.push(name);
            }
        }
        assert!(bare.len() <= 6, "not compared: {bare:?}");
        assert!(compared >= 2000, "{compared} instances compared");
    });
}

/// Every method, by the interpreter and by compiled code, on a few of the smallest instances.
#[test]
fn every_method_agrees_with_the_interpreter() {
    with_room(|| {
        let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, source) in gallery() {
            let program = program(&source);
            let examples = program.examples.iter().filter_map(|example| example_instance(&program, example).ok());
            let sampled = sample::instances(&program, 6, 8).unwrap_or_default();
            for instance in sampled.into_iter().chain(examples) {
                let bound = bound_to(&program, &instance);
                let expected = expect(&bound, FEW_POSITIONS);
                for method in solve::methods::names() {
                    for engine in [Engine::Auto, Engine::Interpreted, Engine::Compiled] {
                        let options = Options { method: Some(method), engine, threads: 1, ..Options::default() };
                        match check_forced(&bound, &expected, &options) {
                            Ok(agreed) => *runs.entry(method.name()).or_default() += usize::from(agreed.is_some()),
                            Err(difference) => panic!("{name} {instance} by {method}, {engine:?}: {difference}"),
                        }
                    }
                }
            }
        }
        println!("{runs:?}");
        for method in solve::methods::names() {
            let count = runs.get(method.name()).copied().unwrap_or(0);
            assert!(count >= 5, "{method} ran {count} times: {runs:?}");
        }
    });
}

fn instances_agree(name: &str, program: &Arc<Program>) -> usize {
    let examples = program.examples.iter().filter_map(|example| example_instance(program, example).ok());
    let sampled = sample::instances(program, INSTANCES, 7).unwrap_or_default();
    let (mut compared, mut positions) = (0, 0);
    for instance in sampled.into_iter().chain(examples) {
        if positions > ALL_POSITIONS {
            break;
        }
        match check(&bound_to(program, &instance), MOST_POSITIONS) {
            Ok(Agreed::Solved(met)) => {
                compared += 1;
                positions += met;
            }
            Ok(Agreed::Refused) => compared += 1,
            Ok(Agreed::TooMany) => positions += MOST_POSITIONS,
            Ok(Agreed::Fault) => panic!("{name} {instance}: the rules go wrong"),
            Err(difference) => panic!("{name} {instance}: {difference}"),
        }
    }
    compared
}
