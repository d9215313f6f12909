//! Misère sums by their quotient, against the search of whole sums and against what is known of misère Nim.

use crate::common::prelude::*;
use testkit::Random;

use crate::common::{answer, answer_with, bound, program};

const HEAPS: &str = "game heaps(takes: [int], breaks: [int], heaps: [int]) {
    sum of heap(n in 0..=max(heaps, 0)) from heaps;

    move take(k in takes) when k <= n { n -= k; }
    move cut(k in breaks, left in 1..n - k) { split (left), (n - k - left); }
    move clear when n == 4 { split; }
    stuck => win;
}";

const BOARDS: &str = "game boards(boards: [[int]], slide: bool) {
    sum of board(a in 0..=3, b in 0..=3) from boards;
    move across(k in 1..=2) when k <= a { a -= k; }
    move down when b >= 1 and a >= 1 { b -= 1; }
    move halve when a == 3 and b >= 1 { split (1, b), (1, b - 1); }
    move slip when slide and a >= 1 and b < 3 { a -= 1; b += 1; }
    stuck => win;
}";

fn forced() -> Options {
    Options { method: Some(method("quotient")), check: Some(Amount::All), ..Options::default() }
}

/// Whether there is a quotient within the limits; if so, the search must agree.
fn agrees(source: &str, instance: &str) -> bool {
    let bound = bound(&program(source), instance);
    let found = match answer_with(&bound, &forced()) {
        Ok(found) => found,
        Err(SolveError::NotApplicable(why)) if why.contains("limit") => return false,
        Err(error) => panic!("{error}\n{instance}"),
    };
    let searched = answer_with(&bound, &Options { method: Some(method("induction")), ..Options::default() }).unwrap();
    assert_eq!((&found.winner, &found.outcome), (&searched.winner, &searched.outcome), "{instance}");
    assert_eq!(found.best_moves, searched.best_moves, "{instance}");
    assert!(found.proof.to_string().starts_with("theorem: misère quotient of order "), "{}", found.proof);
    assert_eq!((found.method.name(), found.remoteness, found.line_cut), ("quotient", None, false));
    true
}

#[test]
fn random_heaps() {
    let mut random = Random::new(71);
    let (mut found, mut all) = (0, 0);
    for _ in 0..700 {
        let some = |random: &mut Random, most: i64| -> Vec<i64> { (1..=most).filter(|_| random.one_in(2)).collect() };
        let (takes, breaks) = (some(&mut random, 4), some(&mut random, 3));
        let heaps: Vec<i64> = (0..random.below(4)).map(|_| random.between(0, 6)).collect();
        all += 1;
        let instance = format!("{{\"takes\": {takes:?}, \"breaks\": {breaks:?}, \"heaps\": {heaps:?}}}");
        found += usize::from(agrees(HEAPS, &instance));
    }
    assert!(found * 10 > all * 9, "{found} of {all}");
}

#[test]
fn random_boards() {
    let mut random = Random::new(72);
    for _ in 0..300 {
        let count = random.below(4);
        let boards: Vec<Vec<i64>> = (0..count).map(|_| vec![random.between(0, 3), random.between(0, 3)]).collect();
        agrees(BOARDS, &format!("{{\"boards\": {boards:?}, \"slide\": {}}}", random.one_in(2)));
    }
}

/// Sums that no search could finish take the quotient by themselves.
#[test]
fn many_heaps_of_misere_nim() {
    let nim = program(&testkit::files::gallery_text("misere_nim"));
    let mut random = Random::new(73);
    for round in 0..40 {
        let most = if round % 4 == 0 { 1 } else { 15 };
        let piles: Vec<i64> = (0..20 + random.below(30)).map(|_| random.between(0, most)).collect();
        let piles = [piles, vec![7; usize::from(most > 1) * 6]].concat();
        let solution = answer(&bound(&nim, &format!("{{\"piles\": {piles:?}}}"))).unwrap();
        let xor = piles.iter().fold(0, |a, b| a ^ b);
        let first = if most == 1 { xor == 0 } else { xor != 0 };
        assert_eq!(solution.winner, Some(if first { FIRST } else { SECOND }), "{piles:?}");
        // Heaps have classes of their own, which are quicker where heaps are larger than a few stones.
        let expected = if most == 1 { "induction" } else { "heap" };
        assert!([expected, "quotient"].contains(&solution.method.name()), "{} of {piles:?}", solution.method.name());
        let quotient = answer_with(&bound(&nim, &format!("{{\"piles\": {piles:?}}}")), &forced()).unwrap();
        assert_eq!((quotient.winner, quotient.method.name()), (solution.winner, "quotient"), "{piles:?}");
    }
}

