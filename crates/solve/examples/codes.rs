//! How fast the engines on codes are: `cargo run --release -p perfectplay-solve --example codes -- dense`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jit::Successors;
use solve::codes::{
    CodeTable, Codes, Extent, Kind, always_layered_search, dense_retrograde, dense_search, hashed_search,
};
use solve::monitor::Monitor;
use solve::retrograde::Forever;

#[path = "../tests/it/codes/games.rs"]
#[allow(dead_code)]
mod games;
use games::{Board, CatMouse, Digraph, FieldHeaps, Heaps};
use testkit::Random;

const OUTCOME: Kind = Kind::Outcome { longest: None };

/// Time that this process was running on any core: the machine does other things too.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn now() -> Duration {
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
    }
    const PROCESS: i32 = 2;
    let mut time = [0; 2];
    // SAFETY: on 64-bit Linux a `timespec` is two `i64`, and the array lives until the call returns.
    unsafe { clock_gettime(PROCESS, &mut time) };
    Duration::new(time[0] as u64, time[1] as u32)
}

#[cfg(not(target_os = "linux"))]
fn now() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

/// The best of several runs, for a second at most.
fn timed(name: &str, solve: impl Fn(&mut Monitor) -> CodeTable) {
    if std::env::args().nth(2).is_some_and(|wanted| !name.contains(&wanted)) {
        return;
    }
    let begin = Instant::now();
    let mut best = None;
    while best.is_none() || begin.elapsed().as_millis() < 1000 {
        let mut monitor = Monitor::unlimited();
        let start = now();
        let table = solve(&mut monitor);
        let time = now() - start;
        if best.as_ref().is_none_or(|(_, _, least)| time < *least) {
            best = Some((table, monitor, time));
        }
    }
    let Some((table, monitor, time)) = best else { return };
    let positions = table.positions() as f64;
    println!(
        "{name:40} {positions:>11} positions {:8.1} ns a position {:6.2} bytes kept, {:6.2} at most; {:.5} s",
        time.as_secs_f64() * 1e9 / positions,
        table.bytes() as f64 / positions,
        monitor.memory().peak() as f64 / positions,
        time.as_secs_f64()
    );
}

fn dense(name: &str, game: &dyn Successors, root: u64, size: u64, kind: Kind) {
    timed(name, |monitor| dense_search(&Codes::new(game, &[root], kind), size, monitor).unwrap());
}

/// What expanding alone costs, with codes in order.
fn expanding(name: &str, game: &dyn Successors, size: u64) {
    let mut options = jit::Options::default();
    let start = Instant::now();
    let mut sum = 0;
    for code in 0..size {
        game.expand(code, &mut options);
        sum += options.codes.len();
    }
    println!(
        "{name:40} {:8.1} ns to expand, {:.1} options",
        start.elapsed().as_secs_f64() * 1e9 / size as f64,
        sum as f64 / size as f64
    );
}

fn run_dense() {
    let heaps = Heaps::new(4, 56, 3, 1);
    expanding("4 heaps of 55", &heaps, heaps.count());
    let board = Board::new(5, 3, 4);
    expanding("board 5 by 3", &board, board.count());
    let narrow = Kind::Outcome { longest: Some(1000) };
    for size in [32, 56, 100] {
        let heaps = Heaps::new(4, size, 3, 1);
        dense(&format!("dense, 4 heaps of {}", size - 1), &heaps, heaps.root(), heaps.count(), OUTCOME);
        if size < 100 {
            dense("  16 bits", &heaps, heaps.root(), heaps.count(), narrow);
            dense("  score", &heaps, heaps.root(), heaps.count(), Kind::Nimber { options: Some(12) });
            dense(
                "  outcome and nimber",
                &heaps,
                heaps.root(),
                heaps.count(),
                Kind::OutcomeAndNimber { longest: None, options: None },
            );
        }
    }
    for (width, height) in [(4, 3), (5, 3), (4, 4)] {
        let board = Board::new(width, height, 4);
        dense(&format!("dense, board {width} by {height}"), &board, 0, board.count(), OUTCOME);
        dense("  8 bits", &board, 0, board.count(), Kind::Outcome { longest: Some(16) });
    }
}

