//! Random rules files against the interpreter: thousands of small games with every construct of the language, each solved
//! and compared position by position with plain recursion. Files whose rules go wrong must go wrong in both.

mod common;

use common::explore::{Agreed, check};
use common::random::Random;
use common::writer::{Style, Writer};
use common::{bound, program, with_room};

/// How many positions a game may have.
const MOST_POSITIONS: usize = 2500;

#[derive(Debug, Default)]
struct Tally {
    tiny: usize,
    solved: usize,
    positions: usize,
    faults: usize,
    refused: usize,
    large: usize,
}

/// Writes and compares so many files.
fn files_agree(seed: u64, count: usize, style: impl Fn(&mut Random) -> Style) -> Tally {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    for _ in 0..count {
        let style = style(&mut random);
        let text = Writer::new(&mut random, style).file();
        match check(&bound(&program(&text), "{}"), MOST_POSITIONS) {
            Ok(Agreed::Solved(positions)) if positions < 5 => tally.tiny += 1,
            Ok(Agreed::Solved(positions)) => {
                tally.solved += 1;
                tally.positions += positions;
            }
            Ok(Agreed::Fault) => tally.faults += 1,
            Ok(Agreed::Refused) => tally.refused += 1,
            Ok(Agreed::TooMany) => tally.large += 1,
            Err(difference) => panic!("{difference}\n{text}"),
        }
    }
    tally
}

#[test]
fn games_that_are_won() {
    with_room(|| {
        let style = |random: &mut Random| Style {
            players: if random.one_in(6) { 3 } else { 2 },
            counted: false,
            mover: random.one_in(2),
            counter: random.one_in(2),
            risky: false,
        };
        let tally = files_agree(41, 3000, style);
        assert!(tally.solved > 1000, "{tally:?}");
    });
}

#[test]
fn games_that_are_counted() {
    with_room(|| {
        let style = |random: &mut Random| Style {
            players: if random.one_in(3) { 3 } else { 2 },
            counted: true,
            mover: random.one_in(2),
            counter: !random.one_in(6),
            risky: false,
        };
        let tally = files_agree(42, 3000, style);
        assert!(tally.solved > 1200 && tally.refused > 100, "{tally:?}");
    });
}

#[test]
fn games_that_may_go_wrong() {
    with_room(|| {
        let style = |random: &mut Random| Style {
            players: 2,
            counted: random.one_in(3),
            mover: random.one_in(2),
            counter: random.one_in(2),
            risky: true,
        };
        let tally = files_agree(43, 3000, style);
        assert!(tally.faults > 300 && tally.solved > 700, "{tally:?}");
    });
}
