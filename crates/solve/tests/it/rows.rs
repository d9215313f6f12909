//! Rows and stacks, written in many ways: what is recognised must be answered as plain induction answers it, to the last best
//! move; what only looks like a row must not be taken for one.

use crate::common::prelude::*;
use solve::answer::answer;
use testkit::Random;

use crate::common::{bound, program, with_room};

/// Ways to write one row of the list `a` of `n` numbers.
const ROWS: &[&str] = &[
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; }",
    // the last item included
    "state { i in 0..=n = 0; j in -1..n = n - 1; }
     move left when i <= j { gain a[i]; i += 1; } move right when j >= i { gain a[j]; j -= 1; }",
    // how many are gone from each end
    "state { l in 0..=n = 0; r in 0..=n = 0; }
     move front when l + r < n { gain a[l]; l += 1; } move back when n > l + r { gain a[n - 1 - r]; r += 1; }",
    // where it begins, and how many are left
    "state { at in 0..=n = 0; left in 0..=n = n; }
     move front when left > 0 { gain a[at]; at += 1; left -= 1; } move back when left > 0 { gain a[at + left - 1]; left -= 1; }",
    // the right end first
    "state { j in 0..=n = n; i in 0..=n = 0; }
     move right when i != j { j -= 1; gain a[j]; } move left when not (i >= j) { i += 1; gain a[i - 1]; }",
    // one rule with a choice
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move take(first_one in bool) when i < j {
        if first_one { gain a[i]; i += 1; } else { gain a[j - 1]; j -= 1; }
     }",
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move take(side in 0..2) when j - i >= 1 {
        gain if side == 0 then a[i] else a[j - 1];
        i += 1 - side; j -= side;
     }",
    // an `end` rule
    "state { i in 0..=n = 0; j in 0..=n = n; }
     end when i == j => score 0;
     move left { gain a[i]; i += 1; } move right { gain a[j - 1]; j -= 1; }",
    // a function, a local name, a gain in two pieces
    "fn worth(k: int) -> int { 2 * a[k] + 1 }
     state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { let w = worth(i); gain w; i += 1; }
     move right when i < j { gain a[j - 1]; gain a[j - 1] + 1; j -= 1; }",
    // numbers turned round, a factor, a constant
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain 3 - 2 * a[i]; i += 1; } move right when i < j { gain -2 * a[j - 1] + 3; j -= 1; }",
    // a second list, a third cell that counts the moves
    "let b = [a[k] * k - 2 for k in 0..n];
     state { i in 0..=n = 0; j in 0..=n = n; t in 0..=n = 0; }
     move left when t < n { gain a[i] + b[i]; i += 1; t += 1; }
     move right when t < n { gain a[j - 1] + b[j - 1]; j -= 1; t += 1; }",
    // the last item can only be taken from the left
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i + 1 < j { gain a[j - 1]; j -= 1; }",
    // steps of two
    "state { i in 0..=2 * n = 0; j in 0..=2 * n = 2 * n; }
     move left when i < j { gain a[i / 2]; i += 2; } move right when i < j { gain a[j / 2 - 1]; j -= 2; }",
    // squares, by a formula
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain (i * i) % 7 - 3; i += 1; }
     move right when i < j { gain ((j - 1) * (j - 1)) % 7 - 3; j -= 1; }",
    // a bonus for the last item
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i] + (if j - i == 1 then 5 else 0); i += 1; }
     move right when i < j { gain if j - i == 1 then a[j - 1] + 5 else a[j - 1]; j -= 1; }",
    // a bonus for the first move, and pay at the end
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { if j - i == n { gain 4; } gain a[i]; i += 1; }
     move right when i < j { gain a[j - 1] + (if j - i < n then 0 else 4); j -= 1; }
     stuck => score -3;",
    "state { i in 0..=n = 0; j in 0..=n = n; }
     end when i >= j => payoffs [4, 4];
     move left { gain a[i]; i += 1; } move right { gain a[j - 1]; j -= 1; }",
    // own totals, which add up to the same whatever is played
    "objective own; state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; }",
    // the item itself is chosen from a set of two, or from a list
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move take(at in {i, j - 1}) when i < j { gain a[at]; if at == i { i += 1; } else { j -= 1; } }",
    "state { i in 0..=n = 0; j in -1..n = n - 1; }
     move take(at in {j, i}) when i <= j { gain a[at]; if at == i { i += 1; } else { j -= 1; } }",
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move take(at in {i, j - 1}) when i < j { gain a[at]; if at == j - 1 { j -= 1; } else { i += 1; } }",
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move take(at in [i, j - 1]) when i < j { gain a[at]; if at == i { i += 1; } else { j -= 1; } }",
    // what is taken goes to the other player, or something does
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i] for opponent; i += 1; } move right when i < j { j -= 1; gain a[j] for opponent; }",
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; gain 3 * a[i] + 1 for opponent; i += 1; }
     move right when i < j { j -= 1; gain a[j]; gain 3 * a[j] for opponent; gain 1 for opponent; } stuck => score 2;",
    // one end only
    "state { i in 0..=n = 0; } move take when i < n { gain a[i]; i += 1; }",
    "state { j in 0..=n = n; } move take when j > 0 { j -= 1; gain a[j]; }",
    "state { i in 0..=n = 0; } move take when i < n { gain a[i] + (if i == n - 1 then 3 else 0); i += 1; }",
];

