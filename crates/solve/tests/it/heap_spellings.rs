//! Heaps in unusual words: conditions with loops, ends in other places, heaps that are counted upwards. Whatever the words, the
//! answer is that of the general methods; and what is a heap is recognised.

use crate::common::prelude::*;
use solve::answer::answer;

use crate::common::{bound, program, with_room};

fn solved(text: &str, options: &Options) -> Result<Solution, SolveError> {
    answer(&bound(&program(text), "{}"), options, &mut Monitor::unlimited())
}

/// By heaps, if that applies, and in the general way.
fn both(text: &str) -> (Option<Solution>, Solution) {
    let heap = match solved(text, &Options { method: Some(method("heap")), ..Options::default() }) {
        Ok(heap) => Some(heap),
        Err(SolveError::NotApplicable(_)) => None,
        Err(error) => panic!("{error}\n{text}"),
    };
    let plain = solved(text, &Options { engine: Engine::Interpreted, ..Options::default() });
    (heap, plain.unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// Compares the answers for the heaps of a text with a place for the heap; whether they are recognised as such.
fn agrees(text: &str, heaps: impl Iterator<Item = usize>) -> bool {
    let mut recognised = true;
    for heap in heaps {
        let text = text.replace("HEAP", &heap.to_string());
        let (found, plain) = both(&text);
        let Some(found) = found else {
            recognised = false;
            continue;
        };
        let said = |solution: &Solution| {
            let Solution { winner, outcome, nimber, remoteness, best_moves, fast_moves, kind, .. } = solution.clone();
            (winner, outcome, nimber, remoteness, best_moves, fast_moves, kind)
        };
        assert_eq!(said(&found), said(&plain), "{text}");
    }
    recognised
}

/// Conditions whose loops are as long as a choice.
#[test]
fn conditions_with_loops() {
    let conditions = [
        "any(i * i == k for i in 1..=k)",
        "any(k == i for i in 1..=n)",
        "k >= 2 and all(k % d != 0 for d in 2..k)",
        "all(k % d != 0 for d in 2..k)",
        "not any(i * i == k for i in 1..=k)",
        "not (k == 2 and n > 5)",
        "not (k == 2 and n > 5) and not (k > 3 and n < 9)",
        "any(k == pow(2, i) for i in 0..=5)",
        "(k == 1 or k == 4) != (n < 3)",
    ];
    with_room(move || {
        for condition in conditions {
            for ending in ["", "stuck => win;"] {
                let rules = format!("move take(k in 1..=n) when {condition} {{ n -= k; }} {ending}");
                agrees(&format!("game g() {{ state {{ n in 0..=HEAP = HEAP; }} {rules} }}"), 0..26);
                let short = format!("move take(k in 1..=min(n, 9)) when {condition} {{ n -= k; }} {ending}");
                agrees(&format!("game g() {{ state {{ n in 0..=25 = HEAP; }} {short} }}"), 0..26);
            }
        }
    });
    let squares = "game g() { state { n in 0..=1000000 = 1000000; }
        move take(k in 1..=min(n, 20)) when any(i * i == k for i in 1..=k) { n -= k; } }";
    let found = solved(squares, &Options::default()).unwrap();
    assert_eq!((found.nimber, found.remoteness), (Some(0), Some(200_002)));
    assert_eq!(best(&found), ["take(1)", "take(4)", "take(9)", "take(16)"]);
}

/// The gallery's game of any code: a code of one digit has a choice of one value, and a move may leave three heaps in order.
#[test]
fn every_code_is_a_game_of_heaps() {
    let octal = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/octal.game")).unwrap();
    let program = program(&octal);
    for code in ["0.1", "0.2", "0.3", "0.4", "0.6", "0.7", "4.3", "0.8", "0.c", "0.f", "0.08", "8.1", "0.37", "0.8f"] {
        for n in 0..14 {
            let instance = format!(r#"{{"code": "{code}", "n": {n}}}"#);
            let solved = |options: &Options| answer(&bound(&program, &instance), options, &mut Monitor::unlimited());
            let heap = match solved(&Options { method: Some(method("heap")), ..Options::default() }) {
                // Some choice has one value only, and says less than it does of larger heaps.
                Err(SolveError::NotApplicable(_)) if n < 6 => continue,
                heap => heap.unwrap(),
            };
            let plain = solved(&Options { engine: Engine::Interpreted, ..Options::default() }).unwrap();
            let said = |solution: &Solution| (solution.winner, solution.nimber, solution.best_moves.clone());
            assert_eq!(said(&heap), said(&plain), "{instance}");
        }
    }
}

/// A rule that ends the game says no more than that there is no move, if the result is the same.
#[test]
fn rules_that_end_the_game() {
    let ends = [
        "end when n == 0 => lose;",
        "end when n <= 2 => lose;",
        "end when n < 1 => winner opponent;",
        "end when n == 0 => winner opponent; end when n == 1 => lose;",
        "end when n in [0, 1] => lose;",
        "end when n == 0 => win; stuck => win;",
        "end when n == 0 => winner mover;",
        "end when n == 0 => win;",
        "end when n <= 3 => win;",
    ];
    let moves = [
        "move take(k in 1..=min(n, 3)) { n -= k; }",
        "move take(k in [1, 3, 4]) when k <= n { n -= k; }",
        "move take(k in 1..=n) { n -= k; }",
        "move one when n >= 1 { n -= 1; } move more(k in 2..=5) when n - k >= 1 { n -= k; }",
    ];
    with_room(move || {
        for end in ends {
            for rules in moves {
                let text = format!("game g() {{ state {{ n in 0..=25 = HEAP; }} {end} {rules} }}");
                agrees(&text, 0..5);
                assert!(agrees(&text, 5..20), "{text}");
            }
        }
        // Others do say more.
        for end in ["end when n == 5 => win;", "end when n == 0 => draw;", "end when n <= 1 => lose; stuck => win;"] {
            for rules in moves {
                agrees(&format!("game g() {{ state {{ n in 0..=25 = HEAP; }} {end} {rules} }}"), 0..20);
            }
        }
        agrees(
            "game g() { state { n in 0..=25 = HEAP; } end when n == 0 => win; move take when n > 1 { n -= 2; } }",
            0..9,
        );
    });
    let huge = "game g() { state { n in 0..=1000000000000000000 = 1000000000000000000; }
        end when n == 0 => lose; move take(k in 1..=3) when k <= n { n -= k; } }";
    let found = solved(huge, &Options::default()).unwrap();
    assert_eq!((found.nimber, found.winner), (Some(0), Some(SECOND)));
}

/// What is left up to a goal is a heap.
#[test]
fn heaps_that_are_counted_upwards() {
    let rules = [
        "move add(k in 1..=3) when at + k <= 25 { at += k; }",
        "move add(k in 1..=min(3, 25 - at)) { at += k; }",
        "move go(to in at + 1..=min(at + 4, 25)) { at = to; }",
        "move go(to in at + 1..=25) { at = to; } stuck => win;",
        "end when at >= 25 => lose; move add(k in [2, 5, 7]) when at + k <= 25 { at += k; }",
        "end when at == 25 => win; move add(k in 1..=min(4, 25 - at)) { at += k; }",
    ];
    with_room(move || {
        for rule in rules {
            let text = format!("game g() {{ state {{ at in 0..=25 = HEAP; }} {rule} }}");
            agrees(&text, 20..=25);
            assert!(agrees(&text, 0..20), "{text}");
            if !rule.contains("end") && !rule.contains("win") {
                let text = format!("game g() {{ sum of track(at in 0..=25) from [HEAP, 20]; {rule} }}");
                assert!(agrees(&text, 0..=25), "{text}");
            }
        }
        // A heap that goes up and down is none.
        let text = "game g() { state { at in 0..=9 = HEAP; }
            move up(k in 1..=min(2, 9 - at)) { at += k; } move down(k in 1..=min(1, at)) { at -= k; } }";
        assert!(!agrees(text, 0..=9));
    });
    // Every position is checked, the one with nothing left to add among them.
    let race =
        "game race() { state { total in 5..=30 = 8; } move add(k in 1..=2) when total + k <= 30 { total += k; } }";
    let options = Options { method: Some(method("heap")), check: Some(Amount::All), ..Options::default() };
    assert_eq!(solved(race, &options).unwrap().checked, Some(23));
    let huge = "game race() { state { total in 0..=1000000000000000000 = 0; }
        move add(k in 1..=2) when total + k <= 1000000000000000000 { total += k; } }";
    let found = solved(huge, &Options::default()).unwrap();
    assert_eq!((found.nimber, best(&found)), (Some(1), vec!["add(1)"]));
}

