//! An answer against the oracle, field by field.

use std::collections::{BTreeSet, HashSet};

use perfectplay::Solution;

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

fn player(number: usize) -> String {
    ["first".to_string(), "second".to_string(), "third".to_string()]
        .get(number)
        .cloned()
        .unwrap_or(format!("player {number}"))
}

fn word(value: i64) -> Option<String> {
    Some(["lose", "draw", "win"][(value.signum() + 1) as usize].to_string())
}

/// The winner of a game for two, from the mover's result.
fn winner(value: i64, mover: usize) -> Option<String> {
    Some(match value.signum() {
        0 => "draw".to_string(),
        1 => player(mover),
        _ => player(1 - mover),
    })
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
    let mut expected = Solution::default();
    match worths[start].as_ref().expect("the start has a worth") {
        Worth::Outcome(value, moves) => {
            (expected.winner, expected.outcome) = (winner(i64::from(*value), mover), word(i64::from(*value)));
            expected.remoteness = moves.map(u64::from).filter(|_| !by_value(solution));
            check_number_and_class(solution, graph, also, worths)?;
            expected.kind = if solution.nimber.is_some() { "nimber" } else { "outcome" };
            if solution.outcome_class.is_some() {
                expected.kind = "partizan";
            }
        }
        Worth::Score(value) => {
            (expected.winner, expected.outcome) = (winner(*value, mover), word(*value));
            (expected.value, expected.kind) = (Some(*value), "score");
        }
        Worth::Totals(first, _) if constant => {
            let value = first[mover] - first[1 - mover];
            (expected.winner, expected.outcome) = (winner(value, mover), word(value));
            (expected.value, expected.kind) = (Some(value), "score");
        }
        Worth::Totals(first, all) => {
            expected.unique = Some(all.len() == 1);
            if graph.aim == Aim::Winners {
                let winners: Vec<usize> = (0..graph.players).filter(|&p| first[p] > 0).collect();
                expected.kind = "outcome";
                expected.outcome = word(first[mover]);
                expected.winner = match winners[..] {
                    [] => Some("draw".to_string()),
                    [one] => Some(player(one)),
                    _ => None,
                };
            } else {
                let most = first.iter().max().unwrap();
                let ahead: Vec<usize> = (0..graph.players).filter(|&p| first[p] == *most).collect();
                expected.kind = "payoffs";
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
    same!("best_moves", solution.best_moves, Some(labels(&best)));
    same!("fast_moves", solution.fast_moves, expected.remoteness.map(|_| labels(&fast)));
    let totals = check_line(solution, graph, worths)?;
    let scores = (expected.kind == "score").then_some(totals);
    same!("scores", solution.scores, scores);
    // The Grundy method counts parts, the heap method heaps, a triangle and windows all places, a loop nest and moves turned round all codes; and where the rules go wrong if the other player starts, some of that was met.
    let comparable = also.other_start.is_some() || also.class == Field::Absent;
    let counts_codes =
        matches!(&solution.method[..], "grundy" | "loopy" | "heap" | "fill" | "retrograde" | "window" | "triangle");
    if comparable && !counts_codes && solution.positions > graph.nodes.len() as u64 {
        return Err(format!("{} positions of {}", solution.positions, graph.nodes.len()));
    }
    let proof = match &solution.method[..] {
        "grundy" => "theorem: Sprague-Grundy",
        "loopy" => "theorem: Smith's loopy nimbers",
        "row" => "theorem: fusing peaks of rows",
        "heap" if solution.proof.starts_with("theorem: ") => &solution.proof,
        _ => "table",
    };
    same!("proof", solution.proof.as_str(), proof);
    Ok(())
}

/// Whether the answer comes from nimbers alone, which know no lengths.
fn by_value(solution: &Solution) -> bool {
    matches!(&solution.method[..], "grundy" | "loopy")
}

fn check_number_and_class(
    solution: &Solution,
    graph: &Explicit,
    also: &Also,
    worths: &[Option<Worth>],
) -> Result<(), String> {
    let mut number = oracle::nimber(graph, graph.start);
    if solution.method == "loopy" {
        let shown = |set: &BTreeSet<u64>| {
            let numbers: Vec<String> = set.iter().map(u64::to_string).collect();
            format!("∞{{{}}}", numbers.join(","))
        };
        let value = oracle::loopy(graph, graph.start);
        same!("loopy", solution.loopy, value.as_ref().err().map(shown));
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
fn class(graph: &Explicit, other: usize, worths: &[Option<Worth>]) -> Option<String> {
    graph.order(graph.start)?;
    graph.order(other)?;
    let first_wins = |start: usize| match worths[start] {
        Some(Worth::Outcome(value, _)) => (value > 0) == (graph.nodes[start].mover == 0),
        _ => panic!("not won or lost"),
    };
    let starting = [graph.start, other].into_iter().find(|&start| graph.nodes[start].mover == 0)?;
    let following = [graph.start, other].into_iter().find(|&start| graph.nodes[start].mover == 1)?;
    let name = match (first_wins(starting), first_wins(following)) {
        (true, true) => "L",
        (false, false) => "R",
        (true, false) => "N",
        (false, true) => "P",
    };
    Some(name.to_string())
}

/// Plays the line: every move is legal and best (fast, where there is a remoteness; the first best where ties are broken by
/// order), and it ends, or says that it is cut. Gives what each player gains.
fn check_line(solution: &Solution, graph: &Explicit, worths: &[Option<Worth>]) -> Result<Vec<i64>, String> {
    let line = solution.line.as_ref().ok_or("no line")?;
    let mut at = graph.start;
    let mut seen = HashSet::from([at]);
    let mut repeated = false;
    let mut totals = vec![0; graph.players];
    for label in line {
        let node = &graph.nodes[at];
        let number =
            node.moves.iter().position(|step| step.label == *label).ok_or(format!("line: {label} is not legal"))?;
        let (best, fast) = oracle::best_moves(graph, at, worths);
        let good = match worths[at].as_ref().unwrap() {
            Worth::Outcome(_, Some(_)) if !by_value(solution) => fast.contains(&number),
            // Where both want opposite things, ties change nothing.
            Worth::Totals(..) if solution.kind != "score" => best[0] == number,
            _ => best.contains(&number),
        };
        if !good {
            return Err(format!("line: {label} is not best, line {line:?}"));
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
