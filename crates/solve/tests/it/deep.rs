//! Size: games a million moves deep and millions of positions wide, the memory that is claimed against the memory that is
//! used, limits and the stop button, and what a file's claims are used for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::prelude::*;
use testkit::counting::peak_of;

use crate::common::{answer_with, bound, fault_of, program, solved};

/// Solves, and says how many bytes were held at the peak beyond those held before.
fn solve_counting(bound: &Bound, limits: &Limits) -> (Result<Solution, SolveError>, u64) {
    solve_counting_by(bound, None, limits)
}

/// Solves by a method of one's choice, and counts the bytes held at the peak.
fn solve_counting_by(
    bound: &Bound,
    method: Option<MethodName>,
    limits: &Limits,
) -> (Result<Solution, SolveError>, u64) {
    let options = Options { method, ..Options::default() };
    peak_of(|| solve::answer::answer(bound, &options, &mut Monitor::new(limits)))
}

#[test]
fn a_million_moves_deep() {
    let text = "game counter(n: int) {
        state { left in 0..=n = n; }
        move step when left > 0 { left -= 1; }
        move skip when left > 0 and left % 3 == 0 { left -= 1; }
    }";
    let solution = solved(text, r#"{"n": 1000001}"#);
    assert_eq!(solution.winner, Some(FIRST));
    assert_eq!((solution.remoteness, solution.nimber, solution.positions), (Some(1_000_001), Some(1), 1_000_002));
    assert_eq!((solution.line.unwrap().len(), solution.line_cut), (1000, true));
}

