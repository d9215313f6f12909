//! Does the chooser choose well, and do its predictions hold? Every instance is solved by default and by every method that
//! applies; the default is compared with the best, predictions with what was seen.
//!
//! `cargo run --release -p perfectplay-benches --bin choice [--seconds N] [FILTER]…` prints a table, and below it how many
//! choices took at most twice the time of the best, how many times were predicted within a factor of 3, and how many bytes within
//! 1.5. One thread, limits of 3 GB and N seconds (10) for every run. Times below a millisecond and sizes below a
//! megabyte count as one.

mod cases;

use std::time::{Duration, Instant};

use perfectplay::language::{Bound, Rules};
use perfectplay::plan::{Cost, methods};
use perfectplay::{SolveError, Solver};

use cases::{CASES, Case};

/// What is not worth a choice, in seconds, nor a prediction, in bytes.
const NOTHING: f64 = 1e-3;
const NO_BYTES: u64 = 1 << 20;

/// What a run took.
struct Run {
    method: &'static str,
    seconds: f64,
    bytes: u64,
    positions: u64,
}

/// The default of one case beside the best.
struct Line {
    chosen: Run,
    best: Run,
    predicted: Cost,
}

fn main() {
    let mut limit = 10;
    let mut filters = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seconds" => limit = words.next().and_then(|number| number.parse().ok()).unwrap_or(limit),
            _ => filters.push(word),
        }
    }
    println!(
        "| case | chosen | s | best | s | ratio | predicted s | factor | bytes | predicted | positions | predicted |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let wanted = |case: &&Case| filters.is_empty() || filters.iter().any(|filter| case.game.contains(&**filter));
    let lines: Vec<Line> = CASES.iter().filter(wanted).filter_map(|case| measure(case, limit)).collect();
    summary(&lines);
}

/// Measures a case and prints its line.
fn measure(case: &Case, limit: u64) -> Option<Line> {
    let rules = case.source.map(Rules::new).or_else(|| Rules::gallery(case.game));
    let title = format!("{} {}", case.game, &case.instance[..case.instance.len().min(40)]);
    let bound = match rules.map(|rules| rules.bind(case.instance)) {
        Some(Ok(bound)) => bound,
        other => {
            println!("| {title} | cannot be bound: {:?} |", other.and_then(Result::err));
            return None;
        }
    };
    let solver = || Solver::new().threads(1).memory(3 << 30).time(Duration::from_secs(limit));
    let predicted = solver().plan(&bound).ok()?.cost;
    let chosen = match best_of(&solver(), &bound) {
        Ok(run) => run,
        Err(error) => {
            println!("| {title} | {error} |");
            return None;
        }
    };
    let mut best = Run { ..chosen };
    for method in methods() {
        if let Ok(run) = best_of(&solver().method(method.name()), &bound)
            && run.seconds < best.seconds
        {
            best = run;
        }
    }
    let ratio = chosen.seconds.max(NOTHING) / best.seconds.max(NOTHING);
    let seconds = predicted.seconds;
    println!(
        "| {title} | {} | {:.4} | {} | {:.4} | {ratio:.2} | {} | {} | {} | {} | {} | {} |",
        chosen.method,
        chosen.seconds,
        best.method,
        best.seconds,
        seconds.map_or("-".to_string(), |seconds| format!("{seconds:.4}")),
        seconds.map_or("-".to_string(), |seconds| format!("{:.2}", time_factor(seconds, chosen.seconds))),
        chosen.bytes,
        predicted.bytes.map_or("-".to_string(), |bytes| bytes.to_string()),
        chosen.positions,
        predicted.positions.map_or("-".to_string(), |positions| positions.to_string()),
    );
    Some(Line { chosen, best, predicted })
}

/// The better of two runs; one if it takes long.
fn best_of(solver: &Solver, bound: &Bound) -> Result<Run, SolveError> {
    let first = run(solver, bound)?;
    if first.seconds > 1.0 {
        return Ok(first);
    }
    let second = run(solver, bound)?;
    Ok(if second.seconds < first.seconds { second } else { first })
}

fn run(solver: &Solver, bound: &Bound) -> Result<Run, SolveError> {
    let start = Instant::now();
    let solution = solver.answer(bound)?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(Run { method: solution.method.name(), seconds, bytes: solution.bytes, positions: solution.positions })
}

fn time_factor(predicted: f64, seen: f64) -> f64 {
    let (predicted, seen) = (predicted.max(NOTHING), seen.max(NOTHING));
    predicted / seen
}

fn bytes_factor(predicted: u64, seen: u64) -> f64 {
    predicted.max(NO_BYTES) as f64 / seen.max(NO_BYTES) as f64
}

fn summary(lines: &[Line]) {
    let share = |name: &str, good: usize, all: usize| {
        println!("{name}: {good} of {all} ({:.0} %)", 100.0 * good as f64 / all.max(1) as f64);
    };
    let twice = |line: &&Line| line.chosen.seconds.max(NOTHING) <= 2.0 * line.best.seconds.max(NOTHING);
    println!();
    share("at most twice the time of the best", lines.iter().filter(twice).count(), lines.len());
    let times: Vec<f64> =
        lines.iter().filter_map(|line| Some(time_factor(line.predicted.seconds?, line.chosen.seconds))).collect();
    let near = times.iter().filter(|factor| (1.0 / 3.0..=3.0).contains(*factor)).count();
    share("time within a factor of 3", near, times.len());
    let bytes: Vec<f64> =
        lines.iter().filter_map(|line| Some(bytes_factor(line.predicted.bytes?, line.chosen.bytes))).collect();
    let near = bytes.iter().filter(|factor| (1.0 / 1.5..=1.5).contains(*factor)).count();
    share("bytes within a factor of 1.5", near, bytes.len());
}
