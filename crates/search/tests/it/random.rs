//! Searches against plain recursion, on thousands of random games.

use engine::Error;
use engine::memory::Memory;
use engine::monitor::{Limits, Monitor};
use search::game::{Bounds, Game};
use search::minimax::{Count, Uses, count};
use search::solver::{Settings, Solver, Way, solver};
use testkit::Random;

use crate::graphs::{Graph, Shape};

/// The kinds of games: scored or not, with draws, moves again, twins, ends that are told, keys of all lengths.
fn shape(random: &mut Random) -> Shape {
    Shape {
        nodes: 3 + random.below(60) as usize,
        most_moves: 1 + random.below(5),
        words: [1, 1, 2, 3, 4, 7, 16][random.below(7) as usize],
        gain: [0, 0, 1, 3, 1000, 1 << 45][random.below(6) as usize],
        draws: random.one_in(2),
        again: random.one_in(2),
        cyclic: false,
        twins: random.one_in(3),
        tells_ends: random.one_in(2),
        bounded: random.one_in(2),
    }
}

fn ways(graph: &Graph) -> Vec<Way> {
    match graph.bounds() == Bounds::OUTCOME {
        true => vec![Way::AlphaBeta, Way::ProofNumber],
        false => vec![Way::AlphaBeta],
    }
}

fn made(graph: &Graph, way: Way, threads: usize, bytes: u64) -> Box<dyn Solver> {
    let settings = Settings { threads, bytes, before_helpers: 5 };
    solver(&graph.shared(), way, settings, &Memory::unlimited()).unwrap()
}

#[test]
fn values_are_those_of_plain_recursion() {
    let mut random = Random::new(1);
    for round in 0..3000 {
        let shape = shape(&mut random);
        let graph = Graph::random(&mut random, &shape);
        let values = graph.values();
        for way in ways(&graph) {
            // A table that overflows at once, and one that does not.
            for (threads, bytes) in [(1, 0), (1, 1 << 16), (1 + round % 4, [0, 1 << 14][round % 2])] {
                let mut solver = made(&graph, way, threads, bytes);
                let mut monitor = Monitor::unlimited();
                let value = solver.value(&graph.keys[0], &mut monitor);
                assert_eq!(value, Ok(values[0]), "round {round}, {way:?}, {threads} threads: {shape:?}\n{graph:?}");
                assert_eq!(solver.bounds().value(), Some(values[0]));
                // The same solver about other positions, with what it knows by now.
                for _ in 0..4 {
                    let node = random.below(graph.nodes.len() as u64) as usize;
                    let known = solver.known(&graph.keys[node]);
                    assert!(known.low <= values[node] && values[node] <= known.high, "round {round}, node {node}");
                    let node = random.below(graph.nodes.len() as u64) as usize;
                    let t = values[node] + random.below(3) as i64 - 1;
                    let answer = solver.at_least(&graph.keys[node], t, &mut monitor);
                    assert_eq!(answer, Ok(values[node] >= t), "round {round}, node {node}, {way:?}: {shape:?}");
                    assert_eq!(solver.value(&graph.keys[node], &mut monitor), Ok(values[node]), "round {round}");
                }
            }
        }
    }
}

#[test]
fn games_that_repeat_are_refused_or_right() {
    let mut random = Random::new(2);
    let (mut refused, mut right) = (0, 0);
    for round in 0..2000 {
        let shape =
            Shape { gain: 0, cyclic: true, twins: false, nodes: 3 + random.below(20) as usize, ..shape(&mut random) };
        let graph = Graph::random(&mut random, &shape);
        let values = graph.loopy_values();
        for way in [Way::AlphaBeta, Way::ProofNumber] {
            let mut solver = made(&graph, way, 1 + round % 3, [0, 1 << 16][round % 2]);
            match solver.value(&graph.keys[0], &mut Monitor::unlimited()) {
                Ok(value) => {
                    assert_eq!(value, values[0], "round {round}, {way:?}: {graph:?}");
                    right += 1;
                }
                Err(Error::Cycle(cycle)) => {
                    assert!(!cycle.is_empty() && cycle.len() % shape.words == 0);
                    let bounds = solver.bounds();
                    assert!(bounds.low <= values[0] && values[0] <= bounds.high, "round {round}, {way:?}");
                    refused += 1;
                }
                Err(error) => panic!("round {round}: {error}"),
            }
        }
    }
    assert!(refused > 300 && right > 300, "{refused} {right}");
}

