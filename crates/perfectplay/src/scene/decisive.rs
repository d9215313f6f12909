//! What decided a game on a board: squares that are enough for its end.
//!
//! Pieces are taken off one by one as long as the game is over without them. What is left is a line of marks, a path from edge to edge,
//! or whatever else the rules look for. Where a single piece or none is left, nothing is to be pointed at.

use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;
use rules::layout::Leaf;
use rules::program::{ExprKind, Show};
use rules::show;

use super::pieces::is_blank;

/// A board with more squares than this is not looked at.
const MOST_SQUARES: usize = 400;

/// The squares that decided a game which is over; none where it is not, or where no piece more than another decided it.
pub(crate) fn squares(bound: &Bound, position: &Position) -> Vec<usize> {
    found(bound, position).unwrap_or_default()
}

fn found(bound: &Bound, position: &Position) -> Option<Vec<usize>> {
    let Some(Show::Grid { cells, .. }) = &bound.program.show else { return None };
    let ExprKind::Variable { variable, indices } = &cells.kind else { return None };
    let slot = &bound.layout.variables[*variable];
    if bound.program.sum.is_some() || !indices.is_empty() || slot.cells > MOST_SQUARES || slot.stride != 1 {
        return None;
    }
    if matches!(slot.leaf, Leaf::Set { .. }) {
        return None;
    }
    let (part, turn) = (position.parts.first()?, position.turn);
    let mut interpreter = Interpreter::new(bound);
    let end = interpreter.end(part, turn).ok()??;
    let legend = show::legend(bound, part, turn).ok()?;
    let (blank, _) = legend.into_iter().find(|(_, text)| is_blank(text))?;
    let mut left = part.clone();
    let squares = slot.offset..slot.offset + slot.cells;
    let pieces: Vec<usize> = squares.clone().filter(|at| part[*at] != blank).collect();
    for at in &pieces {
        let piece = std::mem::replace(&mut left[*at], blank);
        let still = interpreter.end(&left, turn).ok()?;
        if still.as_ref() != Some(&end) {
            left[*at] = piece;
        }
    }
    let decisive: Vec<usize> = pieces.iter().filter(|at| left[**at] != blank).map(|at| at - slot.offset).collect();
    (decisive.len() > 1 && decisive.len() < pieces.len()).then_some(decisive)
}
