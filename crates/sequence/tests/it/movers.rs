//! Sequences of games whose rules look at the mover. One position is worth one thing to the player who starts and another to
//! the other, so the table of a larger instance, where the other player reaches it, does not answer for it.

use std::sync::Arc;

use crate::common::{answer_with, by, instances, program, together, with_room};
use engine::monitor::Monitor;
use game::Outcome;
use rules::instance::Instance;
use rules::program::Program;
use sequence::{Axis, Grid, Runs, SequenceError, Term};
use solve::error::SolveError;
use solve::options::{Engine, Options};
use testkit::Random;

/// Gains for the player who starts alone.
const GAINS: &str = "game m(n: int) { state { e in 0..=n = n; }
    move t when e > 0 { e -= 1; if mover == first { gain 1; } } }";

/// The same, and a variable that says who moves.
const BESIDE: &str = "game m(n: int) { state { e in 0..=n = n; b in 0..2 = 0; }
    move t when e > 0 { e -= 1; b = 1 - b; gain 4 for first; } }";

/// A wider board, on which positions meet.
const WIDE: &str = "game m(n: int, w: int = 40) { state { e in 0..=n = n; b in 0..w = 0; }
    move t(k in 1..=3) when e >= 1 {
        e -= 1; b = (b + k * k) % w; if mover == first { gain 1 + b % 3; } else { gain b % 2; }
    } }";

/// The player who starts wins.
const WON: &str = "game m(n: int) { state { e in 0..=n = n; b in 0..2 = 0; }
    move t(k in 0..2) when e > 0 { e -= 1; b = k; }
    end when e == 0 => winner first; }";

/// Two parameters.
const TWO: &str = "game m(n: int, k: int) { state { e in 0..=n = n; f in 0..=k = k; }
    move t when e > 0 { e -= 1; if mover == first { gain 1; } }
    move u when f > 0 { f -= 1; if mover == first { gain 2; } } }";

/// The variables do not grow, and the player who is stuck may be the one who wins.
const STUCK: &str = "game m(n: int) { state { pos in 0..=40 = n; }
    move m0 when pos >= 1 { pos -= 1; }
    stuck when pos / 3 <= 97 => winner first; }";

/// Gains by the number of the mover.
const NUMBERS: &str = "game m(n: int) { state { p in [-1..=0; 3] = [-1, 0, 0]; e in 0..n + 1 = n; }
    move m0 when e >= 1 { e -= 1; gain (1 - mover * 3) % 7 - 2 for first; }
    move m1 when e >= 2 { e -= 2; gain 2; gain 3 * mover for opponent; p[e % 3] = -mover; }
    stuck when p[0] < mover => score 5; }";

const METHODS: [&str; 7] = ["induction", "search", "hash", "fill", "retrograde", "window", "row"];

/// Every method with every engine, and what is chosen by default.
fn ways() -> Vec<Options> {
    let engines = [Engine::Auto, Engine::Interpreted, Engine::Compiled];
    let mut ways: Vec<Options> =
        engines.iter().map(|&engine| Options { engine, threads: 1, ..Options::default() }).collect();
    for name in METHODS {
        ways.extend(engines.iter().map(|&engine| Options { engine, threads: 1, ..by(name) }));
    }
    ways
}

/// The terms of the instances, each solved by itself and interpreted.
fn alone(program: &Arc<Program>, from: i64, to: i64) -> Vec<Term> {
    let instances = instances(program, &Options::default());
    let way = Options { engine: Engine::Interpreted, ..Options::default() };
    let term = |at| Term::of(&answer_with(&instances.bind(at).ok()?, &way).ok()?);
    (from..to).map_while(term).collect()
}

#[derive(Debug, Default)]
struct Tally {
    /// Sequences that went to their end.
    sequences: usize,
    /// Those of them with terms that were read off.
    shared: usize,
    compiled: usize,
}

/// Compares sequences in all ways with single solves. A method that does not apply says so.
fn compare(text: &str, from: i64, to: i64, tally: &mut Tally) {
    let program = program(text);
    let expected = alone(&program, from, to);
    for way in ways() {
        let (terms, error, shared) = together(&program, from, to, &way);
        assert!(terms.len() <= expected.len(), "{way:?}: {} terms of {}\n{text}", terms.len(), expected.len());
        assert_eq!(terms, expected[..terms.len()], "{way:?} from {from}\n{text}");
        match error {
            Some(SequenceError::Solve { error: SolveError::NotApplicable(_), .. }) => continue,
            Some(_) => assert!(terms.len() == expected.len(), "{way:?} from {from}: {error:?}\n{text}"),
            None => assert_eq!(terms.len() as i64, to - from, "{way:?}\n{text}"),
        }
        tally.sequences += 1;
        tally.shared += usize::from(shared > 0);
        tally.compiled += usize::from(shared > 0 && way.engine == Engine::Compiled);
    }
}

#[test]
fn rules_that_look_at_the_mover() {
    with_room(|| {
        let mut tally = Tally::default();
        for text in [GAINS, BESIDE, WIDE, WON, STUCK, NUMBERS] {
            for from in [0, 3, 10] {
                compare(text, from, from + 9, &mut tally);
            }
        }
        assert!(tally.sequences > 150, "{tally:?}");
    });
}

