//! Studies of random rules files: every fact that is found holds along random plays.

use formula::study::study_parts;
use formula::{specialise, study};
use testkit::Random;
use testkit::files::{bound, program};
use testkit::with_room;
use testkit::writer::{Style, Writer};

use crate::plays::check_study;

#[derive(Debug, Default)]
struct Tally {
    files: usize,
    formulas: usize,
    ordered: usize,
    potentials: usize,
    movers: usize,
    derived: usize,
    skewed: usize,
    valid: usize,
    constant: usize,
}

/// Writes so many files and checks what is found of them.
fn studies_hold(seed: u64, count: usize, style: impl Fn(&mut Random) -> Style) -> Tally {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    for _ in 0..count {
        let style = style(&mut random);
        let text = Writer::new(&mut random, style).file();
        let bound = bound(&program(&text), "{}");
        tally.files += 1;
        let Ok(formulas) = specialise(&bound) else { continue };
        tally.formulas += 1;
        let turn = bound.start.turn.index() as u8;
        let with_turn = formulas.reads_mover || random.one_in(2);
        let before = formulas.clone();
        let found = match style.sum {
            true => {
                let starts: Vec<&[i64]> = bound.start.parts.iter().map(|part| &part[..]).collect();
                study_parts(formulas, &starts, with_turn)
            }
            false => study(formulas, &bound.start.parts[0], turn, with_turn),
        };
        tally.ordered += usize::from(found.order.is_ok());
        tally.potentials += usize::from(found.order.is_err() && found.potential.is_some());
        tally.movers += usize::from(found.mover.is_some());
        tally.derived += found.derived.len();
        tally.skewed += usize::from(found.skewed.is_some());
        tally.valid += found.formulas.valid.len();
        let constant =
            |(old, new): &(&formula::Range, &formula::Range)| old.single().is_none() && new.single().is_some();
        tally.constant += before.cells.iter().zip(&found.formulas.cells).filter(constant).count();
        for part in &bound.start.parts {
            let start = (part.to_vec(), turn);
            if let Err(wrong) = check_study(&before, &found, &start, 6, random.next()) {
                panic!("{wrong}\n{:?}\n{text}", found.facts);
            }
        }
    }
    tally
}

#[test]
fn games_that_are_won() {
    with_room(|| {
        let tally = studies_hold(71, 400, |random| Style {
            players: if random.one_in(6) { 3 } else { 2 },
            counted: random.one_in(3),
            results_only: false,
            mover: random.one_in(2),
            counter: !random.one_in(4),
            risky: false,
            sum: false,
        });
        println!("{tally:?}");
        assert!(tally.ordered > 150, "{tally:?}");
    });
}

#[test]
fn games_that_may_go_wrong() {
    with_room(|| {
        let tally = studies_hold(72, 200, |random| Style {
            players: 2,
            counted: random.one_in(3),
            results_only: random.one_in(3),
            mover: random.one_in(2),
            counter: !random.one_in(4),
            risky: true,
            sum: false,
        });
        println!("{tally:?}");
    });
}

#[test]
fn sums_of_parts() {
    with_room(|| {
        let tally = studies_hold(73, 200, |random| Style {
            players: 2,
            counted: random.one_in(2),
            results_only: random.one_in(3),
            mover: random.one_in(2),
            counter: true,
            risky: random.one_in(5),
            sum: true,
        });
        println!("{tally:?}");
    });
}