/// Kayles, of which no search would finish so many pins.
#[test]
fn rows_of_misere_kayles() {
    let kayles = program(
        "game kayles(rows: [int]) {
            sum of row(n in 0..=max(rows, 0)) from rows;
            move knock(k in 1..=2, left in 0..=n - k) { split (left), (n - k - left); }
            stuck => win;
        }",
    );
    let one = answer(&bound(&kayles, "{\"rows\": [20, 20, 17, 17, 12, 12]}")).unwrap();
    assert_eq!(one.method.name(), "heap");
    let quotient = answer_with(&bound(&kayles, "{\"rows\": [20, 20, 17, 17, 12, 12]}"), &forced()).unwrap();
    assert_eq!((quotient.outcome, quotient.method.name()), (one.outcome, "quotient"));
    // Who wins a single row: Sibert and Conway have the rows that are lost in misère play: 1, 4, 9, 12, 20.
    for n in 1..=24 {
        let solution = answer_with(&bound(&kayles, &format!("{{\"rows\": [{n}]}}")), &forced()).unwrap();
        assert_eq!(solution.outcome == Some(Outcome::Loss), [1, 4, 9, 12, 20].contains(&n), "{n}");
    }
}

#[test]
fn where_it_does_not_apply() {
    let why = |source: &str, instance: &str| match answer_with(&bound(&program(source), instance), &forced()) {
        Err(SolveError::NotApplicable(why)) => why,
        other => panic!("{other:?}"),
    };
    let normal = HEAPS.replace("stuck => win;", "");
    let instance = "{\"takes\": [1], \"breaks\": [], \"heaps\": [3]}";
    assert!(why(&normal, instance).contains("who cannot move wins"));
    assert!(why(&HEAPS.replace("stuck => win;", "stuck => draw;"), instance).contains("who cannot move wins"));
    let round = "game round(n: int) { sum of part(x in 0..=2) from [2]; move step { x = (x + 1) % 3; } stuck => win; }";
    assert!(why(round, "{\"n\": 1}").contains("repeat"));
    let single = "game single(n: int) { state { x in 0..=n = n; } move take when x > 0 { x -= 1; } stuck => win; }";
    assert!(why(single, "{\"n\": 1}").contains("not a `sum of` parts"));
}

/// Play that ends in a draw is no misère play, however large the heap.
#[test]
fn a_heap_that_ends_in_a_draw() {
    let heap = program(
        "game heap(n: int) { state { x in 0..=n = n; } move take(k in 1..=2) when k <= x { x -= k; } stuck => draw; }",
    );
    assert_eq!(answer(&bound(&heap, "{\"n\": 5000}")).unwrap().winner, Some(DRAW));
}

fn by_heaps() -> Options {
    Options { method: Some(method("heap")), check: Some(Amount::All), ..Options::default() }
}

/// One rule of a heap `n`, of many kinds.
fn rule(random: &mut Random, number: usize) -> String {
    let (low, high) = (random.between(1, 4), random.between(1, 6));
    let (floor, more) = (random.between(0, 2), random.between(0, 3));
    let name = format!("m{number}");
    match random.below(16) {
        0 => format!("move {name}(k in [{low}, {high}, 3]) when k <= n {{ n -= k; }}"),
        1 => format!("move {name}(k in 1..=n) {{ n -= k; }}"),
        2 => format!("move {name}(k in {low}..={high}) when n - k >= {floor} {{ n -= k; }}"),
        3 => format!("move {name}(k in {low}..=min(n, {high})) {{ n = n - k; }}"),
        4 => format!("move {name}(left in {floor}..n) {{ n = left; }}"),
        5 => format!("move {name} when n >= {} {{ n -= {low}; }}", low + more),
        6 => format!("move {name}(k in {low}..=n) when n > {more} {{ n -= k; }}"),
        7 => format!("move {name}(k in 1..={}, left in 0..=n - k) {{ split (left), (n - k - left); }}", more + 1),
        8 => format!("move {name}(left in 1..=(n - 1) / 2) {{ split (left), (n - left); }}"),
        9 => format!("move {name}(left in 1..n) when left != n - left {{ split (left), (n - left); }}"),
        10 => format!("move {name} when n == {} {{ split; }}", more + 1),
        11 => format!("move {name}(at in 0..n) {{ split (max(at - 1, 0)), (max(n - at - {}, 0)); }}", floor + 1),
        12 => format!("move {name}(left in {floor}..=n - {low}) {{ split (left), (n - left - {low}); }}"),
        13 => format!("move {name}(a in 1..n, b in a..n) when n - a - b >= b {{ split (a), (b), (n - a - b); }}"),
        14 => format!("move {name}(k in 1..=n, left in 1..=n - k - 1) {{ split (left), (n - k - left); }}"),
        _ => format!("move {name}(k in 1..={high}) when k <= n and k % 2 == 1 {{ n -= k; }}"),
    }
}

