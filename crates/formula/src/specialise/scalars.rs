//! Numbers and truth values, with operands in the order of the interpreter.

use rules::program::{BinaryOp, Expr, ExprKind};
use rules::value::Value;
use rules::visit;

use super::symbols::Sym;
use super::{Made, STOPPED, Specialiser, unsupported};
use crate::node::{Node, Range};

impl<'b> Specialiser<'b> {
    /// The value of an `Int` or `Bool` expression.
    pub(super) fn scalar(&mut self, expr: &'b Expr) -> Made<Node> {
        self.step()?;
        match &expr.kind {
            ExprKind::Scalar(number) => Ok(self.arena.number(*number)),
            ExprKind::Local(local) => {
                let sym = self.local(*local)?;
                self.node(sym)
            }
            ExprKind::Global(slot) => Ok(self.arena.number(self.bound.globals[*slot].as_int().unwrap_or(0))),
            ExprKind::Mover => Ok(self.mover),
            ExprKind::Opponent => {
                let one = self.arena.number(1);
                Ok(self.arena.sub(one, self.mover))
            }
            _ if self.is_closed(expr) => match self.interpreter.number_of(expr) {
                Ok(number) => Ok(self.arena.number(number)),
                Err(fault) if fault.stopped().is_some() => unsupported(STOPPED),
                Err(_) => {
                    self.fault_here();
                    Ok(self.arena.number(0))
                }
            },
            ExprKind::Variable { variable, indices } => self.variable_scalar(*variable, indices),
            ExprKind::Negate(of) => {
                let node = self.scalar(of)?;
                let none = self.arena.number(0);
                let overflows = self.arena.sub_overflows(none, node);
                self.fault_if(overflows);
                Ok(self.arena.neg(node))
            }
            ExprKind::Not(of) => {
                let node = self.scalar(of)?;
                Ok(self.arena.not(node))
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::And(left, right) => {
                let left = self.scalar(left)?;
                if self.is_never(left) {
                    return Ok(left);
                }
                let right = self.under(left, |this| this.scalar(right))?;
                Ok(self.arena.and(left, right))
            }
            ExprKind::Or(left, right) => {
                let left = self.scalar(left)?;
                if self.is_always(left) {
                    return Ok(left);
                }
                let not = self.arena.not(left);
                let right = self.under(not, |this| this.scalar(right))?;
                Ok(self.arena.or(left, right))
            }
            ExprKind::If(..) | ExprKind::Index(..) | ExprKind::Call(..) => {
                let sym = self.value(expr)?;
                self.node(sym)
            }
            ExprKind::In(item, collection) => self.contains(item, collection),
            ExprKind::Builtin(builtin, arguments) => self.builtin_scalar(*builtin, arguments),
            ExprKind::Fold { fold, item, loops } => self.fold(*fold, item, loops),
            _ => unsupported("a number was expected"),
        }
    }

    /// The node of a symbolic number.
    pub(super) fn node(&mut self, sym: Sym) -> Made<Node> {
        match sym {
            Sym::Scalar(node) => Ok(node),
            _ => unsupported("a number was expected"),
        }
    }

    /// Whether an expression reads only the instance, and is not so simple that asking the interpreter is a detour.
    pub(super) fn is_closed(&mut self, expr: &'b Expr) -> bool {
        if let Some(&known) = self.closed.get(&std::ptr::from_ref(expr)) {
            return known;
        }
        let program = self.program;
        let (mut closed, mut bound, mut read) = (true, Vec::new(), Vec::new());
        visit::expr(expr, &mut |inner| match &inner.kind {
            ExprKind::Variable { .. } | ExprKind::Mover | ExprKind::Opponent => closed = false,
            ExprKind::Local(local) => read.push(*local),
            ExprKind::Call(function, _) => closed &= !program.functions[*function].reads_position,
            ExprKind::Fold { loops, .. } | ExprKind::Comprehension(_, loops) | ExprKind::SetComprehension(_, loops) => {
                bound.extend(loops.iter().map(|inner| inner.local))
            }
            _ => {}
        });
        closed &= read.iter().all(|local| bound.contains(local));
        self.closed.insert(std::ptr::from_ref(expr), closed);
        closed
    }

    fn binary(&mut self, op: BinaryOp, left: &'b Expr, right: &'b Expr) -> Made<Node> {
        if !left.ty.is_scalar() || !right.ty.is_scalar() {
            let (a, b) = (self.value(left)?, self.value(right)?);
            let equal = self.equal(&a, &b)?;
            return Ok(if op == BinaryOp::NotEqual { self.arena.not(equal) } else { equal });
        }
        let (a, b) = (self.scalar(left)?, self.scalar(right)?);
        Ok(match op {
            BinaryOp::Add => self.add(a, b),
            BinaryOp::Subtract => self.subtract(a, b),
            BinaryOp::Multiply => {
                let overflows = self.arena.mul_overflows(a, b);
                self.fault_if(overflows);
                self.arena.mul(a, b)
            }
            BinaryOp::Divide => {
                self.fault_if_zero(b);
                if self.range(a).contains(i64::MIN) && self.range(b).contains(-1) {
                    let (least, minus) = (self.arena.number(i64::MIN), self.arena.number(-1));
                    let (a, b) = (self.arena.eq(a, least), self.arena.eq(b, minus));
                    let overflows = self.arena.and(a, b);
                    self.fault_if(overflows);
                }
                self.arena.div(a, b)
            }
            BinaryOp::Remainder => {
                self.fault_if_zero(b);
                self.arena.rem(a, b)
            }
            BinaryOp::Equal => self.arena.eq(a, b),
            BinaryOp::NotEqual => self.arena.ne(a, b),
            BinaryOp::Less => self.arena.lt(a, b),
            BinaryOp::LessEqual => self.arena.le(a, b),
            BinaryOp::Greater => self.arena.lt(b, a),
            BinaryOp::GreaterEqual => self.arena.le(b, a),
        })
    }

    fn fault_if_zero(&mut self, node: Node) {
        let none = self.arena.number(0);
        let zero = self.arena.eq(node, none);
        self.fault_if(zero);
    }

    /// `a + b`, with its fault.
    pub(super) fn add(&mut self, a: Node, b: Node) -> Node {
        let overflows = self.arena.add_overflows(a, b);
        self.fault_if(overflows);
        self.arena.add(a, b)
    }

    /// `a - b`, with its fault.
    pub(super) fn subtract(&mut self, a: Node, b: Node) -> Node {
        let overflows = self.arena.sub_overflows(a, b);
        self.fault_if(overflows);
        self.arena.sub(a, b)
    }

    /// Whether two values are equal.
    pub(super) fn equal(&mut self, a: &Sym, b: &Sym) -> Made<Node> {
        self.step()?;
        match (a, b) {
            (Sym::Scalar(a), Sym::Scalar(b)) => Ok(self.arena.eq(*a, *b)),
            (Sym::Known(a), Sym::Known(b)) => Ok(self.arena.truth(a == b)),
            (Sym::Set(_) | Sym::Known(Value::Set(_)), Sym::Set(_) | Sym::Known(Value::Set(_))) => {
                let (a, b) = (self.as_set(a)?, self.as_set(b)?);
                Ok(self.sets_equal(&a, &b))
            }
            (Sym::Set(_) | Sym::Scalar(_), _) | (_, Sym::Set(_) | Sym::Scalar(_)) => Ok(self.arena.number(0)),
            _ => {
                let (lengths, others) = (self.length(a)?, self.length(b)?);
                let mut equal = self.arena.eq(lengths, others);
                if self.is_never(equal) {
                    return Ok(equal);
                }
                let range = self.arena.range(lengths).meet(self.arena.range(others)).unwrap_or(Range::exactly(0));
                for place in 0..range.high {
                    let (a, b) = (self.item(a, place as usize)?, self.item(b, place as usize)?);
                    let mut same = self.equal(&a, &b)?;
                    if place >= range.low {
                        let place = self.arena.number(place);
                        let gone = self.arena.le(lengths, place);
                        same = self.arena.or(gone, same);
                    }
                    equal = self.arena.and(equal, same);
                }
                Ok(equal)
            }
        }
    }
}
