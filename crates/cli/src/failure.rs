//! What went wrong, told once: as text on standard error, with `--json` also as an object on standard output, and as an
//! exit code.

use perfectplay::{Diagnostic, Limit, SolveError};
use serde_json::{Value, json};

use crate::load::Rules;
use crate::output::{self, bytes_text, count};

/// Why a command has no answer.
pub enum Failure {
    /// The rules or the instance are wrong.
    Wrong {
        /// Where the rules came from, if they were read.
        rules: Option<Rules>,
        /// What is wrong.
        diagnostics: Vec<Diagnostic>,
    },
    /// The command line is wrong, or a file cannot be read or written.
    Usage {
        /// What is wrong.
        message: String,
        /// How to mend it.
        help: Option<String>,
    },
    /// The game was not solved.
    Unsolved(SolveError),
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), help: None }
    }

    pub fn usage_help(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), help: Some(help.into()) }
    }

    /// A failure of solving; mistakes in the rules are shown over their source.
    pub fn solving(error: SolveError, rules: &Rules) -> Failure {
        match error {
            SolveError::Fault(fault) => {
                Failure::Wrong { rules: Some(rules.clone()), diagnostics: vec![*fault.diagnostic] }
            }
            other => Failure::Unsolved(other),
        }
    }

    /// Tells it and gives the exit code.
    pub fn tell(&self, json: bool) -> u8 {
        if json {
            output::print(&format!("{}\n", json!({ "error": self.json() })));
        }
        output::complain(&self.text());
        self.code()
    }

    fn code(&self) -> u8 {
        match self {
            Failure::Wrong { .. } | Failure::Usage { .. } => 2,
            Failure::Unsolved(SolveError::Limit { .. }) => 3,
            Failure::Unsolved(SolveError::Interrupted { .. }) => 130,
            Failure::Unsolved(SolveError::Internal(_)) => 70,
            Failure::Unsolved(_) => 2,
        }
    }

    fn text(&self) -> String {
        match self {
            Failure::Wrong { rules, diagnostics } => {
                let (name, source) = rules.as_ref().map_or(("", ""), |rules| (&rules.name, &rules.source));
                rules::report::report(name, source, diagnostics, output::colour_on_stderr())
            }
            Failure::Usage { message, help } => {
                let help = help.as_ref().map_or(String::new(), |help| format!("  Help: {help}\n"));
                format!("Error: {message}\n{help}")
            }
            Failure::Unsolved(error) => unsolved_text(error),
        }
    }

    fn json(&self) -> Value {
        match self {
            Failure::Wrong { rules, diagnostics } => {
                let source = rules.as_ref().map_or("", |rules| &rules.source);
                let list: Vec<Value> = diagnostics.iter().map(|d| diagnostic_json(d, source)).collect();
                let message = diagnostics.first().map_or("", |d| &d.title);
                json!({ "kind": "wrong", "message": message, "diagnostics": list })
            }
            Failure::Usage { message, help } => json!({ "kind": "usage", "message": message, "help": help }),
            Failure::Unsolved(error) => {
                let kind = match error {
                    SolveError::Limit { .. } => "limit",
                    SolveError::Interrupted { .. } => "interrupted",
                    SolveError::Internal(_) => "internal",
                    _ => "wrong",
                };
                let positions = match error {
                    SolveError::Limit { positions, .. } | SolveError::Interrupted { positions } => Some(*positions),
                    _ => None,
                };
                json!({ "kind": kind, "message": error.to_string(), "positions": positions })
            }
        }
    }
}

/// A diagnostic with its place counted in lines and columns from 1.
pub fn diagnostic_json(diagnostic: &Diagnostic, source: &str) -> Value {
    let place = diagnostic.label.as_ref().map(|(span, label)| {
        let before = &source[..source.floor_char_boundary(span.start as usize)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        json!({ "line": line, "column": column, "label": label })
    });
    json!({ "message": diagnostic.title, "place": place, "notes": diagnostic.notes, "help": diagnostic.help })
}

fn unsolved_text(error: &SolveError) -> String {
    match error {
        SolveError::Limit { limit: Limit::Memory { limit, .. }, positions } => format!(
            "Limit: the memory limit of {} was reached after {} positions; nothing is proved yet.\n  \
             Help: allow more with --memory, or try a smaller instance\n",
            bytes_text(*limit),
            count(*positions)
        ),
        SolveError::Limit { limit: Limit::Time { limit }, positions } => format!(
            "Limit: the time limit of {limit:?} was reached after {} positions; nothing is proved yet.\n  \
             Help: allow more with --time, or try a smaller instance\n",
            count(*positions)
        ),
        SolveError::Limit { limit: Limit::Positions, positions } => {
            format!(
                "Limit: there are more than {} positions, too many to number; nothing is proved yet.\n",
                count(*positions)
            )
        }
        SolveError::Interrupted { positions } => {
            format!("Stopped after {} positions; nothing is proved yet.\n", count(*positions))
        }
        SolveError::Internal(what) => format!(
            "Internal error: {what}\n  This is a mistake in perfectplay, not in your rules; please report it with the \
             rules file and the instance.\n"
        ),
        other => format!("Error: {other}\n"),
    }
}
