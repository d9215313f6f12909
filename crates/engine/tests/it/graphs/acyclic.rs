//! Backward induction against plain recursion.

use engine::Error;
use engine::graph::{Edge, Ending, Expansion, Id};
use engine::induction::induction;
use engine::memory::Memory;
use engine::monitor::Monitor;
use engine::retrograde::{Forever, retrograde};
use engine::valuation::{Nimbers, Outcomes, Scores, Total};
use game::{Nimber, Outcome, Player, Remoteness};

use super::explicit::{Explicit, random_outcomes};
use testkit::Random;

/// Outcome and remoteness, straight from their definitions.
fn outcome(game: &Explicit, node: usize, memo: &mut [Option<(Outcome, Remoteness)>]) -> (Outcome, Remoteness) {
    if let Some(known) = memo[node] {
        return known;
    }
    let expansion = &game.nodes[node];
    let answer = if let Some(Ending::Outcome(outcome)) = expansion.end {
        (outcome, Some(0))
    } else {
        let mut wins = Vec::new();
        let mut draws = Vec::new();
        let mut losses = Vec::new();
        for edge in &expansion.edges {
            let (value, moves) = outcome(game, edge.to as usize, memo);
            match if edge.same { value } else { -value } {
                Outcome::Win => wins.push(moves.unwrap()),
                Outcome::Draw => draws.push(moves.unwrap()),
                Outcome::Loss => losses.push(moves.unwrap()),
            }
        }
        if let Some(quickest) = wins.iter().min() {
            (Outcome::Win, Some(quickest + 1))
        } else if let Some(nearest) = draws.iter().min() {
            (Outcome::Draw, Some(nearest + 1))
        } else {
            (Outcome::Loss, Some(losses.iter().max().unwrap() + 1))
        }
    };
    memo[node] = Some(answer);
    answer
}

fn grundy(game: &Explicit, node: usize) -> Nimber {
    let options: Vec<Nimber> = game.nodes[node].edges.iter().map(|edge| grundy(game, edge.to as usize)).collect();
    (0..).find(|nimber| !options.contains(nimber)).unwrap()
}

#[test]
fn outcomes_agree_with_recursion() {
    let mut random = Random::new(1);
    for case in 0..6000 {
        let nodes = 1 + case % 14;
        let mut game = random_outcomes(&mut random, nodes, false);
        let root = game.number(0);
        let mut outcomes = Outcomes::with_nimbers(&Memory::unlimited());
        induction(&mut game, &[root], &mut outcomes, &mut Monitor::unlimited()).unwrap();
        let mut memo = vec![None; nodes];
        for (node, reachable) in game.reachable(0).into_iter().enumerate() {
            assert_eq!(game.expanded[node], u32::from(reachable), "expanded exactly once");
            if let Some(id) = game.known(node) {
                assert_eq!(outcomes.get(id), Some(outcome(&game, node, &mut memo)), "case {case} node {node}");
                assert_eq!(outcomes.nimber(id), Some(grundy(&game, node)));
            }
        }
        assert_eq!(outcomes.get(game.nodes.len() as Id), None);
    }
}

#[test]
fn retrograde_agrees_where_nothing_repeats() {
    let mut random = Random::new(2);
    for case in 0..3000 {
        let nodes = 1 + case % 20;
        let mut game = random_outcomes(&mut random, nodes, false);
        let root = game.number(0);
        let mut outcomes = Outcomes::new(&Memory::unlimited());
        induction(&mut game, &[root], &mut outcomes, &mut Monitor::unlimited()).unwrap();
        for forever in [Forever::Draw, Forever::Win(Player::FIRST), Forever::Win(Player::SECOND)] {
            let other = retrograde(&mut game, forever, &mut Monitor::unlimited()).unwrap();
            assert_eq!(other.len(), outcomes.len());
            assert!((0..other.len() as Id).all(|id| other.get(id) == outcomes.get(id)), "case {case} {forever:?}");
        }
    }
}

