//! All engines against each other.

use super::super::game::{Digit, Split};
use super::super::plain::Plain;
use super::*;

/// Both kinds of cells and both kinds of vectors against the plain engine.
fn check(game: &TakeAndBreak, terms: usize) {
    fn run<C: Cell>(game: &TakeAndBreak, start: &Values, terms: usize, portable: bool) -> Values {
        let mut values = start.clone();
        let mut sparse = Sparse::<C>::new(game, start).unwrap();
        let extended =
            if portable { sparse.extend_portable(terms, &mut values) } else { sparse.extend(terms, &mut values) };
        assert_eq!(extended, Ok(()));
        values
    }
    let (mut plain, mut values) = (Plain::new(game), Values::default());
    let first = Sparse::<u8>::first(game);
    while values.len() < first {
        plain.step(game, &mut values);
    }
    let start = values.clone();
    while values.len() < terms {
        plain.step(game, &mut values);
    }
    for portable in [false, true] {
        if values.iter().all(|value| value < 256) {
            assert_eq!(run::<u8>(game, &start, terms, portable), values, "{game} {:?}", game.split());
        }
        assert_eq!(run::<u16>(game, &start, terms, portable), values, "{game} {:?}", game.split());
    }
}

#[test]
fn all_engines_agree() {
    let mut source = testkit::Random::new(1);
    let mut random = |bound: u64| source.below(bound);
    let mut games = 0;
    while games < 60 {
        let mut digits = vec![Digit::new(random(2) as u8 * 4).unwrap()];
        digits.extend((0..1 + random(4)).map(|_| Digit::new(random(8) as u8).unwrap()));
        let split = Split { least: 1 + random(3) as u32, apart: random(4) as u32, ..Split::ANY };
        let game = TakeAndBreak::new(digits, vec![], if games % 2 == 0 { Split::ANY } else { split }).unwrap();
        if Sparse::<u8>::does(&game) {
            check(&game, 1500);
            games += 1;
        }
    }
    check(&TakeAndBreak::grundy(), 6000);
    check(&"0.376".parse().unwrap(), 6000);
    check(&"0.127".parse().unwrap(), 6000);
    check(&"0.007".parse().unwrap(), 4000);
}

/// Where values outgrow the table in the middle of a block, a heap of the same block may already have the new value.
#[test]
fn values_outgrow_the_table_within_a_block() {
    for code in ["0.6427", "0.66", "0.646", "0.6042", "4.26"] {
        check(&code.parse().unwrap(), 2600);
    }
}

#[test]
fn values_that_do_not_fit_are_told() {
    let game: TakeAndBreak = "0.007".parse().unwrap();
    let (mut plain, mut values) = (Plain::new(&game), Values::default());
    while values.len() < 400 {
        plain.step(&game, &mut values);
    }
    let mut sparse = Sparse::<u8>::new(&game, &values).unwrap();
    assert_eq!(sparse.extend(10_000, &mut values), Err(Overflow));
    assert_eq!(values.len(), sparse.forward.len());
    let before = values.len();
    let mut wider = Sparse::<u16>::new(&game, &values).unwrap();
    wider.extend(before + 10, &mut values).unwrap();
    assert!(values.at(before) >= 256);
}
