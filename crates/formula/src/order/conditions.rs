//! Conditions assumed together: consequences of several of them that no single one has.
//!
//! [`Facts`] assumes one condition after another. Here each condition is split first, then all are assumed, then their
//! consequences: from `a or b` where `a` is known to be false, `b`; from `k <= x / y`, that `k y <= x`; from `isqrt(x)
//! >= 3`, which is a list by now, the numbers between which `x` lies.

use rustc_hash::FxHashSet;

use crate::facts::Facts;
use crate::node::{Arena, Node, Op, Range};
use crate::order::bound::{Weights, bound};

/// Lists up to this length are searched for the places that a condition allows.
const SHORT_LIST: usize = 1 << 12;
/// How many bounds of differences are combined.
const CHAINED: usize = 24;
/// How many parts of a fault are examined.
const FUEL: u32 = 24;

/// Conditions, each with whether it holds.
pub(crate) type Conditions = Vec<(Node, bool)>;

/// Splits a condition into conditions that all hold or all do not, at most `most` in all.
pub(crate) fn take_apart(
    arena: &Arena,
    weights: &mut Weights,
    condition: (Node, bool),
    most: usize,
    into: &mut Conditions,
) {
    let mut open = vec![condition];
    let mut seen: FxHashSet<(Node, bool)> = FxHashSet::default();
    let are_truths = |a: Node, b: Node| arena.range(a).is_truth() && arena.range(b).is_truth();
    while let Some((node, holds)) = open.pop() {
        if into.len() >= most || !seen.insert((node, holds)) {
            continue;
        }
        match *arena.op(node) {
            Op::Not(inner) => open.push((inner, !holds)),
            Op::And(a, b) if holds && are_truths(a, b) => open.extend([(b, true), (a, true)]),
            Op::Or(a, b) if !holds && are_truths(a, b) => open.extend([(b, false), (a, false)]),
            Op::Const(number) if (number != 0) == holds => {}
            _ if weights.light(arena, node) => into.push((node, holds)),
            _ => {}
        }
    }
}

/// Facts with further conditions, assumed more than once so that one can profit from another.
pub(crate) fn taken_in(arena: &mut Arena, lists: &[Vec<i64>], mut facts: Facts, conditions: &Conditions) -> Facts {
    for round in 0..2 {
        for &(condition, holds) in conditions {
            facts.assume(arena, condition, holds);
            imply(arena, lists, &mut facts, condition, holds);
        }
        if facts.is_impossible() {
            break;
        }
        if round == 0 {
            chain(arena, &mut facts, conditions);
        }
    }
    facts
}

/// `x - y <= bound`.
type Difference = (Node, Node, i64);

/// The differences that a condition bounds.
fn differences(arena: &Arena, condition: Node, holds: bool, into: &mut Vec<Difference>) {
    let mut bounded = |a: Node, b: Node, gap: i64| {
        // a + gap <= b, each a node plus a constant.
        let ((a, x), (b, y)) = (arena.linear(a), arena.linear(b));
        if let ([(a, 1)], [(b, 1)]) = (&a[..], &b[..])
            && let Some(bound) = y.checked_sub(x).and_then(|bound| bound.checked_sub(gap))
        {
            into.push((*a, *b, bound));
        }
    };
    match (arena.op(condition), holds) {
        (Op::Lt(a, b), true) => bounded(*a, *b, 1),
        (Op::Lt(a, b), false) => bounded(*b, *a, 0),
        (Op::Eq(a, b), true) => {
            bounded(*a, *b, 0);
            bounded(*b, *a, 0);
        }
        _ => {}
    }
}

/// Assumes what follows from two bounded differences with a common node: `k <= limit` and `limit <= left`.
fn chain(arena: &mut Arena, facts: &mut Facts, conditions: &Conditions) {
    let wraps = |node: Node| matches!(arena.op(node), Op::Linear(..)) && arena.range(node) == Range::FULL;
    let mut known: Vec<Difference> = Vec::new();
    for &(condition, holds) in conditions {
        if let Op::Lt(a, b) | Op::Eq(a, b) = arena.op(condition)
            && !wraps(*a)
            && !wraps(*b)
        {
            differences(arena, condition, holds, &mut known);
        }
    }
    known.truncate(CHAINED);
    let direct = known.len();
    // Chains of up to three links.
    let mut from = 0;
    for _ in 0..2 {
        let until = known.len();
        for later in from..until {
            for first in 0..direct {
                let ((x, y, a), (z, w, b)) = (known[first], known[later]);
                if y == z
                    && x != w
                    && known.len() < 4 * CHAINED
                    && let Some(bound) = a.checked_add(b)
                {
                    known.push((x, w, bound));
                }
            }
        }
        from = until;
    }
    for &(x, y, high) in &known[direct..] {
        if arena.difference(x, y).is_some() {
            let difference = arena.sub(x, y);
            facts.narrow(arena, difference, Range { low: i64::MIN, high });
        }
    }
}

