//! The two ways to machine code side by side: how large formulas become, how long each way takes to compile, and how many
//! positions a second it expands. Run it with
//! `cargo test -p perfectplay-jit program_speed -- --ignored --nocapture`.

use std::time::Instant;

use formula::TurnPlace;
use game::Player;
use jit::program::Rules;
use jit::{Expanded, Expander, Gains, Options, Successors};
use rules::bind::Bound;
use testkit::Random;
use testkit::files::{bound, game, program, workspace};

fn own(name: &str) -> String {
    std::fs::read_to_string(workspace(&format!("crates/testkit/games/{name}.game"))).expect("a rules file")
}

/// Keys met along random plays, one after the other.
fn plays(code: &Rules, bound: &Bound, random: &mut Random) -> Vec<u64> {
    let words = code.words();
    let mut keys = Vec::new();
    let mut scratch = code.scratch();
    let mut start = vec![0; words];
    code.key(&bound.start.parts[0], bound.starts, &mut start);
    for _ in 0..200 {
        let mut key = start.clone();
        for _ in 0..60 {
            keys.extend_from_slice(&key);
            if code.expand(&key, &mut scratch) != Expanded::Options {
                break;
            }
            let next = random.below(scratch.options.same.len());
            key.copy_from_slice(&scratch.options.codes[next * words..][..words]);
        }
    }
    keys
}

fn measure(name: &str, text: &str, instance: &str) {
    let bound = bound(&program(text), instance);
    let gains = if bound.program.counted { Gains::Difference } else { Gains::Outcome };
    let begin = Instant::now();
    let code = Rules::compile(&bound, gains, true).expect("code");
    let compiled = begin.elapsed();
    let keys = plays(&code, &bound, &mut Random::new(3));
    let count = keys.len() / code.words();
    let mut scratch = code.scratch();
    let begin = Instant::now();
    let mut options = 0;
    let mut rounds = 0;
    while begin.elapsed().as_millis() < 300 {
        for key in keys.chunks_exact(code.words()) {
            code.expand(key, &mut scratch);
            options += scratch.options.same.len();
        }
        rounds += 1;
    }
    let rate = (count * rounds) as f64 / begin.elapsed().as_secs_f64();
    let each = options as f64 / (count * rounds) as f64;
    println!(
        "{name} {instance}: {} bits, compiled in {compiled:?}, {rate:.0} positions/s of {each:.1} moves",
        code.bits()
    );
    let begin = Instant::now();
    let formulas = match formula::specialise(&bound) {
        Ok(formulas) => formulas,
        Err(why) => return println!("    formulas: {why}, after {:?}", begin.elapsed()),
    };
    let (made, nodes) = (begin.elapsed(), formulas.arena.len());
    println!("    formulas: {nodes} nodes, {} actions in {made:?}", formulas.actions.len());
    let begin = Instant::now();
    let study = formula::study(formulas, &bound.start.parts[0], bound.starts.0, true);
    println!("    study {:?}", begin.elapsed());
    let Some(coded) = study.coded(false, TurnPlace::First) else { return println!("    no codes") };
    let begin = Instant::now();
    let expander = match Expander::compile(&coded, gains) {
        Ok(expander) => expander,
        Err(why) => return println!("    {why}, after {:?}", begin.elapsed()),
    };
    println!("    compiled in {:?}", begin.elapsed());
    let mut cells = vec![0; bound.layout.cells()];
    let codes: Vec<u64> = keys
        .chunks_exact(code.words())
        .map(|key| {
            let turn: Player = code.position(key, &mut cells).expect("a position");
            coded.code(&cells, turn.0)
        })
        .collect();
    let mut out = Options::default();
    let begin = Instant::now();
    let mut rounds = 0;
    while begin.elapsed().as_millis() < 300 {
        codes.iter().for_each(|code| {
            expander.expand(*code, &mut out);
        });
        rounds += 1;
    }
    println!("    {:.0} positions/s", (count * rounds) as f64 / begin.elapsed().as_secs_f64());
}

#[test]
#[ignore = "it measures"]
fn both_ways() {
    measure("connect_k", &game("connect_k"), r#"{"rows": 6, "columns": 7, "k": 4}"#);
    measure("connect_k", &game("connect_k"), r#"{"rows": 4, "columns": 5, "k": 4}"#);
    measure("kalah_var", &own("kalah_var"), r#"{"pits": 4, "seeds": 3}"#);
    measure("l_game", &own("l_game"), "{}");
    measure("rook_mate", &own("rook_mate"), "{}");
    measure("rook_mate", &own("rook_mate"), r#"{"size": 8}"#);
    measure("hex", &game("hex"), r#"{"size": 3}"#);
    measure("hex", &game("hex"), r#"{"size": 4}"#);
    measure("hex", &game("hex"), r#"{"size": 7}"#);
    measure("kalah", &game("kalah"), r#"{"pits": 3, "seeds": 2}"#);
    measure("kalah", &game("kalah"), r#"{"pits": 4, "seeds": 3}"#);
    measure("kalah", &game("kalah"), r#"{"pits": 6, "seeds": 4}"#);
    measure("dots_and_boxes", &game("dots_and_boxes"), r#"{"rows": 3, "columns": 3}"#);
    measure("clobber", &game("clobber"), r#"{"rows": 4, "columns": 4}"#);
    measure("kalah_var", &own("kalah_var"), r#"{"pits": 3, "seeds": 2}"#);
    measure("hex_rounds", &own("hex_rounds"), r#"{"size": 2}"#);
    measure("hex_rounds", &own("hex_rounds"), r#"{"size": 5}"#);
}
