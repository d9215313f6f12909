//! Every message of the parser and the checker, as a person sees it.
//!
//! Each `diagnostics/NAME.game` is a rules file with a mistake, `diagnostics/NAME.txt` the report that is drawn for it.
//! `UPDATE_EXPECT=1 cargo test -p perfectplay-rules --test diagnostics` rewrites the reports; read the difference.

use std::fs;
use std::path::{Path, PathBuf};

use rules::diagnostic::Diagnostic;
use rules::span::Span;

/// Draws the report of `input` and compares it with what `expect` holds.
fn check(input: &Path, expect: &Path) -> Result<(), String> {
    let source = fs::read_to_string(input).map_err(|error| error.to_string())?;
    let name = input.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Err(diagnostics) = rules::compile(&source) else {
        return Err(format!("{name}: no mistake was found"));
    };
    sound(&name, &source, &diagnostics)?;
    let drawn = rules::report::report(&name, &source, &diagnostics, false);
    let drawn: String = drawn.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(expect, drawn).map_err(|error| error.to_string());
    }
    let known = fs::read_to_string(expect).map_err(|error| format!("{name}: no report is stored: {error}"))?;
    if known == drawn { Ok(()) } else { Err(format!("{name}: expected\n{known}\nfound\n{drawn}")) }
}

/// What holds for every list of diagnostics: in order of place, each with a title and places inside the text.
fn sound(name: &str, source: &str, diagnostics: &[Diagnostic]) -> Result<(), String> {
    let place = |d: &Diagnostic| d.label.as_ref().map(|(span, _)| span.start);
    let inside = |span: &Span| source.get(span.range()).is_some();
    if diagnostics.is_empty() || diagnostics.iter().any(|d| d.title.is_empty()) {
        return Err(format!("{name}: a mistake without a title"));
    }
    if !diagnostics.windows(2).all(|pair| place(&pair[0]) <= place(&pair[1])) {
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
