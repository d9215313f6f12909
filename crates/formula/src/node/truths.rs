//! Comparisons, choices between two nodes, and items of lists.

use super::{Arena, Node, Op, Range};

impl Arena {
    /// The parts of a conjunction.
    pub fn conjuncts(&self, node: Node) -> Vec<Node> {
        let mut parts = Vec::new();
        let mut wanted = vec![node];
        while let Some(node) = wanted.pop() {
            match self.op(node) {
                Op::And(a, b) if self.range(node).is_truth() => wanted.extend([*a, *b]),
                Op::Const(1) => {}
                _ => parts.push(node),
            }
        }
        parts
    }

    /// `a == b`
    pub fn eq(&mut self, a: Node, b: Node) -> Node {
        if a == b {
            return self.number(1);
        }
        if self.range(a).meet(self.range(b)).is_none() {
            return self.number(0);
        }
        let (truth, other) = match (self.known(a), self.known(b)) {
            (_, Some(number)) if self.range(a).is_truth() => (Some(number), a),
            (Some(number), _) if self.range(b).is_truth() => (Some(number), b),
            _ => (None, a),
        };
        match truth {
            Some(1) => {
                let not = self.not(other);
                return self.not(not);
            }
            Some(0) => return self.not(other),
            _ => {}
        }
        if let Some(difference) = self.difference(a, b)
            && !difference.contains(0)
        {
            return self.number(0);
        }
        // `x + 3 == 5` is `x == 2`, even if the sum wraps, since the constant is on one side only.
        if let (Op::Linear(terms, constant), Some(number)) = (self.op(a).clone(), self.known(b))
            && constant != 0
        {
            let left = self.combine(&terms, 0);
            let right = self.number(number.wrapping_sub(constant));
            return self.eq(left, right);
        }
        if self.known(a).is_some() && self.known(b).is_none() {
            return self.eq(b, a);
        }
        // `3 x == 6` is `x == 2`, and `3 x + 6 y == 4` is always false, if the sum does not wrap.
        if let (Op::Linear(terms, _), Some(number)) = (self.op(a).clone(), self.known(b))
            && self.range(a) != Range::FULL
        {
            let divisor = terms.iter().fold(0u64, |divisor, term| gcd(divisor, term.1.unsigned_abs()));
            if let Ok(divisor) = i64::try_from(divisor)
                && divisor > 1
            {
                if number % divisor != 0 {
                    return self.number(0);
                }
                let terms: Vec<(Node, i64)> = terms.iter().map(|(node, factor)| (*node, factor / divisor)).collect();
                let left = self.combine(&terms, 0);
                let right = self.number(number / divisor);
                return self.eq(left, right);
            }
            if terms.len() == 1 && terms[0].1 == -1 {
                let right = self.number(number.wrapping_neg());
                return self.eq(terms[0].0, right);
            }
        }
        self.make(Op::Eq(a.min(b), a.max(b)), Range::TRUTH)
    }

    /// `a != b`
    pub fn ne(&mut self, a: Node, b: Node) -> Node {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `a < b`
    pub fn lt(&mut self, a: Node, b: Node) -> Node {
        let (of, by) = (self.range(a), self.range(b));
        if of.high < by.low {
            return self.number(1);
        }
        if a == b || of.low >= by.high {
            return self.number(0);
        }
        if let Some(difference) = self.difference(a, b) {
            if difference.high < 0 {
                return self.number(1);
            }
            if difference.low >= 0 {
                return self.number(0);
            }
        }
        self.make(Op::Lt(a, b), Range::TRUTH)
    }

    /// `a <= b`
    pub fn le(&mut self, a: Node, b: Node) -> Node {
        let greater = self.lt(b, a);
        self.not(greater)
    }

    /// The negation.
    pub fn not(&mut self, a: Node) -> Node {
        match self.op(a) {
            Op::Const(number) => {
                let number = i64::from(*number == 0);
                self.number(number)
            }
            Op::Not(inner) if self.range(*inner).is_truth() => *inner,
            // `1 - x` of a truth value is the negation too.
            Op::Linear(terms, 1) if terms.len() == 1 && terms[0].1 == -1 && self.range(terms[0].0).is_truth() => {
                terms[0].0
            }
            _ => self.make(Op::Not(a), Range::TRUTH),
        }
    }

    /// `if c then a else b`
    pub fn select(&mut self, c: Node, a: Node, b: Node) -> Node {
        if a == b {
            return a;
        }
        let of = self.range(c);
        if !of.contains(0) {
            return a;
        }
        if of.single() == Some(0) {
            return b;
        }
        if let Op::Not(inner) = self.op(c) {
            let inner = *inner;
            return self.select(inner, b, a);
        }
        if of.is_truth() && self.range(a).is_truth() && self.range(b).is_truth() {
            match (self.known(a), self.known(b)) {
                (Some(1), Some(0)) => return c,
                (Some(0), Some(1)) => return self.not(c),
                (Some(1), None) => return self.or(c, b),
                (None, Some(0)) => return self.and(c, a),
                (Some(0), None) => {
                    let other = self.not(c);
                    return self.and(other, b);
                }
                (None, Some(1)) => {
                    let other = self.not(c);
                    return self.or(other, a);
                }
                _ => {}
            }
        }
        // `if c then x + 3 else x` is `x + 3 c`: a shift stays a shift.
        if of.is_truth()
            && let Some(number) = self.constant_difference(a, b)
        {
            return self.combine(&[(b, 1), (c, number)], 0);
        }
        let range = self.range(a).union(self.range(b));
        self.make(Op::Select(c, a, b), range)
    }

    /// An item of a list. `items` are the items of the list, for constant indices.
    pub fn load(&mut self, list: u32, items: &[i64], index: Node) -> Node {
        if let Some(index) = self.known(index) {
            let item = usize::try_from(index).ok().and_then(|index| items.get(index)).copied().unwrap_or(0);
            return self.number(item);
        }
        let (all, length) = self.lists[list as usize];
        let at = self.range(index);
        let inside = at.low >= 0 && at.high < length as i64;
        let range = match inside {
            true if at.high - at.low < 64 => {
                let near = &items[at.low as usize..=at.high as usize];
                Range { low: *near.iter().min().unwrap_or(&0), high: *near.iter().max().unwrap_or(&0) }
            }
            true => all,
            false => all.union(Range::exactly(0)),
        };
        self.make(Op::Load(list, index), range)
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
