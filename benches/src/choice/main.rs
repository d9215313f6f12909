//! Does the chooser choose well, and do its predictions hold? Every instance is solved by default and by every method that
//! applies; the default is compared with the best, predictions with what was seen.
//!
//! `cargo run --release -p perfectplay-benches --bin choice [--seconds N] [--all] [FILTER]…` prints a table, and below it how
//! many choices took at most twice the time of the best, how many times were predicted within a factor of 3, and how many bytes
//! within 1.5: for the instances that predictions were fitted to, and for fresh ones. `--all` adds what every method took.
//!
//! One thread, limits of 3 GB and N seconds (30) for every run, and for methods that were not chosen ten times what the chosen
//! one took. Times are processor time, the least of up to five runs in turn, so that it matters little what else the machine does.
//! Times below a millisecond and sizes below a megabyte count as one.
//!
//! Only methods count that tell what the default tells: how long play lasts, the nimber, the canonical form. What is quicker
//! because it tells less is counted in a line of its own.

mod cases;
#[path = "../compiled/clock.rs"]
mod clock;
mod fresh;

use std::time::{Duration, Instant};

use perfectplay::language::{Bound, Rules};
use perfectplay::plan::{Cost, Plan, methods};
use perfectplay::{SolveError, Solver};

use cases::{Case, TUNED};
use fresh::FRESH;

/// What is not worth a choice, in seconds, nor a prediction, in bytes.
const NOTHING: f64 = 1e-3;
const NO_BYTES: u64 = 1 << 20;
/// Runs of one method, at the most, and how long they may take together.
const RUNS: usize = 5;
const TOGETHER: f64 = 1.5;
/// How many times as long a method takes that is tried once only.
const FAR: f64 = 4.0;

/// What a run took.
struct Run {
    method: &'static str,
    seconds: f64,
    bytes: u64,
    positions: u64,
    detail: Detail,
}

/// What a solution tells beside who wins.
#[derive(Clone, Copy)]
struct Detail {
    length: bool,
    nimber: bool,
    value: bool,
}

impl Detail {
    /// Whether all that the other tells is told.
    fn covers(self, other: Detail) -> bool {
        self.length >= other.length && self.nimber >= other.nimber && self.value >= other.value
    }
}

/// The default of one case beside the best.
struct Line {
    chosen: Run,
    best: Run,
    /// Seconds of the quickest of all, which may tell less.
    least: f64,
    predicted: Cost,
}

/// What was asked for.
struct Asked {
    limit: u64,
    all: bool,
    filters: Vec<String>,
}

fn main() {
    let mut asked = Asked { limit: 30, all: false, filters: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seconds" => asked.limit = words.next().and_then(|number| number.parse().ok()).unwrap_or(asked.limit),
            "--all" => asked.all = true,
            _ => asked.filters.push(word),
        }
    }
    for (title, cases) in [("Fitted", TUNED), ("Fresh", FRESH)] {
        let wanted =
            |case: &&Case| asked.filters.is_empty() || asked.filters.iter().any(|filter| case.game.contains(&**filter));
        let wanted: Vec<&Case> = cases.iter().filter(wanted).collect();
        if wanted.is_empty() {
            continue;
        }
        println!("\n## {title}\n");
        println!(
            "| case | chosen | s | best | s | ratio | predicted s | factor | bytes | predicted | positions | predicted |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
        let lines: Vec<Line> = wanted.into_iter().filter_map(|case| measure(case, &asked)).collect();
        summary(&lines);
    }
}

