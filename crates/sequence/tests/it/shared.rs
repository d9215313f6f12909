//! One table for many terms gives the terms that the instances give one by one, mistakes included.

use std::sync::Arc;
use std::time::Instant;

use crate::common::{answer, instances, program, together};
use engine::monitor::Monitor;
use rules::instance::Instance;
use rules::program::Program;
use sequence::{Axis, Grid, Runs, SequenceError, Term};
use solve::error::SolveError;
use solve::options::Options;
use testkit::Random;

/// The terms one by one, each instance solved anew.
fn alone(program: &Arc<Program>, from: i64, to: i64) -> (Vec<Term>, Option<String>) {
    let instances = instances(program, &Options::default());
    let mut terms = Vec::new();
    for at in from..to {
        let Ok(bound) = instances.bind(at) else { return (terms, Some("refused".to_string())) };
        match answer(&bound) {
            Ok(solution) => terms.push(Term::of(&solution).unwrap()),
            Err(error) => return (terms, Some(error.to_string())),
        }
    }
    (terms, None)
}

fn compare(text: &str, from: i64, to: i64) -> u64 {
    let program = program(text);
    let (terms, error, shared) = together(&program, from, to, &Options::default());
    let (expected, wrong) = alone(&program, from, to);
    assert_eq!(terms, expected, "{text}");
    assert_eq!(error.is_some(), wrong.is_some(), "{error:?} {wrong:?}\n{text}");
    if let (Some(SequenceError::Solve { error, .. }), Some(wrong)) = (&error, &wrong) {
        assert_eq!(&error.to_string(), wrong, "{text}");
    }
    shared
}

fn one(random: &mut Random, of: &[&str]) -> String {
    of[random.below(of.len())].to_string()
}

/// A game whose parameter is where play starts, and perhaps more than that.
fn game(random: &mut Random) -> String {
    let domain = one(random, &["0..=n", "0..=n", "0..=2 * n", "0..=n + 3", "0..=60", "-3..=n", "-n..=n"]);
    let start = one(random, &["n", "n", "n", "n - n / 3", "n / 2"]);
    let second = one(random, &["", "", " b in 0..=3 = 1;", " b in 0..=n = n;", " t in bool = false;"]);
    let mut moves = String::new();
    for number in 0..random.between(1, 3) {
        let rule = one(
            random,
            &[
                "when a > 0 { a -= 1; }",
                "(k in {1, 3, 4}) when k <= a { a -= k; }",
                "(k in 1..=a) when k * k <= a { a -= k * k; }",
                "when a > 1 { a = a / 2; }",
                "when a > 2 { a = a - 1 - a % 3; }",
                "when a < 12 and a > 0 { a += 1; }",
                "when a > 20 { a = 60 - a; }",
                "when a > 0 and a % 5 == 2 { a = a + 2; }",
                "when a >= n / 2 and a > 0 { a -= 1; }",
                "(k in 1..=n) when k <= a { a -= k; }",
                "(k in 1..=n + 2) when k <= a and k % 3 != 0 { a -= k; }",
                "(k in 1..=min(n, 3)) when k <= a { a -= k; }",
                "(k in 1..=n) when k <= a and k < n { a -= k; }",
                "(k in n / 2..=n) when k <= a and k > 0 { a -= k; }",
                "when a > 0 and a <= n { a -= 1; }",
            ],
        );
        moves.push_str(&format!("move m{number}{} {rule}\n", if rule.starts_with('(') { "" } else { " " }));
    }
    if second.contains("b in") {
        moves.push_str("move b when b > 0 { b -= 1; }\n");
    }
    if second.contains("t in") {
        moves.push_str("move flip when not t { t = true; }\n");
    }
    let owner = if random.one_in(4) { moves.replacen("move m0", "move first m0", 1) } else { moves };
    let ends = one(
        random,
        &["", "", "stuck => lose;", "stuck => win;", "end when a == 7 => draw;", "end when a == 3 => lose;"],
    );
    let require = one(random, &["", "", "", "require n != 17;", "require n >= 0 and n <= 25;"]);
    format!("game g(n: int) {{ {require}\nstate {{ a in {domain} = {start};{second} }}\n{owner}{ends} }}")
}

