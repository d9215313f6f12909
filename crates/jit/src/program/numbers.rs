//! Expressions that are one number, and conditions.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use rules::program::{BinaryOp, Expr, ExprKind};

use super::shape::{Num, Range, Shape, Val};
use super::writer::{Writer, Written};
use crate::error::JitError;

impl Writer<'_, '_, '_, '_> {
    /// The value of an `Int` or `Bool` expression.
    pub fn scalar(&mut self, expr: &Expr) -> Written<Num> {
        match &expr.kind {
            ExprKind::Scalar(number) => Ok(self.num(*number)),
            ExprKind::Local(local) => Ok(self.local(*local)?.num()),
            ExprKind::Global(slot) => Ok(self.global(*slot, expr)?.num()),
            ExprKind::Variable { variable, indices } => self.cell(*variable, indices),
            ExprKind::Mover => Ok(self.mover_number()),
            ExprKind::Opponent => {
                let one = self.num(1);
                let mover = self.mover_number();
                Ok(Num { value: self.builder.ins().isub(one.value, mover.value), range: Range::TRUTH })
            }
            ExprKind::Negate(of) => {
                let of = self.scalar(of)?;
                let zero = self.num(0);
                Ok(self.arithmetic(BinaryOp::Subtract, zero, of))
            }
            ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => self.truth(expr),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::If(condition, then, otherwise) => Ok(self.choice(condition, then, otherwise)?.num()),
            ExprKind::Index(list, index) => Ok(self.item(list, index)?.num()),
            ExprKind::In(item, collection) => self.contains(item, collection),
            ExprKind::Call(function, arguments) => Ok(self.call(*function, arguments)?.num()),
            ExprKind::Builtin(builtin, arguments) => self.builtin_number(*builtin, arguments),
            ExprKind::Fold { fold, item, loops } => self.fold(*fold, item, loops),
            _ => Err(JitError::Unsupported("a list where a number was expected")),
        }
    }

    pub fn mover_number(&mut self) -> Num {
        Num { value: self.mover, range: Range::new(0, self.bound().players as i64 - 1) }
    }

    /// A condition as a number, by way of jumps.
    fn truth(&mut self, expr: &Expr) -> Written<Num> {
        if let ExprKind::Not(of) = &expr.kind {
            let of = self.scalar(of)?;
            return Ok(Num { value: self.builder.ins().bxor_imm_s(of.value, 1), range: Range::TRUTH });
        }
        let (yes, no, after) = (self.block(), self.block(), self.block());
        let result = self.builder.append_block_param(after, types::I64);
        self.branch(expr, yes, no)?;
        for (block, number) in [(yes, 1), (no, 0)] {
            self.go(block);
            let number = self.constant(number);
            self.builder.ins().jump(after, &[number.into()]);
        }
        self.go(after);
        Ok(Num { value: result, range: Range::TRUTH })
    }

    /// Goes to `yes` if a condition holds, else to `no`.
    pub fn branch(&mut self, expr: &Expr, yes: Block, no: Block) -> Written<()> {
        match &expr.kind {
            ExprKind::Not(of) => self.branch(of, no, yes),
            ExprKind::And(left, right) => {
                let second = self.block();
                self.branch(left, second, no)?;
                self.go(second);
                self.branch(right, yes, no)
            }
            ExprKind::Or(left, right) => {
                let second = self.block();
                self.branch(left, yes, second)?;
                self.go(second);
                self.branch(right, yes, no)
            }
            ExprKind::Binary(op, left, right)
                if comparison(*op).is_some() && left.ty.is_scalar() && right.ty.is_scalar() =>
            {
                let (a, b) = (self.scalar(left)?, self.scalar(right)?);
                let how = comparison(*op).unwrap_or(IntCC::Equal);
                let truth = self.compare(how, a.value, b.value);
                self.builder.ins().brif(truth, yes, &[], no, &[]);
                Ok(())
            }
            _ => {
                let truth = self.scalar(expr)?;
                self.builder.ins().brif(truth.value, yes, &[], no, &[]);
                Ok(())
            }
        }
    }

