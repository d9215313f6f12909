//! How large scores can become, how many options a position can have, whether play can end drawn. Widths of values are
//! chosen by this.
//!
//! A score is at most what the moves of one play gain together. That is the largest gain times the longest play. A
//! better bound exists if each gain is read from a list at a cell that only goes one way: each item is gained once, so
//! the sum over the list is the bound. Gains that are differences of a running total, `total[i + k] - total[i]`, add up
//! to no more than the range of the total.

use rustc_hash::FxHashMap;

use crate::formulas::{EndResult, Formulas};
use crate::node::{Arena, Node, Op, Range};
use crate::order::bound::bound;
use crate::order::effects::{Effects, Step};
use crate::order::width;
use crate::rewrite::Rewrite;

/// Cells with more values than this are not examined value by value.
const VALUES: u128 = 1 << 22;
/// Nor are those with more than this, where every value gains the same.
const MANY_VALUES: u128 = 1 << 16;

/// A bound on the absolute value of every position's score: the mover's gains minus the other's, or the gains of one of
/// more than two players. `None` if no bound is known, or the game has no scores.
pub(crate) fn score_bound(formulas: &mut Formulas, effects: &mut Effects, longest: Option<u64>) -> Option<i64> {
    if !formulas.counted || formulas.actions.iter().any(|action| action.split.is_some()) {
        return None;
    }
    let views = if formulas.players == 2 { 1 } else { formulas.players };
    let mut most = 0i128;
    for view in 0..views {
        let end = largest_end(formulas, effects, view)?;
        let gains = gains(formulas, effects, view);
        let largest = gains.iter().map(|gain| gain.largest).max().unwrap_or(0);
        let plain = longest.map(|longest| i128::from(longest) * largest).filter(|_| largest < i128::from(i64::MAX));
        let plain = if largest == 0 { Some(0) } else { plain };
        let once = if largest == 0 { None } else { each_once(formulas, effects, &gains) };
        most = most.max(end + plain.into_iter().chain(once).min()?);
    }
    i64::try_from(most).ok()
}

/// The gain of a step, for one player to move.
struct Gain {
    step: usize,
    node: Node,
    largest: i128,
}

/// The gains of all steps. Gains are mostly the mover's, so with few players each gain is examined for each mover
/// separately.
fn gains(formulas: &mut Formulas, effects: &mut Effects, view: usize) -> Vec<Gain> {
    let mut found = Vec::new();
    let movers = if formulas.players <= 4 { formulas.players } else { 1 };
    for mover in 0..movers {
        let mut rewrite = Rewrite::default();
        if movers > 1 {
            let (node, number) = (formulas.arena.mover(formulas.players), formulas.arena.number(mover as i64));
            rewrite = Rewrite::new(&[(node, number)]);
        }
        for (number, step) in effects.steps.iter().enumerate() {
            let all = formulas.actions[step.action].gains.clone();
            let mut node = gain(formulas, &all, view);
            let mut range = formulas.arena.range(node);
            if effects.weights.light(&formulas.arena, node) {
                node = rewrite.node(&mut formulas.arena, &formulas.lists, node);
                range = bound(&mut formulas.arena, &step.facts, node);
            }
            let largest = magnitude(range);
            if formulas.arena.known(node) != Some(0) {
                found.push(Gain { step: number, node, largest });
            }
        }
    }
    found
}

/// The gain in a view: the difference of two players, or the gain of one of more.
fn gain(formulas: &mut Formulas, gains: &[Node], view: usize) -> Node {
    let arena = &mut formulas.arena;
    match (formulas.players, gains) {
        (_, []) => arena.number(0),
        (2, [first, second]) => arena.sub(*first, *second),
        _ => gains.get(view).copied().unwrap_or_else(|| arena.number(0)),
    }
}

fn magnitude(range: Range) -> i128 {
    i128::from(range.low).abs().max(i128::from(range.high).abs())
}

