//! The objects of `games` and `test`.

use rules::program::Program;
use serde::Serialize;

use super::errors::{DiagnosticObject, ErrorObject, diagnostic};
use crate::error::Error;
use crate::report::Report;
use crate::source::Rules;

#[derive(Serialize)]
struct GameObject<'g> {
    name: &'g str,
    rules: &'g str,
}

/// The object of `games NAME`: one game with its rules.
///
/// ```
/// use perfectplay::json::{game, text};
///
/// assert_eq!(text(&game("g", "game g { }")), r#"{"name":"g","rules":"game g { }"}"#);
/// ```
pub fn game<'g>(name: &'g str, rules: &'g str) -> impl Serialize + use<'g> {
    GameObject { name, rules }
}

#[derive(Serialize)]
struct GamesObject<'g> {
    games: Vec<GameLine<'g>>,
}

#[derive(Serialize)]
struct GameLine<'g> {
    name: &'g str,
    about: String,
    parameters: Vec<String>,
}

/// The object of `games`: a list of games.
///
/// ```
/// use perfectplay::json::{games, text};
/// use perfectplay::language::Rules;
///
/// let nim = Rules::gallery("nim").unwrap().program()?;
/// assert!(text(&games([("nim", &*nim)])).ends_with(r#""parameters":["piles: [int]"]}]}"#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn games<'g>(games: impl IntoIterator<Item = (&'g str, &'g Program)>) -> impl Serialize {
    let games = games.into_iter().map(|(name, program)| GameLine {
        name,
        about: program.doc.join(" "),
        parameters: program.params.iter().map(|param| format!("{}: {}", param.name, param.ty)).collect(),
    });
    GamesObject { games: games.collect() }
}

/// What came of testing one file.
///
/// ```
/// use perfectplay::json::{TestedFile, text};
/// use perfectplay::language::Rules;
/// use perfectplay::testing::Report;
///
/// let file = TestedFile::new(&Rules::gallery("nim").unwrap(), &Report::default());
/// assert!(text(&file).starts_with(r#"{"file":"nim","passed":true,"#) && file.passed());
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct TestedFile {
    file: String,
    passed: bool,
    #[serde(flatten)]
    counts: Option<Counts>,
    failures: Vec<FailureObject>,
}

#[derive(Clone, Debug, Serialize)]
struct Counts {
    examples: usize,
    instances: usize,
    claims: usize,
    skipped: usize,
    more: bool,
}

/// One thing that is wrong with a file.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum FailureObject {
    Diagnostic(DiagnosticObject),
    Usage { message: String, help: Option<String> },
    Other { message: String },
}

impl TestedFile {
    /// A file that was tested.
    ///
    /// See [`TestedFile`] for an example.
    pub fn new(rules: &Rules, report: &Report) -> TestedFile {
        let failures = report.failures.iter().map(|found| diagnostic(found, &rules.source));
        let Report { examples, instances, claims, skipped, more, .. } = *report;
        TestedFile {
            file: rules.name.clone(),
            passed: report.failures.is_empty(),
            counts: Some(Counts { examples, instances, claims, skipped, more }),
            failures: failures.map(FailureObject::Diagnostic).collect(),
        }
    }

    /// A file that could not be tested at all.
    ///
    /// ```
    /// use perfectplay::json::{TestedFile, usage};
    ///
    /// assert!(!TestedFile::failed("conis", usage("there is no file `conis`", None)).passed());
    /// ```
    pub fn failed(name: &str, error: ErrorObject) -> TestedFile {
        let failures = match error {
            ErrorObject::Wrong { diagnostics, .. } => diagnostics.into_iter().map(FailureObject::Diagnostic).collect(),
            ErrorObject::Usage { message, help, .. } | ErrorObject::Refused { message, help, .. } => {
                vec![FailureObject::Usage { message, help }]
            }
            ErrorObject::Unfinished { message, .. } | ErrorObject::Unsolved { message, .. } => {
                vec![FailureObject::Other { message }]
            }
        };
        TestedFile { file: name.to_string(), passed: false, counts: None, failures }
    }

    /// Whether nothing is wrong.
    ///
    /// See [`TestedFile`] for an example.
    pub fn passed(&self) -> bool {
        self.passed
    }
}

#[derive(Serialize)]
struct TestedObject<'t> {
    passed: bool,
    files: &'t [TestedFile],
}

/// The object of `test`.
///
/// ```
/// assert_eq!(perfectplay::json::text(&perfectplay::json::tested(&[])), r#"{"passed":true,"files":[]}"#);
/// ```
pub fn tested(files: &[TestedFile]) -> impl Serialize + use<'_> {
    TestedObject { passed: files.iter().all(TestedFile::passed), files }
}

impl From<&Error> for ErrorObject {
    fn from(error: &Error) -> ErrorObject {
        super::errors::error_object(error)
    }
}
