//! Solves that are stopped again and again come to the values of one that is not: from every snapshot, with any number of threads,
//! and with less memory than before.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::Error;
use engine::codes::{CodeTable, Codes, Kind, dense_retrograde};
use engine::keeping::{Keeper, Keeping, Writing};
use engine::monitor::{Limits, Monitor};
use engine::retrograde::Forever;
use game::{Player, Verdict};

use super::explicit::{Shape, random_game};
use super::games::{CatMouse, Digraph};
use testkit::Random;

const KIND: Kind = Kind::Outcome { longest: None };
const FOREVER: [Forever; 3] = [Forever::Draw, Forever::Win(Player::FIRST), Forever::Win(Player::SECOND)];

/// What would lie on a disk.
type Disk = Arc<Mutex<HashMap<String, Vec<u8>>>>;

/// Keeps snapshots in memory, and stops the solve after so many of them.
struct InMemory {
    disk: Disk,
    left: u64,
    stop: Arc<AtomicBool>,
}

impl Keeper for InMemory {
    fn save(&mut self, name: &str, _: u64, write: Writing) -> io::Result<()> {
        // Whoever was killed writes nothing more.
        if self.left == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.disk.lock().unwrap().insert(name.to_string(), bytes);
        self.left -= 1;
        self.stop.store(self.left == 0, Ordering::Relaxed);
        Ok(())
    }

    fn load(&mut self, name: &str) -> Option<Box<dyn Read>> {
        let bytes = self.disk.lock().unwrap().get(name)?.clone();
        Some(Box::new(io::Cursor::new(bytes)))
    }

    fn forget(&mut self, name: &str) {
        if self.left > 0 {
            self.disk.lock().unwrap().remove(name);
        }
    }
}

fn monitor(disk: &Disk, snapshots: u64, memory: u64) -> Monitor {
    let stop = Arc::new(AtomicBool::new(false));
    let keeper = InMemory { disk: Arc::clone(disk), left: snapshots, stop: Arc::clone(&stop) };
    let limits = Limits { memory, time: None };
    Monitor::new(&limits).cancelled_by(stop).keeping_in(Keeping::new(Box::new(keeper), Duration::ZERO))
}

/// Solves with stops after every so many snapshots; also how often it was stopped.
fn stopped(
    solve: &dyn Fn(&mut Monitor) -> Result<CodeTable, Error>,
    random: &mut Random,
    memory: u64,
) -> (CodeTable, u64) {
    let disk = Disk::default();
    for stops in 0..2000 {
        match solve(&mut monitor(&disk, 1 + random.below(4), memory)) {
            Ok(table) if disk.lock().unwrap().contains_key("solved") => return (table, stops),
            // It was done before anybody looked whether it is to stop.
            Ok(_) => {}
            Err(error) => assert!(matches!(error, Error::Interrupted { .. }), "{error}"),
        }
    }
    panic!("it never comes to an end");
}

#[test]
fn random_games_that_are_stopped_have_the_same_values() {
    let mut random = Random::new(99);
    let mut stops = 0;
    for round in 0..1500 {
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
        let roots = [game.codes[random.below(game.nodes.len() as u64) as usize]];
        let mover = |code: u64| Player(game.movers[game.node(code)]);
        let threads = 1 + round % 3;
        let solve = |monitor: &mut Monitor| {
            let codes = Codes { threads, ..Codes::new(&game, &roots, KIND) };
            dense_retrograde(&codes, 100, forever, Some(&mover), monitor)
        };
        let expected = solve(&mut Monitor::unlimited()).unwrap();
        let (table, often) = stopped(&solve, &mut random, u64::MAX);
        stops += often;
        let values = |table: &CodeTable| (0..100).map(|code| table.get(code)).collect::<Vec<Option<Verdict>>>();
        assert_eq!(values(&table), values(&expected), "{forever:?} {threads} of {game:?}");
        assert_eq!(table.positions(), expected.positions());
    }
    assert!(stops > 500, "{stops}");
}

