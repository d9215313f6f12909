//! Rebuilding: formulas copied to a new arena, where cells have other ranges or become other formulas.
//!
//! A node's range is fixed when it is made. So a cell whose domain turns out to be narrower needs a new arena, as does
//! a cell that gets another meaning (`j` becomes `j - i`). Nodes that no formula uses any more are left behind.
//! [`crate::rewrite`] replaces nodes within one arena.

use crate::formulas::Formulas;
use crate::node::{Arena, Node, Op, Range};
use crate::rewrite::{all_nodes, remade};

/// Maps a cell or a choice with this range to a node of the new arena.
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
    /// An empty new arena with the lists of `from`.
    pub fn new(from: &'f Arena, lists: &'f [Vec<i64>]) -> Rebuild<'f> {
        let mut arena = Arena::new();
        for list in lists {
            arena.list(list);
        }
        Rebuild { from, lists, arena, done: vec![None; from.len()] }
    }

    /// Copies a node; `leaf` maps the leaves.
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
        let done = &self.done;
        let arena = &mut self.arena;
        match self.from.op(node) {
            Op::Const(number) => arena.number(*number),
            Op::Mover => arena.mover(range.high as usize + 1),
            op => remade(arena, self.lists, op, &|node| done[node.index()].unwrap_or(node))
                .unwrap_or_else(|| leaf(arena, op, range)),
        }
    }
}

/// Moves formulas to a new arena with these domains, where `leaf` maps cells and choices. The `further` nodes are
/// carried over too. Actions that can neither be made nor be a fault are dropped. Lists are moved, not copied: those of
/// a large graph are larger than everything else.
pub fn rebuild(formulas: &mut Formulas, domains: Vec<Range>, further: &mut [&mut Node], leaf: Leaf<'_>) {
    let from = std::mem::take(&mut formulas.arena);
    let lists = std::mem::take(&mut formulas.lists);
    let mut rebuild = Rebuild::new(&from, &lists);
    let mut of = |node: &mut Node| *node = rebuild.node(*node, leaf);
    all_nodes(formulas, &mut of);
    further.iter_mut().for_each(|node| of(node));
    let arena = rebuild.arena;
    formulas.actions.retain(|action| !action.never_happens(&arena));
    formulas.arena = arena;
    formulas.lists = lists;
    formulas.cells = domains;
}