/// Measures a case and prints its line.
fn measure(case: &Case, asked: &Asked) -> Option<Line> {
    let rules = case.source.map(Rules::new).or_else(|| Rules::gallery(case.game));
    let title = format!("{} {}", case.game, &case.instance[..case.instance.len().min(40)]);
    let bound = match rules.map(|rules| rules.bind(case.instance)) {
        Some(Ok(bound)) => bound,
        other => {
            println!("| {title} | cannot be bound: {:?} |", other.and_then(Result::err));
            return None;
        }
    };
    let solver = |limit: Duration| Solver::new().threads(1).memory(3 << 30).time(limit);
    let limit = Duration::from_secs(asked.limit);
    let begun = Instant::now();
    let mut chosen = match run(&solver(limit), &bound) {
        Ok(run) => run,
        Err(error) => {
            println!("| {title} | {error} |");
            return None;
        }
    };
    let limit = limit.min(Duration::from_millis(200) + 10 * begun.elapsed());
    let plan = solver(limit).plan(&bound).ok()?;
    let predicted = plan.cost();
    // All take turns, so that a busy moment of the machine is not held against one of them.
    let mut rivals: Vec<(&'static str, Option<Run>)> = methods().map(|method| (method.name(), None)).collect();
    let mut spent = chosen.seconds;
    for round in 0..RUNS {
        if round > 0 {
            better(&mut chosen, run(&solver(limit), &bound));
        }
        rivals.retain_mut(|(method, best)| match run(&solver(limit).method(method), &bound) {
            Ok(run) => {
                spent += run.seconds;
                match best {
                    Some(best) => better(best, Ok(run)),
                    None => *best = Some(run),
                }
                // What takes much longer is not tried again.
                best.as_ref().is_some_and(|best| best.seconds < FAR * chosen.seconds || round + 1 == RUNS)
            }
            Err(_) => best.is_some(),
        });
        if spent > TOGETHER {
            break;
        }
    }
    let seen: Vec<(&str, f64)> =
        rivals.iter().filter_map(|(name, best)| Some((*name, best.as_ref()?.seconds))).collect();
    let mut best = Run { ..chosen };
    let mut least = chosen.seconds;
    for run in rivals.into_iter().filter_map(|(_, run)| run) {
        least = least.min(run.seconds);
        if run.detail.covers(chosen.detail) {
            better(&mut best, Ok(run));
        }
    }
    print_line(&title, &chosen, &best, &predicted);
    if asked.all {
        print_all(&plan, &seen);
    }
    Some(Line { chosen, best, least, predicted })
}

fn print_line(title: &str, chosen: &Run, best: &Run, predicted: &Cost) {
    let ratio = chosen.seconds.max(NOTHING) / best.seconds.max(NOTHING);
    let seconds = predicted.seconds;
    let or_dash = |text: Option<String>| text.unwrap_or("-".to_string());
    println!(
        "| {title} | {} | {:.4} | {} | {:.4} | {ratio:.2} | {} | {} | {} | {} | {} | {} |",
        chosen.method,
        chosen.seconds,
        best.method,
        best.seconds,
        or_dash(seconds.map(|seconds| format!("{seconds:.4}"))),
        or_dash(seconds.map(|seconds| format!("{:.2}", time_factor(seconds, chosen.seconds)))),
        chosen.bytes,
        or_dash(predicted.bytes.map(|bytes| bytes.to_string())),
        chosen.positions,
        or_dash(predicted.positions.map(|positions| positions.to_string())),
    );
}

/// What every method took, and what was predicted of it.
fn print_all(plan: &Plan<'_>, seen: &[(&str, f64)]) {
    for (name, seconds) in seen {
        let rival = plan.passed_over().iter().find(|passed| passed.method.name() == *name);
        let predicted = match rival {
            Some(passed) => passed.cost.and_then(|cost| cost.seconds),
            None => plan.cost().seconds.filter(|_| plan.method().name() == *name),
        };
        let predicted = predicted.map_or("-".to_string(), |seconds| format!("{seconds:.4}"));
        println!("    {name}: {seconds:.4}, predicted {predicted}");
    }
}

/// Keeps the quicker of two runs.
fn better(best: &mut Run, run: Result<Run, SolveError>) {
    if let Ok(run) = run
        && run.seconds < best.seconds
    {
        *best = run;
    }
}

fn run(solver: &Solver, bound: &Bound) -> Result<Run, SolveError> {
    let start = clock::now();
    let solution = solver.answer(bound)?;
    let seconds = (clock::now() - start) as f64 * 1e-9;
    let detail = Detail {
        length: solution.remoteness.is_some(),
        nimber: solution.nimber.is_some(),
        value: solution.canonical.is_some(),
    };
    Ok(Run { method: solution.method.name(), seconds, bytes: solution.bytes, positions: solution.positions, detail })
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
        println!("- {name}: {good} of {all} ({:.0} %)", 100.0 * good as f64 / all.max(1) as f64);
    };
    let twice = |line: &&Line| line.chosen.seconds.max(NOTHING) <= 2.0 * line.best.seconds.max(NOTHING);
    println!();
    share("at most twice the time of the best", lines.iter().filter(twice).count(), lines.len());
    let twice = |line: &&Line| line.chosen.seconds.max(NOTHING) <= 2.0 * line.least.max(NOTHING);
    share("at most twice the quickest, also of those that tell less", lines.iter().filter(twice).count(), lines.len());
    let times: Vec<f64> =
        lines.iter().filter_map(|line| Some(time_factor(line.predicted.seconds?, line.chosen.seconds))).collect();
    let near = times.iter().filter(|factor| (1.0 / 3.0..=3.0).contains(*factor)).count();
    share("time within a factor of 3", near, times.len());
    let bytes: Vec<f64> =
        lines.iter().filter_map(|line| Some(bytes_factor(line.predicted.bytes?, line.chosen.bytes))).collect();
    let near = bytes.iter().filter(|factor| (1.0 / 1.5..=1.5).contains(*factor)).count();
    share("bytes within a factor of 1.5", near, bytes.len());
}
