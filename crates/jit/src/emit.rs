//! Nodes as Cranelift values.
//!
//! An [`Emitter`] writes the code for a node where its builder stands and remembers the value, so each node is computed
//! once on every path through the function. Values are remembered in *scopes*. Where control flow splits,
//! [`Emitter::push_scope`] and [`Emitter::pop_scope`] surround the code of one branch, so that nothing computed there
//! is used if that branch was not taken. Emitting a node at an outer level first therefore hoists it.
//!
//! Numbers are `i64`. Truth values are `i8`, as Cranelift's comparisons make them, and are widened only if a formula
//! calculates with them. Nodes are total, so `and` and `or` evaluate both sides; [`Emitter::fork`] jumps instead if one
//! side is expensive.
//!
//! Formulas can be chains thousands of nodes deep, so emission works from a list of wanted nodes, without recursion.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::FunctionBuilder;
use formula::{Formulas, Node, Op, Range};

use crate::error::JitError;
use crate::lists::Lists;

/// Code may be so many times as long as its formulas before it is written without further jumps,
const REPEATS: usize = 3;
/// and so much longer at least.
const LONGEST: usize = 2000;

/// The form in which a node is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `i64`
    Number,
    /// `i8`, 0 or 1: whether the node is not 0.
    Truth,
}

/// Writes one function.
pub struct Emitter<'e> {
    /// The function; free to use between nodes. Blocks are sealed at the end.
    pub builder: FunctionBuilder<'e>,
    formulas: &'e Formulas,
    lists: &'e Lists,
    entry: Block,
    numbers: Vec<Option<Value>>,
    truths: Vec<Option<Value>>,
    /// The values that entries had before, newest last, so that scopes can be undone.
    trail: Vec<(Node, Form, Option<Value>)>,
    scopes: Vec<usize>,
    /// How many values were remembered so far, however often.
    remembered: usize,
    /// Set if a leaf was wanted that has not been bound.
    unbound: bool,
}

impl<'e> Emitter<'e> {
    /// An emitter for a new function, standing in its first block.
    pub(crate) fn new(mut builder: FunctionBuilder<'e>, formulas: &'e Formulas, lists: &'e Lists) -> Emitter<'e> {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let nodes = formulas.arena.len();
        Emitter {
            builder,
            formulas,
            lists,
            entry,
            numbers: vec![None; nodes],
            truths: vec![None; nodes],
            trail: Vec::new(),
            scopes: Vec::new(),
            remembered: 0,
            unbound: false,
        }
    }

    /// Ends the function.
    pub(crate) fn finish(mut self, config: TargetFrontendConfig) -> Result<(), JitError> {
        self.builder.seal_all_blocks();
        self.builder.finalize(config);
        if self.unbound { Err(JitError::Unsupported("a formula reads what has no value here")) } else { Ok(()) }
    }

    /// The formulas whose nodes are emitted.
    pub fn formulas(&self) -> &'e Formulas {
        self.formulas
    }

    /// A parameter of the function.
    pub fn parameter(&self, number: usize) -> Value {
        self.builder.block_params(self.entry)[number]
    }

    // ---- known values ----

    /// Gives a node its value (`i64`): a cell, a choice, or anything already computed. Holds until the scope is popped.
    pub fn bind(&mut self, node: Node, value: Value) {
        self.remember(node, Form::Number, value);
        self.forget(node, Form::Truth);
    }

    /// Begins a branch: what is emitted from now on is forgotten by [`Emitter::pop_scope`].
    pub fn push_scope(&mut self) {
        self.scopes.push(self.trail.len());
    }

    /// Ends a branch.
    pub fn pop_scope(&mut self) {
        let Some(start) = self.scopes.pop() else { return };
        for (node, form, before) in self.trail.drain(start..).rev() {
            match form {
                Form::Number => self.numbers[node.index()] = before,
                Form::Truth => self.truths[node.index()] = before,
            }
        }
    }

    /// The values emitted since the trail had this length that are still remembered.
    pub(crate) fn since(&self, start: usize) -> Vec<(Node, Form, Value)> {
        let values = self.trail[start..].iter();
        values.filter_map(|&(node, form, _)| Some((node, form, self.known(node, form)?))).collect()
    }

    /// The length of the trail.
    pub(crate) fn trail(&self) -> usize {
        self.trail.len()
    }

