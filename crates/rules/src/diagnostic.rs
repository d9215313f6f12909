//! A mistake in a rules file or an instance: a title, a place, what was expected, and how to mend it.
//!
//! Diagnostics are plain data here; [`crate::report`] draws them.

use crate::span::Span;
use crate::stop::Stopped;

/// A mistake in a rules file or in the instance, with what is needed to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// One line that says what is wrong.
    pub title: String,
    /// The place, and a few words shown under it.
    pub label: Option<(Span, String)>,
    /// Other places that explain it, such as where a name was first declared.
    pub related: Vec<(Span, String)>,
    /// Facts that help: the position, the values.
    pub notes: Vec<String>,
    /// How to mend it.
    pub help: Option<String>,
    /// Whether it may only follow from another mistake. Such a diagnostic is left out beside one of syntax.
    pub follows: bool,
    /// Set if nothing is wrong: somebody or a limit stopped the work.
    pub stopped: Option<Stopped>,
    /// Whether nothing is wrong as such: it only takes more work than is allowed.
    pub too_much_work: bool,
}

impl Diagnostic {
    /// A mistake at a place.
    pub fn at(span: Span, title: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic { label: Some((span, label.into())), ..Diagnostic::new(title) }
    }

    /// A mistake that has no place in the rules file, such as a parameter that was not given.
    pub fn new(title: impl Into<String>) -> Diagnostic {
        Diagnostic {
            title: title.into(),
            label: None,
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
            follows: false,
            stopped: None,
            too_much_work: false,
        }
    }

    /// Adds how to mend it.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Marks it as one that may only follow from another mistake.
    pub fn may_follow(mut self) -> Diagnostic {
        self.follows = true;
        self
    }

    /// Adds a fact.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// Adds another place.
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related.push((span, text.into()));
        self
    }
}
