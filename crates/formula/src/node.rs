//! Nodes: expressions over the cells of a position, each stored once, simplified as it is made, with its range.
//!
//! All arithmetic is on `i64` and wraps; every operation is total. If the rules would stop with a fault (overflow, an
//! index out of range, a value outside its domain), a separate condition says so ([`crate::formulas::Action::fault`]
//! and its kin), and ranges mostly show it to be false. So nodes may be evaluated in any order, early, or many at a
//! time.
//!
//! Sums are linear combinations in a normal form, because what matters most about a move is how it *shifts* the
//! position: `(left - 3) - left` must come out as −3 and nothing else.

mod arithmetic;
mod bits;
mod truths;

pub use arithmetic::{divide, remainder};
pub(crate) use arithmetic::{product, quotient, rest};

use rules::stop::Held;
use rustc_hash::FxHashMap;

/// A node of an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub u32);

impl Node {
    /// Its index in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node computes. Truth values are 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A number.
    Const(i64),
    /// A cell of the position, by its number in the layout. A set of at most 64 possible elements is one cell, its
    /// mask.
    Cell(u32),
    /// The player to move.
    Mover,
    /// A counted choice, see [`crate::formulas::Count`].
    Choice(u32),
    /// `constant + Σ coefficient · node`, wrapping. Terms are sorted by node; none is zero, a constant or a sum.
    Linear(Box<[(Node, i64)]>, i64),
    /// Product, wrapping.
    Mul(Node, Node),
    /// Quotient, rounded down; by zero: 0; the least number by −1: wraps.
    Div(Node, Node),
    /// Remainder with the sign of the divisor; by zero: 0.
    Rem(Node, Node),
    /// The smaller.
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
    /// Truth value: negation.
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

/// The least and the largest value of a node.
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

    /// From `low` to `high`; any number if `low > high`.
    pub fn new(low: i64, high: i64) -> Range {
        if low <= high { Range { low, high } } else { Range::FULL }
    }

    /// One number.
    pub fn exactly(number: i64) -> Range {
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

    /// Whether it contains a number.
    pub fn contains(self, number: i64) -> bool {
        self.low <= number && number <= self.high
    }

    /// Whether it contains another range.
    pub fn covers(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The least range that contains both.
    pub fn union(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The intersection; `None` if it is empty.
    pub fn meet(self, other: Range) -> Option<Range> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Range { low, high })
    }

    /// Whether it is a range of truth values.
    pub fn is_truth(self) -> bool {
        self.low >= 0 && self.high <= 1
    }
}

/// What a node takes, with its entry in the index and what others keep of it while they look at it.
const NODE_BYTES: u64 = 200;
/// What a term of a sum takes, here and in the index.
const TERM_BYTES: u64 = 32;

/// All nodes of one bound game. Equal expressions are one node.
///
/// Formulas may grow to millions of nodes, so that they are charged to the memory of whoever has limits (see
/// [`rules::stop`]). An arena that does not fit goes on, since nothing here can fail. It says so ([`Arena::is_full`]), and
/// whoever makes many nodes gives up.
#[derive(Debug, Default)]
pub struct Arena {
    ops: Vec<Op>,
    ranges: Vec<Range>,
    index: FxHashMap<Op, Node>,
    /// The least and largest item of each list, and its length.
    lists: Vec<(Range, usize)>,
    held: Held,
    is_full: bool,
}

/// A copy takes as much again.
impl Clone for Arena {
    fn clone(&self) -> Arena {
        let mut held = Held::default();
        let is_full = held.try_grow(self.held.bytes()).is_err() || self.is_full;
        let Arena { ops, ranges, index, lists, .. } = self;
        Arena { ops: ops.clone(), ranges: ranges.clone(), index: index.clone(), lists: lists.clone(), held, is_full }
    }
}

impl Arena {
    /// An empty arena.
    pub fn new() -> Arena {
        Arena::default()
    }

    /// Whether a copy would fit in memory.
    pub fn can_be_copied(&self) -> bool {
        Held::default().try_grow(self.held.bytes()).is_ok()
    }

    /// Whether the nodes did not fit in memory.
    pub fn is_full(&self) -> bool {
        self.is_full
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

    /// The values that a node can take, at any position.
    pub fn range(&self, node: Node) -> Range {
        self.ranges[node.index()]
    }

    /// The number, if the node is a constant.
    pub fn known(&self, node: Node) -> Option<i64> {
        match self.op(node) {
            Op::Const(number) => Some(*number),
            _ => None,
        }
    }

    /// The node with this operation, if there is one.
    pub fn find(&self, op: &Op) -> Option<Node> {
        self.index.get(op).copied()
    }

    /// Registers a list that [`Op::Load`] can read; returns its number. Lists are numbered from 0 in this order.
    pub fn list(&mut self, items: &[i64]) -> u32 {
        let low = items.iter().copied().min().unwrap_or(0);
        let high = items.iter().copied().max().unwrap_or(0);
        self.lists.push((Range { low, high }, items.len()));
        self.lists.len() as u32 - 1
    }

    /// Visits the operands of a node.
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
        self.make(Op::Const(number), Range::exactly(number))
    }

    /// A truth value.
    pub fn truth(&mut self, truth: bool) -> Node {
        self.number(i64::from(truth))
    }

    /// A cell with domain `range`, which must be the same at every call for one cell.
    pub fn cell(&mut self, cell: u32, range: Range) -> Node {
        self.leaf(Op::Cell(cell), range)
    }

    /// The player to move, of `players`.
    pub fn mover(&mut self, players: usize) -> Node {
        self.leaf(Op::Mover, Range { low: 0, high: players as i64 - 1 })
    }

    /// A choice in `range`, which must be the same at every call for one choice.
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
        let terms = if let Op::Linear(terms, _) = &op { terms.len() as u64 } else { 0 };
        self.is_full |= self.held.try_grow(NODE_BYTES + TERM_BYTES * terms).is_err();
        self.ops.push(op.clone());
        self.ranges.push(range);
        self.index.insert(op, node);
        node
    }

    // Sums are here; other arithmetic, bits and truth values have their own files.

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

    /// The range of a linear combination, if `of` gives the ranges of its nodes.
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
            // Far outside 64 bits the exact value does not matter.
            low = low.saturating_add(a.min(b));
            high = high.saturating_add(a.max(b));
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_do_not_believe_differences_that_wrap() {
        let mut arena = Arena::new();
        let (least, three) = (arena.number(i64::MIN), arena.number(3));
        assert_eq!((arena.max(least, three), arena.min(least, three)), (three, least));
        let cell = arena.cell(0, Range { low: 0, high: 9 });
        let far = arena.shift(cell, i64::MIN);
        let near = arena.shift(cell, 5);
        let less = arena.lt(far, near);
        assert_eq!(arena.known(less), Some(1));
        let more = arena.lt(near, far);
        assert_eq!(arena.known(more), Some(0));
    }

    #[test]
    fn sums_of_huge_terms_have_no_range() {
        let mut arena = Arena::new();
        let cells: Vec<Node> = (0..4).map(|cell| arena.cell(cell, Range::FULL)).collect();
        let terms: Vec<(Node, i64)> = cells.iter().map(|cell| (*cell, i64::MAX)).collect();
        let sum = arena.combine(&terms, 1);
        assert_eq!(arena.range(sum), Range::FULL);
    }
}
