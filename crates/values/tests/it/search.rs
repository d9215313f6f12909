//! Who wins a sum: by search and by the value of the sum; and large sums of Domineering.

use std::time::Instant;

use testkit::Random;
use values::parts::Solver;
use values::search::SumSearch;
use values::{Arena, Dyadic, Side, Value};

use crate::board::{Domineering, parts};
use crate::days::{born_by, random_values};
use crate::domineering::{processor_time, value};

#[test]
fn the_search_agrees_with_the_value() {
    let mut arena = Arena::default();
    let mut random = Random::new(101);
    let mut values = random_values(&mut arena, &mut random, 150);
    values.extend(born_by(&mut arena, 3));
    let small: Vec<Value> = values.iter().copied().filter(|&value| arena.is_all_small(value).unwrap()).collect();
    let mut searches = [SumSearch::new(), SumSearch::adding_up_to(0), SumSearch::adding_up_to(20)];
    for round in 0..400 {
        let search = &mut searches[round % 3];
        let from = if round % 4 == 0 { &small } else { &values };
        let some: Vec<Value> = (0..random.below(6usize)).map(|_| *random.pick(from)).collect();
        let total = arena.total(&some).unwrap();
        assert_eq!(search.outcome(&mut arena, &some), arena.outcome(total));
        for side in Side::BOTH {
            if round % 10 != 0 {
                continue;
            }
            let moves = search.winning_moves(&mut arena, &some, side).unwrap();
            for (index, &value) in some.iter().enumerate() {
                for option in arena.options(value, side).unwrap() {
                    let mut after = some.clone();
                    after[index] = option;
                    let after = arena.total(&after).unwrap();
                    let wins = match side {
                        Side::Left => arena.at_most(Value::ZERO, after).unwrap(),
                        Side::Right => arena.at_most(after, Value::ZERO).unwrap(),
                    };
                    assert_eq!(wins, moves.contains(&values::search::Move { index, option }));
                }
            }
        }
    }
    assert!(searches[1].len() > 100, "{}", searches[1].len());
}

/// A connected region of some squares.
fn region(random: &mut Random, squares: u32) -> u64 {
    let mut board = 1u64 << 27;
    while board.count_ones() < squares {
        let near =
            (board << 1 & !0x0101_0101_0101_0101) | (board >> 1 & !0x8080_8080_8080_8080) | board << 8 | board >> 8;
        let free = near & !board;
        let pick = random.below(free.count_ones());
        let square = (0..pick).fold(free, |free, _| free & (free - 1));
        board |= square & square.wrapping_neg();
    }
    board
}

#[test]
fn forty_regions_of_domineering() {
    let mut random = Random::new(103);
    let begin = Instant::now();
    for round in 0..20 {
        let before = processor_time(begin);
        let (mut solver, mut arena) = (Solver::new(Domineering), Arena::default());
        let mut search = SumSearch::new();
        let mut values = Vec::new();
        for _ in 0..40 {
            let squares = 2 + random.below(9u32) + (round / 10) * 4;
            let region = region(&mut random, squares);
            parts(region, |part| values.push(value(&mut solver, &mut arena, part)));
        }
        if round % 2 == 1 {
            // As even as can be: the means add to zero.
            let means = values.iter().map(|&value| arena.mean(value).unwrap());
            let mean = means.collect::<Vec<_>>().into_iter().fold(Dyadic::ZERO, |sum, mean| sum.plus(mean).unwrap());
            values.push(arena.number(-mean).unwrap());
        }
        let outcome = search.outcome(&mut arena, &values).unwrap();
        let time = processor_time(begin) - before;
        println!("{round}: {outcome:?} {time:.3} s, {} states, {:?}", search.len(), arena.statistics());
        assert!(search.len() < 200_000);
    }
}

#[test]
fn sums_of_clobber() {
    let mut random = Random::new(107);
    let begin = Instant::now();
    for round in 0..20 {
        let before = processor_time(begin);
        let (mut solver, mut arena) = (Solver::new(crate::clobber::Clobber), Arena::default());
        let mut search = SumSearch::new();
        let mut values = Vec::new();
        for _ in 0..10 {
            let squares = 2 + random.below(8u32);
            let region = region(&mut random, squares);
            let left = region & random.next();
            crate::clobber::pieces((left, region ^ left), |piece| {
                values.push(crate::clobber::value(&mut solver, &mut arena, piece).unwrap());
            });
        }
        let outcome = search.outcome(&mut arena, &values).unwrap();
        let time = processor_time(begin) - before;
        println!("{round}: {outcome:?} {time:.3} s, {} states, {:?}", search.len(), arena.statistics());
        assert!(search.len() < 200_000);
    }
}

#[test]
fn totals_in_small_steps_are_totals() {
    let mut arena = Arena::default();
    let mut random = Random::new(97);
    let values = random_values(&mut arena, &mut random, 150);
    let mut known = 0;
    for _ in 0..300 {
        let mut some: Vec<Value> = (0..random.below(6usize)).map(|_| *random.pick(&values)).collect();
        if random.one_in(3) {
            let negatives: Vec<Value> = some.iter().map(|&value| arena.negative(value).unwrap()).collect();
            some.extend(negatives);
            assert_eq!(arena.total_within(&some, 0).unwrap(), Some(Value::ZERO));
        }
        for small in [0, 10, 100_000] {
            if let Some(total) = arena.total_within(&some, small).unwrap() {
                assert_eq!(total, arena.total(&some).unwrap());
                known += 1;
            }
        }
    }
    assert!(known > 300, "{known}");
}
