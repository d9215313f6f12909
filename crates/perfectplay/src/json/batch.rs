//! The lines of `solve --batch`.

use std::fmt;

use rules::instance::{Given, Instance, parse_given, parse_instance};
use rules::program::Program;
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::errors::Failed;
use crate::place;

/// The entries of an object, in their order, those with the same name too.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// A line of a batch that has no answer.
#[derive(Serialize)]
struct Unanswered<'f> {
    #[serde(flatten)]
    failed: &'f Failed,
    line: u64,
}

/// The object for a line of a batch that has no answer: the error, and the number of the line, counted from 1.
///
/// ```
/// use perfectplay::json::{Failed, text, unanswered_line, usage};
///
/// let failed = Failed { error: usage("no", None), known: None, claimed: None };
/// assert_eq!(text(&unanswered_line(&failed, 3)), r#"{"error":{"kind":"usage","message":"no"},"line":3}"#);
/// ```
pub fn unanswered_line(failed: &Failed, line: u64) -> impl Serialize + use<'_> {
    Unanswered { failed, line }
}

/// One line of a batch: an instance, and where play stands in it.
///
/// ```
/// use perfectplay::json::BatchLine;
/// use perfectplay::language::Rules;
///
/// let nim = Rules::gallery("nim").unwrap().program()?;
/// let line = BatchLine::read(r#"{"piles": [3, 4], "turn": "second", "after": ["take(1) in part 0"]}"#, &nim).unwrap();
/// assert_eq!(line.instance.to_string(), r#"{"piles": [3, 4]}"#);
/// assert_eq!((line.turn.as_deref(), line.after.as_deref()), (Some("second"), Some("take(1) in part 0")));
/// let numbers = BatchLine::read(r#"{"piles": [3, 4], "after": [0, 4]}"#, &nim).unwrap();
/// assert_eq!(numbers.after.as_deref(), Some("0, 4"));
/// let wrong = BatchLine::read(r#"{"piles": [3, 4], "after": [true]}"#, &nim).unwrap_err();
/// assert_eq!(wrong, "the moves in `after` are texts or numbers");
/// # Ok::<(), perfectplay::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchLine {
    /// The parameters.
    pub instance: Instance,
    /// The position, as JSON or as a drawing.
    pub position: Option<String>,
    /// Who moves.
    pub turn: Option<String>,
    /// The moves that were played.
    pub after: Option<String>,
}

impl BatchLine {
    /// Reads a line: an object of parameters, in which `instance`, `position`, `turn` and `after` have their own meaning unless
    /// the game has a parameter of that name; for a game with one parameter also its bare value.
    pub fn read(text: &str, program: &Program) -> Result<BatchLine, String> {
        let why = match serde_json::from_str(text) {
            Ok(Entries(entries)) => {
                let twice =
                    (1..entries.len()).find(|at| entries[..*at].iter().any(|(name, _)| *name == entries[*at].0));
                if let Some(at) = twice {
                    return Err(format!("`{}` is given twice", entries[at].0));
                }
                return BatchLine::of(&entries, program);
            }
            Err(_) if serde_json::from_str::<Value>(text).is_ok() => {
                "a line is an object, such as {\"n\": 5}".to_string()
            }
            Err(error) => place::unreadable(text, &error),
        };
        // The language of instances is larger: `10^18` is a number.
        let instance = match (parse_instance(text), &program.params[..]) {
            (Ok(instance), _) => instance,
            (Err(_), [only]) if !text.trim_start().starts_with('{') => {
                Instance(vec![(only.name.clone(), parse_given(text).map_err(|_| why)?)])
            }
            _ => return Err(why),
        };
        Ok(BatchLine { instance, ..BatchLine::default() })
    }

    fn of(entries: &[(String, Value)], program: &Program) -> Result<BatchLine, String> {
        let mut line = BatchLine::default();
        for (name, value) in entries {
            let known = program.params.iter().any(|param| param.name == *name);
            match (name.as_str(), value) {
                ("instance", Value::Object(params)) if !known => {
                    for (name, value) in params {
                        line.instance.0.push((name.clone(), given(name, value)?));
                    }
                }
                ("position", Value::String(text)) if !known => line.position = Some(text.clone()),
                ("position", value) if !known => line.position = Some(value.to_string()),
                ("turn", Value::String(text)) if !known => line.turn = Some(text.clone()),
                ("turn", value @ Value::Number(_)) if !known => line.turn = Some(value.to_string()),
                ("after", Value::String(text)) if !known => line.after = Some(text.clone()),
                ("after", Value::Array(moves)) if !known => {
                    let moves: Option<Vec<String>> = moves.iter().map(named_move).collect();
                    line.after = Some(moves.ok_or("the moves in `after` are texts or numbers")?.join(", "));
                }
                ("instance" | "turn" | "after", _) if !known => return Err(format!("`{name}` cannot be {value}")),
                _ => line.instance.0.push((name.clone(), given(name, value)?)),
            }
        }
        Ok(line)
    }
}

/// A move as a text, or the number that is its argument.
fn named_move(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => number.as_i64().map(|number| number.to_string()),
        _ => None,
    }
}

fn given(name: &str, value: &Value) -> Result<Given, String> {
    match value {
        Value::Bool(truth) => Ok(Given::Bool(*truth)),
        Value::String(text) => Ok(Given::Text(text.clone())),
        Value::Number(number) => {
            number.as_i64().map(Given::Int).ok_or_else(|| format!("`{name}` = {number} is no whole number of 64 bits"))
        }
        Value::Array(items) => {
            let numbers: Option<Vec<i64>> = items.iter().map(Value::as_i64).collect();
            match numbers {
                Some(numbers) => Ok(Given::Ints(numbers)),
                None => items.iter().map(|item| given(name, item)).collect::<Result<_, _>>().map(Given::List),
            }
        }
        Value::Null | Value::Object(_) => Err(format!("`{name}` cannot be {value}")),
    }
}