/// Small sums, with the method forced, against the search: who wins, and every best move.
#[test]
fn small_sums_of_heaps_by_their_classes() {
    let mut random = Random::new(74);
    let (mut found, mut none) = (0, 0);
    for _ in 0..1500 {
        let rules: Vec<String> = (0..1 + random.below(2)).map(|number| rule(&mut random, number)).collect();
        let heaps: Vec<i64> = (0..1 + random.below(4)).map(|_| random.between(0, 9)).collect();
        let text =
            format!("game g() {{ sum of heap(n in 0..=12) from {heaps:?};\n{}\nstuck => win; }}", rules.join("\n"));
        let bound = bound(&program(&text), "{}");
        let classes = match answer_with(&bound, &by_heaps()) {
            Ok(classes) => classes,
            Err(SolveError::NotApplicable(_) | SolveError::Limit { .. }) => {
                none += 1;
                continue;
            }
            Err(error) => panic!("{error}\n{text}"),
        };
        found += 1;
        let plain = answer_with(&bound, &Options { method: Some(method("induction")), ..Options::default() }).unwrap();
        assert_eq!((&classes.winner, &classes.outcome), (&plain.winner, &plain.outcome), "{text}");
        assert_eq!(classes.best_moves, plain.best_moves, "{text}");
        assert!(matches!(classes.proof, Proof::Theorem(_)), "{}", classes.proof);
        assert_eq!((classes.remoteness, classes.nimber, classes.line_cut), (None, None, false), "{text}");
    }
    assert!(found > 1000, "{found} found, {none} not");
}

/// Piles of any size: misère Nim has a theorem, and so has every game of taking.
#[test]
fn huge_heaps_that_are_only_taken_from() {
    let nim = program(&testkit::files::gallery_text("misere_nim"));
    let mut random = Random::new(75);
    for _ in 0..60 {
        let mut piles: Vec<i64> = (0..random.below(4)).map(|_| random.between(0, 3)).collect();
        piles.push(random.between(1 << 40, 1 << 60));
        if random.one_in(3) {
            piles.push(piles[piles.len() - 1]);
        }
        let bound = bound(&nim, &format!("{{\"piles\": {piles:?}}}"));
        let solution = answer(&bound).unwrap();
        let xor = piles.iter().fold(0, |a, b| a ^ b);
        assert_eq!(solution.winner, Some(if xor == 0 { SECOND } else { FIRST }), "{piles:?}");
        assert_eq!((solution.method.name(), solution.remoteness), ("heap", None));
        assert!(solution.proof.to_string().starts_with("theorem: Ferguson"), "{}", solution.proof);
        // The winning moves by Bouton's rule: leave nim-sum 0, but an odd number of ones where only ones are left.
        let mut wins = Vec::new();
        for (part, &pile) in piles.iter().enumerate() {
            let others = [&piles[..part], &piles[part + 1..]].concat();
            let ones = others.iter().all(|&other| other <= 1);
            let left = others.iter().fold(i64::from(ones), |a, b| a ^ b);
            if left < pile {
                wins.push(format!("take({}) in part {part}", pile - left));
            }
        }
        if xor != 0 {
            assert_eq!(best(&solution), wins, "{piles:?}");
        }
    }
}