/// Ways to write sums of rows and stacks of the lists `lists`.
const SUMS: &[&str] = &[
    "sum of row(k in 0..=m, i in 0..=most, j in 0..=most) from [[k, 0, len(lists[k])] for k in 0..m];
     move left when i < j { gain lists[k][i]; i += 1; } move right when i < j { gain lists[k][j - 1]; j -= 1; }",
    "sum of stack(k in 0..=m, top in 0..=most) from [[k, len(lists[k])] for k in 0..m];
     move take when top > 0 { top -= 1; gain lists[k][top]; }",
    "sum of stack(k in 0..=m, gone in 0..=most) from [[k, 0] for k in 0..m];
     move take when gone < len(lists[k]) { gain lists[k][gone] + 1; gone += 1; }",
    "sum of some(k in 0..=m, i in 0..=most, j in 0..=most) from [[k, 0, len(lists[k])] for k in 0..m];
     move left when i < j and k % 2 == 0 { gain lists[k][i]; i += 1; }
     move right when i < j { gain lists[k][j - 1]; j -= 1; }",
    "sum of some(k in 0..=m, i in 0..=most, j in 0..=most) from [[k, 0, len(lists[k])] for k in 0..m];
     move take(side in 0..=1) when i < j and (side == 1 or k >= 1) {
        if side == 0 { gain lists[k][i]; i += 1; } else { gain lists[k][j - 1]; j -= 1; }
     }",
    // several index pairs in one position
    "let a = if m > 0 then lists[0] else []; let b = if m > 1 then lists[1] else [];
     state { i in 0..=len(a) = 0; j in 0..=len(a) = len(a); p in 0..=len(b) = 0; q in 0..=len(b) = len(b); }
     move a_left when i < j { gain a[i]; i += 1; } move b_left when p < q { gain b[p]; p += 1; }
     move a_right when i < j { gain a[j - 1]; j -= 1; } move b_right when p < q { gain b[q - 1]; q -= 1; }",
    // stacks in an array
    "state { top in [0..=most; m] = [len(list) for list in lists]; }
     move take(k in 0..m) when top[k] > 0 { top[k] -= 1; gain lists[k][top[k]]; }",
    // rows in two arrays
    "state { low in [0..=most; m] = [0; m]; high in [0..=most; m] = [len(list) for list in lists]; }
     move left(k in 0..m) when low[k] < high[k] { gain lists[k][low[k]]; low[k] += 1; }
     move right(k in 0..m) when low[k] < high[k] { gain lists[k][high[k] - 1]; high[k] -= 1; }
     stuck => score 2;",
];