    fn slot(&mut self, node: Node, form: Form) -> &mut Option<Value> {
        match form {
            Form::Number => &mut self.numbers[node.index()],
            Form::Truth => &mut self.truths[node.index()],
        }
    }

    /// Whether so much was written that conditions are no longer taken apart: each part may write again what another one
    /// wrote where the code does not come by, so that code would grow without bound.
    pub(crate) fn is_long(&self) -> bool {
        self.remembered > LONGEST + self.numbers.len() * REPEATS
    }

    pub(crate) fn remember(&mut self, node: Node, form: Form, value: Value) {
        self.remembered += 1;
        let before = self.slot(node, form).replace(value);
        self.trail.push((node, form, before));
    }

    fn forget(&mut self, node: Node, form: Form) {
        if let Some(before) = self.slot(node, form).take() {
            self.trail.push((node, form, Some(before)));
        }
    }

    fn known(&self, node: Node, form: Form) -> Option<Value> {
        match form {
            Form::Number => self.numbers[node.index()],
            Form::Truth => self.truths[node.index()],
        }
    }

    pub(crate) fn is_known(&self, node: Node) -> bool {
        self.numbers[node.index()].is_some() || self.truths[node.index()].is_some()
    }

    /// How many nodes must be computed for this one, counted up to a limit.
    pub fn cost(&self, node: Node, limit: usize) -> usize {
        let arena = &self.formulas.arena;
        let mut seen: Vec<Node> = Vec::new();
        let mut wanted = vec![node];
        while let Some(next) = wanted.pop() {
            if self.is_known(next) || arena.known(next).is_some() || seen.contains(&next) {
                continue;
            }
            seen.push(next);
            if seen.len() >= limit {
                break;
            }
            arena.operands(next, &mut |operand| wanted.push(operand));
        }
        seen.len()
    }

    // ---- values ----

    /// A node's value as `i64`.
    pub fn value(&mut self, node: Node) -> Value {
        self.emit(node, Form::Number)
    }

    /// Whether a node is not 0, as `i8`: 0 or 1.
    pub fn truth(&mut self, node: Node) -> Value {
        self.emit(node, Form::Truth)
    }

    /// A number as `i64`.
    pub fn number(&mut self, number: i64) -> Value {
        self.builder.ins().iconst(types::I64, number)
    }

    fn emit(&mut self, node: Node, form: Form) -> Value {
        let mut wanted = vec![(node, form)];
        let mut missing = Vec::new();
        while let Some(&(next, form)) = wanted.last() {
            if self.known(next, form).is_some() {
                wanted.pop();
                continue;
            }
            missing.clear();
            self.operands(next, form, &mut missing);
            missing.retain(|&(operand, form)| self.known(operand, form).is_none());
            if missing.is_empty() {
                let value = self.compute(next, form);
                self.remember(next, form, value);
                wanted.pop();
            } else {
                // The first operand is emitted first, so that code follows the order of the rules.
                wanted.extend(missing.iter().rev());
            }
        }
        match self.known(node, form) {
            Some(value) => value,
            None => self.number(0),
        }
    }

