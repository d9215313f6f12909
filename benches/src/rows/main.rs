//! Rows of coins against C++, on one core, and one core against two.
//!
//! `cargo run --release -p perfectplay-benches --bin rows [OPTION]… [FILTER]…`. Ours and theirs take turns; the best of all
//! rounds counts. Where memory is filled a turn is several runs: the first may pay for memory that the machine itself has
//! to borrow, which takes longer than everything else. Processor time, tables allocated within it; for two cores the clock on the wall. Values are compared,
//! and whole tables by a sum: a difference is a failure.

mod cases;
#[path = "../compiled/clock.rs"]
mod clock;
mod cpp;

use std::process::ExitCode;

use cases::{CASES, Case, Yardstick};

const USAGE: &str = "usage: rows [OPTION]… [FILTER]…

A case runs if its name contains one of the filters; without a filter all run.

  --rounds N   how often each side computes (3)
  --list       the names of the cases";

/// What the command line says.
struct Wish {
    rounds: u32,
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
    let mut wish = Wish { rounds: 3, filters: Vec::new() };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--rounds" => {
                let rounds = words.next().and_then(|rounds| rounds.parse().ok());
                wish.rounds = rounds.filter(|&rounds| rounds > 0).ok_or(USAGE)?;
            }
            "--list" => return Err(CASES.map(|case| case.name).join("\n")),
            option if option.starts_with('-') => return Err(USAGE.to_string()),
            filter => wish.filters.push(filter.to_string()),
        }
    }
    Ok(wish)
}

/// Runs the cases; whether all answers agree.
fn run(wish: &Wish) -> Result<bool, String> {
    println!(
        "{:<12} {:>7} {:>9} {:>8} {:>9} {:>8} {:>6} {:>7}  ours, against",
        "case", "coins", "ours s", "ns/cell", "theirs s", "ns/cell", "ratio", "needed"
    );
    let mut good = true;
    for case in CASES.iter().filter(|case| wish.wants(case)) {
        good &= compare(case, wish.rounds)?;
    }
    Ok(good)
}

impl Wish {
    fn wants(&self, case: &Case) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| case.name.contains(filter.as_str()))
    }
}

/// One line; whether the answers agree.
fn compare(case: &Case, rounds: u32) -> Result<bool, String> {
    let coins = case.coins();
    let (mut ours, mut theirs) = (f64::MAX, f64::MAX);
    let mut good = true;
    let mut how = String::new();
    for round in 0..rounds {
        let mut found = case.solve(&coins, round == 0)?;
        for _ in 1..case.repeats() {
            found.seconds = found.seconds.min(case.solve(&coins, false)?.seconds);
        }
        ours = ours.min(found.seconds);
        how = found.how;
        let other = match case.yardstick {
            Yardstick::Cpp(variant) => cpp::run(case, variant, &coins)?,
            Yardstick::OneThread => (0..case.repeats()).try_fold(case.solve_alone(&coins)?, |best, _| {
                let found = case.solve_alone(&coins)?;
                Ok::<_, String>(if found.seconds < best.seconds { found } else { best })
            })?,
        };
        theirs = theirs.min(other.seconds);
        let same_table = found.sum.is_none() || other.sum.is_none() || found.sum == other.sum;
        if found.value != other.value || !same_table {
            println!("    DIFFERENT: {} {:?}, theirs {} {:?}", found.value, found.sum, other.value, other.sum);
            good = false;
        }
    }
    let ratio = theirs / ours;
    let cells = case.len as f64 * (case.len + 1) as f64 / 2.0;
    println!(
        "{:<12} {:>7} {ours:>9.4} {:>8.4} {theirs:>9.4} {:>8.4} {ratio:>6.1} {:>7}  {how}, against {}",
        case.name,
        case.len,
        ours * 1e9 / cells,
        theirs * 1e9 / cells,
        format!("{}×{}", case.needed, if ratio < case.needed { " !" } else { "" }),
        case.yardstick,
    );
    Ok(good)
}
