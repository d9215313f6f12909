//! A false declaration is refused by every engine, wherever in the game it shows.

use crate::common::prelude::*;
use crate::common::{answer_with, bound, program};
use testkit::Random;

/// The title of the fault that solving ends in, if it does.
fn fault(text: &str, options: &Options) -> Option<String> {
    match answer_with(&bound(&program(text), "{}"), options) {
        Ok(_) => None,
        Err(SolveError::Fault(fault)) => Some(fault.diagnostic.title.clone()),
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn interpreted() -> Options {
    Options { engine: Engine::Interpreted, ..Options::default() }
}

/// The first words of a title: which position it is about depends on the order in which positions are met.
fn kind(title: &Option<String>) -> Option<&str> {
    title.as_deref().map(|title| title.split(':').next().unwrap_or(title))
}

/// All ways must say the same as the interpreter.
fn agree(text: &str, methods: &[&str]) -> bool {
    let expected = fault(text, &interpreted());
    let found = fault(text, &Options::default());
    assert_eq!(kind(&found), kind(&expected), "by default\n{text}");
    for name in methods {
        let found = fault(text, &by(name));
        assert_eq!(kind(&found), kind(&expected), "{name}\n{text}");
    }
    expected.is_some()
}

/// Two heaps of about a hundred, so that there are about ten thousand positions; something special is somewhere.
fn heaps(random: &mut Random, declared: &str) -> String {
    let (a, b) = (random.between(0, 110), random.between(0, 110));
    let extra = random.pick(&[
        "",
        "move skip when h[0] == A and h[1] == B and h[0] > 1 { h[0] -= 2; }",
        "end when h[0] == A and h[1] == B => win;",
        "end when h[0] == A and h[0] == h[1] => lose;",
        "stuck => if h[0] == A then win else lose;",
    ]);
    let extra = if extra.contains("if h[0]") { "" } else { extra };
    let declared = declared.replace("A", &a.to_string()).replace("B", &b.to_string());
    let extra = extra.replace("A", &a.to_string()).replace("B", &b.to_string());
    format!(
        "game g() {{ state {{ h in [0..=100; 2] = [100, 99]; }}
         move take(i in 0..2) when h[i] > 0 {{ h[i] -= 1; }} {extra} {declared} }}"
    )
}

#[test]
fn false_measures_are_found_anywhere() {
    let mut random = Random::new(3);
    let (mut wrong, mut right) = (0, 0);
    for _ in 0..16 {
        let measure = random.pick(&[
            "measure h[0] + h[1];",
            "measure h[0] + h[1] + (if h[0] == A and h[1] == B then 7 else 0);",
            "measure 3 * h[0] + 2 * h[1] - (if h[0] == A and h[1] < B then 1 else 0);",
            "measure h[0] * h[0] + h[1] + (if h[0] < A and h[1] == B then 9 else 0);",
        ]);
        let text = heaps(&mut random, measure);
        if agree(&text, &["fill", "search", "hash"]) { wrong += 1 } else { right += 1 }
    }
    assert!(wrong > 2 && right > 2, "{wrong} {right}");
}

#[test]
fn false_symmetries_are_found_anywhere() {
    let mut random = Random::new(4);
    let (mut wrong, mut right) = (0, 0);
    for _ in 0..20 {
        let text = heaps(&mut random, "symmetry h by [1, 0];");
        if agree(&text, &["fill", "search", "hash"]) { wrong += 1 } else { right += 1 }
    }
    assert!(wrong > 2 && right > 2, "{wrong} {right}");
}

#[test]
fn false_symmetries_of_games_that_repeat_and_that_are_counted() {
    for (at, gain) in [(3, 0), (60, 0), (61, 1), (200, 1)] {
        let text = format!(
            "game g() {{ state {{ h in [0..=70; 2] = [70, 70]; }}
             move down(i in 0..2) when h[i] > 0 {{ h[i] -= 1; gain if h[0] == {at} and h[1] == 5 then {gain} + 1 else 1; }}
             symmetry h by [1, 0]; }}"
        );
        assert_eq!(agree(&text, &["fill", "search", "hash"]), at <= 70 && gain > 0, "{at}");
        let text = format!(
            "game g() {{ state {{ h in [0..=70; 2] = [70, 70]; }} forever => draw;
             move down(i in 0..2) when h[i] > 0 {{ h[i] -= 1; }}
             move up(i in 0..2) when h[i] == 0 and h[0] + h[1] == {at} {{ h[i] = 1; }}
             end when h[0] == {at} and h[1] == 7 => win; symmetry h by [1, 0]; }}"
        );
        agree(&text, &["retrograde"]);
    }
}