fn run_retrograde() {
    let mut random = Random::new(88172645463325252);
    let graph = Digraph::random(1_000_000, 10_000_000, 1000, &mut random);
    for extent in [Extent::Whole, Extent::Reachable] {
        let codes = Codes::new(&graph, &[500_000], OUTCOME);
        timed(&format!("retrograde, token, {extent:?}"), |monitor| {
            dense_retrograde(&codes, 1_000_000, extent, Forever::Draw, None, monitor).unwrap()
        });
    }
    for vertices in [50, 200, 1000] {
        let mut random = Random::new(88172645463325252);
        let graph = CatMouse::random(vertices, if vertices > 200 { 3 } else { 4 }, &mut random);
        let size = u64::from(vertices * vertices * 2);
        for extent in [Extent::Whole, Extent::Reachable] {
            let roots = [u64::from(vertices + 2) * 2];
            let codes = Codes::new(&graph, &roots, OUTCOME);
            timed(&format!("retrograde, cat and mouse {vertices}, {extent:?}"), |monitor| {
                dense_retrograde(&codes, size, extent, Forever::Draw, None, monitor).unwrap()
            });
        }
    }
}

/// What people write: a hash map and a stack.
fn plain_map(game: &dyn Successors, root: u64) -> usize {
    let mut known: rustc_hash::FxHashMap<u64, u32> = Default::default();
    let mut options = jit::Options::default();
    let mut stack = vec![root];
    while let Some(&code) = stack.last() {
        if known.contains_key(&code) {
            stack.pop();
            continue;
        }
        game.expand(code, &mut options);
        let before = stack.len();
        let (mut won, mut lost) = (u32::MAX, 0);
        for &option in &options.codes {
            match known.get(&option) {
                None => stack.push(option),
                Some(&moves) if moves % 2 == 0 => won = won.min(moves + 1),
                Some(&moves) => lost = lost.max(moves + 1),
            }
        }
        if stack.len() == before {
            known.insert(code, if won < u32::MAX { won } else { lost });
            stack.pop();
        }
    }
    known.len()
}

fn run_hashed() {
    let heaps = FieldHeaps { heaps: 4, take: 3 };
    for tokens in [31, 55, 99] {
        let count = (tokens + 1u64).pow(4);
        let name = format!("4 heaps of {tokens}");
        if std::env::args().nth(2).is_some_and(|wanted| !name.contains(&wanted)) {
            continue;
        }
        if std::env::args().nth(3).is_none() {
            let start = now();
            assert_eq!(plain_map(&heaps, heaps.root(tokens)) as u64, count);
            let time = (now() - start).as_secs_f64() * 1e9 / count as f64;
            println!("{:40} {count:>11} positions {time:8.1} ns a position", format!("plain map, {name}"));
        }
        let root = [heaps.root(tokens)];
        let codes = Codes::new(&heaps, &root, OUTCOME);
        timed(&format!("hashed search, {name}"), |monitor| hashed_search(&codes, monitor).unwrap());
        let codes = Codes::new(&heaps, &root, Kind::Outcome { longest: Some(1000) });
        let scattered = Heaps::new(4, tokens + 1, 3, 0x1234_5678_9abc_def1);
        let scattered_root = [scattered.root()];
        let scattered = Codes::new(&scattered, &scattered_root, Kind::Outcome { longest: Some(1000) });
        timed(&format!("hashed search, scattered, {name}"), |monitor| hashed_search(&scattered, monitor).unwrap());
        timed(&format!("layered search, 16 bits, {name}"), |monitor| {
            always_layered_search(&codes, Arc::new(FieldHeaps::tokens), monitor).unwrap()
        });
        timed(&format!("hashed search, 16 bits, {name}"), |monitor| hashed_search(&codes, monitor).unwrap());
    }
}

fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    if which.is_empty() || which == "dense" {
        run_dense();
    }
    if which.is_empty() || which == "hashed" {
        run_hashed();
    }
    if which.is_empty() || which == "retrograde" {
        run_retrograde();
    }
}
