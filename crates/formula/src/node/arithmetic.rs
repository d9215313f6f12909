//! Products, quotients, minima and maxima, and the tests for overflow.

use super::{Arena, Node, Op, Range};

impl Arena {
    /// `a · b`
    pub fn mul(&mut self, a: Node, b: Node) -> Node {
        match (self.known(a), self.known(b)) {
            (_, Some(number)) => self.scale(a, number),
            (Some(number), _) => self.scale(b, number),
            _ => {
                let range = product(self.range(a), self.range(b));
                self.make(Op::Mul(a.min(b), a.max(b)), range)
            }
        }
    }

    /// `a / b`, rounded down.
    pub fn div(&mut self, a: Node, b: Node) -> Node {
        if let (Some(a), Some(b)) = (self.known(a), self.known(b)) {
            return self.number(divide(a, b));
        }
        if self.known(b) == Some(1) {
            return a;
        }
        let range = quotient(self.range(a), self.range(b));
        self.make(Op::Div(a, b), range)
    }

    /// `a % b`, with the sign of `b`.
    pub fn rem(&mut self, a: Node, b: Node) -> Node {
        if let (Some(a), Some(b)) = (self.known(a), self.known(b)) {
            return self.number(remainder(a, b));
        }
        let (of, by) = (self.range(a), self.range(b));
        if by.low > 0 && of.low >= 0 && of.high < by.low {
            return a;
        }
        let range = rest(of, by);
        self.make(Op::Rem(a, b), range)
    }

    /// The smaller.
    pub fn min(&mut self, a: Node, b: Node) -> Node {
        let (of, by) = (self.range(a), self.range(b));
        if a == b || of.high <= by.low || self.at_most(a, b) {
            return a;
        }
        if by.high <= of.low || self.at_most(b, a) {
            return b;
        }
        self.make(Op::Min(a.min(b), a.max(b)), Range { low: of.low.min(by.low), high: of.high.min(by.high) })
    }

    /// The larger.
    pub fn max(&mut self, a: Node, b: Node) -> Node {
        let (of, by) = (self.range(a), self.range(b));
        if a == b || of.low >= by.high || self.at_most(b, a) {
            return a;
        }
        if by.low >= of.high || self.at_most(a, b) {
            return b;
        }
        let mut range = Range { low: of.low.max(by.low), high: of.high.max(by.high) };
        // The larger of `x` and `-x` is not negative.
        if of != Range::FULL && by != Range::FULL && self.constant_sum(a, b) == Some(0) {
            range.low = range.low.max(0);
        }
        self.make(Op::Max(a.min(b), a.max(b)), range)
    }

    /// `a + b`, wrapping, if that is constant.
    fn constant_sum(&self, a: Node, b: Node) -> Option<i64> {
        let ((terms, constant), (others, other)) = (self.linear(a), self.linear(b));
        let opposite = terms.len() == others.len()
            && terms.iter().zip(&others).all(|(a, b)| a.0 == b.0 && a.1 == b.1.wrapping_neg());
        opposite.then(|| constant.wrapping_add(other))
    }

    /// `a - b`, wrapping, if that is constant.
    pub(super) fn constant_difference(&self, a: Node, b: Node) -> Option<i64> {
        let ((terms, constant), (others, other)) = (self.linear(a), self.linear(b));
        (terms == others).then(|| constant.wrapping_sub(other))
    }

    /// Whether the ranges show that `a ≤ b` at every position.
    fn at_most(&self, a: Node, b: Node) -> bool {
        self.difference(a, b).is_some_and(|range| range.high <= 0)
    }

    /// The range of `a - b`, if neither it nor its parts can wrap.
    pub fn difference(&self, a: Node, b: Node) -> Option<Range> {
        let (terms, constant) = self.linear_difference(a, b)?;
        let range = self.linear_range(&terms, constant, &mut |arena, node| arena.range(node));
        Some(range).filter(|range| *range != Range::FULL)
    }

