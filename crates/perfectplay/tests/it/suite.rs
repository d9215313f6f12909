//! The suite as data: rules files with instances and results that were worked out independently of the rules language.
//!
//! One list for every engine: what solves games in a new way must pass it unchanged. See `suite/README.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use perfectplay::{Limits, Monitor, Options, answer, bind, compile, parse_instance};
use serde_json::Value;

/// The fields that are compared, present or absent.
const FIELDS: [&str; 15] = [
    "kind",
    "winner",
    "outcome",
    "outcome_class",
    "value",
    "scores",
    "payoffs",
    "unique",
    "nimber",
    "remoteness",
    "best_moves",
    "best_moves_cut",
    "fast_moves",
    "line_cut",
    "proof",
];

#[test]
fn every_instance_of_the_suite_gives_its_result() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let entries = fs::read_dir(&folder).expect("the suite is part of the repository");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    paths.sort();
    assert!(paths.len() >= 100, "only {} files", paths.len());
    let mut instances = 0;
    let mut wrong = Vec::new();
    for path in paths {
        instances += check(&path, &mut wrong);
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    assert!(instances >= 1000, "only {instances} instances");
}

/// Runs the instances of one rules file and notes what differs; how many there were.
fn check(path: &Path, wrong: &mut Vec<String>) -> usize {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let source = fs::read_to_string(path.with_extension("game")).expect("each list has its rules file");
    let program = Arc::new(compile(&source).unwrap_or_else(|mistakes| panic!("{name}: {mistakes:?}")));
    let lines = fs::read_to_string(path).expect("it was just listed");
    for line in lines.lines() {
        let expected: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = expected["instance"].to_string();
        let instance = parse_instance(&text).unwrap_or_else(|error| panic!("{name} {text}: {}", error.message));
        let bound = bind(&program, &instance).unwrap_or_else(|mistakes| panic!("{name} {text}: {mistakes:?}"));
        let solution = answer(&bound, &Options::default(), &mut Monitor::new(&Limits::default()));
        let solution = solution.unwrap_or_else(|error| panic!("{name} {text}: {error}"));
        let found = serde_json::to_value(&solution).expect("a solution is JSON");
        for field in FIELDS {
            let (wanted, got) = (expected["gives"].get(field), found.get(field));
            // What a table proves, a theorem may prove too.
            let theorem =
                field == "proof" && wanted == Some(&Value::from("table")) && solution.proof.starts_with("theorem: ");
            if wanted != got && !theorem {
                wrong.push(format!("{name} {text}: {field} is {got:?}, not {wanted:?}"));
            }
        }
    }
    lines.lines().count()
}
