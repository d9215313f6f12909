//! Random rules that read and make lists and sets in every way, at places and with lengths that vary: formulas against the
//! interpreter, faults included. (What whole generated games do is compared in `specialise_programs.rs`.)

use std::collections::BTreeMap;
use std::sync::Arc;

use formula::specialise::{Limits, specialise_scoped, specialise_within};
use rules::bind::bind;
use rules::instance::Instance;
use testkit::Random;
use testkit::list_writer::ListWriter;

use crate::{alike, judge};

/// Limits near those that are used.
fn limits(dice: &mut Random) -> Limits {
    let mut pick = |limits: [usize; 4]| limits[dice.below(4usize)];
    Limits {
        known_choices: pick([1, 3, 64, 4096]),
        board_choices: pick([1, 3, 400, 4096]),
        varying_choices: pick([1, 2, 6, 24]),
        actions: pick([1, 8, 1500, 4096]),
        nodes: pick([100, 1000, 300_000, 300_000]),
    }
}

/// Limits within the scope of others make the same formulas, or are refused for the same reason.
#[test]
fn scopes() {
    let mut dice = Random::new(5);
    let (mut inside, mut outside) = (0, 0);
    while inside < 1500 {
        let text = ListWriter::new(&mut dice).file();
        let Ok(program) = rules::compile(&text) else { continue };
        let bound = bind(&Arc::new(program), &Instance::default()).expect("an instance");
        for _ in 0..4 {
            let (first, second) = (limits(&mut dice), limits(&mut dice));
            let (made, scope) = specialise_scoped(&bound, first);
            assert!(scope.contains(first), "{first:?}\n{text}");
            if !scope.contains(second) {
                outside += 1;
                continue;
            }
            inside += 1;
            let (other, same) = specialise_scoped(&bound, second);
            assert_eq!(scope, same, "{first:?} {second:?}\n{text}");
            alike::assert_alike(made.as_ref(), other.as_ref(), &|| format!("{first:?} {second:?}\n{text}"));
        }
    }
    println!("{inside} pairs of limits within one scope, {outside} not");
    assert!(outside > 1500);
}

#[test]
fn lists_and_sets() {
    let mut random = Random::new(77);
    let counted = Limits { known_choices: 1, board_choices: 1, varying_choices: 1, ..Limits::default() };
    let (mut files, mut made, mut positions, mut rejected) = (0, 0, 0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    while files < 1500 {
        let text = ListWriter::new(&mut random).file();
        let Ok(program) = rules::compile(&text) else {
            rejected += 1;
            assert!(rejected < 20_000, "{text}");
            continue;
        };
        let bound = bind(&Arc::new(program), &Instance::default()).expect("an instance");
        files += 1;
        for limits in [Limits::default(), counted] {
            match specialise_within(&bound, limits) {
                Err(why) => *refused.entry(why.to_string()).or_default() += 1,
                Ok(formulas) => match judge::walk(&bound, &formulas, &mut random, 3, 25) {
                    Ok(count) => {
                        made += 1;
                        positions += count;
                    }
                    Err(difference) => panic!("{difference}\n{text}\n{limits:?}"),
                },
            }
        }
    }
    println!(
        "{made} of 2 times {files} files ({rejected} were no rules), {positions} positions; refused: {refused:#?}"
    );
    assert!(made > 2500);
}
