//! The naive solver: definitions as they stand, on explicit graphs.
//!
//! Won, lost and drawn: sweeps over all positions until nothing changes, and where no position repeats the recursive
//! definition beside it. Scores, payoffs and Grundy numbers: the recursive definition.

use std::collections::BTreeSet;

use crate::explicit::{Aim, Explicit, Finish, Node};

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    /// 1 won, 0 drawn, −1 lost by the mover; and the moves to the end, where there is one.
    Outcome(i8, Option<u32>),
    /// The mover's further total minus the other's.
    Score(i64),
    /// Each player's further total when the first best move is played, and all vectors that ties can lead to.
    Totals(Vec<i64>, BTreeSet<Vec<i64>>),
}

/// The worth of every position that can be reached from the start, and of others where that costs nothing; `None` for
/// a counted game whose positions can repeat.
pub fn worths(graph: &Explicit) -> Option<Vec<Option<Worth>>> {
    let order = graph.order(graph.start);
    if let Aim::Outcome(forever) = graph.aim {
        let swept = outcomes(graph, forever);
        for node in order.into_iter().flatten() {
            let (value, moves) = swept[node];
            assert_eq!(recursive(&graph.nodes[node], graph, &swept), (value, moves), "the oracle at {node}");
        }
        return Some(swept.into_iter().map(|(value, moves)| Some(Worth::Outcome(value, moves))).collect());
    }
    let mut worths = vec![None; graph.nodes.len()];
    for node in order? {
        worths[node] = Some(match graph.aim {
            Aim::Difference => score(graph, node, &worths),
            _ => totals(graph, node, &worths),
        });
    }
    Some(worths)
}

/// What the outcome of an option is to the player who moves there, and how long it takes.
fn of_option(node: &Node, to: usize, graph: &Explicit, known: (i8, Option<u32>)) -> (i8, Option<u32>) {
    let sign = if graph.nodes[to].mover == node.mover { 1 } else { -1 };
    (sign * known.0, known.1.map(|moves| moves + 1))
}

/// The definition for games that end: the best option; winners hurry, losers linger, draws take the shortest way.
fn recursive(node: &Node, graph: &Explicit, known: &[(i8, Option<u32>)]) -> (i8, Option<u32>) {
    if let Some(Finish::Outcome(value)) = node.end {
        return (value, Some(0));
    }
    let options: Vec<_> = node.moves.iter().map(|step| of_option(node, step.to, graph, known[step.to])).collect();
    let best = options.iter().map(|option| option.0).max().expect("a position has an end or a move");
    let lengths = options.iter().filter(|option| option.0 == best).map(|option| option.1);
    (best, if best < 0 { lengths.max().unwrap() } else { lengths.min().unwrap() })
}

/// Sweeps: in the sweep number k all positions are decided that take k moves.
fn outcomes(graph: &Explicit, forever: Option<usize>) -> Vec<(i8, Option<u32>)> {
    let mut known: Vec<Option<(i8, Option<u32>)>> = vec![None; graph.nodes.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        if let Some(Finish::Outcome(value @ (1 | -1))) = node.end {
            known[index] = Some((value, Some(0)));
        }
    }
    for sweep in 1.. {
        let before = known.clone();
        for (index, node) in graph.nodes.iter().enumerate() {
            if before[index].is_some() || node.moves.is_empty() {
                continue;
            }
            let option = |to: usize| before[to].map(|value| of_option(node, to, graph, value).0);
            if node.moves.iter().any(|step| option(step.to) == Some(1)) {
                known[index] = Some((1, Some(sweep)));
            } else if node.moves.iter().all(|step| option(step.to) == Some(-1)) {
                known[index] = Some((-1, Some(sweep)));
            }
        }
        if known == before {
            break;
        }
    }
    let mut decided: Vec<(i8, Option<u32>)> = match forever {
        None => known.into_iter().map(|value| value.unwrap_or((0, None))).collect(),
        Some(player) => award(graph, known, player),
    };
    shortest_draws(graph, &mut decided);
    decided
}

