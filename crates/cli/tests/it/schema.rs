//! `docs/schema.json` against what every command prints.
//!
//! The validator knows the words of JSON Schema that the file uses, and refuses others, so that nothing is described in words that
//! nobody checks.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use crate::support::{Folder, brief, run, run_with};

/// A file of definitions.
pub struct Schema {
    pub all: Value,
    /// Where the definitions are in it.
    pointer: &'static str,
}

impl Schema {
    fn read() -> Schema {
        Schema::from_file("../../docs/schema.json", "/$defs")
    }

    /// The definitions at a place of a file.
    pub fn from_file(path: &str, pointer: &'static str) -> Schema {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        Schema { all: serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap(), pointer }
    }

    /// What the explorer answers: its own description, with the definitions that it shares with the command line.
    pub fn of_api() -> Schema {
        let own = include_str!("../../../explorer/openapi.json");
        let whole = perfectplay::json::openapi(own).expect("every definition is there");
        Schema { all: serde_json::from_str(&whole).unwrap(), pointer: "/components/schemas" }
    }

    pub fn definitions(&self) -> &Map<String, Value> {
        self.all.pointer(self.pointer).and_then(Value::as_object).unwrap()
    }

    fn definition(&self, name: &str) -> &Value {
        self.definitions().get(name).unwrap_or_else(|| panic!("there is no definition {name}"))
    }

    /// What is wrong with a value that should be like this definition.
    pub fn check(&self, definition: &str, value: &Value) -> Result<(), String> {
        self.fits(self.definition(definition), value, "")
    }

    fn fits(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let words = schema.as_object().ok_or(format!("{at}: there is no such definition"))?;
        for (word, said) in words {
            let good = match word.as_str() {
                "$ref" => {
                    let name =
                        said.as_str().and_then(|text| text.strip_prefix(&format!("#{}/", self.pointer))).unwrap();
                    return self.fits(self.definition(name), value, at);
                }
                "description" | "required" | "additionalProperties" => true,
                "type" => match said.as_array() {
                    Some(types) => types.iter().any(|ty| is(value, ty)),
                    None => is(value, said),
                },
                "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= said.as_u64().unwrap()),
                "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= said.as_u64().unwrap()),
                "const" => value == said,
                "enum" => said.as_array().unwrap().contains(value),
                "anyOf" => {
                    let found: Vec<_> = said.as_array().unwrap().iter().map(|one| self.fits(one, value, at)).collect();
                    if found.iter().all(Result::is_err) {
                        let why: Vec<String> = found.into_iter().filter_map(Result::err).collect();
                        return Err(format!("none of [{}]", why.join(" | ")));
                    }
                    true
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.fits(said, item, &format!("{at}/{index}"))?;
                    }
                    true
                }
                "properties" => {
                    if let Some(object) = value.as_object() {
                        self.object(words, object, at)?;
                    }
                    true
                }
                other => panic!("the validator does not know `{other}`"),
            };
            if !good {
                return Err(format!("{at}: {word} {said} does not fit {value}"));
            }
        }
        if let (None, Some(extra @ Value::Object(_)), Some(object)) =
            (words.get("properties"), words.get("additionalProperties"), value.as_object())
        {
            for (name, field) in object {
                self.fits(extra, field, &format!("{at}/{name}"))?;
            }
        }
        Ok(())
    }

    fn object(&self, words: &Map<String, Value>, object: &Map<String, Value>, at: &str) -> Result<(), String> {
        assert_eq!(words.get("additionalProperties"), Some(&Value::Bool(false)), "{at} must be closed");
        let properties = words["properties"].as_object().unwrap();
        for name in words.get("required").and_then(Value::as_array).into_iter().flatten() {
            let name = name.as_str().unwrap();
            assert!(properties.contains_key(name), "{at}: {name} is required and not described");
            if !object.contains_key(name) {
                return Err(format!("{at}: there is no {name}"));
            }
        }
        for (name, field) in object {
            match properties.get(name) {
                Some(schema) => self.fits(schema, field, &format!("{at}/{name}"))?,
                None => return Err(format!("{at}: {name} is not described")),
            }
        }
        Ok(())
    }
}

