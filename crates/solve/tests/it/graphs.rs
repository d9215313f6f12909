//! Random games on explicit graphs, written as rules files in many spellings, against the definitions.
//!
//! The tiniest are exhaustive: all digraphs on up to three vertices with all ends. The rest are random, with every kind
//! of result: won, lost and drawn with and without endless play, scores, payoffs of two to four players with ties.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::prelude::*;
use testkit::Random;
use testkit::explicit::{Aim, Also, Explicit, Field};
use testkit::net::{Arc, KEEPINGS, Keeping, Label, Net, Recipe, Spelling, Whose, random_net};
use testkit::oracle;

use crate::common;
use crate::common::compare::compare;
use crate::common::{answer, bound, program, with_room};

/// Solves a game and compares everything; a game that must end and does not must be refused.
fn agree(bound: &Bound, graph: &Explicit, also: &Also) -> Result<(), String> {
    let refused = oracle::worths(graph).is_none();
    match answer(bound) {
        Ok(_) if refused => Err("solved, though positions repeat".to_string()),
        Ok(solution) => compare(&solution, graph, also),
        Err(SolveError::Fault(fault)) if refused => {
            let shown = fault.diagnostic.notes.iter().any(|note| note.contains("a cycle of"));
            let title = &fault.diagnostic.title;
            if title.starts_with("positions repeat") && shown { Ok(()) } else { Err(title.clone()) }
        }
        Err(error) => Err(error.to_string()),
    }
}

fn net_agrees(net: &Net, spelling: Spelling, keeping: Keeping, given: bool) {
    let (text, instance) = net.text(spelling, keeping, given);
    let bound = bound(&program(&text), &instance);
    let graph = net.explicit(spelling);
    let result = agree(&bound, &graph, &net.also()).and_then(|()| forced_methods_agree(&bound, &graph, &net.also()));
    if let Err(difference) = result {
        panic!("{difference}\n{text}\n{instance}");
    }
}

/// Methods that are asked for give the same answer, or say why they do not apply.
fn forced_methods_agree(bound: &Bound, graph: &Explicit, also: &Also) -> Result<(), String> {
    let either = Also { other_start: also.other_start, ..Also::default() };
    let acyclic = graph.order(graph.start).is_some();
    let won = matches!(graph.aim, Aim::Outcome(_));
    // Code for every one of thousands of nets would take minutes, so every eighth gets it.
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let compiled = TURN.fetch_add(1, Ordering::Relaxed).is_multiple_of(8);
    for method in solve::methods::names().filter(|method| compiled || !method.compiles()) {
        let options = Options { method: Some(method), check_total: true, ..Options::default() };
        let result = solve::answer::answer(bound, &options, &mut Monitor::new(&Limits { memory: 1 << 30, time: None }));
        let applies = match method.name() {
            "induction" => acyclic,
            "retrograde" => won,
            "loopy" => also.nimber == Field::There,
            _ => false,
        };
        let untold = method.compiles() || method.name() == "heap";
        // Layers may repeat positions.
        let may_repeat = method.name() == "layers" && won;
        match result {
            // Whether rules can be compiled, and into what, or are those of a heap, is not told by the graph.
            Err(SolveError::NotApplicable(_) | SolveError::Limit { .. }) if untold => {}
            Ok(solution) if applies || (untold && (acyclic || may_repeat)) => {
                compare(&solution, graph, &either).map_err(|d| format!("{method:?}: {d}"))?
            }
            // A search knows the value of the start and no lengths. Where it meets no repetition it need not refuse.
            Ok(solution) if matches!(method.name(), "alpha_beta" | "proof_number") => match answer(bound) {
                Ok(known) => {
                    let of = |solution: &Solution| (solution.outcome, solution.value, solution.best_moves.clone());
                    let class = solution.outcome_class;
                    if of(&solution) != of(&known) || class.is_some() && class != known.outcome_class {
                        return Err(format!("{method:?}: {solution:?}"));
                    }
                }
                Err(_) if !acyclic => {}
                Err(error) => return Err(format!("{method:?}: {solution:?}, and {error}")),
            },
            // Values tell who wins, whoever starts, and no lengths.
            Ok(solution) if acyclic && matches!(method.name(), "values" | "board" | "groups" | "winner") => {
                let known = answer(bound).map_err(|error| error.to_string())?;
                let of = |solution: &solve::answer::solution::Solution| {
                    (solution.outcome, solution.outcome_class, solution.nimber, solution.best_moves.clone())
                };
                if of(&solution) != of(&known) {
                    return Err(format!("{method:?}: {solution:?}"));
                }
            }
            Err(SolveError::NotApplicable(_)) if !applies => {}
            Err(SolveError::Fault(_)) if !acyclic && !won => {}
            other => return Err(format!("{method:?}: {other:?}")),
        }
    }
    Ok(())
}

