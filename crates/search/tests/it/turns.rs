//! Two searches in turns, against plain recursion.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use engine::Error;
use engine::memory::Memory;
use engine::monitor::{Limits, Monitor};
use search::game::{Bounds, Expander, Game, Options, Shared};
use search::race::{Lengths, race};
use search::solver::{Settings, Solver, Way, solver};
use search::turns::{self, Done};
use testkit::Random;

use crate::graphs::{Graph, Shape};

fn shape(random: &mut Random) -> Shape {
    Shape {
        nodes: 3 + random.below(80) as usize,
        most_moves: 1 + random.below(5),
        words: 1 + random.below(2) as usize,
        gain: 0,
        draws: random.one_in(2),
        again: random.one_in(2),
        cyclic: false,
        twins: random.one_in(3),
        tells_ends: random.one_in(2),
        bounded: true,
    }
}

fn random_graph(random: &mut Random) -> Graph {
    let shape = shape(random);
    Graph::random(random, &shape)
}

fn made(graph: &Graph, way: Way, bytes: u64) -> Box<dyn Solver> {
    solver(&graph.shared(), way, Settings::new(1, bytes), &Memory::unlimited()).unwrap()
}

#[test]
fn the_value_is_found_whoever_goes_first() {
    let mut random = Random::new(5);
    let mut others = 0;
    for round in 0..2000 {
        let graph = random_graph(&mut random);
        let value = graph.values()[0];
        let lengths = turns::Lengths { first: 1 + random.below(20), last: 1 + random.below(100) };
        for (way, other) in [(Way::AlphaBeta, Way::ProofNumber), (Way::ProofNumber, Way::AlphaBeta)] {
            let (mut first, mut second) = (made(&graph, way, 1 << 14), made(&graph, other, [0, 1 << 14][round % 2]));
            let (a, b) = ((way, &mut *first), (other, &mut *second));
            match turns::value(a, b, &graph.keys[0], lengths, &mut Monitor::unlimited()).unwrap() {
                Done::First(found) => assert_eq!(found, value, "round {round}, {way:?}"),
                Done::Other(positions) => {
                    others += 1;
                    assert_eq!(positions, second.nodes());
                    assert_eq!(second.value(&graph.keys[0], &mut Monitor::unlimited()), Ok(value), "round {round}");
                }
            }
        }
    }
    assert!(others > 100, "{others}");
}

#[test]
fn who_gives_up_is_not_taken_for_the_end_of_a_turn() {
    let mut random = Random::new(6);
    let mut given_up = 0;
    for _ in 0..20 {
        let shape = Shape { nodes: 2000, most_moves: 6, draws: true, tells_ends: false, ..shape(&mut random) };
        let graph = Graph::random(&mut random, &shape);
        let (mut first, mut second) = (made(&graph, Way::AlphaBeta, 0), made(&graph, Way::ProofNumber, 0));
        let mut monitor = Monitor::new(&Limits::default());
        monitor.spend_positions(2);
        let (a, b) = ((Way::AlphaBeta, &mut *first), (Way::ProofNumber, &mut *second));
        match turns::value(a, b, &graph.keys[0], turns::LENGTHS, &mut monitor) {
            Ok(done) => assert_eq!(done, Done::First(graph.values()[0])),
            Err(error) => {
                given_up += 1;
                assert!(matches!(error, Error::Dear { .. }), "{error:?}");
            }
        }
        assert_eq!(second.nodes(), 0);
    }
    assert!(given_up > 0);
}

#[test]
fn a_race_that_is_decided_at_the_start_says_what_is_needed() {
    let mut random = Random::new(7);
    let mut decided = 0;
    for _ in 0..300 {
        let graph = random_graph(&mut random);
        let lengths = Lengths { start: 1 + random.below(200), later: 1, work: u64::MAX };
        let Some(race) = race(&graph.shared(), &graph.keys[0], lengths, &mut Monitor::unlimited()).unwrap() else {
            continue;
        };
        let needed = [Way::AlphaBeta, Way::ProofNumber].map(|way| race.needed(way));
        assert_eq!(race.is_decided(), needed != [None; 2]);
        for (way, needed) in [Way::AlphaBeta, Way::ProofNumber].into_iter().zip(needed) {
            let Some(needed) = needed else { continue };
            decided += 1;
            let mut alone = made(&graph, way, 1 << 14);
            alone.value(&graph.keys[0], &mut Monitor::unlimited()).unwrap();
            assert!(alone.nodes() <= needed, "{} and {needed}", alone.nodes());
        }
    }
    assert!(decided > 100, "{decided}");
}

/// A game that counts the options that searches work out.
struct Counting {
    game: Shared<'static>,
    options: Arc<AtomicU64>,
}

impl Game<'static> for Counting {
    fn words(&self) -> usize {
        self.game.words()
    }

    fn bounds(&self) -> Bounds {
        self.game.bounds()
    }

    fn is_acyclic(&self) -> bool {
        self.game.is_acyclic()
    }

    fn expander(self: Arc<Self>) -> Box<dyn Expander> {
        Box::new(CountingExpander { expander: Arc::clone(&self.game).expander(), options: Arc::clone(&self.options) })
    }
}

struct CountingExpander {
    expander: Box<dyn Expander>,
    options: Arc<AtomicU64>,
}

impl Expander for CountingExpander {
    fn expand(&mut self, key: &[u64], out: &mut Options) -> Result<Option<i64>, Error> {
        let found = self.expander.expand(key, out)?;
        self.options.fetch_add(out.same.len() as u64, Ordering::Relaxed);
        Ok(found)
    }
}

#[test]
fn a_race_ends_with_its_work_however_many_options_positions_have() {
    let mut random = Random::new(8);
    for most_moves in [3, 30, 300] {
        let shape = Shape { nodes: 20_000, most_moves, draws: true, ..shape(&mut random) };
        let graph = Graph::random(&mut random, &shape);
        let options = Arc::new(AtomicU64::new(0));
        let game: Shared<'static> = Arc::new(Counting { game: graph.shared(), options: Arc::clone(&options) });
        let lengths = search::race::lengths(1e-6, most_moves as f64 / 2.0, f64::INFINITY);
        let lengths = Lengths { work: lengths.work / 100, start: lengths.start / 100, later: lengths.later / 100 };
        race(&game, &graph.keys[0], lengths, &mut Monitor::unlimited()).unwrap();
        let listed = options.load(Ordering::Relaxed);
        // The last turn may go a little further.
        assert!(listed <= 2 * lengths.work, "{listed} of {lengths:?} with {most_moves} moves");
    }
}
