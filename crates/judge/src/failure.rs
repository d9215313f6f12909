//! What a program does wrong.

use std::fmt;

use perfectplay::SolveError;
use perfectplay::answer::{Player, Solution};
use perfectplay::language::{Diagnostic, Instance};

use crate::run::Ran;

/// The kinds of failure. A smaller instance must fail in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The answer can be read and is wrong.
    WrongAnswer,
    /// The answer cannot be read: too much, too little, or something else.
    WrongFormat,
    /// It ended with an exit code or by a signal.
    Crash,
    /// It was not done in time.
    TooSlow,
    /// It printed more than an answer can be.
    TooMuchOutput,
    /// It had more processes than any solution needs.
    TooManyProcesses,
    /// It made a move that the rules do not allow.
    IllegalMove,
    /// It made a move that gave something away.
    GaveAway,
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FailureKind::WrongAnswer => "wrong answer",
            FailureKind::WrongFormat => "wrong format",
            FailureKind::Crash => "crash",
            FailureKind::TooSlow => "too slow",
            FailureKind::TooMuchOutput => "too much output",
            FailureKind::TooManyProcesses => "too many processes",
            FailureKind::IllegalMove => "illegal move",
            FailureKind::GaveAway => "gave it away",
        })
    }
}

/// A failure on one instance.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The instance.
    pub instance: Instance,
    /// Its kind.
    pub kind: FailureKind,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What the program read.
    pub input: String,
    /// What it printed.
    pub ran: Ran,
    /// What is right, as the program should print it; nothing where moves are judged.
    pub expected: Option<String>,
    /// The exact answer.
    pub solution: Box<Solution>,
    /// The game that was played, where moves are judged.
    pub game: Option<Game>,
}

/// A game that a program has played and not played well.
#[derive(Clone, Debug)]
pub struct Game {
    /// The program's seat.
    pub seat: Player,
    /// All moves, the last one by the program where it made one.
    pub moves: Vec<String>,
    /// What is best there instead.
    pub better: Vec<String>,
}

/// Why there is no verdict on a program.
#[derive(Clone, Debug)]
pub enum Stop {
    /// Somebody pressed Ctrl-C.
    Interrupted,
    /// An instance is wrong, or the rules go wrong on it.
    Rules(Instance, Vec<Diagnostic>),
    /// The game has no answer of the kind that the program is asked for.
    NoField(String),
    /// The program cannot be run at all.
    Unrunnable(String),
    /// Anything else that a solve can say.
    Solve(SolveError),
}

#[cfg(test)]
impl Failure {
    /// Any failure on an instance.
    pub(crate) fn of_a_test(instance: &Instance) -> Failure {
        let solution = perfectplay::solve(perfectplay::gallery::find("nim").unwrap(), r#"{"piles": [1]}"#).unwrap();
        let ran = Ran { output: String::new(), errors: String::new(), ended: crate::run::Ended::Exit(0), seconds: 0.0 };
        Failure {
            instance: instance.clone(),
            kind: FailureKind::WrongAnswer,
            message: String::new(),
            input: String::new(),
            ran,
            expected: None,
            solution: Box::new(solution),
            game: None,
        }
    }
}