#[test]
fn a_million_scored_moves_deep() {
    let text = "game deep(n: int) {
        state { left in 0..=n = n; }
        move step when left > 0 { gain left % 10; left -= 1; }
    }";
    let solution = solved(text, r#"{"n": 1000000}"#);
    // The first player gets the even digits, the second the odd ones.
    assert_eq!((solution.value, solution.scores), (Some(-500_000), Some(vec![2_000_000, 2_500_000])));
    assert!(solution.line_cut);
    let own = text.replace("state", "players 3; state");
    let payoffs = solved(&own, r#"{"n": 300000}"#).payoffs.unwrap();
    assert_eq!(payoffs.iter().sum::<i64>(), 300_000 / 10 * 45);
}

#[test]
fn a_million_moves_deep_with_cycles() {
    let text = "game deep(n: int) {
        state { left in 0..=n = n; }
        end when left == 0 => lose;
        move step { left -= 1; }
        move stay when left == n { }
    }";
    let solution = solved(text, r#"{"n": 400001}"#);
    assert_eq!((solution.winner, solution.remoteness), (Some(FIRST), Some(400_001)));
    assert_eq!(solution.method.name(), "retrograde");
    assert_eq!(solved(text, r#"{"n": 400000}"#).winner, Some(DRAW));
}

#[test]
fn a_part_a_million_moves_deep() {
    let text = "game deep(heaps: [int]) {
        sum of heap(n in 0..=max(heaps, 0)) from heaps;
        move step(k in 1..=2) when k <= n { n -= k; }
    }";
    let solution = solved(text, r#"{"heaps": [1000000, 500000, 7]}"#);
    let nimber = (1_000_000u64 % 3) ^ (500_000 % 3) ^ (7 % 3);
    let proof = "theorem: Sprague-Grundy; moves of one range have nim-values in closed form: period 3 from heap 0 on";
    assert_eq!((solution.nimber, &*solution.proof.to_string()), (Some(nimber), proof));
    let options = Options { method: Some(method("grundy")), ..Options::default() };
    let bound = bound(&program(text), r#"{"heaps": [1000000, 500000, 7]}"#);
    let solution = answer_with(&bound, &options).unwrap();
    assert_eq!((solution.nimber, &*solution.proof.to_string()), (Some(nimber), "theorem: Sprague-Grundy"));
}

const WIDE: &str = "game wide(n: int) {
    state { a in 0..=n = n; b in 0..=n = n; }
    move lower_a(k in 1..=2) when k <= a { a -= k; }
    // The second condition always holds; it ties the variables together, so that the game is no sum.
    move lower_b when b > 0 and a * a != b * b + 1 { b -= 1; }
}";

#[test]
fn two_million_positions_fit_in_what_is_claimed() {
    let bound = bound(&program(WIDE), r#"{"n": 1419}"#);
    let (solution, used) = solve_counting(&bound, &Limits::default());
    let solution = solution.unwrap();
    assert_eq!(solution.positions, 1420 * 1420);
    assert_eq!(solution.nimber, Some(1), "1419 % 3 ^ 1419 % 2");
    assert!(solution.bytes < 40 * solution.positions, "{} bytes a position", solution.bytes / solution.positions);
    assert!(used <= solution.bytes + (1 << 20), "{used} bytes used, {} claimed", solution.bytes);
}

#[test]
fn a_sum_fits_in_what_is_claimed() {
    let text = "game sums(heaps: [int]) {
        sum of heap(n in 0..=max(heaps, 0)) from heaps;
        stuck => win;
        move take(k in 1..=n) { n -= k; }
        move cut(a in 1..n) when a + a <= n { split (a), (n - a); }
    }";
    let bound = bound(&program(text), r#"{"heaps": [14, 12, 5]}"#);
    let (solution, used) = solve_counting_by(&bound, Some(method("induction")), &Limits::default());
    let solution = solution.unwrap();
    assert!(solution.positions > 1000, "{} positions", solution.positions);
    assert!(used <= solution.bytes + (1 << 20), "{used} bytes used, {} claimed", solution.bytes);
}

#[test]
fn heaps_fit_in_what_is_claimed() {
    let text = "game heaps(heap: int) { sum of heap(n in 0..=heap) from [heap];
        move cut(a in 1..=(n - 1) / 2) { split (a), (n - a); } }";
    let (solution, used) = solve_counting(&bound(&program(text), r#"{"heap": 200000}"#), &Limits::default());
    let solution = solution.unwrap();
    assert_eq!(solution.method.name(), "heap");
    assert!(used <= solution.bytes + (4 << 20), "{used} bytes used, {} claimed", solution.bytes);
}

#[test]
fn a_game_with_cycles_fits_in_what_is_claimed() {
    let text = "game walk(n: int) {
        state { a in 0..n = n / 2; b in 0..n = n / 3; }
        end when a == 0 => win;
        end when b == 0 => draw;
        move first  walk_a(step in [-1, 1]) when a + step in 0..n { a += step; }
        move second walk_b(step in [-1, 1]) when b + step in 0..n { b += step; }
    }";
    let bound = bound(&program(text), r#"{"n": 250}"#);
    let (solution, used) = solve_counting(&bound, &Limits::default());
    let solution = solution.unwrap();
    assert_eq!(solution.method.name(), "retrograde");
    assert!(solution.positions > 30_000, "{} positions", solution.positions);
    assert!(used <= solution.bytes + (1 << 20), "{used} bytes used, {} claimed", solution.bytes);
}

#[test]
fn payoffs_with_ties_fit_in_what_is_claimed() {
    let text = "game ties(n: int) {
        players 3;
        state { a in 0..=n = n; b in 0..=n = n; }
        move lower_a when a > 0 { gain a % 2 for third; a -= 1; }
        move lower_b when b > 0 { gain b % 3 for (mover + 1) % 3; b -= 1; }
    }";
    let bound = bound(&program(text), r#"{"n": 60}"#);
    let (solution, used) = solve_counting(&bound, &Limits::default());
    let solution = solution.unwrap();
    assert!(used <= solution.bytes + (2 << 20), "{used} bytes used, {} claimed", solution.bytes);
}

#[test]
fn too_little_memory_is_a_limit() {
    let bound = bound(&program(WIDE), r#"{"n": 1500}"#);
    for memory in [0, 1000, 1 << 16, 1 << 20, 4 << 20] {
        let (result, used) = solve_counting(&bound, &Limits { memory, time: None });
        match result {
            Err(SolveError::Limit { limit: Limit::Memory { limit, needed }, .. }) => {
                assert_eq!(limit, memory);
                assert!(needed > limit);
            }
            other => panic!("{memory}: {:?}", other.map(|solution| solution.bytes)),
        }
        // What the compiler works with is charged by estimate.
        assert!(used <= memory + (3 << 19), "{used} bytes used of {memory}");
    }
}

#[test]
fn too_little_time_is_a_limit() {
    let bound = bound(&program(WIDE), r#"{"n": 100000}"#);
    for time in [Duration::ZERO, Duration::from_millis(60)] {
        let start = Instant::now();
        let limits = Limits { time: Some(time), ..Limits::default() };
        match solve_counting(&bound, &limits).0 {
            Err(SolveError::Limit { limit: Limit::Time { limit }, .. }) => assert_eq!(limit, time),
            other => panic!("{other:?}"),
        }
        assert!(start.elapsed() < time + Duration::from_secs(10), "{:?}", start.elapsed());
    }
}

#[test]
fn the_stop_button_works() {
    let bound = bound(&program(WIDE), r#"{"n": 100000}"#);
    let cancel = Arc::new(AtomicBool::new(false));
    let button = Arc::clone(&cancel);
    let presser = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        button.store(true, Ordering::Relaxed);
    });
    let mut monitor = Monitor::new(&Limits::default()).cancelled_by(cancel);
    let start = Instant::now();
    let result = solve::answer::answer(&bound, &Options::default(), &mut monitor);
    assert!(matches!(result, Err(SolveError::Interrupted { .. })), "{result:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    presser.join().unwrap();
}

#[test]
fn a_scored_game_that_repeats_is_refused_with_its_cycle() {
    let text = "game walk() {
        state { x in 0..5 = 2; }
        move left  when x > 0 { gain 1; x -= 1; }
        move right when x < 4 { x += 1; }
    }";
    let told = fault_of(text, "{}");
    assert!(told.starts_with("positions repeat"), "{told}");
    assert!(told.contains("a cycle of 2 moves") && told.contains("—right→") && told.contains("—left→"), "{told}");
    let three = text.replace("gain 1;", "").replace("state", "players 3; stuck => winner first; state");
    assert!(fault_of(&three, "{}").starts_with("positions repeat"));
}

#[test]
fn a_total_that_does_not_fit_names_its_place() {
    let text = "game row(a: [int]) {
        state { i in 0..=len(a) = 0; }
        move take when i < len(a) { gain a[i]; i += 1; }
    }";
    // The difference fits, the first player's own total does not; and then the difference does not fit either.
    for row in ["[9223372036854775807, 9223372036854775807, 1]", "[9223372036854775807, -5]"] {
        let told = fault_of(text, &format!("{{\"a\": {row}}}"));
        assert!(told.starts_with("overflow") && told.contains("in the position i ="), "{told}");
    }
}

#[test]
fn a_sum_of_thousands_of_parts_has_its_line() {
    let text = "game heaps(h: [int]) { sum of heap(n in 0..=max(h, 0)) from h; move take(k in 1..=n) { n -= k; } }";
    let heaps: Vec<String> = (0..3001).map(|n| (n % 7).to_string()).collect();
    let solution = solved(text, &format!("{{\"h\": [{}]}}", heaps.join(",")));
    let nimber = (0..3001).fold(0, |sum, n| sum ^ (n % 7));
    assert_eq!(solution.nimber, Some(nimber));
    assert_eq!((solution.line.map(|line| line.len()), solution.line_cut), (Some(1000), true));
}

#[test]
fn a_sum_that_grows_without_end_is_refused() {
    let text = "game grow(n: int = 2) {
        sum of heap(k in 0..=n) from [n];
        move double when k > 0 { split (k), (k); }
    }";
    for text in
        [text.to_string(), text.replace("}\n    }", "}\n stuck => win; }"), text.replace("split", "gain 1; split")]
    {
        let told = fault_of(&text, "{}");
        assert!(told.starts_with("the position can grow without end"), "{told}");
        assert!(told.contains("k = 2"), "{told}");
    }
    let dead = text.replace("split (k), (k)", "split (k), (0)");
    assert_eq!(solved(&dead, "{}").winner, Some(DRAW), "parts where nobody can move are no growth");
}

/// A claim that is wrong wherever it is looked at.
fn claiming(claims: &str) -> String {
    format!(
        "game claiming(n: int) {{
            state {{ a in 0..=n = n; b in 0..=n = n; }}
            move lower_a when a > 0 {{ a -= 1; }}
            move lower_b when b > 0 {{ b -= 1; }}
            {claims}
        }}"
    )
}

fn limited(text: &str, n: i64, memory: u64) -> Result<Solution, SolveError> {
    solve_counting(&bound(&program(text), &format!("{{\"n\": {n}}}")), &Limits { memory, time: None }).0
}

#[test]
fn a_claim_is_no_answer_to_rules_that_go_wrong_or_to_the_stop_button() {
    let text = claiming("claim outcome = 1;").replace("b -= 1", "b -= 2");
    assert!(matches!(limited(&text, 5, 1 << 26), Err(SolveError::Fault(_))));
    let bound = bound(&program(&claiming("claim outcome = 1;")), r#"{"n": 100000}"#);
    let mut monitor = Monitor::new(&Limits::default()).cancelled_by(Arc::new(AtomicBool::new(true)));
    let result = solve::answer::answer(&bound, &Options::default(), &mut monitor);
    assert!(matches!(result, Err(SolveError::Interrupted { .. })), "{result:?}");
}
