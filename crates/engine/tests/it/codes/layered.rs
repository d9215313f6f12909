//! Retrograde analysis layer by layer against that on graphs: random games in random layers, in any memory, with stops.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::Error;
use engine::codes::{Codes, Kind};
use engine::keeping::{InMemory, Keeper, Keeping, Space, Writing};
use engine::layered::{LayeredTable, Layers, layered_retrograde};
use engine::memory::Memory;
use engine::monitor::{Limits, Monitor};
use engine::retrograde::{Forever, retrograde};
use game::Verdict;

use super::explicit::{Explicit, Node, Shape, random_game};
use testkit::Random;

const KIND: Kind = Kind::Outcome { longest: None };

/// Layers of an explicit game: sets of nodes that play does not come back to, with gaps between the numbers of their nodes.
struct Divided {
    places: HashMap<u64, (u32, u64)>,
    codes: HashMap<(u32, u64), u64>,
    sizes: Vec<u64>,
    below: Vec<Vec<u32>>,
    cyclic: Vec<bool>,
}

impl Divided {
    fn random(game: &Explicit, gap: u64, random: &mut Random) -> Divided {
        let count = game.nodes.len();
        let reach: Vec<Vec<bool>> = (0..count).map(|node| game.reachable(&[node])).collect();
        // Nodes in an order in which moves go down, except between those that lead to one another.
        let mut order: Vec<usize> = (0..count).collect();
        let reached = |node: usize| reach[node].iter().filter(|reached| **reached).count();
        order.sort_by_key(|node| {
            (reached(*node), (0..count).find(|other| reach[*node][*other] && reach[*other][*node]))
        });
        let (mut layer, mut layers) = (0, vec![0; count]);
        for pair in order.windows(2) {
            let together = reach[pair[0]][pair[1]] && reach[pair[1]][pair[0]];
            if !together && random.below(3) == 0 {
                layer += 1;
            }
            layers[pair[1]] = layer;
        }
        let all = layer as usize + 1;
        let mut divided = Divided {
            places: HashMap::new(),
            codes: HashMap::new(),
            sizes: vec![1; all],
            below: vec![Vec::new(); all],
            cyclic: vec![false; all],
        };
        random.shuffle(&mut order);
        for node in order {
            let own = layers[node];
            let number = divided.sizes[own as usize] + random.below(gap);
            divided.sizes[own as usize] = number + 1 + random.below(gap);
            divided.places.insert(game.codes[node], (own, number));
            divided.codes.insert((own, number), game.codes[node]);
            if let Node::Moves(moves) = &game.nodes[node] {
                for to in moves.iter().map(|mv| layers[mv.to]) {
                    match to == own {
                        true => divided.cyclic[own as usize] = true,
                        false => divided.below[own as usize].push(to),
                    }
                }
            }
        }
        for below in &mut divided.below {
            below.sort_unstable();
            below.dedup();
        }
        divided
    }
}

impl Layers for Divided {
    fn count(&self) -> u32 {
        self.sizes.len() as u32
    }

    fn size(&self, layer: u32) -> u64 {
        self.sizes[layer as usize]
    }

    fn below(&self, layer: u32) -> &[u32] {
        &self.below[layer as usize]
    }

    fn is_cyclic(&self, layer: u32) -> bool {
        self.cyclic[layer as usize]
    }

    fn place(&self, code: u64) -> Option<(u32, u64)> {
        self.places.get(&code).copied()
    }

    fn code(&self, layer: u32, number: u64) -> u64 {
        self.codes[&(layer, number)]
    }
}

fn game(round: usize, random: &mut Random) -> Explicit {
    let shape = Shape {
        nodes: [2, 8, 25, 60][round % 4],
        most_moves: [1, 2, 4][round / 4 % 3],
        cyclic: !round.is_multiple_of(5),
        same: random.below(2) == 0,
        draws: random.below(2) == 0,
        gains: false,
        size: 100,
    };
    random_game(shape, random)
}

/// What each node is worth that can be reached.
fn expected(game: &Explicit, root: usize) -> Vec<Option<Verdict>> {
    let values = retrograde(&mut game.clone(), Forever::Draw, &mut Monitor::unlimited()).unwrap();
    let met = game.reachable(&[root]);
    (0..).zip(met).map(|(node, met)| values.verdict(node).filter(|_| met)).collect()
}

fn check(table: &LayeredTable, game: &Explicit, layers: &Divided, expected: &[Option<Verdict>]) {
    for (node, value) in expected.iter().enumerate() {
        let (layer, number) = layers.places[&game.codes[node]];
        assert_eq!(&table.get(layer, number).unwrap(), value, "node {node} of {game:?}");
    }
    let met = expected.iter().flatten().count() as u64;
    assert_eq!(table.positions(), met);
    let mut listed = 0;
    for layer in 0..layers.count() {
        let size = layers.size(layer);
        for (numbers, words) in [(0..size, 1), (0..size / 2, 3), (size / 2..size, 500)] {
            let mut stream = table.stream(layer, numbers.clone(), words).unwrap();
            let mut last = None;
            while let Some((number, value)) = stream.advance().unwrap() {
                assert!(numbers.contains(&number) && last.is_none_or(|last| last < number));
                last = Some(number);
                assert_eq!(table.get(layer, number).unwrap(), Some(value));
                listed += 1;
            }
        }
    }
    assert_eq!(listed, 2 * met);
}

