//! Nodes: expressions over the cells of a position, each written once, simplified as it is made, with its range.
//!
//! All arithmetic is on `i64` and wraps; every operation is total. Where the rules would stop with a fault (overflow, an
//! index out of range, a domain left), that is a condition of its own ([`crate::formulas::Action::fault`] and its kin), which
//! the ranges mostly show to be false. So nodes may be evaluated in any order, early, or many at a time.
//!
//! Sums are kept as linear combinations in a normal form, because what matters most about a move is how it *shifts* the
//! position: `(left - 3) - left` must come out as −3 and nothing else.

use rustc_hash::FxHashMap;

/// A node of an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub u32);

impl Node {
    /// Its place in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node computes. Truth values are 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A number.
    Const(i64),
    /// A cell of the position, as the layout numbers them. A set of at most 64 possible elements is one cell, its mask.
    Cell(u32),
    /// The player to move.
    Mover,
    /// A choice that is counted through, see [`crate::formulas::Count`].
    Choice(u32),
    /// `constant + Σ coefficient · node`, wrapping. Terms are sorted by node, without zeros, never constants or sums.
    Linear(Box<[(Node, i64)]>, i64),
    /// Product, wrapping.
    Mul(Node, Node),
    /// Quotient, rounded down; by zero: 0; the least number by −1: wraps.
    Div(Node, Node),
    /// Remainder with the sign of the divisor; by zero: 0.
    Rem(Node, Node),
    /// The lesser.
    Min(Node, Node),
    /// The larger.
    Max(Node, Node),
    /// Bitwise and; of truth values, both.
    And(Node, Node),
    /// Bitwise or; of truth values, either.
    Or(Node, Node),
    /// Bitwise exclusive or.
    Xor(Node, Node),
    /// Times a power of two, wrapping; the exponent is taken modulo 64.
    Shl(Node, Node),
    /// Divided by a power of two, rounded down; the exponent is taken modulo 64.
    Shr(Node, Node),
    /// Number of one bits.
    Popcount(Node),
    /// The number of the lowest one bit; 64 of 0.
    LowestBit(Node),
    /// The number of the highest one bit; −1 of 0.
    HighestBit(Node),
    /// Truth value: equal.
    Eq(Node, Node),
    /// Truth value: less.
    Lt(Node, Node),
    /// Truth value: the other one.
    Not(Node),
    /// The second if the first is not 0, else the third.
    Select(Node, Node, Node),
    /// An item of one of [`crate::formulas::Formulas::lists`]; outside the list: 0.
    Load(u32, Node),
    /// Truth value: whether the sum does not fit.
    AddOverflows(Node, Node),
    /// Truth value: whether the difference does not fit.
    SubOverflows(Node, Node),
    /// Truth value: whether the product does not fit.
    MulOverflows(Node, Node),
}

/// The least and the largest number a node can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// The least.
    pub low: i64,
    /// The largest.
    pub high: i64,
}

impl Range {
    /// Any number.
    pub const FULL: Range = Range { low: i64::MIN, high: i64::MAX };
    /// A truth value.
    pub const TRUTH: Range = Range { low: 0, high: 1 };

    /// From `low` to `high`; any number if these cross.
    pub fn new(low: i64, high: i64) -> Range {
        if low <= high { Range { low, high } } else { Range::FULL }
    }

    /// One number.
    pub fn only(number: i64) -> Range {
        Range { low: number, high: number }
    }

    /// From wide bounds; any number if they do not fit, since then the arithmetic wraps.
    pub fn wide(low: i128, high: i128) -> Range {
        match (i64::try_from(low), i64::try_from(high)) {
            (Ok(low), Ok(high)) => Range { low, high },
            _ => Range::FULL,
        }
    }

