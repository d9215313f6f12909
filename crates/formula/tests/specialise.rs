//! Formulas say what the interpreter says: every game of the gallery, over its examples and samples.

mod judge;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use judge::Dice;
use rules::bind::{Bound, bind};
use rules::instance::Instance;
use rules::program::Program;

fn games() -> Vec<(String, Arc<Program>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut games: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let program = rules::compile(&std::fs::read_to_string(path).unwrap());
            (name, Arc::new(program.unwrap_or_else(|_| panic!("a game of the gallery"))))
        })
        .collect();
    games.sort_by(|a, b| a.0.cmp(&b.0));
    games
}

/// The instances of the examples, and some of the samples.
fn instances(program: &Arc<Program>) -> Vec<Bound> {
    let mut found = Vec::new();
    for example in &program.examples {
        if let Ok(instance) = rules::parameters::example_instance(program, example) {
            found.extend(bind(program, &instance));
        }
    }
    found.extend(bind(program, &Instance::default()));
    for instance in rules::sample::instances(program, 12, 7).unwrap_or_default() {
        found.extend(bind(program, &instance));
    }
    found
}

#[test]
fn the_gallery() {
    let mut dice = Dice(11);
    let (mut positions, mut bounds, mut refused) = (0, 0, Vec::new());
    for (name, program) in games() {
        for bound in instances(&program) {
            bounds += 1;
            let start = Instant::now();
            match formula::specialise(&bound) {
                Err(why) => refused.push(format!("{name}: {why}")),
                Ok(formulas) => {
                    let time = start.elapsed();
                    if time.as_millis() > 20 {
                        println!("{name}: {} nodes in {time:?}", formulas.arena.len());
                    }
                    match judge::walk(&bound, &formulas, &mut dice, 6, 40) {
                        Ok(count) => positions += count,
                        Err(difference) => panic!("{name} {:?}: {difference}", bound.globals),
                    }
                }
            }
        }
    }
    refused.dedup();
    println!("{bounds} instances, {positions} positions; refused: {refused:#?}");
}