/// With hardly any memory positions are expanded again and again: there are stops in the middle of a level, too. A run may have
/// less memory than the one before, or more.
#[test]
fn larger_games_go_on_with_any_memory() {
    let mut random = Random::new(6);
    let graph = Digraph::random(60_000, 180_000, 2000, &mut random);
    let cats = CatMouse::random(60, 3, &mut random);
    let cases: [(&dyn game::codes::Successors, u64); 2] = [(&graph, 60_000), (&cats, 7200)];
    for (game, size) in cases {
        let roots: Vec<u64> = (0..size).step_by(7).collect();
        let solve = |threads: usize, monitor: &mut Monitor| {
            let codes = Codes { threads, ..Codes::new(game, &roots, KIND) };
            dense_retrograde(&codes, size, Forever::Draw, None, monitor)
        };
        let values = |table: CodeTable| (0..size).map(|code| table.get(code)).collect::<Vec<_>>();
        let mut free = Monitor::new(&Limits { memory: u64::MAX, time: None });
        let expected = values(solve(1, &mut free).unwrap());
        let peak = free.memory().peak();
        let least = (1..=40).map(|part| peak * part / 40).find(|memory| {
            (1..4).all(|threads| solve(threads, &mut Monitor::new(&Limits { memory: *memory, time: None })).is_ok())
        });
        let least = least.unwrap();
        let mut all_stops = 0;
        for round in 0..12 {
            let disk = Disk::default();
            let (mut stops, mut limits) = (0, 0);
            let table = loop {
                let memory = match (round % 3, random.below(2)) {
                    (0, _) | (2, 0) if limits == 0 => least,
                    _ => peak * 2,
                };
                let mut monitor = monitor(&disk, 1 + random.below(6), memory);
                match solve(1 + random.below(3) as usize, &mut monitor) {
                    Ok(table) if disk.lock().unwrap().contains_key("solved") => break table,
                    Ok(_) | Err(Error::Interrupted { .. }) => stops += 1,
                    // Another number of threads takes a little more.
                    Err(error) => {
                        assert!(error.is_limit(), "{error}");
                        limits += 1;
                    }
                }
                assert!(stops < 5000 && limits < 100, "{stops} {limits}");
            };
            assert!(values(table) == expected, "{round} {stops}");
            all_stops += stops;
        }
        assert!(all_stops > 12, "{all_stops}");
    }
}

/// A snapshot that is cut or changed where no checksum looks is refused, or the solve says so; never a wrong number of positions, a panic or a
/// loop.
#[test]
fn a_snapshot_of_something_else_is_not_taken() {
    let mut random = Random::new(8);
    let graph = Digraph::random(3000, 9000, 100, &mut random);
    let roots: Vec<u64> = (0..3000).collect();
    let solve = |identity: &str, monitor: &mut Monitor| {
        let codes = Codes { identity: identity.to_string(), ..Codes::new(&graph, &roots, KIND) };
        dense_retrograde(&codes, 3000, Forever::Draw, None, monitor)
    };
    let values = |table: CodeTable| (0..3000).map(|code| table.get(code)).collect::<Vec<_>>();
    let expected = values(solve("this", &mut Monitor::unlimited()).unwrap());
    let disk = Disk::default();
    for snapshots in 1..4 {
        let _ = solve("this", &mut monitor(&disk, snapshots, u64::MAX));
    }
    // Another game, and one whose snapshots are cut.
    let mut other = monitor(&disk, 1000, u64::MAX);
    assert!(values(solve("that", &mut other).unwrap()) == expected);
    for name in ["found", "values", "solved"] {
        let disk = Disk::default();
        let mut runs = 0;
        while !disk.lock().unwrap().contains_key(name) && runs < 1000 {
            let _ = solve("this", &mut monitor(&disk, 1, u64::MAX));
            runs += 1;
        }
        let whole = disk.lock().unwrap()[name].clone();
        for length in [0, 5, 40, whole.len() / 2, whole.len() - 1] {
            disk.lock().unwrap().insert(name.to_string(), whole[..length].to_vec());
            match solve("this", &mut monitor(&disk, 1000, u64::MAX)) {
                Ok(table) => assert!(values(table) == expected, "{name} {length}"),
                Err(error) => {
                    assert!(matches!(error, Error::Internal(_)), "{error}");
                    let again = solve("this", &mut monitor(&disk, 1000, u64::MAX)).unwrap();
                    assert!(values(again) == expected, "{name} {length}");
                }
            }
        }
    }
}
