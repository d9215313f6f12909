//! Compiled programs against the interpreter on generated rules: every construct of the language, faults included.

use std::collections::BTreeMap;
use std::sync::Arc;

use rules::bind::bind;
use rules::instance::Instance;
use testkit::Random;
use testkit::files::{bound, program};
use testkit::list_writer::ListWriter;
use testkit::with_room;
use testkit::writer::{Style, Writer};

use crate::program::{Totals, check};

fn report(totals: &Totals, files: usize) {
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    totals.refused.iter().for_each(|why| *refused.entry(why).or_default() += 1);
    println!("{files} files, {} positions, {} faults", totals.positions, totals.faults);
    println!("{} left to the interpreter; refused {refused:#?}; slowest {:?}", totals.left, totals.slowest);
}

fn files_agree(seed: u64, count: usize, style: impl Fn(&mut Random) -> Style) {
    let mut random = Random::new(seed);
    let mut walk = Random::new(seed + 1);
    let mut totals = Totals::default();
    for _ in 0..count {
        let style = style(&mut random);
        let text = Writer::new(&mut random, style).file();
        let bound = bound(&program(&text), "{}");
        check("a file", &bound, &mut walk, 2, &mut totals, &text);
    }
    report(&totals, count);
    assert!(totals.refused.len() * 50 <= count, "{:?}", totals.refused);
    assert!(totals.left * 100 <= totals.positions, "{}", totals.left);
}

#[test]
fn won_and_lost() {
    with_room(|| {
        files_agree(151, 400, |random| Style {
            players: if random.one_in(6) { 3 } else { 2 },
            counted: false,
            results_only: false,
            mover: random.one_in(2),
            counter: random.one_in(2),
            risky: random.one_in(3),
            sum: false,
        });
    });
}

#[test]
fn counted() {
    with_room(|| {
        files_agree(152, 400, |random| Style {
            players: if random.one_in(3) { 3 } else { 2 },
            counted: true,
            results_only: random.one_in(4),
            mover: random.one_in(2),
            counter: random.one_in(2),
            risky: random.one_in(3),
            sum: false,
        });
    });
}

fn lists_agree(seed: u64, count: usize, changing: bool) {
    let mut random = Random::new(seed);
    let mut walk = Random::new(seed + 1);
    let mut totals = Totals::default();
    let (mut files, mut rejected) = (0, 0);
    while files < count {
        let writer = ListWriter::new(&mut random);
        let text = if changing { writer.changing().file() } else { { writer }.file() };
        let Ok(program) = rules::compile(&text) else {
            rejected += 1;
            assert!(rejected < 20_000, "{text}");
            continue;
        };
        files += 1;
        let bound = bind(&Arc::new(program), &Instance::default()).expect("an instance");
        check("a file", &bound, &mut walk, 3, &mut totals, &text);
    }
    println!("{rejected} were no rules");
    report(&totals, files);
    assert!(totals.refused.len() * 50 <= count, "{:?}", totals.refused);
    assert!(totals.left * 100 <= totals.positions, "{}", totals.left);
}

#[test]
fn lists_and_sets() {
    lists_agree(177, 500, false);
}

#[test]
fn locals_that_change() {
    lists_agree(178, 500, true);
}