/// A random game with gains for two; `constant` makes every move's gains sum to the same as the way down does.
fn random_scores(random: &mut Random, nodes: usize, constant: bool) -> Explicit {
    let mut game = random_outcomes(random, nodes, false);
    let last = game.nodes.len() as i64;
    for node in 0..nodes {
        let expansion = &mut game.nodes[node];
        let mover = expansion.mover;
        let mut row = |random: &mut Random, total: i64| {
            let first = random.between(-5, 5);
            let second = if constant { total - first } else { random.between(-5, 5) };
            expansion.gains.extend([first, second]);
            if mover == Player::FIRST { first - second } else { second - first }
        };
        if expansion.end.is_some() {
            let score = row(random, last - node as i64);
            expansion.end = Some(if random.chance(50) { Ending::Payoffs } else { Ending::Score(score) });
        } else {
            for index in 0..expansion.edges.len() {
                let gain = row(random, expansion.edges[index].to as i64 - node as i64);
                expansion.edges[index].gain = gain;
            }
        }
    }
    game
}

fn score(game: &Explicit, node: usize) -> i64 {
    let expansion = &game.nodes[node];
    match expansion.end {
        Some(Ending::Score(score)) => score,
        Some(_) => expansion.gains[expansion.mover.index()] - expansion.gains[expansion.mover.other().index()],
        None => {
            let value = |edge: &Edge| edge.gain + score(game, edge.to as usize) * if edge.same { 1 } else { -1 };
            expansion.edges.iter().map(value).max().unwrap()
        }
    }
}

