//! Decoding: the digits of a code as values of cells.
//!
//! A digit is `code / stride − code / (stride · size) · size`. With known strides that is two multiplications with
//! reciprocals, one of which the next digit shares; with powers of two it is shifts. All digits depend on the code
//! alone, so the processor works on several at once; dividing step by step would make a chain of them.
//!
//! All digits that any formula reads are computed at the start. When optimising, Cranelift moves each to its first use.

use cranelift_codegen::ir::{InstBuilder, Value};
use formula::rewrite::{action_nodes, case_nodes};
use formula::{Coded, Node, Op};

use crate::emit::Emitter;

/// The reachable nodes of formulas, and whether they read memory.
pub(crate) struct Reads {
    /// The nodes that matter, in ascending order.
    pub nodes: Vec<Node>,
    /// Whether memory is read or written at places that rely on the ranges of cells, such as items of lists.
    pub relied_on: bool,
}

impl Reads {
    /// All nodes below these.
    pub(crate) fn of(coded: &Coded, roots: impl IntoIterator<Item = Node>) -> Reads {
        let arena = &coded.formulas.arena;
        let mut seen = vec![false; arena.len()];
        let mut stack: Vec<Node> = roots.into_iter().collect();
        let mut nodes = Vec::new();
        while let Some(next) = stack.pop() {
            if !std::mem::replace(&mut seen[next.index()], true) {
                nodes.push(next);
                arena.operands(next, &mut |operand| stack.push(operand));
            }
        }
        nodes.sort_unstable();
        let relied_on = nodes.iter().any(|node| matches!(arena.op(*node), Op::Load(..)));
        Reads { nodes, relied_on }
    }
}

/// How many nodes the rules read, without those that only proofs needed.
pub(crate) fn weight(coded: &Coded) -> usize {
    let formulas = &coded.formulas;
    let mut roots = Vec::new();
    for case in formulas.ends.iter().chain([&formulas.stuck]) {
        case_nodes(&mut case.clone(), &mut |node| roots.push(*node));
    }
    for action in &formulas.actions {
        action_nodes(&mut action.clone(), &mut |node| roots.push(*node));
    }
    Reads::of(coded, roots).nodes.len()
}

/// Binds the cells and the mover that are read to the digits of `code`, which must be below the size of the numbering.
pub(crate) fn bind_digits(emitter: &mut Emitter<'_>, coded: &Coded, reads: &Reads, code: Value) {
    let mut quotients = Quotients { code, most: coded.numbering.size - 1, known: Vec::new() };
    let fields = coded.numbering.is_fields();
    for &node in &reads.nodes {
        let (low, size, stride) = match coded.formulas.arena.op(node) {
            Op::Cell(cell) => match coded.digit(*cell) {
                Some(digit) => (digit.low, digit.size, digit.stride),
                None => continue,
            },
            Op::Mover => match (coded.numbering.turn, coded.mover) {
                (Some(stride), _) => (0, coded.formulas.players as u64, stride),
                // If positions do not record the turn, player 0 moves.
                (None, None) => (0, 1, 1),
                (None, Some(_)) => continue,
            },
            _ => continue,
        };
        let mut value = match size {
            1 => emitter.number(0),
            _ => quotients.digit(emitter, stride, if fields { size.next_power_of_two() } else { size }),
        };
        if fields && reads.relied_on && !size.is_power_of_two() {
            // No position has such a field. But a caller that passes one must not make us leave a list or a buffer.
            let most = emitter.number(size as i64 - 1);
            value = emitter.builder.ins().umin(value, most);
        }
        if low != 0 {
            value = emitter.builder.ins().iadd_imm_s(value, low);
        }
        emitter.bind(node, value);
    }
}

/// The code divided by strides.
struct Quotients {
    code: Value,
    most: u64,
    known: Vec<(u64, Value)>,
}

impl Quotients {
    fn digit(&mut self, emitter: &mut Emitter<'_>, stride: u64, size: u64) -> Value {
        let quotient = self.quotient(emitter, stride);
        let most = self.most / stride;
        if most < size {
            return quotient;
        }
        if size.is_power_of_two() {
            return emitter.builder.ins().band_imm_s(quotient, (size - 1) as i64);
        }
        // This does not overflow: it is at most the largest code.
        let above = self.quotient(emitter, stride * size);
        let product = emitter.times(above, size as i64);
        emitter.builder.ins().isub(quotient, product)
    }

    fn quotient(&mut self, emitter: &mut Emitter<'_>, stride: u64) -> Value {
        if let Some((_, value)) = self.known.iter().find(|(known, _)| *known == stride) {
            return *value;
        }
        let value = emitter.divide_unsigned(self.code, self.most, stride);
        self.known.push((stride, value));
        value
    }
}