fn is(value: &Value, ty: &Value) -> bool {
    match ty.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("there is no type {other}"),
    }
}

/// Runs a command and holds its object against the definition of the command, or of a failure.
fn hold(schema: &Schema, words: &str) -> Value {
    let ran = run(&format!("{words} --json"));
    let value: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{words}: {error}: {}", ran.out));
    let command = words.split(' ').next().unwrap();
    let definition = if value.get("error").is_some() && value.get("game").is_none() { "failed" } else { command };
    if let Err(wrong) = schema.check(definition, &value) {
        panic!("{words}: {wrong}\n{}", ran.out);
    }
    assert!(!has_null(&value), "{words}: what does not apply is absent\n{}", ran.out);
    value
}

/// Whether some field is `null`.
pub fn has_null(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.values().any(|field| field.is_null() || has_null(field)),
        Value::Array(items) => items.iter().any(has_null),
        _ => false,
    }
}

/// Holds that every field has a description.
pub fn described_all(schema: &Schema) {
    fn described(schema: &Value, at: &str) {
        for (name, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let at = format!("{at}/{name}");
            assert!(
                field.get("description").is_some() || field.get("$ref").is_some() || field.get("anyOf").is_some(),
                "{at}"
            );
            described(field, &at);
        }
        for word in ["items", "anyOf"] {
            let inner = schema.get(word).map(|inner| inner.as_array().cloned().unwrap_or(vec![inner.clone()]));
            inner.into_iter().flatten().for_each(|inner| described(&inner, at));
        }
    }
    for (name, definition) in schema.definitions() {
        assert!(definition.get("description").is_some(), "{name}");
        described(definition, name);
    }
}

#[test]
fn every_field_is_described() {
    described_all(&Schema::read());
}

#[test]
fn the_gallery_fits_the_schema() {
    let schema = Schema::read();
    let games = hold(&schema, "games");
    for game in games["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let brief = brief(name);
        for words in [
            format!("solve {brief}"),
            format!("solve {brief} --check 20 --engine compiled"),
            format!("solve {brief} --turn 1"),
            format!("moves {brief}"),
            format!("moves {brief} --turn 0"),
            format!("survey {brief} --time 2s"),
            format!("survey {name} --sample --instances 3 --time 1s"),
            format!("explain {brief}"),
            format!("explain {brief} --run"),
            format!("games {name}"),
            format!("test {name} --instances 5"),
        ] {
            hold(&schema, &words);
        }
    }
}

