//! The object of an error, in every command.

use rules::diagnostic::Diagnostic;
use rules::program::ClaimField;
use serde::Serialize;
use solve::answer::solution::Claim;
use solve::error::{Bounded, Limit, SolveError};

use crate::error::Error;

/// What went wrong, for programs.
///
/// ```
/// let error = perfectplay::json::usage("there is no game `conis`", Some("did you mean `coins`?"));
/// assert_eq!(
///     perfectplay::json::text(&error),
///     r#"{"kind":"usage","message":"there is no game `conis`","help":"did you mean `coins`?"}"#
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ErrorObject {
    /// The rules or the instance are wrong.
    Wrong {
        /// `wrong`, or `limit` where a rule takes too much work.
        kind: ErrorKind,
        /// The first mistake.
        message: String,
        /// The mistakes, from the first on.
        diagnostics: Vec<DiagnosticObject>,
        /// How many more there are.
        #[serde(skip_serializing_if = "Option::is_none")]
        more: Option<u64>,
    },
    /// The command line is wrong, or a file cannot be read or written.
    Usage {
        /// `usage`.
        kind: ErrorKind,
        /// What is wrong.
        message: String,
        /// How to mend it.
        #[serde(skip_serializing_if = "Option::is_none")]
        help: Option<String>,
    },
    /// A limit or a person stopped it before all was done.
    Unfinished {
        /// `limit` or `interrupted`.
        kind: ErrorKind,
        /// When, what is missing, and what stands.
        message: String,
        /// Which limit.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<LimitKind>,
        /// How many terms of a sequence are exact.
        #[serde(skip_serializing_if = "Option::is_none")]
        terms: Option<u64>,
    },
    /// A server refuses a request, or cannot do it now.
    Refused {
        /// `refused`.
        kind: ErrorKind,
        /// Why.
        message: String,
        /// What can be done.
        #[serde(skip_serializing_if = "Option::is_none")]
        help: Option<String>,
        /// What was asked for, what is allowed, and what both are counted in.
        #[serde(flatten)]
        size: Option<Refusal>,
    },
    /// The game was not solved.
    Unsolved {
        /// `limit`, `interrupted`, `internal` or `wrong`.
        kind: ErrorKind,
        /// Why.
        message: String,
        /// Which limit.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<LimitKind>,
        /// How many positions were met by then.
        #[serde(skip_serializing_if = "Option::is_none")]
        positions: Option<u64>,
    },
}

/// What kind of error it is.
///
/// See [`ErrorObject`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// The rules, the instance or the question are wrong.
    Wrong,
    /// The command line is wrong, or a file cannot be read or written.
    Usage,
    /// A limit was reached.
    Limit,
    /// Somebody stopped it.
    Interrupted,
    /// A server refuses it.
    Refused,
    /// A mistake in this program.
    Internal,
}

/// The limit that was reached.
///
/// See [`unproved`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitKind {
    /// Bytes of memory.
    Memory,
    /// Time.
    Time,
    /// Positions that can be numbered.
    Positions,
    /// Moves of a play.
    Depth,
    /// Heaps that can be computed.
    Heap,
}

/// What a refusal counts.
///
/// See [`refused_request`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RefusalUnit {
    /// Bytes of a request.
    Bytes,
    /// Seconds that a request takes to come.
    Seconds,
    /// Jobs at a time.
    Jobs,
    /// Positions of a picture.
    Positions,
}

impl ErrorObject {
    /// A limit that was reached before the game was solved; `positions` were met by then.
    ///
    /// ```
    /// use perfectplay::json::{ErrorObject, LimitKind, text};
    ///
    /// let late = ErrorObject::limit("too late".to_string(), LimitKind::Time, None);
    /// assert_eq!(text(&late), r#"{"kind":"limit","message":"too late","limit":"time"}"#);
    /// ```
    pub fn limit(message: String, limit: LimitKind, positions: Option<u64>) -> ErrorObject {
        ErrorObject::Unsolved { kind: ErrorKind::Limit, message, limit: Some(limit), positions }
    }

    /// A mistake in this program.
    ///
    /// ```
    /// use perfectplay::json::{ErrorObject, text};
    ///
    /// assert_eq!(text(&ErrorObject::internal("lost".to_string())), r#"{"kind":"internal","message":"lost"}"#);
    /// ```
    pub fn internal(message: String) -> ErrorObject {
        ErrorObject::Unsolved { kind: ErrorKind::Internal, message, limit: None, positions: None }
    }

    /// What kind of error it is.
    ///
    /// ```
    /// use perfectplay::json::{ErrorKind, usage};
    ///
    /// assert_eq!(usage("there is no such game", None).kind(), ErrorKind::Usage);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            ErrorObject::Wrong { kind, .. }
            | ErrorObject::Usage { kind, .. }
            | ErrorObject::Unfinished { kind, .. }
            | ErrorObject::Refused { kind, .. }
            | ErrorObject::Unsolved { kind, .. } => *kind,
        }
    }
}

/// What was asked for and what is allowed.
///
/// See [`refused_request`] for an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refusal {
    /// What was asked for, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<u64>,
    /// What is allowed.
    pub allowed: u64,
    /// What both are counted in.
    pub unit: RefusalUnit,
}