/// A heap of 10^18 plays like the one that the period takes it back to.
#[test]
fn huge_heaps_by_their_period() {
    let sources = [
        (
            "move knock(k in 1..=2, left in 0..=n - k) { split (left), (n - k - left); }",
            12,
            "misère quotient of order 40",
        ),
        ("move take(k in [2, 5, 6]) when k <= n { n -= k; }", 11, "Ferguson"),
        ("move take(k in 1..=2) when k <= n { n -= k; } move more when n >= 9 { n -= 4; }", 15, "misère"),
    ];
    let mut random = Random::new(76);
    for (rules, period, theorem) in sources {
        let source = format!(
            "game g(heaps: [int]) {{ sum of heap(n in 0..=max(heaps, 0)) from heaps;\n{rules}\nstuck => win; }}"
        );
        let game = program(&source);
        for _ in 0..10 {
            let small: Vec<i64> = (0..random.below(3)).map(|_| random.between(0, 30)).collect();
            let near = random.between(200, 260);
            let far = near + period * ((1_000_000_000_000_000_000 - near) / period);
            let of = |heap: i64| {
                let heaps = [&small[..], &[heap, heap + 1]].concat();
                let bound = bound(&game, &format!("{{\"heaps\": {heaps:?}}}"));
                answer_with(&bound, &Options { method: Some(method("heap")), ..Options::default() }).unwrap()
            };
            let (near, far) = (of(near), of(far));
            assert_eq!((&near.winner, &near.outcome), (&far.winner, &far.outcome), "{rules}");
            assert!(
                far.proof.to_string().contains(theorem) && far.proof.to_string().contains("period "),
                "{}",
                far.proof
            );
            let wins = far.outcome == Some(Outcome::Win);
            assert!(!wins || !far.best_moves.unwrap().is_empty());
        }
    }
}

/// Where no classes are found, that is an answer too.
#[test]
fn huge_heaps_without_classes() {
    let game = program(
        "game lasker(heaps: [int]) { sum of heap(n in 0..=max(heaps, 0)) from heaps;
            move take(k in 1..=n) { n -= k; } move cut(a in 1..n) { split (a), (n - a); } stuck => win; }",
    );
    let error = answer(&bound(&game, "{\"heaps\": [1000000000000, 3]}")).unwrap_err();
    assert!(matches!(error, SolveError::Limit { .. }) && error.to_string().contains("without a proved"), "{error}");
    // Far more sums than a search could look at, of heaps that are looked at one by one.
    let some = Options { method: Some(method("heap")), ..Options::default() };
    let solution = answer_with(&bound(&game, "{\"heaps\": [700, 600, 500, 400, 301]}"), &some).unwrap();
    assert_eq!(solution.proof.to_string(), "theorem: misère sums of tame heaps are played like Nim");
}

/// What a quotient holds is charged: a small budget is a limit that is told, and no more is held than a tenth above it.
#[test]
fn quotients_keep_to_their_memory() {
    // Beside the budget: the interpreter, formulas, one position's moves.
    const BESIDE: u64 = 300_000;
    let kayles = "move knock(k in 1..=2, left in 0..=n - k) { split (left), (n - k - left); }";
    let dawson = "move knock(left in 0..=n - 2) { split (left), (n - 2 - left); }";
    let guarded =
        "move take(k in 1..=3) when k <= n { n -= k; } move cut(k in 1..n) when n > 5 { split (k), (n - k); }";
    let (mut stopped, mut found) = (0, 0);
    for (rules, heaps) in [(kayles, "[30, 29, 28]"), (dawson, "[26, 25, 24]"), (guarded, "[14, 13, 12, 12]")] {
        let source = format!(
            "game g(heaps: [int]) {{ sum of heap(n in 0..=max(heaps, 0)) from heaps;\n{rules}\nstuck => win; }}"
        );
        let game = bound(&program(&source), &format!("{{\"heaps\": {heaps}}}"));
        for name in ["quotient", "heap"] {
            for memory in [50_000, 200_000, 800_000, 3_000_000, 12_000_000] {
                let limits = Limits { memory, time: Some(std::time::Duration::from_secs(20)) };
                let solve = || solve::answer::answer(&game, &by(name), &mut Monitor::new(&limits));
                let (answer, peak) = testkit::counting::peak_of(solve);
                let how = match &answer {
                    Ok(_) => "found".to_string(),
                    Err(error) => error.to_string(),
                };
                println!("{name} {heaps} {memory}: {peak} {how}");
                assert!(peak <= memory + memory / 10 + BESIDE, "{name} {heaps}: {peak} bytes of {memory}, {how}");
                match answer {
                    Ok(_) => found += 1,
                    Err(SolveError::Limit { limit: Limit::Memory { .. }, .. }) => stopped += 1,
                    // Another limit: too many elements, say.
                    Err(SolveError::Limit { .. } | SolveError::NotApplicable(_)) => {}
                    Err(error) => panic!("{name} {heaps}: {error}"),
                }
            }
        }
    }
    assert!(stopped > 5 && found > 5, "{stopped} stopped, {found} found");
}
