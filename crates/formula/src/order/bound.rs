//! Bounds of a node where facts hold, by cases.
//!
//! [`Facts`] narrows ranges, but treats each operand by itself: it finds no bound for `(if c then x - 1 else x) - x`.
//! Here a sum is split into the cases of its choices (`if`, `min`, `max`), each with its assumption, before ranges are
//! added up. Fuel bounds the work: when it runs out, the answer is wider, never wrong.

use crate::facts::Facts;
use crate::node::{Arena, Node, Op, Range};

/// How many nodes one question may visit.
pub(crate) const FUEL: u32 = 96;
/// Conditions and formulas that are longer than this, written out as trees, are not analysed.
pub(crate) const LIGHT: u32 = 400;

/// The size of every node, written out as a tree. Analyses without memory must not walk into large ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights(Vec<u32>);

impl Weights {
    /// The size of a node.
    pub(crate) fn of(&mut self, arena: &Arena, node: Node) -> u32 {
        // Operands have smaller numbers than the nodes that use them.
        for index in self.0.len()..=node.index() {
            let mut weight = 1u32;
            arena.operands(Node(index as u32), &mut |operand| weight = weight.saturating_add(self.0[operand.index()]));
            self.0.push(weight);
        }
        self.0[node.index()]
    }

    /// Whether a node is small enough to analyse.
    pub(crate) fn light(&mut self, arena: &Arena, node: Node) -> bool {
        self.of(arena, node) <= LIGHT
    }
}

/// The range of a node where the facts hold.
pub(crate) fn bound(arena: &mut Arena, facts: &Facts, node: Node) -> Range {
    let mut fuel = FUEL;
    within(arena, facts, node, &mut fuel)
}

fn within(arena: &mut Arena, facts: &Facts, node: Node, fuel: &mut u32) -> Range {
    let known = facts.range(arena, node);
    if known.single().is_some() || *fuel == 0 {
        return known;
    }
    *fuel -= 1;
    let computed = match arena.op(node).clone() {
        Op::Linear(terms, constant) => sum(arena, facts, &terms, constant, fuel),
        Op::Select(c, a, b) => cases(arena, facts, c, a, b, fuel),
        Op::Mul(a, b) => {
            let (a, b) = (within(arena, facts, a, fuel), within(arena, facts, b, fuel));
            product(a, b)
        }
        Op::Min(a, b) => {
            let (a, b) = (within(arena, facts, a, fuel), within(arena, facts, b, fuel));
            Range { low: a.low.min(b.low), high: a.high.min(b.high) }
        }
        Op::Max(a, b) => {
            let (a, b) = (within(arena, facts, a, fuel), within(arena, facts, b, fuel));
            Range { low: a.low.max(b.low), high: a.high.max(b.high) }
        }
        Op::Div(a, b) => {
            let (a, b) = (within(arena, facts, a, fuel), within(arena, facts, b, fuel));
            match a.low >= 0 && b.low > 0 {
                true => Range { low: a.low / b.high, high: a.high / b.low },
                false => known,
            }
        }
        Op::Rem(a, b) => {
            let (a, b) = (within(arena, facts, a, fuel), within(arena, facts, b, fuel));
            match a.low >= 0 && b.low > 0 {
                true => Range { low: 0, high: a.high.min(b.high - 1) },
                false => known,
            }
        }
        Op::Shl(a, b) if arena.known(a) == Some(1) => match within(arena, facts, b, fuel) {
            Range { low: 0.., high: ..63 } => {
                let by = within(arena, facts, b, fuel);
                Range { low: 1 << by.low, high: 1 << by.high }
            }
            _ => known,
        },
        _ => known,
    };
    known.meet(computed).unwrap_or(known)
}

fn product(a: Range, b: Range) -> Range {
    let corners = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
    let corners = corners.map(|(a, b)| i128::from(a) * i128::from(b));
    Range::wide(*corners.iter().min().unwrap_or(&0), *corners.iter().max().unwrap_or(&0))
}

/// The range of `if c then a else b`, each branch with its assumption.
fn cases(arena: &mut Arena, facts: &Facts, c: Node, a: Node, b: Node, fuel: &mut u32) -> Range {
    let mut all: Option<Range> = None;
    for (node, holds) in [(a, true), (b, false)] {
        let mut facts = facts.clone();
        facts.assume(arena, c, holds);
        if !facts.is_impossible() {
            let range = within(arena, &facts, node, fuel);
            all = Some(all.map_or(range, |all| all.union(range)));
        }
    }
    all.unwrap_or(Range::FULL)
}

