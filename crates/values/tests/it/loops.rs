//! Loopy values against plain retrograde analysis of the graphs that they come from.

use testkit::Random;
use values::loopy::graph::Graph;
use values::loopy::pieces::{Endless, Pieces};
use values::loopy::simplest::simplest;
use values::loopy::survival::equal;
use values::loopy::value::Reach;
use values::{Arena, Loopy, Side};

/// What the player reaches who begins, by going back from the positions without moves.
fn reach(graph: &Graph, first: Side) -> Reach {
    let count = graph.len() * 2;
    let mut known: Vec<Option<bool>> = vec![None; count];
    loop {
        let mut changed = false;
        for node in 0..count {
            if known[node].is_some() {
                continue;
            }
            let (position, side) = (node / 2, Side::BOTH[node % 2]);
            let next = || {
                let other = side.opponent() as usize;
                graph.options(position, side).iter().map(move |&option| option as usize * 2 + other)
            };
            let found = if next().any(|option| known[option] == Some(false)) {
                Some(true)
            } else if next().all(|option| known[option] == Some(true)) {
                Some(false)
            } else {
                None
            };
            changed |= found.is_some();
            known[node] = found;
        }
        if !changed {
            return match known[first as usize] {
                Some(true) => Reach::Win,
                Some(false) => Reach::Loss,
                None => Reach::Draw,
            };
        }
    }
}

fn random_graph(random: &mut Random, most: usize) -> Graph {
    let count = 1 + random.below(most);
    let mut some = || -> Vec<Vec<u32>> {
        (0..count).map(|_| (0..random.below(3usize)).map(|_| random.below(count as u32)).collect()).collect()
    };
    let (left, right) = (some(), some());
    Graph::new(&left, &right, 0).unwrap()
}

#[test]
fn graphs_are_worth_their_values_in_every_sum() {
    let mut random = Random::new(61);
    let (mut sums, mut sides, mut none) = (0, 0, 0);
    let mut known: Vec<(Graph, Loopy)> = Vec::new();
    for _ in 0..1200 {
        let graph = random_graph(&mut random, 5);
        let Ok(value) = Loopy::of_graph(&graph) else {
            assert!(!graph.is_stopper());
            none += 1;
            continue;
        };
        sides += !graph.is_stopper() as usize;
        for first in Side::BOTH {
            assert_eq!(value.reach(first).unwrap(), reach(&graph, first), "{graph:?}");
        }
        for _ in 0..4 {
            if known.is_empty() {
                break;
            }
            let (other, worth) = random.pick(&known).clone();
            let whole = graph.plus(&other).unwrap();
            if let Ok(sum) = value.plus(&worth) {
                sums += 1;
                for first in Side::BOTH {
                    assert_eq!(sum.reach(first).unwrap(), reach(&whole, first), "{graph:?} + {other:?}");
                }
            }
            // In sums with anything, the value stands for the graph.
            for side in [value.onside(), value.offside()] {
                let first = Side::Left;
                let (with, without) = (reach(&side.plus(&other).unwrap(), first), reach(&whole, first));
                if graph.is_stopper() {
                    assert_eq!(with, without, "{graph:?} + {other:?}");
                }
            }
            // The order says who does better.
            if value.at_most(&worth).unwrap() {
                let rank = |reach: Reach| reach as usize;
                let third = random.pick(&known).0.clone();
                let (low, high) = (graph.plus(&third).unwrap(), other.plus(&third).unwrap());
                assert!(rank(reach(&low, Side::Left)) >= rank(reach(&high, Side::Left)));
                assert!(rank(reach(&low, Side::Right)) <= rank(reach(&high, Side::Right)));
            }
        }
        known.push((graph, value));
    }
    println!("{sums} sums, {sides} games with two sides, {none} without");
    assert!(sums > 1000 && sides > 100);
}

#[test]
fn simplest_forms_are_simple() {
    let mut random = Random::new(67);
    let mut arena = Arena::default();
    let mut stoppers = Vec::new();
    while stoppers.len() < 400 {
        let graph = random_graph(&mut random, 6);
        if !graph.is_stopper() {
            assert!(simplest(&graph).unwrap_err().to_string().contains("no stopper"));
            continue;
        }
        let simple = simplest(&graph).unwrap();
        assert!(equal(&simple, &graph).unwrap() && simple.len() <= graph.len());
        assert_eq!(simplest(&simple).unwrap(), simple);
        stoppers.push(simple);
    }
    // Equal stoppers have simplest forms of the same size, and names that read as what was written.
    for a in &stoppers {
        for b in &stoppers[..60] {
            assert!(!equal(a, b).unwrap() || a.len() == b.len(), "{a:?} {b:?}");
        }
        let loopy = Loopy::of_graph(a).unwrap();
        let name = loopy.name(&mut arena, 1000).unwrap();
        let answer = values::Calculator::new(&mut arena, &mut values::expression::NoPositions).evaluate(&name).unwrap();
        assert_eq!(answer.write(&mut arena, 1000).unwrap(), name);
    }
}