/// The object of a request that a server refuses.
///
/// ```
/// use perfectplay::json::{Refusal, RefusalUnit, refused_request, text};
///
/// let size = Refusal { asked: Some(9), allowed: 5, unit: RefusalUnit::Bytes };
/// assert_eq!(
///     text(&refused_request("too large", None, Some(size))),
///     r#"{"kind":"refused","message":"too large","asked":9,"allowed":5,"unit":"bytes"}"#
/// );
/// ```
pub fn refused_request(message: &str, help: Option<&str>, size: Option<Refusal>) -> ErrorObject {
    ErrorObject::Refused {
        kind: ErrorKind::Refused,
        message: message.to_string(),
        help: help.map(str::to_string),
        size,
    }
}

/// A diagnostic for programs.
///
/// See [`diagnostic`] for an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiagnosticObject {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Place {
    line: usize,
    column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<usize>,
    label: String,
}

/// An error that takes the place of an answer.
///
/// ```
/// use perfectplay::json::{Failed, text, usage};
///
/// assert_eq!(text(&Failed { error: usage("no", None), known: None, claimed: None }), r#"{"error":{"kind":"usage","message":"no"}}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failed {
    /// What went wrong.
    pub error: ErrorObject,
    /// What is proved of the value all the same.
    #[serde(flatten)]
    pub known: Option<BoundsObject>,
    /// What the rules file claims, where a limit was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed: Option<ClaimsObject>,
}

/// What is proved of a value that was not found.
///
/// ```
/// use perfectplay::json::{BoundsObject, text};
/// use perfectplay::solving::Bounded;
///
/// let bounds = Bounded { is_outcome: true, low: Some(0), high: Some(1), estimate: None };
/// assert_eq!(text(&BoundsObject::of(&bounds)), r#"{"bounds":["draw","win"]}"#);
/// let bounds = Bounded { is_outcome: false, low: Some(-3), high: None, estimate: Some(2) };
/// assert_eq!(text(&BoundsObject::of(&bounds)), r#"{"bounds":[-3,null],"estimate":2}"#);
/// let nothing = Bounded { low: None, ..bounds };
/// assert_eq!(text(&BoundsObject::of(&nothing)), r#"{"estimate":2}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoundsObject {
    /// Not there where nothing is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[Option<BoundText>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<i64>,
}

/// A bound: a score, or an outcome for the player who starts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum BoundText {
    Score(i64),
    Outcome(String),
}

impl BoundsObject {
    /// The object of these bounds.
    ///
    /// See [`BoundsObject`] for an example.
    pub fn of(bounds: &Bounded) -> BoundsObject {
        let text = |bound: i64| match bounds.is_outcome {
            true => BoundText::Outcome(["lose", "draw", "win"][(bound.signum() + 1) as usize].to_string()),
            false => BoundText::Score(bound),
        };
        let both = [bounds.low.map(text), bounds.high.map(text)];
        let bounds_proved = Some(both).filter(|both| both.iter().any(Option::is_some));
        BoundsObject { bounds: bounds_proved, estimate: bounds.estimate }
    }
}

/// Claims of a rules file by field.
///
/// ```
/// use perfectplay::answer::claims;
/// use perfectplay::json::{ClaimsObject, text};
/// use perfectplay::language::Rules;
///
/// let hex = Rules::gallery("hex").unwrap().bind("{}")?;
/// assert_eq!(text(&ClaimsObject::of(&claims(&hex)).unwrap()), r#"{"winner":"first"}"#);
/// # Ok::<(), perfectplay::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClaimsObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<i64>,
}

impl ClaimsObject {
    /// The object of these claims; `None` of none.
    ///
    /// See [`ClaimsObject`] for an example.
    pub fn of(claims: &[Claim]) -> Option<ClaimsObject> {
        let mut object = ClaimsObject::default();
        for Claim { field, value } in claims {
            match field {
                ClaimField::Winner => object.winner = Some(value.clone()),
                ClaimField::Outcome => object.outcome = Some(value.clone()),
                ClaimField::Value => object.value = value.parse().ok(),
                ClaimField::Nimber => object.nimber = value.parse().ok(),
            }
        }
        (!claims.is_empty()).then_some(object)
    }
}

/// A diagnostic with its place counted in lines and columns from 1.
///
/// ```
/// use perfectplay::json::{diagnostic, text};
/// use perfectplay::language::{Diagnostic, Span};
///
/// let found = Diagnostic::at(Span::new(5, 6), "there is no `m`", "here");
/// assert_eq!(
///     text(&diagnostic(&found, "game\n m")),
///     r#"{"message":"there is no `m`","place":{"line":2,"column":1,"label":"here"},"notes":[]}"#
/// );
/// ```
pub fn diagnostic(diagnostic: &Diagnostic, source: &str) -> DiagnosticObject {
    let place = diagnostic.label.as_ref().map(|(span, label)| {
        let (line, column) = line_and_column(source, span.start as usize);
        Place { line, column, end_line: None, end_column: None, label: label.clone() }
    });
    let Diagnostic { title, notes, help, .. } = diagnostic.clone();
    DiagnosticObject { message: title, place, notes, help }
}

