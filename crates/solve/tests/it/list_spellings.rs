//! More ways to write games on lists, and more that only look like them: each is answered as plain induction answers it.

use crate::common::prelude::*;
use solve::answer::answer;
use testkit::Random;

use crate::common::{bound, program, with_room};

/// Ends that close and open again: not rows, whatever the length of the list `a` of `n` numbers.
const DOORS: &[&str] = &[
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j and (j - i) % 2 == 0 { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; }",
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j and (j - i) % 3 == 1 { gain a[j - 1]; j -= 1; }",
    "state { l in 0..=n = 0; r in 0..=n = 0; }
     move left when l + r < n and l + r != 1 { gain a[l]; l += 1; } move right when l + r < n { gain a[n - 1 - r]; r += 1; }",
    "state { at in 0..=n = 0; left in 0..=n = n; } objective own;
     move front when left > 0 and left < 4 { gain a[at]; at += 1; left -= 1; }
     move back when left > 0 { gain a[at + left - 1]; left -= 1; }",
];

/// Several rows, the list `a` cut in two at `cut`.
const SUMS: &[&str] = &[
    "sum of row(i in 0..=n, j in 0..=n) from [[0, cut], [cut, n]];
     move left when i < j { gain a[i]; split (i + 1, j); } move right when i < j { gain a[j - 1]; split (i, j - 1); }",
    "sum of stack(i in 0..=n, low in 0..=n) from [[cut, 0], [n, cut]];
     move take when i > low { gain a[i - 1]; split (i - 1, low); }",
    // an `end` rule where nothing is left anyway
    "state { i in [0..=n; 2] = [0, cut]; j in [0..=n; 2] = [cut, n]; } end when all(i[k] == j[k] for k in 0..2) => score 4;
     move left(k in 0..2) when i[k] < j[k] { gain a[i[k]]; i[k] += 1; }
     move right(k in 0..2) when i[k] < j[k] { gain a[j[k] - 1]; j[k] -= 1; }",
    "state { h in 0..=n = cut; i in 0..=n = cut; j in 0..=n = n; } end when h <= 0 and j - i < 1 => payoffs [1, 1];
     move pop when h > 0 { gain a[h - 1]; h -= 1; } stuck => score 100;
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; }",
    "state { h in 0..=n = cut; i in 0..=n = cut; } end when h == 0 and i == n and n < 0 => score 9; stuck => score -2;
     move pop when h > 0 { gain a[h - 1]; h -= 1; } move front when i < n { gain a[i]; i += 1; }",
];

/// Two lists of which one may end the game.
const ONE_ENDS: &[&str] = &[
    "state { i in [0..=n; 2] = [0, cut]; j in [0..=n; 2] = [cut, n]; } end when any(i[k] == j[k] for k in 0..2) => score 4;
     move left(k in 0..2) when i[k] < j[k] { gain a[i[k]]; i[k] += 1; }
     move right(k in 0..2) when i[k] < j[k] { gain a[j[k] - 1]; j[k] -= 1; }",
    "state { h in 0..=n = cut; i in 0..=n = cut; } end when h == 0 => score 1;
     move pop when h > 0 { gain a[h - 1]; h -= 1; } move front when i < n { gain a[i]; i += 1; }",
    "state { h in 0..=n = cut; i in 0..=n = cut; } end when h == 0 and i >= n - 1 => score 1;
     move pop when h > 0 { gain a[h - 1]; h -= 1; } move front when i < n { gain a[i]; i += 1; }",
    "state { i in 0..=n = 0; j in 0..=n = cut; h in 0..=n = cut; } end when i == j and h == n and i > 0 => score i;
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; }
     move front when h < n { gain a[h]; h += 1; }",
];

