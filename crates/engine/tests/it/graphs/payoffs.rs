//! Payoffs and their uniqueness against the enumeration of all ways of breaking ties.

use std::collections::BTreeSet;

use engine::Error;
use engine::graph::{Edge, Ending, Expansion, Id};
use engine::induction::induction;
use engine::memory::Memory;
use engine::monitor::Monitor;
use engine::valuation::Payoffs;
use game::Player;

use super::explicit::Explicit;
use testkit::Random;

/// A random game for some players with small gains, so that there are many ties; a tree, or with shared positions.
fn random_payoffs(random: &mut Random, nodes: usize, players: usize, tree: bool) -> Explicit {
    let span = random.between(1, 3);
    let mut list: Vec<Expansion> = Vec::new();
    for _ in 0..nodes {
        let mover = Player(random.below(players) as u8);
        list.push(Expansion { mover, ..Expansion::default() });
    }
    let first = |random: &mut Random, node: usize| random.below(node.min(6)) + node.saturating_sub(6);
    for node in 1..nodes {
        let parent = first(random, node);
        list[parent].edges.push(Edge::to(node as Id));
        if !tree && random.chance(50) {
            let parent = first(random, node);
            list[parent].edges.push(Edge::to(node as Id));
        }
    }
    for expansion in &mut list {
        let rows = expansion.edges.len().max(1);
        expansion.gains = (0..rows * players).map(|_| random.between(0, span)).collect();
        if expansion.edges.is_empty() {
            expansion.end = Some(Ending::Payoffs);
        }
    }
    Explicit::new(list)
}

type Vectors = BTreeSet<Vec<i64>>;

fn plus(gains: &[i64], vector: &[i64]) -> Vec<i64> {
    gains.iter().zip(vector).map(|(a, b)| a + b).collect()
}

/// Every vector a tree can come to: for each way of settling the children, every best child. `None` if there are too many.
fn every_way(game: &Explicit, node: usize, players: usize) -> Option<Vectors> {
    let expansion = &game.nodes[node];
    if expansion.end.is_some() {
        return Some([expansion.gains.clone()].into());
    }
    let mut children: Vec<Vec<Vec<i64>>> = Vec::new();
    for (edge, gains) in expansion.edges.iter().zip(expansion.gains.chunks(players)) {
        let below = every_way(game, edge.to as usize, players)?;
        children.push(below.iter().map(|vector| plus(gains, vector)).collect());
    }
    if children.iter().map(Vec::len).product::<usize>() > 20_000 {
        return None;
    }
    let own = expansion.mover.index();
    let mut all = Vectors::new();
    let mut choice = vec![0; children.len()];
    loop {
        let settled: Vec<&Vec<i64>> = choice.iter().zip(&children).map(|(&index, child)| &child[index]).collect();
        let best = settled.iter().map(|vector| vector[own]).max()?;
        all.extend(settled.into_iter().filter(|vector| vector[own] == best).cloned());
        let Some(next) = (0..choice.len()).find(|&k| choice[k] + 1 < children[k].len()) else { return Some(all) };
        choice[..next].fill(0);
        choice[next] += 1;
    }
}

/// The totals if every tie is broken by rule order.
fn rule_order(game: &Explicit, node: usize, players: usize) -> Vec<i64> {
    let expansion = &game.nodes[node];
    if expansion.end.is_some() {
        return expansion.gains.clone();
    }
    let own = expansion.mover.index();
    let mut best: Option<Vec<i64>> = None;
    for (edge, gains) in expansion.edges.iter().zip(expansion.gains.chunks(players)) {
        let vector = plus(gains, &rule_order(game, edge.to as usize, players));
        if best.as_ref().is_none_or(|best| vector[own] > best[own]) {
            best = Some(vector);
        }
    }
    best.unwrap()
}

fn solve(game: &mut Explicit, players: usize) -> Payoffs {
    let root = game.number(0);
    let mut payoffs = Payoffs::new(players, &Memory::unlimited());
    induction(game, &[root], &mut payoffs, &mut Monitor::unlimited()).unwrap();
    payoffs
}

#[test]
fn trees_agree_with_every_way_of_breaking_ties() {
    let mut random = Random::new(21);
    let (mut unique, mut ambiguous, mut skipped) = (0, 0, 0);
    for case in 0..6000 {
        let players = 2 + case % 3;
        let mut game = random_payoffs(&mut random, 1 + case % 22, players, true);
        let payoffs = solve(&mut game, players);
        for node in 0..game.nodes.len() {
            let id = game.known(node).unwrap();
            assert_eq!(payoffs.get(id).unwrap().to_vec(), rule_order(&game, node, players), "case {case}");
            let Some(ways) = every_way(&game, node, players) else {
                skipped += 1;
                continue;
            };
            assert_eq!(payoffs.unique(id), Some(ways.len() == 1), "case {case} node {node}");
            for player in 0..players {
                let least = ways.iter().map(|way| way[player]).min().unwrap();
                let largest = ways.iter().map(|way| way[player]).max().unwrap();
                assert_eq!(payoffs.range(id, Player(player as u8)), (least, largest), "case {case} node {node}");
            }
            *(if ways.len() == 1 { &mut unique } else { &mut ambiguous }) += 1;
        }
    }
    assert!(unique > 1000 && ambiguous > 1000 && skipped < 1000, "{unique} {ambiguous} {skipped}");
}

