//! Cycles, shown: the positions that repeat and the moves between them.

use rules::bind::{Bound, Position};
use rules::diagnostic::Diagnostic;
use rules::show;

use crate::error::SolveError;
use crate::graph::Id;
use crate::plan::{Kind, Plan};
use crate::play::plays;
use crate::positions::Numbered;

/// How many positions of a cycle are shown.
const SHOWN: usize = 12;

/// The cycle on one line: `x = 0 —right→ x = 1 —left→ x = 0`.
pub fn describe(bound: &Bound, graph: &dyn Numbered, cycle: &[Id]) -> String {
    let mut text = String::new();
    let shown = cycle.len().min(SHOWN);
    for index in 0..shown {
        let here = graph.position(cycle[index]);
        let next = cycle[(index + 1) % cycle.len()];
        let label = plays(bound, &here).ok().and_then(|plays| {
            plays.into_iter().find(|play| graph.find(&play.option(&here)) == Some(next)).map(|play| play.label)
        });
        text.push_str(&show::position_text(bound, &here));
        text.push_str(&format!(" —{}→ ", label.as_deref().unwrap_or("…")));
    }
    if cycle.len() > SHOWN {
        text.push_str(&format!("… {} more positions … → ", cycle.len() - SHOWN));
    }
    text.push_str(&cycle.first().map(|&id| show::position_text(bound, &graph.position(id))).unwrap_or_default());
    text
}

/// The positions of a cycle on one line, without the moves.
pub fn cycle_text(bound: &Bound, positions: &[Position]) -> String {
    let shown = positions.iter().take(SHOWN).chain(positions.first());
    let texts: Vec<String> = shown.map(|position| show::position_text(bound, position)).collect();
    texts.join(" → ")
}

/// The error for a game that has no meaning if positions repeat.
pub fn refuse(bound: &Bound, plan: &Plan, graph: &dyn Numbered, cycle: &[Id]) -> SolveError {
    let title = match plan.kind {
        Kind::Winners => "positions repeat: endless play of three or more players has no agreed solution",
        _ => "positions repeat: a game with gains must come to an end",
    };
    let help = "let every move change something that never comes back, such as a counter of the moves left";
    let diagnostic = Diagnostic::at(bound.program.name_span, title, "in this game")
        .note(format!("a cycle of {} move(s): {}", cycle.len(), describe(bound, graph, cycle)))
        .help(help);
    SolveError::Fault(diagnostic.into())
}
