//! The binary `perfectplay`: reads the command line, asks the library, draws the answer.
//!
//! Exit codes: 0 answered; 1 the answer is "no"; 2 the rules, the instance or the command line are wrong; 3 a limit
//! was reached; 70 a mistake of ours; 130 stopped with Ctrl-C.

mod args;
mod commands;
mod failure;
mod load;
mod output;
mod progress;
mod watch;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    let json = arguments.command.wants_json();
    let code = match commands::run(arguments.command) {
        Ok(code) => code,
        Err(failure) => failure.tell(json),
    };
    ExitCode::from(code)
}
