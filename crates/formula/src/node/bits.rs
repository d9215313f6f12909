//! Operations on bits. On truth values, these are `and`, `or` and `not equal`.

use super::{Arena, Node, Op, Range};

impl Arena {
    /// Bitwise and.
    pub fn and(&mut self, a: Node, b: Node) -> Node {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => return self.number(a & b),
            (Some(0), _) | (_, Some(0)) => return self.number(0),
            (Some(-1), _) => return b,
            (_, Some(-1)) => return a,
            (Some(1), _) if self.range(b).is_truth() => return b,
            (_, Some(1)) if self.range(a).is_truth() => return a,
            _ if a == b => return a,
            _ => {}
        }
        if self.are_opposites(a, b) {
            return self.number(0);
        }
        let (of, by) = (self.range(a), self.range(b));
        let range = match (of.low >= 0, by.low >= 0) {
            (true, true) => Range { low: 0, high: of.high.min(by.high) },
            (true, false) => Range { low: 0, high: of.high },
            (false, true) => Range { low: 0, high: by.high },
            _ => Range::FULL,
        };
        self.make(Op::And(a.min(b), a.max(b)), range)
    }

    /// Bitwise or.
    pub fn or(&mut self, a: Node, b: Node) -> Node {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => return self.number(a | b),
            (Some(0), _) => return b,
            (_, Some(0)) => return a,
            (Some(-1), _) | (_, Some(-1)) => return self.number(-1),
            (Some(1), _) if self.range(b).is_truth() => return self.number(1),
            (_, Some(1)) if self.range(a).is_truth() => return self.number(1),
            _ if a == b => return a,
            _ => {}
        }
        if self.are_opposites(a, b) {
            return self.number(1);
        }
        let range = self.bits_range(a, b);
        self.make(Op::Or(a.min(b), a.max(b)), range)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Node, b: Node) -> Node {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => return self.number(a ^ b),
            (Some(0), _) => return b,
            (_, Some(0)) => return a,
            (Some(1), _) if self.range(b).is_truth() => return self.not(b),
            (_, Some(1)) if self.range(a).is_truth() => return self.not(a),
            _ if a == b => return self.number(0),
            _ => {}
        }
        let range = self.bits_range(a, b);
        self.make(Op::Xor(a.min(b), a.max(b)), range)
    }

    fn are_opposites(&self, a: Node, b: Node) -> bool {
        self.range(a).is_truth() && self.range(b).is_truth() && (*self.op(a) == Op::Not(b) || *self.op(b) == Op::Not(a))
    }

    /// The range of an or, or an exclusive or, of two nodes.
    fn bits_range(&self, a: Node, b: Node) -> Range {
        let (of, by) = (self.range(a), self.range(b));
        if of.low < 0 || by.low < 0 {
            return Range::FULL;
        }
        Range { low: 0, high: mask((of.high | by.high) as u64) }
    }

    /// `a · 2^b`, wrapping.
    pub fn shl(&mut self, a: Node, b: Node) -> Node {
        match (self.known(a), self.known(b)) {
            (_, Some(by)) => self.scale(a, 1i64.wrapping_shl(by as u32)),
            (Some(1), None) if self.range(b).low >= 0 && self.range(b).high <= 62 => {
                let by = self.range(b);
                self.make(Op::Shl(a, b), Range { low: 1 << by.low, high: 1 << by.high })
            }
            _ => self.make(Op::Shl(a, b), Range::FULL),
        }
    }

    /// `a / 2^b`, rounded down.
    pub fn shr(&mut self, a: Node, b: Node) -> Node {
        let of = self.range(a);
        match (self.known(a), self.known(b)) {
            (Some(a), Some(by)) => self.number(a.wrapping_shr(by as u32)),
            (_, Some(0)) => a,
            (_, Some(by)) => {
                let range = Range { low: of.low.wrapping_shr(by as u32), high: of.high.wrapping_shr(by as u32) };
                self.make(Op::Shr(a, b), range)
            }
            _ => self.make(Op::Shr(a, b), Range { low: of.low.min(0), high: of.high.max(0).max(of.low) }),
        }
    }

    /// Number of one bits.
    pub fn popcount(&mut self, a: Node) -> Node {
        match self.known(a) {
            Some(a) => self.number(i64::from(a.count_ones())),
            None => {
                let of = self.range(a);
                let most = if of.low < 0 { 64 } else { 64 - i64::from(of.high.leading_zeros()) };
                self.make(Op::Popcount(a), Range { low: 0, high: most })
            }
        }
    }

    /// The number of the lowest one bit; 64 of 0.
    pub fn lowest_bit(&mut self, a: Node) -> Node {
        match self.known(a) {
            Some(a) => self.number(i64::from(a.trailing_zeros())),
            None => self.make(Op::LowestBit(a), Range { low: 0, high: 64 }),
        }
    }

    /// The number of the highest one bit; −1 of 0.
    pub fn highest_bit(&mut self, a: Node) -> Node {
        match self.known(a) {
            Some(a) => self.number(63 - i64::from(a.leading_zeros())),
            None => self.make(Op::HighestBit(a), Range { low: -1, high: 63 }),
        }
    }
}

/// All ones up to the highest one bit.
fn mask(bits: u64) -> i64 {
    (u64::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0) & i64::MAX as u64) as i64
}
