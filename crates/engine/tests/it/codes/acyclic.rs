//! Games without cycles: every engine, kind and number of threads against the definition.

use std::sync::Arc;

use engine::Error;
use engine::codes::{CodeTable, Codes, Kind, Map, always_layered_search, dense_search, hashed_search, layered_search};
use engine::monitor::Monitor;
use game::codes::{Expanded, Options, Successors};

use super::explicit::{Explicit, Move, Node, Shape, naive, random_game};
use super::games::{Board, FieldHeaps, Heaps};
use testkit::Random;

pub const KINDS: [Kind; 12] = [
    Kind::Outcome { longest: Some(60) },
    Kind::Outcome { longest: Some(1000) },
    Kind::Outcome { longest: None },
    Kind::Score { bound: Some(100) },
    Kind::Score { bound: Some(10_000) },
    Kind::Score { bound: Some(1 << 20) },
    Kind::Score { bound: None },
    Kind::Nimber { options: Some(20) },
    Kind::Nimber { options: Some(1000) },
    Kind::Nimber { options: None },
    Kind::OutcomeAndNimber { longest: None, options: None },
    Kind::OutcomeAndNimber { longest: Some(1000), options: Some(1000) },
];

const SIZE: u64 = 400;

/// An engine for games without cycles whose codes are below [`SIZE`].
type Engine = fn(&Codes, &Explicit, &mut Monitor) -> Result<CodeTable, Error>;

fn dense(codes: &Codes, _: &Explicit, monitor: &mut Monitor) -> Result<CodeTable, Error> {
    dense_search(codes, SIZE, monitor)
}

fn hashed(codes: &Codes, _: &Explicit, monitor: &mut Monitor) -> Result<CodeTable, Error> {
    hashed_search(codes, monitor)
}

/// A move leads to a node of a lower number; nodes that are no positions are nowhere.
fn layered(codes: &Codes, game: &Explicit, monitor: &mut Monitor) -> Result<CodeTable, Error> {
    let numbers: std::collections::HashMap<u64, u64> =
        game.codes.iter().enumerate().map(|(node, &code)| (code, node as u64)).collect();
    always_layered_search(codes, Arc::new(move |code| numbers.get(&code).copied().unwrap_or(u64::MAX)), monitor)
}

const ENGINES: &[(&str, Engine)] = &[("dense", dense), ("hashed", hashed), ("layered", layered)];

/// The table has the right value for all nodes that can be reached, and nothing else.
pub fn check(game: &Explicit, roots: &[usize], kind: Kind, table: &CodeTable, about: &str) {
    let values = naive(game, kind);
    let met = game.reachable(roots);
    for node in 0..game.nodes.len() {
        let expected = met[node].then(|| values[node].clone());
        assert_eq!(table.get(game.codes[node]), expected, "{about}, node {node} of {game:?}");
    }
    let mut codes: Vec<u64> = table.codes().collect();
    codes.sort_unstable();
    let mut expected: Vec<u64> = (0..game.nodes.len()).filter(|&node| met[node]).map(|node| game.codes[node]).collect();
    expected.sort_unstable();
    assert_eq!(codes, expected, "{about}");
    assert_eq!(table.positions(), expected.len() as u64);
    let mut random = Random::new(7);
    for _ in 0..10 {
        let code = table.sample(&mut || random.next()).unwrap();
        assert!(expected.binary_search(&code).is_ok());
    }
}

fn shape(random: &mut Random) -> Shape {
    Shape {
        nodes: [3, 12, 40][random.below(3) as usize],
        most_moves: [1, 3, 8][random.below(3) as usize],
        cyclic: false,
        same: random.below(2) == 0,
        draws: random.below(2) == 0,
        gains: false,
        size: SIZE,
    }
}

#[test]
fn random_games_of_every_kind() {
    let mut random = Random::new(12345);
    for round in 0..3000 {
        let kind = KINDS[round % KINDS.len()];
        let mut shape = shape(&mut random);
        match kind {
            Kind::Score { .. } => shape.gains = true,
            Kind::Nimber { .. } | Kind::OutcomeAndNimber { .. } => (shape.same, shape.draws) = (false, false),
            Kind::Outcome { .. } => {}
        }
        let game = random_game(shape, &mut random);
        let roots: Vec<usize> =
            (0..1 + random.below(2)).map(|_| random.below(game.nodes.len() as u64) as usize).collect();
        let codes_of_roots: Vec<u64> = roots.iter().map(|&root| game.codes[root]).collect();
        for (name, engine) in ENGINES {
            for threads in 1..=3 {
                let codes = Codes { threads, ..Codes::new(&game, &codes_of_roots, kind) };
                let table = engine(&codes, &game, &mut Monitor::unlimited()).unwrap();
                check(&game, &roots, kind, &table, &format!("{name} {kind:?} {threads}"));
            }
        }
    }
}