/// A claim that cannot be worked out does not hide the limit.
#[test]
fn a_claim_that_goes_wrong_hides_no_limit() {
    let text = std::fs::read_to_string(testkit::files::workspace("games/fibonacci_nim.game")).unwrap();
    let bound = bound(&program(&text), r#"{"n": 2000000000}"#);
    let mut monitor = Monitor::new(&Limits { memory: 1 << 20, time: None });
    let error = solve::answer::answer(&bound, &Options::default(), &mut monitor).unwrap_err();
    assert!(error.is_limit(), "{error}");
}

/// Regions that are false only if the other player starts: every engine says why it is not known who wins then.
#[test]
fn what_is_false_if_the_other_player_starts_is_said_in_the_same_words() {
    let text = "game reg(n: int = 5) {
        state { board in [0..=1; n] = [if i == 2 then 1 else 0 for i in 0..n]; }
        move take(i in 0..n) when board[i] == 0 { board[i] = 1; }
        move second odd when sum(board) == 1 { board[0] = 1; board[4] = 1; }
        regions board as 1 by n where cell == 0; }";
    let compiled = Options { engine: Engine::Compiled, ..Options::default() };
    let induction = Options { engine: Engine::Compiled, ..by("induction") };
    let game = bound(&program(text), "{}");
    let expected = answer_with(&game, &interpreted()).unwrap();
    assert!(expected.outcome_class_missing.is_some() && expected.outcome_class.is_none());
    for options in [Options::default(), compiled, by("fill"), by("search"), by("hash"), by("induction"), induction] {
        let found = answer_with(&game, &options).unwrap();
        assert_eq!(found.outcome_class_missing, expected.outcome_class_missing, "{options:?}");
        assert_eq!((found.outcome_class, found.winner), (None, expected.winner), "{options:?}");
    }
}

/// Rules whose positions do not fit in 63 bits are compiled as they stand. What is declared is looked at far from the start, too.
#[test]
fn false_declarations_of_wide_games_are_found() {
    let compiled = Options { engine: Engine::Compiled, ..Options::default() };
    for (declared, words) in [
        ("measure h[0] + h[1] + h[2] + (if h[0] == 3 and h[1] == 9 then 5 else 0);", "the measure does not fall"),
        ("symmetry h by [1, 0, 2]; end when h[0] == 2 and h[1] == 7 and h[2] == 1 => win;", "this is not a symmetry"),
        ("measure h[0] + h[1] + h[2]; symmetry h by [1, 0, 2];", ""),
    ] {
        let text = format!(
            "game g() {{ state {{ h in [0..=9000000000; 3] = [11, 11, 11]; }}
             move take(i in 0..3) when h[i] > 0 {{ h[i] -= 1; }} {declared} }}"
        );
        for options in [&interpreted(), &compiled, &Options::default()] {
            let found = fault(&text, options);
            assert_eq!(kind(&found).unwrap_or(""), words, "{options:?}\n{text}");
        }
    }
}

/// What a sum declares is looked at in all parts, also where a theorem or code values them.
#[test]
fn false_measures_of_sums_are_found() {
    let compiled = Options { engine: Engine::Compiled, ..Options::default() };
    for at in [3, 260, 390] {
        let text = format!(
            "game g() {{ sum of pile(n in 0..=400) from [400, 399]; move take(k in {{1, 2, 5}}) when k <= n {{ n -= k; }}
             measure n + (if n == {at} then 9 else 0); }}"
        );
        for options in [&interpreted(), &compiled, &Options::default(), &by("grundy")] {
            let found = fault(&text, options);
            assert_eq!(kind(&found), Some("the measure does not fall"), "{at} {options:?}");
        }
    }
}

/// Boards whose moves need connected cells of one region: random ones, compared with the interpreter.
#[test]
fn regions_are_proved_or_found_to_be_false() {
    let mut random = Random::new(21);
    let (mut wrong, mut right, mut proved) = (0, 0, 0);
    for _ in 0..40 {
        let (rows, columns) = (random.between(1, 3), random.between(2, 4));
        let condition = *random.pick(&["cell == 0", "cell == 0", "cell < 2", "cell != 1"]);
        let moves: String = (0..random.between(1, 3))
            .map(|index| {
                let rule = *random.pick(&[
                    "one(i in 0..n) when b[i] == 0 { b[i] = 1; }",
                    "flat(i in 0..n) when i % c + 1 < c and b[i] == 0 and b[i + 1] == 0 { b[i] = 1; b[i + 1] = 1; }",
                    "tall(i in 0..n - c) when b[i] == 0 and b[i + c] == 0 { b[i] = 1; b[i + c] = 2; }",
                    "first far(i in 0..n - 1) when b[i] == 0 and b[n - 1] == 0 and i != n - 1 { b[i] = 1; b[n - 1] = 1; }",
                    "near(i in 0..n - 1) when b[i] == 0 and b[i + 1] == 1 { b[i] = 1; }",
                    "second up(i in 0..n) when b[i] == 0 { b[i] = 2; }",
                    "turn(i in 0..n) when b[i] == 1 { b[i] = 2; }",
                    "late(i in 0..n) when b[i] == 0 and count(x == 0 for x in b) < 3 { b[i] = 1; }",
                ]);
                let (name, rest) = rule.split_once('(').unwrap();
                format!("move {name}{index}({rest}\n")
            })
            .collect();
        let text = format!(
            "game g() {{ let c = {columns}; let n = {rows} * c; state {{ b in [0..=2; n] = [0; n]; }} {moves}
             regions b as {rows} by {columns} where {condition}; }}"
        );
        let expected = fault(&text, &interpreted());
        for options in [Options { engine: Engine::Compiled, ..Options::default() }, by("hash"), by("search")] {
            let game = bound(&program(&text), "{}");
            let found = fault(&text, &options);
            assert_eq!(found.is_some(), expected.is_some(), "{expected:?} {found:?} {options:?}\n{text}");
            let solved = solve::solved::solve(&game, &game.start, &options, &mut Monitor::unlimited());
            let declared = solved.ok().and_then(|solved| solved.report.declared);
            proved += usize::from(declared.is_some_and(|fact| fact.why.contains("proved")));
        }
        if expected.is_some() { wrong += 1 } else { right += 1 }
    }
    assert!(wrong > 5 && right > 5 && proved > 5, "{wrong} {right} {proved}");
}