/// Rows whose gains depend on both ends: a sum of what each contributes.
const INTERVALS: &[&str] = &[
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; gain sum(a[i..j]) for opponent; }
     move right when i < j { j -= 1; gain a[j] + i for opponent; }",
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { i += 1; gain sum(a[i..j]); } move right when i < j { j -= 1; gain sum(a[i..j]); }",
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move right when i < j { gain a[j - 1] - 2 * a[i]; j -= 1; } move left when i < j { gain a[i] + j; i += 1; }
     stuck => score 7;",
    "state { i in 0..=n = 0; j in -1..n = n - 1; }
     move left when i <= j { gain a[i] + 1; i += 1; } move right when i <= j { gain a[j]; j -= 1; }",
    "let b = reverse(a); state { l in 0..=n = 0; r in 0..=n = 0; } end when l + r == n => score -2;
     move left { gain a[l] * 2 - b[r] + (if l + r == 1 then 3 else 0); l += 1; }
     move right { gain b[l] + b[r] % 5 + (if l + r == 1 then 3 else 0); r += 1; }",
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move take(side in 0..2) when i < j {
        gain if side == 0 then max(a[i], 1) else sum(a[0..j]);
        i += 1 - side; j -= side;
     }",
];

/// Not rows, though they look like it.
const NOT_ROWS: &[&str] = &[
    // what remains
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { i += 1; gain sum(a[i..j]); } move right when i < j { j -= 1; gain sum(a[i..j]); }",
    // two at a time
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; }
     move two when i + 1 < j { gain a[i] + a[i + 1]; i += 2; }",
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left(k in 1..=min(2, j - i)) { gain sum(a[i..i + k]); i += k; } move right when i < j { gain a[j - 1]; j -= 1; }",
    // by player
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain if mover == first then a[i] else 1; i += 1; }
     move right when i < j { gain if mover == first then a[j - 1] else 1; j -= 1; }",
    // a player moves again
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; if j == 2 { again; } }",
    // worth more from the left
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i] + 1; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; }",
    // a bonus at one end only
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i] + (if j - i == 1 then 5 else 0); i += 1; }
     move right when i < j { gain a[j - 1]; j -= 1; }",
    // the right end is closed in the middle
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j and j > 2 { gain a[j - 1]; j -= 1; }",
    // it ends before the last items
    "state { i in 0..=n = 0; j in 0..=n = n; } end when j - i <= 2 => score i;
     move left { gain a[i]; i += 1; } move right { gain a[j - 1]; j -= 1; }",
    // the winner takes what is left over
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; } stuck => score i;",
    // gains for the other one
    // the neighbours count
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i] * (j - i); i += 1; } move right when i < j { gain a[j - 1] * (j - i); j -= 1; }",
    // the far end jumps
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j = max(i, j - 2); }",
    // passing
    "state { i in 0..=n = 0; j in 0..=n = n; passes in 0..=2 = 2; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; }
     move pass when passes > 0 and i < j { passes -= 1; }",
];

fn solved(text: &str, options: &Options) -> Result<Solution, SolveError> {
    answer(&bound(&program(text), "{}"), options, &mut Monitor::unlimited())
}

/// Compares the method of rows with induction on one file, at every position; tells whether it applies.
fn agrees(text: &str) -> bool {
    let recognised = agrees_by(text, "row");
    if recognised {
        let proof = solved(text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}")).proof;
        assert!(matches!(proof, Proof::Theorem(_)), "{proof}");
    }
    recognised
}

fn agrees_by(text: &str, method: &str) -> bool {
    let row = match solved(text, &Options { check: Some(Amount::All), ..by(method) }) {
        Ok(row) => row,
        Err(SolveError::NotApplicable(_)) => return false,
        Err(error) => panic!("{error}\n{text}"),
    };
    let plain = solved(text, &Options { engine: Engine::Interpreted, ..by("induction") });
    let plain = plain.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let said = |solution: &Solution| {
        let Solution { winner, outcome, value, scores, payoffs, unique, best_moves, kind, .. } = solution.clone();
        // Where the total depends on the play, so does what a line of it scores.
        let scores = scores.filter(|_| method == "row");
        (winner, outcome, value, scores, payoffs, unique, best_moves, kind)
    };
    assert_eq!(said(&row), said(&plain), "{text}");
    true
}

fn numbers(random: &mut Random, most: usize) -> String {
    let spread = [0, 1, 2, 5, 100, 1 << 40][random.below(6)];
    let length = random.below(most + 1);
    let items: Vec<String> = (0..length).map(|_| random.between(-spread, spread).to_string()).collect();
    format!("[{}]", items.join(", "))
}