#[test]
fn one_thread_is_the_same_to_the_node() {
    let mut random = Random::new(3);
    for _ in 0..50 {
        let shape = Shape { nodes: 80, most_moves: 5, ..shape(&mut random) };
        let graph = Graph::random(&mut random, &shape);
        for way in ways(&graph) {
            let nodes = || {
                let mut solver = made(&graph, way, 1, 1 << 12);
                solver.value(&graph.keys[0], &mut Monitor::unlimited()).unwrap();
                solver.nodes()
            };
            assert_eq!(nodes(), nodes());
        }
    }
}

#[test]
fn limits_hold() {
    // A line of many moves: no recursion follows it, and its path is charged.
    let mut random = Random::new(4);
    let shape = Shape {
        nodes: 300_000,
        most_moves: 2,
        words: 1,
        gain: 0,
        draws: true,
        again: false,
        cyclic: false,
        twins: false,
        tells_ends: false,
        bounded: true,
    };
    let mut graph = Graph::random(&mut random, &shape);
    let last = graph.nodes.len() - 1;
    for node in 0..last {
        graph.nodes[node] = Err(vec![crate::graphs::Move { to: node + 1, gain: 0, same: false }]);
    }
    graph.nodes[last] = Ok(-1);
    let expected = if last.is_multiple_of(2) { -1 } else { 1 };
    for way in [Way::AlphaBeta, Way::ProofNumber] {
        let mut solver = made(&graph, way, 1, 1 << 20);
        assert_eq!(solver.value(&graph.keys[0], &mut Monitor::unlimited()), Ok(expected));
        let memory = Memory::new(100_000);
        let mut small = search::solver::solver(&graph.shared(), way, Settings::new(1, 0), &memory).unwrap();
        let stopped = small.value(&graph.keys[0], &mut Monitor::unlimited());
        assert!(matches!(stopped, Err(Error::Limit { .. })), "{stopped:?}");
        let time = Some(std::time::Duration::ZERO);
        let mut monitor = Monitor::new(&Limits { memory: 1 << 30, time });
        let mut late = made(&graph, way, 3, 0);
        assert!(matches!(late.value(&graph.keys[0], &mut monitor), Err(Error::Limit { .. })));
        let mut few = made(&graph, way, 1, 0);
        few.limit(Some(100));
        assert!(matches!(few.value(&graph.keys[0], &mut Monitor::unlimited()), Err(Error::Dear { .. })));
    }
}

#[test]
fn cuts_and_tables_look_at_fewer_positions() {
    let mut random = Random::new(5);
    let shape = Shape { nodes: 45, most_moves: 4, gain: 0, twins: false, again: false, ..shape(&mut random) };
    let mut sums = [0; 3];
    for _ in 0..30 {
        let graph = Graph::random(&mut random, &shape);
        for (at, (cuts, table)) in [(false, false), (true, false), (true, true)].into_iter().enumerate() {
            let counted =
                count(&graph.shared(), &graph.keys[0], Uses { cuts, table }, 1 << 30, &mut Monitor::unlimited())
                    .unwrap();
            let Count::Exactly(nodes) = counted else { panic!("it was not stopped") };
            sums[at] += nodes;
        }
    }
    assert!(sums[0] > sums[1] && sums[1] > sums[2], "{sums:?}");
}
