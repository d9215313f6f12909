//! Every game of the gallery whose positions can be filled in an order, by every strategy, against the evaluator.

use formula::{Study, TurnPlace, extremes};
use jit::Values;
use testkit::files::{bound, gallery, game, instances, program};

use crate::fill_support;
use crate::fill_support::{Model, check_all};

/// Larger tables are left out: the evaluator is slow.
const LARGEST: u64 = 6561;

fn kinds(study: &Study, with_turn: bool) -> Vec<Values> {
    if study.formulas.counted {
        let mut kinds = vec![Values::Score { width: 8, checked: true }];
        for width in [1u8, 2, 4] {
            let most = i64::MAX >> (64 - 8 * width);
            if study.score_bound.is_some_and(|bound| bound < most) {
                kinds.push(Values::Score { width, checked: false });
            }
        }
        return kinds;
    }
    let mut kinds = vec![Values::Outcome, Values::Remoteness { width: 1 }, Values::Remoteness { width: 2 }];
    if study.order.as_ref().is_ok_and(|order| order.longest.is_none_or(|longest| longest > 60)) {
        kinds.remove(1);
    }
    if !extremes::has_draws(&study.formulas) {
        kinds.push(Values::Win);
    }
    if !with_turn {
        kinds.push(Values::Nimber { width: 2 });
    }
    kinds
}

/// Its groups of stones are found in rounds that end early, and such loops are not filled: the game is searched.
const NOT_FILLED: &str = "nogo";

fn fill(name: &str, study: &Study, with_turn: bool, used: &mut [usize]) {
    let Ok(order) = study.order.clone() else { return };
    if name == NOT_FILLED {
        return;
    }
    for place in [TurnPlace::First, TurnPlace::Last] {
        let Some(coded) = study.coded(true, place) else { continue };
        if coded.numbering.size > LARGEST || coded.formulas.players != 2 {
            continue;
        }
        let splits = coded.formulas.actions.iter().any(|action| action.split.is_some());
        let model = Model { coded, order: order.clone() };
        for values in kinds(study, with_turn) {
            if splits && !matches!(values, Values::Nimber { .. }) {
                continue;
            }
            check_all(&model, values, || 1, name, used);
        }
        if model.coded.numbering.turn.is_none() {
            break;
        }
    }
}

#[test]
fn the_gallery() {
    let mut used = [0; fill_support::STRATEGIES.len()];
    for (name, text) in gallery() {
        let program = program(&text);
        let before = used;
        for bound in instances(&program, 4, 3) {
            let Ok(formulas) = formula::specialise(&bound) else { continue };
            let Some(start) = bound.start.parts.first() else { continue };
            for with_turn in [true, false] {
                if !with_turn && formulas.reads_mover {
                    continue;
                }
                let study = match bound.start.parts.len() {
                    1 => formula::study(formulas.clone(), start, bound.starts.0, with_turn),
                    _ => formula::study::study_parts(formulas.clone(), &[&start[..]], with_turn),
                };
                fill(&name, &study, with_turn, &mut used);
                if let Some(skewed) = &study.skewed {
                    fill(&format!("{name}, skewed"), skewed, with_turn, &mut used);
                }
            }
        }
        let more: Vec<usize> = used.iter().zip(before).map(|(now, before)| now - before).collect();
        println!("{name}: {more:?}");
    }
    println!("{used:?}");
    assert!(used[0] > 200);
}

/// Instances with long rows, long sets and many counted choices: what the small ones of the gallery do not reach.
#[test]
fn larger() {
    let row: Vec<i64> = (0..40).map(|at| (at * 37 + 11) % 23).collect();
    let games = [
        ("stones", "{\"n\": 700, \"moves\": [1, 4, 9, 33, 70]}".to_owned()),
        ("stones", "{\"n\": 500, \"moves\": [16, 40, 17, 130]}".to_owned()),
        ("coins", format!("{{\"coins\": {row:?}}}")),
        ("stone_game_7", format!("{{\"stones\": {row:?}}}")),
        ("stone_game_2", format!("{{\"piles\": {row:?}}}")),
        ("can_i_win", "{\"most\": 9, \"desired\": 30}".to_owned()),
        ("m_n_k", "{\"rows\": 2, \"columns\": 4, \"k\": 3}".to_owned()),
        ("cram", "{\"rows\": 3, \"columns\": 3}".to_owned()),
        ("wythoff", "{\"a\": 40, \"b\": 50}".to_owned()),
    ];
    let mut used = [0; fill_support::STRATEGIES.len()];
    for (name, instance) in games {
        let bound = bound(&program(&game(name)), &instance);
        let formulas = formula::specialise(&bound).unwrap_or_else(|_| panic!("{name}"));
        let with_turn = formulas.reads_mover;
        let study = formula::study(formulas, &bound.start.parts[0], bound.starts.0, with_turn);
        let before = used;
        fill(name, &study, with_turn, &mut used);
        if let Some(skewed) = &study.skewed {
            fill(&format!("{name}, skewed"), skewed, with_turn, &mut used);
        }
        let more: Vec<usize> = used.iter().zip(before).map(|(now, before)| now - before).collect();
        println!("{name}: {more:?}");
    }
    assert!(used.iter().all(|used| *used > 0), "{used:?}");
}
