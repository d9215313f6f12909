//! Cells that others determine: linear equations that every step preserves.
//!
//! `taken + left` is constant if every move adds to one what it takes from the other. The running total of Can I Win is
//! the start's minus the numbers that have left the set. Each feature of a cell (its value, whether it has some value,
//! a bit of a set) gets an unknown factor, and each step gives equations: its changes must sum to 0. They are solved
//! modulo a prime, where numbers stay small, and the solution is then proved with whole numbers.

use crate::formulas::Formulas;
use crate::node::{Node, Op, Range};
use crate::order::effects::{Effects, Feature};
use crate::order::width;

/// Domains of at most this many values are counted value by value.
const FEW_VALUES: u128 = 4;
/// How many features are used together.
const FEATURES: usize = 160;
/// How many steps are used.
const STEPS: usize = 4096;
/// Equations are solved modulo this prime.
const PRIME: i64 = 2_147_483_647;
/// Larger factors are taken for an accident of the prime.
const LARGE: i64 = 1 << 28;

/// How steps change the features: one sparse row of factors for each node in the changes, and one for 1.
type Rows = Vec<Row>;
type Row = Vec<(usize, i64)>;

/// Cells that others determine, with their formulas.
pub(crate) fn determined(formulas: &mut Formulas, effects: &mut Effects, start: &[i64]) -> Vec<(u32, Node, String)> {
    if formulas.actions.iter().any(|action| action.split.is_some()) || effects.steps.len() > STEPS {
        return Vec::new();
    }
    let features = features(formulas, effects);
    if features.is_empty() {
        return Vec::new();
    }
    let Some(rows) = rows(formulas, effects, &features) else { return Vec::new() };
    let mut found = Vec::new();
    for (column, factors) in solutions(features.len(), &rows) {
        let Feature::Value(cell) = features[column] else { continue };
        let own = |(other, _): &(usize, i64)| features[*other].cell() == cell;
        if width(formulas.cells[cell as usize]) <= FEW_VALUES
            || factors.iter().any(own)
            || !proved(&rows, column, &factors)
        {
            continue;
        }
        // value + Σ factor · feature keeps its value at the start.
        let mut constant = start[cell as usize];
        let mut terms = Vec::new();
        let named = factors.iter().map(|(other, factor)| (features[*other], *factor)).collect();
        for (feature, factor) in shortened(formulas, named) {
            let node = feature.node(&mut formulas.arena, effects.cells[feature.cell() as usize]);
            constant = constant.wrapping_add(feature.of(start[feature.cell() as usize]).wrapping_mul(factor));
            terms.push((node, factor.wrapping_neg()));
        }
        let node = formulas.arena.combine(&terms, constant);
        let mut cells: Vec<u32> = factors.iter().map(|(other, _)| features[*other].cell()).collect();
        cells.sort_unstable();
        cells.dedup();
        found.push((cell, node, format!("{{{cell}}} follows from {}", crate::order::listed(&cells))));
    }
    found
}

/// An equal sum, except for a constant, with fewer terms. If all values of a cell but one have the same factor, a term
/// for that one value is enough: `[x is 1] + [x is 2]` becomes `-[x is 0]`.
fn shortened(formulas: &Formulas, terms: Vec<(Feature, i64)>) -> Vec<(Feature, i64)> {
    let mut short = Vec::with_capacity(terms.len());
    let mut rest = &terms[..];
    while let Some(&(feature, factor)) = rest.first() {
        let Feature::Is(cell, _) = feature else {
            short.push((feature, factor));
            rest = &rest[1..];
            continue;
        };
        let own = rest.iter().take_while(|(other, _)| other.cell() == cell).count();
        let (these, others) = rest.split_at(own);
        rest = others;
        let Range { low, high } = formulas.cells[cell as usize];
        let of =
            |value: i64| these.iter().find(|(other, _)| *other == Feature::Is(cell, value)).map_or(0, |term| term.1);
        let common = |value: &i64| (low..=high).filter(|other| of(*other) == of(*value)).count();
        let base = (low..=high).max_by_key(common).map_or(0, of);
        let values = (low..=high).map(|value| (Feature::Is(cell, value), of(value).wrapping_sub(base)));
        short.extend(values.filter(|(_, factor)| *factor != 0));
    }
    short
}

/// The features that steps change: first those of single values, then whole cells from small domains to large. Features
/// that come later are determined by earlier ones.
fn features(formulas: &Formulas, effects: &Effects) -> Vec<Feature> {
    let mut cells: Vec<u32> = effects.steps.iter().flat_map(|step| step.after.iter().map(|entry| entry.0)).collect();
    cells.sort_unstable();
    cells.dedup();
    // Without a cell that could be saved, there is nothing to find.
    let size = |cell: u32| width(formulas.cells[cell as usize]);
    if cells.len() < 2 || cells.iter().all(|cell| size(*cell) <= FEW_VALUES) {
        return Vec::new();
    }
    let mut features = Vec::new();
    for &cell in &cells {
        let Range { low, high } = formulas.cells[cell as usize];
        if size(cell) <= FEW_VALUES {
            features.extend((low + 1..=high).map(|value| Feature::Is(cell, value)));
        } else if low >= 0 && high.count_ones() == high.trailing_ones() {
            features.extend((0..high.trailing_ones()).map(|bit| Feature::Bit(cell, bit)));
        }
    }
    cells.retain(|cell| size(*cell) > FEW_VALUES);
    cells.sort_by_key(|cell| (size(*cell), *cell));
    if features.len() + cells.len() > FEATURES {
        features.clear();
    }
    features.extend(cells.into_iter().map(Feature::Value));
    features.truncate(FEATURES);
    features
}

