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
fn boards_of_the_literature() {
    // Rows × columns, Left vertical. The small ones are in Winning Ways, chapter 5, and in Berlekamp, Blockbusting and
    // Domineering (1988); all were checked by brute force.
    let known = [
        (1, 2, "-1"),
        (2, 1, "1"),
        (2, 2, "±1"),
        (2, 3, "{2|-1/2}"),
        (2, 4, "{2|0||0}"),
        (2, 5, "1/2"),
        (3, 3, "±1"),
        (3, 4, "-3/2"),
        (3, 5, "-1"),
        (3, 6, "{-1|-7/2}"),
        (3, 7, "{-3/4|-3}"),
        (4, 5, "1"),
        (4, 7, "1"),
        (5, 5, "0"),
    ];
    let (mut solver, mut arena) = (Solver::new(Domineering), Arena::default());
    for (rows, columns, name) in known {
        let value = value(&mut solver, &mut arena, empty(rows, columns));
        assert_eq!(arena.read(name), Ok(value), "{rows}x{columns}: {}", arena.name(value, 1000).unwrap());
        let turned = self::value(&mut solver, &mut arena, empty(columns, rows));
        assert_eq!(arena.negative(value), Ok(turned));
    }
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

/// The processor time of this thread in seconds, which other people's work does not touch; wall time where it is not
/// told.
pub fn processor_time(begin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or(begin.elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

#[test]
#[ignore = "prints times: cargo test --release -p perfectplay-values times -- --ignored --nocapture; LARGE=1 adds 6x6"]
fn times() {
    let begin = Instant::now();
    let sizes: &[(u32, u32)] = &[(4, 4), (4, 5), (5, 5), (5, 6), (6, 6)];
    let count = if std::env::var_os("LARGE").is_some() { 5 } else { 4 };
    for &(rows, columns) in &sizes[..count] {
        let before = processor_time(begin);
        let (mut solver, mut arena) = (Solver::new(Domineering), Arena::default());
        value(&mut solver, &mut arena, empty(rows, columns));
        let time = processor_time(begin) - before;
        println!("{rows}x{columns}: {time:.4} s, {} parts, {:?}", solver.len(), arena.statistics());
    }
    let before = processor_time(begin);
    let (mut solver, mut arena) = (Solver::new(Domineering), Arena::default());
    let mut distinct = std::collections::HashSet::new();
    for subset in 0..1u64 << 20 {
        let board = (0..4).fold(0, |board, row| board | (subset >> (5 * row) & 31) << (8 * row));
        distinct.insert(value(&mut solver, &mut arena, board));
    }
    let time = processor_time(begin) - before;
    println!("all subsets of 4x5: {time:.4} s, {} parts, {} values", solver.len(), distinct.len());
}
