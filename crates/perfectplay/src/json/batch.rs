//! The lines of `solve --batch`.

use rules::instance::{Given, Instance, parse_given, parse_instance};
use rules::program::Program;
use serde_json::{Map, Value};

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
        let parsed = match serde_json::from_str(text) {
            Ok(Value::Object(entries)) => BatchLine::of(&entries, program),
            Ok(_) => Err("a line is an object, such as {\"n\": 5}".to_string()),
            Err(error) => Err(format!("this is no JSON: {error}")),
        };
        // The language of instances is larger: `10^18` is a number.
        parsed.or_else(|why| {
            let instance = match (parse_instance(text), &program.params[..]) {
                (Ok(instance), _) => instance,
                (Err(_), [only]) if !text.trim_start().starts_with('{') => {
                    Instance(vec![(only.name.clone(), parse_given(text).map_err(|_| why)?)])
                }
                _ => return Err(why),
            };
            Ok(BatchLine { instance, ..BatchLine::default() })
        })
    }

    fn of(entries: &Map<String, Value>, program: &Program) -> Result<BatchLine, String> {
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
                    let moves: Option<Vec<&str>> = moves.iter().map(Value::as_str).collect();
                    line.after = Some(moves.ok_or("the moves in `after` are texts")?.join(", "));
                }
                ("instance" | "turn" | "after", _) if !known => return Err(format!("`{name}` cannot be {value}")),
                _ => line.instance.0.push((name.clone(), given(name, value)?)),
            }
        }
        Ok(line)
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
