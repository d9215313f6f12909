//! Every message of the parser and the checker, as a person sees it.
//!
//! Each `diagnostics/NAME.game` is a rules file with a mistake, `diagnostics/NAME.txt` the report that is drawn for it.
//! A mistake that shows only with an instance, or only in play, has it in its first line: `// instance: n=3 list=[1,2]`.
//! `UPDATE_EXPECT=1 cargo test -p perfectplay-rules diagnostics` rewrites the reports; read the difference.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rules::bind::{Bound, bind};
use rules::diagnostic::Diagnostic;
use rules::fault::Fault;
use rules::instance::{Instance, parse_given};
use rules::interpreter::Interpreter;
use rules::span::Span;

/// Draws the report of `input` and compares it with what `expect` holds.
fn check(input: &Path, expect: &Path) -> Result<(), String> {
    let source = fs::read_to_string(input).map_err(|error| error.to_string())?;
    let name = input.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let diagnostics = mistakes(&source);
    if diagnostics.is_empty() {
        return Err(format!("{name}: no mistake was found"));
    }
    sound(&name, &source, &diagnostics)?;
    let drawn = rules::report::report(&name, &source, &diagnostics, false);
    let drawn: String = drawn.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(expect, drawn).map_err(|error| error.to_string());
    }
    let known = fs::read_to_string(expect).map_err(|error| format!("{name}: no report is stored: {error}"))?;
    if known == drawn { Ok(()) } else { Err(format!("{name}: expected\n{known}\nfound\n{drawn}")) }
}

/// What is wrong with a file, with the instance in its first line, or with the first position where a rule trips.
fn mistakes(source: &str) -> Vec<Diagnostic> {
    let program = match rules::compile(source) {
        Ok(program) => Arc::new(program),
        Err(diagnostics) => return diagnostics,
    };
    let Some(words) = source.lines().next().and_then(|line| line.strip_prefix("// instance:")) else {
        return Vec::new();
    };
    let value = |text: &str| parse_given(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let pairs = words.split_whitespace().filter_map(|word| word.split_once('='));
    let instance = Instance(pairs.map(|(name, text)| (name.to_string(), value(text))).collect());
    match bind(&program, &instance) {
        Ok(bound) => first_fault(&bound).into_iter().map(|fault| *fault.diagnostic).collect(),
        Err(diagnostics) => diagnostics,
    }
}

/// The first mistake that shows in play, breadth first.
fn first_fault(bound: &Bound) -> Option<Fault> {
    let mut queue = VecDeque::from([bound.start.clone()]);
    let mut interpreter = Interpreter::new(bound);
    for _ in 0..1000 {
        let position = queue.pop_front()?;
        let (part, mover) = (&position.parts[0], position.turn);
        let mut found = Vec::new();
        let mut look = || {
            rules::show::draw(bound, &position)?;
            if bound.program.sum.is_some() || interpreter.end(part, mover)?.is_none() {
                interpreter.moves(part, mover, &mut |effect| {
                    found.push(effect.option(&position, 0));
                    Ok(())
                })?;
            }
            if found.is_empty() { interpreter.stuck(part, mover).map(drop) } else { Ok(()) }
        };
        if let Err(fault) = look() {
            return Some(fault);
        }
        queue.extend(found);
    }
    None
}

/// What holds for every list of diagnostics: in order of place, each with a title and places inside the text.
fn sound(name: &str, source: &str, diagnostics: &[Diagnostic]) -> Result<(), String> {
    let place = |d: &Diagnostic| d.label.as_ref().map(|(span, _)| span.start);
    let inside = |span: &Span| source.get(span.range()).is_some();
    if diagnostics.is_empty() || diagnostics.iter().any(|d| d.title.is_empty()) {
        return Err(format!("{name}: a mistake without a title"));
    }
    let in_order = diagnostics.windows(2).all(|pair| place(&pair[0]) <= place(&pair[1]));
    if !in_order && !source.starts_with("// instance:") {
        return Err(format!("{name}: not in order of place"));
    }
    if !diagnostics.iter().all(|d| d.label.iter().chain(&d.related).all(|(span, _)| inside(span))) {
        return Err(format!("{name}: a place outside the text"));
    }
    Ok(())
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let entries = fs::read_dir(folder).expect("the folder of cases exists");
    let mut cases: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    cases.retain(|path| path.extension().is_some_and(|extension| extension == "game"));
    cases.sort();
    cases
}

#[test]
fn every_mistake_is_told_as_stored() {
    let cases = cases();
    assert!(cases.len() >= 80, "only {} cases", cases.len());
    let failures: Vec<String> =
        cases.iter().filter_map(|input| check(input, &input.with_extension("txt")).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A file in `diagnostics/` that holds several mistakes tells all of them, and nothing else.
#[test]
fn several_mistakes_are_told_together() {
    let count = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics").join(name);
        let source = fs::read_to_string(path).expect("the case exists");
        rules::compile(&source).map_or_else(|diagnostics| diagnostics.len(), |_| 0)
    };
    assert_eq!(count("several_mistakes.game"), 5);
    assert_eq!(count("several_slips_of_syntax.game"), 5);
}
