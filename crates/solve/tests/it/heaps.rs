//! Rules of heaps, written in many ways: what is recognised must be answered as plain induction answers it, to the last
//! best move; what only looks like heaps must not be taken for them.

use crate::common::prelude::*;
use game::LoopyNimber;
use rules::named;
use solve::answer::answer;
use solve::answer::listed::ListedMoves;
use testkit::Random;

use crate::common::{bound, program, with_room};

/// Rules of one heap `n` that only take.
fn shift(random: &mut Random, number: usize) -> String {
    let (low, high) = (random.between(1, 4), random.between(1, 6));
    let (floor, more) = (random.between(0, 3), random.between(0, 3));
    let name = format!("m{number}");
    match random.below(12) {
        0 => format!("move {name}(k in [{low}, {high}, 3]) when k <= n {{ n -= k; }}"),
        1 => format!("move {name} when n >= {} {{ n -= {low}; }}", low + more),
        2 => format!("move {name}(k in {low}..={high}) when n - k >= {floor} {{ n -= k; }}"),
        3 => format!("move {name}(k in {low}..=min(n, {high})) {{ n = n - k; }}"),
        4 => format!("move {name}(left in {floor}..n) {{ n = left; }}"),
        5 => format!("move {name}(k in 1..=n) when k != {high} {{ n -= k; }}"),
        6 => format!("move {name}(k in 1..={high}) when k <= n and (k % 2 == 1 or k == 4) {{ n -= k; }}"),
        7 => format!("move {name}(k in {low}..=n) when n > {more} {{ n -= k; }}"),
        8 => format!("move {name}(left in max(0, n - {high})..=n - {low}) {{ n = left; }}"),
        9 => format!("move {name}(k in 1..=3) when 2 * k <= n {{ n -= 2 * k; }}"),
        10 => format!("move {name}(twice in bool) when n >= 4 {{ if twice {{ n -= 4; }} else {{ n -= {low}; }} }}"),
        _ => format!("move {name}(k in 1..=n / {low}) {{ n -= {low} * k; }}"),
    }
}

/// Rules of one heap `n` of a sum that may break it up.
fn breaks(random: &mut Random, number: usize) -> String {
    let (taken, least) = (random.between(0, 3), random.between(0, 2));
    let name = format!("m{number}");
    match random.below(15) {
        0 => format!("move {name}(k in 1..={}, left in 0..=n - k) {{ split (left), (n - k - left); }}", taken + 1),
        1 => format!("move {name}(left in 1..=(n - 1) / 2) {{ split (left), (n - left); }}"),
        2 => format!("move {name}(left in 1..n) when left != n - left {{ split (left), (n - left); }}"),
        3 => format!("move {name}(left in 1..n) when 2 * left < n {{ split [[left], [n - left]]; }}"),
        4 => format!("move {name}(at in 0..n) {{ split (max(at - 1, 0)), (max(n - at - {}, 0)); }}", taken + 1),
        5 => format!("move {name} when n == {} {{ split; }}", taken + 1),
        6 => format!("move {name} when n >= {} {{ split (n - {}); }}", taken + 1 + least, taken + 1),
        7 => format!(
            "move {name}(a in {least}..=n, b in {least}..=n - a) when n - a - b >= {} {{ split (a), (b), (n - a - b - {}); }}",
            taken + 1 + least,
            taken + 1
        ),
        8 => format!("move {name}(a in 1..n, b in a + 1..n) when n - a - b > b {{ split (a), (b), (n - a - b); }}"),
        9 => format!(
            "move {name}(left in {least}..=n - {}) {{ split (left), (n - left - {}); }}",
            taken + 1 + least,
            taken + 1
        ),
        10 => format!("move {name}(a in 2..=n - 2) when abs(n - 2 * a) >= 2 {{ split (a), (n - a); }}"),
        11 => format!("move {name}(a in 1..=n / 2) when n - 2 * a <= 3 {{ split (a), (n - a); }}"),
        12 => format!("move {name} {{ split; }}"),
        13 => format!("move {name}(k in 1..=n, left in 1..=n - k - 1) {{ split (left), (n - k - left); }}"),
        _ => shift(random, number),
    }
}

