//! Variables that no move ties together, from rules files: verdicts and ratings of moves against plain recursion. The crate
//! `boards` compares values of thousands more.

use crate::common::check::{check_forced, expect};
use crate::common::prelude::*;
use crate::common::{answer_with, bound, program, solved};
use solve::error::Reason;
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
            let expected = expect(&bound, 3000);
            for method in ["groups", "winner"] {
                let found = check_forced(&bound, &expected, &by(method));
                let found = found.unwrap_or_else(|why| panic!("game {number}, {method}: {why}\n{text}"));
                compared += usize::from(found.is_some());
            }
        }
        assert!(compared > 150, "{compared}");
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
        assert_eq!(found.nimber, Some(nimber));
        assert_eq!(found.method.name(), "groups");
        let best = best(&found);
        let right = |i: u64, k: u64| {
            let held = (i * 7 + 3) % (most as u64 + 1);
            // In a lost position every move is as good as any.
            held >= k && (nimber == 0 || nimber ^ (held % 4) ^ ((held - k) % 4) == 0)
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

/// A part in which one player goes round does not make the whole repeat: the other one runs out of moves.
#[test]
fn parts_that_come_back_in_a_game_that_ends() {
    let text = "game round(n: int) {
        state { a in 0..=1 = 0; b in [0..=3; n] = [0 for i in 0..n]; }
        move first up when a == 0 { a = 1; }
        move first down when a == 1 { a = 0; }
        move second put(i in 0..n) when b[i] < 3 { b[i] += 1; }
        move first eat(i in 0..n) when b[i] == 0 { b[i] = 3; } }";
    let (small, large) = (bound(&program(text), "{\"n\": 2}"), bound(&program(text), "{\"n\": 7}"));
    for name in ["board", "groups", "values", "winner"] {
        match answer_with(&small, &by(name)) {
            Err(SolveError::NotApplicable(told)) => assert!(!told.contains("positions repeat"), "{name}: {told}"),
            Err(other) => panic!("{name}: {other}"),
            Ok(found) => assert_eq!(found.outcome, answer_with(&small, &by("induction")).unwrap().outcome, "{name}"),
        }
    }
    for engine in [Engine::Auto, Engine::Interpreted] {
        let options = Options { engine, ..Options::default() };
        let solved = solve::solved::solve(&large, &large.start, &options, &mut Monitor::unlimited()).unwrap();
        let reasons = &solved.plan.given_up();
        assert!(!reasons.iter().any(|(_, reason)| matches!(reason, Reason::Cycle(_))), "{reasons:?}");
        assert_ne!(solved.plan.method().name(), "retrograde");
        assert!(!solved.plan.why().contains("mis\u{e8}re"), "{}", solved.plan.why());
    }
}

/// A search over the parts of a sum, and of boards, finds the same winners and the same winning moves.
#[test]
fn winners_without_values() {
    let cases = [
        ("hackenbush_strings", "{\"strings\": [[1, -1, 0], [0, 1], [-1, 1, 1], [0]]}"),
        ("domineering", "{\"rows\": 3, \"columns\": 4}"),
        ("domineering", "{\"rows\": 2, \"columns\": 6}"),
        ("clobber", "{\"rows\": 2, \"columns\": 4}"),
        ("toads_and_frogs", "{\"toads\": 2, \"gap\": 2, \"frogs\": 2}"),
        ("snort", "{}"),
        ("col", "{}"),
    ];
    for (name, instance) in cases {
        let bound = bound(&program(&testkit::files::game(name)), instance);
        let expected = expect(&bound, 20_000);
        let found = check_forced(&bound, &expected, &by("winner")).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(found.is_some(), "{name}");
        let solution = answer_with(&bound, &by("winner")).unwrap();
        assert_eq!(solution.proof, Proof::Search);
        assert!(solution.canonical.is_none());
    }
}

/// Where canonical forms do not fit, it is still found who wins.
#[test]
fn forms_that_outgrow_memory() {
    let bound = bound(&program(&testkit::files::game("domineering")), "{\"rows\": 5, \"columns\": 5}");
    let mut monitor = Monitor::new(&Limits { memory: 2600 << 10, time: None });
    let found = solve::answer::answer(&bound, &Options::default(), &mut monitor).unwrap();
    // Whichever method is predicted to fit: the second player wins.
    assert_eq!(found.outcome, Some(game::Outcome::Loss), "{}", found.method);
    assert!(found.canonical.is_none());
}

