//! Tables filled by compiled code against tables filled by the evaluator.

mod fill_support;

use fill_support::*;
use jit::{Strategy, Values};

const REMOTENESS: Values = Values::Remoteness { width: 1 };

fn all_outcomes(model: &Model, note: &str) {
    for values in
        [Values::Win, Values::Outcome, REMOTENESS, Values::Remoteness { width: 2 }, Values::Nimber { width: 1 }]
    {
        for strategy in STRATEGIES {
            check(model, values, strategy, 1, note);
        }
    }
}

fn scores(model: &Model, note: &str) {
    for width in [2, 4, 8] {
        for checked in [false, true] {
            if !checked || width == 8 {
                for strategy in STRATEGIES {
                    check(model, Values::Score { width, checked }, strategy, 1, note);
                }
            }
        }
    }
}

#[test]
fn heaps_and_stones() {
    all_outcomes(&stones(60, &[1, 3, 4]), "stones");
    all_outcomes(&stones(300, &[17, 40, 3]), "stones");
    all_outcomes(&heaps(2, 30, &[1, 2, 3]), "heaps");
    all_outcomes(&heaps(3, 5, &[1, 2, 3]), "heaps");
}

#[test]
fn rows() {
    let row: Vec<i64> = (0..40).map(|i| (i * 37 + 11) % 23).collect();
    scores(&coins(&row), "coins");
    scores(&coins_skewed(&row), "coins, skewed");
    scores(&stone_game_2(&row), "Stone Game II");
}

#[test]
fn boards() {
    for (rows, columns, k) in [(1, 1, 1), (2, 2, 2), (3, 3, 3), (2, 4, 3), (2, 2, 3)] {
        let model = board(rows, columns, k);
        for values in [Values::Outcome, REMOTENESS] {
            for strategy in STRATEGIES {
                check(&model, values, strategy, 1, "board");
            }
        }
    }
}

#[test]
fn sets() {
    for (most, desired) in [(1, 1), (4, 6), (6, 11), (10, 40)] {
        all_outcomes(&can_i_win(most, desired), "sets");
    }
}

#[test]
fn parts() {
    for n in [3, 50, 300] {
        check(&grundy(n), Values::Nimber { width: 2 }, Strategy::Scalar, 1, "grundy");
    }
}
