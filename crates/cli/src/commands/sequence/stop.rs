//! What stops a sequence before its end, as people and programs are told it.

use perfectplay::SolveError;
use perfectplay::json::{self, ErrorObject};
use perfectplay::sequence::SequenceError;
use perfectplay::solving::Limit;

use crate::failure::{Failure, time_text};
use crate::output::{self, BAD, bytes_text, plural, styled};

/// What is kept of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// A checkpoint: the same command goes on from there.
    Checkpoint,
    /// Nothing, as no checkpoint was asked for.
    Nothing,
    /// Nothing, as such runs have no checkpoints.
    Never,
}

/// Why a sequence was not finished.
pub enum Stop {
    /// A limit, or Ctrl-C: what was found is exact, and there could be more.
    Limit { error: SequenceError, terms: u64, parameter: String, kept: Kept },
    /// An instance that is wrong.
    Failure(Failure),
}

impl Stop {
    /// What stopped a run after so many terms, while this parameter ran; `kept` says what is there of it, and
    /// `failure` how a mistake is told.
    pub fn new(
        error: SequenceError,
        failure: impl FnOnce(SequenceError) -> Failure,
        parameter: &str,
        terms: u64,
        kept: Kept,
    ) -> Stop {
        if matches!(
            &error,
            SequenceError::Solve { error: SolveError::Limit { .. } | SolveError::Interrupted { .. }, .. }
                | SequenceError::TooLong { .. }
        ) {
            return Stop::Limit { error, terms, parameter: parameter.to_string(), kept };
        }
        Stop::Failure(failure(error))
    }

    /// Tells it and gives the exit code.
    pub fn tell(&self) -> u8 {
        match self {
            Stop::Failure(failure) => failure.tell(false),
            Stop::Limit { error, kept, .. } => {
                let help = match error {
                    SequenceError::Solve { error: SolveError::Limit { limit: Limit::Memory { .. }, .. }, .. } => {
                        "allow more with --memory"
                    }
                    SequenceError::TooLong { .. } => "a range that ends earlier has exact values",
                    _ if *kept == Kept::Checkpoint => "the same command goes on from the checkpoint",
                    _ if *kept == Kept::Never => "allow more with --time, or let the parameters run less far",
                    _ => "allow more with --time; with --checkpoint FILE a run can go on later",
                };
                let interrupted = self.is_interrupted();
                let (title, help) = if interrupted {
                    ("Stopped", if *kept == Kept::Checkpoint { format!("  Help: {help}\n") } else { String::new() })
                } else {
                    ("Limit:", format!("  Help: {help}\n"))
                };
                let message = self.message();
                let message = if interrupted { message.trim_start_matches("stopped ") } else { &message };
                output::complain(&format!("{} {message}.\n{help}", styled(title, BAD.bold())));
                if interrupted { 130 } else { 3 }
            }
        }
    }

    /// Whether a person stopped it.
    fn is_interrupted(&self) -> bool {
        matches!(self, Stop::Limit { error: SequenceError::Solve { error: SolveError::Interrupted { .. }, .. }, .. })
    }

    fn message(&self) -> String {
        let Stop::Limit { error, terms, parameter, .. } = self else { return String::new() };
        let after = match terms {
            0 => "before the first term".to_string(),
            1 => "after 1 term, which is exact".to_string(),
            _ => format!("after {}, which are exact", plural(*terms, "term")),
        };
        match error {
            SequenceError::Solve { error: SolveError::Limit { limit: Limit::Memory { limit, .. }, .. }, at } => {
                format!("the memory limit of {} was reached at {parameter}={at}, {after}", bytes_text(*limit))
            }
            SequenceError::Solve { error: SolveError::Limit { limit: Limit::Time { limit }, .. }, at } => {
                format!("the time limit of {} was reached at {parameter}={at}, {after}", time_text(*limit))
            }
            SequenceError::Solve { error: SolveError::Limit { limit: Limit::Positions, .. }, at } => {
                format!("{parameter}={at} has more positions than can be numbered; stopped {after}")
            }
            SequenceError::Solve { error: SolveError::Limit { limit: Limit::Heap { why, .. }, .. }, at } => {
                format!("{parameter}={at} was not valued: {why}; stopped {after}")
            }
            SequenceError::Solve { error: SolveError::Interrupted { .. }, at } => {
                format!("stopped at {parameter}={at}, {after}")
            }
            other => format!("{other}; stopped {after}"),
        }
    }

    /// What stopped it, for programs.
    pub fn json(&self) -> ErrorObject {
        match self {
            Stop::Failure(failure) => failure.json(),
            Stop::Limit { error: SequenceError::Solve { error, .. }, terms, .. } => {
                json::unfinished(error, self.message(), Some(*terms))
            }
            Stop::Limit { terms, .. } => json::unproved(self.message(), *terms),
        }
    }
}
