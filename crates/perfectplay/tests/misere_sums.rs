//! Misère sums by their quotient, against the search of whole sums and against what is known of misère Nim.

mod common;

use common::random::Random;
use common::{answer, answer_with, bound, program};
use perfectplay::{Amount, Method, Options, SolveError};

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
    Options { method: Some(Method::Quotient), check: Some(Amount::All), ..Options::default() }
}

/// Whether there is a quotient within the limits; if so, the search must agree.
fn agrees(source: &str, instance: &str) -> bool {
    let bound = bound(&program(source), instance);
    let found = match answer_with(&bound, &forced()) {
        Ok(found) => found,
        Err(SolveError::NotApplicable(why)) if why.contains("limit") => return false,
        Err(error) => panic!("{error}\n{instance}"),
    };
    let searched = answer_with(&bound, &Options { method: Some(Method::Induction), ..Options::default() }).unwrap();
    assert_eq!((&found.winner, &found.outcome), (&searched.winner, &searched.outcome), "{instance}");
    assert_eq!(found.best_moves, searched.best_moves, "{instance}");
    assert!(found.proof.starts_with("theorem: misère quotient of order "), "{}", found.proof);
    assert_eq!((found.method.as_str(), found.remoteness, found.line_cut), ("quotient", None, false));
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
    let nim = program(perfectplay::gallery::find("misere_nim").unwrap());
    let mut random = Random::new(73);
    for round in 0..40 {
        let most = if round % 4 == 0 { 1 } else { 15 };
        let piles: Vec<i64> = (0..20 + random.below(30)).map(|_| random.between(0, most)).collect();
        let piles = [piles, vec![7; usize::from(most > 1) * 6]].concat();
        let solution = answer(&bound(&nim, &format!("{{\"piles\": {piles:?}}}"))).unwrap();
        let xor = piles.iter().fold(0, |a, b| a ^ b);
        let first = if most == 1 { xor == 0 } else { xor != 0 };
        assert_eq!(solution.winner.as_deref(), Some(if first { "first" } else { "second" }), "{piles:?}");
        assert_eq!(solution.method, if most == 1 { "induction" } else { "quotient" });
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
    assert_eq!(one.method, "quotient");
    // Who wins a single row: Sibert and Conway have the rows that are lost in misère play: 1, 4, 9, 12, 20.
    for n in 1..=24 {
        let solution = answer_with(&bound(&kayles, &format!("{{\"rows\": [{n}]}}")), &forced()).unwrap();
        assert_eq!(solution.outcome.as_deref() == Some("lose"), [1, 4, 9, 12, 20].contains(&n), "{n}");
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
    assert_eq!(answer(&bound(&heap, "{\"n\": 5000}")).unwrap().winner.as_deref(), Some("draw"));
}
