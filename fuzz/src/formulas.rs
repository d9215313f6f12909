//! Formulas against the interpreter: ends, options in order, gains and turns, at positions of play and at any others.

use std::collections::{HashSet, VecDeque};

use formula::extremes::max_options;
use formula::{Formulas, Readings};
use rules::bind::Bound;

use judge::What;
use testkit::Random;

#[path = "../../crates/formula/tests/it/judge.rs"]
mod judge;

/// How many positions of an instance are looked at.
const POSITIONS: usize = 60;

/// Rules with more moves are left out: they would be compared one by one.
const MOVES: u64 = 2000;

/// Compares every way to read the rules of an instance.
pub fn compare(source: &str, bound: &Bound) {
    let readings = Readings::new(bound, &bound.start);
    let mut seen: Vec<*const Formulas> = Vec::new();
    for reading in [readings.unfolded(), readings.listed(), readings.counted()].into_iter().flatten() {
        let formulas = reading.formulas();
        if !seen.contains(&std::ptr::from_ref(formulas)) && max_options(formulas) <= MOVES {
            seen.push(formulas);
            agree(source, bound, formulas);
        }
    }
}

fn agree(source: &str, bound: &Bound, formulas: &Formulas) {
    let starts = bound.start.parts.iter().map(|part| (part.to_vec(), bound.start.turn.0));
    let mut queue: VecDeque<(Vec<i64>, u8)> = starts.collect();
    let mut seen: HashSet<(Vec<i64>, u8)> = queue.iter().cloned().collect();
    while let Some((cells, mover)) = queue.pop_front() {
        let what = match judge::compare(bound, formulas, &cells, mover) {
            Ok(what) => what,
            Err(difference) => panic!("{difference}\n{source}"),
        };
        let What::Options(options) = what else { continue };
        for option in options {
            for after in option.after {
                let next = (after, option.turn as u8);
                if seen.len() < POSITIONS && seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
    }
    if let Err(difference) = judge::walk(bound, formulas, &mut Random::new(7), 1, 10) {
        panic!("{difference}\n{source}");
    }
}
