//! Values of partizan games from rules files, against the crate `cgt` in the same run, and sums against the clock.
//!
//! `cargo run --release -p perfectplay-benches --bin values [OPTION]… [FILTER]…`. Processor time, the best of all rounds; the
//! other side runs once in each round. Values are compared where both sides write them alike: a difference is a failure.

mod cases;
#[path = "../compiled/clock.rs"]
mod clock;
mod other;

use std::process::ExitCode;

use cases::{Case, Found};
use other::Run;

const USAGE: &str = "usage: values [OPTION]… [FILTER]…

A case runs if its name contains one of the filters; without a filter all run, but for the huge ones.

  --huge       with the cases that take minutes
  --rounds N   how often each side runs (3)
  --alone      without `cgt`
  --limit N    seconds of processor time after which `cgt` is stopped (600): then the ratio is at least what is told
  --list       the names of the cases";

/// What the command line says.
struct Wish {
    huge: bool,
    rounds: u32,
    alone: bool,
    limit: u64,
    filters: Vec<String>,
}

fn main() -> ExitCode {
    match read(std::env::args().skip(1)).and_then(|wish| run(&wish)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Wish, String> {
    let mut wish = Wish { huge: false, rounds: 3, alone: false, limit: 600, filters: Vec::new() };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--huge" => wish.huge = true,
            "--alone" => wish.alone = true,
            "--rounds" => {
                let rounds = words.next().and_then(|rounds| rounds.parse().ok());
                wish.rounds = rounds.filter(|&rounds| rounds > 0).ok_or(USAGE)?;
            }
            "--limit" => {
                wish.limit = words.next().and_then(|limit| limit.parse().ok()).ok_or(USAGE)?;
            }
            "--list" => return Err(cases::all().iter().map(|case| case.name).collect::<Vec<_>>().join("\n")),
            option if option.starts_with('-') => return Err(USAGE.to_string()),
            filter => wish.filters.push(filter.to_string()),
        }
    }
    Ok(wish)
}

/// Runs the cases; whether all answers agree.
fn run(wish: &Wish) -> Result<bool, String> {
    println!(
        "{:<18} {:>10} {:>10} {:>8} {:>7} {:>10} {:>9}  value",
        "case", "ours s", "cgt s", "ratio", "needed", "parts", "MB"
    );
    let mut agree = true;
    for case in cases::all() {
        let chosen = match wish.filters.is_empty() {
            true => wish.huge || !case.huge,
            false => wish.filters.iter().any(|filter| case.name.contains(filter.as_str())),
        };
        if chosen {
            agree &= measure(&case, wish)?;
        }
    }
    Ok(agree)
}

fn measure(case: &Case, wish: &Wish) -> Result<bool, String> {
    let mut best: Option<Found> = None;
    let mut rival: Option<(u64, Option<String>)> = None;
    for _ in 0..wish.rounds {
        let found = (case.run)()?;
        best = Some(match best {
            Some(known) if known.ns <= found.ns => known,
            _ => found,
        });
        if let Some(words) = case.other.filter(|_| !wish.alone) {
            let (ns, value) = match other::run(words, wish.limit)? {
                Run::Done(ns, value) => (ns, Some(value)),
                Run::Stopped(ns) => (ns, None),
            };
            let stopped = value.is_none();
            rival = Some(match rival {
                Some(known) if known.0 <= ns => known,
                _ => (ns, value),
            });
            // It would be stopped again.
            if stopped {
                break;
            }
        }
    }
    let Some(Found { ns, value, parts, bytes }) = best else { return Ok(true) };
    let seconds = |ns: u64| ns as f64 / 1e9;
    let (theirs, ratio) = match &rival {
        Some((other, value)) => {
            let least = if value.is_none() { ">" } else { "" };
            (format!("{least}{:.3}", seconds(*other)), format!("{least}{:.1}", *other as f64 / ns as f64))
        }
        None => (String::new(), String::new()),
    };
    println!(
        "{:<18} {:>10.4} {theirs:>10} {ratio:>8} {:>7} {parts:>10} {:>9.1}  {value}",
        case.name,
        seconds(ns),
        case.needed,
        bytes as f64 / 1e6
    );
    let same = rival.and_then(|(_, other)| other).is_none_or(|other| other == value || case.spelled_otherwise);
    if !same {
        println!("{}: the values differ", case.name);
    }
    Ok(same)
}
