//! An answer against the oracle, field by field.

use std::collections::{BTreeSet, HashSet};

use crate::common::prelude::{AnswerKind, Outcome, OutcomeClass, Play, Player, Proof, Solution, Winner};

use testkit::explicit::{Aim, Also, Explicit, Field, Finish};
use testkit::oracle::{self, Worth};

macro_rules! same {
    ($what:expr, $found:expr, $expected:expr) => {{
        let (found, expected) = (&$found, &$expected);
        if found != expected {
            return Err(format!("{}: found {found:?}, expected {expected:?}", $what));
        }
    }};
}

fn player(number: usize) -> Winner {
    Winner::Player(Player(number as u8))
}

fn outcome(value: i64) -> Option<Outcome> {
    Some([Outcome::Loss, Outcome::Draw, Outcome::Win][(value.signum() + 1) as usize])
}

/// The winner of a game for two, from the mover's result.
fn winner(value: i64, mover: usize) -> Option<Winner> {
    Some(match value.signum() {
        0 => Winner::Draw,
        1 => player(mover),
        _ => player(1 - mover),
    })
}

/// What the oracle finds.
struct Expected {
    kind: AnswerKind,
    winner: Option<Winner>,
    outcome: Option<Outcome>,
    value: Option<i64>,
    payoffs: Option<Vec<i64>>,
    unique: Option<bool>,
    remoteness: Option<u64>,
}

impl Default for Expected {
    fn default() -> Expected {
        Expected {
            kind: AnswerKind::Outcome,
            winner: None,
            outcome: None,
            value: None,
            payoffs: None,
            unique: None,
            remoteness: None,
        }
    }
}

fn shown(moves: &Option<Vec<Play>>) -> Option<Vec<String>> {
    moves.as_ref().map(|moves| moves.iter().map(|mv| mv.label.clone()).collect())
}

/// Compares every field of an answer with what the oracle finds. The game must have an answer.
pub fn compare(solution: &Solution, graph: &Explicit, also: &Also) -> Result<(), String> {
    let worths = oracle::worths(graph).ok_or("the oracle says that positions repeat")?;
    compare_worths(solution, graph, also, &worths)
}

/// Compares every field of an answer with what the oracle found before.
pub fn compare_worths(
    solution: &Solution,
    graph: &Explicit,
    also: &Also,
    worths: &[Option<Worth>],
) -> Result<(), String> {
    let start = graph.start;
    let mover = graph.nodes[start].mover;
    let constant = graph.aim == Aim::Own && graph.players == 2 && oracle::total_is_constant(graph);
    let mut expected = Expected::default();
    match worths[start].as_ref().expect("the start has a worth") {
        Worth::Outcome(value, moves) => {
            (expected.winner, expected.outcome) = (winner(i64::from(*value), mover), outcome(i64::from(*value)));
            expected.remoteness = moves.map(u64::from).filter(|_| !by_value(solution));
            check_number_and_class(solution, graph, also, worths)?;
            expected.kind = if solution.nimber.is_some() { AnswerKind::Nimber } else { AnswerKind::Outcome };
            if solution.outcome_class.is_some() {
                expected.kind = AnswerKind::Partizan;
            }
        }
        Worth::Score(value) => {
            (expected.winner, expected.outcome) = (winner(*value, mover), outcome(*value));
            (expected.value, expected.kind) = (Some(*value), AnswerKind::Score);
        }
        Worth::Totals(first, _) if constant => {
            let value = first[mover] - first[1 - mover];
            (expected.winner, expected.outcome) = (winner(value, mover), outcome(value));
            (expected.value, expected.kind) = (Some(value), AnswerKind::Score);
        }
        Worth::Totals(first, all) => {
            expected.unique = Some(all.len() == 1);
            if graph.aim == Aim::Winners {
                let winners: Vec<usize> = (0..graph.players).filter(|&p| first[p] > 0).collect();
                expected.kind = AnswerKind::Outcome;
                expected.outcome = outcome(first[mover]);
                expected.winner = match winners[..] {
                    [] => Some(Winner::Draw),
                    [one] => Some(player(one)),
                    _ => None,
                };
                // Where several win, everyone's result is told.
                expected.payoffs = (winners.len() > 1).then(|| first.clone());
            } else {
                let most = first.iter().max().unwrap();
                let ahead: Vec<usize> = (0..graph.players).filter(|&p| first[p] == *most).collect();
                expected.kind = AnswerKind::Payoffs;
                expected.winner = (ahead.len() == 1).then(|| player(ahead[0]));
                expected.payoffs = Some(first.clone());
            }
        }
    }
    same!("kind", solution.kind, expected.kind);
    same!("winner", solution.winner, expected.winner);
    same!("outcome", solution.outcome, expected.outcome);
    same!("value", solution.value, expected.value);
    same!("payoffs", solution.payoffs, expected.payoffs);
    same!("unique", solution.unique, expected.unique);
    same!("remoteness", solution.remoteness, expected.remoteness);
    let (best, fast) = oracle::best_moves(graph, start, worths);
    let labels = |numbers: &[usize]| -> Vec<String> {
        numbers.iter().map(|&number| graph.nodes[start].moves[number].label.clone()).collect()
    };
    same!("best_moves", shown(&solution.best_moves), Some(labels(&best)));
    same!("fast_moves", shown(&solution.fast_moves), expected.remoteness.map(|_| labels(&fast)));
    let totals = check_line(solution, graph, worths)?;
    let scores = (expected.kind == AnswerKind::Score).then_some(totals);
    same!("scores", solution.scores, scores);
    // The Grundy method counts parts, the heap method heaps, a triangle and windows all places, a loop nest and moves turned round all codes; and where the rules go wrong if the other player starts, some of that was met.
    let comparable = also.other_start.is_some() || also.class == Field::Absent;
    let counts_codes =
        matches!(solution.method.name(), "grundy" | "loopy" | "heap" | "fill" | "retrograde" | "window" | "triangle");
    if comparable && !counts_codes && solution.positions > graph.nodes.len() as u64 {
        return Err(format!("{} positions of {}", solution.positions, graph.nodes.len()));
    }
    let proof = match solution.method.name() {
        "grundy" => Proof::Theorem("Sprague-Grundy".to_string()),
        "loopy" => Proof::Theorem("Smith's loopy nimbers".to_string()),
        "row" => Proof::Theorem("fusing peaks of rows".to_string()),
        "heap" if matches!(solution.proof, Proof::Theorem(_)) => solution.proof.clone(),
        _ => Proof::Table,
    };
    same!("proof", solution.proof, proof);
    Ok(())
}

