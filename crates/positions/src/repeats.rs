//! Cycles, shown: the positions that repeat and the moves between them.

use rules::bind::{Bound, Position};
use rules::diagnostic::Diagnostic;
use rules::show;

use crate::error::SolveError;
use crate::facts::Kind;
use crate::oracle::Numbered;
use rules::play::plays;

/// How many positions of a cycle are shown.
const SHOWN: usize = 12;

/// The cycle on one line: `x = 0 —right→ x = 1 —left→ x = 0`.
pub fn describe(bound: &Bound, graph: &dyn Numbered, cycle: &[u64]) -> String {
    let shown = cycle.iter().take(SHOWN + 1).map(|&id| graph.position(id as engine::graph::Id)).collect::<Vec<_>>();
    describe_positions(bound, &shown, cycle.len(), &|option, next| graph.find(option) == graph.find(next))
}

/// A cycle of `length` positions on one line; the first of them are given, and `same` says whether two are one position.
pub fn describe_positions(
    bound: &Bound,
    cycle: &[Position],
    length: usize,
    same: &dyn Fn(&Position, &Position) -> bool,
) -> String {
    let mut text = String::new();
    for (index, here) in cycle.iter().enumerate().take(SHOWN) {
        let next = &cycle[(index + 1) % cycle.len()];
        let label = plays(bound, here)
            .ok()
            .and_then(|plays| plays.into_iter().find(|play| same(&play.option(here), next)).map(|play| play.label));
        text.push_str(&show::position_text(bound, here));
        text.push_str(&format!(" —{}→ ", label.as_deref().unwrap_or("…")));
    }
    if length > SHOWN {
        text.push_str(&format!("… {} more positions … → ", length - SHOWN));
    }
    text.push_str(&cycle.first().map(|first| show::position_text(bound, first)).unwrap_or_default());
    text
}

/// The positions of a cycle on one line, without the moves.
pub fn cycle_text(bound: &Bound, positions: &[Position]) -> String {
    let shown = positions.iter().take(SHOWN).chain(positions.first());
    let texts: Vec<String> = shown.map(|position| show::position_text(bound, position)).collect();
    texts.join(" → ")
}

/// The error for a game that has no meaning if positions repeat.
pub fn refuse(bound: &Bound, kind: Kind, length: usize, shown: &str) -> SolveError {
    let title = match kind {
        Kind::Winners => "positions repeat: endless play of three or more players has no agreed solution",
        _ => "positions repeat: a game with gains must come to an end",
    };
    let help = "let every move change something that never comes back, such as a counter of the moves left";
    let diagnostic = Diagnostic::at(bound.program.name_span, title, "in this game")
        .note(format!("a cycle of {length} move{}: {shown}", if length == 1 { "" } else { "s" }))
        .help(help);
    SolveError::Fault(diagnostic.into())
}
