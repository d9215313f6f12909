//! What the fuzz targets do with a text, as plain functions.

pub mod certificates;
pub mod formulas;
pub mod machine_code;
pub mod mutate;
pub mod play;
pub mod source;

use rules::diagnostic::Diagnostic;
use rules::program::Program;

/// Compiles, draws what is wrong, and asserts what must hold for every text.
pub fn compile(source: &str) -> Option<Program> {
    match rules::compile(source) {
        Ok(program) => Some(program),
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "refused without a word");
            told(source, &diagnostics);
            None
        }
    }
}

/// Every diagnostic has a title and places inside the text, and can be drawn.
pub fn told(source: &str, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        assert!(!diagnostic.title.trim().is_empty(), "a mistake without a title");
        for (span, _) in diagnostic.label.iter().chain(&diagnostic.related) {
            assert!(source.get(span.range()).is_some(), "{:?} at {span:?}", diagnostic.title);
        }
    }
    let drawn = rules::report::report("fuzz.game", source, diagnostics, false);
    assert!(diagnostics.is_empty() || drawn.contains("Error"), "nothing is drawn");
}