/// A choice that would be a fault, where play never comes to it, is no move that changes nothing.
#[test]
fn stalks_of_different_lengths() {
    let text = "game stalks(stalk: [text]) {
        let longest = max([len(s) for s in stalk], 0);
        let m = len(stalk);
        state { left in [0..=longest; m] = [len(s) for s in stalk]; }
        move first cut(s in 0..m, k in 0..longest) when k < left[s] and stalk[s][k] in \"wg\" { left[s] = k; }
        move second cut(s in 0..m, k in 0..longest) when k < left[s] and stalk[s][k] in \"bg\" { left[s] = k; }
    }";
    for (instance, value) in [
        (r#"{"stalk": ["wb", "b"]}"#, "-1/2"),
        (r#"{"stalk": ["wb", "g"]}"#, "1/2*"),
        (r#"{"stalk": ["wbw", "b", "bwwb"]}"#, "-5/8"),
    ] {
        let bound = bound(&program(text), instance);
        let solution = answer_with(&bound, &by("groups")).unwrap();
        assert_eq!(solution.canonical.unwrap().name.as_deref(), Some(value), "{instance}");
        check_forced(&bound, &expect(&bound, 20_000), &by("groups")).unwrap();
    }
}

/// The fault of one choice is told with the next one that is a move, which may belong to another stalk: where play never
/// comes to it, it ties nothing together.
#[test]
fn faults_that_never_happen_tie_nothing() {
    let text = "game stalks(stalk: [text]) {
        let longest = max([len(s) for s in stalk], 0);
        let m = len(stalk);
        state { left in [0..=longest; m] = [len(s) for s in stalk]; }
        move first cut(s in 0..m, k in 0..longest) when k < left[s] and stalk[s][k] in \"wg\" { left[s] = k; }
        move second cut(s in 0..m, k in 0..longest) when k < left[s] and stalk[s][k] in \"bg\" { left[s] = k; }
    }";
    let mut random = Random::new(40);
    let mut stalk = |most: u64| -> String {
        let edges = 1 + random.next() % most;
        (0..edges).map(|_| ["w", "b", "g"][(random.next() % 3) as usize]).collect()
    };
    let mut given = |stalks: usize, most: u64| {
        let all: Vec<String> = (0..stalks).map(|_| format!("\"{}\"", stalk(most))).collect();
        format!("{{\"stalk\": [{}]}}", all.join(", "))
    };
    for _ in 0..20 {
        let bound = bound(&program(text), &given(4, 4));
        check_forced(&bound, &expect(&bound, 20_000), &by("groups")).unwrap();
    }
    let bound = bound(&program(text), &given(40, 7));
    let solution = answer_with(&bound, &Options::default()).unwrap();
    assert_eq!(solution.method.name(), "groups");
    assert!(solution.positions < 400, "{}", solution.positions);
}

/// Regions of a Domineering board, side by side: each has few squares, but the sum of their forms is large. The method turns
/// by itself to who wins, and finds what the sum of all forms tells.
#[test]
fn sums_that_are_too_large_turn_to_the_winner() {
    let text = "game regions(board: [[int]]) {
        let rows = len(board);
        let columns = len(board[0]);
        let n = rows * columns;
        state { square in [{empty, full}; n] = [board[i / columns][i % columns] for i in 0..n]; }
        move first upright(i in 0..n - columns) when square[i] == empty and square[i + columns] == empty {
            square[i] = full;
            square[i + columns] = full;
        }
        move second flat(i in 0..n - 1) when (i + 1) % columns != 0 and square[i] == empty and square[i + 1] == empty {
            square[i] = full;
            square[i + 1] = full;
        }
    }";
    // Squares that hang together, row by row from the lowest bit on, of boards of 4 x 4.
    const REGIONS: [u16; 40] = [
        0x2373, 0x033f, 0x02ff, 0x06f7, 0x15f7, 0x137f, 0x4477, 0x00ff, 0x0bf7, 0x02ff, 0x05ff, 0x07bf, 0x017f, 0x07f1,
        0x00ff, 0x0f33, 0x01fb, 0x07f7, 0x3375, 0x4673, 0x137f, 0x1373, 0xc731, 0x0f77, 0x3277, 0x0ebf, 0xe337, 0x077f,
        0x26f3, 0x3f71, 0x2377, 0x04ff, 0x047f, 0x2377, 0x05ff, 0x73f1, 0x06f3, 0x1777, 0x0377, 0x7633,
    ];
    let instance = |regions: &[u16]| {
        let empty = |row: usize, region: u16, column: usize| column < 4 && region >> (4 * row + column) & 1 == 1;
        let row = |row: usize| {
            let squares = regions.iter().flat_map(|&region| (0..5).map(move |column| !empty(row, region, column)));
            squares.map(i64::from).collect::<Vec<i64>>()
        };
        format!("{{\"board\": {:?}}}", (0..4).map(row).collect::<Vec<_>>())
    };
    let game = program(text);
    let many = bound(&game, &instance(&REGIONS));
    let mut monitor = Monitor::unlimited();
    let solved = solve::solved::solve(&many, &many.start, &Options::default(), &mut monitor).unwrap();
    assert_eq!(solved.plan.method().name(), "winner");
    let solution = solve::answer::solution(&solved, &mut monitor).unwrap();
    assert!(solution.canonical.is_none() && solution.value_missing.is_some());
    // Where the sum is small, both ways tell the same.
    for regions in REGIONS.chunks(3).take(5) {
        let few = bound(&game, &instance(regions));
        let by_forms = answer_with(&few, &by("board")).unwrap();
        let by_search = answer_with(&few, &by("winner")).unwrap();
        assert_eq!(by_forms.outcome_class, by_search.outcome_class);
        assert_eq!(by_forms.best_moves, by_search.best_moves);
    }
}