/// Assumes what follows from a condition and the facts.
fn imply(arena: &mut Arena, lists: &[Vec<i64>], facts: &mut Facts, condition: Node, holds: bool) {
    match (arena.op(condition).clone(), holds) {
        (Op::Not(inner), _) => imply(arena, lists, facts, inner, !holds),
        // One of the two equals `holds`. If one is known not to, the other does.
        (Op::And(a, b), false) | (Op::Or(a, b), true) => {
            if !arena.range(a).is_truth() || !arena.range(b).is_truth() {
                return;
            }
            let settled = Some(i64::from(!holds));
            for (this, that) in [(a, b), (b, a)] {
                if facts.range(arena, this).single() == settled {
                    facts.assume(arena, that, holds);
                }
            }
        }
        (Op::Lt(a, b), true) => order(arena, lists, facts, a, b, 1),
        (Op::Lt(a, b), false) => order(arena, lists, facts, b, a, 0),
        (Op::Eq(a, b), true) => {
            order(arena, lists, facts, a, b, 0);
            order(arena, lists, facts, b, a, 0);
        }
        _ => {}
    }
}

/// Assumes what follows from `small + gap <= large`.
fn order(arena: &mut Arena, lists: &[Vec<i64>], facts: &mut Facts, small: Node, large: Node, gap: i64) {
    match arena.op(large).clone() {
        Op::Div(of, by) if bound(arena, facts, by).low >= 1 => {
            let quotient = bound(arena, facts, large);
            facts.narrow(arena, large, quotient);
            let least = arena.shift(small, gap);
            let product = arena.mul(least, by);
            if arena.range(least) != Range::FULL && arena.range(product) != Range::FULL {
                let fits = arena.le(product, of);
                facts.assume(arena, fits, true);
            }
        }
        Op::Load(list, index) => {
            let least = facts.range(arena, small).low.saturating_add(gap);
            places(arena, &lists[list as usize], facts, index, |item| item >= least);
        }
        _ => {}
    }
    match *arena.op(small) {
        Op::Div(of, by) => {
            if let (Some(by), Some(high)) = (arena.known(by), facts.range(arena, large).high.checked_sub(gap))
                && by >= 1
                && let Some(high) = high.checked_mul(by).and_then(|high| high.checked_add(by - 1))
            {
                facts.narrow(arena, of, Range { low: i64::MIN, high });
            }
        }
        Op::Load(list, index) => {
            let most = facts.range(arena, large).high.saturating_sub(gap);
            places(arena, &lists[list as usize], facts, index, |item| item <= most);
        }
        _ => {}
    }
}

/// Assumes that a place of a list holds an allowed item.
fn places(arena: &mut Arena, list: &[i64], facts: &mut Facts, index: Node, allowed: impl Fn(i64) -> bool) {
    let at = facts.range(arena, index);
    if at.low < 0 || at.high >= list.len() as i64 || list.is_empty() {
        return;
    }
    let items = &list[at.low as usize..=at.high as usize];
    let (first, last) = match items.len() <= SHORT_LIST {
        true => (items.iter().position(|item| allowed(*item)), items.iter().rposition(|item| allowed(*item))),
        false => {
            // In long lists only a forbidden prefix or suffix is looked for, and not far.
            let first = items[..SHORT_LIST].iter().position(|item| allowed(*item)).unwrap_or(SHORT_LIST);
            let tail = items.len() - SHORT_LIST;
            let last = items[tail..].iter().rposition(|item| allowed(*item)).map_or(tail - 1, |place| tail + place);
            (Some(first), Some(last))
        }
    };
    match (first, last) {
        (Some(first), Some(last)) => {
            facts.narrow(arena, index, Range { low: at.low + first as i64, high: at.low + last as i64 });
        }
        _ => {
            let no = arena.truth(false);
            facts.assume(arena, no, true);
        }
    }
}

/// Whether a condition is false wherever the facts hold; `known` are the conditions behind the facts.
pub(crate) fn never(arena: &mut Arena, lists: &[Vec<i64>], facts: &Facts, known: &Conditions, node: Node) -> bool {
    let mut fuel = FUEL;
    refuted(arena, lists, facts, known, node, &mut fuel)
}

fn refuted(
    arena: &mut Arena,
    lists: &[Vec<i64>],
    facts: &Facts,
    known: &Conditions,
    node: Node,
    fuel: &mut u32,
) -> bool {
    if facts.refutes(arena, node) {
        return true;
    }
    if *fuel == 0 {
        return false;
    }
    *fuel -= 1;
    let truths = |arena: &Arena, a: Node, b: Node| arena.range(a).is_truth() && arena.range(b).is_truth();
    match *arena.op(node) {
        Op::Or(a, b) if truths(arena, a, b) => {
            refuted(arena, lists, facts, known, a, fuel) && refuted(arena, lists, facts, known, b, fuel)
        }
        Op::And(a, b) if truths(arena, a, b) => {
            if refuted(arena, lists, facts, known, a, fuel) {
                return true;
            }
            let mut with = known.clone();
            with.push((a, true));
            let facts = taken_in(arena, lists, facts.clone(), &with);
            facts.is_impossible() || refuted(arena, lists, &facts, &with, b, fuel)
        }
        Op::MulOverflows(a, b) | Op::AddOverflows(a, b) | Op::SubOverflows(a, b) => {
            let wide = |range: Range| [i128::from(range.low), i128::from(range.high)];
            let (of, by) = (wide(bound(arena, facts, a)), wide(bound(arena, facts, b)));
            let combined = |a: i128, b: i128| match arena.op(node) {
                Op::MulOverflows(..) => a * b,
                Op::AddOverflows(..) => a + b,
                _ => a - b,
            };
            of.iter().all(|a| by.iter().all(|b| i64::try_from(combined(*a, *b)).is_ok()))
        }
        _ => {
            let mut with = known.clone();
            with.push((node, true));
            taken_in(arena, lists, facts.clone(), &with).is_impossible()
        }
    }
}