/// Random nets of one recipe, each in one of its spellings.
fn nets_agree(seed: u64, count: usize, most: usize, recipe: impl Fn(&mut Random) -> Recipe + Send + 'static) {
    with_room(move || {
        let mut random = Random::new(seed);
        for _ in 0..count {
            let recipe = recipe(&mut random);
            let mut net = random_net(&mut random, recipe, most);
            let mut spelling = *random.pick(&[Spelling::Rules, Spelling::Numbers, Spelling::Lists, Spelling::Range]);
            if matches!(spelling, Spelling::Lists | Spelling::Range) {
                if !net.is_plain() || matches!(net.aim, Aim::Difference | Aim::Own) {
                    spelling = Spelling::Numbers;
                } else {
                    simplify(&mut net, spelling == Spelling::Range);
                }
            }
            let keeping = *random.pick(&KEEPINGS);
            net_agrees(&net, spelling, keeping, random.one_in(2));
        }
    });
}

/// Leaves one arc between two vertices, in ascending order if asked: repeated choices count once.
fn simplify(net: &mut Net, ascending: bool) {
    for arcs in &mut net.arcs {
        if ascending {
            arcs.sort_by_key(|arc| arc.to);
        }
        let mut seen = Vec::new();
        arcs.retain(|arc| {
            !seen.contains(&arc.to) && {
                seen.push(arc.to);
                true
            }
        });
    }
}

const OUTCOMES: Recipe = Recipe {
    players: 2,
    aim: Aim::Outcome(None),
    loopy: false,
    results: true,
    owned: false,
    turns: false,
    named: false,
    balanced: false,
};

#[test]
fn won_and_lost_by_the_last_mover() {
    nets_agree(1, 1000, 8, |random| Recipe { loopy: random.one_in(2), results: false, ..OUTCOMES });
}

#[test]
fn won_lost_and_drawn() {
    nets_agree(2, 1000, 7, |random| Recipe { loopy: random.one_in(2), named: random.one_in(2), ..OUTCOMES });
}

#[test]
fn moves_that_belong_to_a_player() {
    nets_agree(3, 1400, 7, |random| Recipe {
        loopy: random.one_in(2),
        results: random.one_in(2),
        owned: true,
        named: random.one_in(2),
        ..OUTCOMES
    });
}

#[test]
fn moves_that_change_the_turn() {
    nets_agree(4, 1400, 6, |random| Recipe {
        loopy: random.one_in(2),
        owned: random.one_in(3),
        turns: true,
        named: random.one_in(2),
        ..OUTCOMES
    });
}

#[test]
fn endless_play_that_is_won() {
    nets_agree(5, 1800, 7, |random| Recipe {
        aim: Aim::Outcome(Some(random.below(2))),
        loopy: !random.one_in(8),
        results: !random.one_in(4),
        owned: random.one_in(2),
        turns: random.one_in(3),
        named: random.one_in(2),
        ..OUTCOMES
    });
}

#[test]
fn scores_by_difference() {
    nets_agree(6, 1400, 8, |random| Recipe {
        aim: Aim::Difference,
        loopy: random.one_in(6),
        owned: random.one_in(3),
        turns: random.one_in(3),
        named: random.one_in(2),
        balanced: random.one_in(3),
        ..OUTCOMES
    });
}

#[test]
fn own_totals_that_vary() {
    nets_agree(7, 1800, 8, |random| Recipe {
        aim: Aim::Own,
        loopy: random.one_in(8),
        owned: random.one_in(3),
        turns: random.one_in(3),
        named: random.one_in(2),
        ..OUTCOMES
    });
}

