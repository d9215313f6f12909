//! Rebuilding: the same formulas in a new arena, with other ranges of cells or other formulas in their place.
//!
//! A node's range is fixed when it is made, so a cell whose domain turns out to be narrower needs a new arena; and so does a
//! cell that gets another meaning (`j` becomes `j - i`). What no formula needs any more stays behind. [`crate::rewrite`] is
//! for replacing nodes within one arena.

use crate::formulas::Formulas;
use crate::node::{Arena, Node, Op, Range};
use crate::rewrite::{action_nodes, case_nodes};

/// What becomes of a cell or a choice with this range: a node of the new arena.
pub type Leaf<'l> = &'l mut dyn FnMut(&mut Arena, &Op, Range) -> Node;

/// Copies nodes from one arena to another.
pub struct Rebuild<'f> {
    from: &'f Arena,
    lists: &'f [Vec<i64>],
    /// The new arena.
    pub arena: Arena,
    done: Vec<Option<Node>>,
}

impl<'f> Rebuild<'f> {
    /// An empty new arena, with the same lists.
    pub fn new(from: &'f Arena, lists: &'f [Vec<i64>]) -> Rebuild<'f> {
        let mut arena = Arena::new();
        for list in lists {
            arena.list(list);
        }
        Rebuild { from, lists, arena, done: vec![None; from.len()] }
    }

    /// Copies a node; leaves become what `leaf` makes of them.
    pub fn node(&mut self, node: Node, leaf: Leaf<'_>) -> Node {
        let mut wanted = vec![node];
        while let Some(&next) = wanted.last() {
            let before = wanted.len();
            if self.done[next.index()].is_none() {
                self.from.operands(next, &mut |operand| {
                    if self.done[operand.index()].is_none() {
                        wanted.push(operand);
                    }
                });
                if wanted.len() > before {
                    continue;
                }
                let made = self.remake(next, leaf);
                self.done[next.index()] = Some(made);
            }
            wanted.pop();
        }
        self.of(node)
    }

    fn of(&self, node: Node) -> Node {
        self.done[node.index()].unwrap_or(node)
    }

    fn remake(&mut self, node: Node, leaf: Leaf<'_>) -> Node {
        let range = self.from.range(node);
        let of = |node: &Node| self.done[node.index()].unwrap_or(*node);
        let arena = &mut self.arena;
        match self.from.op(node) {
            Op::Const(number) => arena.number(*number),
            op @ (Op::Cell(_) | Op::Choice(_)) => leaf(arena, op, range),
            Op::Mover => arena.mover(range.high as usize + 1),
            Op::Linear(terms, constant) => {
                let terms: Vec<(Node, i64)> = terms.iter().map(|(node, factor)| (of(node), *factor)).collect();
                arena.combine(&terms, *constant)
            }
            Op::Mul(a, b) => arena.mul(of(a), of(b)),
            Op::Div(a, b) => arena.div(of(a), of(b)),
            Op::Rem(a, b) => arena.rem(of(a), of(b)),
            Op::Min(a, b) => arena.min(of(a), of(b)),
            Op::Max(a, b) => arena.max(of(a), of(b)),
            Op::And(a, b) => arena.and(of(a), of(b)),
            Op::Or(a, b) => arena.or(of(a), of(b)),
            Op::Xor(a, b) => arena.xor(of(a), of(b)),
            Op::Shl(a, b) => arena.shl(of(a), of(b)),
            Op::Shr(a, b) => arena.shr(of(a), of(b)),
            Op::Popcount(a) => arena.popcount(of(a)),
            Op::LowestBit(a) => arena.lowest_bit(of(a)),
            Op::HighestBit(a) => arena.highest_bit(of(a)),
            Op::Eq(a, b) => arena.eq(of(a), of(b)),
            Op::Lt(a, b) => arena.lt(of(a), of(b)),
            Op::Not(a) => arena.not(of(a)),
            Op::Select(c, a, b) => arena.select(of(c), of(a), of(b)),
            Op::Load(list, index) => arena.load(*list, &self.lists[*list as usize], of(index)),
            Op::AddOverflows(a, b) => arena.add_overflows(of(a), of(b)),
            Op::SubOverflows(a, b) => arena.sub_overflows(of(a), of(b)),
            Op::MulOverflows(a, b) => arena.mul_overflows(of(a), of(b)),
        }
    }
}

/// Moves formulas to a new arena, where each cell and choice is what `leaf` makes of it and cells have these domains. Further
/// nodes are carried over too. Actions that can never be made or go wrong are dropped. Lists are moved, not copied: those of
/// a large graph are larger than everything else.
pub fn rebuild(formulas: &mut Formulas, domains: Vec<Range>, further: &mut [&mut Node], leaf: Leaf<'_>) {
    let from = std::mem::take(&mut formulas.arena);
    let lists = std::mem::take(&mut formulas.lists);
    let mut rebuild = Rebuild::new(&from, &lists);
    let mut of = |node: &mut Node| *node = rebuild.node(*node, leaf);
    formulas.ends.iter_mut().for_each(|case| case_nodes(case, &mut of));
    case_nodes(&mut formulas.stuck, &mut of);
    formulas.actions.iter_mut().for_each(|action| action_nodes(action, &mut of));
    formulas.valid.iter_mut().for_each(&mut of);
    if let Some((measure, fault)) = &mut formulas.measure {
        of(measure);
        of(fault);
    }
    further.iter_mut().for_each(|node| of(node));
    let arena = rebuild.arena;
    formulas.actions.retain(|action| {
        let never = |node: Node| arena.known(node) == Some(0);
        !(never(action.guard) && never(action.fault) && action.counts.iter().all(|count| never(count.fault)))
    });
    formulas.arena = arena;
    formulas.lists = lists;
    formulas.cells = domains;
}
