//! Tables filled by compiled code against tables filled by the evaluator.

use jit::{Filler, Halt, Strategy, Values};

use crate::fill_support::*;

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

/// Tables are the same for every number of threads.
#[test]
fn threads() {
    let models = [heaps(3, 80, &[1, 2, 3]), heaps(4, 27, &[1, 4, 5]), board(4, 3, 3), board(3, 4, 2)];
    let kinds = [Values::Win, Values::Outcome, Values::Remoteness { width: 2 }, Values::Nimber { width: 1 }];
    let mut shared = 0;
    for (number, model) in models.iter().enumerate() {
        for values in kinds {
            if number >= 2 && matches!(values, Values::Win | Values::Nimber { .. }) {
                continue;
            }
            for strategy in STRATEGIES {
                let Ok(filler) = Filler::with_strategy(&model.coded, &model.order, values, strategy) else { continue };
                let mut tables = Vec::new();
                for threads in [1, 2, 5] {
                    let mut memory = table(filler.bytes());
                    let mut told = 0;
                    filler
                        .run(bytes(&mut memory), threads, &mut |done| {
                            told = done;
                            true
                        })
                        .unwrap();
                    assert!(told > 0 && told <= model.coded.numbering.size);
                    tables.push(memory);
                }
                assert!(tables[0] == tables[1] && tables[0] == tables[2], "model {number}, {values:?}, {strategy:?}");
                shared += usize::from(filler.shares());
            }
        }
    }
    assert!(shared > 10, "{shared}");
}

/// A fill stops when it is told to, soon.
#[test]
fn stopping() {
    let model = heaps(4, 27, &[1, 2, 3]);
    let filler = Filler::compile(&model.coded, &model.order, Values::Win).unwrap();
    for threads in [1, 2] {
        let mut memory = table(filler.bytes());
        let mut asked = 0;
        let result = filler.run(bytes(&mut memory), threads, &mut |_| {
            asked += 1;
            asked < 3
        });
        // Another thread may have been faster.
        assert!(result == Err(Halt::Stopped) && asked == 3 || threads > 1 && asked <= 3);
    }
}

/// Whoever watches a fill may panic: the other threads come to an end, and the panic goes on.
#[test]
fn a_panic_of_who_watches() {
    let models = [heaps(3, 80, &[1, 2, 3]), heaps(4, 27, &[1, 4, 5]), board(4, 3, 3)];
    let kinds = [Values::Outcome, Values::Remoteness { width: 2 }];
    let mut shared = 0;
    for (model, values, strategy) in models.iter().flat_map(|model| {
        kinds.into_iter().flat_map(move |values| STRATEGIES.into_iter().map(move |strategy| (model, values, strategy)))
    }) {
        let Ok(filler) = Filler::with_strategy(&model.coded, &model.order, values, strategy) else { continue };
        if !filler.shares() {
            continue;
        }
        shared += 1;
        for threads in [2, 3] {
            let mut memory = table(filler.bytes());
            let run = std::panic::AssertUnwindSafe(|| {
                filler.run(bytes(&mut memory), threads, &mut |_| std::panic::panic_any("enough"))
            });
            let panic = std::panic::catch_unwind(run).expect_err("a panic");
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"enough"), "{strategy:?}, {threads}");
        }
    }
    assert!(shared > 0);
}
