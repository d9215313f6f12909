//! Random rules files as formulas: thousands of programs with every construct of the language, each compared with the
//! interpreter at positions of random plays and at any others, faults included.

use std::collections::BTreeMap;

use formula::specialise::{Limits, specialise_within};
use testkit::Random;
use testkit::files::{bound, program};
use testkit::with_room;
use testkit::writer::{Style, Writer};

use crate::judge;

/// Compares so many files; returns how many had formulas.
fn files_agree(seed: u64, count: usize, style: impl Fn(&mut Random) -> Style) -> usize {
    written_files_agree(seed, count, style, |random, style| Writer::new(random, style).file())
}

fn written_files_agree(
    seed: u64,
    count: usize,
    style: impl Fn(&mut Random) -> Style,
    write: fn(&mut Random, Style) -> String,
) -> usize {
    let mut random = Random::new(seed);
    let mut walk = Random::new(seed + 1);
    let (mut made, mut positions) = (0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..count {
        let style = style(&mut random);
        let text = write(&mut random, style);
        let bound = bound(&program(&text), "{}");
        // Once as it should be, once with as few choices unrolled as possible.
        let counted = Limits { known_choices: 1, board_choices: 1, varying_choices: 1, ..Limits::default() };
        for limits in [Limits::default(), counted] {
            match specialise_within(&bound, limits) {
                Err(why) => *refused.entry(why.to_string()).or_default() += 1,
                Ok(formulas) => match judge::walk(&bound, &formulas, &mut walk, 2, 20) {
                    Ok(count) => {
                        made += 1;
                        positions += count;
                    }
                    Err(difference) => panic!("{difference}\n{text}\n{limits:?}"),
                },
            }
        }
    }
    println!("{made} of 2 times {count} files, {positions} positions; refused: {refused:#?}");
    made
}

#[test]
fn won_and_lost() {
    with_room(|| {
        let style = |random: &mut Random| Style {
            players: if random.one_in(6) { 3 } else { 2 },
            counted: false,
            results_only: false,
            mover: random.one_in(2),
            counter: random.one_in(2),
            risky: random.one_in(3),
            sum: false,
        };
        assert!(files_agree(51, 2000, style) > 2 * 1900);
    });
}

#[test]
fn counted() {
    with_room(|| {
        let style = |random: &mut Random| Style {
            players: if random.one_in(3) { 3 } else { 2 },
            counted: true,
            results_only: random.one_in(4),
            mover: random.one_in(2),
            counter: random.one_in(2),
            risky: random.one_in(3),
            sum: false,
        };
        assert!(files_agree(52, 2000, style) > 2 * 1900);
    });
}

#[test]
fn sums() {
    with_room(|| {
        let style = |random: &mut Random| Style {
            players: 2,
            counted: random.one_in(3),
            results_only: false,
            mover: random.one_in(2),
            counter: true,
            risky: random.one_in(3),
            sum: true,
        };
        assert!(files_agree(53, 1000, style) > 2 * 950);
    });
}

/// Several `stuck` rules, `let`s in heads, `sign`, sets that leave their domain for a moment.
#[test]
fn boards() {
    with_room(|| {
        let style = |random: &mut Random| Style {
            players: if random.one_in(6) { 3 } else { 2 },
            counted: random.one_in(3),
            results_only: random.one_in(3),
            mover: random.one_in(2),
            counter: random.one_in(2),
            risky: random.one_in(3),
            sum: false,
        };
        let write = |random: &mut Random, style: Style| Writer::boards(random, style).file();
        assert!(written_files_agree(54, 500, style, write) > 2 * 400);
        let sums = |random: &mut Random| Style { sum: true, counter: true, players: 2, ..style(random) };
        assert!(written_files_agree(55, 100, sums, write) > 2 * 90);
    });
}
