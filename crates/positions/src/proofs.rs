//! What a file declares, proved from the rules: then no position needs to be looked at.
//!
//! - A symmetry: the formulas for the image are those of the position ([`formula::symmetry`]). Hashed searches use those that are
//!   proved, and equal cells that may be swapped ([`group`]).
//! - A measure: every step lowers it ([`mod@formula::study`]).
//! - Regions: every move needs certain values on certain cells, all of them within one region and connected, and changes only
//!   these cells. Then a move of another region needs nothing that it changes, before or after.

use std::rc::Rc;

use formula::group::Group;
use formula::orbits::Orbits;
use formula::study::Study;
use formula::symmetry::search::symmetries;
use formula::symmetry::{Game, Image, keeps};
use formula::{Coded, Node};
use game::Player;
use rules::bind::{Bound, Permutation, Shape};
use rules::interpreter::Interpreter;
use shapes::local::Local;

use crate::audit::Proved;

/// What is proved of a game, as far as its rules are known. Its `local` moves are asked for only where it declares regions.
pub fn proved(bound: &Bound, study: Option<&Study>, local: impl FnOnce() -> Option<Rc<Local>>) -> Proved {
    let regions = 0..bound.program.regions.len();
    Proved {
        measure: study.is_some_and(|study| study.measure_falls),
        symmetries: study.is_some_and(|study| all_are_proved(bound, study)),
        regions: !regions.is_empty()
            && local().is_some_and(|local| regions.clone().all(|index| falls_apart(bound, &local, index))),
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

/// Games of more cells are not tried for swaps.
const MOST_CELLS: usize = 64;

/// The group of all symmetries that are proved, and what it is in words. The proofs may look at so many nodes.
pub fn group(bound: &Bound, study: &Study, coded: &Coded, most: u64) -> Option<(Group, String)> {
    if study.skew.is_some() {
        return None;
    }
    let declared: Vec<Vec<u32>> = bound.symmetries.iter().map(|each| image(bound, each)).collect();
    let mut game = Game::new(&study.formulas, most);
    let declared: Vec<Vec<u32>> = declared.into_iter().filter(|image| is_symmetry(study, &mut game, image)).collect();
    let swapped = swaps(study, &mut game);
    let group = Group::generated(&coded.numbering, &declared, &swapped)?;
    let mut sources = Vec::new();
    if !declared.is_empty() {
        sources.push(format!("{} of {} declared, proved from the rules", declared.len(), bound.symmetries.len()));
    }
    if !swapped.is_empty() {
        sources.push("equal parts, which are sorted".to_string());
    }
    let words = format!("one of up to {} symmetric positions is kept ({})", group.order(), sources.join("; "));
    Some((group, words))
}

/// One position for each orbit of dense codes, by symmetries that are found in the rules and proved, declared or not; and what they
/// are in words. The proofs may look at so many nodes. Players are exchanged only where play without end is a draw.
pub fn orbits(bound: &Bound, study: &Study, coded: &Coded, most: u64) -> Option<(Orbits, String)> {
    if study.skew.is_some() || coded.skew.is_some() {
        return None;
    }
    let formulas = &study.formulas;
    let mut game = Game::new(formulas, most);
    let derived: Vec<Node> = study.derived.iter().map(|(_, node)| *node).collect();
    let mut proves = |game: &mut Game<'_>, image: &Image| {
        let stays = |cell: usize| image.from[cell] as usize == cell && image.values[cell].is_none();
        study.derived.iter().all(|(cell, _)| stays(*cell as usize))
            && game.holds_of(image)
            && game.keeps(study.mover, &derived, &formulas.valid, image)
    };
    let mut images: Vec<Image> = Vec::new();
    let declared = bound.symmetries.iter().map(|each| Image::of_cells(image(bound, each)));
    images.extend(declared.filter(|image| proves(&mut game, image)));
    let asked = images.len();
    images.extend(symmetries(&mut game, bound.forever.is_none(), &mut proves));
    let orbits = Orbits::generated(&coded.numbering, formulas.players, &images)?;
    let mut sources = Vec::new();
    if images[asked..].iter().any(|image| !image.exchanges) {
        sources.push("cells that change places");
    } else if asked > 0 {
        sources.push("declared");
    }
    if images.iter().any(|image| image.exchanges) {
        sources.push("players who change seats");
    }
    let words = format!(
        "one of up to {} symmetric positions is kept ({}, proved from the rules)",
        orbits.order(),
        sources.join(", ")
    );
    Some((orbits, words))
}

/// The declared permutations of cells that are proved to change no rule.
pub fn permutations(bound: &Bound, study: &Study) -> Vec<Vec<u32>> {
    let declared = bound.symmetries.iter().map(|each| image(bound, each));
    let mut game = Game::new(&study.formulas, u64::MAX);
    declared.filter(|image| game.holds(image)).collect()
}

/// Whether all declared symmetries are proved from the rules.
pub fn all_are_proved(bound: &Bound, study: &Study) -> bool {
    if bound.symmetries.is_empty() || study.skew.is_some() {
        return study.skew.is_none();
    }
    let mut game = Game::new(&study.formulas, u64::MAX);
    bound.symmetries.iter().all(|each| game.holds(&image(bound, each)))
}

/// Whether a permutation of the cells changes nothing, neither the rules nor what was derived from them.
fn is_symmetry(study: &Study, game: &mut Game<'_>, image: &[u32]) -> bool {
    let formulas = &study.formulas;
    let derived = study.derived.iter().all(|(cell, _)| image[*cell as usize] == *cell);
    let nodes: Vec<Node> = study.mover.into_iter().chain(study.derived.iter().map(|(_, node)| *node)).collect();
    derived && game.holds(image) && keeps(formulas, &nodes, &formulas.valid, image)
}

/// Neighbouring cells of one domain that may be swapped, be they items of an array or variables of their own.
fn swaps(study: &Study, game: &mut Game<'_>) -> Vec<(u32, u32)> {
    let cells = study.digits();
    let mut sorted = cells.clone();
    sorted.sort_unstable();
    if sorted.len() > MOST_CELLS {
        return Vec::new();
    }
    let swap = |a: u32, b: u32| -> Vec<u32> {
        let cells = 0..study.formulas.cells.len() as u32;
        cells
            .map(|cell| {
                if cell == a {
                    b
                } else if cell == b {
                    a
                } else {
                    cell
                }
            })
            .collect()
    };
    let pairs = sorted.windows(2).map(|pair| (pair[0], pair[1]));
    pairs.filter(|(a, b)| is_symmetry(study, game, &swap(*a, *b))).collect()
}

/// A permutation of the items of a variable as one of all cells.
fn image(bound: &Bound, permutation: &Permutation) -> Vec<u32> {
    let cells: Vec<i64> = (0..bound.layout.cells() as i64).collect();
    let mut out = cells.clone();
    permutation.apply(&bound.layout, &cells, &mut out);
    out.into_iter().map(|cell| cell as u32).collect()
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
