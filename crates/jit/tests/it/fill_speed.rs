//! How fast tables are filled; run with `cargo test --release -p perfectplay-jit fill_speed -- --ignored --nocapture`.
//! `SPEED=stones` restricts it to models whose name begins so.

use std::time::Instant;

use jit::{Filler, Strategy, Values};
use testkit::files;

use crate::fill_support::*;

/// Processor time of this thread in seconds.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9
}

fn measure(name: &str, model: impl Fn() -> Model, values: Values, times: usize) {
    if std::env::var("SPEED").is_ok_and(|only| !name.starts_with(&only)) {
        return;
    }
    let model = model();
    let slow = std::env::var("SCALAR").is_ok();
    for strategy in [Strategy::Scalar, Strategy::Best] {
        if strategy == Strategy::Scalar && !slow {
            continue;
        }
        let start = Instant::now();
        let filler = Filler::with_strategy(&model.coded, &model.order, values, strategy).unwrap();
        let compiling = start.elapsed();
        let mut best = f64::MAX;
        let mut sum = 0u64;
        for _ in 0..times {
            let start = processor();
            let mut memory = vec![0u128; filler.bytes() / 16 + 1];
            filler.run(bytes(&mut memory), 1, &mut |_| true).unwrap();
            best = best.min(processor() - start);
            let bytes = bytes(&mut memory);
            sum = bytes[..filler.bytes()].iter().map(|byte| u64::from(*byte)).sum();
        }
        println!(
            "{name:10} {strategy:?}: {best:.4} s, {:.3} ns a position, compiled in {:.1} ms, sum {sum}: {}",
            best * 1e9 / model.coded.numbering.size as f64,
            compiling.as_secs_f64() * 1e3,
            filler.describe()
        );
    }
}

/// A rules file with an instance; skewed if that is possible and wanted.
fn game(name: &str, text: &str, instance: &str, skewed: bool) -> Model {
    let text = if text.is_empty() { files::game(name) } else { text.to_owned() };
    let bound = files::bound(&files::program(&text), instance);
    let formulas = formula::specialise(&bound).ok().unwrap();
    let with_turn = formulas.reads_mover;
    let mut study = formula::study(formulas, &bound.start.parts[0], bound.starts.0, with_turn);
    if skewed {
        study = *study.skewed.unwrap();
    }
    let coded = study.coded(true, formula::TurnPlace::First).unwrap();
    Model { coded, order: study.order.unwrap() }
}

#[test]
#[ignore = "a measurement"]
fn speed() {
    let small = [1, 4, 7, 12, 18, 23, 29, 31, 38, 42, 47, 53, 58, 66, 71, 77, 82, 88, 93, 99];
    let large = [16, 60, 120, 170, 220, 270, 310, 350, 410, 460, 510, 570, 620, 680, 720, 790, 830, 880, 940, 1000];
    measure("stones", || stones(10_000_000, &small), Values::Win, 3);
    measure("stones", || stones(10_000_000, &large), Values::Win, 3);
    measure("heaps", || heaps(4, 99, &[1, 2, 3]), Values::Win, 2);
    let row: Vec<i64> = (0..8000).map(|i| (i * 7919 + 13) % 1000).collect();
    measure("coins", || coins(&row), Values::Score { width: 4, checked: false }, 2);
    measure("coins", || coins_skewed(&row), Values::Score { width: 4, checked: false }, 2);
    let row: Vec<i64> = (0..1000).map(|i| (i * 7919 + 13) % 100).collect();
    measure("stone2", || stone_game_2(&row), Values::Score { width: 4, checked: false }, 2);
    measure("sets", || can_i_win(22, 150), Values::Win, 3);
    measure("board", || board(4, 4, 4), Values::Outcome, 1);
    measure("board", || board(4, 4, 4), Values::Remoteness { width: 1 }, 1);
    let list = |row: &[i64]| format!("{row:?}");
    let moves = |moves: &[i64]| format!("{{\"n\": 10000000, \"moves\": {}}}", list(moves));
    measure("r-stones", || game("stones", "", &moves(&small), false), Values::Win, 3);
    measure("r-stones", || game("stones", "", &moves(&large), false), Values::Win, 3);
    let long = Values::Remoteness { width: 4 };
    measure("r-long", || game("stones", "", &moves(&small), false), long, 2);
    measure("r-long", || game("stones", "", &moves(&large), false), long, 2);
    let heaps = "game heaps(most: int = 99) {
        state { a in 0..=most = most; b in 0..=most = most; c in 0..=most = most; d in 0..=most = most; }
        move a(k in 1..=3) when k <= a { a -= k; }
        move b(k in 1..=3) when k <= b { b -= k; }
        move c(k in 1..=3) when k <= c { c -= k; }
        move d(k in 1..=3) when k <= d { d -= k; }
    }";
    measure("r-heaps", || game("", heaps, "{}", false), Values::Win, 2);
    measure("r-heaps", || game("", heaps, "{}", false), Values::Remoteness { width: 2 }, 2);
    let coins: Vec<i64> = (0..8000).map(|i| (i * 7919 + 13) % 1000).collect();
    let coins = format!("{{\"coins\": {}}}", list(&coins));
    measure("r-coins", || game("coins", "", &coins, true), Values::Score { width: 4, checked: false }, 2);
    let piles = format!("{{\"piles\": {}}}", list(&row));
    measure("r-stone2", || game("stone_game_2", "", &piles, false), Values::Score { width: 4, checked: false }, 2);
    let sets = "{\"most\": 22, \"desired\": 150}";
    measure("r-sets", || game("can_i_win", "", sets, false), Values::Win, 3);
    measure("r-sets", || game("can_i_win", "", sets, false), Values::Remoteness { width: 1 }, 3);
    let board = "{\"rows\": 4, \"columns\": 4, \"k\": 4}";
    measure("r-board", || game("m_n_k", "", board, false), Values::Outcome, 1);
    measure("r-board", || game("m_n_k", "", board, false), Values::Remoteness { width: 1 }, 1);
}