/// A path of `length` moves to an end.
fn path(length: usize, end: i64, gain: i64) -> Explicit {
    let mut nodes = vec![Node::End(end)];
    nodes.extend((0..length).map(|to| Node::Moves(vec![Move { to, same: false, gain }])));
    let codes = (0..nodes.len() as u64).collect();
    let movers = vec![0; nodes.len()];
    Explicit::new(nodes, codes, movers, true)
}

#[test]
fn a_cycle_is_named_in_the_order_of_play() {
    let to = |to| Move { to, same: false, gain: 0 };
    let nodes = vec![
        Node::End(-1),
        Node::Moves(vec![to(0), to(2)]),
        Node::Moves(vec![to(0), to(3), to(0)]),
        Node::Moves(vec![to(0), to(1)]),
        Node::Moves(vec![to(0), to(1), to(0)]),
        Node::Moves(vec![to(5), to(0)]),
    ];
    let game = Explicit::new(nodes, vec![10, 11, 12, 13, 14, 15], vec![0; 6], false);
    for (name, engine) in &ENGINES[..2] {
        let codes = Codes::new(&game, &[14], KINDS[0]);
        let Err(Error::Cycle(mut cycle)) = engine(&codes, &game, &mut Monitor::unlimited()) else {
            panic!("{name}");
        };
        let first = cycle.iter().position(|&code| code == 11).unwrap();
        cycle.rotate_left(first);
        assert_eq!(cycle, [11, 12, 13], "{name}");
        let codes = Codes::new(&game, &[15], KINDS[0]);
        assert_eq!(engine(&codes, &game, &mut Monitor::unlimited()).unwrap_err(), Error::Cycle(vec![15]));
    }
}

#[test]
fn cycles_are_always_found() {
    let mut random = Random::new(99);
    for _ in 0..500 {
        let shape = Shape { cyclic: true, ..shape(&mut random) };
        let game = random_game(shape, &mut random);
        let root = game.codes[game.nodes.len() - 1];
        for (name, engine) in ENGINES {
            for threads in 1..=3 {
                let roots = [root];
                let codes = Codes { threads, ..Codes::new(&game, &roots, Kind::Outcome { longest: None }) };
                match engine(&codes, &game, &mut Monitor::unlimited()) {
                    Ok(_) => assert!(!has_cycle(&game, root), "{name}"),
                    Err(Error::Cycle(cycle)) => {
                        let follows = |from: u64, to: u64| match &game.nodes[game.node(from)] {
                            Node::Moves(moves) => moves.iter().any(|mv| game.codes[mv.to] == to),
                            _ => false,
                        };
                        for (index, &code) in cycle.iter().enumerate() {
                            assert!(follows(code, cycle[(index + 1) % cycle.len()]), "{name}");
                        }
                        assert!(!cycle.is_empty());
                    }
                    Err(Error::NotApplicable(_)) if *name == "layered" => {}
                    Err(other) => panic!("{name}: {other}"),
                }
            }
        }
    }
}

