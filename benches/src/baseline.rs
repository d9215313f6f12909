//! The base line: how fast the interpreter solves five gallery games, before anything is compiled.
//!
//! `cargo run --release -p perfectplay-benches --bin baseline` prints a table; kept runs are in `benches/results/`.
//! Each game is solved several times and the fastest run counts, because machines are noisy and only ever slow down.
//! The number of positions and the answer are a signature: a change without intent shows there, and stops the run.

use std::sync::Arc;
use std::time::Instant;

use perfectplay::gallery;
use perfectplay::language::{Given, Instance, bind, compile};
use perfectplay::numbers::Random;
use perfectplay::solving::{Limits, Monitor, Options, solve};

/// A game with an instance, and what must come out.
struct Case {
    game: &'static str,
    what: &'static str,
    instance: Instance,
    positions: u64,
}

/// How often each game is solved.
const RUNS: usize = 5;

fn main() {
    println!(
        "{:<16} {:<28} {:>10} {:>9} {:>12} {:>9} {:>8}",
        "game", "instance", "positions", "seconds", "positions/s", "ns/pos", "B/pos"
    );
    for case in cases() {
        run(&case);
    }
}

fn cases() -> Vec<Case> {
    let int = |name: &str, value: i64| (name.to_string(), Given::Int(value));
    let ints = |name: &str, values: Vec<i64>| (name.to_string(), Given::Ints(values));
    let mut random = Random::new(1);
    let coins = (0..1000).map(|_| below(&mut random, 1000)).collect();
    let graph = undirected(200, &mut random);
    vec![
        Case {
            game: "coins",
            what: "1000 random coins",
            instance: Instance(vec![ints("coins", coins)]),
            positions: 501_501,
        },
        Case {
            game: "m_n_k",
            what: "3 x 4 board, 3 in a row",
            instance: Instance(vec![int("rows", 3), int("columns", 4), int("k", 3)]),
            positions: 111_973,
        },
        Case {
            game: "cat_and_mouse",
            what: "random graph, 200 vertices",
            instance: Instance(vec![("graph".to_string(), Given::List(graph))]),
            positions: 79_393,
        },
        Case {
            game: "can_i_win",
            what: "numbers to 18, total 100",
            instance: Instance(vec![int("most", 18), int("desired", 100)]),
            positions: 239_731,
        },
        Case {
            game: "kayles",
            what: "one row of 500 pins",
            instance: Instance(vec![ints("rows", vec![500])]),
            positions: 501,
        },
    ]
}

fn run(case: &Case) {
    let source = gallery::find(case.game).expect("the gallery has it");
    let program = Arc::new(compile(source).expect("the gallery compiles"));
    let bound = bind(&program, &case.instance).expect("the instance is right");
    let mut best = f64::INFINITY;
    let mut bytes = 0;
    let mut positions = 0;
    for _ in 0..RUNS {
        let mut monitor = Monitor::new(&Limits::default());
        let start = Instant::now();
        let solved = solve(&bound, &bound.start, &Options::default(), &mut monitor).expect("it is solved");
        best = best.min(start.elapsed().as_secs_f64());
        bytes = monitor.memory().peak();
        positions = solved.positions();
    }
    assert_eq!(positions, case.positions, "{}: the signature changed", case.game);
    println!(
        "{:<16} {:<28} {:>10} {:>9.3} {:>12.0} {:>9.0} {:>8.1}",
        case.game,
        case.what,
        positions,
        best,
        positions as f64 / best,
        best * 1e9 / positions as f64,
        bytes as f64 / positions as f64
    );
}

/// A random connected graph as lists of neighbours.
fn undirected(vertices: i64, random: &mut Random) -> Vec<Given> {
    let mut neighbours: Vec<Vec<i64>> = vec![Vec::new(); vertices as usize];
    let mut join = |a: i64, b: i64| {
        if a != b && !neighbours[a as usize].contains(&b) {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
    };
    for vertex in 1..vertices {
        join(vertex, below(random, vertex));
        join(vertex, below(random, vertices));
    }
    neighbours.into_iter().map(Given::Ints).collect()
}

/// A number below `bound`. Every run sees the same instances.
fn below(random: &mut Random, bound: i64) -> i64 {
    (random.next() % bound.unsigned_abs()) as i64
}
