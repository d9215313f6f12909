//! What people call the cells and the rules of a file.

use formula::order::with_names;
use game::Player;
use rules::bind::Bound;
use rules::program::Move;

/// Words of a study with the names of the rules file in them.
pub fn named(bound: &Bound, text: &str) -> String {
    let cell = |cell: u32| cell_name(bound, cell);
    with_names(text, &cell, &|rule| rule_name(bound, rule))
}

/// What people call a rule of moves: by its name, and by whose it is if another rule has that name, too.
fn rule_name(bound: &Bound, rule: usize) -> String {
    let moves = &bound.program.moves;
    let Move { name, owner, .. } = &moves[rule];
    let same: Vec<usize> = (0..moves.len()).filter(|other| moves[*other].name == *name).collect();
    let is_unique = same.iter().all(|other| *other == rule || moves[*other].owner != *owner);
    match owner {
        _ if same.len() == 1 => format!("`{name}`"),
        Some(owner) if is_unique => format!("`{name}` of the {} player", Player(*owner)),
        _ => format!("`{name}` (rule {} of that name)", same.iter().position(|other| *other == rule).unwrap_or(0) + 1),
    }
}

/// What people call a cell.
pub fn cell_name(bound: &Bound, cell: u32) -> String {
    let cell = cell as usize;
    let slot = bound.layout.variables.iter().find(|slot| (slot.offset..slot.offset + slot.cells).contains(&cell));
    match slot {
        Some(slot) if slot.dims.is_empty() => slot.name.clone(),
        Some(slot) => slot.place((cell - slot.offset) / slot.stride.max(1)),
        None => format!("cell {cell}"),
    }
}
