//! Loops in machine code, with every node at the level of its innermost variable.
//!
//! The caller passes the values of the outer loops and a slice of the next loop; the function runs the loops inside. So
//! the caller can look at the clock between calls, and give slices to several threads.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};
use formula::{Node, Op};

use super::plan::Plan;
use crate::emit::Emitter;

/// An open loop.
struct Open {
    header: Block,
    after: Block,
    variable: Value,
    last: Value,
    ascending: bool,
    /// The pointer outside the loop.
    pointer: Value,
}

/// A function being written, and its place in the nest.
pub(crate) struct Nest<'n, 'e> {
    /// The emitter of nodes.
    pub em: &'n mut Emitter<'e>,
    /// The plan of the fill.
    pub plan: &'n Plan,
    /// The level of each node.
    pub levels: Vec<usize>,
    /// The table.
    pub table: Value,
    /// The address of the entry of the position with all inner variables at their least value.
    pub pointer: Value,
    /// Memory for marks.
    pub scratch: Value,
    /// The loop that the caller slices.
    split: usize,
    open: Vec<Open>,
    /// The block that reports a fault at the address in its parameter.
    fault: Option<Block>,
}

/// The function's parameters: table, outer values, first and last value of the slice, scratch memory.
pub(crate) const PARAMETERS: [types::Type; 5] = [types::I64; 5];

impl<'n, 'e> Nest<'n, 'e> {
    /// A nest outside of all loops.
    pub fn new(em: &'n mut Emitter<'e>, plan: &'n Plan, split: usize) -> Nest<'n, 'e> {
        let (table, scratch) = (em.parameter(0), em.parameter(4));
        let levels = plan.levels(&[]);
        Nest { em, plan, levels, table, pointer: table, scratch, split, open: Vec::new(), fault: None }
    }

    /// Binds the outer variables, given by the caller; returns at once if their bounds do not hold.
    pub fn outer(&mut self, roots: &[Node]) {
        let outer = self.em.parameter(1);
        for level in 0..self.split {
            let flags = MemFlagsData::trusted().with_readonly();
            let value = self.em.builder.ins().load(types::I64, flags, outer, 8 * level as i32);
            let plan = self.plan;
            let var = &plan.vars[level];
            for (bounds, how) in [(&var.lower, IntCC::SignedLessThan), (&var.upper, IntCC::SignedGreaterThan)] {
                for bound in bounds {
                    let bound = self.em.value(*bound);
                    let outside = self.em.builder.ins().icmp(how, value, bound);
                    self.return_if(outside);
                }
            }
            self.enter(level, value, roots);
        }
    }

    fn return_if(&mut self, condition: Value) {
        let (leave, stay) = (self.em.builder.create_block(), self.em.builder.create_block());
        self.em.builder.ins().brif(condition, leave, &[], stay, &[]);
        self.em.builder.switch_to_block(leave);
        self.return_fine();
        self.em.builder.switch_to_block(stay);
    }

    fn return_fine(&mut self) {
        let zero = self.em.number(0);
        self.em.builder.ins().return_(&[zero]);
    }

    /// Ends the function.
    pub fn finish(&mut self) {
        self.return_fine();
        if let Some(block) = self.fault {
            self.em.builder.switch_to_block(block);
            let address = self.em.builder.block_params(block)[0];
            let offset = self.em.builder.ins().isub(address, self.table);
            let shift = self.plan.values.width().trailing_zeros();
            let code = self.em.builder.ins().sshr_imm_s(offset, i64::from(shift));
            let code = self.em.builder.ins().iadd_imm_s(code, 1);
            self.em.builder.ins().return_(&[code]);
        }
    }

    /// The block that reports a fault at the address it is given.
    pub fn fault_block(&mut self) -> Block {
        match self.fault {
            Some(block) => block,
            None => {
                let block = self.em.builder.create_block();
                self.em.builder.append_block_param(block, types::I64);
                self.em.builder.set_cold_block(block);
                self.fault = Some(block);
                block
            }
        }
    }