    /// `if … then … else …` of any type.
    pub fn choice(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Written<Val> {
        let (yes, no, after) = (self.block(), self.block(), self.block());
        self.branch(condition, yes, no)?;
        self.go(yes);
        let a = self.value(then)?;
        let mut variables = Vec::new();
        for index in 0..3 {
            let word = a.words[index];
            variables.push(self.variable(word));
        }
        self.jump(after);
        self.go(no);
        let b = self.value(otherwise)?;
        for (variable, word) in variables.iter().zip(b.words) {
            self.set(*variable, word);
        }
        self.jump(after);
        self.go(after);
        let shape = a.shape.join(&b.shape);
        let first = self.read(variables[0]);
        let mut words = [first; 3];
        for index in 1..shape.width() {
            words[index] = self.read(variables[index]);
        }
        Ok(Val { shape, words })
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Written<Num> {
        if !left.ty.is_scalar() || !right.ty.is_scalar() {
            let mark = self.mark();
            let (a, b) = (self.value(left)?, self.value(right)?);
            let equal = self.equal(&a, &b);
            self.release(mark);
            return Ok(match op {
                BinaryOp::Equal => equal,
                _ => Num { value: self.builder.ins().bxor_imm_s(equal.value, 1), range: Range::TRUTH },
            });
        }
        let (a, b) = (self.scalar(left)?, self.scalar(right)?);
        if let Some(how) = comparison(op) {
            let truth = self.compare(how, a.value, b.value);
            return Ok(self.widened(truth));
        }
        Ok(self.arithmetic(op, a, b))
    }

    /// Arithmetic with its faults.
    pub fn arithmetic(&mut self, op: BinaryOp, a: Num, b: Num) -> Num {
        let (low, high) = match op {
            BinaryOp::Add => a.range.sum(b.range),
            BinaryOp::Subtract => a.range.difference(b.range),
            BinaryOp::Multiply => a.range.product(b.range),
            _ => return self.division(op, a, b),
        };
        let range = Range::clamped(low, high);
        if Range::exact(low, high).is_some() {
            let value = match op {
                BinaryOp::Add => self.builder.ins().iadd(a.value, b.value),
                BinaryOp::Subtract => self.builder.ins().isub(a.value, b.value),
                _ => self.builder.ins().imul(a.value, b.value),
            };
            return Num { value, range };
        }
        let (value, overflow) = match op {
            BinaryOp::Add => self.builder.ins().sadd_overflow(a.value, b.value),
            BinaryOp::Subtract => self.builder.ins().ssub_overflow(a.value, b.value),
            _ => self.builder.ins().smul_overflow(a.value, b.value),
        };
        self.fault_if(overflow);
        Num { value, range }
    }

    /// `/` rounds down, `%` has the sign of the divisor.
    fn division(&mut self, op: BinaryOp, a: Num, b: Num) -> Num {
        if b.range.low <= 0 && b.range.high >= 0 {
            let zero = self.compare_to(IntCC::Equal, b.value, 0);
            self.fault_if(zero);
        }
        let divides = op == BinaryOp::Divide;
        if a.range.low >= 0 && b.range.low >= 0 {
            let range = match divides {
                true => Range::new(0, a.range.high / b.range.low.max(1)),
                false => Range::new(0, a.range.high.min(b.range.high - 1).max(0)),
            };
            return Num { value: self.unsigned(divides, a, b), range };
        }
        if b.range.low <= -1 && b.range.high >= -1 {
            // The least number divided by -1 is the one quotient that does not fit; its remainder is 0.
            let (least, minus) =
                (self.compare_to(IntCC::Equal, a.value, i64::MIN), self.compare_to(IntCC::Equal, b.value, -1));
            let both = self.builder.ins().band(least, minus);
            self.fault_if(both);
        }
        let quotient = self.builder.ins().sdiv(a.value, b.value);
        let product = self.builder.ins().imul(quotient, b.value);
        let rest = self.builder.ins().isub(a.value, product);
        let signs = self.builder.ins().bxor(rest, b.value);
        let differ = self.compare_to(IntCC::SignedLessThan, signs, 0);
        let some = self.compare_to(IntCC::NotEqual, rest, 0);
        let adjust = self.builder.ins().band(differ, some);
        let adjust = self.builder.ins().uextend(types::I64, adjust);
        if divides {
            return Num { value: self.builder.ins().isub(quotient, adjust), range: Range::ANY };
        }
        let zero = self.constant(0);
        let more = self.builder.ins().select(adjust, b.value, zero);
        let range = match b.range.low > 0 {
            true => Range::new(0, b.range.high - 1),
            false => Range::ANY,
        };
        Num { value: self.builder.ins().iadd(rest, more), range }
    }

    /// Division of numbers that are at least 0, in 32 bits where they fit: that is much quicker on many machines.
    fn unsigned(&mut self, divides: bool, a: Num, b: Num) -> Value {
        let short = a.range.high <= i64::from(u32::MAX) && b.range.high <= i64::from(u32::MAX);
        let operands = [a.value, b.value].map(|value| match short {
            true => self.builder.ins().ireduce(types::I32, value),
            false => value,
        });
        let value = match divides {
            true => self.builder.ins().udiv(operands[0], operands[1]),
            false => self.builder.ins().urem(operands[0], operands[1]),
        };
        if short { self.builder.ins().uextend(types::I64, value) } else { value }
    }

    /// A fault unless the number is in `0..length`.
    pub fn check_index(&mut self, index: Num, length: Value, least: i64) {
        if index.range.below(least) {
            return;
        }
        let outside = self.compare(IntCC::UnsignedGreaterThanOrEqual, index.value, length);
        self.fault_if(outside);
    }

    /// A parameter or `let`.
    pub fn global(&mut self, slot: usize, expr: &Expr) -> Written<Val> {
        let bound = self.bound();
        let value = bound.globals.get(slot).ok_or(JitError::Unsupported("an unknown parameter"))?;
        let constant = self.shared.tables.global(slot, value, &expr.ty)?;
        Ok(self.laid(&constant))
    }

    /// The number of a variable of the position, or of an item of it.
    fn cell(&mut self, variable: usize, indices: &[Expr]) -> Written<Num> {
        let (address, _) = self.locate(variable, indices)?;
        let range = self.cell_range(variable);
        let value = self.load(address, 0);
        Ok(Num { value, range })
    }

    /// What numbers a variable of the position may hold here. While a move runs it may leave its domain.
    pub fn cell_range(&self, variable: usize) -> Range {
        let changing = self.loose || self.play.as_ref().is_some_and(|play| play.changes(variable));
        match self.bound().layout.variables[variable].leaf.range() {
            Some((low, high)) if !changing => Range::new(low, high),
            _ => Range::ANY,
        }
    }

    /// The address of an item of a variable, and its first cell.
    pub fn locate(&mut self, variable: usize, indices: &[Expr]) -> Written<(Value, Num)> {
        let bound = self.bound();
        let slot = bound.layout.variables.get(variable).ok_or(JitError::Unsupported("no such variable"))?;
        let mut item = self.num(0);
        for (depth, index) in indices.iter().enumerate() {
            let index = self.scalar(index)?;
            let length = slot.dims.get(depth).copied().unwrap_or(0) as i64;
            let most = self.constant(length);
            self.check_index(index, most, length);
            let range = Range::new(index.range.low.max(0), index.range.high.min(length - 1).max(0));
            let index = Num { range, ..index };
            item = match depth {
                0 => index,
                _ => {
                    let scaled = self.scaled(item, length);
                    self.plus(scaled, index)
                }
            };
        }
        let below: usize = slot.dims.get(indices.len()..).unwrap_or(&[]).iter().product();
        let scaled = self.scaled(item, (below * slot.stride) as i64);
        let offset = self.num(slot.offset as i64);
        let cell = self.plus(scaled, offset);
        let address = self.address(self.cells, cell, 8);
        Ok((address, cell))
    }

    /// Small numbers: places in a position, which cannot overflow.
    fn scaled(&mut self, num: Num, by: i64) -> Num {
        let (low, high) = num.range.product(Range::one(by));
        let value = if by == 1 { num.value } else { self.builder.ins().imul_imm_s(num.value, by) };
        Num { value, range: Range::clamped(low, high) }
    }

    fn plus(&mut self, a: Num, b: Num) -> Num {
        let (low, high) = a.range.sum(b.range);
        let value = match b.range.single() {
            Some(0) => a.value,
            _ => self.builder.ins().iadd(a.value, b.value),
        };
        Num { value, range: Range::clamped(low, high) }
    }

    /// Whether two values of any type are equal.
    pub fn equal(&mut self, a: &Val, b: &Val) -> Num {
        if let (Shape::Number(_), Shape::Number(_)) = (&a.shape, &b.shape) {
            let truth = self.compare(IntCC::Equal, a.words[0], b.words[0]);
            return self.widened(truth);
        }
        let kind = self.constant(a.shape.kind().max(b.shape.kind()));
        let [first, second] = [a, b].map(|value| {
            let slot = self.builder.create_sized_stack_slot(cranelift_codegen::ir::StackSlotData::new(
                cranelift_codegen::ir::StackSlotKind::ExplicitSlot,
                24,
                3,
            ));
            let address = self.builder.ins().stack_addr(types::I64, slot, 0);
            for (index, &word) in value.parts().iter().enumerate() {
                self.store(word, address, index as i32 * 8);
            }
            address
        });
        let value = self.host(super::frame::equal as *const u8, &[kind, first, second]);
        Num { value, range: Range::TRUTH }
    }
}

fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Equal => IntCC::Equal,
        BinaryOp::NotEqual => IntCC::NotEqual,
        BinaryOp::Less => IntCC::SignedLessThan,
        BinaryOp::LessEqual => IntCC::SignedLessThanOrEqual,
        BinaryOp::Greater => IntCC::SignedGreaterThan,
        BinaryOp::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        _ => return None,
    })
}
