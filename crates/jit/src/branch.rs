//! Control flow by truth values: conditions whose expensive parts are jumped over.
//!
//! A condition made of `and`, `or` and `not` becomes a tree of tests, each in a block of its own:
//!
//! ```text
//! a and (b or c):     a ──no──────────▶ otherwise
//!                     │yes              ▲
//!                     b ──no──▶ c ──no──┘
//!                     └─yes─▶ then ◀─yes┘
//! ```
//!
//! A test may use what another test computed only if every path to it leads through that other test: the other's block
//! must dominate it. So a [`Fork`] keeps the dominator tree of its tests, and what each of them computed. Without that,
//! tests that share most of their nodes (is there a path across the board?) would compute them all again. Where paths
//! join, that is not enough: what each of them computed is computed once more. So code that has grown to many times its
//! formulas is written without further jumps ([`Emitter::is_long`]).

use cranelift_codegen::ir::{Block, InstBuilder, Value};
use formula::{Node, Op};

use crate::emit::{Emitter, Form};

/// If the right side of an `and` or `or` has at least this many nodes, it is jumped over rather than always computed. A
/// mispredicted jump costs about fifteen cycles, an operation about half of one.
const DEAR: usize = 12;

/// How far costs are counted when two are compared.
const LONG: usize = 48;

/// One test of a fork.
struct Test {
    /// The nearest test that every path to this one leads through; the first has none.
    above: usize,
    depth: usize,
    /// The values it computed.
    values: Vec<(Node, Form, Value)>,
}

/// The tests of a condition that has been emitted.
#[derive(Default)]
pub struct Fork {
    tests: Vec<Test>,
    /// For each block that tests jump to: the nearest test of this fork that dominates it.
    dominators: Vec<(Block, usize)>,
}

impl Fork {
    fn dominator(&self, block: Block) -> Option<usize> {
        self.dominators.iter().find(|(other, _)| *other == block).map(|(_, test)| *test)
    }

    /// Records that a test jumps to a block.
    fn jumps_to(&mut self, block: Block, test: usize) {
        let tests = &self.tests;
        match self.dominators.iter_mut().find(|(other, _)| *other == block) {
            Some((_, dominator)) => *dominator = common(tests, *dominator, test),
            None => self.dominators.push((block, test)),
        }
    }

    /// A test and the tests that dominate it, without the first, from the top down.
    fn path(&self, mut test: usize) -> Vec<usize> {
        let mut path = Vec::with_capacity(self.tests[test].depth);
        while test != 0 {
            path.push(test);
            test = self.tests[test].above;
        }
        path.reverse();
        path
    }
}

/// The nearest test that dominates both.
fn common(tests: &[Test], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if tests[a].depth >= tests[b].depth {
            a = tests[a].above;
        } else {
            b = tests[b].above;
        }
    }
    a
}

impl Emitter<'_> {
    /// Continues if a truth value holds, else jumps to `otherwise` (a block without parameters). The caller pushes a
    /// scope for what it emits next, and pops it before the builder goes to `otherwise`.
    pub fn branch_unless(&mut self, node: Node, otherwise: Block) {
        let then = self.builder.create_block();
        self.fork(node, then, otherwise);
        self.builder.switch_to_block(then);
    }

    /// Continues if a truth value does not hold, else jumps to `target`. Values computed by the tests are known from
    /// here on: code that emits nodes in `target` later must pop a scope pushed before this.
    pub fn branch_if(&mut self, node: Node, target: Block) {
        let after = self.builder.create_block();
        let fork = self.fork(node, target, after);
        self.go_on(&fork, after);
    }

    /// Jumps to `then` if a truth value holds, else to `otherwise`, both without parameters. Values of the first test
    /// are known afterwards, those of further tests after [`Emitter::go_on`].
    pub fn fork(&mut self, node: Node, then: Block, otherwise: Block) -> Fork {
        let mut fork = Fork::default();
        // The tests whose values are currently known, each with its own scope, from the top down.
        let mut shown: Vec<usize> = Vec::new();
        // The tests still to do: each in its block, or where the builder stands if it has none.
        let mut left = vec![(None, node, then, otherwise)];
        let mut above = 0;
        while let Some((start, node, then, otherwise)) = left.pop() {
            if let Some(start) = start {
                self.builder.switch_to_block(start);
                above = fork.dominator(start).unwrap_or(0);
                self.show(&fork, &mut shown, above);
            }
            match self.split(node) {
                Some((Op::Not(inner), _)) => left.push((None, inner, otherwise, then)),
                Some((op, [a, b])) => {
                    let second = self.builder.create_block();
                    left.push((Some(second), b, then, otherwise));
                    match op {
                        Op::And(..) => left.push((None, a, second, otherwise)),
                        _ => left.push((None, a, then, second)),
                    }
                }
                None => {
                    let test = fork.tests.len();
                    if test > 0 {
                        self.push_scope();
                        shown.push(test);
                    }
                    let start = self.trail();
                    let truth = self.truth(node);
                    self.builder.ins().brif(truth, then, &[], otherwise, &[]);
                    let depth = if test > 0 { fork.tests[above].depth + 1 } else { 0 };
                    fork.tests.push(Test { above, depth, values: self.since(start) });
                    fork.jumps_to(then, test);
                    fork.jumps_to(otherwise, test);
                }
            }
        }
        self.show(&fork, &mut shown, 0);
        fork
    }

    /// Continues in a block that only tests of this fork jump to. Everything computed on all paths to it is then known,
    /// in the current scope.
    pub fn go_on(&mut self, fork: &Fork, block: Block) {
        self.builder.switch_to_block(block);
        for test in fork.path(fork.dominator(block).unwrap_or(0)) {
            for &(node, form, value) in &fork.tests[test].values {
                self.remember(node, form, value);
            }
        }
    }

    /// Makes known what the dominators of a test computed, and forgets the rest.
    fn show(&mut self, fork: &Fork, shown: &mut Vec<usize>, test: usize) {
        let path = fork.path(test);
        let same = path.iter().zip(&*shown).take_while(|(a, b)| a == b).count();
        for _ in same..shown.len() {
            self.pop_scope();
        }
        shown.truncate(same);
        for &test in &path[same..] {
            self.push_scope();
            for &(node, form, value) in &fork.tests[test].values {
                self.remember(node, form, value);
            }
            shown.push(test);
        }
    }

    /// The two sides of a condition, the cheaper one first, if it pays to jump over one of them; or a negation.
    fn split(&self, node: Node) -> Option<(Op, [Node; 2])> {
        let arena = &self.formulas().arena;
        if self.is_known(node) {
            return None;
        }
        match *arena.op(node) {
            Op::And(..) | Op::Or(..) if self.is_long() => None,
            Op::Not(inner) => Some((Op::Not(inner), [inner, inner])),
            Op::And(a, b) | Op::Or(a, b) if self.is_condition(node) => {
                let (first, second) = (self.cost(a, LONG), self.cost(b, LONG));
                if first.max(second) < DEAR {
                    return None;
                }
                Some((arena.op(node).clone(), if first <= second { [a, b] } else { [b, a] }))
            }
            _ => None,
        }
    }
}