    /// The one number, if there is only one.
    pub fn single(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether a number lies in it.
    pub fn contains(self, number: i64) -> bool {
        self.low <= number && number <= self.high
    }

    /// Whether all of another range lies in it.
    pub fn covers(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Both together.
    pub fn union(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// What is in both; `None` if nothing is.
    pub fn meet(self, other: Range) -> Option<Range> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Range { low, high })
    }

    /// Whether it is a range of truth values.
    pub fn is_truth(self) -> bool {
        self.low >= 0 && self.high <= 1
    }
}

/// All nodes of one bound game. Equal expressions are one node.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    ops: Vec<Op>,
    ranges: Vec<Range>,
    index: FxHashMap<Op, Node>,
    /// The least and largest item of each list, and its length.
    lists: Vec<(Range, usize)>,
}

impl Arena {
    /// An empty arena.
    pub fn new() -> Arena {
        Arena::default()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// What a node computes.
    pub fn op(&self, node: Node) -> &Op {
        &self.ops[node.index()]
    }

    /// What a node can be, anywhere.
    pub fn range(&self, node: Node) -> Range {
        self.ranges[node.index()]
    }

    /// The number, if the node is one.
    pub fn known(&self, node: Node) -> Option<i64> {
        match self.op(node) {
            Op::Const(number) => Some(*number),
            _ => None,
        }
    }

    /// The node that computes just this, if there is one.
    pub fn find(&self, op: &Op) -> Option<Node> {
        self.index.get(op).copied()
    }

    /// Tells of a list that [`Op::Load`] can read; returns its number. Lists are numbered from 0 in this order.
    pub fn list(&mut self, items: &[i64]) -> u32 {
        let low = items.iter().copied().min().unwrap_or(0);
        let high = items.iter().copied().max().unwrap_or(0);
        self.lists.push((Range { low, high }, items.len()));
        self.lists.len() as u32 - 1
    }

    /// The nodes that a node is made of.
    pub fn operands(&self, node: Node, visit: &mut dyn FnMut(Node)) {
        match self.op(node) {
            Op::Const(_) | Op::Cell(_) | Op::Mover | Op::Choice(_) => {}
            Op::Linear(terms, _) => terms.iter().for_each(|term| visit(term.0)),
            Op::Popcount(a) | Op::LowestBit(a) | Op::HighestBit(a) | Op::Not(a) | Op::Load(_, a) => visit(*a),
            Op::Mul(a, b) | Op::Div(a, b) | Op::Rem(a, b) | Op::Min(a, b) | Op::Max(a, b) => {
                visit(*a);
                visit(*b);
            }
            Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) | Op::Shl(a, b) | Op::Shr(a, b) => {
                visit(*a);
                visit(*b);
            }
            Op::Eq(a, b) | Op::Lt(a, b) => {
                visit(*a);
                visit(*b);
            }
            Op::AddOverflows(a, b) | Op::SubOverflows(a, b) | Op::MulOverflows(a, b) => {
                visit(*a);
                visit(*b);
            }
            Op::Select(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
        }
    }

    /// A number.
    pub fn number(&mut self, number: i64) -> Node {
        self.make(Op::Const(number), Range::only(number))
    }

    /// A truth value.
    pub fn truth(&mut self, truth: bool) -> Node {
        self.number(i64::from(truth))
    }

    /// A cell whose domain is `range`, always the same for the same cell.
    pub fn cell(&mut self, cell: u32, range: Range) -> Node {
        self.leaf(Op::Cell(cell), range)
    }

    /// The player to move, of `players`.
    pub fn mover(&mut self, players: usize) -> Node {
        self.leaf(Op::Mover, Range { low: 0, high: players as i64 - 1 })
    }

    /// A choice that can only be in `range`, always the same for the same choice.
    pub fn choice(&mut self, choice: u32, range: Range) -> Node {
        self.leaf(Op::Choice(choice), range)
    }

    fn leaf(&mut self, op: Op, range: Range) -> Node {
        match range.single() {
            Some(number) => self.number(number),
            None => self.make(op, range),
        }
    }

    fn make(&mut self, op: Op, range: Range) -> Node {
        if let Some(number) = range.single()
            && !matches!(op, Op::Const(_))
        {
            return self.number(number);
        }
        if let Some(&node) = self.index.get(&op) {
            return node;
        }
        let node = Node(self.ops.len() as u32);
        self.ops.push(op.clone());
        self.ranges.push(range);
        self.index.insert(op, node);
        node
    }

    // ---- sums ----

    /// `a + b`
    pub fn add(&mut self, a: Node, b: Node) -> Node {
        self.combine(&[(a, 1), (b, 1)], 0)
    }

    /// `a - b`
    pub fn sub(&mut self, a: Node, b: Node) -> Node {
        self.combine(&[(a, 1), (b, -1)], 0)
    }

    /// `-a`
    pub fn neg(&mut self, a: Node) -> Node {
        self.combine(&[(a, -1)], 0)
    }

    /// `a + number`
    pub fn shift(&mut self, a: Node, number: i64) -> Node {
        self.combine(&[(a, 1)], number)
    }

    /// `a · number`
    pub fn scale(&mut self, a: Node, number: i64) -> Node {
        self.combine(&[(a, number)], 0)
    }

    /// `constant + Σ coefficient · node`
    pub fn combine(&mut self, terms: &[(Node, i64)], constant: i64) -> Node {
        let mut constant = constant;
        let mut flat: Vec<(Node, i64)> = Vec::with_capacity(terms.len() + 2);
        for &(node, factor) in terms {
            match self.op(node) {
                Op::Const(number) => constant = constant.wrapping_add(number.wrapping_mul(factor)),
                Op::Linear(inner, own) => {
                    constant = constant.wrapping_add(own.wrapping_mul(factor));
                    flat.extend(inner.iter().map(|(node, inner)| (*node, inner.wrapping_mul(factor))));
                }
                _ => flat.push((node, factor)),
            }
        }
        flat.sort_unstable_by_key(|term| term.0);
        flat.dedup_by(|from, into| {
            let same = from.0 == into.0;
            if same {
                into.1 = into.1.wrapping_add(from.1);
            }
            same
        });
        flat.retain(|term| term.1 != 0);
        match flat[..] {
            [] => self.number(constant),
            [(node, 1)] if constant == 0 => node,
            _ => {
                let range = self.linear_range(&flat, constant, &mut |arena, node| arena.range(node));
                self.make(Op::Linear(flat.into(), constant), range)
            }
        }
    }

    /// What a linear combination can be if its nodes are what `of` says.
    pub fn linear_range(
        &self,
        terms: &[(Node, i64)],
        constant: i64,
        of: &mut dyn FnMut(&Arena, Node) -> Range,
    ) -> Range {
        let (mut low, mut high) = (i128::from(constant), i128::from(constant));
        for &(node, factor) in terms {
            let range = of(self, node);
            let (a, b) = (i128::from(range.low) * i128::from(factor), i128::from(range.high) * i128::from(factor));
            low += a.min(b);
            high += a.max(b);
        }
        Range::wide(low, high)
    }

    /// A node as a linear combination, if its sums cannot wrap.
    pub fn linear(&self, node: Node) -> (Vec<(Node, i64)>, i64) {
        match self.op(node) {
            Op::Const(number) => (Vec::new(), *number),
            Op::Linear(terms, constant) => (terms.to_vec(), *constant),
            _ => (vec![(node, 1)], 0),
        }
    }

    // ---- other arithmetic ----

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

    /// The lesser.
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
        self.make(Op::Max(a.min(b), a.max(b)), Range { low: of.low.max(by.low), high: of.high.max(by.high) })
    }