/// Rules that no heap game has.
fn lookalike(random: &mut Random) -> String {
    let texts = [
        "move m0(k in 1..=n) when n % k == 0 and k < n { n -= k; }",
        "move m0(k in 1..=n / 2) { n -= k; }",
        "move m0(k in 1..=3) when k <= n and (n <= 10 or n >= 14) { n -= k; }",
        "move m0(k in 1..=n) when gcd(k, n) == 1 { n -= k; }",
        "move m0 when n > 0 { n = n / 2; }",
        "move m0(k in 1..=2) when k <= n and n % 3 != 0 { n -= k; }",
        "move m0(k in 1..=isqrt(n)) { n -= k; }",
    ];
    random.pick(&texts).to_string()
}

fn solved(text: &str, options: &Options) -> Result<Solution, SolveError> {
    answer(&bound(&program(text), "{}"), options, &mut Monitor::unlimited())
}

#[derive(Debug, Default)]
struct Tally {
    recognised: usize,
    not: usize,
}

/// Compares the heap method with induction on one file.
fn agrees(text: &str, tally: &mut Tally) {
    let heap = solved(text, &Options { method: Some(method("heap")), ..Options::default() });
    let plain = solved(text, &Options { engine: Engine::Interpreted, ..Options::default() });
    let heap = match heap {
        Ok(heap) => heap,
        Err(SolveError::NotApplicable(_)) => return tally.not += 1,
        Err(error) => panic!("{error}\n{text}"),
    };
    tally.recognised += 1;
    let plain = plain.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let said = |solution: &Solution| {
        let Solution { winner, outcome, nimber, remoteness, best_moves, fast_moves, kind, .. } = solution.clone();
        (winner, outcome, nimber, remoteness, best_moves, fast_moves, kind)
    };
    assert_eq!(said(&heap), said(&plain), "{text}");
}

#[test]
fn heaps_that_shift() {
    with_room(|| {
        let mut random = Random::new(41);
        let mut tally = Tally::default();
        for _ in 0..1500 {
            let count = 1 + random.below(3);
            let rules: Vec<String> = (0..count).map(|number| shift(&mut random, number)).collect();
            let heap = random.below(24);
            let misere = if random.below(3) == 0 { "stuck => win;" } else { "" };
            let text = format!("game g() {{ state {{ n in 0..=30 = {heap}; }}\n{}\n{misere} }}", rules.join("\n"));
            agrees(&text, &mut tally);
        }
        assert!(tally.recognised > 1200, "{tally:?}");
    });
}

#[test]
fn heaps_that_break() {
    with_room(|| {
        let mut random = Random::new(42);
        let mut tally = Tally::default();
        for _ in 0..1500 {
            let count = 1 + random.below(3);
            let rules: Vec<String> = (0..count).map(|number| breaks(&mut random, number)).collect();
            let heaps: Vec<String> = (0..1 + random.below(3)).map(|_| random.below(16).to_string()).collect();
            let text =
                format!("game g() {{ sum of heap(n in 0..=30) from [{}];\n{}\n}}", heaps.join(", "), rules.join("\n"));
            agrees(&text, &mut tally);
        }
        assert!(tally.recognised > 600, "{tally:?}");
    });
}

#[test]
fn what_only_looks_like_heaps_is_not_taken_for_them() {
    with_room(|| {
        let mut random = Random::new(43);
        let mut tally = Tally::default();
        for _ in 0..100 {
            let text = format!(
                "game g() {{ state {{ n in 0..=30 = {}; }}\n{}\n}}",
                15 + random.below(9),
                lookalike(&mut random)
            );
            agrees(&text, &mut tally);
        }
        assert_eq!(tally.recognised, 0);
    });
}

