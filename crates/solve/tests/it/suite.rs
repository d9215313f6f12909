//! The suite as data: rules files with instances and results that were worked out independently of the rules language.
//!
//! One list for every method and engine: what solves games in a new way must pass it unchanged. See `suite/README.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::common::prelude::*;
use crate::common::{answer_with, bound, program, with_room};

/// The fields of an answer that are compared, by name. What is absent is left out.
fn fields(solution: &Solution) -> Map<String, Value> {
    let labels = |moves: &Option<Vec<Play>>| moves.as_deref().map(|moves| json!(labels(moves)));
    let shown = |text: Option<String>| text.map(Value::from);
    let all = [
        ("kind", shown(Some(solution.kind.to_string()))),
        ("winner", shown(solution.winner.map(|winner| winner.to_string()))),
        ("outcome", shown(solution.outcome.map(|outcome| outcome.to_string()))),
        ("outcome_class", shown(solution.outcome_class.map(|class| class.to_string()))),
        ("value", solution.value.map(Value::from)),
        ("scores", solution.scores.clone().map(Value::from)),
        ("payoffs", solution.payoffs.clone().map(Value::from)),
        ("unique", solution.unique.map(Value::from)),
        ("nimber", solution.nimber.map(Value::from)),
        ("remoteness", solution.remoteness.map(Value::from)),
        ("best_moves", labels(&solution.best_moves)),
        ("best_moves_cut", solution.best_moves_cut.then_some(Value::Bool(true))),
        ("fast_moves", labels(&solution.fast_moves)),
        ("line_cut", solution.line_cut.then_some(Value::Bool(true))),
        ("proof", shown(Some(solution.proof.to_string()))),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))).collect()
}

/// One instance of the suite.
struct Case {
    /// The file and the instance, for people.
    name: String,
    bound: Bound,
    gives: Map<String, Value>,
}

/// All instances of the suite, file by file.
fn files() -> Vec<Vec<Case>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let entries = fs::read_dir(&folder).expect("the suite is part of the repository");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    paths.sort();
    assert!(paths.len() >= 100, "only {} files", paths.len());
    let files: Vec<Vec<Case>> = paths.iter().map(|path| cases(path)).collect();
    let instances: usize = files.iter().map(Vec::len).sum();
    assert!(instances >= 1000, "only {instances} instances");
    files
}

fn cases(path: &Path) -> Vec<Case> {
    let file = path.file_stem().unwrap_or_default().to_string_lossy();
    let program = program(&fs::read_to_string(path.with_extension("game")).expect("each list has its rules file"));
    let lines = fs::read_to_string(path).expect("it was just listed");
    let case = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}"));
        let instance = line["instance"].to_string();
        let gives = line["gives"].as_object().expect("the results are an object").clone();
        Case { bound: bound(&program, &instance), name: format!("{file} {instance}"), gives }
    };
    lines.lines().map(case).collect()
}

