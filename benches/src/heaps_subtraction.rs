//! Subtraction games: won and lost heaps against the plain byte loop in C++.
//!
//! `cargo run --release -p perfectplay-benches --bin subtraction [HEAPS]` prints a table. Sets of moves are random with
//! fixed seeds. *engine* computes every heap without a look for a period; *table* writes the same table, copied once a
//! period is proved; *period* stops when a period is proved, after which every heap is known. Both sides take processor
//! time, and ours is the best of three. The numbers of lost heaps must agree.
//!
//! One set is luck: so the engine alone also runs on many sets of ten moves up to 1000.

use std::path::Path;
use std::process::Command;

use heaps::subtraction::{Nimbers, Outcomes, Remotenesses, Subtraction, Takes};

#[path = "compiled/clock.rs"]
mod clock;
#[path = "compiled/random.rs"]
#[allow(dead_code)]
mod random;

/// How many numbers, up to which.
const SETS: [(usize, i64); 5] = [(10, 100), (50, 100), (10, 1000), (100, 1000), (100, 100_000)];

fn main() {
    let heaps: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000_000_000);
    let alone = std::env::args().any(|argument| argument == "--alone");
    let directory = std::env::temp_dir().join("perfectplay-subtraction");
    let program = if alone { None } else { Some(compile(&directory)) };
    println!("{heaps} heaps; seconds of one core, and how many times as fast as C++");
    println!(
        "{:<18} {:>7} {:>8} {:>6} {:>8} {:>6} {:>9} {:>8}  period (start, length)",
        "moves", "C++", "engine", "ratio", "table", "ratio", "period", "ratio"
    );
    for (count, most) in SETS {
        let numbers = random::Random::new(most as u64 + count as u64).distinct(count, 1, most);
        let takes = numbers.iter().map(|&number| Takes::one(number as u64)).collect();
        let game = Subtraction::new(takes, false).expect("numbers from 1 on are moves");
        let (engine, whole) = best_of(3, || {
            let mut outcomes = Outcomes::whole(&game);
            outcomes.extend(heaps).expect("there is memory for a bit a heap");
            outcomes
        });
        let (table, filled) = best_of(3, || {
            let mut outcomes = Outcomes::new(&game);
            outcomes.fill(heaps).expect("there is memory for a bit a heap");
            outcomes
        });
        let (short, found) = best_of(3, || {
            let mut outcomes = Outcomes::new(&game);
            outcomes.extend(heaps).expect("there is memory for a bit a heap");
            outcomes
        });
        let lost = lost_before(&whole, heaps);
        assert_eq!(lost, lost_before(&filled, heaps), "a copied table is the computed one");
        drop((whole, filled));
        let theirs = program.as_ref().map(|program| yardstick(program, &directory, heaps, &numbers, lost));
        let ratio = |ours: f64| theirs.map_or(String::new(), |theirs| format!("{:.0}", theirs / ours));
        println!(
            "{:<18} {:>7.2} {engine:>8.3} {:>6} {table:>8.3} {:>6} {short:>9.6} {:>8}  {}",
            format!("{count} up to {most}"),
            theirs.unwrap_or(f64::NAN),
            ratio(engine),
            ratio(table),
            ratio(short),
            found.period().map_or("none found".to_string(), |p| format!("{}, {}", p.start, p.length)),
        );
    }
    println!();
    let mut many: Vec<f64> = (0..24).map(|seed| engine_alone(seed, heaps / 4) * 4.0).collect();
    many.sort_by(f64::total_cmp);
    println!(
        "engine on {} sets of 10 up to 1000, seconds: best {:.3}, median {:.3}, worst {:.3}",
        many.len(),
        many[0],
        many[many.len() / 2],
        many[many.len() - 1]
    );
    println!();
    println!(
        "{:<22} {:>12} {:>12}  nanoseconds a heap, 10^7 heaps or to the period",
        "moves", "nim-values", "remoteness"
    );
    for (count, most) in SETS {
        let numbers = random::Random::new(most as u64 + count as u64).distinct(count, 1, most);
        let takes = numbers.iter().map(|&number| Takes::one(number as u64)).collect();
        let game = Subtraction::new(takes, false).expect("numbers from 1 on are moves");
        let (values, nimbers) = best_of(2, || {
            let mut nimbers = Nimbers::new(&game).expect("normal play has nim-values");
            nimbers.extend(10_000_000).expect("there is memory");
            nimbers
        });
        let (lengths, remotenesses) = best_of(2, || {
            let mut lengths = Remotenesses::new(&game);
            lengths.extend(10_000_000).expect("there is memory");
            lengths
        });
        println!(
            "{:<22} {:>12.2} {:>12.2}  values to {}, period {:?}; remoteness period {:?}",
            format!("{count} up to {most}"),
            values * 1e9 / nimbers.len() as f64,
            lengths * 1e9 / remotenesses.len() as f64,
            nimbers.max().unwrap_or(0),
            nimbers.period().map(|p| (p.start, p.length)),
            remotenesses.period().map(|p| (p.start, p.length, p.saltus)),
        );
    }
}

/// Seconds for every heap of a game with ten random moves up to 1000.
fn engine_alone(seed: u64, heaps: u64) -> f64 {
    let numbers = random::Random::new(seed).distinct(10, 1, 1000);
    let takes = numbers.iter().map(|&number| Takes::one(number as u64)).collect();
    let game = Subtraction::new(takes, false).expect("numbers from 1 on are moves");
    let run = || Outcomes::whole(&game).extend(heaps).expect("there is memory for a bit a heap");
    best_of(3, run).0
}

/// The best time in seconds, and what came out.
fn best_of<T>(runs: usize, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..runs {
        drop(last.take());
        let start = clock::now();
        last = Some(run());
        best = best.min((clock::now() - start) as f64 / 1e9);
    }
    (best, last.expect("there is a run"))
}

/// How many heaps below `heaps` are lost, from a whole table.
fn lost_before(outcomes: &Outcomes, heaps: u64) -> u64 {
    let words = outcomes.words();
    let whole: u64 = words[..(heaps / 64) as usize].iter().map(|word| u64::from(word.count_ones())).sum();
    whole + (heaps / 64 * 64..heaps).filter(|&n| outcomes.is_lost(n) == Some(true)).count() as u64
}

fn compile(directory: &Path) -> std::path::PathBuf {
    std::fs::create_dir_all(directory).expect("the temporary directory can be written");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp/subtraction.cpp");
    let program = directory.join("subtraction");
    let status = Command::new("g++")
        .args(["-std=c++17", "-O3", "-march=native", "-o"])
        .arg(&program)
        .arg(source)
        .status()
        .expect("the yardstick needs g++ (or use --alone)");
    assert!(status.success(), "g++ does not compile subtraction.cpp");
    program
}

/// Seconds of the plain loop; stops the run if it found another number of lost heaps.
fn yardstick(program: &Path, directory: &Path, heaps: u64, numbers: &[i64], lost: u64) -> f64 {
    let instance = directory.join("instance");
    let list: Vec<String> = numbers.iter().map(i64::to_string).collect();
    std::fs::write(&instance, format!("{heaps} {} {}\n", numbers.len(), list.join(" ")))
        .expect("a file can be written");
    let out = Command::new(program).args(["bytes", "1"]).arg(&instance).output().expect("the yardstick starts");
    let text = String::from_utf8_lossy(&out.stdout).to_string();
    let number = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|value| value.parse::<u64>().ok()).unwrap_or_else(|| panic!("no {name} in {text}"))
    };
    assert_eq!(number("lost"), lost, "both sides count the same lost heaps");
    number("ns") as f64 / 1e9
}
