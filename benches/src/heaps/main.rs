//! Nim-sequences against the plain double loop in C++ or the crate `ogs`, and periods against the clock, on one core.
//!
//! `cargo run --release -p perfectplay-benches --bin heaps [OPTION]… [FILTER]…`. Processor time, the best of all rounds.
//! All values are compared, by a hash: a difference is a failure. Without `--huge` the cases whose C++ runs for minutes
//! are left out.

mod cases;
#[path = "../compiled/clock.rs"]
mod clock;
mod cpp;
mod ogs;

use std::process::ExitCode;

use cases::{CASES, Case, Found, Yardstick};

const USAGE: &str = "usage: heaps [OPTION]… [FILTER]…

A case runs if its name contains one of the filters; without a filter all run, but for the huge ones.

  --huge       with the cases whose C++ takes minutes
  --rounds N   how often we compute each sequence (3)
  --alone      without C++ and `ogs`
  --list       the names of the cases";

/// What the command line says.
struct Wish {
    huge: bool,
    rounds: u32,
    alone: bool,
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
    let mut wish = Wish { huge: false, rounds: 3, alone: false, filters: Vec::new() };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--huge" => wish.huge = true,
            "--alone" => wish.alone = true,
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
    let chosen = |case: &&Case| match wish.filters.is_empty() {
        true => wish.huge || !case.huge,
        false => wish.filters.iter().any(|filter| case.name.contains(filter.as_str())),
    };
    println!("{:<16} {:>9} {:>9} {:>9} {:>7} {:>7}  found", "case", "terms", "ours s", "theirs s", "ratio", "needed");
    let mut good = true;
    for case in CASES.iter().filter(chosen) {
        let mut ours = case.solve()?;
        for _ in 1..wish.rounds {
            let again = case.solve()?;
            ours.seconds = ours.seconds.min(again.seconds);
        }
        let theirs = match case.yardstick {
            _ if wish.alone || case.ratio.is_none() => None,
            Yardstick::Plain => cpp::run(case).map(Some)?,
            // Its source comes over the net, which is not always there.
            Yardstick::Ogs => ogs::run(case, ours.terms).map_err(|why| println!("    ogs: {why}")).ok(),
        };
        good &= show(case, &ours, theirs.as_ref());
    }
    Ok(good)
}

/// One line; whether the answers are right.
fn show(case: &Case, ours: &Found, theirs: Option<&Found>) -> bool {
    let ratio = theirs.map(|theirs| theirs.seconds / ours.seconds);
    let needed = match (case.ratio, case.seconds) {
        (Some(needed), _) => format!("{needed}×{}", if ratio.is_some_and(|ratio| ratio < needed) { " !" } else { "" }),
        (_, Some(needed)) => format!("{needed} s{}", if ours.seconds > needed { " !" } else { "" }),
        _ => String::new(),
    };
    println!(
        "{:<16} {:>9} {:>9.3} {:>9} {:>7} {:>7}  {}",
        case.name,
        ours.terms,
        ours.seconds,
        theirs.map_or("-".to_string(), |theirs| format!("{:.2}", theirs.seconds)),
        ratio.map_or("-".to_string(), |ratio| format!("{ratio:.1}")),
        needed,
        ours.what
    );
    let mut good = true;
    if let Some(theirs) = theirs
        && (theirs.hash, theirs.terms) != (ours.hash, ours.terms)
    {
        println!("    DIFFERENT VALUES: hash {:016x}, theirs {:016x}", ours.hash, theirs.hash);
        good = false;
    }
    if let Some(period) = case.period
        && ours.period != Some(period)
    {
        println!("    WRONG PERIOD: {period:?} (length, start) was published");
        good = false;
    }
    good
}
