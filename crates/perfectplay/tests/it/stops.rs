//! The library stops by itself, in every phase: by a flag, by the clock, for want of memory. No process ends here, and nobody
//! watches from outside.
//!
//! Each case takes long in another phase: binding, unfolding rules, studying formulas, looking for shapes, making code, checking
//! what is declared, sampling, filling, searching, counting positions, replaying. Moments look random and are the same in each
//! run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use perfectplay::language::{Instance, Rules};
use perfectplay::sequence::{Instances, Runs, Sequence};
use perfectplay::solving::Engine;
use perfectplay::{Error, SolveError, Solver};
use testkit::random::Random;

/// A stop takes far less than a second in a release build on a machine with nothing else to do.
const PATIENCE: Duration = Duration::from_secs(6);
/// What the tests that are given little memory have.
const MEMORY: u64 = 24 << 20;

const PILES: &str = "game piles(piles: [int] = [3, 4]) {
    sum of pile(n in 0..=max(piles, 0)) from piles;
    move take(k in 1..=n) { gain k * k % 7; n -= k; }
}";
const UNFOLD: &str = "game unfold(n: int = 12, q: int = 90) {
    state { b in [0..=3; n] = [0; n]; t in 0..=20 = 20; }
    end when any(b[i] + b[j] * b[k] + t * b[k] == 7 + i for i in 0..n for j in 0..i for k in 0..j for t in 0..q) => win;
    move put(i in 0..n, v in 1..=3) when b[i] == 0 and t > 0 { b[i] = v; t -= 1; }
}";
const TRIPLE: &str = "game triple(n: int = 30) {
    state { b in [0..=1; n] = [0; n]; }
    move put(i in 0..n, j in 0..n, k in 0..n) when i < j and j < k and b[i] + b[j] + b[k] == 0 {
        b[i] = 1; b[j] = 1; b[k] = 1;
    }
}";
const SLOW_LET: &str = "game slow_let(n: int = 5000) {
    let a = sum(i * j % 7 for i in 0..n for j in 0..n);
    state { h in 0..=10 = 10; }
    move take(k in 1..=3) when k <= h and a >= 0 { h -= k; }
}";
const HEAVY: &str = "game heavy(n: int = 3000) {
    state { h in 0..=30 = 30; }
    move one(k in 1..=3) when k <= h and sum((i * j + h) % 7 for i in 0..n for j in 0..n / 3) >= 0 { h -= k; }
    move two(k in 1..=3) when k <= h and sum((i * j + h) % 5 for i in 0..n for j in 0..n / 3) >= 0 { h -= k; }
}";
const MANY: &str = "game many(n: int = 60000) {
    state { b in [0..=1; 300] = [0; 300]; a in 0..=n = n; }
    move m(k in 1..=n) when k <= a { a -= k; b[k % 300] = 1 - b[k % 300]; }
}";
const FORWARD: &str = "game forward(n: int = 100000000) {
    state { at in 0..=n = 0; }
    move go(k in 1..=3) when k <= n - at { gain (at + k) % 5; at += k; }
}";
const ROW: &str = "game row(n: int = 20000000) {
    state { i in 0..=n = 0; j in 0..=n = n; }
    move left when i < j { gain i * i % 7; i += 1; }
    move right when i < j { gain (j - 1) * (j - 1) % 7; j -= 1; }
}";
const PUSH: &str = "game push(n: int = 20) {
    state { b in [0..=2; n] = [if i < 5 then 1 else if i >= n - 5 then 2 else 0 for i in 0..n]; }
    move first right(i in 0..n - 1) when b[i] == 1 and b[i + 1] == 0 { b[i] = 0; b[i + 1] = 1; }
    move second left(i in 1..n) when b[i] == 2 and b[i - 1] == 0 { b[i] = 0; b[i - 1] = 2; }
    move first back(i in 1..n) when b[i] == 1 and b[i - 1] == 0 { b[i] = 0; b[i - 1] = 1; }
    move second forth(i in 0..n - 1) when b[i] == 2 and b[i + 1] == 0 { b[i] = 0; b[i + 1] = 2; }
}";
const WIDE: &str = "game wide(n: int = 40) {
    state { b in [0..=2; n] = [0; n]; }
    move put(i in 0..n, v in 1..=2)
        when b[i] == 0 and (i == 0 or b[i - 1] != v) and (i == n - 1 or b[i + 1] != v) { b[i] = v; }
    symmetry b by [n - 1 - i for i in 0..n];
    measure count(x == 0 for x in b);
}";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Solve,
    Plan,
    Survey,
    Sequence,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    /// A rules text, or the name of a game of the gallery.
    rules: &'static str,
    instance: &'static str,
    what: What,
    engine: Engine,
    method: Option<&'static str>,
}

