//! What a file declares, proved from the rules: then no position needs to be looked at.
//!
//! - A symmetry: the formulas for the image are those of the position ([`formula::symmetry`]).
//! - A measure: every step lowers it ([`formula::study`]).
//! - Regions: every move needs certain values on certain cells, all of them within one region and connected, and changes only
//!   these cells. Then a move of another region needs nothing that it changes, before or after.

use formula::study::Study;
use game::Player;
use rules::bind::{Bound, Shape};
use rules::interpreter::Interpreter;
use shapes::local::Local;

use super::symmetries;
use crate::audit::Proved;
use crate::case::Case;

/// What is proved of a case, as far as its rules are known.
pub(super) fn proved(case: &Case<'_>, study: Option<&Study>) -> Proved {
    match study {
        Some(_) => *case.proved_once.proved.get_or_init(|| prove(case, study)),
        None => prove(case, None),
    }
}

fn prove(case: &Case<'_>, study: Option<&Study>) -> Proved {
    let program = &case.bound.program;
    let regions = !program.regions.is_empty()
        && case
            .local()
            .is_ok_and(|local| (0..program.regions.len()).all(|index| falls_apart(case.bound, &local, index)));
    Proved {
        measure: study.is_some_and(|study| study.measure_falls),
        symmetries: study.is_some_and(|study| symmetries::all_are_proved(case.bound, study)),
        regions,
    }
}

/// Whether the local moves of a game show that regions number `index` are independent.
fn falls_apart(bound: &Bound, local: &Local, index: usize) -> bool {
    let Shape { rows, columns, variable } = bound.regions[index];
    let slot = &bound.layout.variables[variable];
    let array = slot.offset..slot.offset + slot.cells;
    if rows * columns != slot.cells {
        return false;
    }
    let mut interpreter = Interpreter::new(bound);
    let mut inside = |cell: u32, value: u8| {
        let value = local.low[cell as usize] + i64::from(value);
        let start = &bound.start;
        let Some(cells) = start.parts.first() else { return false };
        let mut holds = |player: Player| interpreter.in_region(index, value, cells, player).unwrap_or(false);
        holds(Player::FIRST) && holds(Player::SECOND)
    };
    local.game.moves.iter().all(|mv| {
        let within = mv.needs.iter().all(|&(cell, value)| array.contains(&(cell as usize)) && inside(cell, value));
        within && !mv.writes.is_empty() && {
            let cells: Vec<usize> = mv.needs.iter().map(|need| need.0 as usize - array.start).collect();
            is_connected(&cells, columns)
        }
    })
}

/// Whether cells of a grid are connected, above, below, left and right.
fn is_connected(cells: &[usize], columns: usize) -> bool {
    let mut reached = vec![false; cells.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut reached[at], true) {
            continue;
        }
        let (row, column) = (cells[at] / columns, cells[at] % columns);
        let beside = |other: usize| {
            let (there, across) = (cells[other] / columns, cells[other] % columns);
            row.abs_diff(there) + column.abs_diff(across) == 1
        };
        open.extend((0..cells.len()).filter(|&other| !reached[other] && beside(other)));
    }
    reached.iter().all(|reached| *reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_connected_within_rows_and_columns() {
        assert!(is_connected(&[3], 4) && is_connected(&[0, 1, 5], 4));
        assert!(!is_connected(&[3, 4], 4), "the end of a row and the beginning of the next");
        assert!(!is_connected(&[0, 5], 4) && !is_connected(&[0, 2], 4));
    }
}