/// Games that go forward through the list.
const AHEAD: &[&str] = &[
    // to a place
    "state { i in 0..=n = 0; } move to(k in i + 1..=n) { gain sum(a[0..k]); i = k; }",
    "state { i in 0..=n = 0; } move to(k in i + 1..=min(i + 3, n)) { gain sum(a[i..k]); i = k; }",
    "state { i in 0..=n = 0; } move to(k in i + 1..=n) when k - i <= 3 { gain sum(a[i..k]); i = k; } stuck => score 2;",
    "state { i in 0..=n + 1 = 1; } move to(k in i..=n) { gain sum(a[i - 1..k]) - k; i = k + 1; }",
    // bounds that grow, with conditions
    "state { i in 0..=n = 0; m in 1..=n + 1 = 1; }
     move take(x in 1..=2 * m) when i + x <= n { gain sum(a[i..i + x]); i += x; m = max(m, x); }",
    "state { i in 0..=n = 0; m in 1..=n + 1 = 1; }
     move take(x in 1..=n - i) when x <= 2 * m { gain sum(a[i..i + x]); i += x; m = max(m, x); }",
    "state { i in 0..=n = 0; m in 1..=n + 1 = 1; } end when i == n => score 3;
     move take(x in 1..=min(2 * m, n - i)) { gain sum(a[i..i + x]); i += x; m = max(m, x); }",
    "state { left in 0..=n = n; m in 1..=n + 1 = 1; } end when left == 0 => score 0;
     move take(x in 1..=m + 1) when left > 0 and x <= left and x < 5 { gain sum(a[n - left..n - left + x]); left -= x; m = max(m, x); }",
];

/// Ways to write games in which larger numbers lead less far, so that the line of play may be another one.
const BACKWARDS: &[&str] = &[
    "state { left in 0..=n = n; } move leave(k in 0..left) { gain sum(a[0..left]); left = k; }",
    "state { left in 0..=n = n; } move leave(k in max(0, left - 3)..=left - 1) { gain sum(a[k..left]); left = k; }",
];

/// Not such games.
const NOT_AHEAD: &[&str] = &[
    "state { i in 0..=n = 0; m in 1..=n + 1 = 1; }
     move take(x in 1..=min(2 * m, n - i)) when x % 2 == 1 { gain sum(a[i..i + x]); i += x; m = max(m, x); }",
    "state { i in 0..=n = 0; m in 1..=n + 1 = 1; }
     move take(x in 1..=min(2 * m, n - i)) when i != 2 { gain sum(a[i..i + x]); i += x; m = max(m, x); }",
    "state { i in 0..=n = 0; m in 1..=n + 1 = 1; } end when i == 3 => score 1;
     move take(x in 1..=min(2 * m, n - i)) { gain sum(a[i..i + x]); i += x; m = max(m, x); }",
    "state { i in 0..=n = 0; m in 1..=n + 1 = 1; }
     move take(x in 1..=min(2 * m, n - i)) when 2 * x <= i + 3 { gain sum(a[i..i + x]); i += x; m = max(m, x); }",
    "state { i in 0..=n = 0; } move to(k in i + 1..=n) when k % 3 != 1 { gain sum(a[0..k]); i = k; }",
];

fn solved(text: &str, options: &Options) -> Result<Solution, SolveError> {
    answer(&bound(&program(text), "{}"), options, &mut Monitor::unlimited())
}

/// What the plain method says, and what is asked of the others.
fn said(solution: Solution, line: bool) -> String {
    let Solution { winner, outcome, value, payoffs, best_moves, scores, line: moves, .. } = solution;
    let along = line.then_some((scores, moves));
    format!("{winner:?} {outcome:?} {value:?} {payoffs:?} {best_moves:?} {along:?}")
}

/// Compares a method, or the one that is chosen, with induction; tells whether it applies.
fn agrees(text: &str, options: Options, line: bool) -> bool {
    let found = match solved(text, &Options { check: Some(Amount::All), ..options }) {
        Ok(found) => found,
        Err(SolveError::NotApplicable(_)) => return false,
        Err(error) => panic!("{error}\n{text}"),
    };
    let plain = solved(text, &Options { engine: Engine::Interpreted, ..by("induction") });
    let plain = plain.unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(said(found, line), said(plain, line), "{text}");
    true
}

