//! Readings are what specialisation gives, and are made no more often than they differ.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::alike::assert_alike;
use formula::specialise::{Limits, Unsupported, specialise_within};
use formula::{Reading, Readings};
use rules::bind::{Bound, bind};
use rules::instance::Instance;
use rules::program::Program;

/// Asks for one of the three readings.
fn ask<'r>(readings: &'r Readings, number: usize) -> Result<&'r Reading, &'r Unsupported> {
    match number {
        0 => readings.unfolded(),
        1 => readings.listed(),
        _ => readings.counted(),
    }
}

/// The name, the program and its instances: those of the examples, the default and some of the samples.
fn gallery() -> Vec<(String, Arc<Program>, Vec<Bound>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut games = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let program = rules::compile(&std::fs::read_to_string(path).unwrap());
        games.insert(name, Arc::new(program.unwrap_or_else(|_| panic!("a game of the gallery"))));
    }
    let instances = |program: &Arc<Program>| {
        let examples = program.examples.iter();
        let mut found: Vec<Instance> =
            examples.filter_map(|example| rules::parameters::example_instance(program, example).ok()).collect();
        found.push(Instance::default());
        found.extend(rules::sample::instances(program, 4, 7).unwrap_or_default());
        found.iter().filter_map(|instance| bind(program, instance).ok()).collect()
    };
    games.into_iter().map(|(name, program)| (name, program.clone(), instances(&program))).collect()
}

#[test]
fn the_gallery() {
    let mut times = [0; 4];
    for (name, program, instances) in gallery() {
        for bound in &instances {
            let expected: [_; 3] =
                [Limits::default(), Limits::listed(), Limits::counted()].map(|limits| specialise_within(bound, limits));
            // Whoever is first: the answer is the same.
            for first in 0..3 {
                let readings = Readings::new(bound, &bound.start);
                for reading in (first..first + 3).map(|number| number % 3) {
                    let asked = ask(&readings, reading).map(Reading::formulas);
                    assert_alike(asked, expected[reading].as_ref(), &|| format!("{name} {:?}", bound.globals));
                }
                let made = readings.specialised();
                if program.moves.iter().all(|mv| mv.choices.is_empty()) {
                    assert_eq!(made, 1, "{name}");
                }
                times[made] += 1;
            }
        }
    }
    println!("specialised once: {}, twice: {}, three times: {}", times[1], times[2], times[3]);
    assert!(times[0] == 0 && times[1] > 0 && times[2] > 0 && times[3] > 0);
}

fn bound(text: &str) -> Bound {
    let program =
        rules::compile(text).unwrap_or_else(|wrong| panic!("{}", rules::report::report("test", text, &wrong, false)));
    bind(&Arc::new(program), &Instance::default()).unwrap()
}

#[test]
fn studies_are_shared_with_the_formulas() {
    let bound = bound(
        "game pair() {
            state { i in 0..=5 = 5; j in 0..=5 = 5; }
            move a when i > 0 { i -= 1; }
            move b when j > 0 { j -= 1; }
        }",
    );
    let readings = Readings::new(&bound, &bound.start);
    let study = readings.counted().unwrap().whole(false).unwrap();
    let same = readings.unfolded().unwrap().whole(false).unwrap();
    assert!(Arc::ptr_eq(study, same));
    assert!(!Arc::ptr_eq(study, readings.unfolded().unwrap().whole(true).unwrap()));
    assert_eq!(readings.specialised(), 1);
}

#[test]
fn reasons_are_kept() {
    let bound = bound("game wide() { state { left in set of 0..=80 = {}; } move add(k in 0..=80) { left = {k}; } }");
    let readings = Readings::new(&bound, &bound.start);
    let why = readings.unfolded().err().expect("too wide");
    assert!(std::ptr::eq(why, readings.counted().err().unwrap()));
    assert_eq!(readings.specialised(), 1);
}

#[test]
fn copies_share_their_lists() {
    let bound = bound(
        "game list(items: [int] = [3, 1, 4, 1, 5, 9]) {
            state { i in 0..=6 = 0; }
            move take when i < 6 { gain items[i]; i += 1; }
        }",
    );
    let readings = Readings::new(&bound, &bound.start);
    let reading = readings.listed().unwrap();
    assert_eq!(reading.formulas().lists[0], [3, 1, 4, 1, 5, 9]);
    let copy = reading.formulas().clone();
    assert!(Arc::ptr_eq(&copy.lists, &reading.formulas().lists));
    assert!(Arc::ptr_eq(&copy.lists, &reading.whole(false).unwrap().formulas.lists));
}
