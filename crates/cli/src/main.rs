//! The binary `perfectplay`: reads the command line, asks the library, draws the answer.
//!
//! Exit codes: 0 answered; 1 the answer is "no"; 2 the rules, the instance or the command line are wrong; 3 a limit
//! was reached; 70 a mistake of ours; 130 stopped with Ctrl-C.

mod allowed;
mod args;
mod board;
mod commands;
mod failure;
mod files;
mod judgements;
mod lines;
mod listing;
mod load;
mod meant;
mod output;
mod paste;
mod phrases;
mod progress;
mod repair;
mod squares;
mod start;
mod svg;
mod watch;
mod watchdog;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use perfectplay::json::{self, Failed};
use perfectplay::solving::{Scope, Watch};

use repair::Read;

/// So much time is left to draw an answer that was found in time.
const SPARE: Duration = Duration::from_millis(300);

fn main() -> ExitCode {
    watchdog::start();
    let arguments = match repair::arguments() {
        Read::Arguments(arguments) => arguments,
        Read::Wrong(error) => return misspelled(&error),
        Read::Told(failure) => return ExitCode::from(failure.tell(std::env::args_os().any(|word| word == "--json"))),
    };
    output::choose_colours(arguments.color);
    let json = arguments.command.wants_json();
    let allowed = arguments.command.allowed();
    watchdog::allow(allowed, json);
    // Rules run before and after a game is solved, too: when an instance is bound, when a position is drawn.
    let end = allowed.time.and_then(|time| Instant::now().checked_add(time.saturating_add(SPARE)));
    let deadline = end.zip(allowed.time);
    let scope = Scope::new(Watch { cancel: Some(watch::cancel()), deadline, room: None });
    let code = match commands::run(arguments.command) {
        Ok(code) => code,
        Err(failure) => failure.or_stopped(scope.stopped()).tell(json),
    };
    ExitCode::from(code)
}

/// A command line that cannot be read, or a question for help. Who asked for `--json` gets an object here too.
fn misspelled(error: &clap::Error) -> ExitCode {
    if error.use_stderr() && std::env::args_os().any(|word| word == "--json") {
        let text = error.to_string();
        let paragraph: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
        let paragraph = paragraph.join(" ");
        let message = paragraph.trim_start_matches("error: ");
        let help = text.lines().map(str::trim).find_map(|line| line.strip_prefix("tip: "));
        output::print_json(&Failed { error: json::usage(message, help), known: None, claimed: None });
    }
    // Where help cannot be written nobody reads it.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
