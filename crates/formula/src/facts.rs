//! Narrower ranges where conditions hold.
//!
//! `left - k` may be anything from −k on, but where `k <= left` holds it is at least 0. [`Facts`] assumes conditions
//! and answers with narrower ranges. Besides the ranges of leaves it remembers bounds of whole differences (`i - j` is
//! at most −1), which ranges of single variables cannot express.

use rustc_hash::FxHashMap;

use crate::node::{Arena, Node, Op, Range, product, quotient, rest};

/// How often all conditions are assumed again, so that one can profit from another.
const ROUNDS: usize = 3;
/// How many parts of a conjunction are assumed.
const PARTS: usize = 100;
/// How many nodes are visited for one range. Shared nodes would be visited once for each path to them, and the paths
/// can be exponentially many.
const LOOKS: u32 = 64;

/// Narrower ranges than those of the arena, true wherever the assumed conditions hold.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    ranges: FxHashMap<Node, Range>,
    /// Set when the conditions cannot all hold.
    impossible: bool,
}

impl Facts {
    /// The facts where all of these conditions (truth values) hold.
    pub fn assuming(arena: &mut Arena, conditions: &[Node]) -> Facts {
        let mut facts = Facts::default();
        for _ in 0..ROUNDS {
            for &condition in conditions {
                facts.assume(arena, condition, true);
            }
        }
        facts
    }

    /// About how much memory they take.
    pub(crate) fn bytes(&self) -> u64 {
        (self.ranges.capacity() * (size_of::<(Node, Range)>() + 1)) as u64
    }

    /// Whether the conditions cannot all hold.
    pub fn is_impossible(&self) -> bool {
        self.impossible
    }

    /// Assumes that a condition holds, or that it does not. Of a very long conjunction only the first hundred parts are
    /// used.
    pub fn assume(&mut self, arena: &mut Arena, condition: Node, holds: bool) {
        let mut open = vec![(condition, holds)];
        let mut parts = 0;
        while let Some((condition, holds)) = open.pop() {
            let truths = |a: Node, b: Node| arena.range(a).is_truth() && arena.range(b).is_truth();
            match (arena.op(condition), holds) {
                (Op::Not(inner), _) => open.push((*inner, !holds)),
                (Op::And(a, b), true) | (Op::Or(a, b), false) if truths(*a, *b) => {
                    open.push((*b, holds));
                    open.push((*a, holds));
                }
                _ => self.assume_part(arena, condition, holds),
            }
            if arena.range(condition).is_truth() {
                self.remember(condition, Range::exactly(i64::from(holds)));
            }
            parts += 1;
            if parts == PARTS {
                return;
            }
        }
    }

    /// Assumes a condition that is no conjunction.
    fn assume_part(&mut self, arena: &mut Arena, condition: Node, holds: bool) {
        if arena.known(condition).is_some_and(|number| (number != 0) != holds) {
            self.impossible = true;
            return;
        }
        match (arena.op(condition).clone(), holds) {
            (Op::Lt(a, b), true) => self.order(arena, a, b, 1),
            (Op::Lt(a, b), false) => self.order(arena, b, a, 0),
            (Op::Eq(a, b), true) => {
                self.order(arena, a, b, 0);
                self.order(arena, b, a, 0);
            }
            (Op::Eq(a, b), false) => {
                let (of, by) = (self.range(arena, a), self.range(arena, b));
                if let Some(number) = by.single() {
                    self.exclude(arena, a, of, number);
                } else if let Some(number) = of.single() {
                    self.exclude(arena, b, by, number);
                }
            }
            _ => {}
        }
    }

    fn exclude(&mut self, arena: &mut Arena, node: Node, of: Range, number: i64) {
        if of.single() == Some(number) {
            self.impossible = true;
        } else if of.low == number {
            self.narrow(arena, node, Range { low: number + 1, high: of.high });
        } else if of.high == number {
            self.narrow(arena, node, Range { low: of.low, high: number - 1 });
        }
    }

