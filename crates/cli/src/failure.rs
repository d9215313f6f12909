//! What went wrong, told once: as text on standard error, with `--json` also as an object on standard output, and as an
//! exit code.

use std::time::Duration;

use perfectplay::answer::{Claim, claims};
use perfectplay::json::{self, BoundsObject, ClaimsObject, ErrorObject, Failed};
use perfectplay::language::{Bound, Diagnostic, Rules};
use perfectplay::solving::{Bounded, Limit, Stopped};
use perfectplay::sums::{Sum, SumError};
use perfectplay::{Error, SolveError};

use crate::output::{self, BAD, bytes_text, plural, styled};
use crate::{paste, watch};

/// Why a command has no answer.
pub enum Failure {
    /// The rules or the instance are wrong, or the game was not solved.
    Error(Error),
    /// A limit was reached, and the rules file claims what the answer is.
    Claimed {
        /// The limit.
        error: Error,
        /// What is claimed, not proved.
        claims: Vec<Claim>,
    },
    /// The command line is wrong, or a file cannot be read or written.
    Usage {
        /// What is wrong.
        message: String,
        /// How to mend it.
        help: Option<String>,
    },
    /// A process of a cluster cannot go on, and so nobody can.
    Lost {
        /// What happened.
        message: String,
        /// What can be done.
        help: String,
    },
    /// A limit or Ctrl-C came before all that was asked for was done.
    Unfinished {
        /// The limit.
        error: SolveError,
        /// When it came, what is missing, and what stands.
        what: String,
    },
}

impl Failure {
    /// Rules or an instance with mistakes.
    pub fn wrong(rules: &Rules, diagnostics: Vec<Diagnostic>) -> Failure {
        Failure::Error(Error::mistakes(rules, diagnostics))
    }

