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
mod stored;
mod svg;
mod watch;
mod watchdog;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::error::ErrorKind;
use perfectplay::solving::{Scope, Watch};

use failure::Failure;
use repair::Read;

/// So much time is left to draw an answer that was found in time.
const SPARE: Duration = Duration::from_millis(300);

fn main() -> ExitCode {
    // Who only stands behind a program that is checked ends by signals as the program does, and does no work of ours.
    let works = std::env::args_os().nth(1).is_none_or(|word| word != "limited");
    if works {
        watchdog::start();
    }
    let arguments = match repair::arguments() {
        Read::Arguments(arguments) => arguments,
        Read::Wrong(error) => return misspelled(&error),
        Read::Advice(failure) => return ExitCode::from(failure.tell(std::env::args_os().any(|word| word == "--json"))),
    };
    output::choose_colours(arguments.color);
    let json = arguments.command.wants_json();
    let allowed = arguments.command.allowed();
    watchdog::allow(allowed, json);
    // Rules run before and after a game is solved, too: when an instance is bound, when a position is drawn.
    let end = allowed.time.and_then(|time| Instant::now().checked_add(time.saturating_add(SPARE)));
    let deadline = end.zip(allowed.time);
    let cancel = works.then(watch::cancel);
    let scope = Scope::new(Watch { cancel, deadline, room: None });
    let code = match commands::run(arguments.command) {
        Ok(code) => code,
        Err(failure) => failure.or_stopped(scope.stopped()).tell(json),
    };
    ExitCode::from(code)
}

/// A command line that cannot be read, or a question for help. A mistake is told as all others are.
fn misspelled(error: &clap::Error) -> ExitCode {
    let is_question = !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if is_question {
        // Where help cannot be written nobody reads it.
        let _ = error.print();
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    }
    let text = error.to_string();
    let paragraph: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let paragraph = paragraph.join(" ");
    let message = paragraph.trim_start_matches("error: ");
    let line = |start: &str| text.lines().map(str::trim).find_map(|line| line.strip_prefix(start));
    let usage = || line("Usage: ").map(|usage| format!("it is written: {usage}"));
    let more = || {
        let command = std::env::args().nth(1).filter(|word| !word.starts_with('-'));
        let command = command.map_or(String::new(), |command| format!("{command} "));
        format!("`perfectplay {command}--help` says what there is")
    };
    let help = line("tip: ").map(str::to_string).or_else(usage).unwrap_or_else(more);
    let failure = Failure::usage_help(message, help);
    ExitCode::from(failure.tell(std::env::args_os().any(|word| word == "--json")))
}
