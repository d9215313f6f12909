//! Symmetries that hashed searches use: declared ones, and equal cells that may be swapped, each proved.

use formula::group::Group;
use formula::study::Study;
use formula::symmetry::{Game, keeps};
use formula::{Coded, Node};
use rules::bind::{Bound, Permutation};

/// Games of more cells are not tried for swaps.
const MOST_CELLS: usize = 64;

/// The group of all symmetries that are proved, and what it is in words. The proofs may look at so many nodes.
pub fn group(bound: &Bound, study: &Study, coded: &Coded, most: u64) -> Option<(Group, String)> {
    if study.skew.is_some() {
        return None;
    }
    let declared: Vec<Vec<u32>> = bound.symmetries.iter().map(|each| image(bound, each)).collect();
    let mut game = Game::new(&study.formulas, most);
    let declared: Vec<Vec<u32>> = declared.into_iter().filter(|image| proved(study, &mut game, image)).collect();
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
fn proved(study: &Study, game: &mut Game<'_>, image: &[u32]) -> bool {
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
    pairs.filter(|(a, b)| proved(study, game, &swap(*a, *b))).collect()
}

/// A permutation of the items of a variable as one of all cells.
fn image(bound: &Bound, permutation: &Permutation) -> Vec<u32> {
    let cells: Vec<i64> = (0..bound.layout.cells() as i64).collect();
    let mut out = cells.clone();
    permutation.apply(&bound.layout, &cells, &mut out);
    out.into_iter().map(|cell| cell as u32).collect()
}