    /// Binds a variable and hoists everything that depends only on it and on outer variables.
    fn enter(&mut self, level: usize, value: Value, roots: &[Node]) {
        let plan = self.plan;
        let var = &plan.vars[level];
        self.em.bind(var.node, value);
        let at = if var.low == 0 { value } else { self.em.builder.ins().iadd_imm_s(value, var.low.wrapping_neg()) };
        let bytes = self.em.times(at, var.stride.wrapping_mul(plan.values.width() as i64));
        self.pointer = self.em.builder.ins().iadd(self.pointer, bytes);
        if level + 1 < plan.vars.len() {
            self.hoist(roots, level + 1);
        }
    }

    /// Emits here all nodes below the roots whose level is at most `level`.
    pub fn hoist(&mut self, roots: &[Node], level: usize) {
        let levels = std::mem::take(&mut self.levels);
        hoist(self.em, &levels, roots, level);
        self.levels = levels;
    }

    /// The first and last value of a loop.
    pub fn bounds(&mut self, level: usize) -> (Value, Value) {
        let plan = self.plan;
        let var = &plan.vars[level];
        let (mut low, mut high) = match level == self.split {
            true => (self.em.parameter(2), self.em.parameter(3)),
            false => (self.em.number(var.low), self.em.number(var.high)),
        };
        for bound in &var.lower {
            let bound = self.em.value(*bound);
            low = self.em.builder.ins().smax(low, bound);
        }
        for bound in &var.upper {
            let bound = self.em.value(*bound);
            high = self.em.builder.ins().smin(high, bound);
        }
        (low, high)
    }

    /// Opens the loop over a variable, from bound to bound.
    pub fn open(&mut self, level: usize, roots: &[Node]) {
        let (low, high) = self.bounds(level);
        self.open_between(level, low, high, roots);
    }

    /// Opens the loop over a variable, within these bounds.
    pub fn open_between(&mut self, level: usize, low: Value, high: Value, roots: &[Node]) {
        let ascending = self.plan.vars[level].ascending;
        let (first, last) = if ascending { (low, high) } else { (high, low) };
        let (header, after) = (self.em.builder.create_block(), self.em.builder.create_block());
        let some = self.em.builder.ins().icmp(IntCC::SignedLessThanOrEqual, low, high);
        self.em.builder.ins().brif(some, header, &[first.into()], after, &[]);
        let variable = self.em.builder.append_block_param(header, types::I64);
        self.em.builder.switch_to_block(header);
        self.em.push_scope();
        self.open.push(Open { header, after, variable, last, ascending, pointer: self.pointer });
        self.enter(level, variable, roots);
    }

    /// Closes the innermost open loop.
    pub fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.em.pop_scope();
        let step = if open.ascending { 1 } else { -1 };
        let next = self.em.builder.ins().iadd_imm_s(open.variable, step);
        let done = self.em.builder.ins().icmp(IntCC::Equal, open.variable, open.last);
        self.em.builder.ins().brif(done, open.after, &[], open.header, &[next.into()]);
        self.em.builder.switch_to_block(open.after);
        self.pointer = open.pointer;
    }
}

/// Whether a node is better emitted as a truth value.
fn is_condition(em: &Emitter<'_>, node: Node) -> bool {
    let arena = &em.formulas().arena;
    let truth = |node: &Node| arena.range(*node).is_truth();
    match arena.op(node) {
        Op::Eq(..) | Op::Lt(..) | Op::Not(_) => true,
        Op::AddOverflows(..) | Op::SubOverflows(..) | Op::MulOverflows(..) => true,
        Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) | Op::Select(_, a, b) => truth(a) && truth(b),
        _ => false,
    }
}

/// Emits here all nodes below the roots whose level is at most `level`.
pub(crate) fn hoist(em: &mut Emitter<'_>, levels: &[usize], roots: &[Node], level: usize) {
    let mut seen = vec![false; levels.len()];
    let mut stack: Vec<Node> = roots.iter().rev().copied().collect();
    while let Some(node) = stack.pop() {
        let formulas = em.formulas();
        if std::mem::replace(&mut seen[node.index()], true) || formulas.arena.known(node).is_some() {
            continue;
        }
        if levels[node.index()] > level {
            formulas.arena.operands(node, &mut |operand| stack.push(operand));
        } else if is_condition(em, node) {
            em.truth(node);
        } else {
            em.value(node);
        }
    }
}