/// The largest further gain at an end.
fn largest_end(formulas: &mut Formulas, effects: &mut Effects, view: usize) -> Option<i128> {
    let mut most = 0;
    for case in 0..=formulas.ends.len() {
        let EndResult::Gains(gains) = formulas.ends.get(case).unwrap_or(&formulas.stuck).result.clone() else {
            return None;
        };
        let gain = gain(formulas, &gains, view);
        let range = match effects.weights.light(&formulas.arena, gain) {
            true => bound(&mut formulas.arena, &effects.valid, gain),
            false => formulas.arena.range(gain),
        };
        if range == Range::FULL {
            return None;
        }
        most = most.max(magnitude(range));
    }
    Some(most)
}

/// The sum of the gains of one cell's moves.
#[derive(Default)]
struct Along {
    /// For each value of the cell the largest gain of a move from there.
    by_value: Vec<i128>,
    /// Lists whose differences are gained.
    totals: Vec<(u32, i64)>,
    /// The largest of the gains of which only the size is known.
    flat: i128,
}

/// A bound on the gains of all moves of a play, if every move strictly changes a cell that only goes one way, so that
/// no value of that cell is left twice by these moves.
fn each_once(formulas: &Formulas, effects: &Effects, gains: &[Gain]) -> Option<i128> {
    let mut ways: FxHashMap<u32, Range> = FxHashMap::default();
    for (cell, shift) in effects.steps.iter().flat_map(|step| &step.shifts) {
        ways.entry(*cell).and_modify(|way| *way = way.union(*shift)).or_insert(*shift);
    }
    let mut cells: FxHashMap<u32, Along> = FxHashMap::default();
    for gain in gains {
        let step = &effects.steps[gain.step];
        let one_way = |(cell, shift): &&(u32, Range)| {
            let way = ways[cell];
            way.low >= 0 && shift.low > 0 || way.high <= 0 && shift.high < 0
        };
        let mut found: Option<(u32, Shape)> = None;
        for (cell, _) in step.shifts.iter().filter(one_way) {
            let shape = shape(formulas, effects, step, *cell, gain.node);
            if found.as_ref().is_none_or(|(_, old)| shape.rank() < old.rank()) {
                found = Some((*cell, shape));
            }
        }
        let (cell, shape) = found?;
        let along = cells.entry(cell).or_default();
        match shape {
            Shape::Difference(list, at) if along.totals.contains(&(list, at)) => {}
            Shape::Difference(list, at) => along.totals.push((list, at)),
            // One number for very many values: there is nothing to be gained from looking at each.
            Shape::Items(terms, constant) if terms.is_empty() && width(formulas.cells[cell as usize]) > MANY_VALUES => {
                along.flat = along.flat.max(i128::from(constant).abs());
            }
            Shape::Items(terms, constant) => add_items(formulas, cell, &terms, constant, along)?,
            Shape::Other => along.flat = along.flat.max(gain.largest),
        }
    }
    let mut total = 0i128;
    for (cell, along) in cells {
        let moves = (width(formulas.cells[cell as usize]) - 1) as i128;
        total += along.by_value.iter().sum::<i128>() + along.flat.checked_mul(moves)?;
        for (list, _) in along.totals {
            let list = &formulas.lists[list as usize];
            total += list.windows(2).map(|pair| i128::from(pair[1].abs_diff(pair[0]))).sum::<i128>();
        }
    }
    Some(total)
}

/// The form of a gain as a function of a cell.
enum Shape {
    /// The difference of a list's items at the cell plus a number: after the move minus before.
    Difference(u32, i64),
    /// Items of lists at the cell plus a number, each with a factor, and a constant.
    Items(Vec<(u32, i64, i64)>, i64),
    /// Anything else.
    Other,
}

impl Shape {
    /// The lower, the better the bound to be expected.
    fn rank(&self) -> u8 {
        match self {
            Shape::Difference(..) => 0,
            Shape::Items(..) => 1,
            Shape::Other => 2,
        }
    }
}