#[test]
fn terms_of_one_table_are_those_of_the_instances() {
    let mut random = Random::new(11);
    let (mut games, mut shared, mut faults) = (0, 0, 0);
    for _ in 0..600 {
        let text = game(&mut random);
        if let Err(wrong) = rules::compile(&text) {
            panic!("{text}\n{wrong:?}");
        }
        games += 1;
        let from = random.between(0, 4);
        let read_off = compare(&text, from, from + 30);
        shared += usize::from(read_off > 0);
        faults += usize::from(alone(&program(&text), from, from + 30).1.is_some());
    }
    println!("{games} games, {shared} with a table for many, {faults} with a mistake");
    assert!(games > 200 && shared > 60 && faults > 20, "{games} {shared} {faults}");
}

/// A move that leaves the range of a small instance stays inside that of a larger one.
#[test]
fn mistakes_of_small_instances_are_found() {
    let text = "game g(n: int) { state { a in 0..=n = n; } move down when a > 0 { a -= 1; }
                move jump when a == 9 { a = 12; } move end when a == 12 { a = 0; } }";
    let program = program(text);
    let (terms, error, _) = together(&program, 0, 40, &Options::default());
    assert_eq!(terms.len(), 9, "{terms:?}");
    assert!(matches!(error, Some(SequenceError::Solve { at: 9, error: SolveError::Fault(_) })), "{error:?}");
    compare(text, 12, 60);
    compare(text, 0, 30);
}

#[test]
fn scores_and_sums_share_too() {
    let scores = "game g(n: int) { state { a in 0..=n = n; }
                  move take(k in 1..=min(a, 3)) { gain k * k % 5; a -= k; } }";
    assert!(compare(scores, 0, 40) > 20);
    let sums = "game g(piles: [int]) { sum of pile(h in 0..=max(piles, 0)) from piles;
                move halve when h > 1 { split (h / 2), (h - h / 2 - 1); } move one when h > 0 { h -= 1; } }";
    compare(sums, 0, 40);
}

/// A user's own rules of one heap: thousands of terms in seconds.
#[test]
fn many_terms_take_one_table() {
    let program = program(
        "game halves(n: int) { require n >= 0; state { left in 0..=n = n; }
         move half when left > 1 { left = left / 2; } move third when left > 2 { left -= left / 3; }
         move one when left > 0 { left -= 1; } }",
    );
    let start = Instant::now();
    let (terms, error, shared) = together(&program, 0, 20_000, &Options::default());
    println!("{} terms in {:?}, {shared} of them shared", terms.len(), start.elapsed());
    assert!(error.is_none() && terms.len() == 20_000 && shared > 19_000);
    let (few, _) = alone(&program, 0, 60);
    assert_eq!(terms[..60], few[..]);
}

/// Where a guard runs through all numbers up to the heap, the formulas show that moves only take, and nothing is walked.
#[test]
fn moves_that_only_take_need_no_walk() {
    let program = program(
        "game squares(n: int) { state { left in 0..=n = n; }
         move take(k in 1..=left) when k * k <= left { left -= k * k; } }",
    );
    let start = Instant::now();
    let (terms, error, shared) = together(&program, 0, 3000, &Options::default());
    println!("{} terms in {:?}", terms.len(), start.elapsed());
    assert!(error.is_none() && terms.len() == 3000 && shared > 2900);
    let squares = |heap: usize| (1..=heap).map(|k| k * k).take_while(move |square| *square <= heap);
    let mut nimbers: Vec<u64> = Vec::new();
    for heap in 0..3000 {
        let met: Vec<u64> = squares(heap).map(|square| nimbers[heap - square]).collect();
        nimbers.push((0..).find(|nimber| !met.contains(nimber)).unwrap());
    }
    assert!(terms.iter().zip(nimbers).all(|(term, nimber)| *term == Term::nimber(nimber)));
}

/// Rules that read the parameter, but only to say what no position of the instance can do.
#[test]
fn rules_that_read_the_parameter_in_vain_share() {
    for (text, least) in [
        (
            "game g(n: int) { state { a in 0..=n = n; } move take(k in 1..=n) when k <= a and k % 4 != 2 { a -= k; } }",
            30,
        ),
        (
            "game g(n: int) { state { a in 0..=n = n; } move half when a > 1 and a <= n { a = a / 2; } move one when a > 0 { a -= 1; } }",
            30,
        ),
        (
            "game g(n: int) { state { a in 0..=n = n; b in bool = true; }
          move take(k in 1..=n) when k * k <= a { a -= k * k; } move flip when b and n > -7 { b = false; } }",
            30,
        ),
        (
            "game g(n: int) { state { a in 0..=n = n; } move take(k in 1..=n) when k <= a { gain k * k % 5; a -= k; } }",
            30,
        ),
        // Here the parameter matters.
        ("game g(n: int) { state { a in 0..=n = n; } move take(k in 1..=n) when k <= a and k < n { a -= k; } }", 0),
        (
            "game g(n: int) { state { a in 0..=n = n; } move take when a > 0 { a -= 1; } end when a == n - 2 => win; }",
            0,
        ),
        (
            "game g(n: int) { state { a in 0..=n = n; } forever => winner if n % 2 == 0 then first else second;
          move wait when a == 1 {} move take when a > 0 { a -= 1; } }",
            0,
        ),
    ] {
        let shared = compare(text, 0, 60);
        assert!(if least > 0 { shared >= least } else { shared == 0 }, "{shared}\n{text}");
    }
}

