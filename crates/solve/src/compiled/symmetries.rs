//! Symmetries that hashed searches use: declared ones and items of an array that may be swapped, each proved.

use formula::group::Group;
use formula::study::Study;
use formula::symmetry::{holds, keeps};
use formula::{Coded, Node};
use rules::bind::{Bound, Permutation};

/// Arrays of more items are not tried for swaps.
const MOST_ITEMS: usize = 12;

/// The group of all symmetries that are proved, and what it is in words.
pub(crate) fn group(bound: &Bound, study: &Study, coded: &Coded) -> Option<(Group, String)> {
    if study.skew.is_some() {
        return None;
    }
    let proved = |permutation: &Permutation| {
        let image = image(bound, permutation);
        let fixed: Vec<Node> = study.mover.into_iter().collect();
        let derived = study.derived.iter().all(|(cell, _)| image[*cell as usize] == *cell);
        let nodes: Vec<Node> = fixed.iter().copied().chain(study.derived.iter().map(|(_, node)| *node)).collect();
        let formulas = &study.formulas;
        (derived && holds(formulas, &image) && keeps(formulas, &nodes, &formulas.valid, &image)).then_some(image)
    };
    let declared: Vec<Vec<u32>> = bound.symmetries.iter().filter_map(proved).collect();
    let swapped: Vec<Vec<u32>> = swaps(bound).iter().filter_map(proved).collect();
    let (number, items) = (declared.len(), swapped.len());
    let group = Group::generated(&coded.numbering, &[declared, swapped].concat())?;
    let mut sources = Vec::new();
    if number > 0 {
        sources.push(format!("{number} of {} declared, proved from the rules", bound.symmetries.len()));
    }
    if items > 0 {
        sources.push("items of an array that may be swapped".to_string());
    }
    let words = format!("one of up to {} symmetric positions is kept ({})", group.order(), sources.join("; "));
    Some((group, words))
}

/// Swaps of neighbours in each array.
fn swaps(bound: &Bound) -> Vec<Permutation> {
    let mut found = Vec::new();
    for (variable, slot) in bound.layout.variables.iter().enumerate() {
        let Some(&length) = slot.dims.first().filter(|length| **length <= MOST_ITEMS) else { continue };
        for first in 1..length {
            let mut order: Vec<usize> = (0..length).collect();
            order.swap(first - 1, first);
            found.push(Permutation { variable, order });
        }
    }
    found
}

/// A permutation of the items of a variable as one of all cells.
fn image(bound: &Bound, permutation: &Permutation) -> Vec<u32> {
    let cells: Vec<i64> = (0..bound.layout.cells() as i64).collect();
    let mut out = cells.clone();
    permutation.apply(&bound.layout, &cells, &mut out);
    out.into_iter().map(|cell| cell as u32).collect()
}