#[test]
fn every_method_and_every_question_fits_the_schema() {
    let schema = Schema::read();
    let methods = [
        "heap",
        "row",
        "triangle",
        "window",
        "grundy",
        "fill",
        "search",
        "hash",
        "quotient",
        "induction",
        "retrograde",
        "loopy",
    ];
    let instances = [
        "kayles [7,8]",
        "coins [5,3,7,10]",
        "misere_nim [3,5]",
        "chomp",
        "token",
        "stone_game_3",
        "m_n_k",
        "centipede",
    ];
    for method in methods {
        for instance in instances {
            hold(&schema, &format!("solve {instance} --method {method}"));
            hold(&schema, &format!("explain {instance} --method {method} --run"));
            hold(&schema, &format!("survey {instance} --method {method}"));
        }
    }
    for words in [
        "solve coins [8,15,3,7] --compare greedy",
        "solve kayles(7)+nim([3,5])+2*grundy(12)",
        "explain kayles(7)+nim([3,5])",
        "explain kayles(7)+nim([3,5]) --run",
        "moves kayles(7)+nim([3,5])",
        "moves nim [10^18,5]",
        "survey kayles(7)+nim([3,5])+2*grundy(12)",
        "survey digraph_token(start=4)+*1",
        "survey digraph_tokens tokens=[4,5]",
        "survey race goal=3000",
        "survey connect_k rows=6 columns=7 k=4 --time 100ms",
        "survey connect_k rows=6 columns=7 k=4 --memory 100K",
        "survey connect_k --sample --time 1ms",
        "survey conis",
        "survey domineering 2 3 --over board --find ±1",
        "survey domineering 2 3 --over bord",
        "survey domineering 2 3 --over board --find nonsense",
        "survey domineering 5 5 --over board --time 100ms",
        "survey cutcake 4 4 --over w --over h=1..=3",
        "survey cram 2 2 --over board=empty,full",
        "survey nim [3] --sample",
        "moves coins --after left,right,left,left",
        "moves three_player_row",
        "explain connect_k rows=6 columns=7 k=4 --time 100ms",
        "solve connect_k rows=6 columns=7 k=4 --time 1ms",
        "solve connect_k rows=6 columns=7 k=4 --memory 1K",
        "solve conis",
        "solve coins coins=5",
        "solve coins --method magic",
        "sequence grundy 0..20",
        "sequence subtraction 0..50",
        "sequence chomp rows=1..4 columns=3",
        "sequence chomp rows=0..3",
        "sequence chomp rows=1..4 columns=1..4",
        "sequence chomp rows=0..3 columns=0..3",
        "sequence chomp rows=0..1 columns=0..1",
        "sequence wythoff a=0..5 b=0..5",
        "sequence m_n_k rows=1..7 columns=1..7 k=3 --time 300ms",
        "sequence octal code=0.16 n=0..200",
        "sequence octal code=0.007 n=0..10^7 --time 50ms",
        "sequence octal code=0.77 n=0..12 --misere",
        "sequence grundy",
        "sequence divisor_game 1..40 --guess",
        "sequence kayles 0..150 --guess",
        "sequence race goal=0..8 most=1..5 --guess",
        "sequence grundy 0..20 --guess",
        "test coins conis tests/files/broken.game tests/files/wrong.game",
        "query nowhere.table",
        "solve domineering rows=3 columns=3",
        "solve domineering(2,3)+*2",
        "solve tests/files/over.game n=2",
        "solve tests/files/over.game kind=3",
        "moves domineering rows=2 columns=5 --after upright(0,1),flat(0,3)",
        "moves hackenbush_strings [[1,-1],[1,-1,1],[-1,-1]]",
        "moves domineering(2,2)+2*domineering(2,3)+*2",
        "moves tests/files/over.game",
        "explain domineering(2,3)+*2 --run",
        "survey domineering rows=3 columns=3",
        "survey domineering(2,3)+*2",
        "sequence domineering rows=2 columns=1..8",
        "sequence toads_and_frogs toads=1..5 gap=2 frogs=1",
        "sequence tests/files/over.game n=0..4",
        "value tests/files/over.game(2)+1",
        "value {2|-1}+1/2",
        "value domineering(2,3)+2*{1|-1}-toads_and_frogs(2,1,2) --draw",
        "value {2|-1}||0",
        "value outcome(^)",
        "value outcome(over)",
        "value farstar(^)",
        "value stops({2|-1})",
        "value incentives({2|-1})",
        "value thermograph({2|-1/2})",
        "value over",
        "value 1+{2|",
        "value domineering(2,x)",
        "value coins",
        "value domineering(9,9) --time 100ms",
        "value domineering(9,9) --memory 1M",
    ] {
        hold(&schema, words);
    }
}

