//! The object of `check`.

use rules::instance::Given;
use rules::instance::Instance;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::Value;
use super::solution::SolveObject;

/// The object of `check`: whether a program is right.
///
/// ```
/// use perfectplay::json::{CheckObject, text};
///
/// let object = CheckObject { game: "nim", command: &["./nim".to_string()], passed: true, instances: 7, too_large: 0, seconds: 0.5,
///     slowest: None, failure: None };
/// assert!(text(&object).starts_with(r#"{"game":"nim","command":["./nim"],"passed":true,"instances":7,"#));
/// ```
#[derive(Serialize)]
pub struct CheckObject<'c> {
    /// The game.
    pub game: &'c str,
    /// The command line of the program.
    pub command: &'c [String],
    /// Whether it was right on every instance.
    pub passed: bool,
    /// On how many instances it was compared with the exact answer.
    pub instances: usize,
    /// How many instances were too large for an exact answer within the limits.
    pub too_large: usize,
    /// How long everything took.
    pub seconds: f64,
    /// The longest run of those that were right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slowest: Option<SlowestObject<'c>>,
    /// What it does wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<CheckFailure<'c>>,
}

/// The longest run.
///
/// ```
/// use perfectplay::json::{GivenInstance, SlowestObject, text};
///
/// let instance = perfectplay::language::parse_instance(r#"{"n": 3}"#).unwrap();
/// assert_eq!(text(&SlowestObject { instance: GivenInstance(&instance), seconds: 0.5 }), r#"{"instance":{"n":3},"seconds":0.5}"#);
/// ```
#[derive(Serialize)]
pub struct SlowestObject<'c> {
    /// On this instance.
    pub instance: GivenInstance<'c>,
    /// How long it took.
    pub seconds: f64,
}

/// What a program does wrong, on the smallest instance that was found.
///
/// See [`CheckObject`] for an example.
#[derive(Serialize)]
pub struct CheckFailure<'c> {
    /// The kind of failure.
    pub kind: String,
    /// What is wrong, in a sentence.
    pub message: &'c str,
    /// The instance.
    pub instance: GivenInstance<'c>,
    /// The instance on which it was met first.
    pub found_on: GivenInstance<'c>,
    /// How many instances were tried to make it smaller.
    pub tried: usize,
    /// Whether every smaller instance of the sample was tried, and none fails in this way.
    pub smallest: bool,
    /// What the program read.
    pub input: &'c str,
    /// What it printed.
    pub output: &'c str,
    /// The end of what it printed to standard error.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub errors: &'c str,
    /// What is right, as the program should print it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<&'c str>,
    /// The game it played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<PlayedObject<'c>>,
    /// Why the exact answer is what it is.
    pub why: String,
    /// The exact answer.
    pub solution: SolveObject<'c>,
}

/// A game that a program played.
///
/// ```
/// use perfectplay::json::{PlayedObject, text};
///
/// let game = PlayedObject { seat: "first".to_string(), moves: &["take(1)".to_string()], better: &[] };
/// assert_eq!(text(&game), r#"{"seat":"first","moves":["take(1)"],"better":[]}"#);
/// ```
#[derive(Serialize)]
pub struct PlayedObject<'c> {
    /// The seat of the program.
    pub seat: String,
    /// All moves, the last one by the program where it made one.
    pub moves: &'c [String],
    /// What is best there instead.
    pub better: &'c [String],
}

/// An instance as it was given.
///
/// See [`SlowestObject`] for an example.
pub struct GivenInstance<'c>(pub &'c Instance);

impl Serialize for GivenInstance<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.0.len()))?;
        for (name, value) in &self.0.0 {
            let value: &Given = value;
            map.serialize_entry(name, &Value(value))?;
        }
        map.end()
    }
}
