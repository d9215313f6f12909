//! How long compiling takes, and working out one position. Run it with
//! `cargo test -p perfectplay-jit --release --test expand_speed -- --ignored --nocapture`.

use std::sync::Arc;
use std::time::Instant;

use formula::TurnPlace;
use jit::module::Effort;
use jit::{Expanded, Expander, Gains, Options, Successors};
use rules::bind::{Bound, bind};

mod common;

use common::Random;

const HEAPS: &str = "game heaps() { state { h in [0..=99; 4] = [99, 99, 99, 99]; }
    move take(i in 0..4, k in 1..=3) when k <= h[i] { h[i] -= k; } stuck => lose; }";

fn load(source: &str, instance: &str) -> Bound {
    let program = Arc::new(rules::compile(source).unwrap_or_else(|_| panic!("{source}")));
    let instance = rules::instance::parse_instance(instance).unwrap_or_else(|_| panic!("{instance}"));
    bind(&program, &instance).unwrap_or_else(|wrong| panic!("{}", wrong[0].title))
}

fn gallery(name: &str, instance: &str) -> Bound {
    let path = format!("{}/../../games/{name}.game", env!("CARGO_MANIFEST_DIR"));
    load(&std::fs::read_to_string(path).unwrap(), instance)
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
    let mut random = Random(7);
    let begin = Instant::now();
    let formulas = formula::specialise(bound).unwrap();
    let (specialised, nodes, actions) = (begin.elapsed(), formulas.arena.len(), formulas.actions.len());
    let begin = Instant::now();
    let study = formula::study(formulas, &bound.start.parts[0], bound.start.turn.0, with_turn);
    let studied = begin.elapsed();
    println!("{name}: {nodes} nodes, {actions} actions; specialised in {specialised:.1?}, studied in {studied:.1?}");
    let gains = if bound.program.counted { Gains::Difference } else { Gains::Outcome };
    for dense in [true, false] {
        let Some(coded) = study.coded(dense, TurnPlace::First) else { continue };
        for effort in [Effort::Little, Effort::Full] {
            let begin = Instant::now();
            let expander = Expander::with_effort(&coded, gains, effort).unwrap();
            let compiled = begin.elapsed();
            let codes = plays(&expander, coded.code(&bound.start.parts[0], bound.start.turn.0), &mut random);
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
                each = each.min(begin.elapsed().as_secs_f64() * 1e9 / codes.len() as f64);
            }
            let average = |number: usize| number as f64 / codes.len() as f64;
            let kind = if dense { "dense" } else { "fields" };
            println!(
                "    {kind:6} {effort:?}: compiled in {compiled:.1?}, {each:.1} ns a position of {:.1} options, {:.2} ends",
                average(options),
                average(ends)
            );
        }
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
    measure("hex", &gallery("hex", "{}"), true);
    measure("dots_and_boxes", &gallery("dots_and_boxes", "{}"), true);
    measure("cat_and_mouse", &gallery("cat_and_mouse", "{}"), true);
}
