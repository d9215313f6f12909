//! The rules language: from text to a game that can be asked for its moves.
//!
//! ```text
//! text ──syntax──▶ tree ──check──▶ program ──bind──▶ bound game ──interpreter──▶ ends, moves, gains
//! ```
//!
//! Each stage is a plain value handed to the next. Mistakes are [`diagnostic::Diagnostic`]s with a place and a hint;
//! [`report`] draws them over the source. Nothing here knows how a game is solved.

pub mod bind;
pub mod check;
pub mod diagnostic;
pub mod fault;
pub mod instance;
pub mod interpreter;
pub mod layout;
pub mod named;
pub mod parameters;
pub mod play;
pub mod program;
pub mod report;
pub mod sample;
pub mod show;
pub mod space;
pub mod span;
pub mod suggest;
pub mod sum_text;
pub mod syntax;
pub mod types;
pub mod value;
pub mod visit;

use diagnostic::Diagnostic;
use program::Program;

/// The checked program of a rules file; on any mistake, all that were found.
pub fn compile(source: &str) -> Result<Program, Vec<Diagnostic>> {
    let (file, mut diagnostics) = syntax::parser::parse(source);
    let checked = match &file {
        Some(file) => check::check(file),
        None => Err(Vec::new()),
    };
    match checked {
        Ok(program) if diagnostics.is_empty() => Ok(program),
        Ok(_) => Err(diagnostics),
        Err(mut more) => {
            // After a slip of syntax, something may be missing: what may only follow from that is left out.
            if file.is_some_and(|file| !file.complete) {
                more.retain(|diagnostic| !diagnostic.follows);
            }
            diagnostics.extend(more);
            diagnostics.sort_by_key(|d| d.label.as_ref().map(|(span, _)| span.start));
            Err(diagnostics)
        }
    }
}