/// The method that is chosen gives every field, and no other.
#[test]
fn every_instance_of_the_suite_gives_its_result() {
    let mut wrong = Vec::new();
    for case in files().into_iter().flatten() {
        let solution = answer_with(&case.bound, &Options::default());
        let found = fields(&solution.unwrap_or_else(|error| panic!("{}: {error}", case.name)));
        for field in case.gives.keys().chain(found.keys()) {
            let (wanted, got) = (case.gives.get(field), found.get(field));
            // What a table proves, a theorem may prove too.
            let theorem = field == "proof"
                && wanted == Some(&json!("table"))
                && got.and_then(Value::as_str).is_some_and(|proof| proof.starts_with("theorem: "));
            if wanted != got && !theorem {
                wrong.push(format!("{}: {field} is {got:?}, not {wanted:?}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// All fields that the ways to solve one instance have told so far. A way may leave a field out that needs more than it
/// knows (a nimber, a length); what it tells must be what the others tell.
struct Told<'c> {
    case: &'c Case,
    fields: Map<String, Value>,
}

impl Told<'_> {
    /// Solves in one way; `None` if that does not apply.
    fn agrees(&mut self, options: &Options) -> Option<Vec<String>> {
        let solution = match answer_with(&self.case.bound, options) {
            Ok(solution) => solution,
            Err(SolveError::NotApplicable(_)) if options.method.is_some() => return None,
            Err(error) => return Some(vec![format!("{}: {error}, with {options:?}", self.case.name)]),
        };
        let found = fields(&solution);
        let mut wrong = Vec::new();
        for field in ["winner", "outcome", "value", "payoffs", "best_moves", "best_moves_cut"] {
            if self.case.gives.get(field) != found.get(field) {
                let (got, wanted) = (found.get(field), self.case.gives.get(field));
                wrong.push(format!("{}: {field} is {got:?}, not {wanted:?}, with {options:?}", self.case.name));
            }
        }
        for field in ["unique", "nimber", "remoteness", "fast_moves", "outcome_class"] {
            let Some(got) = found.get(field) else { continue };
            let wanted = self.fields.entry(field).or_insert_with(|| got.clone());
            if wanted != got {
                wrong.push(format!("{}: {field} is {got}, not {wanted}, with {options:?}", self.case.name));
            }
        }
        // Where the total depends on the play, so do the scores of a line; their difference does not.
        if let (Some([first, second]), Some(value)) = (solution.scores.as_deref(), solution.value) {
            let ahead = if solution.starter == Player::FIRST { first - second } else { second - first };
            if ahead != value {
                wrong.push(format!("{}: scores {:?}, with {options:?}", self.case.name, solution.scores));
            }
        }
        Some(wrong)
    }
}

/// Every instance is solved by every method on every engine that applies, with one thread. How many threads there are changes the
/// order of the work and nothing else: where code is compiled, which takes longer than to solve an instance, so many instances of a
/// file are solved with two threads as well, and one in so many of the others.
const TWO_THREADS: usize = 5;
const TURNS: usize = 4;

/// Every method that applies, on every engine, agrees.
#[test]
fn every_method_and_engine_agrees() {
    with_room(|| {
        let mut runs: BTreeMap<String, usize> = BTreeMap::new();
        let (mut skips, mut uncompiled) = (0, 0);
        let mut wrong = Vec::new();
        let (compiled, others): (Vec<Options>, Vec<Options>) = ways().partition(compiles);
        for file in files() {
            for (number, case) in file.iter().enumerate() {
                let mut told = Told { case, fields: case.gives.clone() };
                let is_next = |way: usize| number < TWO_THREADS || (way + number).is_multiple_of(TURNS);
                let next = compiled.iter().enumerate();
                let next =
                    next.filter(|(way, options)| options.threads == 1 || is_next(*way)).map(|(_, options)| options);
                let mut has_compiled = false;
                for options in others.iter().chain(next) {
                    match told.agrees(options) {
                        Some(differences) => {
                            wrong.extend(differences);
                            *runs.entry(way(options)).or_default() += 1;
                            has_compiled |= compiles(options);
                        }
                        None => skips += 1,
                    }
                }
                uncompiled += usize::from(!has_compiled);
            }
        }
        println!("{runs:?}, {skips} not applicable");
        assert_eq!(uncompiled, 0, "instances that no way with compiled code has solved");
        assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
        for method in solve::methods::names() {
            let count: usize =
                runs.iter().filter(|(way, _)| way.starts_with(method.name())).map(|(_, count)| count).sum();
            assert!(count >= 10, "{method} ran {count} times");
        }
        for engine in [Engine::Auto, Engine::Interpreted, Engine::Compiled] {
            let count: usize =
                runs.iter().filter(|(way, _)| way.contains(&format!("{engine:?}"))).map(|(_, n)| n).sum();
            assert!(count >= 1000, "{engine:?} ran {count} times");
        }
    });
}

/// All the ways to solve: the chooser's and every method, by every engine that has it, with one thread and two.
fn ways() -> impl Iterator<Item = Options> {
    let methods = [None].into_iter().chain(solve::methods::names().map(Some));
    let engines = [Engine::Auto, Engine::Interpreted, Engine::Compiled];
    methods
        .flat_map(move |method| {
            engines
                .into_iter()
                .flat_map(move |engine| [1, 2].map(|threads| Options { method, engine, threads, ..Options::default() }))
        })
        .filter(|options| match (options.method, options.engine) {
            // Only compiled code has more than one thread to give.
            (_, Engine::Interpreted) if options.threads > 1 => false,
            (Some(method), Engine::Interpreted) => !method.compiles(),
            (Some(method), Engine::Auto) if options.threads > 1 => method.compiles(),
            (Some(method), Engine::Compiled) => !method.compiles() && options.threads == 1,
            _ => true,
        })
}

/// Whether code is made for the instance, which takes longer than to solve it.
fn compiles(options: &Options) -> bool {
    options.engine == Engine::Compiled || options.method.is_some_and(MethodName::compiles)
}

/// A way in words.
fn way(options: &Options) -> String {
    let method = options.method.map_or("the chooser", MethodName::name);
    format!("{method}, {:?}, {} threads", options.engine, options.threads)
}