/// Where a place in a text is, counted from 1.
pub(super) fn line_and_column(source: &str, at: usize) -> (usize, usize) {
    let before = &source[..source.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    (line, before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1)
}

/// A diagnostic that also tells where its place ends, for editors.
///
/// ```
/// use perfectplay::json::{diagnostic_to, text};
/// use perfectplay::language::{Diagnostic, Span};
///
/// let found = Diagnostic::at(Span::new(5, 6), "there is no `m`", "here");
/// assert!(text(&diagnostic_to(&found, "game\n m")).contains(r#""line":2,"column":1,"end_line":2,"end_column":2"#));
/// ```
pub fn diagnostic_to(found: &Diagnostic, source: &str) -> DiagnosticObject {
    let mut object = diagnostic(found, source);
    if let (Some(place), Some((span, _))) = (&mut object.place, &found.label) {
        let (line, column) = line_and_column(source, span.range().end);
        (place.end_line, place.end_column) = (Some(line), Some(column));
    }
    object
}

/// So many mistakes of one file are told. The rest is only counted: nobody mends thousands of them at once.
const MOST_DIAGNOSTICS: usize = 200;

/// The object of an error of this library.
///
/// ```
/// use perfectplay::{SolveError, json};
///
/// let object = json::error_object(&SolveError::NotApplicable("no".to_string()).into());
/// assert_eq!(json::text(&object), r#"{"kind":"wrong","message":"no"}"#);
/// ```
pub fn error_object(error: &Error) -> ErrorObject {
    let error = match error {
        Error::Mistakes(mistakes) => {
            let all = &mistakes.diagnostics;
            let list = all.iter().take(MOST_DIAGNOSTICS).map(|found| diagnostic(found, &mistakes.rules.source));
            let kind = if mistakes.too_much_work { ErrorKind::Limit } else { ErrorKind::Wrong };
            let more = all.len().checked_sub(MOST_DIAGNOSTICS).filter(|more| *more > 0).map(|more| more as u64);
            return ErrorObject::Wrong { kind, message: error.to_string(), diagnostics: list.collect(), more };
        }
        Error::Solve(error) => error,
    };
    let error = error.plain();
    let kind = match error {
        SolveError::Internal(_) => ErrorKind::Internal,
        SolveError::Files { .. } | SolveError::Room { .. } => ErrorKind::Usage,
        error => kind(error).unwrap_or(ErrorKind::Wrong),
    };
    let positions = match error {
        SolveError::Limit { positions, .. } | SolveError::Interrupted { positions } => Some(*positions),
        _ => None,
    };
    ErrorObject::Unsolved { kind, message: error.to_string(), limit: limit(error), positions }
}

/// The object of a command line that is wrong, or of a file that cannot be read or written.
///
/// See [`ErrorObject`] for an example.
pub fn usage(message: &str, help: Option<&str>) -> ErrorObject {
    ErrorObject::Usage { kind: ErrorKind::Usage, message: message.to_string(), help: help.map(str::to_string) }
}

/// The object of a limit that came before all was done; `terms` of a sequence are exact.
///
/// ```
/// use perfectplay::SolveError;
/// use perfectplay::json::{text, unfinished};
///
/// let stopped = SolveError::Interrupted { positions: 5 };
/// assert_eq!(
///     text(&unfinished(&stopped, "stopped at move 5".to_string(), None)),
///     r#"{"kind":"interrupted","message":"stopped at move 5"}"#
/// );
/// ```
pub fn unfinished(error: &SolveError, message: String, terms: Option<u64>) -> ErrorObject {
    ErrorObject::Unfinished { kind: kind(error).unwrap_or(ErrorKind::Limit), message, limit: limit(error), terms }
}

/// The object of a sequence whose period was not proved within as many heaps as can be computed; `terms` are exact.
///
/// ```
/// use perfectplay::json::{text, unproved};
///
/// assert!(text(&unproved("no period".to_string(), 9)).ends_with(r#""limit":"heap","terms":9}"#));
/// ```
pub fn unproved(message: String, terms: u64) -> ErrorObject {
    ErrorObject::Unfinished { kind: ErrorKind::Limit, message, limit: Some(LimitKind::Heap), terms: Some(terms) }
}

fn kind(error: &SolveError) -> Option<ErrorKind> {
    match error {
        SolveError::Limit { .. } => Some(ErrorKind::Limit),
        SolveError::Interrupted { .. } => Some(ErrorKind::Interrupted),
        _ => None,
    }
}

/// The limit that was reached, where it was one.
fn limit(error: &SolveError) -> Option<LimitKind> {
    let SolveError::Limit { limit, .. } = error else { return None };
    Some(match limit {
        Limit::Memory { .. } => LimitKind::Memory,
        Limit::Time { .. } => LimitKind::Time,
        Limit::Positions => LimitKind::Positions,
        Limit::Depth { .. } => LimitKind::Depth,
        Limit::Heap { .. } => LimitKind::Heap,
    })
}
