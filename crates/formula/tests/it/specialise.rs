//! Formulas say what the interpreter says: every game of the gallery, over its examples and samples.

use std::sync::Arc;
use std::time::Instant;

use formula::specialise::{Limits, specialise_within};
use rules::bind::bind;
use rules::instance::{Given, Instance};
use rules::program::Program;
use testkit::Random;
use testkit::files::{gallery, instances, program};

use crate::judge;

fn games() -> Vec<(String, Arc<Program>)> {
    gallery().into_iter().map(|(name, text)| (name, program(&text))).collect()
}

#[test]
fn the_gallery() {
    let mut random = Random::new(11);
    // Once as it should be, once with as few choices unrolled as possible.
    let counted = Limits { known_choices: 1, board_choices: 1, varying_choices: 1, ..Limits::default() };
    let (mut positions, mut bounds, mut refused) = (0, 0, Vec::new());
    for (name, program) in games() {
        for bound in instances(&program, 12, 7) {
            bounds += 1;
            for (limits, plays, others) in [(Limits::default(), 6, 40), (counted, 2, 10)] {
                match specialise_within(&bound, limits) {
                    Err(why) => refused.push(format!("{name}: {why}")),
                    Ok(formulas) => match judge::walk(&bound, &formulas, &mut random, plays, others) {
                        Ok(count) => positions += count,
                        Err(difference) => panic!("{name} {:?}: {difference}", bound.globals),
                    },
                }
            }
        }
    }
    refused.dedup();
    println!("{bounds} instances, {positions} positions; refused: {refused:#?}");
}

/// What becomes of each game with its default instance; run with `--ignored --nocapture`.
#[test]
#[ignore = "prints a table"]
fn table() {
    for (name, program) in games() {
        let Ok(bound) = bind(&program, &Instance::default()) else { continue };
        let start = Instant::now();
        match formula::specialise(&bound) {
            Err(why) => println!("{name}: {why}"),
            Ok(formulas) => {
                let time = start.elapsed();
                let live = |node: formula::Node| formulas.arena.known(node) != Some(0);
                let faults = formulas.ends.iter().chain([&formulas.stuck]).filter(|case| live(case.fault)).count()
                    + formulas.actions.iter().filter(|action| live(action.fault)).count()
                    + formulas.actions.iter().flat_map(|a| &a.counts).filter(|count| live(count.fault)).count();
                println!(
                    "{name}: {} actions, {} counts, {faults} faults, mover {}, {} nodes, {time:?}",
                    formulas.actions.len(),
                    formulas.actions.iter().map(|action| action.counts.len()).sum::<usize>(),
                    formulas.reads_mover,
                    formulas.arena.len(),
                );
            }
        }
    }
}

/// Specialises one game again and again, for a profiler: `GAME=hex`.
#[test]
#[ignore = "for profiling"]
fn again() {
    let wanted = std::env::var("GAME").unwrap_or_default();
    let instance = std::env::var("INSTANCE").unwrap_or_else(|_| "{}".to_string());
    for (name, program) in games().into_iter().filter(|(name, _)| *name == wanted) {
        let bound = bind(&program, &rules::instance::parse_instance(&instance).unwrap()).unwrap();
        let start = Instant::now();
        let times = std::env::var("TIMES").map_or(20, |times| times.parse().unwrap());
        let mut nodes = Ok(0);
        for _ in 0..times {
            nodes = formula::specialise(&bound).map(|formulas| formulas.arena.len());
        }
        println!("{name}: {nodes:?} nodes, {:?} each", start.elapsed() / times);
    }
}

/// A graph with ten million arrows takes time in proportion to its size.
#[test]
#[ignore = "takes a second or two"]
fn a_large_graph() {
    let (_, program) = games().into_iter().find(|(name, _)| name == "digraph_token").unwrap();
    let nodes = 1_000_000;
    let mut random = Random::new(3);
    let arrows: Vec<Given> =
        (0..nodes).map(|_| Given::Ints((0..10).map(|_| random.below(nodes) as i64).collect())).collect();
    let instance = Instance(vec![("arrows".into(), Given::List(arrows)), ("start".into(), Given::Int(0))]);
    let bound = bind(&program, &instance).unwrap();
    let start = Instant::now();
    let formulas = formula::specialise(&bound).unwrap();
    println!("{:?}, {} numbers", start.elapsed(), formulas.lists.iter().map(Vec::len).sum::<usize>());
}