/// What the definition gives.
#[test]
fn known_terms() {
    let numbers = |text: &str, way: &Options| -> Vec<i64> {
        let (terms, error, _) = together(&program(text), 0, 6, way);
        assert!(error.is_none(), "{error:?}");
        terms.iter().map(|term| term.number().unwrap()).collect()
    };
    for engine in [Engine::Auto, Engine::Interpreted, Engine::Compiled] {
        let way = Options { engine, ..Options::default() };
        assert_eq!(numbers(GAINS, &way), [0, 1, 1, 2, 2, 3], "{engine:?}");
        assert_eq!(numbers(BESIDE, &way), [0, 4, 8, 12, 16, 20], "{engine:?}");
        for from in [0, 2000] {
            let (terms, error, _) = together(&program(WON), from, from + 6, &way);
            assert!(error.is_none() && terms == vec![Term::outcome(Outcome::Win); 6], "{engine:?} {terms:?}");
        }
    }
}

#[test]
fn two_parameters() {
    let program = program(TWO);
    let axis = |parameter| Axis { parameter, runs: Runs::of(&program.params[parameter].ty).unwrap(), from: 0, to: 5 };
    let mut expected = Vec::new();
    for n in 0..5 {
        for k in 0..5 {
            let bound = crate::common::bound(&program, &format!("{{\"n\": {n}, \"k\": {k}}}"));
            let way = Options { engine: Engine::Interpreted, ..Options::default() };
            expected.push(Term::of(&answer_with(&bound, &way).unwrap()));
        }
    }
    for way in ways() {
        let mut grid = Grid::new(&program, Instance::default(), axis(0), axis(1), way.clone());
        let mut monitor = Monitor::unlimited();
        let error = loop {
            match grid.extend(&mut monitor) {
                Ok(true) => break None,
                Ok(false) => {}
                Err(error) => break Some(error),
            }
        };
        if let Some(SequenceError::Solve { error: SolveError::NotApplicable(_), .. }) = error {
            continue;
        }
        assert!(error.is_none(), "{way:?}: {error:?}");
        let found: Vec<Option<Term>> = grid.rows().flatten().cloned().collect();
        assert_eq!(found, expected, "{way:?}");
    }
}

fn one(random: &mut Random, of: &[&str]) -> String {
    of[random.below(of.len())].to_string()
}

/// A game that looks at the mover in its moves, its gains or its ends. The turn follows from the variables in some, in
/// others it does not.
fn game(random: &mut Random) -> String {
    let counted = random.one_in(2);
    let domain = one(random, &["0..=n", "0..=n", "0..=40", "0..=n + 1"]);
    let second = one(random, &["", " b in 0..2 = 0;", " b in 0..3 = 0;", " b in 0..7 = 2;", " b in 0..=n = n;"]);
    let mut moves = String::new();
    for number in 0..random.between(1, 2) {
        let head = one(
            random,
            &[
                "m(k in 1..=1) when e >= k",
                "m(k in 1..=1) when e >= k",
                "m(k in {1, 3}) when e >= k",
                "m(k in 1..=2) when e >= k",
                "m(k in 1..=1 + mover) when e >= k",
                "m(k in 1..=2) when e >= k and (mover == first or e % 3 > 0)",
            ],
        );
        let head = head.replacen('m', &format!("m{number}"), 1);
        let owner = if random.one_in(5) { one(random, &["first ", "second "]) } else { String::new() };
        let beside = match &*second {
            "" | " b in 0..=n = n;" => "",
            " b in 0..2 = 0;" => "b = 1 - b;",
            " b in 0..3 = 0;" => "b = (b + k) % 3;",
            _ => "b = (b * 2 + k + mover) % 7;",
        };
        let gain = match counted {
            true => one(
                random,
                &["if mover == first { gain 1; }", "gain k + mover;", "gain 2 for first;", "gain e % 3 for second;"],
            ),
            false => String::new(),
        };
        moves.push_str(&format!("move {owner}{head} {{ e -= k; {beside} {gain} }}\n"));
    }
    if second.contains("..=n") {
        moves.push_str("move down when b > 0 { b -= 1; }\n");
    }
    let ends = match counted {
        true => one(random, &["", "", "stuck => score 2 * mover;", "end when e == 1 => score 3 - 4 * mover;"]),
        false => one(
            random,
            &[
                "end when e == 0 => winner first;",
                "stuck => winner first;",
                "stuck => winner second;",
                "stuck when mover == first => draw;",
                "end when e <= mover => lose;",
                "end when e == 2 => winner second;",
            ],
        ),
    };
    format!("game m(n: int) {{ state {{ e in {domain} = n;{second} }}\n{moves}{ends} }}")
}

#[test]
fn random_rules_that_look_at_the_mover() {
    with_room(|| {
        let mut random = Random::new(2026);
        let mut tally = Tally::default();
        for _ in 0..60 {
            let text = game(&mut random);
            if let Err(wrong) = rules::compile(&text) {
                panic!("{text}\n{wrong:?}");
            }
            let from = random.between(0, 5);
            compare(&text, from, from + 10, &mut tally);
        }
        println!("{tally:?}");
        assert!(tally.sequences > 300 && tally.shared > 50 && tally.compiled > 10, "{tally:?}");
    });
}
