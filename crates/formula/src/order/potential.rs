//! Numbers that every move lowers: combinations of cells (waves), counts of cells with some value, a declared measure.
//!
//! A potential proves that no position comes back, bounds the length of a play, and gives layers to searches that have
//! no loop nest. In Clobber no single square only falls, but the number of pieces does.

use crate::formulas::Formulas;
use crate::node::{Node, Op, Range};
use crate::order::bound::bound;
use crate::order::effects::{Effects, Feature};
use crate::order::{Order, listed};
use crate::rewrite::Rewrite;

/// Domains of at most this many values are counted value by value.
const FEW_VALUES: i64 = 4;
/// For at most this many cells, every combination with factors −1, 0 and 1 is tried.
const FEW_CELLS: usize = 4;

/// A number that every move lowers.
#[derive(Clone, Debug)]
pub struct Potential {
    /// The number.
    pub node: Node,
    /// Its range.
    pub range: Range,
    /// By how much every move lowers it at least.
    pub fall: i64,
    /// Its name, in words that complete "every move lowers …".
    pub why: String,
    /// Whether it is the measure that the file declares.
    pub is_declared: bool,
}

impl Potential {
    /// No play has more moves than this.
    pub fn longest(&self) -> u64 {
        (i128::from(self.range.high) - i128::from(self.range.low)) as u64 / self.fall.max(1) as u64
    }
}

/// A combination of features as a potential, if every step lowers it.
fn potential(
    formulas: &mut Formulas,
    effects: &mut Effects,
    terms: &[(Feature, i64)],
    why: impl FnOnce() -> String,
) -> Option<Potential> {
    let arena = &mut formulas.arena;
    let nodes: Vec<(Node, i64)> = terms
        .iter()
        .map(|(feature, factor)| (feature.node(arena, effects.cells[feature.cell() as usize]), *factor))
        .collect();
    let all = arena.linear_range(&nodes, 0, &mut |arena, node| arena.range(node));
    // The width must fit too, so that differences fit.
    if all == Range::FULL || all.high.checked_sub(all.low).is_none() {
        return None;
    }
    let fall = effects.falls(arena, terms)?;
    let node = arena.combine(&nodes, 0);
    let range = bound(arena, &effects.valid, node);
    Some(Potential { node, range, fall, why: why(), is_declared: false })
}

/// A combination of cells with factors −1, 0 and 1 that every move lowers.
pub(crate) fn wave(formulas: &mut Formulas, effects: &mut Effects, order: &Order) -> Option<Potential> {
    let signed = |cell: u32, up: bool| (Feature::Value(cell), if up { 1 } else { -1 });
    let strict: Vec<(Feature, i64)> =
        order.loops[..order.strict].iter().map(|each| signed(each.cell, each.ascending)).collect();
    let cells = order.cells();
    let mut candidates = vec![strict];
    candidates.push(monotone(effects, &cells));
    if cells.len() <= FEW_CELLS {
        for number in 1..3usize.pow(cells.len() as u32) {
            let factors = (0..cells.len()).map(|place| [0, 1, -1][number / 3usize.pow(place as u32) % 3]);
            let terms = cells.iter().zip(factors).filter(|(_, factor)| *factor != 0);
            candidates.push(terms.map(|(cell, factor)| (Feature::Value(*cell), factor)).collect());
        }
        candidates[2..].sort_by_key(Vec::len);
    }
    for mut terms in candidates {
        terms.sort_by_key(|(feature, _)| feature.cell());
        if !terms.is_empty()
            && let Some(found) = potential(formulas, effects, &terms, || in_words(&terms))
        {
            return Some(found);
        }
    }
    None
}

