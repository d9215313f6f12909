//! JSON: the one place that makes it, for every command and every front end.
//!
//! `docs/schema.json` describes each object, and tests hold what the commands print against it. Objects are written as they
//! are made ([`write()`]): an instance of ten million numbers never becomes a tree.
//!
//! ```
//! use perfectplay::json;
//!
//! let nim = perfectplay::gallery::find("nim").unwrap();
//! let solution = perfectplay::solve(nim, r#"{"piles": [1, 2, 4]}"#)?;
//! let text = json::text(&json::solution(&solution));
//! assert!(text.starts_with(r#"{"game":"nim","instance":{"piles":[1,2,4]},"kind":"nimber","winner":"first""#));
//! # Ok::<(), perfectplay::Error>(())
//! ```

mod batch;
mod certificate;
mod check;
mod errors;
mod explain;
pub mod explorer;
mod family;
mod lists;
mod moves;
mod proof_file;
mod schema;
mod sequence;
mod solution;
mod survey;
mod tables;
mod value;

use std::fmt::{self, Display};
use std::io;

use rules::bind::Bound;
use rules::instance::Given;
use rules::play::Play;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use solve::answer::solution::{Shown, Understood};

pub use serde::ser::Serialize;

pub use batch::{BatchLine, unanswered_line};
pub use certificate::{refused, verified};
pub use check::{CheckFailure, CheckObject, GivenInstance, PlayedObject, SlowestObject};
pub use errors::{
    BoundsObject, ClaimsObject, DiagnosticObject, ErrorKind, ErrorObject, Failed, LimitKind, Refusal, RefusalUnit,
    diagnostic, diagnostic_to, error_object, refused_request, unfinished, unproved, usage,
};
pub use explain::{explanation, sum_explanation};
pub use family::{read_survey_line, survey_head, survey_line, value_survey};
pub use lists::{TestedFile, game, games, tested};
pub use moves::{moves, sum_moves};
pub use proof_file::ProofFile;
pub use schema::{SCHEMA, openapi};
pub use sequence::{CHUNK, SequenceHead, Watch, grid, guessed, misere, sequence, term_line};
pub use solution::{Fields, LineFile, SolveObject, Standing, line_move, line_remark, literal_text, solution};
pub use survey::{sample_survey, sum_survey, survey};
pub use tables::{BuiltTable, built, checked_table, refused_table, table_counts, table_line};
pub use value::value;

/// An object as text, on one line.
///
/// ```
/// let text = perfectplay::json::text(&perfectplay::json::game("g", "game g { }"));
/// assert_eq!(text, r#"{"name":"g","rules":"game g { }"}"#);
/// ```
pub fn text(object: &impl Serialize) -> String {
    serde_json::to_string(object).unwrap_or_default()
}

/// The text of an object, open for one more field whose value is text already.
pub(in crate::json) fn text_up_to(object: &impl Serialize, field: &str) -> String {
    let mut text = text(object);
    text.pop();
    text + ",\"" + field + "\":"
}

/// Writes an object on one line, as it is made.
///
/// ```
/// let mut out = Vec::new();
/// perfectplay::json::write(&mut out, &perfectplay::json::game("g", ""))?;
/// assert_eq!(out, br#"{"name":"g","rules":""}"#);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write(out: impl io::Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(out, object).map_err(io::Error::from)
}

/// The instance of a game as the text of a JSON object.
///
/// ```
/// let nim = perfectplay::language::Rules::gallery("nim").unwrap().bind(r#"{"piles": [3, 4]}"#)?;
/// assert_eq!(perfectplay::json::instance_text(&nim), r#"{"piles":[3,4]}"#);
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn instance_text(bound: &Bound) -> String {
    understood_text(&Understood::new(bound))
}

/// An instance as the text of a JSON object.
///
/// ```
/// use perfectplay::answer::Understood;
///
/// assert_eq!(perfectplay::json::understood_text(&Understood::default()), "{}");
/// ```
pub fn understood_text(instance: &Understood) -> String {
    text(&Instance(instance))
}

/// An instance as JSON.
struct Instance<'i>(&'i Understood);

impl Serialize for Instance<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, shown) in self.0.iter() {
            map.serialize_entry(name, &Spelled(shown))?;
        }
        map.end()
    }
}

/// A value of an instance as a word of the command line, which is JSON without spaces.
///
/// ```
/// use perfectplay::json::Spelled;
///
/// let nim = perfectplay::language::Rules::gallery("nim").unwrap().bind(r#"{"piles": [1, 2]}"#)?;
/// let instance = perfectplay::answer::Understood::new(&nim);
/// let words: Vec<String> = instance.iter().map(|(_, value)| Spelled(value).to_string()).collect();
/// assert_eq!(words[0], "[1,2]");
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub struct Spelled<'v>(pub &'v Shown);

impl Serialize for Spelled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Shown::Numbers(numbers) => numbers.as_slice().serialize(serializer),
            Shown::Given(given) => Value(given).serialize(serializer),
        }
    }
}

/// Written bit by bit: a list may have millions of numbers, and who shows it may have enough after a few.
impl Display for Spelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        serde_json::to_writer(Written(f), self).map_err(|_| fmt::Error)
    }
}

/// A formatter that takes the bytes of a text.
struct Written<'w, 'f>(&'w mut fmt::Formatter<'f>);

impl io::Write for Written<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_str(text).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A value of an instance as JSON.
struct Value<'g>(&'g Given);

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Given::Int(value) => value.serialize(serializer),
            Given::Bool(value) => value.serialize(serializer),
            Given::Text(text) => text.serialize(serializer),
            Given::Ints(items) => items.serialize(serializer),
            Given::List(items) => serializer.collect_seq(items.iter().map(Value)),
        }
    }
}

/// Anything by its text.
struct Text<T>(T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Moves by their labels.
struct Labels<'p>(&'p [Play]);

impl Serialize for Labels<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for play in self.0 {
            seq.serialize_element(&play.label)?;
        }
        seq.end()
    }
}

/// Whether a flag is left out.
fn is_false(flag: &bool) -> bool {
    !flag
}