/// Endless play is won by `player`: of what is left, the other has drawn where he can force a drawn or won end.
fn award(graph: &Explicit, known: Vec<Option<(i8, Option<u32>)>>, player: usize) -> Vec<(i8, Option<u32>)> {
    let won_by_other =
        |index: usize| known[index].is_some_and(|(value, _)| (value > 0) == (graph.nodes[index].mover != player));
    let mut safe: Vec<bool> = (0..graph.nodes.len())
        .map(|index| won_by_other(index) || graph.nodes[index].end == Some(Finish::Outcome(0)))
        .collect();
    loop {
        let before = safe.clone();
        for (index, node) in graph.nodes.iter().enumerate() {
            if node.moves.is_empty() {
                continue;
            }
            safe[index] |= match node.mover == player {
                true => node.moves.iter().all(|step| before[step.to]),
                false => node.moves.iter().any(|step| before[step.to]),
            };
        }
        if safe == before {
            break;
        }
    }
    let decide = |index: usize| match known[index] {
        Some(value) => value,
        None if safe[index] => (0, None),
        None => (if graph.nodes[index].mover == player { 1 } else { -1 }, None),
    };
    (0..graph.nodes.len()).map(decide).collect()
}

/// Drawn positions: the shortest way through drawn positions to a declared draw.
fn shortest_draws(graph: &Explicit, decided: &mut [(i8, Option<u32>)]) {
    for (index, node) in graph.nodes.iter().enumerate() {
        if node.end == Some(Finish::Outcome(0)) {
            decided[index] = (0, Some(0));
        }
    }
    for moves in 1.. {
        let before = decided.to_vec();
        for (index, node) in graph.nodes.iter().enumerate() {
            let near = |to: usize| before[to] == (0, Some(moves - 1));
            if before[index] == (0, None) && node.moves.iter().any(|step| near(step.to)) {
                decided[index] = (0, Some(moves));
            }
        }
        if before == *decided {
            break;
        }
    }
}

fn score(graph: &Explicit, index: usize, known: &[Option<Worth>]) -> Worth {
    let node = &graph.nodes[index];
    if let Some(Finish::Gains(gains)) = &node.end {
        return Worth::Score(gains[node.mover] - gains[1 - node.mover]);
    }
    let best = (0..node.moves.len()).map(|number| score_of(graph, index, number, known)).max();
    Worth::Score(best.expect("a position has an end or a move"))
}

fn score_of(graph: &Explicit, index: usize, number: usize, known: &[Option<Worth>]) -> i64 {
    let (node, step) = (&graph.nodes[index], &graph.nodes[index].moves[number]);
    let Some(Worth::Score(value)) = &known[step.to] else { panic!("an option without a score") };
    let sign = if graph.nodes[step.to].mover == node.mover { 1 } else { -1 };
    step.gains[node.mover] - step.gains[1 - node.mover] + sign * value
}