#[test]
fn files_fit_the_schema() {
    let schema = Schema::read();
    let folder = Folder::new();
    let path = |name: &str| folder.0.join(name).display().to_string();
    let table = path("coins.table");
    hold(&schema, &format!("build coins [5,3,7,10] -o {table}"));
    hold(&schema, &format!("query {table} --after left"));
    hold(&schema, &format!("verify {table}"));
    for game in ["nim", "chomp", "tic_tac_toe", "rows_and_stacks", "three_player_row", "digraph_tokens"] {
        fs::remove_file(&table).unwrap();
        hold(&schema, &format!("build {game} -o {table}"));
        hold(&schema, &format!("query {table}"));
        hold(&schema, &format!("survey --table {table}"));
        hold(&schema, &format!("export {table} --stats"));
        assert_eq!(hold(&schema, &format!("verify {table}"))["verified"], true);
        let lines = run(&format!("export {table} --jsonl -")).out;
        lines.lines().for_each(|line| schema.check("table_line", &serde_json::from_str(line).unwrap()).unwrap());
    }
    hold(&schema, &format!("verify {table} --share 0.5"));
    hold(&schema, &format!("verify {table} nim"));
    hold(&schema, &format!("build kalah -o {table}"));
    let (line, picture) = (path("line.jsonl"), path("coins.svg"));
    let solved = hold(&schema, &format!("solve coins --line {line} --svg {picture}"));
    assert_eq!(solved["line_file"]["moves"], 4);
    let graph = path("hot.svg");
    let solved = hold(&schema, &format!("solve domineering rows=2 columns=3 --thermograph {graph}"));
    assert_eq!(solved["thermograph"], graph.as_str());
    assert!(fs::read_to_string(&graph).unwrap().starts_with("<svg"));
    hold(&schema, &format!("solve coins --thermograph {graph}"));
    for game in ["coins", "tests/files/pays.game", "tests/files/circle.game"] {
        hold(&schema, &format!("solve {game} --line {line}"));
        for text in fs::read_to_string(&line).unwrap_or_default().lines() {
            schema.check("line", &serde_json::from_str(text).unwrap()).unwrap();
        }
    }
    let proof = path("some.proof");
    for game in ["coins", "tic_tac_toe", "nim", "digraph_tokens", "three_player_row", "domineering", "stones n=10^18"] {
        hold(&schema, &format!("solve {game} --proof {proof}"));
        hold(&schema, &format!("verify {proof}"));
    }
    hold(&schema, &format!("solve stones n=10^18 --proof {proof} --sample 10"));
    assert_eq!(hold(&schema, &format!("verify {proof}"))["verified"], false);
    hold(&schema, &format!("solve coins --turn second --proof {proof}"));
    assert_eq!(hold(&schema, &format!("verify {proof}"))["mover"], "second");
    hold(&schema, &format!("verify {proof} nim"));
    hold(&schema, "verify nowhere.proof");
    for text in run_with("sequence grundy 0..20 --format lines", "").out.lines() {
        schema.check("sequence_line", &serde_json::from_str(text).unwrap()).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn checks_fit_the_schema() {
    let schema = Schema::read();
    for words in [
        "check nim --random 5 --json -- cat",
        "check nim --random 5 --json --play -- cat",
        "check nim --random 5 --json -- false",
        "check hex --json --output winner -- echo first",
        "check conis --json -- cat",
        "check nim --json -- ./nowhere",
    ] {
        let ran = run(words);
        let value: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{words}: {error}: {}", ran.out));
        let definition = if value.get("error").is_some() { "failed" } else { "check" };
        schema.check(definition, &value).unwrap_or_else(|wrong| panic!("{words}: {wrong}\n{}", ran.out));
        assert!(!has_null(&value), "{words}\n{}", ran.out);
    }
}

#[test]
fn the_validator_finds_mistakes() {
    let schema = Schema::read();
    let good: Value = serde_json::from_str(r#"{"n": 5, "value": [1, 2]}"#).unwrap();
    assert_eq!(schema.check("sequence_line", &good), Ok(()));
    for bad in
        [r#"{"n": 5}"#, r#"{"n": "5", "value": 1}"#, r#"{"n": 5, "value": 1.5}"#, r#"{"n": 5, "value": 1, "m": 2}"#]
    {
        assert!(schema.check("sequence_line", &serde_json::from_str(bad).unwrap()).is_err(), "{bad}");
    }
}

#[test]
fn the_lines_of_a_batch_fit_the_schema() {
    let schema = Schema::read();
    let input =
        "{\"coins\": [5, 3]}\n{\"coins\": [5, 3], \"after\": \"left\"}\n{\"coins\": 5}\nno\n{\"turn\": \"x\"}\n";
    let ran = run_with("solve coins --batch -", input);
    let definitions = ["solve", "solve", "failed", "failed", "failed"];
    assert_eq!(ran.out.lines().count(), definitions.len());
    for (line, definition) in ran.out.lines().zip(definitions) {
        let value: Value = serde_json::from_str(line).unwrap();
        assert!(!has_null(&value), "{line}");
        if let Err(wrong) = schema.check(definition, &value) {
            panic!("{wrong}\n{line}");
        }
    }
}
