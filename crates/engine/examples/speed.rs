//! How fast the engines are: `cargo run --release -p perfectplay-engine --example speed -- dense 3`.
//!
//! The first argument names an engine, the second says how often it runs. One run is short, so that instructions can be
//! counted with callgrind; the signature printed at the end (positions, and a sum over values) shows a change without
//! intent.

use std::sync::OnceLock;
use std::time::Instant;

use engine::Error;
use engine::codes::{CodeTable, Codes, Kind, dense_retrograde, dense_search, hashed_search};
use engine::graph::{Edge, Ending, Expansion, Graph, Id};
use engine::induction::induction;
use engine::interner::{Interner, Words};
use engine::memory::Memory;
use engine::monitor::Monitor;
use engine::retrograde::{Forever, retrograde};
use engine::valuation::Outcomes;
use game::codes::Successors;
use game::{Outcome, Player, Remoteness};

#[path = "../tests/it/codes/games.rs"]
#[allow(dead_code)]
mod games;
use games::{CatMouse, Digraph, FieldHeaps, Heaps};
use testkit::Random;

const OUTCOME: Kind = Kind::Outcome { longest: None };

/// Codes as a graph whose positions are numbered as they are met.
struct Numbered<'g> {
    game: &'g dyn Successors,
    table: Interner<Words>,
    options: game::codes::Options,
}

impl<'g> Numbered<'g> {
    fn new(game: &'g dyn Successors, root: u64, memory: &Memory) -> Numbered<'g> {
        let mut table = Interner::<Words>::new(1, memory);
        table.intern(&[root]).unwrap();
        Numbered { game, table, options: Default::default() }
    }
}

impl Graph for Numbered<'_> {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        let mut key = [0];
        self.table.key(position, &mut key);
        into.mover = Player((key[0] % 2) as u8);
        if self.game.expand(key[0], &mut self.options) == game::codes::Expanded::End {
            let result = self.options.gains[0].signum();
            into.end = Some(Ending::Outcome([Outcome::Loss, Outcome::Draw, Outcome::Win][(result + 1) as usize]));
            return Ok(());
        }
        for (&option, &same) in self.options.codes.iter().zip(&self.options.same) {
            let (to, _) = self.table.intern(&[option])?;
            into.edges.push(Edge { same: same != 0, ..Edge::to(to) });
        }
        Ok(())
    }
}

fn weight((outcome, moves): (Outcome, Remoteness)) -> u64 {
    outcome as u64 * 1_000_003 + moves.map_or(999_983, u64::from)
}

fn of_table(table: &CodeTable) -> (u64, u64) {
    (table.positions(), table.codes().filter_map(|code| table.outcome(code)).map(weight).sum())
}

fn of_outcomes(outcomes: &Outcomes) -> (u64, u64) {
    (outcomes.len() as u64, (0..outcomes.len() as Id).filter_map(|id| outcomes.get(id)).map(weight).sum())
}

/// Nanoseconds that this process has run, where the system tells.
fn processor_time() -> u64 {
    let told = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    told.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

fn run(engine: &str, monitor: &mut Monitor) -> (u64, u64) {
    let heaps = Heaps::new(4, 20, 3, 1);
    let cat = || CatMouse::random(150, 4, &mut Random::new(88172645463325252));
    match engine {
        "dense" => {
            of_table(&dense_search(&Codes::new(&heaps, &[heaps.root()], OUTCOME), heaps.count(), monitor).unwrap())
        }
        "hashed" => {
            let heaps = FieldHeaps { heaps: 4, take: 3 };
            of_table(&hashed_search(&Codes::new(&heaps, &[heaps.root(19)], OUTCOME), monitor).unwrap())
        }
        "scattered" => {
            let heaps = Heaps::new(4, 20, 3, 0x1234_5678_9abc_def1);
            of_table(&hashed_search(&Codes::new(&heaps, &[heaps.root()], OUTCOME), monitor).unwrap())
        }
        "retrograde" | "forever" => {
            let cat = cat();
            let forever = if engine == "forever" { Forever::Win(Player::SECOND) } else { Forever::Draw };
            let mover = |code: u64| Player((code % 2) as u8);
            let roots = [152 * 2];
            let codes = Codes::new(&cat, &roots, OUTCOME);
            of_table(&dense_retrograde(&codes, 150 * 150 * 2, forever, Some(&mover), monitor).unwrap())
        }
        "drawn" | "decided" => {
            // Made in the first run, so the first time is not one of the engine alone.
            static GRAPH: OnceLock<Digraph> = OnceLock::new();
            let sinks = if engine == "drawn" { 0 } else { 50_000 };
            let graph = GRAPH.get_or_init(|| Digraph::random(1_000_000, 10_000_000, sinks, &mut Random::new(7)));
            let codes = Codes::new(graph, &[999_999], OUTCOME);
            let begun = processor_time();
            let table = dense_retrograde(&codes, 1_000_000, Forever::Draw, None, monitor).unwrap();
            println!("{engine}: {:.1} ms of processor time", (processor_time() - begun) as f64 / 1e6);
            of_table(&table)
        }
        "graph-retrograde" | "graph-forever" => {
            let cat = cat();
            let mut graph = Numbered::new(&cat, 152 * 2, monitor.memory());
            let forever = if engine == "graph-forever" { Forever::Win(Player::SECOND) } else { Forever::Draw };
            of_outcomes(&retrograde(&mut graph, forever, monitor).unwrap())
        }
        "induction" => {
            let mut graph = Numbered::new(&heaps, heaps.root(), monitor.memory());
            let mut outcomes = Outcomes::with_nimbers(monitor.memory());
            induction(&mut graph, &[0], &mut outcomes, monitor).unwrap();
            of_outcomes(&outcomes)
        }
        _ => panic!("no engine is called {engine}"),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let engine = arguments.next().unwrap_or_else(|| "dense".into());
    let runs: u32 = arguments.next().map_or(1, |runs| runs.parse().unwrap());
    for _ in 0..runs {
        let mut monitor = Monitor::unlimited();
        let start = Instant::now();
        let (positions, signature) = run(&engine, &mut monitor);
        let time = start.elapsed().as_secs_f64() * 1e9 / positions as f64;
        let peak = monitor.memory().peak() as f64 / positions as f64;
        println!("{engine}: {positions} positions, signature {signature}, {time:.1} ns and {peak:.2} bytes a position");
    }
}