#[test]
fn random_games_in_random_layers_agree_with_retrograde_analysis_on_graphs() {
    let mut random = Random::new(16);
    for round in 0..2000 {
        let game = game(round, &mut random);
        let gap = [1, 3, 700, 40_000][random.below(4usize)];
        let layers = Divided::random(&game, gap, &mut random);
        let root = random.below(game.nodes.len());
        let expected = expected(&game, root);
        let roots = [game.codes[root]];
        let codes = Codes { threads: 1 + round % 3, ..Codes::new(&game, &roots, KIND) };
        let mut monitor = Monitor::unlimited();
        let table = layered_retrograde(&codes, &layers, Forever::Draw, &mut monitor).unwrap();
        check(&table, &game, &layers, &expected);
        drop(table);
        assert_eq!(monitor.memory().used(), 0);
    }
}

/// What would lie on a disk.
#[derive(Default)]
struct Disk {
    snapshots: HashMap<String, Vec<u8>>,
    space: Option<(u64, Arc<InMemory>)>,
}

/// Keeps snapshots and a space in memory, and stops the solve after so many of them.
struct Kept {
    disk: Arc<Mutex<Disk>>,
    left: u64,
    stop: Arc<AtomicBool>,
}

struct Shared(Arc<InMemory>);

impl Space for Shared {
    fn write(&self, page: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write(page, bytes)
    }

    fn read(&self, page: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.0.read(page, bytes)
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Keeper for Kept {
    fn save(&mut self, name: &str, _: u64, write: Writing) -> io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        if self.left > 0 {
            self.disk.lock().unwrap().snapshots.insert(name.to_string(), bytes);
            self.left -= 1;
            self.stop.store(self.left == 0, Ordering::Relaxed);
        }
        Ok(())
    }

    fn load(&mut self, name: &str) -> Option<Box<dyn Read>> {
        let bytes = self.disk.lock().unwrap().snapshots.get(name)?.clone();
        Some(Box::new(io::Cursor::new(bytes)))
    }

    fn forget(&mut self, name: &str) {
        self.disk.lock().unwrap().snapshots.remove(name);
    }

    fn space(&mut self, _: &str, _: &str, pages: u64, keeps: bool) -> io::Result<(Box<dyn Space>, bool)> {
        let mut disk = self.disk.lock().unwrap();
        if let Some((known, space)) = disk.space.as_ref().filter(|_| keeps) {
            assert_eq!(*known, pages);
            return Ok((Box::new(Shared(Arc::clone(space))), true));
        }
        let space = Arc::new(InMemory::new(&Memory::unlimited()));
        disk.space = Some((pages, Arc::clone(&space)));
        Ok((Box::new(Shared(space)), false))
    }
}

#[test]
fn hardly_any_memory_and_stops_change_nothing() {
    let mut random = Random::new(160);
    let (mut stops, mut tight) = (0, 0);
    for round in 0..600 {
        let game = game(round, &mut random);
        let gap = [3, 700, 40_000][random.below(3usize)];
        let layers = Divided::random(&game, gap, &mut random);
        let root = random.below(game.nodes.len());
        let expected = expected(&game, root);
        let roots = [game.codes[root]];
        let codes = Codes { threads: 1 + round % 3, ..Codes::new(&game, &roots, KIND) };
        let disk = Arc::new(Mutex::new(Disk::default()));
        let mut memory = [u64::MAX, 300_000, 150_000, 90_000][random.below(4usize)];
        loop {
            let stop = Arc::new(AtomicBool::new(false));
            let keeper = Kept { disk: Arc::clone(&disk), left: 1 + random.below(6), stop: Arc::clone(&stop) };
            let monitor = Monitor::new(&Limits { memory, time: None }).cancelled_by(stop);
            let mut monitor = monitor.keeping_in(Keeping::new(Box::new(keeper), Duration::ZERO));
            match layered_retrograde(&codes, &layers, Forever::Draw, &mut monitor) {
                Ok(table) => {
                    assert!(monitor.memory().peak() <= memory);
                    tight += u64::from(memory < u64::MAX);
                    check(&table, &game, &layers, &expected);
                    break;
                }
                Err(Error::Interrupted { .. }) => stops += 1,
                Err(error) if error.is_limit() => memory = memory.saturating_mul(2),
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(stops > 500 && tight > 300, "{stops} {tight}");
}