    /// A game that was not solved.
    pub fn unsolved(error: SolveError) -> Failure {
        Failure::Error(Error::Solve(error))
    }

    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), help: None }
    }

    pub fn usage_help(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), help: Some(help.into()) }
    }

    /// A failure of solving; mistakes in the rules are shown over their source.
    pub fn solving(error: SolveError, rules: &Rules) -> Failure {
        Failure::Error(Error::solving(error, rules))
    }

    /// A failure of solving an instance from its start: beside a limit, what the file claims is told.
    pub fn answering(error: SolveError, rules: &Rules, bound: &Bound) -> Failure {
        let claims = if error.is_limit() { claims(bound) } else { Vec::new() };
        match claims.is_empty() {
            true => Failure::solving(error, rules),
            false => Failure::Claimed { error: Error::solving(error, rules), claims },
        }
    }

    /// The limit, where what looks like a mistake only shows that the rules were stopped on the way.
    pub fn or_stopped(self, stopped: Option<Stopped>) -> Failure {
        let positions = watch::met();
        let error = match stopped {
            Some(Stopped::Cancelled) => SolveError::Interrupted { positions },
            Some(Stopped::Time { limit }) => SolveError::Limit { limit: Limit::Time { limit }, positions },
            Some(Stopped::Memory { limit, needed }) => {
                SolveError::Limit { limit: Limit::Memory { limit, needed }, positions }
            }
            None => return self,
        };
        if self.code() == 2 { Failure::unsolved(error) } else { self }
    }

    /// What the file claims, where a limit was reached.
    fn claimed(&self) -> Option<ClaimsObject> {
        match self {
            Failure::Claimed { claims, .. } => ClaimsObject::of(claims),
            _ => None,
        }
    }

    /// What is proved of the value beside a limit.
    fn known(&self) -> Option<BoundsObject> {
        match self {
            Failure::Error(Error::Solve(error)) | Failure::Claimed { error: Error::Solve(error), .. } => {
                error.bounds().map(BoundsObject::of)
            }
            _ => None,
        }
    }

    /// The object that takes the place of an answer.
    pub fn failed(&self) -> Failed {
        Failed { error: self.json(), known: self.known(), claimed: self.claimed() }
    }

    /// A failure of solving a sum of different games, told with the summand to blame.
    pub fn summing(error: SumError, sum: &Sum) -> Failure {
        Failure::Error(sum.error(error))
    }

    /// Tells it and gives the exit code.
    pub fn tell(&self, json: bool) -> u8 {
        if json {
            output::print_json(&self.failed());
        }
        output::complain(&self.text());
        self.code()
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Unfinished { error: SolveError::Interrupted { .. }, .. }
            | Failure::Error(Error::Solve(SolveError::Interrupted { .. })) => 130,
            Failure::Unfinished { .. } | Failure::Claimed { .. } | Failure::Lost { .. } => 3,
            Failure::Error(Error::Solve(SolveError::Internal(_))) => 70,
            Failure::Error(error) if error.is_limit() => 3,
            Failure::Error(_) | Failure::Usage { .. } => 2,
        }
    }

    fn text(&self) -> String {
        match self {
            Failure::Error(Error::Solve(error)) => unsolved_text(error),
            Failure::Error(error) => error.report(output::colour_on_stderr()),
            Failure::Claimed { error, claims } => {
                let mut text = match error {
                    Error::Solve(error) => unsolved_text(error),
                    error => error.report(output::colour_on_stderr()),
                };
                let claims: Vec<_> = claims.iter().map(|claim| format!("{} = {}", claim.field, claim.value)).collect();
                text.push_str(&format!("  Claimed by the rules file, not proved: {}\n", claims.join(", ")));
                text
            }
            Failure::Usage { message, help } => {
                let help = help.as_ref().map_or(String::new(), |help| format!("  Help: {help}\n"));
                format!("{} {message}\n{help}", styled("Error:", BAD.bold()))
            }
            Failure::Lost { message, help } => {
                format!("{} {message}\n  Help: {help}\n", styled("Stopped:", BAD.bold()))
            }
            Failure::Unfinished { error, what } => unfinished_text(error, what),
        }
    }

    /// The object for it.
    pub fn json(&self) -> ErrorObject {
        match self {
            Failure::Error(error) | Failure::Claimed { error, .. } => json::error_object(error),
            Failure::Usage { message, help } => json::usage(message, help.as_deref()),
            Failure::Lost { message, help } => json::usage(message, Some(help)),
            Failure::Unfinished { error, what } => json::unfinished(error, format!("stopped {what}"), None),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

/// A limit that left something behind.
fn unfinished_text(error: &SolveError, what: &str) -> String {
    let reached = match error {
        SolveError::Limit { limit: Limit::Time { limit }, .. } => {
            format!("the time limit of {} was reached", time_text(*limit))
        }
        SolveError::Limit { limit: Limit::Memory { limit, .. }, .. } => {
            format!("the memory limit of {} was reached", bytes_text(*limit))
        }
        SolveError::Limit { .. } => "a limit was reached".to_string(),
        _ => return format!("{} {what}.\n", styled("Stopped", BAD.bold())),
    };
    format!("{} {reached} {what}.\n", styled("Limit:", BAD.bold()))
}

/// How far a solve came: one position may have millions of moves, or parts that are worked out first.
fn how_far(positions: u64) -> String {
    match positions {
        0 | 1 => "at the first position".to_string(),
        positions => format!("after {}", plural(positions, "position")),
    }
}

fn unsolved_text(error: &SolveError) -> String {
    let title = |text: &str| styled(text, BAD.bold());
    let proved = error.bounds().and_then(bounds_text).unwrap_or_else(|| "nothing is proved yet".to_string());
    let guess = error.bounds().and_then(|bounds| bounds.estimate);
    let guess = guess.map_or(String::new(), |guess| {
        format!("  The `estimate` of the rules makes it {guess} for the player who starts, which is not proved.\n")
    });
    match error.plain() {
        SolveError::Limit { limit: Limit::Memory { limit, .. }, positions } => format!(
            "{} the memory limit of {} was reached {}; {proved}.\n{guess}{}",
            title("Limit:"),
            bytes_text(*limit),
            how_far(*positions),
            advice("--memory"),
        ),
        SolveError::Limit { limit: Limit::Time { limit }, positions } => format!(
            "{} the time limit of {} was reached {}; {proved}.\n{guess}{}",
            title("Limit:"),
            time_text(*limit),
            how_far(*positions),
            advice("--time"),
        ),
        SolveError::Limit { limit: Limit::Depth { moves }, positions } => format!(
            "{} {} ahead, after {}, {proved}.\n{guess}  Help: look further with --depth, or leave it out\n",
            title("Not proved:"),
            plural(u64::from(*moves), "move"),
            plural(*positions, "position"),
        ),
        SolveError::Limit { limit: Limit::Positions, positions } => format!(
            "{} there are more than {}, too many to number; nothing is proved yet.\n  \
             Help: try a smaller instance\n",
            title("Limit:"),
            plural(*positions, "position")
        ),
        SolveError::Limit { limit: Limit::Heap { heap, why }, positions } => format!(
            "{} a heap of {heap} is beyond what was worked out, and no period is proved: {why}, after {}; nothing is \
             proved beyond them.\n  Help: ask for a heap below that\n",
            title("Limit:"),
            plural(*positions, "heap")
        ),
        SolveError::Interrupted { positions } => {
            format!("Stopped after {}; nothing is proved yet.\n", plural(*positions, "position"))
        }
        SolveError::Internal(what) => format!(
            "{} {what}\n  This is a mistake in perfectplay, not in your rules; please report it with the \
             rules file and the instance.\n",
            title("Internal error:"),
        ),
        other => format!("{} {other}\n", title("Error:")),
    }
}

/// What is proved, as the end of a sentence.
fn bounds_text(bounds: &Bounded) -> Option<String> {
    if bounds.is_outcome {
        return match (bounds.low, bounds.high) {
            (Some(0), _) => Some("it is proved that the player who starts does not lose".to_string()),
            (_, Some(0)) => Some("it is proved that the player who starts does not win".to_string()),
            (Some(low), Some(high)) if low == high => {
                let outcome = ["loses", "draws", "wins"][(low.signum() + 1) as usize];
                Some(format!("it is proved that the player who starts {outcome}"))
            }
            _ => None,
        };
    }
    match (bounds.low, bounds.high) {
        (Some(low), Some(high)) if low == high => Some(format!("the value is proved to be {low}")),
        (Some(low), Some(high)) => Some(format!("the value is proved to lie between {low} and {high}")),
        (Some(low), None) => Some(format!("the value is proved to be at least {low}")),
        (None, Some(high)) => Some(format!("the value is proved to be at most {high}")),
        (None, None) => None,
    }
}

/// A limit of time as it was given.
pub fn time_text(limit: Duration) -> String {
    if limit.is_zero() { "0s".to_string() } else { format!("{limit:?}") }
}

fn advice(option: &str) -> String {
    // Who asks how large it is knows that question.
    let how_large = if paste::is_command("explain") { "" } else { "; `perfectplay explain` says how large it is" };
    format!("  Help: allow more with {option}, or try a smaller instance{how_large}\n")
}