#[test]
fn rows_in_many_spellings() {
    with_room(|| {
        let mut random = Random::new(51);
        for rules in ROWS {
            for _ in 0..60 {
                let list = numbers(&mut random, 9);
                let text = format!("game g() {{ let a = {list}; let n = len(a);\n{rules}\n}}");
                let why = || solved(&text, &by("row")).err();
                // Of very short lists more is known than how they are read.
                assert!(agrees(&text) || list.matches(',').count() < 3, "not recognised: {:?}\n{text}", why());
            }
        }
    });
}

#[test]
fn sums_of_rows_and_stacks() {
    with_room(|| {
        let mut random = Random::new(52);
        for rules in SUMS {
            for _ in 0..60 {
                let lists: Vec<String> = (0..random.below(4)).map(|_| numbers(&mut random, 4)).collect();
                let text = format!(
                    "game g(lists: [[int]] = [{}]) {{ let m = len(lists); let most = max([len(l) for l in lists], 0);\n\
                     {rules}\n}}",
                    lists.join(", ")
                );
                let recognised = agrees(&text);
                assert!(
                    recognised || lists.iter().all(|list| list == "[]"),
                    "not recognised: {:?}\n{text}",
                    solved(&text, &by("row")).err()
                );
            }
        }
    });
}

#[test]
fn triangles() {
    with_room(|| {
        let mut random = Random::new(54);
        for (number, rules) in ROWS.iter().chain(INTERVALS).enumerate() {
            let mut recognised = 0;
            for _ in 0..40 {
                let list = numbers(&mut random, 9);
                let text = format!("game g() {{ let a = {list}; let n = len(a);\n{rules}\n}}");
                let by_triangle = agrees_by(&text, "triangle");
                recognised += usize::from(by_triangle);
                let short = list.matches(',').count() < 3;
                let wanted = number >= ROWS.len();
                assert!(by_triangle || short || !wanted, "{:?}\n{text}", solved(&text, &by("triangle")).err());
                if wanted && !short {
                    // Some lists, of zeros say, make rows of them.
                    let method = solved(&text, &Options::default()).unwrap().method;
                    assert!(["row", "triangle"].contains(&method.name()), "{method}\n{text}");
                }
            }
            // One end only, the last item from one end only, own totals: not for triangles.
            assert!(recognised > 10 || number < ROWS.len(), "{rules}");
        }
    });
}

