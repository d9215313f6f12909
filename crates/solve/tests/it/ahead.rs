//! Games that go forward through a list, written in many ways: what is recognised must be answered as plain induction answers
//! it, to the last best move.

use crate::common::prelude::*;
use solve::answer::answer;
use testkit::Random;

use crate::common::{bound, program, with_room};

/// Games on the list `a` of `n` numbers.
const AHEAD: &[&str] = &[
    // one to three from the front
    "state { i in 0..=n = 0; } move take(k in 1..=min(3, n - i)) { gain sum(a[i..i + k]); i += k; }",
    "state { i in 0..=n = 0; } move take(k in 1..=3) when i + k <= n { gain sum(a[i..i + k]); i += k; }",
    // by how many are left, from the back
    "state { left in 0..=n = n; } move take(k in 1..=min(2, left)) { left -= k; gain sum(a[left..left + k]); }",
    "state { left in 0..=n = n; } move take(k in 2..=left) { gain sum(a[left - k..left]) - k; left -= k; }",
    // the sum of all that are gone
    "state { m in 1..=max(n, 1) = 1; } move take(x in 2..=n - m + 1) { m += x - 1; gain sum(a[0..m]); }",
    // what is left over, and pay at the end
    "state { i in 0..=n = 0; } move take(k in 1..=n - i) when k <= 4 { i += k; gain sum(a[i..n]); } stuck => score 3;",
    // windows that grow with the place
    "state { i in 0..=n = 0; } move take(k in 1..=min(n - i, i + 1)) { gain sum(a[i..i + k]); i += k; }",
    // only to some places
    "state { i in 0..=n = 0; } move jump(k in 1..=n) when i + k <= n and 2 * k <= i + 3 { gain sum(a[0..i + k]) - i; i += k; }",
    // an end in the middle
    "state { i in 0..=n = 0; } end when i >= n - 2 => score i; end when i == 4 => score -5;
     move take(k in 1..=n - i) { gain k * 2 + sum(a[i..i + k]); i += k; }",
    // it starts in the middle, and some places are closed
    "state { i in 0..=n = min(2, n); } move take(k in 1..=n - i) when i % 4 != 3 { gain sum(a[i..i + k]); i += k; }",
    // the other player gets something, too
    "state { i in 0..=n = 0; } move take(k in 1..=min(n - i, 3)) { gain sum(a[i..i + k]) for opponent; gain k; i += k; }",
    "state { i in 0..=n = 0; m in 1..=max(n, 1) = 1; }
     move take(x in 1..=min(2 * m, n - i)) {
        gain sum(a[i..i + x]); gain x + i for opponent; i += x; m = max(m, x);
     }",
    // bounds that grow
    "state { i in 0..=n = 0; m in 1..=max(n, 1) = 1; }
     move take(x in 1..=min(2 * m, n - i)) { gain sum(a[i..i + x]); i += x; m = max(m, x); }",
    "state { i in 0..=n = 0; m in 0..=n + 3 = 2; }
     move take(x in 1..=min(n - i, m + 1)) { i += x; gain sum(a[0..i]); m = max(x, m); } stuck => score -1;",
    "state { i in 0..=n = 0; m in 0..=n + 3 = 1; }
     move take(x in 1..=min(n - i, 3 * m + 1, 6)) { gain sum(a[i..i + x]) + 1; i += x; if x > m { m = x; } }",
];

/// Not such games.
const NOT_AHEAD: &[&str] = &[
    "state { i in 0..=n = 0; } move take(k in 1..=n - i) { gain k * sum(a[i..i + k]); i += k; }",
    "state { i in 0..=n = 0; } move take(k in 1..=n - i) when k != 2 { gain sum(a[i..i + k]); i += k; }",
    "state { i in 0..=n = 0; } move take(k in 1..=n - i) { gain sum(a[i..i + k]); i += k; if k == 2 { again; } }",
    "state { i in 0..=n = 0; } move take(k in 1..=n - i) { gain if mover == first then k else a[i]; i += k; }",
    "state { i in 0..=n = 0; } move take(k in 1..=n - i) { gain (a[i] % 100) * (a[i + k - 1] % 100); i += k; }",
    "state { i in 0..=n = 0; m in 0..=n + 1 = 1; }
     move take(x in 1..=min(2 * m, n - i)) { gain sum(a[i..i + x]); i += x; m = max(m, x - 1); }",
    "state { i in 0..=n = 0; m in 0..=n + 1 = 1; }
     move take(x in 1..=min(2 * m, n - i)) { gain sum(a[i..i + x]) * m; i += x; m = max(m, x); }",
];