fn add(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn totals(graph: &Explicit, index: usize, known: &[Option<Worth>]) -> Worth {
    let node = &graph.nodes[index];
    if let Some(Finish::Gains(gains)) = &node.end {
        return Worth::Totals(gains.clone(), BTreeSet::from([gains.clone()]));
    }
    let options: Vec<(Vec<i64>, Vec<Vec<i64>>)> = node
        .moves
        .iter()
        .map(|step| match &known[step.to] {
            Some(Worth::Totals(first, all)) => {
                (add(first, &step.gains), all.iter().map(|vector| add(vector, &step.gains)).collect())
            }
            _ => panic!("an option without totals"),
        })
        .collect();
    let own = |vector: &Vec<i64>| vector[node.mover];
    let best = options.iter().map(|(first, _)| own(first)).max().expect("a position has an end or a move");
    let first = options.iter().find(|(first, _)| own(first) == best).unwrap().0.clone();
    // A vector can come about if every other option can turn out no better for the mover.
    let least: Vec<i64> = options.iter().map(|(_, all)| all.iter().map(own).min().unwrap()).collect();
    let mut reach = BTreeSet::new();
    for (number, (_, all)) in options.iter().enumerate() {
        for vector in all {
            if (0..options.len()).all(|other| other == number || least[other] <= own(vector)) {
                reach.insert(vector.clone());
            }
        }
    }
    Worth::Totals(first, reach)
}

/// The moves that keep what a position is worth, and those of them that attain its remoteness, by number.
pub fn best_moves(graph: &Explicit, index: usize, worths: &[Option<Worth>]) -> (Vec<usize>, Vec<usize>) {
    let node = &graph.nodes[index];
    let mut best = Vec::new();
    let mut fast = Vec::new();
    for (number, step) in node.moves.iter().enumerate() {
        match (worths[index].as_ref().unwrap(), worths[step.to].as_ref().unwrap()) {
            (Worth::Outcome(value, moves), Worth::Outcome(option, length)) => {
                let option = of_option(node, step.to, graph, (*option, *length));
                if option.0 == *value {
                    best.push(number);
                    if moves.is_some() && option.1 == *moves {
                        fast.push(number);
                    }
                }
            }
            (Worth::Score(value), _) => {
                if score_of(graph, index, number, worths) == *value {
                    best.push(number);
                }
            }
            (Worth::Totals(here, _), Worth::Totals(there, _)) => {
                if there[node.mover] + step.gains[node.mover] == here[node.mover] {
                    best.push(number);
                }
            }
            _ => panic!("worths of different kinds"),
        }
    }
    (best, fast)
}

/// Whether all gains from the start on add up to the same total however the game is played. No position may repeat.
pub fn total_is_constant(graph: &Explicit) -> bool {
    let mut totals: Vec<Option<i64>> = vec![None; graph.nodes.len()];
    for index in graph.order(graph.start).expect("no position repeats") {
        let node = &graph.nodes[index];
        let sums: BTreeSet<i64> = match &node.end {
            Some(Finish::Gains(gains)) => BTreeSet::from([gains.iter().sum()]),
            _ => node.moves.iter().map(|step| step.gains.iter().sum::<i64>() + totals[step.to].unwrap_or(0)).collect(),
        };
        if sums.len() != 1 {
            return false;
        }
        totals[index] = sums.first().copied();
    }
    true
}

/// A loopy nimber: the nimber, or the nimbers of the options that have one.
pub type Loopy = Result<u64, BTreeSet<u64>>;

/// The loopy nimber of a position by Smith's rule, tried on every position until nothing changes.
pub fn loopy(graph: &Explicit, from: usize) -> Loopy {
    let mut labels: Vec<Option<u64>> = vec![None; graph.nodes.len()];
    let finite = |labels: &[Option<u64>], index: usize| -> BTreeSet<u64> {
        graph.nodes[index].moves.iter().filter_map(|step| labels[step.to]).collect()
    };
    loop {
        let before = labels.clone();
        for index in 0..labels.len() {
            if labels[index].is_some() {
                continue;
            }
            let options = finite(&labels, index);
            let label = (0..).find(|number| !options.contains(number)).unwrap();
            let returns = |to: usize| {
                labels[to].is_some_and(|other| other < label)
                    || graph.nodes[to].moves.iter().any(|step| labels[step.to] == Some(label))
            };
            if graph.nodes[index].moves.iter().all(|step| returns(step.to)) {
                labels[index] = Some(label);
            }
        }
        if labels == before {
            return labels[from].ok_or_else(|| finite(&labels, from));
        }
    }
}

/// The Grundy number of a position: the least that no option has. No position may repeat.
pub fn nimber(graph: &Explicit, from: usize) -> Option<u64> {
    let mut numbers = vec![0; graph.nodes.len()];
    for index in graph.order(from)? {
        let options: BTreeSet<u64> = graph.nodes[index].moves.iter().map(|step| numbers[step.to]).collect();
        numbers[index] = (0..).find(|number| !options.contains(number)).unwrap();
    }
    Some(numbers[from])
}