/// Whether a node can be reached from itself: ends are taken away until nothing changes.
fn has_cycle(game: &Explicit, root: u64) -> bool {
    let met = game.reachable(&[game.node(root)]);
    let mut gone = vec![false; game.nodes.len()];
    loop {
        let mut changed = false;
        for node in (0..game.nodes.len()).filter(|&node| met[node]) {
            let over = match &game.nodes[node] {
                Node::Moves(moves) => moves.iter().all(|mv| gone[mv.to]),
                _ => true,
            };
            changed |= over && !std::mem::replace(&mut gone[node], over);
        }
        if !changed {
            return (0..game.nodes.len()).any(|node| met[node] && !gone[node]);
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error_with_its_place() {
    let run = |engine: Engine, game: &Explicit, kind: Kind| {
        let root = *game.codes.last().unwrap();
        engine(&Codes::new(game, &[root], kind), game, &mut Monitor::unlimited())
    };
    for (name, engine) in ENGINES {
        let long = path(70, -1, 0);
        assert!(run(*engine, &long, Kind::Outcome { longest: Some(30) }).is_err(), "{name}");
        assert!(run(*engine, &long, Kind::Outcome { longest: Some(70) }).is_ok(), "{name}");
        let wide = path(1, i64::MIN + 1, 0);
        assert_eq!(run(*engine, &wide, Kind::Score { bound: None }).unwrap_err(), Error::OverflowAt(0), "{name}");
        let sum = path(2, -5, i64::MAX - 3);
        assert_eq!(run(*engine, &sum, Kind::Score { bound: None }).unwrap_err(), Error::OverflowAt(1), "{name}");
        let narrow = path(3, 0, 20_000);
        let error = run(*engine, &path(1, 126, -10), Kind::Score { bound: Some(50) }).unwrap_err();
        assert_eq!(error, Error::OverflowAt(1), "{name}");
        assert!(run(*engine, &narrow, Kind::Score { bound: Some(30_000) }).is_ok(), "{name}");
    }
}

#[test]
fn a_fault_names_its_position() {
    let nodes = vec![
        Node::End(1),
        Node::Fault,
        Node::Moves(vec![Move { to: 0, same: false, gain: 0 }, Move { to: 1, same: false, gain: 0 }]),
    ];
    let game = Explicit::new(nodes, vec![5, 6, 7], vec![0; 3], false);
    for (name, engine) in ENGINES {
        let codes = Codes::new(&game, &[7], KINDS[0]);
        assert_eq!(engine(&codes, &game, &mut Monitor::unlimited()).unwrap_err(), Error::Fault(6), "{name}");
    }
}

#[test]
fn codes_outside_the_table_are_an_error() {
    let game = path(3, 1, 0);
    for (size, root) in [(3, 3), (0, 0), (2, u64::MAX >> 1)] {
        assert!(dense_search(&Codes::new(&game, &[root], KINDS[0]), size, &mut Monitor::unlimited()).is_err());
    }
}

#[test]
fn a_path_of_a_million_moves() {
    let game = path(1_000_000, -1, 1);
    let codes = Codes::new(&game, &[1_000_000], Kind::Outcome { longest: None });
    let table = dense_search(&codes, 1_000_001, &mut Monitor::unlimited()).unwrap();
    assert_eq!(table.outcome(1_000_000), Some((game::Outcome::Loss, Some(1_000_000))));
}

#[test]
fn known_games() {
    let heaps = Heaps::new(3, 8, 3, 1);
    let root = [heaps.root()];
    let codes = Codes::new(&heaps, &root, Kind::OutcomeAndNimber { longest: None, options: None });
    let table = dense_search(&codes, heaps.count(), &mut Monitor::unlimited()).unwrap();
    assert_eq!(table.positions(), 512);
    for code in 0..512u64 {
        let nimber = (code % 8 % 4) ^ (code / 8 % 8 % 4) ^ (code / 64 % 4);
        assert_eq!(table.nimber(code), Some(nimber));
        assert_eq!(table.outcome(code).unwrap().0 == game::Outcome::Win, nimber != 0);
    }
    let board = Board::new(3, 3, 3);
    let codes = Codes::new(&board, &[0], Kind::Outcome { longest: Some(9) });
    let table = dense_search(&codes, board.count(), &mut Monitor::unlimited()).unwrap();
    assert_eq!((table.positions(), table.outcome(0)), (5478, Some((game::Outcome::Draw, Some(9)))));
}

/// Four heaps by every hashed engine, with and without their symmetries, against the dense table.
#[test]
fn larger_games_are_the_same_by_every_engine() {
    let game = FieldHeaps { heaps: 4, take: 3 };
    let dense_game = Heaps::new(4, 16, 3, 1);
    let dense_root = [dense_game.root()];
    let unlimited = &mut Monitor::unlimited();
    let kind = Kind::Outcome { longest: Some(60) };
    let expected = dense_search(&Codes::new(&dense_game, &dense_root, kind), dense_game.count(), unlimited).unwrap();
    let sorted: Map = Arc::new(|code| {
        let mut heaps = [0, 1, 2, 3].map(|heap| code >> (15 * heap) & 0x7fff);
        heaps.sort_unstable();
        heaps.iter().rev().fold(0, |code, heap| code << 15 | heap)
    });
    let root = [game.root(15)];
    for canonical in [None, Some(sorted)] {
        for kind in [kind, Kind::Outcome { longest: None }, Kind::OutcomeAndNimber { longest: None, options: None }] {
            for threads in 1..=4 {
                let codes = Codes { threads, canonical: canonical.clone(), ..Codes::new(&game, &root, kind) };
                let hashed = hashed_search(&codes, unlimited).unwrap();
                let layered = always_layered_search(&codes, Arc::new(FieldHeaps::tokens), unlimited).unwrap();
                let chosen = layered_search(&codes, Arc::new(FieldHeaps::tokens), unlimited).unwrap();
                for table in [hashed, layered, chosen] {
                    let symmetric = canonical.is_some();
                    assert_eq!(table.positions(), if symmetric { 3876 } else { 65_536 });
                    assert!(table.bytes() <= 20 * table.positions() + 64 * 16 * 64, "{}", table.bytes());
                    for code in (0..65_536).step_by(7) {
                        let fields = (0..4).fold(0, |fields, heap| fields | (code >> (4 * heap) & 15) << (15 * heap));
                        assert_eq!(table.outcome(fields), expected.outcome(code));
                    }
                }
            }
        }
    }
}

/// Codes without neighbours: the table is begun again in another form.
#[test]
fn scattered_codes_take_little_memory_too() {
    let key = 0x1234_5678_9abc_def1;
    let (scattered, plain) = (Heaps::new(4, 20, 3, key), Heaps::new(4, 20, 3, 1));
    let (scattered_root, plain_root) = ([scattered.root()], [plain.root()]);
    let kind = Kind::Outcome { longest: None };
    let mut monitor = Monitor::unlimited();
    let table = hashed_search(&Codes::new(&scattered, &scattered_root, kind), &mut monitor).unwrap();
    assert_eq!(table.positions(), 160_000);
    assert!(table.bytes() <= 20 * table.positions(), "{}", table.bytes());
    // While a part grows there are two of it.
    assert!(monitor.memory().peak() <= table.bytes() + (4 << 20), "{}", monitor.memory().peak());
    let expected = dense_search(&Codes::new(&plain, &plain_root, kind), plain.count(), &mut monitor).unwrap();
    for code in 0..160_000u64 {
        assert_eq!(table.get(code.wrapping_mul(key) & ((1 << 63) - 1)), expected.get(code));
    }
}

/// Codes that lie in whole pages, and codes that lie in short runs far apart: tables of pages are begun for both, and given up
/// for the second.
#[test]
fn codes_that_lie_close_together_take_pages_or_lines() {
    struct Jumping(Heaps);
    const RUN: u64 = 28;
    const JUMP: u64 = RUN * 40_000;
    let to = |code: u64| code / RUN * JUMP + code % RUN;
    impl Successors for Jumping {
        fn expand(&self, code: u64, out: &mut Options) -> Expanded {
            let expanded = self.0.expand(code / JUMP * RUN + code % JUMP, out);
            for option in &mut out.codes {
                *option = *option / RUN * JUMP + *option % RUN;
            }
            expanded
        }
    }
    let (close, jumping) = (Heaps::new(4, 20, 3, 1), Jumping(Heaps::new(4, 20, 3, 1)));
    let (close_root, jumping_root) = ([close.root()], [to(close.root())]);
    for kind in [Kind::Outcome { longest: Some(100) }, Kind::OutcomeAndNimber { longest: Some(100), options: Some(12) }]
    {
        let monitor = &mut Monitor::unlimited();
        let expected = dense_search(&Codes::new(&close, &close_root, kind), close.count(), monitor).unwrap();
        let pages = hashed_search(&Codes::new(&close, &close_root, kind), monitor).unwrap();
        let lines = hashed_search(&Codes::new(&jumping, &jumping_root, kind), monitor).unwrap();
        assert_eq!((pages.positions(), lines.positions()), (160_000, 160_000));
        assert!(lines.bytes() <= 20 * 160_000, "{}", lines.bytes());
        for code in 0..160_000 {
            assert_eq!(pages.get(code), expected.get(code));
            assert_eq!(lines.get(to(code)), expected.get(code));
        }
        assert_eq!(pages.codes().count(), 160_000);
        let mut random = testkit::Random::new(1);
        for _ in 0..100 {
            let code = pages.sample(&mut || random.next());
            assert!(code.is_some_and(|code| code < 160_000));
        }
    }
}