const fn case(rules: &'static str, instance: &'static str) -> Case {
    Case { rules, instance, what: What::Solve, engine: Engine::Auto, method: None }
}

const fn with(rules: &'static str, instance: &'static str, what: What, engine: Engine) -> Case {
    Case { rules, instance, what, engine, method: None }
}

const CASES: &[Case] = &[
    case(PILES, r#"{"piles": [20000, 20000]}"#),
    case(PILES, r#"{"piles": [200000, 200000]}"#),
    Case { method: Some("induction"), ..case("nim", r#"{"piles": [1000000, 1000000]}"#) },
    case("wythoff", r#"{"a": 1000000000, "b": 1000000000}"#),
    with(UNFOLD, r#"{"n": 14}"#, What::Solve, Engine::Compiled),
    with(UNFOLD, r#"{"n": 8, "q": 20}"#, What::Solve, Engine::Compiled),
    with(UNFOLD, r#"{"n": 12}"#, What::Plan, Engine::Auto),
    with(TRIPLE, "{}", What::Solve, Engine::Compiled),
    with(TRIPLE, "{}", What::Plan, Engine::Auto),
    case(SLOW_LET, "{}"),
    case(HEAVY, "{}"),
    with(HEAVY, "{}", What::Solve, Engine::Interpreted),
    with(HEAVY, "{}", What::Solve, Engine::Compiled),
    with(HEAVY, "{}", What::Sequence, Engine::Auto),
    case(MANY, "{}"),
    case(FORWARD, "{}"),
    case(ROW, "{}"),
    with(PUSH, "{}", What::Solve, Engine::Compiled),
    case(PUSH, r#"{"n": 26}"#),
    case(WIDE, "{}"),
    with(WIDE, "{}", What::Plan, Engine::Auto),
    case("m_n_k", r#"{"rows": 100, "columns": 100, "k": 5}"#),
    with("m_n_k", r#"{"rows": 30, "columns": 30, "k": 5}"#, What::Plan, Engine::Auto),
    case("domineering", r#"{"rows": 2, "columns": 600}"#),
    with("domineering", r#"{"rows": 2, "columns": 600}"#, What::Plan, Engine::Auto),
    case("cram", r#"{"rows": 2, "columns": 1200}"#),
    case("domineering", r#"{"rows": 7, "columns": 7}"#),
    case("hex", r#"{"size": 5}"#),
    case("kalah", r#"{"pits": 5, "seeds": 4}"#),
    case("dots_and_boxes", r#"{"rows": 3, "columns": 4}"#),
    with("connect_k", r#"{"rows": 5, "columns": 4, "k": 4}"#, What::Survey, Engine::Auto),
    case("connect_k", r#"{"rows": 6, "columns": 7, "k": 4}"#),
    case("chomp", r#"{"rows": 12, "columns": 14}"#),
];

/// How a run is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Flag,
    Time,
    Memory,
}

fn run(case: Case, solver: &Solver) -> Result<(), Error> {
    let rules = Rules::gallery(case.rules).unwrap_or_else(|| Rules::new(case.rules));
    match case.what {
        What::Solve => solver.solve(&rules.source, case.instance).map(drop),
        What::Plan => Ok(solver.plan(&rules.bind(case.instance)?).map(drop)?),
        What::Survey => Ok(solver.survey(&rules.bind(case.instance)?).map(drop)?),
        What::Sequence => {
            let program = rules.program()?;
            let instances = Instances::new(&program, Instance::default(), 0, Runs::Number, solver.options()?);
            let Ok(mut sequence) = Sequence::of(instances, 1000, 3000) else { return Ok(()) };
            let mut monitor = solver.monitor();
            while let Ok(false) = sequence.extend(&mut monitor) {}
            Ok(())
        }
    }
}

/// Runs a case, stops it after so long, and looks at how it ends.
fn stop(case: Case, way: Way, after: Duration) {
    let flag = Arc::new(AtomicBool::new(false));
    let mut solver = Solver::new().engine(case.engine).cancelled_by(Arc::clone(&flag));
    if let Some(method) = case.method {
        solver = solver.method(method);
    }
    solver = match way {
        Way::Flag => solver,
        Way::Time => solver.time(after),
        Way::Memory => solver.memory(MEMORY).time(Duration::from_secs(2)),
    };
    let wait = if way == Way::Memory { Duration::from_secs(2) } else { after };
    let (done, end) = mpsc::channel();
    let begun = Instant::now();
    // A run that does not stop must not hold up the test.
    std::thread::spawn(move || done.send(run(case, &solver)));
    let name =
        format!("{} {} {:?} {way:?} at {after:?}", &case.rules[..case.rules.len().min(16)], case.instance, case.what);
    let ended = end.recv_timeout(wait).or_else(|_| {
        if way == Way::Flag {
            flag.store(true, Ordering::Relaxed);
        }
        end.recv_timeout(PATIENCE)
    });
    let Ok(ended) = ended else { panic!("{name}: still there {PATIENCE:?} later") };
    if let Ok(told) = std::env::var("PERFECTPLAY_STOPS") {
        let late = begun.elapsed().saturating_sub(wait);
        if !told.is_empty() {
            eprintln!("{:>5} ms late, {} {name}", late.as_millis(), if ended.is_ok() { "done" } else { "stopped" });
        }
    }
    match (ended, way) {
        (Ok(()), _) => {}
        (Err(Error::Solve(SolveError::Interrupted { .. })), Way::Flag) => {}
        (Err(error), Way::Time | Way::Memory) if error.is_limit() => {}
        (Err(error), _) => panic!("{name}: {error}"),
    }
}

#[test]
fn a_flag_ends_every_phase() {
    let mut random = Random::new(0x5eed);
    for &case in CASES {
        stop(case, Way::Flag, Duration::from_millis(10 + random.below(500)));
    }
}

#[test]
fn the_clock_ends_every_phase() {
    let mut random = Random::new(0xc10c);
    for &case in CASES {
        stop(case, Way::Time, Duration::from_millis(10 + random.below(500)));
    }
}

#[test]
fn little_memory_ends_every_phase() {
    for &case in CASES {
        stop(case, Way::Memory, Duration::ZERO);
    }
}

/// A method that was asked for, and that applies, does not come to apply no more where there is less memory: it says that
/// memory ran out, at every edge.
#[test]
fn a_method_that_lacks_memory_says_so() {
    let games = [
        ("hex", r#"{"size": 3}"#, ["search", "hash", "fill"].as_slice()),
        ("connect_k", r#"{"rows": 4, "columns": 3, "k": 3}"#, &["search", "hash", "fill", "alpha_beta"]),
        ("rook_endgame", r#"{"side": 4, "king": 0, "rook": 5, "lone": 15}"#, &["retrograde"]),
        ("dots_and_boxes", r#"{"rows": 2, "columns": 2}"#, &["search", "hash", "alpha_beta"]),
    ];
    for (name, instance, methods) in games {
        let source = Rules::gallery(name).unwrap().source;
        for method in methods {
            let mut memory = 20_000;
            loop {
                match Solver::new().method(method).memory(memory).solve(&source, instance) {
                    Ok(_) => break,
                    Err(error) => assert!(error.is_limit(), "{name} by {method} within {memory} bytes: {error}"),
                }
                memory += memory / 3;
                assert!(memory < 4 << 30, "{name} by {method}");
            }
        }
    }
}