#[test]
fn own_totals_that_are_constant() {
    nets_agree(8, 800, 8, |random| Recipe {
        aim: Aim::Own,
        owned: random.one_in(3),
        turns: random.one_in(3),
        named: random.one_in(2),
        balanced: true,
        ..OUTCOMES
    });
}

#[test]
fn payoffs_of_several_players() {
    nets_agree(9, 1800, 8, |random| Recipe {
        players: 3 + random.below(2),
        aim: Aim::Own,
        loopy: random.one_in(8),
        owned: random.one_in(3),
        turns: random.one_in(3),
        named: true,
        ..OUTCOMES
    });
}

#[test]
fn winners_among_several_players() {
    nets_agree(10, 1400, 8, |random| Recipe {
        players: 3 + random.below(2),
        aim: Aim::Winners,
        loopy: random.one_in(8),
        owned: random.one_in(3),
        turns: random.one_in(3),
        named: true,
        ..OUTCOMES
    });
}

#[test]
fn larger_graphs() {
    nets_agree(11, 500, 40, |random| Recipe {
        aim: *random.pick(&[Aim::Outcome(None), Aim::Outcome(Some(1)), Aim::Own, Aim::Difference]),
        loopy: false,
        owned: random.one_in(2),
        turns: random.one_in(2),
        named: random.one_in(2),
        ..OUTCOMES
    });
    nets_agree(12, 500, 40, |random| Recipe {
        aim: *random.pick(&[Aim::Outcome(None), Aim::Outcome(Some(0)), Aim::Outcome(Some(1))]),
        loopy: true,
        owned: random.one_in(2),
        turns: random.one_in(2),
        named: random.one_in(2),
        ..OUTCOMES
    });
}

/// A rules file whose whole net is given: `edges`, and at each vertex 0 for no end, 1 win, 2 lose, 3 draw.
fn given_net(stuck: &str, forever: &str, arcs: &str) -> String {
    format!(
        "game net(edges: [[int]], theirs: [[int]] = edges, ends: [int]) {{
            state {{ at in 0..len(ends) = 0; }}
            end when ends[at] == 1 => win;
            end when ends[at] == 2 => lose;
            end when ends[at] == 3 => draw;
            {arcs}
            stuck => {stuck};
            forever => {forever};
        }}"
    )
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Runs through all numbers with `digits` digits to the base `base`.
fn all(digits: usize, base: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..base.pow(digits as u32)).map(move |number| (0..digits).map(|d| number / base.pow(d as u32) % base).collect())
}

fn subset(bits: usize, n: usize) -> Vec<usize> {
    (0..n).filter(|vertex| bits >> vertex & 1 == 1).collect()
}

const RESULTS: [(&str, Label); 3] = [("lose", Label::Lose), ("win", Label::Win), ("draw", Label::Draw)];
const FOREVER: [(&str, Option<usize>); 3] = [("draw", None), ("winner first", Some(0)), ("winner second", Some(1))];

#[test]
fn all_digraphs_on_up_to_three_vertices() {
    let mut count = 0;
    for (stuck, stuck_label) in RESULTS {
        for (forever, endless) in FOREVER {
            let program = program(&given_net(stuck, forever, "move go(to in edges[at]) { at = to; }"));
            for n in 1..=3 {
                // Each vertex has one of three ends, or any set of arcs.
                for vertices in all(n, 3 + (1 << n)) {
                    let arcs: Vec<Vec<usize>> = vertices.iter().map(|&v| subset(v.saturating_sub(3), n)).collect();
                    let ends: Vec<usize> = vertices.iter().map(|&v| if v < 3 { v + 1 } else { 0 }).collect();
                    let instance = format!(
                        r#"{{"edges": {}, "ends": {ends:?}}}"#,
                        list(arcs.iter().map(|arcs| format!("{arcs:?}")))
                    );
                    let labels = [None, Some(Label::Win), Some(Label::Lose), Some(Label::Draw)];
                    let net = Net {
                        players: 2,
                        aim: Aim::Outcome(endless),
                        starts: 0,
                        start: 0,
                        arcs: arcs.into_iter().map(|arcs| arcs.into_iter().map(Arc::to).collect()).collect(),
                        ends: ends.iter().map(|&end| labels[end].clone()).collect(),
                        stuck: Some(stuck_label.clone()),
                    };
                    let bound = bound(&program, &instance);
                    if let Err(difference) = agree(&bound, &net.explicit(Spelling::Lists), &Also::default()) {
                        panic!("{difference}\nstuck {stuck}, forever {forever}\n{instance}");
                    }
                    count += 1;
                }
            }
        }
    }
    assert_eq!(count, 9 * (5 + 7 * 7 + 11 * 11 * 11));
}

