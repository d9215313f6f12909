//! The rules language: from the text of a rules file to a game that lists its moves.
//!
//! ```text
//! text ──syntax──▶ tree ──check──▶ program ──bind──▶ bound game ──interpreter──▶ ends, moves, gains
//! ```
//!
//! Each stage hands a plain value to the next, so each can be printed and tested by itself. Nothing here knows how a
//! game is solved.
//!
//! Read in this order:
//! - [`syntax`]: lexer, parser and tree. It always returns a tree and a list of mistakes.
//! - [`check`]: names, types and kinds of game. It makes the [`program`], which everyone after it reads.
//! - [`instance`], [`parameters`], [`mod@bind`], [`bound`]: values as people give them, and a program bound to them.
//! - [`space`], [`layout`], [`value`], [`types`]: what variables can hold, how positions are stored, values at run
//!   time.
//! - [`interpreter`]: ends, moves and gains of one position. It is the oracle for everything fast.
//! - [`stop`]: how all of this is stopped when a person, the clock or the memory says so.
//! - [`naming`], [`play`], [`named`]: names of squares, moves played out, moves found by their names.
//! - [`text`], [`show`], [`grid`]: values and moves as text, positions as text and as boards.
//! - [`judge`]: instances as other programs read them.
//! - [`sample`], [`sum_text`], [`visit`]: instances to try, sums of games as text, walks over nodes.
//! - [`diagnostic`], [`fault`], [`report`], [`suggest`], [`span`]: mistakes with a place and a hint, drawn over the
//!   source.

pub mod bind;
pub mod bound;
pub mod check;
pub mod diagnostic;
pub mod fault;
pub mod grid;
pub mod instance;
pub mod interpreter;
pub mod judge;
pub mod layout;
pub mod named;
pub mod naming;
pub mod number;
pub mod parameters;
pub mod play;
pub mod program;
pub mod report;
pub mod sample;
pub mod show;
pub mod space;
pub mod span;
pub mod stop;
pub mod suggest;
pub mod sum_text;
pub mod syntax;
pub mod text;
pub mod types;
pub mod value;
pub mod visit;

use diagnostic::Diagnostic;
use program::Program;

/// Checks a rules file; returns its program or every mistake found.
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
            // A slip of syntax may have dropped something. Mistakes that may only follow from that are left out.
            if file.is_some_and(|file| !file.complete) {
                more.retain(|diagnostic| !diagnostic.follows);
            }
            diagnostics.extend(more);
            diagnostics.sort_by_key(|d| d.label.as_ref().map(|(span, _)| span.start));
            Err(diagnostics)
        }
    }
}