    /// Assumes `a + gap <= b`.
    fn order(&mut self, arena: &mut Arena, a: Node, b: Node, gap: i64) {
        if let Op::Min(x, y) = *arena.op(b) {
            self.order(arena, a, x, gap);
            self.order(arena, a, y, gap);
        }
        if let Op::Max(x, y) = *arena.op(a) {
            self.order(arena, x, b, gap);
            self.order(arena, y, b, gap);
        }
        self.order_quotients(arena, a, b, gap);
        let (of, by) = (self.range(arena, a), self.range(arena, b));
        if let Some(high) = by.high.checked_sub(gap) {
            self.narrow(arena, a, Range { low: i64::MIN, high });
        }
        if let Some(low) = of.low.checked_add(gap) {
            self.narrow(arena, b, Range { low, high: i64::MAX });
        }
        if arena.difference(a, b).is_some() {
            let difference = arena.sub(a, b);
            self.narrow(arena, difference, Range { low: i64::MIN, high: -gap });
        }
    }

    /// Assumes `a + gap <= b` where a side is a quotient: `k <= x / y` is `k y <= x`, and `x / y <= k` is `x < (k + 1)
    /// y`.
    fn order_quotients(&mut self, arena: &mut Arena, a: Node, b: Node, gap: i64) {
        let fits = |arena: &Arena, node: Node| arena.range(node) != Range::FULL;
        if let Op::Div(x, y) = *arena.op(b)
            && self.range(arena, y).low > 0
        {
            let times = arena.shift(a, gap);
            let product = arena.mul(times, y);
            if fits(arena, times) && fits(arena, product) {
                self.order(arena, product, x, 0);
            }
        }
        if let Op::Div(x, y) = *arena.op(a)
            && self.range(arena, y).low > 0
            && let Some(next) = 1i64.checked_sub(gap)
        {
            let times = arena.shift(b, next);
            let product = arena.mul(times, y);
            if fits(arena, times) && fits(arena, product) {
                self.order(arena, x, product, 1);
            }
        }
    }

    /// Assumes that a product, which does not wrap, lies in a range.
    fn narrow_factors(&mut self, arena: &mut Arena, a: Node, b: Node, met: Range) {
        if a == b {
            if met.high >= 0 {
                let root = met.high.isqrt();
                self.narrow(arena, a, Range { low: -root, high: root });
            }
            return;
        }
        let (of, by) = (self.range(arena, a), self.range(arena, b));
        if of.low < 0 || by.low < 0 || met.high < 0 {
            return;
        }
        for (node, other) in [(a, by), (b, of)] {
            if other.low > 0 {
                self.narrow(arena, node, Range { low: 0, high: met.high / other.low });
            }
        }
    }

    /// Assumes that a node lies in a range.
    pub fn narrow(&mut self, arena: &mut Arena, node: Node, to: Range) {
        let now = self.range(arena, node);
        let Some(met) = now.meet(to) else {
            self.impossible = true;
            return;
        };
        if met == now {
            return;
        }
        if let Op::Linear(terms, constant) = arena.op(node).clone() {
            if arena.range(node) == Range::FULL {
                return; // It may wrap: its value says nothing of its terms.
            }
            let plain = arena.combine(&terms, 0);
            if plain != node && arena.range(plain) == Range::FULL {
                return;
            }
            let (low, high) = (i128::from(met.low) - i128::from(constant), i128::from(met.high) - i128::from(constant));
            if plain != node {
                self.remember(plain, Range::wide(low, high));
            } else {
                self.remember(node, met);
            }
            for &(term, factor) in terms.iter() {
                let rest: Vec<(Node, i64)> = terms.iter().copied().filter(|other| other.0 != term).collect();
                let rest = arena.linear_range(&rest, 0, &mut |arena, node| self.range(arena, node));
                if rest == Range::FULL {
                    continue;
                }
                // factor · term = met − constant − rest
                let (low, high) = (low - i128::from(rest.high), high - i128::from(rest.low));
                let factor = i128::from(factor);
                let (low, high) = if factor > 0 {
                    (-((-low).div_euclid(factor)), high.div_euclid(factor))
                } else {
                    (-((high).div_euclid(-factor)), (-low).div_euclid(-factor))
                };
                let clamp = |number: i128| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                if low <= high {
                    self.narrow(arena, term, Range { low: clamp(low), high: clamp(high) });
                } else {
                    self.impossible = true;
                }
            }
            return;
        }
        self.remember(node, met);
        match arena.op(node).clone() {
            Op::Min(a, b) => {
                let above = Range { low: met.low, high: i64::MAX };
                self.narrow(arena, a, above);
                self.narrow(arena, b, above);
            }
            Op::Max(a, b) => {
                let below = Range { low: i64::MIN, high: met.high };
                self.narrow(arena, a, below);
                self.narrow(arena, b, below);
            }
            Op::Mul(a, b) if arena.range(node) != Range::FULL => self.narrow_factors(arena, a, b, met),
            _ => {}
        }
    }

