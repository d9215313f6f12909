//! Domineering: values of the literature, all subsets of the 4 × 4 board, and times.

use std::time::Instant;

use values::parts::Solver;
use values::{Arena, Value};

use crate::board::{Domineering, empty, oriented, parts};

/// The value of a board, part by part.
pub fn value(solver: &mut Solver<Domineering>, arena: &mut Arena, board: u64) -> Value {
    let mut sum = Value::ZERO;
    parts(board, |part| {
        let (part, negated) = oriented(part);
        let mut value = solver.value(arena, &part).expect("a value");
        if negated {
            value = arena.negative(value).expect("a negative");
        }
        sum = arena.plus(sum, value).expect("a sum");
    });
    sum
}

#[test]
fn all_subsets_of_the_4x4_board() {
    let (mut solver, mut arena) = (Solver::new(Domineering), Arena::default());
    let mut counts = [0; 4];
    let mut distinct = std::collections::HashSet::new();
    for subset in 0..1u64 << 16 {
        let board = (0..4).fold(0, |board, row| board | (subset >> (4 * row) & 15) << (8 * row));
        let value = value(&mut solver, &mut arena, board);
        distinct.insert(value);
        counts[arena.outcome(value).expect("an outcome") as usize] += 1;
    }
    // L, R, N, P.
    assert_eq!(counts, [16680, 16680, 25940, 6236]);
    assert_eq!(distinct.len(), 717);
}

#[test]
#[ignore = "prints times; run it in release"]
fn times() {
    for (rows, columns) in [(4, 4), (4, 5), (5, 5), (5, 6), (6, 6)] {
        let before = Instant::now();
        let (mut solver, mut arena) = (Solver::new(Domineering), Arena::default());
        value(&mut solver, &mut arena, empty(rows, columns));
        let time = before.elapsed();
        println!("{rows}x{columns}: {time:?}, {} parts, {:?}", solver.len(), arena.statistics());
    }
}
