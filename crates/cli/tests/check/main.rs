//! `perfectplay check`, with right programs and with planted mistakes.
//!
//! This binary is the tests and the programs that are checked: started with `program NAME` it is one of these ([`programs`]).
//! So nothing but Rust is needed.

mod cases;
mod hostile;
mod players;
mod problems;
mod programs;

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, name] = &words[..]
        && first == "program"
    {
        programs::run(name);
        return ExitCode::SUCCESS;
    }
    // Options of the usual test programs (`--nocapture`, `--list`) have no meaning here.
    let filters: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    if words.iter().any(|word| word == "--list") {
        return ExitCode::SUCCESS;
    }
    let mut failed = 0;
    for (name, test) in cases::ALL {
        if !filters.is_empty() && !filters.iter().any(|filter| name.contains(filter.as_str())) {
            continue;
        }
        let passed = std::panic::catch_unwind(test).is_ok();
        println!("test check::{name} ... {}", if passed { "ok" } else { "FAILED" });
        failed += usize::from(!passed);
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