    fn remember(&mut self, node: Node, range: Range) {
        let entry = self.ranges.entry(node).or_insert(range);
        match entry.meet(range) {
            Some(met) => *entry = met,
            None => self.impossible = true,
        }
    }

    /// The range of a node where the conditions hold.
    pub fn range(&self, arena: &Arena, node: Node) -> Range {
        self.look(arena, node, &mut LOOKS.clone())
    }

    /// The range of a node, visiting at most `looks` nodes: quicker, and perhaps wider.
    pub fn glance(&self, arena: &Arena, node: Node, looks: u32) -> Range {
        self.look(arena, node, &mut looks.clone())
    }

    fn look(&self, arena: &Arena, node: Node, looks: &mut u32) -> Range {
        let mut range = arena.range(node);
        if let Some(known) = self.ranges.get(&node) {
            range = range.meet(*known).unwrap_or(range);
        }
        if self.ranges.is_empty() || *looks == 0 || range.single().is_some() {
            return range;
        }
        *looks -= 1;
        let computed = match arena.op(node) {
            Op::Linear(terms, constant) => {
                let direct = arena.linear_range(terms, *constant, &mut |arena, node| self.look(arena, node, looks));
                if range == Range::FULL { direct } else { self.by_difference(arena, terms, *constant, direct) }
            }
            Op::Min(a, b) => {
                let (a, b) = (self.look(arena, *a, looks), self.look(arena, *b, looks));
                Range { low: a.low.min(b.low), high: a.high.min(b.high) }
            }
            Op::Max(a, b) => {
                let (a, b) = (self.look(arena, *a, looks), self.look(arena, *b, looks));
                Range { low: a.low.max(b.low), high: a.high.max(b.high) }
            }
            Op::Mul(a, b) => product(self.look(arena, *a, looks), self.look(arena, *b, looks)),
            Op::Div(a, b) => quotient(self.look(arena, *a, looks), self.look(arena, *b, looks)),
            Op::Rem(a, b) => rest(self.look(arena, *a, looks), self.look(arena, *b, looks)),
            Op::Select(c, a, b) => match self.look(arena, *c, looks).single() {
                Some(0) => self.look(arena, *b, looks),
                Some(_) => self.look(arena, *a, looks),
                None => self.look(arena, *a, looks).union(self.look(arena, *b, looks)),
            },
            Op::Not(a) => match self.look(arena, *a, looks).single() {
                Some(number) => Range::exactly(i64::from(number == 0)),
                None => range,
            },
            Op::Lt(a, b) => match self.compare(arena, *a, *b, looks) {
                Some(difference) if difference.high < 0 => Range::exactly(1),
                Some(difference) if difference.low >= 0 => Range::exactly(0),
                _ => range,
            },
            Op::Eq(a, b) => match self.compare(arena, *a, *b, looks) {
                Some(difference) if difference.single() == Some(0) => Range::exactly(1),
                Some(difference) if !difference.contains(0) => Range::exactly(0),
                _ => range,
            },
            Op::And(a, b) if range.is_truth() => {
                let (a, b) = (self.look(arena, *a, looks), self.look(arena, *b, looks));
                match (a.single(), b.single()) {
                    (Some(0), _) | (_, Some(0)) => Range::exactly(0),
                    (Some(1), Some(1)) => Range::exactly(1),
                    _ => range,
                }
            }
            Op::Or(a, b) if range.is_truth() => {
                let (a, b) = (self.look(arena, *a, looks), self.look(arena, *b, looks));
                match (a.single(), b.single()) {
                    (Some(1), _) | (_, Some(1)) => Range::exactly(1),
                    (Some(0), Some(0)) => Range::exactly(0),
                    _ => range,
                }
            }
            _ => range,
        };
        range.meet(computed).unwrap_or(range)
    }