/// Moves come in the order of their choices, also where some leave no heap.
#[test]
fn the_order_of_moves() {
    with_room(move || {
        let rules = "move take(k in 1..=n) when k in [1, 2, 4] { if n == k { split; } else { split (n - k); } }";
        agrees(&format!("game g() {{ sum of heap(n in 0..=25) from [HEAP, 3]; {rules} }}"), 0..=25);
    });
}

/// A rule that goes wrong at a small heap is still wrong, though its condition does not hold there.
#[test]
fn what_goes_wrong_is_told() {
    let text = "game g() { let few = [1, 2, 3]; state { n in 0..=9 = 9; }
        move take(k in 0..=max(0, 5 - n)) when few[k] <= n and k < 3 { n -= few[k]; } }";
    for method in [None, Some(method("heap"))] {
        assert!(solved(text, &Options { method, ..Options::default() }).is_err());
    }
}

/// A choice among all numbers, of which the condition leaves one, is not tried number by number.
#[test]
fn one_choice_of_many() {
    let text = "game g() { sum of heap(n in 0..=100481) from [100481];
        move take(k in 1..=n) when k == 3 and n - k >= 0 { n -= k; } stuck => win; }";
    let found = solved(text, &Options::default()).unwrap();
    assert_eq!(found.winner, Some(SECOND));
}

/// Take-and-break games by a table of digits: what may be left depends on whether something is.
#[test]
fn games_by_a_table_of_digits() {
    let rules = "
        fn allowed(k: int) -> int { if k == 0 { 0 } else if k <= len(digits) { digits[k - 1] } else { 0 } }
        let most = min(whole, len(digits));
        sum of heap(h in 0..=whole) from [HEAP];
        move take(k in 1..=min(h, most)) when allowed(k) / (if k == h then 1 else 2) % 2 == 1 { h -= k; }
        move break_up(k in 0..=min(h - 2, most), left in 1..=(h - k) / 2) when allowed(k) / 4 % 2 == 1 {
            split (left), (h - k - left);
        }";
    let game =
        move |digits: &str, whole: &str| format!("game g() {{ let digits = {digits}; let whole = {whole}; {rules} }}");
    with_room(move || {
        for digits in ["[7, 7]", "[1, 3, 7]", "[0, 7]", "[3, 3, 3]", "[1, 2, 4]", "[5, 0, 6]"] {
            let text = game(digits, "HEAP");
            agrees(&text, 0..4);
            assert!(agrees(&text, 4..20), "{text}");
        }
        let text = game("[7, 7]", "HEAP").replace("HEAP", "1000000000000000000");
        assert_eq!(solved(&text, &Options::default()).unwrap().nimber, Some(1));
    });
}