/// Whether the answer comes from nimbers alone, which know no lengths.
fn by_value(solution: &Solution) -> bool {
    matches!(solution.method.name(), "grundy" | "loopy")
}

fn check_number_and_class(
    solution: &Solution,
    graph: &Explicit,
    also: &Also,
    worths: &[Option<Worth>],
) -> Result<(), String> {
    let mut number = oracle::nimber(graph, graph.start);
    if solution.method.name() == "loopy" {
        let value = oracle::loopy(graph, graph.start);
        same!(
            "loopy",
            solution.loopy.as_ref().map(|set| set.as_slice().iter().copied().collect::<BTreeSet<u64>>()),
            value.as_ref().err().cloned()
        );
        number = value.ok();
    } else {
        same!("loopy", solution.loopy, None);
    }
    match also.nimber {
        Field::There => same!("nimber", solution.nimber, number),
        Field::Absent => same!("nimber", solution.nimber, None),
        Field::Either if solution.nimber.is_some() => same!("nimber", solution.nimber, number),
        Field::Either => {}
    }
    let class = also.other_start.and_then(|other| class(graph, other, worths));
    match also.class {
        Field::There => same!("outcome_class", solution.outcome_class, class),
        Field::Absent => same!("outcome_class", solution.outcome_class, None),
        Field::Either if solution.outcome_class.is_some() => same!("outcome_class", solution.outcome_class, class),
        Field::Either => {}
    }
    Ok(())
}

/// Who wins whoever starts, if no position repeats.
fn class(graph: &Explicit, other: usize, worths: &[Option<Worth>]) -> Option<OutcomeClass> {
    graph.order(graph.start)?;
    graph.order(other)?;
    let first_wins = |start: usize| match worths[start] {
        Some(Worth::Outcome(value, _)) => (value > 0) == (graph.nodes[start].mover == 0),
        _ => panic!("not won or lost"),
    };
    let starting = [graph.start, other].into_iter().find(|&start| graph.nodes[start].mover == 0)?;
    let following = [graph.start, other].into_iter().find(|&start| graph.nodes[start].mover == 1)?;
    Some(match (first_wins(starting), first_wins(following)) {
        (true, true) => OutcomeClass::L,
        (false, false) => OutcomeClass::R,
        (true, false) => OutcomeClass::N,
        (false, true) => OutcomeClass::P,
    })
}

/// Plays the line: every move is legal and best (fast, where there is a remoteness; the first best where ties are broken by
/// order), and it ends, or says that it is cut. Gives what each player gains.
fn check_line(solution: &Solution, graph: &Explicit, worths: &[Option<Worth>]) -> Result<Vec<i64>, String> {
    let line = solution.line.as_ref().ok_or("no line")?;
    let mut at = graph.start;
    let mut seen = HashSet::from([at]);
    let mut repeated = false;
    let mut totals = vec![0; graph.players];
    for label in line.iter().map(|mv| &mv.label) {
        let node = &graph.nodes[at];
        let number =
            node.moves.iter().position(|step| step.label == *label).ok_or(format!("line: {label} is not legal"))?;
        let (best, fast) = oracle::best_moves(graph, at, worths);
        let good = match worths[at].as_ref().unwrap() {
            Worth::Outcome(_, Some(_)) if !by_value(solution) => fast.contains(&number),
            // Where both want opposite things, ties change nothing.
            Worth::Totals(..) if solution.kind != AnswerKind::Score => best[0] == number,
            _ => best.contains(&number),
        };
        if !good {
            return Err(format!("line: {label} is not best, line {:?}", shown(&solution.line)));
        }
        totals.iter_mut().zip(&node.moves[number].gains).for_each(|(total, gain)| *total += gain);
        at = node.moves[number].to;
        repeated = !seen.insert(at);
    }
    // A line by which someone wins gets somewhere: no position comes twice.
    if matches!(worths[graph.start], Some(Worth::Outcome(1 | -1, Some(_)))) && seen.len() <= line.len() {
        return Err(format!("line: a win that goes round, {line:?}"));
    }
    if solution.line_cut {
        if !repeated && line.len() < 1000 {
            return Err(format!("line: cut without need, {line:?}"));
        }
    } else if graph.nodes[at].end.is_none() {
        return Err(format!("line: stops before the end, {line:?}"));
    }
    if let Some(Finish::Gains(gains)) = &graph.nodes[at].end {
        totals.iter_mut().zip(gains).for_each(|(total, gain)| *total += gain);
    }
    Ok(totals)
}