    /// `a - b` as factors of nodes and a constant, if neither of the two can wrap, nor a factor or the constant.
    pub fn linear_difference(&self, a: Node, b: Node) -> Option<(Vec<(Node, i64)>, i64)> {
        let wraps = |node: Node| matches!(self.op(node), Op::Linear(..)) && self.range(node) == Range::FULL;
        if wraps(a) || wraps(b) {
            return None;
        }
        let ((mut terms, constant), (others, other)) = (self.linear(a), self.linear(b));
        for (node, factor) in others {
            terms.push((node, factor.checked_neg()?));
        }
        terms.sort_unstable_by_key(|term| term.0);
        let mut wraps = false;
        terms.dedup_by(|from, into| {
            let same = from.0 == into.0;
            if same {
                wraps |= into.1.checked_add(from.1).is_none();
                into.1 = into.1.wrapping_add(from.1);
            }
            same
        });
        terms.retain(|term| term.1 != 0);
        let constant = constant.checked_sub(other)?;
        (!wraps).then_some((terms, constant))
    }

    /// Whether `a + b` does not fit.
    pub fn add_overflows(&mut self, a: Node, b: Node) -> Node {
        let (of, by) = (self.range(a), self.range(b));
        match (of.low.checked_add(by.low), of.high.checked_add(by.high)) {
            (Some(_), Some(_)) => self.number(0),
            _ => self.make(Op::AddOverflows(a.min(b), a.max(b)), Range::TRUTH),
        }
    }

    /// Whether `a - b` does not fit.
    pub fn sub_overflows(&mut self, a: Node, b: Node) -> Node {
        let (of, by) = (self.range(a), self.range(b));
        match (of.low.checked_sub(by.high), of.high.checked_sub(by.low)) {
            (Some(_), Some(_)) => self.number(0),
            _ => self.make(Op::SubOverflows(a, b), Range::TRUTH),
        }
    }

    /// Whether `a · b` does not fit.
    pub fn mul_overflows(&mut self, a: Node, b: Node) -> Node {
        let (of, by) = (self.range(a), self.range(b));
        let corners = [(of.low, by.low), (of.low, by.high), (of.high, by.low), (of.high, by.high)];
        match corners.iter().all(|(a, b)| a.checked_mul(*b).is_some()) {
            true => self.number(0),
            false => self.make(Op::MulOverflows(a.min(b), a.max(b)), Range::TRUTH),
        }
    }
}

/// The range of a quotient.
pub(crate) fn quotient(of: Range, by: Range) -> Range {
    if by.low < 0 {
        // Dividing makes nothing larger.
        let most = i128::from(of.low.unsigned_abs().max(of.high.unsigned_abs()));
        return Range::wide(-most, most);
    }
    if by.high == 0 {
        return Range::exactly(0);
    }
    let least = by.low.max(1);
    let low = floor(of.low, if of.low < 0 { least } else { by.high });
    let high = floor(of.high, if of.high < 0 { by.high } else { least });
    let range = Range::wide(low, high);
    if by.low == 0 { range.union(Range::exactly(0)) } else { range }
}

/// The range of a remainder.
pub(crate) fn rest(of: Range, by: Range) -> Range {
    match (by.low >= 0, by.high <= 0) {
        (true, true) => Range::exactly(0),
        (true, _) => Range { low: 0, high: (by.high - 1).min(if of.low >= 0 { of.high } else { i64::MAX }) },
        (_, true) => Range { low: by.low + 1, high: 0 },
        _ => Range { low: by.low + 1, high: by.high - 1 },
    }
}

/// The range of a product.
pub(crate) fn product(a: Range, b: Range) -> Range {
    let corners = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
    let corners = corners.map(|(a, b)| i128::from(a) * i128::from(b));
    Range::wide(*corners.iter().min().unwrap_or(&0), *corners.iter().max().unwrap_or(&0))
}

fn floor(a: i64, b: i64) -> i128 {
    i128::from(a).div_euclid(i128::from(b))
}

/// The quotient, rounded down, as [`Op::Div`] defines it.
pub fn divide(a: i64, b: i64) -> i64 {
    if b == 0 {
        return 0;
    }
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient.wrapping_sub(1) } else { quotient }
}

/// The remainder with the sign of the divisor, as [`Op::Rem`] defines it.
pub fn remainder(a: i64, b: i64) -> i64 {
    if b == 0 {
        return 0;
    }
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}