/// With shared positions, one way of breaking ties is one option a position: all of them stay within what is claimed.
#[test]
fn shared_positions_never_leave_the_claimed_range() {
    let mut random = Random::new(22);
    for case in 0..1500 {
        let players = 2 + case % 2;
        let mut game = random_payoffs(&mut random, 2 + case % 10, players, false);
        let payoffs = solve(&mut game, players);
        let count = game.nodes.len();
        for _ in 0..50 {
            // Settle from the last node up, each taking a random best option.
            let mut values: Vec<Vec<i64>> = vec![Vec::new(); count];
            for node in (0..count).rev() {
                let expansion = &game.nodes[node];
                if expansion.end.is_some() {
                    values[node] = expansion.gains.clone();
                    continue;
                }
                let rows = expansion.edges.iter().zip(expansion.gains.chunks(players));
                let options: Vec<Vec<i64>> = rows.map(|(edge, gains)| plus(gains, &values[edge.to as usize])).collect();
                let own = expansion.mover.index();
                let best = options.iter().map(|option| option[own]).max().unwrap();
                let tied: Vec<Vec<i64>> = options.into_iter().filter(|option| option[own] == best).collect();
                values[node] = tied[random.below(tied.len())].clone();
            }
            for (node, value) in values.into_iter().enumerate() {
                let id = game.known(node).unwrap();
                assert!(payoffs.unique(id) != Some(true) || payoffs.get(id).unwrap().to_vec() == value);
                for (player, total) in value.into_iter().enumerate() {
                    let (least, largest) = payoffs.range(id, Player(player as u8));
                    assert!((least..=largest).contains(&total), "case {case} node {node}");
                }
            }
        }
    }
}

/// More vectors than are kept one by one: bounds take over, and nothing is called unique that is not.
#[test]
fn many_vectors() {
    let ends = 100;
    // 0: first chooses 1 or 2. 1: second chooses among ends that are all equal to second. 2: gives first 50 for sure.
    let mut nodes = vec![
        Expansion { edges: vec![Edge::to(1), Edge::to(2)], gains: vec![0, 0, 0, 0], ..Expansion::default() },
        Expansion {
            mover: Player::SECOND,
            edges: (0..ends).map(|k| Edge::to(3 + k)).collect(),
            gains: vec![0; 2 * ends as usize],
            ..Expansion::default()
        },
    ];
    let end =
        |first, second| Expansion { end: Some(Ending::Payoffs), gains: vec![first, second], ..Expansion::default() };
    nodes.push(end(50, 9));
    nodes.extend((0..i64::from(ends)).map(|k| end(k, 7)));
    let mut game = Explicit::new(nodes.clone());
    let payoffs = solve(&mut game, 2);
    let id = |node: usize| game.known(node).unwrap();
    assert_eq!([0, 1, 2].map(|n| payoffs.unique(id(n)) == Some(true)), [false, false, true]);
    assert_eq!(payoffs.range(id(1), Player::FIRST), (0, 99));
    assert_eq!(payoffs.range(id(0), Player::FIRST), (50, 99));
    assert_eq!(payoffs.range(id(0), Player::SECOND), (7, 9));
    assert_eq!(payoffs.get(id(0)).unwrap().to_vec(), [50, 9]);

    // An alternative that beats all of them makes the totals unique again.
    nodes[2] = end(100, 9);
    let mut game = Explicit::new(nodes);
    let payoffs = solve(&mut game, 2);
    assert_eq!(payoffs.unique(game.known(0).unwrap()), Some(true));
    assert_eq!(payoffs.get(game.known(0).unwrap()).unwrap().to_vec(), [100, 9]);
}

#[test]
fn totals_that_do_not_fit_are_an_error() {
    let end = |gains: [i64; 2]| Expansion { end: Some(Ending::Payoffs), gains: gains.to_vec(), ..Expansion::default() };
    let run = |gains: [i64; 2]| {
        let root = Expansion { edges: vec![Edge::to(1)], gains: gains.to_vec(), ..Expansion::default() };
        let mut game = Explicit::new(vec![root, end([1, -1])]);
        let root = game.number(0);
        let mut payoffs = Payoffs::new(2, &Memory::unlimited());
        induction(&mut game, &[root], &mut payoffs, &mut Monitor::unlimited())
            .map(|()| payoffs.get(root).unwrap().to_vec())
    };
    assert_eq!(run([i64::MAX - 1, i64::MIN + 1]), Ok(vec![i64::MAX, i64::MIN]));
    assert!(matches!(run([i64::MAX, 0]), Err(Error::OverflowAt(_))));
    assert!(matches!(run([0, i64::MIN]), Err(Error::OverflowAt(_))));
}