/// The range of a sum.
fn sum(arena: &mut Arena, facts: &Facts, terms: &[(Node, i64)], constant: i64, fuel: &mut u32) -> Range {
    let with = |arena: &mut Arena, place: usize, node: Node| {
        let mut terms = terms.to_vec();
        terms[place].0 = node;
        arena.combine(&terms, constant)
    };
    for (place, &(term, factor)) in terms.iter().enumerate() {
        match arena.op(term).clone() {
            Op::Select(c, a, b) if facts.range(arena, c).single().is_none() => {
                let (a, b) = (with(arena, place, a), with(arena, place, b));
                return cases(arena, facts, c, a, b, fuel);
            }
            Op::Select(c, a, b) => {
                let taken = if facts.range(arena, c).single() == Some(0) { b } else { a };
                let node = with(arena, place, taken);
                return within(arena, facts, node, fuel);
            }
            Op::Min(a, b) | Op::Max(a, b) => {
                let lesser = matches!(arena.op(term), Op::Min(..)) == (factor > 0);
                let (a, b) = (with(arena, place, a), with(arena, place, b));
                let (a, b) = (within(arena, facts, a, fuel), within(arena, facts, b, fuel));
                return match lesser {
                    true => Range { low: a.low.min(b.low), high: a.high.min(b.high) },
                    false => Range { low: a.low.max(b.low), high: a.high.max(b.high) },
                };
            }
            _ => {}
        }
    }
    let mut rest = terms.to_vec();
    let (mut low, mut high) = (i128::from(constant), i128::from(constant));
    let mut add = |range: Range, factor: i64| {
        let ends = [i128::from(range.low) * i128::from(factor), i128::from(range.high) * i128::from(factor)];
        low += ends[0].min(ends[1]);
        high += ends[0].max(ends[1]);
    };
    for &(term, factor) in terms {
        // Each term can cancel another once: `rest` holds what no other term has used.
        if rest.iter().any(|other| other.0 == term)
            && let Some((base, range)) = shrunk(arena, facts, term, &rest, factor)
        {
            add(range, factor);
            rest.retain(|other| other.0 != term && other.0 != base);
        }
    }
    for (term, factor) in rest {
        let range = within(arena, facts, term, fuel);
        add(range, factor);
    }
    Range::wide(low, high)
}

/// For a term such as `x & m` beside `-x` in one sum: `x`, and the range of `(x & m) - x`.
fn shrunk(arena: &Arena, facts: &Facts, term: Node, terms: &[(Node, i64)], factor: i64) -> Option<(Node, Range)> {
    let beside = |node: Node| {
        let opposite = terms.contains(&(node, factor.wrapping_neg()));
        let range = facts.range(arena, node);
        (opposite && range.low >= 0).then_some((node, range))
    };
    match *arena.op(term) {
        Op::And(a, b) => {
            let (base, of, mask) =
                beside(a).map(|(node, of)| (node, of, b)).or_else(|| beside(b).map(|(node, of)| (node, of, a)))?;
            // `x & !mask` is taken away.
            let away = arena.known(mask).map_or(of.high, |mask| !mask & full_mask(of.high));
            Some((base, Range { low: -away.min(of.high), high: 0 }))
        }
        Op::Or(a, b) => {
            let (base, of) = beside(a).or_else(|| beside(b))?;
            let range = facts.range(arena, term);
            (range.low >= 0).then_some((base, Range { low: 0, high: range.high - of.low.min(range.high) }))
        }
        Op::Shr(a, b) | Op::Div(a, b) => {
            let (base, of) = beside(a)?;
            let by = facts.range(arena, b);
            let halves = match arena.op(term) {
                Op::Shr(..) => by.low >= 1 && by.high < 64,
                _ => by.low >= 2,
            };
            let strict = halves && of.low > 0;
            (by.low >= 0).then_some((base, Range { low: -of.high, high: -i64::from(strict) }))
        }
        Op::Rem(a, b) => {
            let (base, of) = beside(a)?;
            (facts.range(arena, b).low > 0).then_some((base, Range { low: -of.high, high: 0 }))
        }
        _ => None,
    }
}

fn full_mask(bits: i64) -> i64 {
    (u64::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0) & i64::MAX as u64) as i64
}