/// All sums of further gains that play can come to.
fn totals(game: &Explicit, node: usize) -> Vec<i64> {
    let expansion = &game.nodes[node];
    if expansion.end.is_some() {
        return vec![expansion.gains.iter().sum()];
    }
    let mut all = Vec::new();
    for (edge, gains) in expansion.edges.iter().zip(expansion.gains.chunks(2)) {
        all.extend(totals(game, edge.to as usize).into_iter().map(|total| total + gains[0] + gains[1]));
    }
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn scores_and_totals_agree_with_recursion() {
    let mut random = Random::new(3);
    let mut varying = 0;
    for case in 0..4000 {
        let nodes = 1 + case % 12;
        let mut game = random_scores(&mut random, nodes, case % 3 != 0);
        if case % 7 == 6 {
            let node = random.below(nodes);
            if let Some(gain) = game.nodes[node].gains.last_mut() {
                *gain += 1;
                let expansion = &mut game.nodes[node];
                let sign = if expansion.mover == Player::FIRST { -1 } else { 1 };
                match (&mut expansion.end, expansion.edges.last_mut()) {
                    (Some(Ending::Score(score)), _) => *score += sign,
                    (None, Some(edge)) => edge.gain += sign,
                    _ => {}
                }
            }
        }
        let root = game.number(0);
        let memory = Memory::unlimited();
        let mut values = (Scores::new(&memory), Some(Total::new(2, &memory)));
        induction(&mut game, &[root], &mut values, &mut Monitor::unlimited()).unwrap();
        let (scores, Some(total)) = values else { unreachable!() };
        let met: Vec<usize> = (0..nodes).filter(|&node| game.known(node).is_some()).collect();
        let constant = met.iter().all(|&node| totals(&game, node).len() == 1);
        assert_eq!(total.broken().is_none(), constant, "case {case}");
        for node in met {
            let id = game.known(node).unwrap();
            assert_eq!(scores.get(id), Some(score(&game, node)), "case {case} node {node}");
            if constant {
                assert_eq!(total.get(id), Some(totals(&game, node)[0]));
            }
        }
        if let Some(broken) = total.broken() {
            varying += 1;
            assert!(totals(&game, game.node(broken.position)).len() > 1 && broken.edge > 0);
        }
    }
    assert!((500..3500).contains(&varying), "{varying} games with a total that varies");
}

fn nimber_of_part(game: &Explicit, node: usize) -> Nimber {
    let edges = &game.nodes[node].edges;
    let mut options: Vec<Nimber> = Vec::new();
    for edge in edges {
        let part = nimber_of_part(game, edge.to as usize);
        match options.last_mut() {
            Some(option) if edge.joined => *option ^= part,
            _ => options.push(part),
        }
    }
    (0..).find(|nimber| !options.contains(nimber)).unwrap()
}

#[test]
fn nimbers_of_parts_agree_with_recursion() {
    let mut random = Random::new(4);
    for case in 0..3000 {
        let nodes = 1 + case % 12;
        let mut game = random_outcomes(&mut random, nodes, false);
        for node in &mut game.nodes {
            node.end = node.end.filter(|_| random.chance(50)).map(|_| Ending::Outcome(Outcome::Loss));
            for edge in node.edges.iter_mut().skip(1) {
                edge.joined = random.chance(40);
            }
        }
        let root = game.number(0);
        let mut nimbers = Nimbers::new(&Memory::unlimited());
        induction(&mut game, &[root], &mut nimbers, &mut Monitor::unlimited()).unwrap();
        for id in 0..game.nodes.iter().enumerate().filter(|(node, _)| game.known(*node).is_some()).count() {
            let expected = nimber_of_part(&game, game.node(id as Id));
            assert_eq!(nimbers.get(id as Id), Some(expected), "case {case}");
        }
    }
}

#[test]
fn cycles_are_found_and_shown() {
    let mut random = Random::new(5);
    let mut found = 0;
    for case in 0..4000 {
        let nodes = 1 + case % 9;
        let mut game = random_outcomes(&mut random, nodes, true);
        let roots = [game.number(random.below(nodes)), game.number(0)];
        let mut outcomes = Outcomes::new(&Memory::unlimited());
        let reachable: Vec<usize> =
            (0..nodes).filter(|&node| roots.iter().any(|&root| game.reachable(game.node(root))[node])).collect();
        let repeats = reachable
            .iter()
            .any(|&node| game.nodes[node].edges.iter().any(|edge| game.reachable(edge.to as usize)[node]));
        match induction(&mut game, &roots, &mut outcomes, &mut Monitor::unlimited()) {
            Ok(()) => assert!(!repeats),
            Err(Error::Cycle(cycle)) => {
                found += 1;
                assert!(repeats && !cycle.is_empty());
                for (index, &position) in cycle.iter().enumerate() {
                    let next = cycle[(index + 1) % cycle.len()];
                    let (node, next) = (game.node(position as Id), game.node(next as Id) as Id);
                    assert!(game.nodes[node].edges.iter().any(|edge| edge.to == next));
                    assert!(!cycle[..index].contains(&position));
                }
            }
            Err(error) => panic!("{error}"),
        }
        assert!(game.expanded.iter().all(|&times| times <= 1));
    }
    assert!(found > 1000, "{found} games with a cycle");
}

#[test]
fn everything_an_edge_says_survives_the_stack() {
    // Each position's expansion comes back from the stack as it went on: a valuation that compares.
    struct Compare(Vec<Expansion>, Vec<usize>);
    impl engine::valuation::Valuation for Compare {
        fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
            let node = self.1[position as usize];
            let expected = &self.0[node];
            assert_eq!(
                (expected.mover, expected.end, &expected.gains),
                (expansion.mover, expansion.end, &expansion.gains)
            );
            for (expected, edge) in expected.edges.iter().zip(&expansion.edges) {
                let edge = Edge { to: self.1[edge.to as usize] as Id, ..*edge };
                assert_eq!(*expected, edge);
            }
            assert_eq!(expected.edges.len(), expansion.edges.len());
            Ok(())
        }
        fn bytes(&self) -> u64 {
            0
        }
    }
    let mut random = Random::new(6);
    for case in 0..2000 {
        let mut game = random_outcomes(&mut random, 2 + case % 12, false);
        let players = 1 + random.below(4);
        let with_gains = random.chance(50);
        for node in &mut game.nodes {
            node.mover = Player(random.below(players) as u8);
            let (marked, gaining) = (random.chance(50), random.chance(50));
            for edge in &mut node.edges {
                edge.same = marked && random.chance(50);
                edge.joined = marked && random.chance(50);
                edge.gain = if gaining { random.between(-9, 9) } else { 0 };
            }
            if with_gains {
                let rows = node.edges.len().max(1) * players;
                node.gains = (0..rows).map(|_| random.next() as i64).collect();
            }
        }
        // Numbers are given in the same order as a first walk gives them.
        let mut rehearsal = game.clone();
        let root = rehearsal.number(0);
        induction(&mut rehearsal, &[root], &mut None::<Outcomes>, &mut Monitor::unlimited()).unwrap();
        let count = (0..rehearsal.nodes.len()).filter(|&node| rehearsal.known(node).is_some()).count();
        let order: Vec<usize> = (0..count as Id).map(|id| rehearsal.node(id)).collect();
        let mut compare = Compare(game.nodes.clone(), order);
        let root = game.number(0);
        induction(&mut game, &[root], &mut compare, &mut Monitor::unlimited()).unwrap();
    }
}