    /// Whether the ranges show that `a ≤ b` everywhere.
    fn at_most(&mut self, a: Node, b: Node) -> bool {
        self.difference(a, b).is_some_and(|range| range.high <= 0)
    }

    /// The range of `a - b`, if neither it nor its parts can wrap.
    pub fn difference(&mut self, a: Node, b: Node) -> Option<Range> {
        let fits =
            |arena: &Arena, node: Node| !matches!(arena.op(node), Op::Linear(..)) || arena.range(node) != Range::FULL;
        if !fits(self, a) || !fits(self, b) {
            return None;
        }
        let difference = self.sub(a, b);
        Some(self.range(difference)).filter(|range| *range != Range::FULL)
    }

    // ---- bits ----

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
        *self.op(a) == Op::Not(b) || *self.op(b) == Op::Not(a)
    }

    /// What an or, or an exclusive or, of two nodes can be.
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

    // ---- truth values ----

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
        // `x + 3 == 5` is `x == 2`: a constant on one side only, since sums that wrap are still sums.
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
        // `3 x == 6` is `x == 2`, and `3 x + 6 y == 4` is never so, where the sum does not wrap.
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

    /// The other truth value.
    pub fn not(&mut self, a: Node) -> Node {
        match self.op(a) {
            Op::Const(number) => {
                let number = i64::from(*number == 0);
                self.number(number)
            }
            Op::Not(inner) => *inner,
            // `1 - x` of a truth value is the other one too.
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
        if of.is_truth() {
            let difference = self.sub(a, b);
            if let Some(number) = self.known(difference) {
                return self.combine(&[(b, 1), (c, number)], 0);
            }
        }
        let range = self.range(a).union(self.range(b));
        self.make(Op::Select(c, a, b), range)
    }

    /// An item of a list; `items` are the list's own, for indices that are known.
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
            false => all.union(Range::only(0)),
        };
        self.make(Op::Load(list, index), range)
    }

    // ---- overflow ----

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

