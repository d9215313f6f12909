//! Prints formulas of a game, for those who work on strategies: `GAME=can_i_win INSTANCE='{...}' cargo test --test fill_dump -- --ignored --nocapture`.
use std::sync::Arc;
#[test]
#[ignore = "prints"]
fn dump() {
    let name = std::env::var("GAME").unwrap();
    let text = std::fs::read_to_string(format!("{}/../../games/{name}.game", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let program = Arc::new(rules::compile(&text).ok().unwrap());
    let bound = rules::bind::bind(&program, &rules::instance::Instance::default()).ok().unwrap();
    let formulas = formula::specialise(&bound).ok().unwrap();
    let with_turn = formulas.reads_mover;
    let mut study = formula::study(formulas, &bound.start.parts[0], bound.starts.0, with_turn);
    if std::env::var("SKEW").is_ok() {
        study = *study.skewed.unwrap();
    }
    let show = |n: u32| format!("{n}: {:?}", study.formulas.arena.op(formula::Node(n)));
    for n in 0..study.formulas.arena.len() as u32 {
        println!("{}", show(n));
    }
    println!(
        "valid {:?} mover {:?} derived {:?} order {:?}",
        study.formulas.valid, study.mover, study.derived, study.order
    );
    println!("ends {:?}", study.formulas.ends);
    for action in study.formulas.actions.iter().take(4) {
        println!("{action:?}");
    }
    println!("{:?} draws {}", study.facts, formula::worth::has_draws(&study.formulas));
}
