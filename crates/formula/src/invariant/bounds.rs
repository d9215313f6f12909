//! Bounds of cells and of differences of cells.
//!
//! A cell that no step raises stays at most its value at the start. A cell that some steps raise is at most the larger
//! of that and the highest value these steps can give it. Both hold whatever the other cells do, so one pass over the
//! steps proves a bound; a second pass can use the bounds of the first.

use rustc_hash::FxHashMap;

use crate::formulas::Formulas;
use crate::node::{Node, Range};
use crate::order::bound::bound;
use crate::order::conditions::taken_in;
use crate::order::effects::{Effects, Feature, count_conditions};
use crate::order::{listed, open_cells, width};

/// Differences are looked for among at most this many cells.
const CELLS: usize = 12;
/// Differences are looked for only if there are at most this many pairs times steps.
const QUESTIONS: usize = 800;
/// Differences are looked for only between cells with at least this many values.
const VALUES: u128 = 4;

/// The bounds within which the cells stay.
pub(crate) fn cell_bounds(formulas: &mut Formulas, effects: &mut Effects, starts: &[&[i64]]) -> Vec<Range> {
    let mut found: Vec<Range> = Vec::with_capacity(formulas.cells.len());
    for (cell, domain) in formulas.cells.iter().enumerate() {
        let held = starts.iter().map(|start| Range::exactly(start[cell])).reduce(Range::union);
        found.push(held.unwrap_or(*domain));
    }
    for step in &effects.steps {
        for (&(cell, shift), &(_, after)) in step.shifts.iter().zip(&step.after) {
            let all = &mut found[cell as usize];
            let domain = formulas.cells[cell as usize];
            if shift.low >= 0 && shift.high <= 0 || all.covers(domain) {
                continue;
            }
            let reached = match effects.weights.light(&formulas.arena, after) {
                true => bound(&mut formulas.arena, &step.facts, after),
                false => domain,
            };
            if shift.high > 0 {
                all.high = all.high.max(reached.high);
            }
            if shift.low < 0 {
                all.low = all.low.min(reached.low);
            }
        }
    }
    for (found, domain) in found.iter_mut().zip(&formulas.cells) {
        *found = found.meet(*domain).unwrap_or(*domain);
    }
    found
}

/// Conditions `x - y <= c` that hold at every reachable position and that the domains do not imply.
pub(crate) fn differences(formulas: &mut Formulas, effects: &mut Effects, starts: &[&[i64]]) -> Vec<(Node, String)> {
    let mut found = Vec::new();
    let mut cells = open_cells(formulas);
    cells.retain(|cell| width(formulas.cells[*cell as usize]) >= VALUES);
    let questions = cells.len() * cells.len() * effects.steps.len();
    if cells.len() > CELLS || questions > QUESTIONS || starts.is_empty() {
        return found;
    }
    for &x in &cells {
        for &y in &cells {
            if x != y
                && let Some(most) = most(formulas, effects, starts, x, y)
            {
                let arena = &mut formulas.arena;
                let (left, right) = (effects.cells[x as usize], effects.cells[y as usize]);
                let right = arena.shift(right, most);
                let node = arena.le(left, right);
                // `x <= y + c`, with the constant where it is positive.
                let why = match most {
                    0 => format!("{{{x}}} <= {{{y}}}"),
                    1.. => format!("{{{x}}} <= {{{y}}} + {most}"),
                    _ => format!("{{{x}}} + {} <= {{{y}}}", most.unsigned_abs()),
                };
                if arena.known(node).is_none() {
                    found.push((node, why));
                }
            }
        }
    }
    found
}