fn game(random: &mut Random, rules: &str, length: usize) -> String {
    let spread = [1, 2, 5, 100, 1 << 40][random.below(5)];
    let items: Vec<String> = (0..length).map(|_| random.between(-spread, spread).to_string()).collect();
    let cut = random.below(length + 1);
    format!("game g() {{ let a = [{}]; let n = len(a); let cut = {cut};\n{rules}\n}}", items.join(", "))
}

#[test]
fn an_end_that_opens_again_makes_no_row() {
    with_room(|| {
        let mut random = Random::new(91);
        for rules in DOORS {
            for length in 0..10 {
                for _ in 0..4 {
                    let text = game(&mut random, rules, length);
                    assert!(agrees(&text, Options::default(), false));
                    let taken = agrees(&text, by("row"), false) || agrees(&text, by("triangle"), false);
                    assert!(!taken || length < 5, "taken for a row\n{text}");
                }
            }
        }
    });
}

#[test]
fn sums_written_with_split_or_with_an_end() {
    with_room(|| {
        let mut random = Random::new(92);
        for rules in SUMS {
            for round in 0..40 {
                let length = 1 + round % 7;
                let text = game(&mut random, rules, length);
                let why = || solved(&text, &by("row")).err();
                // Of very short lists more is known than how they are read.
                assert!(agrees(&text, by("row"), false) || length < 3, "{:?}\n{text}", why());
            }
        }
    });
}

#[test]
fn a_rule_that_ends_the_game_early_makes_no_rows() {
    with_room(|| {
        let mut random = Random::new(96);
        for rules in ONE_ENDS {
            let mut refused = 0;
            for round in 0..60 {
                let text = game(&mut random, rules, 2 + round % 6);
                refused += usize::from(!agrees(&text, by("row"), false));
                assert!(agrees(&text, Options::default(), false));
            }
            assert!(refused > 20, "{refused} refused\n{rules}");
        }
    });
}

#[test]
fn forward_by_place_or_with_conditions_on_a_bound() {
    with_room(|| {
        let mut random = Random::new(93);
        for (rules, line) in AHEAD.iter().map(|rules| (rules, true)).chain(BACKWARDS.iter().map(|rules| (rules, false)))
        {
            for round in 0..40 {
                let length = round % 13;
                let text = game(&mut random, rules, length);
                let why = || solved(&text, &by("window")).err();
                assert!(agrees(&text, by("window"), line) || length < 6, "not recognised: {:?}\n{text}", why());
            }
        }
    });
}

#[test]
fn conditions_that_are_none_of_a_bound() {
    with_room(|| {
        let mut random = Random::new(94);
        for rules in NOT_AHEAD {
            for round in 0..20 {
                let length = 5 + round % 6;
                let text = game(&mut random, rules, length);
                assert!(!agrees(&text, by("window"), true), "{text}");
                assert!(agrees(&text, Options::default(), true), "{text}");
            }
        }
    });
}

#[test]
fn a_long_line_through_a_list_with_very_many_moves() {
    with_room(|| {
        let mut random = Random::new(95);
        let items: Vec<String> = (0..30_000).map(|_| random.between(-1000, 1000).to_string()).collect();
        let text = format!(
            "game g() {{ let a = [{}]; let n = len(a); state {{ i in 0..=n = 0; }}
             move to(k in i + 1..=n) {{ gain sum(a[0..k]); i = k; }} }}",
            items.join(", ")
        );
        let window = solved(&text, &by("window")).unwrap_or_else(|error| panic!("{error}"));
        assert!(window.best_moves.is_some_and(|moves| !moves.is_empty()));
    });
}