/// What the steps do to the features. `None` if no feature can be followed through some step.
fn rows(formulas: &mut Formulas, effects: &mut Effects, features: &[Feature]) -> Option<Rows> {
    let mut usable = vec![true; features.len()];
    let mut all: Rows = Vec::new();
    for step in 0..effects.steps.len() {
        // The row of 1 has no node.
        let mut rows: Vec<(Option<Node>, Row)> = Vec::new();
        for (column, &feature) in features.iter().enumerate() {
            if !usable[column] || effects.steps[step].after(feature.cell()).is_none() {
                continue;
            }
            let Some((terms, constant)) = change(formulas, effects, step, feature) else {
                usable[column] = false;
                continue;
            };
            let terms = terms.into_iter().map(|(node, factor)| (Some(node), factor));
            for (node, factor) in terms.chain([(None, constant)]).filter(|(_, factor)| *factor != 0) {
                match rows.iter_mut().find(|(other, _)| *other == node) {
                    Some((_, row)) => row.push((column, factor)),
                    None => rows.push((node, vec![(column, factor)])),
                }
            }
        }
        all.extend(rows.into_iter().map(|(_, row)| row));
    }
    // A feature that cannot be followed must have the factor 0.
    all.extend((0..features.len()).filter(|column| !usable[*column]).map(|column| vec![(column, 1)]));
    all.sort_unstable();
    all.dedup();
    usable.contains(&true).then_some(all)
}

/// How a step changes a feature, as a linear combination.
fn change(
    formulas: &mut Formulas,
    effects: &mut Effects,
    step: usize,
    feature: Feature,
) -> Option<(Vec<(Node, i64)>, i64)> {
    if let Feature::Bit(cell, bit) = feature {
        let (node, _) = effects.change(&mut formulas.arena, step, &[(Feature::Value(cell), 1)])?;
        let by = formulas.arena.known(node)?;
        return Some((Vec::new(), effects.bit_change(&mut formulas.arena, step, cell, bit, by)?));
    }
    let (node, range) = effects.change(&mut formulas.arena, step, &[(feature, 1)])?;
    if let Some(number) = range.single() {
        return Some((Vec::new(), number));
    }
    // Nodes that the facts fix become numbers, and `not x` becomes `1 - x`, so that equal changes look equal.
    let arena = &mut formulas.arena;
    let (terms, mut constant) = arena.linear(node);
    let mut plain = Vec::with_capacity(terms.len());
    for (term, factor) in terms {
        match (effects.steps[step].facts.range(arena, term).single(), arena.op(term)) {
            (Some(number), _) => constant = constant.wrapping_add(number.wrapping_mul(factor)),
            (None, Op::Not(inner)) if arena.range(*inner).is_truth() => {
                constant = constant.wrapping_add(factor);
                plain.push((*inner, factor.wrapping_neg()));
            }
            _ => plain.push((term, factor)),
        }
    }
    let node = arena.combine(&plain, constant);
    Some(arena.linear(node))
}

/// For each feature that earlier ones determine: its column, and factors such that it plus the factors times the
/// earlier ones never changes. Gauss–Jordan elimination modulo a prime.
fn solutions(columns: usize, rows: &Rows) -> Vec<(usize, Row)> {
    let mut pivots: Vec<Option<Vec<i64>>> = vec![None; columns];
    let less = |row: &mut [i64], other: &[i64], factor: i64| {
        row.iter_mut().zip(other).for_each(|(a, b)| *a = (*a - factor * b).rem_euclid(PRIME));
    };
    for sparse in rows {
        let mut row = vec![0i64; columns];
        sparse.iter().for_each(|(column, factor)| row[*column] = (row[*column] + factor).rem_euclid(PRIME));
        for column in 0..columns {
            if row[column] == 0 {
                continue;
            }
            if let Some(other) = &pivots[column] {
                let factor = row[column];
                less(&mut row, other, factor);
            }
        }
        let Some(pivot) = row.iter().position(|factor| *factor != 0) else { continue };
        let inverse = power(row[pivot], PRIME - 2);
        row.iter_mut().for_each(|factor| *factor = *factor * inverse % PRIME);
        for other in pivots.iter_mut().flatten() {
            let factor = other[pivot];
            if factor != 0 {
                less(other, &row, factor);
            }
        }
        pivots[pivot] = Some(row);
    }
    let mut found = Vec::new();
    for free in (0..columns).filter(|column| pivots[*column].is_none()) {
        let mut factors = Vec::new();
        for (column, row) in pivots.iter().enumerate() {
            let factor = row.as_ref().map_or(0, |row| row[free]);
            if factor != 0 {
                factors.push((column, if factor > PRIME / 2 { PRIME - factor } else { -factor }));
            }
        }
        if factors.iter().all(|(_, factor)| factor.abs() < LARGE) {
            found.push((free, factors));
        }
    }
    found
}

fn power(base: i64, mut exponent: i64) -> i64 {
    let (mut base, mut result) = (base % PRIME, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

/// Whether no row changes the feature of `column` plus the factors times others. Exact in wrapping arithmetic.
fn proved(rows: &Rows, column: usize, factors: &[(usize, i64)]) -> bool {
    let factor = |of: usize| {
        if of == column {
            return 1;
        }
        factors.iter().find(|(other, _)| *other == of).map_or(0, |(_, factor)| *factor)
    };
    rows.iter()
        .all(|row| row.iter().fold(0i64, |sum, (of, change)| sum.wrapping_add(factor(*of).wrapping_mul(*change))) == 0)
}
