//! How long compiling takes, and working out one position. Run it with
//! `cargo test -p perfectplay-jit --release expand_speed -- --ignored --nocapture`.

use std::time::Instant;

use formula::TurnPlace;
use jit::{Expanded, Expander, Gains, Options, Successors};
use rules::bind::Bound;
use testkit::Random;
use testkit::files::{bound, game, program};

/// The quickest of several runs in milliseconds, and what it made: others may be at work on the machine.
fn quickest<T>(mut run: impl FnMut() -> T) -> (f64, T) {
    let mut once = || {
        let begin = Instant::now();
        let made = run();
        (begin.elapsed().as_secs_f64() * 1e3, made)
    };
    let (mut best, mut made) = once();
    for _ in 0..4 {
        let (time, again) = once();
        (best, made) = (best.min(time), again);
    }
    (best, made)
}

const HEAPS: &str = "game heaps() { state { h in [0..=99; 4] = [99, 99, 99, 99]; }
    move take(i in 0..4, k in 1..=3) when k <= h[i] { h[i] -= k; } stuck => lose; }";

fn load(source: &str, instance: &str) -> Bound {
    bound(&program(source), instance)
}

fn gallery(name: &str, instance: &str) -> Bound {
    load(&game(name), instance)
}

/// Codes met along random plays.
fn plays(expander: &Expander, start: u64, random: &mut Random) -> Vec<u64> {
    let mut out = Options::default();
    let mut codes = Vec::new();
    let mut code = start;
    while codes.len() < 1 << 14 {
        codes.push(code);
        code = match expander.expand(code, &mut out) {
            Expanded::Options => out.codes[random.below(out.codes.len())],
            _ => start,
        };
    }
    codes
}

fn measure(name: &str, bound: &Bound, with_turn: bool) {
    let mut random = Random::new(7);
    let (specialised, formulas) = quickest(|| formula::specialise(bound).unwrap());
    let (nodes, actions) = (formulas.arena.len(), formulas.actions.len());
    let (cells, turn) = (&bound.start.parts[0], bound.start.turn.0);
    let (studied, study) = quickest(|| formula::study(formulas.clone(), cells, turn, with_turn));
    println!(
        "{name}: {nodes} nodes, {actions} actions; specialised in {specialised:.2} ms, studied in {studied:.2} ms"
    );
    let gains = if bound.program.counted { Gains::Difference } else { Gains::Outcome };
    for dense in [true, false] {
        let Some(coded) = study.coded(dense, TurnPlace::First) else { continue };
        let (compiled, expander) = quickest(|| Expander::compile(&coded, gains).unwrap());
        let codes = plays(&expander, coded.code(cells, turn), &mut random);
        let mut out = Options::default();
        let (mut options, mut ends, mut each) = (0, 0, f64::MAX);
        for _ in 0..50 {
            (options, ends) = (0, 0);
            let begin = Instant::now();
            for &code in &codes {
                match expander.expand(code, &mut out) {
                    Expanded::Options => options += out.codes.len(),
                    _ => ends += 1,
                }
            }
            each = each.min(begin.elapsed().as_nanos() as f64 / codes.len() as f64);
        }
        let average = |number: usize| number as f64 / codes.len() as f64;
        let kind = if dense { "dense" } else { "fields" };
        println!(
            "    {kind:6}: compiled in {compiled:.2} ms, {each:.1} ns a position of {:.1} options, {:.2} ends",
            average(options),
            average(ends)
        );
    }
}

#[test]
#[ignore = "measures"]
fn speed() {
    measure("four heaps", &load(HEAPS, "{}"), false);
    measure("m_n_k 4x4, 4", &gallery("m_n_k", r#"{"rows": 4, "columns": 4, "k": 4}"#), true);
    measure("m_n_k 4x4, 3", &gallery("m_n_k", r#"{"rows": 4, "columns": 4, "k": 3}"#), true);
    measure("can_i_win 22", &gallery("can_i_win", r#"{"most": 22, "desired": 150}"#), false);
    measure("connect_k", &gallery("connect_k", "{}"), true);
    measure("domineering", &gallery("domineering", "{}"), true);
    measure("kalah", &gallery("kalah", "{}"), true);
    measure("hex 3x3", &gallery("hex", r#"{"size": 3}"#), true);
    measure("hex 4x4", &gallery("hex", r#"{"size": 4}"#), true);
    measure("dots_and_boxes", &gallery("dots_and_boxes", "{}"), true);
    measure("cat_and_mouse", &gallery("cat_and_mouse", "{}"), true);
}
