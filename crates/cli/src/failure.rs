//! What went wrong, told once: as text on standard error, with `--json` also as an object on standard output, and as an
//! exit code.

use perfectplay::sums::Sum;
use perfectplay::{Diagnostic, Limit, SolveError, SumError};
use serde_json::{Value, json};

use crate::load::{self, Rules};
use crate::output::{self, BAD, bytes_text, plural, styled};

/// Why a command has no answer.
pub enum Failure {
    /// The rules or the instance are wrong.
    Wrong {
        /// Where the rules came from, if they were read.
        rules: Option<Rules>,
        /// What is wrong.
        diagnostics: Vec<Diagnostic>,
        /// Nothing is wrong as such: a rule takes more work than is allowed.
        too_much: bool,
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
        Failure::Wrong { rules: Some(rules.clone()), diagnostics, too_much: false }
    }

    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), help: None }
    }

    pub fn usage_help(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), help: Some(help.into()) }
    }

    /// A failure of solving; mistakes in the rules are shown over their source.
    pub fn solving(error: SolveError, rules: &Rules) -> Failure {
        match error {
            SolveError::Fault(fault) => Failure::Wrong {
                rules: Some(rules.clone()),
                too_much: fault.too_much_work,
                diagnostics: vec![*fault.diagnostic],
            },
            other => Failure::Unsolved(other),
        }
    }

    /// A failure of solving a sum of different games, told with the summand to blame.
    pub fn summing(SumError { summand, error }: SumError, sum: &Sum) -> Failure {
        let (span, rules) = sum.place(summand);
        let name = &sum.text()[span.range()];
        match error {
            SolveError::Fault(mut fault) => {
                fault.diagnostic.notes.push(format!("in the summand `{name}`"));
                let rules = Rules { name: rules.name.clone(), source: rules.source.clone() };
                Failure::solving(SolveError::Fault(fault), &rules)
            }
            SolveError::NotApplicable(why) => {
                let diagnostic = Diagnostic::at(span, why, "this summand");
                Failure::wrong(&load::sum_rules(sum.text()), vec![diagnostic])
            }
            other => Failure::Unsolved(other),
        }
    }

    /// Tells it and gives the exit code.
    pub fn tell(&self, json: bool) -> u8 {
        if json {
            output::print_json(&json!({ "error": self.json() }));
        }
        output::complain(&self.text());
        self.code()
    }

    fn code(&self) -> u8 {
        match self {
            Failure::Wrong { too_much: true, .. } => 3,
            Failure::Wrong { .. } | Failure::Usage { .. } => 2,
            Failure::Unsolved(SolveError::Interrupted { .. })
            | Failure::Unfinished { error: SolveError::Interrupted { .. }, .. } => 130,
            Failure::Unsolved(SolveError::Limit { .. }) | Failure::Unfinished { .. } => 3,
            Failure::Unsolved(SolveError::Internal(_)) => 70,
            Failure::Unsolved(_) => 2,
        }
    }

    fn text(&self) -> String {
        match self {
            Failure::Wrong { rules, diagnostics, .. } => {
                let (name, source) = rules.as_ref().map_or(("", ""), |rules| (&rules.name, &rules.source));
                rules::report::report(name, source, diagnostics, output::colour_on_stderr())
            }
            Failure::Usage { message, help } => {
                let help = help.as_ref().map_or(String::new(), |help| format!("  Help: {help}\n"));
                format!("{} {message}\n{help}", styled("Error:", BAD.bold()))
            }
            Failure::Unsolved(error) => unsolved_text(error),
            Failure::Unfinished { error, what } => unfinished_text(error, what),
        }
    }

    /// The fields of the object for it.
    pub fn json(&self) -> Value {
        match self {
            Failure::Wrong { rules, diagnostics, too_much } => {
                let source = rules.as_ref().map_or("", |rules| &rules.source);
                let list: Vec<Value> = diagnostics.iter().map(|d| diagnostic_json(d, source)).collect();
                let message = diagnostics.first().map_or("", |d| &d.title);
                let kind = if *too_much { "limit" } else { "wrong" };
                json!({ "kind": kind, "message": message, "diagnostics": list })
            }
            Failure::Usage { message, help } => usage_fields(message, help.as_deref()),
            Failure::Unfinished { error, what } => {
                let (kind, limit) = match error {
                    SolveError::Limit { limit, .. } => ("limit", Some(limit_name(limit))),
                    _ => ("interrupted", None),
                };
                json!({ "kind": kind, "message": format!("stopped {what}"), "limit": limit })
            }
            Failure::Unsolved(error) => {
                let kind = match error {
                    SolveError::Limit { .. } => "limit",
                    SolveError::Interrupted { .. } => "interrupted",
                    SolveError::Internal(_) => "internal",
                    _ => "wrong",
                };
                let (limit, positions) = match error {
                    SolveError::Limit { limit, positions } => (Some(limit_name(limit)), Some(*positions)),
                    SolveError::Interrupted { positions } => (None, Some(*positions)),
                    _ => (None, None),
                };
                json!({ "kind": kind, "message": error.to_string(), "limit": limit, "positions": positions })
            }
        }
    }
}

/// The option that moves a limit, where there is one.
pub fn limit_name(limit: &Limit) -> &'static str {
    match limit {
        Limit::Memory { .. } => "memory",
        Limit::Time { .. } => "time",
        Limit::Positions => "positions",
        Limit::Heap { .. } => "heap",
    }
}

/// The object for a command line that could not even be read.
pub fn usage_json(message: &str, help: Option<&str>) -> Value {
    json!({ "error": usage_fields(message, help) })
}

fn usage_fields(message: &str, help: Option<&str>) -> Value {
    json!({ "kind": "usage", "message": message, "help": help })
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

/// A limit that left something behind.
fn unfinished_text(error: &SolveError, what: &str) -> String {
    let told = match error {
        SolveError::Limit { limit: Limit::Time { limit }, .. } => format!("the time limit of {limit:?} was reached"),
        SolveError::Limit { limit: Limit::Memory { limit, .. }, .. } => {
            format!("the memory limit of {} was reached", bytes_text(*limit))
        }
        SolveError::Limit { .. } => "a limit was reached".to_string(),
        _ => return format!("{} {what}.\n", styled("Stopped", BAD.bold())),
    };
    format!("{} {told} {what}.\n", styled("Limit:", BAD.bold()))
}

fn unsolved_text(error: &SolveError) -> String {
    let title = |text: &str| styled(text, BAD.bold());
    match error {
        SolveError::Limit { limit: Limit::Memory { limit, .. }, positions } => format!(
            "{} the memory limit of {} was reached after {}; nothing is proved yet.\n{}",
            title("Limit:"),
            bytes_text(*limit),
            plural(*positions, "position"),
            advice("--memory"),
        ),
        SolveError::Limit { limit: Limit::Time { limit }, positions } => format!(
            "{} the time limit of {limit:?} was reached after {}; nothing is proved yet.\n{}",
            title("Limit:"),
            plural(*positions, "position"),
            advice("--time"),
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

fn advice(option: &str) -> String {
    format!("  Help: allow more with {option}, or try a smaller instance; `perfectplay explain` says how large it is\n")
}
