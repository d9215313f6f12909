//! Whose turn it is, if the parity of a count shows it.
//!
//! Take a game for two in which every move passes the turn and changes some count by an odd number. Then that count
//! shows whose turn it is: if the number of marks on the board is even, the first player moves. Positions then need no
//! digit for the turn. The count is found by linear algebra over the field of two elements: one unknown for each
//! feature (the parity of a cell, whether a cell has some value, a bit of a set), one equation for each step.

use crate::formulas::Formulas;
use crate::node::{Node, Op, Range};
use crate::order::effects::{Effects, Feature};
use crate::rewrite::Rewrite;

/// Domains of at most this many values are counted value by value.
const FEW_VALUES: i64 = 4;
/// How many features are used together.
const FEATURES: usize = 256;

/// Whether every action passes the turn to the other of two players.
pub(crate) fn alternates(formulas: &mut Formulas) -> bool {
    if formulas.players != 2 {
        return false;
    }
    let mover = formulas.arena.mover(2);
    let mut turns: Vec<Node> = formulas.actions.iter().map(|action| action.turn).collect();
    turns.sort_unstable();
    turns.dedup();
    (0..2).all(|player| {
        let number = formulas.arena.number(player);
        let mut rewrite = Rewrite::new(&[(mover, number)]);
        turns.iter().all(|turn| {
            let turn = rewrite.node(&mut formulas.arena, &formulas.lists, *turn);
            formulas.arena.known(turn) == Some(1 - player)
        })
    })
}

/// The mover as a formula of the cells, if a parity shows it.
pub(crate) fn mover(
    formulas: &mut Formulas,
    effects: &mut Effects,
    groups: &[Vec<u32>],
    start: &[i64],
    start_turn: u8,
) -> Option<(Node, String)> {
    if !alternates(formulas) || effects.steps.is_empty() || formulas.actions.iter().any(|each| each.split.is_some()) {
        return None;
    }
    let features = counted(formulas, effects, groups).or_else(|| solved(formulas, effects))?;
    let arena = &mut formulas.arena;
    let count: i64 = features.iter().map(|feature| feature.of(start[feature.cell() as usize]) & 1).sum();
    let mut terms: Vec<(Node, i64)> = Vec::new();
    let mut masks: Vec<(u32, i64)> = Vec::new();
    for feature in &features {
        match *feature {
            // Bits of one set are counted together.
            Feature::Bit(cell, bit) => match masks.last_mut() {
                Some((last, mask)) if *last == cell => *mask |= 1 << bit,
                _ => masks.push((cell, 1 << bit)),
            },
            Feature::Is(..) | Feature::Value(_) => {
                terms.push((feature.node(arena, effects.cells[feature.cell() as usize]), 1));
            }
        }
    }
    for (cell, mask) in masks {
        let all = arena.number(mask);
        let of = effects.cells[cell as usize];
        let inside = arena.range(of);
        let bits = if inside.low >= 0 && inside.high <= mask { of } else { arena.and(of, all) };
        terms.push((arena.popcount(bits), 1));
    }
    // Sums that wrap keep their parity.
    let sum = arena.combine(&terms, (count + i64::from(start_turn)) & 1);
    let one = arena.number(1);
    let node = arena.and(sum, one);
    let mut cells: Vec<u32> = features.iter().map(|feature| feature.cell()).collect();
    cells.dedup();
    let what = match features[0] {
        Feature::Is(_, value) => format!("how many of {} are {value}", crate::order::listed(&cells)),
        Feature::Bit(..) => format!("how many elements {} has", crate::order::listed(&cells)),
        Feature::Value(_) => format!("the sum of {}", crate::order::listed(&cells)),
    };
    Some((
        node,
        format!("every move passes the turn and changes by an odd number {what}, which so tells whose turn it is"),
    ))
}

/// How many cells of an array have some value, if every step changes that by an odd number. This is tried first, since
/// people would name this count.
fn counted(formulas: &mut Formulas, effects: &mut Effects, groups: &[Vec<u32>]) -> Option<Vec<Feature>> {
    let steps = effects.steps.len();
    for group in groups {
        let open = |cell: &&u32| formulas.cells[**cell as usize].single().is_none();
        let group: Vec<u32> = group.iter().filter(open).copied().collect();
        let Some(Range { low, high }) = group.iter().map(|cell| formulas.cells[*cell as usize]).reduce(Range::union)
        else {
            continue;
        };
        let few = high.checked_sub(low).is_some_and(|width| width < FEW_VALUES);
        let values = (low..=high).take(if few { FEW_VALUES as usize } else { 0 });
        let candidates = values.map(Some).chain([None]).map(|value| -> Vec<(Feature, i64)> {
            let feature = |cell: &u32| value.map_or(Feature::Value(*cell), |value| Feature::Is(*cell, value));
            group.iter().map(|cell| (feature(cell), 1)).collect()
        });
        for terms in candidates {
            let odd = |step: usize| {
                let change = effects.change(&mut formulas.arena, step, &terms);
                change.and_then(|(node, range)| parity(formulas, node, range)) == Some(true)
            };
            if (0..steps).all(odd) {
                return Some(terms.into_iter().map(|term| term.0).collect());
            }
        }
    }
    None
}