/// The answer of a game of the gallery.
fn of_gallery(name: &str, instance: &str) -> Result<Solution, SolveError> {
    let text = testkit::files::gallery_text(name);
    answer(&bound(&program(&text), instance), &Options::default(), &mut Monitor::unlimited())
}

#[test]
fn heaps_as_large_as_numbers_go() {
    let huge = i64::MAX as u64;
    let nim = of_gallery("nim", &format!("{{\"piles\": [{huge}, 5]}}")).unwrap();
    assert_eq!((nim.nimber, best(&nim)), (Some(huge ^ 5), vec![&*format!("take({}) in part 0", huge - 5)]));
    let stones = of_gallery("stones", r#"{"n": 1000000000000000000, "moves": [1, 3, 4]}"#).unwrap();
    assert_eq!((stones.nimber, best(&stones)), (Some(1), vec!["take(1)"]));
    assert!(stones.proof.to_string().ends_with("period 7 from heap 0 on"), "{}", stones.proof);
    assert!(stones.line_cut);
    let kayles = of_gallery("kayles", &format!("{{\"rows\": [{huge}, 1]}}")).unwrap();
    assert!(kayles.nimber != Some(0) && kayles.best_moves.is_some_and(|moves| !moves.is_empty()));
    for moves in ["[]", "[9223372036854775807]", "[9223372036854775806, 9223372036854775807]", "[1]"] {
        let solved = of_gallery("stones", &format!("{{\"n\": {huge}, \"moves\": {moves}}}")).unwrap();
        let won = moves != "[]";
        assert_eq!(solved.winner, Some(if won { FIRST } else { SECOND }), "{moves}");
    }
}

#[test]
fn what_is_not_proved_is_not_answered() {
    let text = testkit::files::gallery_text("stones");
    let bound = bound(&program(&text), r#"{"n": 1000000000000000000, "moves": [7, 1000000000000]}"#);
    let limits = Limits { memory: 1 << 24, time: None };
    let error = answer(&bound, &Options::default(), &mut Monitor::new(&limits)).unwrap_err();
    assert!(error.is_limit(), "{error}");
    assert!(error.to_string().contains("heaps") || error.to_string().contains("memory"), "{error}");
}

/// What is compared of a rated move.
fn said(mv: &RatedMove) -> (String, Option<LoopyNimber>, Verdict, bool, bool) {
    (mv.play.label.clone(), mv.leaves.clone(), mv.worth.clone(), mv.best, mv.fast)
}

/// The best moves that are shown where there are too many to list, their number, the name of each, and what perfect play makes
/// of them, against the list of all.
fn shows_best(text: &str, counted: &mut [usize; 2]) {
    let game = bound(&program(text), "{}");
    let options = Options { method: Some(method("heap")), ..Options::default() };
    let Ok(solved) = solve::solved::solve(&game, &game.start, &options, &mut Monitor::unlimited()) else { return };
    let all = solved.moves(&game.start).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let cut = ListedMoves::within(&solved, &game.start, 0).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Some(count) = cut.count {
        assert_eq!(count, all.len() as u128, "{text}");
    }
    counted[usize::from(cut.count.is_some())] += 1;
    let best: Vec<_> = all.iter().filter(|mv| mv.best).map(said).collect();
    assert_eq!(cut.moves.iter().map(said).collect::<Vec<_>>(), best, "{text}");
    assert_eq!((cut.cut, cut.best_cut), (!all.is_empty() || cut.count.is_none(), false), "{text}");
    let whole = ListedMoves::of(&solved, &game.start).unwrap();
    assert_eq!(whole.moves.iter().map(said).collect::<Vec<_>>(), all.iter().map(said).collect::<Vec<_>>(), "{text}");
    let choice = solved.choice(&game.start).unwrap();
    assert_eq!(choice.is_some(), !all.is_empty(), "{text}");
    if let Some(choice) = choice {
        let fast = all.iter().any(|mv| mv.fast);
        assert!(all.iter().any(|mv| mv.best && mv.fast == fast && mv.play == choice), "{text}\n{choice:?}");
    }
    for mv in all.iter().step_by(1 + all.len() / 8) {
        let same: Vec<&RatedMove> = all.iter().filter(|other| other.play.label == mv.play.label).collect();
        match named::find(&game, &game.start, &mv.play.label) {
            Ok(found) => assert_eq!(found.as_ref(), Some(&mv.play), "{text}"),
            Err(_) => assert!(same.iter().any(|other| other.play != mv.play), "{text}\n{}", mv.play.label),
        }
        let short = mv.play.label.split(" in ").next().unwrap().replace(',', " , ");
        assert!(named::named(&game, &game.start, &short).unwrap().contains(&mv.play), "{text}\n{short}");
    }
}

#[test]
fn moves_that_are_too_many_to_list() {
    with_room(|| {
        let mut random = Random::new(44);
        let mut counted = [0; 2];
        for round in 0..1500 {
            let count = 1 + random.below(3);
            let text = if round % 2 == 0 {
                let rules: Vec<String> = (0..count).map(|number| shift(&mut random, number)).collect();
                let misere = if random.below(3) == 0 { "stuck => win;" } else { "" };
                let heap = random.below(24);
                format!("game g() {{ state {{ n in 0..=30 = {heap}; }}\n{}\n{misere} }}", rules.join("\n"))
            } else {
                let rules: Vec<String> = (0..count).map(|number| breaks(&mut random, number)).collect();
                let heaps: Vec<String> = (0..1 + random.below(3)).map(|_| random.below(16).to_string()).collect();
                let misere = if random.below(4) == 0 { "stuck => win;" } else { "" };
                let (heaps, rules) = (heaps.join(", "), rules.join("\n"));
                format!("game g() {{ sum of heap(n in 0..=30) from [{heaps}];\n{rules}\n{misere} }}")
            };
            shows_best(&text, &mut counted);
        }
        assert!(counted[1] > 700 && counted[1] > counted[0], "{counted:?}");
    });
}

/// Heaps of 10^18 have their best moves, in no time, however the rules put it.
#[test]
fn best_moves_of_heaps_that_nobody_can_list() {
    const LARGE: u64 = 1_000_000_000_000_000_000;
    let listed = |text: &str| {
        let game = bound(&program(text), "{}");
        let solved = solve::solved::solve(&game, &game.start, &Options::default(), &mut Monitor::unlimited()).unwrap();
        let listed = ListedMoves::of(&solved, &game.start).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(!listed.cut || listed.moves.iter().all(|mv| mv.best), "{text}");
        (listed.moves.len(), listed.cut, listed.best_cut, listed.count)
    };
    let state = |rule: &str| format!("game g() {{ state {{ n in 0..={LARGE} = {LARGE}; }} {rule} }}");
    let heap = |rule: &str| format!("game g() {{ sum of heap(n in 0..={LARGE}) from [{LARGE}]; {rule} }}");
    let all = u128::from(LARGE);
    assert_eq!(listed(&state("move take(k in 1..=n) { n -= k; }")), (1, true, false, Some(all)));
    assert_eq!(listed(&state("move take(k in 1..=n) { n -= k; } stuck => win;")), (1, true, false, Some(all)));
    assert_eq!(listed(&state("move take(k in [1, 3, 4]) when k <= n { n -= k; }")), (3, false, false, Some(3)));
    let kayles = heap("move knock(k in 1..=2, left in 0..=n - k) { split (left), (n - k - left); }");
    assert_eq!(listed(&kayles), (1000, true, true, Some(2 * all - 1)));
    // The first of two heaps is the larger: the moves begin in the middle.
    let larger =
        heap("move knock(k in 1..=2, left in 0..=n - k) when left >= n - k - left { split (left), (n - k - left); }");
    let (shown, cut, best_cut, count) = listed(&larger);
    assert_eq!((shown, cut, best_cut), (1000, true, true));
    assert_eq!(count, Some(all));
}