fn solved(text: &str, options: &Options) -> Result<Solution, SolveError> {
    answer(&bound(&program(text), "{}"), options, &mut Monitor::unlimited())
}

/// Compares with induction; tells whether the method applies.
fn agrees(text: &str, amount: Amount) -> bool {
    let window = match solved(text, &Options { check: Some(amount), ..by("window") }) {
        Ok(window) => window,
        Err(SolveError::NotApplicable(_)) => return false,
        Err(error) => panic!("{error}\n{text}"),
    };
    let plain = solved(text, &Options { engine: Engine::Interpreted, ..by("induction") });
    let plain = plain.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let said = |solution: &Solution| {
        let Solution { winner, outcome, value, scores, line, best_moves, kind, .. } = solution.clone();
        (winner, outcome, value, scores, line, best_moves, kind)
    };
    assert_eq!(said(&window), said(&plain), "{text}");
    true
}

fn numbers(random: &mut Random, most: usize) -> Vec<String> {
    let spread = [0, 1, 2, 5, 100, 1 << 40][random.below(6)];
    let length = random.below(most + 1);
    (0..length).map(|_| random.between(-spread, spread).to_string()).collect()
}

#[test]
fn games_that_go_forward() {
    with_room(|| {
        let mut random = Random::new(61);
        for rules in AHEAD {
            for _ in 0..60 {
                let list = numbers(&mut random, 12);
                let text = format!("game g() {{ let a = [{}]; let n = len(a);\n{rules}\n}}", list.join(", "));
                let why = || solved(&text, &by("window")).err();
                // With very few places rules say less.
                assert!(agrees(&text, Amount::Some(40)) || list.len() < 6, "not recognised: {:?}\n{text}", why());
            }
        }
    });
}

#[test]
fn long_lists_agree_with_compiled_search() {
    with_room(|| {
        let mut random = Random::new(62);
        for rules in AHEAD {
            let list: Vec<String> = (0..90).map(|_| random.between(-50, 50).to_string()).collect();
            let text = format!("game g() {{ let a = [{}]; let n = len(a);\n{rules}\n}}", list.join(", "));
            assert!(agrees(&text, Amount::Some(200)), "{text}");
            assert_eq!(solved(&text, &Options::default()).unwrap().method.name(), "window", "{text}");
        }
    });
}

#[test]
fn what_only_looks_like_it_is_not_taken_for_it() {
    with_room(|| {
        let mut random = Random::new(63);
        for rules in NOT_AHEAD {
            let mut refused = 0;
            for _ in 0..30 {
                let list = numbers(&mut random, 9);
                let text = format!("game g() {{ let a = [{}]; let n = len(a);\n{rules}\n}}", list.join(", "));
                refused += usize::from(!agrees(&text, Amount::Some(40)));
                let auto = solved(&text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let plain = solved(&text, &by("induction")).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!((auto.value, auto.best_moves), (plain.value, plain.best_moves), "{text}");
            }
            assert!(refused > 10, "{refused} refused\n{rules}");
        }
    });
}

/// Growing bounds in little memory: bounds are computed band by band, and the answer is the same.
#[test]
fn growing_bounds_in_any_memory() {
    with_room(|| {
        let mut random = Random::new(63);
        let items: Vec<String> = (0..4000).map(|_| random.between(-20, 100).to_string()).collect();
        let text = format!(
            "game g() {{ let a = [{}]; let n = len(a);
             state {{ i in 0..=n = 0; m in 1..=max(n, 1) = 1; }}
             move take(x in 1..=min(2 * m, n - i)) {{ gain sum(a[i..i + x]); i += x; m = max(m, x); }} }}",
            items.join(", ")
        );
        let bound = bound(&program(&text), "{}");
        let within = |memory: u64| {
            let limits = Limits { memory, time: None };
            answer(&bound, &by("window"), &mut Monitor::new(&limits))
        };
        let whole = within(1 << 30).unwrap();
        let mut cut = 0;
        for share in [98, 94, 90, 86] {
            let memory = whole.bytes * share / 100;
            let Ok(found) = within(memory) else { continue };
            cut += 1;
            assert!(found.bytes <= memory, "{} of {memory}", found.bytes);
            let said = |solution: &Solution| {
                let Solution { winner, value, scores, line, best_moves, .. } = solution.clone();
                (winner, value, scores, line, best_moves)
            };
            assert_eq!(said(&found), said(&whole), "{memory}");
        }
        assert!(cut >= 2, "{cut} of {}", whole.bytes);
    });
}