#[test]
fn graphs_without_loops_are_values() {
    let mut arena = Arena::default();
    for value in crate::days::born_by(&mut arena, 2) {
        let graph = Graph::of_value(&mut arena, value).unwrap();
        assert_eq!(graph.to_value(&mut arena).unwrap(), Some(value));
        assert_eq!(Loopy::of_graph(&graph).unwrap().to_value(&mut arena).unwrap(), Some(value));
    }
    assert!(Graph::new(&[vec![1]], &[vec![]], 0).is_err());
    assert!(Graph::new(&[vec![]], &[vec![]], 1).is_err());
}

/// A long row in which Right can only pass looks the same at every place.
#[test]
fn positions_alike_are_one() {
    let count = 100_000u32;
    let left: Vec<Vec<u32>> = (0..count).map(|at| vec![(at + 1) % count, (at + 7) % count]).collect();
    let right = vec![Vec::new(); count as usize];
    let graph = Graph::new(&left, &right, 0).unwrap();
    assert_eq!(graph.len(), 1);
    let mut arena = Arena::default();
    assert_eq!(Loopy::of_graph(&graph).unwrap().name(&mut arena, 100).unwrap(), "on");
    // A line with an end has as many different positions as steps.
    let line: Vec<Vec<u32>> = (1..6000).map(|next| vec![next]).chain([vec![]]).collect();
    let error = Graph::new(&line, &vec![vec![]; 6000], 0).unwrap_err();
    assert!(error.to_string().contains("more than 5000 positions"), "{error}");
    // A long way to a loop is told from a longer one, or given up in time.
    let way: Vec<Vec<u32>> = (1..100_000).map(|next| vec![next]).chain([vec![99_998]]).collect();
    let mut right = vec![vec![]; 100_000];
    right[99_999].push(99_999);
    assert!(Graph::new(&way, &right, 0).is_err());
}

fn lists(graph: &Graph) -> [Vec<Vec<u32>>; 2] {
    Side::BOTH.map(|side| (0..graph.len()).map(|at| graph.options(at, side).to_vec()).collect())
}

/// The value of a graph, group by group.
fn by_pieces(arena: &mut Arena, graph: &Graph) -> Option<Loopy> {
    let [left, right] = lists(graph);
    let mut pieces = Pieces::new(Endless::Draw);
    pieces.settle(arena, [&left, &right], 0, &mut || Ok(())).unwrap();
    match pieces.value(0).ok()? {
        Ok(value) => Some(Loopy::of_value(arena, value).unwrap()),
        Err(loopy) => Some(loopy),
    }
}

#[test]
fn groups_one_after_another_give_the_value_of_the_whole() {
    let mut random = Random::new(67);
    let mut arena = Arena::default();
    let (mut both, mut one) = (0, 0);
    for _ in 0..700 {
        let graph = random_graph(&mut random, 7);
        match (by_pieces(&mut arena, &graph), Loopy::of_graph(&graph).ok()) {
            (Some(pieces), Some(whole)) => {
                assert_eq!(pieces.compare(&whole).unwrap(), Some(std::cmp::Ordering::Equal), "{graph:?}");
                let names = [&pieces, &whole].map(|value| value.name(&mut arena, 1000).unwrap());
                assert_eq!(names[0].len(), names[1].len(), "{names:?} {graph:?}");
                both += 1;
            }
            (None, None) => {}
            _ => one += 1,
        }
        if let Some(pieces) = by_pieces(&mut arena, &graph) {
            for side in Side::BOTH {
                assert_eq!(pieces.reach(side).unwrap(), reach(&graph, side), "{graph:?}");
            }
        }
    }
    assert!(both > 600 && one < 30, "{both} {one}");
}

#[test]
fn tokens_that_go_to_and_fro_have_values_however_long_the_way() {
    let mut arena = Arena::default();
    for n in [3u32, 8, 17, 25, 40, 100] {
        // Left takes a token one step down, Right takes it up by one or two.
        let left = (0..=n).map(|at| at.checked_sub(1).into_iter().collect()).collect::<Vec<_>>();
        let right = (0..=n).map(|at| (at + 1..=n.min(at + 2)).collect()).collect::<Vec<_>>();
        let value = by_pieces(&mut arena, &Graph::new(&left, &right, n).unwrap()).expect("a value");
        assert_eq!(value.name(&mut arena, 1000).unwrap(), format!("{n} & 0"));
    }
}