/// All ones up to the highest one bit.
fn mask(bits: u64) -> i64 {
    (u64::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0) & i64::MAX as u64) as i64
}

/// What a quotient can be.
pub(crate) fn quotient(of: Range, by: Range) -> Range {
    if by.low < 0 {
        // Dividing makes nothing larger.
        let most = i128::from(of.low.unsigned_abs().max(of.high.unsigned_abs()));
        return Range::wide(-most, most);
    }
    if by.high == 0 {
        return Range::only(0);
    }
    let least = by.low.max(1);
    let low = floor(of.low, if of.low < 0 { least } else { by.high });
    let high = floor(of.high, if of.high < 0 { by.high } else { least });
    let range = Range::wide(low, high);
    if by.low == 0 { range.union(Range::only(0)) } else { range }
}

/// What a remainder can be.
pub(crate) fn rest(of: Range, by: Range) -> Range {
    match (by.low >= 0, by.high <= 0) {
        (true, true) => Range::only(0),
        (true, _) => Range { low: 0, high: (by.high - 1).min(if of.low >= 0 { of.high } else { i64::MAX }) },
        (_, true) => Range { low: by.low + 1, high: 0 },
        _ => Range { low: by.low + 1, high: by.high - 1 },
    }
}

/// What a product can be.
pub(crate) fn product(a: Range, b: Range) -> Range {
    let corners = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
    let corners = corners.map(|(a, b)| i128::from(a) * i128::from(b));
    Range::wide(*corners.iter().min().unwrap_or(&0), *corners.iter().max().unwrap_or(&0))
}

fn floor(a: i64, b: i64) -> i128 {
    i128::from(a).div_euclid(i128::from(b))
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The quotient, rounded down, as [`Op::Div`] has it.
pub fn divide(a: i64, b: i64) -> i64 {
    if b == 0 {
        return 0;
    }
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient.wrapping_sub(1) } else { quotient }
}

/// The remainder with the sign of the divisor, as [`Op::Rem`] has it.
pub fn remainder(a: i64, b: i64) -> i64 {
    if b == 0 {
        return 0;
    }
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}