/// The cells that steps change in one direction only, each with the sign that makes it fall.
fn monotone(effects: &Effects, cells: &[u32]) -> Vec<(Feature, i64)> {
    let mut terms = Vec::new();
    let mut ways: rustc_hash::FxHashMap<u32, Range> = rustc_hash::FxHashMap::default();
    for step in &effects.steps {
        for &(cell, shift) in &step.shifts {
            let way = ways.entry(cell).or_insert(Range::exactly(0));
            *way = way.union(shift);
        }
    }
    for &cell in cells {
        match ways.get(&cell) {
            Some(way) if way.high <= 0 && way.low < 0 => terms.push((Feature::Value(cell), 1)),
            Some(way) if way.low >= 0 && way.high > 0 => terms.push((Feature::Value(cell), -1)),
            _ => {}
        }
    }
    terms
}

fn in_words(terms: &[(Feature, i64)]) -> String {
    let of = |sign: i64| -> Vec<u32> {
        terms.iter().filter(|term| term.1 == sign).map(|(feature, _)| feature.cell()).collect()
    };
    let sum = |cells: &[u32]| match cells.len() {
        1 => listed(cells),
        _ => format!("the sum of {}", listed(cells)),
    };
    match (&of(1)[..], &of(-1)[..]) {
        (plus, []) => sum(plus),
        ([], minus) => format!("minus {}", sum(minus)),
        (plus, minus) => format!("{} minus {}", sum(plus), sum(minus)),
    }
}

/// Numbers that every move lowers, other than waves: the declared measure, counts and sums over arrays, sizes of sets.
pub(crate) fn potentials(formulas: &mut Formulas, effects: &mut Effects, groups: &[Vec<u32>]) -> Vec<Potential> {
    let mut found = Vec::new();
    if effects.steps.is_empty() {
        return found;
    }
    found.extend(declared(formulas, effects));
    found.extend(sizes(formulas, effects));
    for group in groups {
        let open = |cell: &u32| formulas.cells[*cell as usize].single().is_none();
        let group: Vec<u32> = group.iter().copied().filter(open).collect();
        let Some(all) = group.iter().map(|cell| formulas.cells[*cell as usize]).reduce(Range::union) else { continue };
        if all.high.checked_sub(all.low).is_some_and(|width| width < FEW_VALUES) {
            found.extend(counts(formulas, effects, &group, all));
        }
        found.extend(sums(formulas, effects, &group));
    }
    found
}

/// Sums of an array's cells; if none falls, sums with weights by place, for pieces that move along the array.
fn sums(formulas: &mut Formulas, effects: &mut Effects, group: &[u32]) -> Vec<Potential> {
    let mut found = Vec::new();
    for sign in [1, -1] {
        let terms: Vec<_> = group.iter().map(|cell| (Feature::Value(*cell), sign)).collect();
        found.extend(potential(formulas, effects, &terms, || in_words(&terms)));
    }
    let length = group.len() as i64;
    for (sign, ascending) in [(1, true), (1, false), (-1, true), (-1, false)] {
        if !found.is_empty() || length < 2 {
            break;
        }
        let weight = |place: i64| sign * if ascending { place + 1 } else { length - place };
        let terms: Vec<_> =
            group.iter().zip(0i64..).map(|(cell, place)| (Feature::Value(*cell), weight(place))).collect();
        let why = || {
            let minus = if sign < 0 { "minus " } else { "" };
            let which = if ascending { "more" } else { "less" };
            format!("{minus}a sum of {}, in which later ones count {which}", listed(group))
        };
        found.extend(potential(formulas, effects, &terms, why));
    }
    found
}