    /// Narrows the range of a sum by the known range of the sum without its constant, or of its negative.
    fn by_difference(&self, arena: &Arena, terms: &[(Node, i64)], constant: i64, direct: Range) -> Range {
        let mut range = direct;
        let mut look = |terms: Box<[(Node, i64)]>, sign: i128| {
            let Some(node) = arena.find(&Op::Linear(terms, 0)) else { return };
            let Some(known) = self.ranges.get(&node) else { return };
            let ends = [i128::from(known.low) * sign, i128::from(known.high) * sign];
            let low = ends[0].min(ends[1]) + i128::from(constant);
            let high = ends[0].max(ends[1]) + i128::from(constant);
            range = range.meet(Range::wide(low, high)).unwrap_or(range);
        };
        look(terms.into(), 1);
        look(terms.iter().map(|(node, factor)| (*node, factor.wrapping_neg())).collect(), -1);
        range
    }

    /// The range of `a - b`, if it cannot wrap.
    fn compare(&self, arena: &Arena, a: Node, b: Node, looks: &mut u32) -> Option<Range> {
        let (terms, constant) = arena.linear_difference(a, b)?;
        let direct = arena.linear_range(&terms, constant, &mut |arena, node| self.look(arena, node, looks));
        if direct == Range::FULL {
            return None;
        }
        let plain = match terms[..] {
            [] => return Some(Range::exactly(constant)),
            _ => self.by_difference(arena, &terms, constant, direct),
        };
        Some(plain)
    }

    /// Whether a truth value is false wherever the conditions hold.
    pub fn refutes(&self, arena: &Arena, condition: Node) -> bool {
        self.impossible || self.glance(arena, condition, 5 * LOOKS).single() == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_narrow_ranges() {
        let mut arena = Arena::new();
        let left = arena.cell(0, Range { low: 0, high: 20 });
        let three = arena.number(3);
        let guard = arena.le(three, left);
        let after = arena.shift(left, -3);
        assert_eq!(arena.range(after), Range { low: -3, high: 17 });
        let facts = Facts::assuming(&mut arena, &[guard]);
        assert_eq!(facts.range(&arena, after), Range { low: 0, high: 17 });
    }

    #[test]
    fn differences_are_remembered() {
        let mut arena = Arena::new();
        let range = Range { low: 0, high: 9 };
        let (i, j) = (arena.cell(0, range), arena.cell(1, range));
        let guard = arena.lt(i, j);
        let (next, last) = (arena.shift(i, 1), arena.shift(j, -1));
        let facts = Facts::assuming(&mut arena, &[guard]);
        assert_eq!(facts.range(&arena, next), Range { low: 1, high: 9 });
        assert_eq!(facts.range(&arena, last), Range { low: 0, high: 8 });
        let still = arena.le(next, j);
        assert_eq!(facts.range(&arena, still), Range::exactly(1));
        let crossed = arena.lt(j, i);
        assert!(facts.refutes(&arena, crossed));
        let none = Facts::assuming(&mut arena, &[guard, crossed]);
        assert!(none.is_impossible());
    }
}