/// Whether a number is odd, if known.
fn parity(formulas: &Formulas, node: Node, range: Range) -> Option<bool> {
    if let Some(number) = range.single() {
        return Some(number & 1 == 1);
    }
    match formulas.arena.op(node) {
        Op::Linear(terms, constant) if terms.iter().all(|(_, factor)| factor & 1 == 0) => Some(constant & 1 == 1),
        _ => None,
    }
}

/// A set of features whose sum every step changes by an odd number, by elimination.
fn solved(formulas: &mut Formulas, effects: &mut Effects) -> Option<Vec<Feature>> {
    let mut features = features(formulas, effects);
    features.truncate(FEATURES);
    // Each row lists, as bits, the features that a step changes by an odd number; all rows must sum to 1.
    let mut rows: Vec<[u64; FEATURES / 64 + 1]> = Vec::new();
    let mut usable = vec![true; features.len()];
    for step in 0..effects.steps.len() {
        let mut row = [0u64; FEATURES / 64 + 1];
        for (number, feature) in features.iter().enumerate() {
            if !usable[number] || effects.steps[step].after(feature.cell()).is_none() {
                continue;
            }
            match change_parity(formulas, effects, step, *feature) {
                Some(true) => row[number / 64] |= 1 << (number % 64),
                Some(false) => {}
                None => usable[number] = false,
            }
        }
        rows.push(row);
    }
    for row in &mut rows {
        for (number, usable) in usable.iter().enumerate() {
            if !usable {
                row[number / 64] &= !(1 << (number % 64));
            }
        }
        row[FEATURES / 64] = 1;
    }
    rows.sort_unstable();
    rows.dedup();
    let mut pivots: Vec<(usize, [u64; FEATURES / 64 + 1])> = Vec::new();
    for mut row in rows {
        for (pivot, other) in &pivots {
            if row[pivot / 64] >> (pivot % 64) & 1 == 1 {
                row.iter_mut().zip(other).for_each(|(a, b)| *a ^= b);
            }
        }
        let Some(pivot) = (0..features.len()).find(|number| row[number / 64] >> (number % 64) & 1 == 1) else {
            if row[FEATURES / 64] == 1 {
                return None; // 0 = 1: no such count.
            }
            continue;
        };
        for (_, other) in &mut pivots {
            if other[pivot / 64] >> (pivot % 64) & 1 == 1 {
                other.iter_mut().zip(&row).for_each(|(a, b)| *a ^= b);
            }
        }
        pivots.push((pivot, row));
    }
    // Free features are left out, so each pivot is the right-hand side of its row.
    let mut chosen: Vec<usize> =
        pivots.iter().filter(|(_, row)| row[FEATURES / 64] == 1).map(|(pivot, _)| *pivot).collect();
    chosen.sort_unstable();
    (!chosen.is_empty()).then(|| chosen.into_iter().map(|number| features[number]).collect())
}

/// The features that steps change, by cell.
fn features(formulas: &Formulas, effects: &Effects) -> Vec<Feature> {
    let mut cells: Vec<u32> = effects.steps.iter().flat_map(|step| step.after.iter().map(|entry| entry.0)).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut features = Vec::new();
    for cell in cells {
        let Range { low, high } = formulas.cells[cell as usize];
        if low >= 0 && high.count_ones() == high.trailing_ones() && high.trailing_ones() >= 2 {
            features.extend((0..high.trailing_ones()).map(|bit| Feature::Bit(cell, bit)));
        }
        features.push(Feature::Value(cell));
        if high.checked_sub(low).is_some_and(|width| width > 1 && width < FEW_VALUES) {
            features.extend((low..=high).map(|value| Feature::Is(cell, value)));
        }
    }
    features
}

/// Whether a step changes a feature by an odd number, if known.
fn change_parity(formulas: &mut Formulas, effects: &mut Effects, step: usize, feature: Feature) -> Option<bool> {
    if let Feature::Bit(cell, bit) = feature {
        let (node, _) = effects.change(&mut formulas.arena, step, &[(Feature::Value(cell), 1)])?;
        let change = formulas.arena.known(node)?;
        return effects.bit_change(&mut formulas.arena, step, cell, bit, change).map(|change| change != 0);
    }
    let (node, range) = effects.change(&mut formulas.arena, step, &[(feature, 1)])?;
    parity(formulas, node, range)
}