fn shape(formulas: &Formulas, effects: &Effects, step: &Step, cell: u32, gain: Node) -> Shape {
    let arena = &formulas.arena;
    let (terms, constant) = arena.linear(gain);
    let before = effects.cells[cell as usize];
    let mut items = Vec::new();
    let bare = |node: Node, factor: i64| match *arena.op(node) {
        Op::Load(list, index) => Some((list, index, factor)),
        _ => None,
    };
    let loads: Option<Vec<_>> = terms.iter().map(|(node, factor)| bare(*node, *factor)).collect();
    let Some(loads) = loads else { return Shape::Other };
    if let [(list, a, x), (other, b, y)] = loads[..]
        && list == other
        && constant == 0
        && x == -y
        && x.abs() == 1
        && let Some(after) = step.after(cell)
    {
        for (new, old) in [(a, b), (b, a)] {
            if let (Some(at), Some(still)) = (offset(arena, after, new), offset(arena, before, old))
                && at == still
            {
                return Shape::Difference(list, at);
            }
        }
    }
    for (list, index, factor) in loads {
        match offset(arena, before, index) {
            Some(at) => items.push((list, at, factor)),
            None => return Shape::Other,
        }
    }
    Shape::Items(items, constant)
}

/// `index - base`, if that is a number.
fn offset(arena: &Arena, base: Node, index: Node) -> Option<i64> {
    let ((base, zero), (index, at)) = (arena.linear(base), arena.linear(index));
    (base == index).then(|| at.wrapping_sub(zero))
}

/// Adds what a move gains from each value of the cell. `None` if the values are too many.
fn add_items(
    formulas: &Formulas,
    cell: u32,
    terms: &[(u32, i64, i64)],
    constant: i64,
    along: &mut Along,
) -> Option<()> {
    let Range { low, .. } = formulas.cells[cell as usize];
    let values = width(formulas.cells[cell as usize]);
    if values > VALUES {
        return None;
    }
    along.by_value.resize(values as usize, 0);
    for (place, most) in along.by_value.iter_mut().enumerate() {
        let mut gain = i128::from(constant);
        for &(list, at, factor) in terms {
            let index = low.wrapping_add(place as i64).wrapping_add(at);
            let item = usize::try_from(index).ok().and_then(|index| formulas.lists[list as usize].get(index));
            gain += i128::from(item.copied().unwrap_or(0)) * i128::from(factor);
        }
        *most = (*most).max(gain.abs());
    }
    Some(())
}

/// How many options a position can have at most.
pub fn max_options(formulas: &Formulas) -> u64 {
    let mut all = 0u64;
    for action in &formulas.actions {
        let mut ways = 1u64;
        for count in &action.counts {
            let (low, high) = (formulas.arena.range(count.low).low, formulas.arena.range(count.high).high);
            let own = formulas.arena.find(&Op::Choice(count.choice)).map(|node| formulas.arena.range(node));
            let own = own.map_or(u128::MAX, width);
            let between = (i128::from(high) - i128::from(low) + 1).max(0) as u128;
            ways = ways.saturating_mul(u64::try_from(between.min(own)).unwrap_or(u64::MAX));
        }
        all = all.saturating_add(ways);
    }
    all
}

/// Whether a rule can end play drawn. Play that never ends is not considered.
pub fn has_draws(formulas: &Formulas) -> bool {
    formulas.ends.iter().chain([&formulas.stuck]).any(|case| match case.result {
        EndResult::Outcome(outcome) => {
            formulas.arena.known(case.when) != Some(0) && can_be_drawn(&formulas.arena, outcome)
        }
        EndResult::Gains(_) => true,
    })
}

fn can_be_drawn(arena: &Arena, outcome: Node) -> bool {
    let mut open = vec![outcome];
    let mut looks = 64;
    while let Some(node) = open.pop() {
        looks -= 1;
        match arena.op(node) {
            _ if !arena.range(node).contains(0) => {}
            // `2 x - 1` is never 0.
            Op::Linear(terms, constant) if constant & 1 == 1 && terms.iter().all(|(_, factor)| factor & 1 == 0) => {}
            Op::Select(_, a, b) if looks > 0 => open.extend([*a, *b]),
            _ => return true,
        }
    }
    false
}