#[test]
fn all_digraphs_of_two_players_on_two_vertices() {
    let mut count = 0;
    let moves = "move first a(to in edges[at]) { at = to; } move second b(to in theirs[at]) { at = to; }";
    for (stuck, stuck_label) in RESULTS {
        for (forever, endless) in FOREVER {
            let program = program(&given_net(stuck, forever, moves));
            for vertices in all(2, 3 + 16) {
                let sets = |shift: usize| -> Vec<Vec<usize>> {
                    vertices.iter().map(|&v| subset(v.saturating_sub(3) >> shift & 3, 2)).collect()
                };
                let ends: Vec<usize> = vertices.iter().map(|&v| if v < 3 { v + 1 } else { 0 }).collect();
                let instance = format!(r#"{{"edges": {:?}, "theirs": {:?}, "ends": {ends:?}}}"#, sets(0), sets(2));
                let labels = [None, Some(Label::Win), Some(Label::Lose), Some(Label::Draw)];
                let arc = |who: usize| move |to: usize| Arc { who: Some(who), ..Arc::to(to) };
                let both = |(mine, theirs): (Vec<usize>, Vec<usize>)| -> Vec<Arc> {
                    mine.into_iter().map(arc(0)).chain(theirs.into_iter().map(arc(1))).collect()
                };
                let net = Net {
                    players: 2,
                    aim: Aim::Outcome(endless),
                    starts: 0,
                    start: 0,
                    arcs: sets(0).into_iter().zip(sets(2)).map(both).collect(),
                    ends: ends.iter().map(|&end| labels[end].clone()).collect(),
                    stuck: Some(stuck_label.clone()),
                };
                let mut graph = net.explicit(Spelling::Lists);
                for node in &mut graph.nodes {
                    let name = ["a", "b"][node.mover];
                    node.moves.iter_mut().for_each(|step| step.label = step.label.replace("go", name));
                }
                let bound = bound(&program, &instance);
                if let Err(difference) = agree(&bound, &graph, &Also::default()) {
                    panic!("{difference}\nstuck {stuck}, forever {forever}\n{instance}");
                }
                count += 1;
            }
        }
    }
    assert_eq!(count, 9 * 19 * 19);
}

#[test]
fn ends_are_tried_in_order() {
    let net = Net {
        players: 2,
        aim: Aim::Outcome(None),
        starts: 1,
        start: 0,
        arcs: vec![vec![Arc::to(1)], vec![Arc::to(0)]],
        ends: vec![None, Some(Label::Winner(Whose::Player(1)))],
        stuck: None,
    };
    let (text, instance) = net.text(Spelling::Rules, Keeping::Number, false);
    let shadowed = text
        .replace("    end when at == 1", "    end when at == 1 and at == 0 => win;\n    end when at == 1")
        .replace("winner second;", "winner second;\n    end when at == 1 => draw;");
    let bound = bound(&program(&shadowed), &instance);
    agree(&bound, &net.explicit(Spelling::Rules), &Also::default()).unwrap();
}

/// A game of three that is won, not counted, gives no gains; the solver once took that for a mistake of its own.
#[test]
fn three_players_who_win_without_gains() {
    let state = "game three() { players 3; state { at in 0..2 = 0; } stuck => lose; move go when at == 0 { at = 1; } }";
    let solution = common::solved(state, "{}");
    assert_eq!((solution.winner, solution.outcome, solution.unique), (None, Some(Outcome::Win), Some(true)));
    let sum = "game three() { players 3; sum of part(at in 0..2) from [0, 0]; move go when at == 0 { at = 1; } }";
    let solution = common::solved(sum, "{}");
    assert_eq!((solution.outcome, solution.line.unwrap().len()), (Some(Outcome::Win), 2));
}
