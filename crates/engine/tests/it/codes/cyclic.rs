//! Retrograde analysis on codes against that on graphs, which is compared with brute force elsewhere.

use engine::Error;
use engine::codes::{Codes, Kind, dense_retrograde};
use engine::monitor::{Limits, Monitor};
use engine::retrograde::{Forever, retrograde};
use game::Player;

use super::explicit::{Shape, random_game};
use super::games::{CatMouse, Digraph};
use testkit::Random;

const KIND: Kind = Kind::Outcome { longest: None };
const FOREVER: [Forever; 3] = [Forever::Draw, Forever::Win(Player::FIRST), Forever::Win(Player::SECOND)];

#[test]
fn random_games_agree_with_retrograde_analysis_on_graphs() {
    let mut random = Random::new(4711);
    for round in 0..3000 {
        let shape = Shape {
            nodes: [2, 8, 25, 60][round % 4],
            most_moves: [1, 2, 4][round / 4 % 3],
            cyclic: true,
            same: random.below(2) == 0,
            draws: random.below(2) == 0,
            gains: false,
            size: 100,
        };
        let game = random_game(shape, &mut random);
        let forever = FOREVER[round % 3];
        let expected = retrograde(&mut game.clone(), forever, &mut Monitor::unlimited()).unwrap();
        let root = random.below(game.nodes.len() as u64) as usize;
        let met = game.reachable(&[root]);
        let mover = |code: u64| Player(game.movers[game.node(code)]);
        for threads in 1..=3 {
            let roots = [game.codes[root]];
            let codes = Codes { threads, ..Codes::new(&game, &roots, KIND) };
            let monitor = &mut Monitor::unlimited();
            let table = dense_retrograde(&codes, 100, forever, Some(&mover), monitor).unwrap();
            for (node, &met) in met.iter().enumerate() {
                let value = expected.verdict(node as u32);
                let value = value.filter(|_| met);
                assert_eq!(table.get(game.codes[node]), value, "{forever:?} {threads} node {node} of {game:?}");
            }
            assert_eq!(table.positions(), met.iter().filter(|&&met| met).count() as u64);
        }
    }
}

/// Where nearly all codes are positions, a code is its own rank; the others still have no value and are not counted.
#[test]
fn codes_that_are_no_positions_stay_without_value_where_there_are_few() {
    let mut random = Random::new(815);
    let mut nearly_all = 0;
    for round in 0..600 {
        let (same, draws) = (round % 2 == 0, round % 3 == 0);
        let shape = Shape { nodes: 100, most_moves: 3, cyclic: true, same, draws, gains: false, size: 100 };
        let game = random_game(shape, &mut random);
        let forever = FOREVER[round % 3];
        let expected = retrograde(&mut game.clone(), forever, &mut Monitor::unlimited()).unwrap();
        let mover = |code: u64| Player(game.movers[game.node(code)]);
        let roots = game.codes.clone();
        nearly_all += u32::from((88..100).contains(&roots.len()));
        for threads in 1..=2 {
            let codes = Codes { threads, ..Codes::new(&game, &roots, KIND) };
            let monitor = &mut Monitor::unlimited();
            let table = dense_retrograde(&codes, 100, forever, Some(&mover), monitor).unwrap();
            for code in 0..100 {
                let node = roots.iter().position(|own| *own == code);
                let value = node.and_then(|node| expected.verdict(node as u32));
                assert_eq!(table.get(code), value, "{forever:?} {threads} code {code} of {game:?}");
            }
            let mut listed: Vec<u64> = table.codes().collect();
            let mut all = roots.clone();
            listed.sort_unstable();
            all.sort_unstable();
            assert_eq!((table.positions(), listed), (roots.len() as u64, all));
            let sampled = table.sample(&mut || random.next());
            assert!(sampled.is_some_and(|code| roots.contains(&code)));
            drop(table);
            assert_eq!(monitor.memory().used(), 0);
        }
    }
    assert!(nearly_all > 30, "{nearly_all}");
}

/// All threads and hardly any memory give the same table.
#[test]
fn larger_games_are_the_same_however_they_are_solved() {
    let mut random = Random::new(5);
    let graph = Digraph::random(60_000, 180_000, 2000, &mut random);
    let cats = CatMouse::random(60, 3, &mut random);
    let cases: [(&dyn game::codes::Successors, u64); 2] = [(&graph, 60_000), (&cats, 7200)];
    for (game, size) in cases {
        let roots: Vec<u64> = (0..size).collect();
        let solve = |threads: usize, memory: u64| {
            let codes = Codes { threads, ..Codes::new(game, &roots, KIND) };
            let mut monitor = Monitor::new(&Limits { memory, time: None });
            let table = dense_retrograde(&codes, size, Forever::Draw, None, &mut monitor)?;
            assert!(monitor.memory().peak() <= memory);
            let peak = monitor.memory().peak();
            Ok::<_, Error>((peak, (0..size).map(|code| table.get(code)).collect::<Vec<_>>()))
        };
        let (peak, expected) = solve(1, u64::MAX).unwrap();
        assert!(expected.iter().all(Option::is_some));
        for threads in 1..=3 {
            assert!(solve(threads, u64::MAX).unwrap().1 == expected, "{threads}");
        }
        let mut solved = 0;
        for part in 1..20 {
            for threads in 1..=2 {
                match solve(threads, peak * part / 20) {
                    Ok((_, values)) => {
                        assert!(values == expected);
                        solved += 1;
                    }
                    Err(error) => assert!(error.is_limit(), "{error}"),
                }
            }
        }
        // Small games are expanded once or not at all; in larger ones half of the memory is enough.
        assert!(size < 10_000 || solved >= 17, "{solved}");
    }
}

#[test]
fn what_does_not_apply_is_refused() {
    let graph = Digraph::random(10, 20, 1, &mut Random::new(3));
    let codes = Codes::new(&graph, &[1], KIND);
    let run = |size, forever| dense_retrograde(&codes, size, forever, None, &mut Monitor::unlimited()).map(|_| ());
    assert!(run(10, Forever::Draw).is_ok());
    assert!(matches!(run(1 << 32, Forever::Draw), Err(Error::NotApplicable(_))));
    assert!(matches!(run(10, Forever::Win(Player::FIRST)), Err(Error::NotApplicable(_))));
    assert!(matches!(run(1, Forever::Draw), Err(Error::Internal(_))));
}
