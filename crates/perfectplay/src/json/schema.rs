//! The description of all JSON, and what else is described with its words.

use serde_json::{Map, Value};

/// The JSON Schema of everything that the commands print: `docs/schema.json`.
///
/// ```
/// assert!(perfectplay::json::SCHEMA.contains(r##""$ref": "#/$defs/solve""##));
/// ```
pub const SCHEMA: &str = include_str!("../../schema.json");

/// Where definitions are in a JSON Schema, and where in an OpenAPI document.
const DEFS: &str = "#/$defs/";
const SCHEMAS: &str = "#/components/schemas/";

/// An OpenAPI document with those definitions of [`SCHEMA`] that it refers to and does not have itself. So an answer that the
/// command line prints too is described once. `None` where the text is no such document, or refers to what nobody defines.
///
/// ```
/// let own = r##"{"paths": {"/solve": {"$ref": "#/components/schemas/solve"}}, "components": {"schemas": {}}}"##;
/// let whole = perfectplay::json::openapi(own).unwrap();
/// assert!(whole.contains(r##""winner":{"##) && whole.contains(r##""$ref":"#/components/schemas/player""##));
/// assert_eq!(perfectplay::json::openapi(&own.replace("schemas/solve", "schemas/slove")), None);
/// ```
pub fn openapi(own: &str) -> Option<String> {
    let mut whole: Value = serde_json::from_str(own).ok()?;
    let shared: Map<String, Value> = serde_json::from_str(&SCHEMA.replace(DEFS, SCHEMAS)).ok()?;
    let shared = shared.get("$defs")?.as_object()?;
    let mut wanted = Vec::new();
    referred(&whole, &mut wanted);
    while let Some(name) = wanted.pop() {
        let schemas = whole.pointer_mut("/components/schemas")?.as_object_mut()?;
        if !schemas.contains_key(&name) {
            let definition = shared.get(&name)?;
            referred(definition, &mut wanted);
            schemas.insert(name, definition.clone());
        }
    }
    Some(whole.to_string())
}

/// The definitions that a description refers to. (The parser bounds how deep it is.)
fn referred(description: &Value, into: &mut Vec<String>) {
    match description {
        Value::Array(items) => items.iter().for_each(|item| referred(item, into)),
        Value::Object(entries) => {
            let reference = entries.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix(SCHEMAS));
            into.extend(reference.map(str::to_string));
            entries.values().for_each(|value| referred(value, into));
        }
        _ => {}
    }
}