/// A table of two parameters has the values of its instances, whether they share a table or not.
#[test]
fn two_parameters_share_one_table() {
    let mut random = Random::new(5);
    let mut shared = 0;
    for number in 0..60 {
        let bounds = one(&mut random, &["0..=n", "0..=n", "0..=n + m", "0..=30"]);
        let moves: String = (0..random.between(1, 3))
            .map(|index| {
                let rule = one(
                    &mut random,
                    &[
                        "when a > 0 { a -= 1; }",
                        "when b > 0 { b -= 1; }",
                        "when a > 0 and b > 0 { a -= 1; b -= 1; }",
                        "(k in 1..=n) when k <= a { a -= k; }",
                        "(k in 1..=m) when k <= b and k <= 2 { b -= k; }",
                        "when a > b and a > 1 { a = a / 2; }",
                        "when a < 4 and b > 1 { b -= 2; a += 1; }",
                        "when b == m and a > 0 { a -= 1; }",
                    ],
                );
                format!("move m{index}{} {rule}\n", if rule.starts_with('(') { "" } else { " " })
            })
            .collect();
        // Without these, many starts are no positions of a larger instance.
        let both = "move da when a > 0 { a -= 1; } move db when b > 0 { b -= 1; }\n";
        let moves = if random.one_in(3) { moves } else { format!("{moves}{both}") };
        let require = one(&mut random, &["", "", "", "require n + m != 7;"]);
        let from = random.between(0, 2);
        let text =
            format!("game g(n: int, m: int) {{ {require} state {{ a in {bounds} = n; b in 0..=m = m; }}\n{moves} }}");
        let program = program(&text);
        let axis = |parameter, to| Axis { parameter, runs: Runs::Number, from, to: from + to };
        let mut grid = Grid::new(&program, Instance::default(), axis(0, 7), axis(1, 6), Options::default());
        let mut failed = false;
        loop {
            match grid.extend(&mut Monitor::unlimited()) {
                Ok(true) => break,
                Ok(false) => {}
                Err(_) => {
                    failed = true;
                    break;
                }
            }
        }
        shared += usize::from(grid.shared() > 0);
        for (row, cells) in grid.rows().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let alone = grid.instances(from + row as i64).bind(from + column as i64).ok();
                let alone = alone.map(|bound| Term::of(&answer(&bound).unwrap()).unwrap());
                assert_eq!(*cell, alone, "{number}: {row}, {column}\n{text}");
            }
        }
        if failed {
            let next = grid.known();
            let bound = grid.instances(from + (next / 6) as i64).bind(from + (next % 6) as i64).unwrap();
            assert!(answer(&bound).is_err(), "{text}");
        }
    }
    assert!(shared > 10, "{shared}");
}

/// A variable that no move changes may be read by gains and guards: a table for another value of it says nothing.
#[test]
fn variables_that_stay_are_read() {
    let row = "let v = [3, 1, 4, 2, 9]; state { i in 0..=5 = 0; j in 0..=5 = 5; b in 0..=n = n; }";
    let games = [
        "state { a in 0..=1 = 1; b in 0..=n = n; } move take when a > 0 { a -= 1; gain b; }".to_string(),
        "state { a in 0..=1 = 1; b in 0..=n = n; } move take when a > 0 and b > 0 { a -= 1; gain 1; }".to_string(),
        format!(
            "{row} move left when i < j {{ gain v[i] * b; i += 1; }} move right when i < j {{ gain v[j - 1] * b; j -= 1; }}"
        ),
        format!(
            "{row} move left when i < j {{ gain v[i] * b + j; i += 1; }}
             move right when i < j {{ gain v[j - 1] * b - i; j -= 1; }}"
        ),
    ];
    for text in games {
        compare(&format!("game g(n: int) {{ {text} }}"), 0, 6);
    }
}
