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
