//! Why there is no answer: mistakes in the rules or the instance, shown over their text, or a solve that did not end.

use std::fmt;

use rules::diagnostic::Diagnostic;
use solve::error::SolveError;

use crate::source::Rules;

/// Why there is no answer.
///
/// ```
/// let error = perfectplay::solve("game g(n: int) { state { left in 0..=n = m; } move go { left -= 1; } }", "{}").unwrap_err();
/// assert!(error.report(false).contains("`m`"), "{}", error.report(false));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The rules or the instance have mistakes.
    Mistakes(Box<Mistakes>),
    /// The game was not solved: a limit was reached, it was stopped, or the question does not apply.
    Solve(SolveError),
}

/// The mistakes in a text: rules, or an instance.
///
/// ```
/// use perfectplay::{Error, solve};
///
/// let Err(Error::Mistakes(mistakes)) = solve("game g { state { left in 0..=3 = m; } move go { left -= 1; } }", "{}") else { panic!() };
/// assert_eq!(mistakes.diagnostics[0].label.as_ref().unwrap().0.range(), 33..34);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mistakes {
    /// The text that the diagnostics point into.
    pub rules: Rules,
    /// The mistakes, each with its place.
    pub diagnostics: Vec<Diagnostic>,
    /// Nothing is wrong as such: a rule takes more work than is allowed.
    pub too_much_work: bool,
}

impl Error {
    /// Mistakes in a text.
    ///
    /// ```
    /// use perfectplay::Error;
    /// use perfectplay::language::{Diagnostic, Rules};
    ///
    /// let error = Error::mistakes(&Rules::new("game g { }"), vec![Diagnostic::new("nothing can be done")]);
    /// assert_eq!(error.to_string(), "nothing can be done");
    /// ```
    pub fn mistakes(rules: &Rules, diagnostics: Vec<Diagnostic>) -> Error {
        let too_much_work = !diagnostics.is_empty() && diagnostics.iter().all(|diagnostic| diagnostic.too_much_work);
        Error::Mistakes(Box::new(Mistakes { rules: rules.clone(), diagnostics, too_much_work }))
    }

    /// An error of a solve; mistakes in the rules are shown over their source.
    ///
    /// ```
    /// use perfectplay::{Error, SolveError};
    /// use perfectplay::language::Rules;
    ///
    /// assert_eq!(Error::solving(SolveError::Overflow, &Rules::new("")), Error::Solve(SolveError::Overflow));
    /// ```
    pub fn solving(error: SolveError, rules: &Rules) -> Error {
        match error {
            SolveError::Fault(fault) => Error::Mistakes(Box::new(Mistakes {
                rules: rules.clone(),
                too_much_work: fault.too_much_work,
                diagnostics: vec![*fault.diagnostic],
            })),
            other => Error::Solve(other),
        }
    }

    /// Whether nothing is wrong with the game: it only is too much for the limits.
    ///
    /// ```
    /// use perfectplay::Solver;
    ///
    /// let connect = perfectplay::gallery::find("connect_k").unwrap();
    /// let error = Solver::new().memory(1000).solve(connect, r#"{"rows": 6, "columns": 7, "k": 4}"#).unwrap_err();
    /// assert!(error.is_limit());
    /// ```
    pub fn is_limit(&self) -> bool {
        match self {
            Error::Mistakes(mistakes) => mistakes.too_much_work,
            Error::Solve(error) => error.is_limit(),
        }
    }

    /// The error for people: mistakes with the lines they are in, in colours where these are wanted.
    ///
    /// ```
    /// let error = perfectplay::solve("game g { move go { left -= 1; } }", "{}").unwrap_err();
    /// assert!(error.report(false).contains("move go { left -= 1; }"));
    /// ```
    pub fn report(&self, colour: bool) -> String {
        match self {
            Error::Mistakes(mistakes) => {
                rules::report::report(&mistakes.rules.name, &mistakes.rules.source, &mistakes.diagnostics, colour)
            }
            Error::Solve(error) => format!("{error}\n"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Mistakes(mistakes) => f.write_str(mistakes.diagnostics.first().map_or("", |first| &first.title)),
            Error::Solve(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Error {
        Error::Solve(error)
    }
}