/// The most that `x - y` can be, if that is less than the domains and the known conditions imply.
fn most(formulas: &mut Formulas, effects: &mut Effects, starts: &[&[i64]], x: u32, y: u32) -> Option<i64> {
    let arena = &mut formulas.arena;
    let (before_x, before_y) = (effects.cells[x as usize], effects.cells[y as usize]);
    let difference = arena.sub(before_x, before_y);
    let all = arena.range(difference);
    if all == Range::FULL || all.high.checked_sub(all.low).is_none() {
        return None;
    }
    let all = bound(arena, &effects.valid, difference);
    let mut most = i64::MIN;
    for start in starts {
        most = most.max(start[x as usize].checked_sub(start[y as usize])?);
    }
    for step in &effects.steps {
        if most >= all.high {
            return None;
        }
        let (after_x, after_y) = (step.after(x), step.after(y));
        if after_x.is_none() && after_y.is_none() {
            continue;
        }
        let (after_x, after_y) = (after_x.unwrap_or(before_x), after_y.unwrap_or(before_y));
        if !effects.weights.light(arena, after_x) || !effects.weights.light(arena, after_y) {
            return None;
        }
        let after = arena.sub(after_x, after_y);
        let change = arena.sub(after, difference);
        if bound(arena, &step.facts, change).high > 0 {
            most = most.max(bound(arena, &step.facts, after).high);
        }
    }
    // The condition cuts off a corner of the square of both domains; the corner must be worth it.
    let cut = u128::from(all.high.abs_diff(most));
    let square = width(formulas.cells[x as usize]).saturating_mul(width(formulas.cells[y as usize]));
    (most < all.high && cut.saturating_mul(cut).saturating_mul(4) >= square).then_some(most)
}

/// Conditions that the sum of an array's cells never exceeds its value at the start.
pub(crate) fn sums(
    formulas: &mut Formulas,
    effects: &mut Effects,
    groups: &[Vec<u32>],
    starts: &[&[i64]],
) -> Vec<(Node, String)> {
    let mut found = Vec::new();
    let steps = effects.steps.len();
    for group in groups {
        let small = |cell: &u32| width(formulas.cells[*cell as usize]) < VALUES;
        if group.len() < 2 || group.iter().all(small) {
            continue;
        }
        let total = |start: &&[i64]| group.iter().try_fold(0i64, |sum, cell| sum.checked_add(start[*cell as usize]));
        let Some(most) = starts.iter().map(total).collect::<Option<Vec<i64>>>().and_then(|all| all.into_iter().max())
        else {
            continue;
        };
        let arena = &mut formulas.arena;
        let nodes: Vec<(Node, i64)> = group.iter().map(|cell| (effects.cells[*cell as usize], 1)).collect();
        let all = arena.linear_range(&nodes, 0, &mut |arena, node| arena.range(node));
        // The condition must say more than the domains, and be worth it.
        let gain = i128::from(all.high) - i128::from(most);
        if all == Range::FULL || all.high.checked_sub(all.low).is_none() || gain * 4 < i128::from(all.high) {
            continue;
        }
        let terms: Vec<(Feature, i64)> = group.iter().map(|cell| (Feature::Value(*cell), 1)).collect();
        let kept = |step: usize| effects.change(arena, step, &terms).is_some_and(|(_, range)| range.high <= 0);
        if (0..steps).all(kept) {
            let (sum, most_node) = (arena.combine(&nodes, 0), arena.number(most));
            let node = arena.le(sum, most_node);
            if arena.known(node).is_none() && !formulas.valid.contains(&node) {
                found.push((node, format!("the sum of {} is at most {most}", listed(group))));
            }
        }
    }
    found
}

/// The bounds of choices, by number; choices that are missing keep their range. Guards are not assumed, because they
/// are evaluated also with choices for which they do not hold.
pub(crate) fn choice_bounds(formulas: &mut Formulas, effects: &Effects) -> FxHashMap<u32, Range> {
    let mut found: FxHashMap<u32, Range> = FxHashMap::default();
    let Formulas { arena, lists, actions, .. } = formulas;
    for action in actions.iter().filter(|action| !action.counts.is_empty()) {
        let mut known = effects.known.clone();
        known.extend(count_conditions(arena, action));
        let facts = taken_in(arena, lists, effects.shared.clone(), &known);
        for count in &action.counts {
            let (low, high) = (bound(arena, &facts, count.low), bound(arena, &facts, count.high));
            // If no number lies between the bounds, the choice is never made.
            let range = Range { low: low.low, high: high.high.max(low.low) };
            found.entry(count.choice).and_modify(|all| *all = all.union(range)).or_insert(range);
        }
    }
    found
}