    /// Whether a node is computed as a truth value and only then widened.
    pub(crate) fn is_condition(&self, node: Node) -> bool {
        let arena = &self.formulas.arena;
        match arena.op(node) {
            Op::Eq(..) | Op::Lt(..) | Op::Not(_) => true,
            Op::AddOverflows(..) | Op::SubOverflows(..) | Op::MulOverflows(..) => true,
            Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) => arena.range(*a).is_truth() && arena.range(*b).is_truth(),
            Op::Select(_, a, b) => arena.range(*a).is_truth() && arena.range(*b).is_truth(),
            _ => false,
        }
    }

    /// The operands that must be emitted before a node can be computed in a form.
    fn operands(&self, node: Node, form: Form, into: &mut Vec<(Node, Form)>) {
        let arena = &self.formulas.arena;
        let other = if form == Form::Number { Form::Truth } else { Form::Number };
        if self.known(node, other).is_some() {
            return;
        }
        if self.is_condition(node) != (form == Form::Truth) {
            match arena.op(node) {
                Op::Const(_) => {}
                _ => into.push((node, other)),
            }
            return;
        }
        match arena.op(node) {
            Op::Select(c, a, b) => into.extend([(*c, Form::Truth), (*a, form), (*b, form)]),
            Op::Not(a) => match self.opposite(*a) {
                Some((_, a, b)) => into.extend([(a, Form::Number), (b, Form::Number)]),
                None => into.push((*a, Form::Truth)),
            },
            Op::And(..) | Op::Or(..) | Op::Xor(..) => arena.operands(node, &mut |operand| into.push((operand, form))),
            _ => arena.operands(node, &mut |operand| into.push((operand, Form::Number))),
        }
    }

    /// For the negation of a comparison that has not been emitted: the opposite comparison.
    fn opposite(&self, node: Node) -> Option<(IntCC, Node, Node)> {
        match *self.formulas.arena.op(node) {
            _ if self.is_known(node) => None,
            Op::Eq(a, b) => Some((IntCC::NotEqual, a, b)),
            Op::Lt(a, b) => Some((IntCC::SignedGreaterThanOrEqual, a, b)),
            _ => None,
        }
    }

    fn compute(&mut self, node: Node, form: Form) -> Value {
        let arena = &self.formulas.arena;
        if let Op::Const(number) = *arena.op(node) {
            return match form {
                Form::Number => self.number(number),
                Form::Truth => self.builder.ins().iconst(types::I8, i64::from(number != 0)),
            };
        }
        match (form, self.numbers[node.index()], self.truths[node.index()]) {
            (Form::Number, _, Some(truth)) => self.builder.ins().uextend(types::I64, truth),
            (Form::Truth, Some(number), _) if arena.range(node).is_truth() => {
                self.builder.ins().ireduce(types::I8, number)
            }
            (Form::Truth, Some(number), _) => self.builder.ins().icmp_imm_s(IntCC::NotEqual, number, 0),
            (Form::Truth, ..) => self.condition(node),
            (Form::Number, ..) => self.arithmetic(node),
        }
    }

    /// The number of an operand that was already emitted.
    fn of(&mut self, node: Node) -> Value {
        match self.numbers[node.index()] {
            Some(value) => value,
            None => self.missing(types::I64),
        }
    }

    /// The truth value of an operand that was already emitted.
    fn truth_of(&mut self, node: Node) -> Value {
        match self.truths[node.index()] {
            Some(value) => value,
            None => self.missing(types::I8),
        }
    }

    fn missing(&mut self, of: types::Type) -> Value {
        self.unbound = true;
        self.builder.ins().iconst(of, 0)
    }

    fn condition(&mut self, node: Node) -> Value {
        match *self.formulas.arena.op(node) {
            Op::Eq(a, b) => self.compare(IntCC::Equal, a, b),
            Op::Lt(a, b) => self.compare(IntCC::SignedLessThan, a, b),
            Op::Not(a) => match self.opposite(a) {
                Some((how, a, b)) => self.compare(how, a, b),
                None => {
                    let a = self.truth_of(a);
                    self.builder.ins().bxor_imm_s(a, 1)
                }
            },
            Op::And(a, b) => {
                let (a, b) = (self.truth_of(a), self.truth_of(b));
                self.builder.ins().band(a, b)
            }
            Op::Or(a, b) => {
                let (a, b) = (self.truth_of(a), self.truth_of(b));
                self.builder.ins().bor(a, b)
            }
            Op::Xor(a, b) => {
                let (a, b) = (self.truth_of(a), self.truth_of(b));
                self.builder.ins().bxor(a, b)
            }
            Op::Select(c, a, b) => {
                let (c, a, b) = (self.truth_of(c), self.truth_of(a), self.truth_of(b));
                self.builder.ins().select(c, a, b)
            }
            Op::AddOverflows(a, b) => {
                // The sign of the sum differs from both.
                let (a, b) = (self.of(a), self.of(b));
                let sum = self.builder.ins().iadd(a, b);
                let (first, second) = (self.builder.ins().bxor(a, sum), self.builder.ins().bxor(b, sum));
                self.both_negative(first, second)
            }
            Op::SubOverflows(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let difference = self.builder.ins().isub(a, b);
                let (first, second) = (self.builder.ins().bxor(a, b), self.builder.ins().bxor(a, difference));
                self.both_negative(first, second)
            }
            Op::MulOverflows(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let high = self.builder.ins().smulhi(a, b);
                let low = self.builder.ins().imul(a, b);
                let sign = self.builder.ins().sshr_imm_s(low, 63);
                self.builder.ins().icmp(IntCC::NotEqual, high, sign)
            }
            _ => self.missing(types::I8),
        }
    }

    fn compare(&mut self, how: IntCC, a: Node, b: Node) -> Value {
        let (a, b) = (self.of(a), self.of(b));
        self.builder.ins().icmp(how, a, b)
    }

    fn both_negative(&mut self, a: Value, b: Value) -> Value {
        let both = self.builder.ins().band(a, b);
        self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, both, 0)
    }

    fn arithmetic(&mut self, node: Node) -> Value {
        let formulas = self.formulas;
        match formulas.arena.op(node) {
            Op::Linear(terms, constant) => self.sum(terms, *constant),
            Op::Select(c, a, b) => {
                let (c, a, b) = (self.truth_of(*c), self.of(*a), self.of(*b));
                self.builder.ins().select(c, a, b)
            }
            Op::Div(a, b) => self.quotient(*a, *b),
            Op::Rem(a, b) => self.remainder(*a, *b),
            Op::Load(list, index) => self.load(*list, *index),
            Op::Popcount(a) => {
                let a = self.of(*a);
                self.builder.ins().popcnt(a)
            }
            Op::LowestBit(a) => {
                let a = self.of(*a);
                self.builder.ins().ctz(a)
            }
            Op::HighestBit(a) => {
                let a = self.of(*a);
                let zeros = self.builder.ins().clz(a);
                let most = self.number(63);
                self.builder.ins().isub(most, zeros)
            }
            op => self.binary(op),
        }
    }

    fn binary(&mut self, op: &Op) -> Value {
        let (Op::Mul(a, b)
        | Op::Min(a, b)
        | Op::Max(a, b)
        | Op::Shl(a, b)
        | Op::Shr(a, b)
        | Op::And(a, b)
        | Op::Or(a, b)
        | Op::Xor(a, b)) = op
        else {
            return self.missing(types::I64);
        };
        let (a, b) = (self.of(*a), self.of(*b));
        let ins = self.builder.ins();
        match op {
            Op::Mul(..) => ins.imul(a, b),
            Op::Min(..) => ins.smin(a, b),
            Op::Max(..) => ins.smax(a, b),
            // Both Cranelift and nodes take exponents modulo the width.
            Op::Shl(..) => ins.ishl(a, b),
            Op::Shr(..) => ins.sshr(a, b),
            Op::And(..) => ins.band(a, b),
            Op::Or(..) => ins.bor(a, b),
            _ => ins.bxor(a, b),
        }
    }

    fn sum(&mut self, terms: &[(Node, i64)], constant: i64) -> Value {
        let mut sum = None;
        // Terms with positive factors come first: the sum then begins with one of them and needs no negation.
        let added = terms.iter().filter(|term| term.1 > 0);
        let taken = terms.iter().filter(|term| term.1 <= 0);
        for &(node, factor) in added.chain(taken) {
            let value = self.of(node);
            let Some(before) = sum else {
                sum = Some(self.times(value, factor));
                continue;
            };
            sum = Some(match factor < 0 && factor != i64::MIN {
                true => {
                    let value = self.times(value, -factor);
                    self.builder.ins().isub(before, value)
                }
                false => {
                    let value = self.times(value, factor);
                    self.builder.ins().iadd(before, value)
                }
            });
        }
        match sum {
            Some(sum) if constant == 0 => sum,
            Some(sum) => self.builder.ins().iadd_imm_s(sum, constant),
            None => self.number(constant),
        }
    }

    /// A value times a number, wrapping.
    pub fn times(&mut self, value: Value, factor: i64) -> Value {
        match factor {
            1 => value,
            -1 => self.builder.ins().ineg(value),
            _ if factor.count_ones() == 1 => self.builder.ins().ishl_imm_s(value, i64::from(factor.trailing_zeros())),
            _ => self.builder.ins().imul_imm_s(value, factor),
        }
    }

    fn load(&mut self, list: u32, index: Node) -> Value {
        let Range { low, high } = self.formulas.arena.range(index);
        let mut at = self.of(index);
        if !self.lists.holds(list, low, high) {
            // Read as unsigned, negative indices are too large as well: all of these read the zero after the list.
            let length = self.number(self.lists.length(list));
            at = self.builder.ins().umin(at, length);
        }
        let base = self.number(self.lists.address(list));
        let offset = self.builder.ins().ishl_imm_s(at, 3);
        let address = self.builder.ins().iadd(base, offset);
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        self.builder.ins().load(types::I64, flags, address, 0)
    }

    /// The number of an operand, for the other files that emit nodes.
    pub(crate) fn operand(&mut self, node: Node) -> Value {
        self.of(node)
    }
}