#[test]
fn long_triangles_agree_with_compiled_tables() {
    with_room(|| {
        let mut random = Random::new(55);
        for (number, rules) in INTERVALS.iter().chain(&ROWS[..2]).enumerate() {
            let spread = [3, 1000, 1 << 20, 1 << 40][number % 4];
            let items: Vec<String> = (0..300 + number).map(|_| random.between(-spread, spread).to_string()).collect();
            let text = format!("game g() {{ let a = [{}]; let n = len(a);\n{rules}\n}}", items.join(", "));
            // A table of all codes is no way where rules go wrong at some that play does not reach.
            let fill = match solved(&text, &by("fill")) {
                Err(SolveError::NotApplicable(why)) if why.contains("the rules go wrong") => {
                    solved(&text, &by("search"))
                }
                result => result,
            };
            let fill = fill.unwrap_or_else(|error| panic!("{error}"));
            for threads in [1, 2] {
                let options = Options { threads, check: Some(Amount::Some(300)), ..by("triangle") };
                let triangle = solved(&text, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!((triangle.value, &triangle.best_moves), (fill.value, &fill.best_moves));
            }
        }
    });
}

#[test]
fn what_only_looks_like_a_row_is_not_taken_for_one() {
    with_room(|| {
        let mut random = Random::new(53);
        for rules in NOT_ROWS {
            let mut refused = 0;
            for _ in 0..40 {
                let list = numbers(&mut random, 7);
                let text = format!("game g() {{ let a = {list}; let n = len(a);\n{rules}\n}}");
                // Short lists can be rows after all; then the answer must be right.
                refused += usize::from(!agrees(&text));
                let auto = solved(&text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let plain = solved(&text, &by("induction")).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!((auto.value, auto.payoffs, auto.best_moves), (plain.value, plain.payoffs, plain.best_moves));
            }
            assert!(refused > 12, "{refused} refused\n{rules}");
        }
    });
}

/// The difference for the mover of rows with so much left, by plain recursion with wide numbers.
fn plainly(lists: &[Vec<i64>], stacks: usize) -> i128 {
    let mut best: Option<i128> = None;
    for (k, list) in lists.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
        let last = list.len() - 1;
        // The last `stacks` lists are open at their end only.
        let places = if k + stacks < lists.len() && last > 0 { vec![0, last] } else { vec![last] };
        for place in places {
            let mut rest = lists.to_vec();
            let gain = i128::from(rest[k].remove(place));
            let worth = gain - plainly(&rest, stacks);
            best = Some(best.map_or(worth, |best| best.max(worth)));
        }
    }
    best.unwrap_or(0)
}

#[test]
fn numbers_at_the_limits() {
    with_room(|| {
        let mut random = Random::new(56);
        let (mut answered, mut refused) = (0, 0);
        for _ in 0..1500 {
            let ends = [1i64 << 62, -(1 << 62), i64::MAX, i64::MIN + 1, (1 << 61) + 7, 0, 1, -1];
            let mut list =
                |most: usize| -> Vec<i64> { (0..random.below(most + 1)).map(|_| *random.pick(&ends)).collect() };
            let lists = vec![list(4), list(2), list(3)];
            if lists.iter().all(Vec::is_empty) {
                continue;
            }
            let value = plainly(&lists, 1);
            let total: i128 = lists.iter().flatten().map(|item| i128::from(*item)).sum();
            let fit = |number: i128| i64::try_from(number).is_ok();
            let fits = fit(value) && fit((total + value) / 2) && fit((total - value) / 2);
            let text = |list: &[i64]| {
                let items: Vec<String> = list.iter().map(i64::to_string).collect();
                format!("[{}]", items.join(", "))
            };
            let instance =
                format!("{{\"rows\": [{}, {}], \"stacks\": [{}]}}", text(&lists[0]), text(&lists[1]), text(&lists[2]));
            let rules = testkit::files::gallery_text("rows_and_stacks");
            let game = bound(&program(&rules), &instance);
            match answer(&game, &by("row"), &mut Monitor::unlimited()) {
                Ok(solution) => {
                    assert!(fits, "{instance}");
                    assert_eq!(solution.value.map(i128::from), Some(value), "{instance}");
                    answered += 1;
                }
                Err(error) => {
                    assert!(!fits && error.to_string().contains("overflow"), "{error}\n{instance}");
                    refused += 1;
                }
            }
        }
        assert!(answered > 300 && refused > 300, "{answered} answered, {refused} refused");
    });
}

#[test]
fn triangles_in_any_memory() {
    with_room(|| {
        let mut random = Random::new(57);
        for rules in [INTERVALS[0], ROWS[0]] {
            let items: Vec<String> = (0..1500).map(|_| random.between(-1000, 1000).to_string()).collect();
            let text = format!("game g() {{ let a = [{}]; let n = len(a);\n{rules}\n}}", items.join(", "));
            let game = bound(&program(&text), "{}");
            let within = |memory: u64| {
                let limits = Limits { memory, time: None };
                let options = Options { check: Some(Amount::Some(20)), ..by("triangle") };
                answer(&game, &options, &mut Monitor::new(&limits))
            };
            let whole = within(1 << 30).unwrap();
            let mut sizes = vec![whole.bytes];
            let mut memory = whole.bytes;
            loop {
                memory -= memory / 20;
                match within(memory) {
                    Ok(solution) => {
                        assert!(solution.bytes <= memory);
                        assert_eq!((solution.value, &solution.best_moves), (whole.value, &whole.best_moves));
                        // The total of a row is known without a line; other totals need the moves.
                        let told = solution.scores.is_some() || solution.line_cut && rules == INTERVALS[0];
                        assert!(told && (solution.scores.is_none() || solution.scores == whole.scores));
                        sizes.push(solution.bytes);
                    }
                    Err(error) => break assert!(error.is_limit(), "{error}"),
                }
            }
            sizes.sort_unstable();
            sizes.dedup();
            assert_eq!(sizes.len(), 3, "the table, one bit an interval, the values: {sizes:?}");
        }
    });
}
