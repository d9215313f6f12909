//! Variables that no move ties together, from rules files: verdicts and ratings of moves against plain recursion. The crate
//! `boards` compares values of thousands more.

use crate::common::check::{check_forced, expect};
use crate::common::prelude::*;
use crate::common::{answer_with, bound, program, solved};
use testkit::counters::counters;
use testkit::{Random, with_room};

#[test]
fn groups_of_variables_add_up_to_the_whole() {
    with_room(|| {
        let mut random = Random::new(1);
        let mut compared = 0;
        for number in 0..300 {
            let text = counters(&mut random);
            let bound = bound(&program(&text), "{}");
            let found = check_forced(&bound, &expect(&bound, 3000), &by("groups"));
            compared += usize::from(found.unwrap_or_else(|why| panic!("game {number}: {why}\n{text}")).is_some());
        }
        assert!(compared > 100, "{compared}");
    });
}

/// Forty counters in one array are forty heaps: the XOR of their nimbers decides.
#[test]
fn forty_counters() {
    let text = "game counters(most: int, n: int) {
        state { c in [0..=most; n] = [(i * 7 + 3) % (most + 1) for i in 0..n]; }
        move take(i in 0..n, k in 1..=3) when c[i] >= k { c[i] -= k; } }";
    for most in [20, 1000] {
        let found = solved(text, &format!("{{\"most\": {most}, \"n\": 40}}"));
        let nimber = (0..40).fold(0, |sum, i| sum ^ ((i * 7 + 3) % (most + 1) % 4) as u64);
        assert_eq!(found.nimber, Some(nimber.into()));
        assert_eq!(found.method.name(), "groups");
        let best = best(&found);
        let right = |i: u64, k: u64| {
            let held = (i * 7 + 3) % (most as u64 + 1);
            held >= k && nimber ^ (held % 4) ^ ((held - k) % 4) == 0
        };
        let wanted: Vec<String> = (0..40)
            .flat_map(|i| (1..=3).map(move |k| (i, k)))
            .filter(|(i, k)| right(*i, *k))
            .map(|(i, k)| format!("take({i}, {k})"))
            .collect();
        assert_eq!(best, wanted);
    }
}

/// Misère play and scores do not add up: another method answers, and `groups` says why.
#[test]
fn what_does_not_add_up_is_refused() {
    let misere = "game counters() { state { c in [0..=3; 3] = [3, 2, 1]; }
        move take(i in 0..3, k in 1..=3) when c[i] >= k { c[i] -= k; } stuck => win; }";
    let scored = "game counters() { state { c in [0..=3; 3] = [3, 2, 1]; }
        move take(i in 0..3, k in 1..=3) when c[i] >= k { c[i] -= k; gain k; } }";
    let ended = "game counters() { state { c in [0..=3; 3] = [3, 2, 1]; }
        move take(i in 0..3, k in 1..=3) when c[i] >= k { c[i] -= k; } end when c[0] == 0 => lose; }";
    for (text, why) in [(misere, "the last mover wins"), (scored, "the last mover wins"), (ended, "`end` looks")] {
        let bound = bound(&program(text), "{}");
        match answer_with(&bound, &by("groups")) {
            Err(SolveError::NotApplicable(told)) => assert!(told.contains(why), "{told}"),
            other => panic!("{other:?}"),
        }
        answer_with(&bound, &Options::default()).unwrap();
    }
}