/// Counts of an array's cells by their value; if none falls, sums of their places, for pieces that only go forward.
fn counts(formulas: &mut Formulas, effects: &mut Effects, group: &[u32], values: Range) -> Vec<Potential> {
    let mut found = Vec::new();
    for value in values.low..=values.high {
        for (sign, which) in [(1, "are"), (-1, "are not")] {
            let terms: Vec<_> = group.iter().map(|cell| (Feature::Is(*cell, value), sign)).collect();
            let why = || format!("the number of {} that {which} {value}", listed(group));
            found.extend(potential(formulas, effects, &terms, why));
        }
    }
    if !found.is_empty() {
        return found;
    }
    // One value can be left out, since every cell has one.
    let others = (values.high - values.low) as u32;
    for by_place in [false, true] {
        for number in 1..3i64.pow(others) {
            let mut terms = Vec::new();
            for (place, &cell) in group.iter().enumerate() {
                for other in 0..others {
                    let sign = [0, 1, -1][(number / 3i64.pow(other) % 3) as usize];
                    let weight = if by_place { place as i64 } else { 1 };
                    if sign * weight != 0 {
                        terms.push((Feature::Is(cell, values.low + 1 + i64::from(other)), sign * weight));
                    }
                }
            }
            let what = if by_place { "places in" } else { "values of" };
            let why = || format!("a sum of the {what} {}, each value counted one way", listed(group));
            if let Some(potential) = potential(formulas, effects, &terms, why) {
                return vec![potential];
            }
        }
    }
    found
}

/// The total size of the sets, if every step removes elements or every step adds some.
fn sizes(formulas: &mut Formulas, effects: &mut Effects) -> Option<Potential> {
    let is_mask =
        |range: &Range| range.low == 0 && range.high > 2 && range.high.count_ones() == range.high.trailing_ones();
    let sets = (0u32..).zip(&formulas.cells).filter(|(_, range)| is_mask(range)).map(|(cell, _)| cell);
    let sets: Vec<u32> = sets.collect();
    let mut way = 0;
    for step in 0..effects.steps.len() {
        let mut change = 0;
        for &set in &sets {
            let (node, _) = effects.change(&mut formulas.arena, step, &[(Feature::Value(set), 1)])?;
            let by = formulas.arena.known(node)?;
            if by != 0 {
                change += effects.bit_change(&mut formulas.arena, step, set, by.trailing_zeros(), by)?;
            }
        }
        if change == 0 || way * change < 0 {
            return None;
        }
        way = change.signum();
    }
    let arena = &mut formulas.arena;
    let mut terms = Vec::new();
    for &set in &sets {
        terms.push((arena.popcount(effects.cells[set as usize]), -way));
    }
    let node = arena.combine(&terms, 0);
    let why = match way < 0 {
        true => format!("the number of elements of {}", listed(&sets)),
        false => format!("the number of elements that are not in {}", listed(&sets)),
    };
    (way != 0).then(|| Potential { node, range: arena.range(node), fall: 1, why, is_declared: false })
}

/// The declared measure, if every step is proved to lower it.
fn declared(formulas: &mut Formulas, effects: &mut Effects) -> Option<Potential> {
    let (measure, _) = formulas.measure?;
    let all = formulas.arena.range(measure);
    if all == Range::FULL
        || all.high.checked_sub(all.low).is_none()
        || !effects.weights.light(&formulas.arena, measure)
        || formulas.actions.iter().any(|action| action.split.is_some())
    {
        return None;
    }
    let mut fall = i64::MAX;
    for step in &effects.steps {
        let mut replace: Vec<(Node, Node)> =
            step.after.iter().map(|(cell, after)| (effects.cells[*cell as usize], *after)).collect();
        if let Some(mover) = formulas.arena.find(&Op::Mover) {
            replace.push((mover, formulas.actions[step.action].turn));
        }
        let after = Rewrite::new(&replace).node(&mut formulas.arena, &formulas.lists, measure);
        if !effects.weights.light(&formulas.arena, after) {
            return None;
        }
        let change = formulas.arena.sub(after, measure);
        let range = bound(&mut formulas.arena, &step.facts, change);
        if range.high >= 0 {
            return None;
        }
        fall = fall.min(-range.high);
    }
    let range = bound(&mut formulas.arena, &effects.valid, measure);
    Some(Potential { node: measure, range, fall, why: "the declared measure".to_owned(), is_declared: true })
}
