//! What goes wrong while rules run: a sum that overflows, a move that leaves a domain, too much work.

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::stop::Stopped;

/// A mistake that shows only in a position. The diagnostic points at the rule and names the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The message for the user.
    pub diagnostic: Box<Diagnostic>,
    /// Set if the rule ran out of work. The rules may be right; they just need more steps than a rule may take.
    pub too_much_work: bool,
}

impl Fault {
    /// A mistake at a place of the rules.
    pub fn at(span: Span, title: impl Into<String>, label: impl Into<String>) -> Fault {
        Diagnostic::at(span, title, label).into()
    }

    /// Why the work was stopped, if nothing is wrong. It is kept behind the pointer: every step of the interpreter returns a
    /// place for a fault, which two registers hold.
    pub fn stopped(&self) -> Option<Stopped> {
        self.diagnostic.stopped
    }

    /// Adds how to mend it.
    pub fn help(mut self, help: impl Into<String>) -> Fault {
        self.diagnostic.help = Some(help.into());
        self
    }

    /// Adds a fact, such as the position.
    pub fn note(mut self, note: impl Into<String>) -> Fault {
        self.diagnostic.notes.push(note.into());
        self
    }
}

impl From<Diagnostic> for Fault {
    fn from(diagnostic: Diagnostic) -> Fault {
        Fault { diagnostic: Box::new(diagnostic), too_much_work: false }
    }
}

/// What carries a stop through the interpreter.
impl From<Stopped> for Fault {
    #[cold]
    fn from(why: Stopped) -> Fault {
        let title = match why {
            Stopped::Cancelled => "stopped".to_string(),
            Stopped::Time { limit } => format!("the time limit of {limit:?} was reached"),
            Stopped::Memory { limit, .. } => format!("the memory limit of {limit} bytes was reached"),
        };
        Diagnostic { stopped: Some(why), ..Diagnostic::new(title) }.into()
    }
}
