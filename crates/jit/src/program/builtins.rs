//! Built-in functions, and calls of functions of the file.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use rules::program::{BinaryOp, Builtin, Expr, ExprKind, Fold, StmtKind};
use rules::types::Type;

use super::frame;
use super::shape::{Num, Range, Shape, Val};
use super::writer::{Scope, Writer, Written};
use crate::error::JitError;

/// A function of at most this many expressions, with all that it calls, is written in place.
const SMALL: usize = 120;
/// Until a piece of code has grown by so many.
const MOST_INLINED: usize = 1500;

const WRONG: JitError = JitError::Unsupported("a built-in function with these arguments");

impl<'b> Writer<'_, 'b, '_, '_> {
    /// Built-ins that give a number.
    pub fn builtin_number(&mut self, builtin: Builtin, arguments: &[Expr]) -> Written<Num> {
        match (builtin, arguments) {
            (Builtin::Fold(fold), _) => self.fold_arguments(fold, arguments),
            (Builtin::Len, [of]) => {
                let mark = self.mark();
                let length = self.length(of)?;
                self.release(mark);
                Ok(length)
            }
            (Builtin::Abs, [of]) => {
                let of = self.scalar(of)?;
                let zero = self.num(0);
                let negative = self.arithmetic(BinaryOp::Subtract, zero, of);
                let value = self.builder.ins().smax(of.value, negative.value);
                let most = of.range.high.unsigned_abs().max(of.range.low.unsigned_abs());
                Ok(Num { value, range: Range::new(0, i64::try_from(most).unwrap_or(i64::MAX)) })
            }
            (Builtin::Sign, [of]) => {
                let of = self.scalar(of)?;
                let (low, high) = (self.constant(-1), self.constant(1));
                let value = self.builder.ins().smin(of.value, high);
                Ok(Num { value: self.builder.ins().smax(value, low), range: Range::new(-1, 1) })
            }
            (Builtin::Isqrt, [of]) => {
                let of = self.at_least_zero(of)?;
                let value = self.host(frame::root as *const u8, &[of.value]);
                Ok(Num { value, range: Range::new(0, i64::from(u32::MAX)) })
            }
            (Builtin::Popcount, [of]) => {
                let of = self.at_least_zero(of)?;
                Ok(Num { value: self.builder.ins().popcnt(of.value), range: Range::new(0, 63) })
            }
            (Builtin::BitAnd | Builtin::BitOr, [left, right]) => {
                let (a, b) = (self.scalar(left)?, self.scalar(right)?);
                let value = match builtin {
                    Builtin::BitAnd => self.builder.ins().band(a.value, b.value),
                    _ => self.builder.ins().bor(a.value, b.value),
                };
                let range = match builtin {
                    Builtin::BitAnd if a.range.low >= 0 && b.range.low >= 0 => {
                        Range::new(0, a.range.high.min(b.range.high))
                    }
                    Builtin::BitAnd if b.range.low >= 0 => Range::new(0, b.range.high),
                    _ => Range::ANY,
                };
                Ok(Num { value, range })
            }
            (Builtin::Shr, [left, right]) => {
                let (a, by) = (self.scalar(left)?, self.at_least_zero(right)?);
                let most = self.constant(63);
                let by = self.builder.ins().umin(by.value, most);
                let range = Range::new(a.range.low.min(0), a.range.high.max(0));
                Ok(Num { value: self.builder.ins().sshr(a.value, by), range })
            }
            (Builtin::Pow | Builtin::Shl, [left, right]) => {
                let (a, b) = (self.scalar(left)?, self.scalar(right)?);
                let which = self.constant(i64::from(builtin == Builtin::Shl));
                let failed = self.host(frame::power as *const u8, &[self.frame, which, a.value, b.value]);
                self.fault_if(failed);
                Ok(self.result(Shape::Number(Range::ANY)).num())
            }
            _ => Err(WRONG),
        }
    }

    fn at_least_zero(&mut self, of: &Expr) -> Written<Num> {
        let of = self.scalar(of)?;
        if of.range.low < 0 {
            let negative = self.compare_to(IntCC::SignedLessThan, of.value, 0);
            self.fault_if(negative);
        }
        Ok(Num { range: Range::new(of.range.low.max(0), of.range.high.max(0)), ..of })
    }

    /// Built-ins that give a list.
    pub fn builtin_list(&mut self, builtin: Builtin, arguments: &[Expr]) -> Written<Val> {
        let [of] = arguments else { return Err(WRONG) };
        let any = Shape::list(0, i64::MAX, Shape::Number(Range::ANY));
        match builtin {
            Builtin::Divisors => {
                let of = self.scalar(of)?;
                Ok(self.host_checked(frame::divisors as *const u8, &[self.frame, of.value], any))
            }
            Builtin::Sort => {
                let of = self.value(of)?;
                let item = Shape::Number(of.shape.range());
                let kind = self.constant(of.shape.kind());
                let shape = match &of.shape {
                    Shape::List { least, most, .. } => Shape::list(*least, *most, item),
                    _ => Shape::list(0, i64::MAX, item),
                };
                if of.shape.kind() > 2 {
                    return Err(WRONG);
                }
                let arguments = [self.frame, kind, of.words[0], of.words[1], of.words[2]];
                Ok(self.host_checked(frame::sorted as *const u8, &arguments, shape))
            }
            Builtin::Reverse => {
                let mut of = self.value(of)?;
                if matches!(of.shape, Shape::Set(_)) {
                    let kind = self.constant(1);
                    let shape = Shape::list(0, i64::MAX, Shape::Number(of.shape.range()));
                    let arguments = [self.frame, kind, of.words[0], of.words[1], of.words[2]];
                    of = self.host_checked(frame::sorted as *const u8, &arguments, shape);
                }
                self.reversed(&of)
            }
            _ => Err(WRONG),
        }
    }

    fn reversed(&mut self, list: &Val) -> Written<Val> {
        let Shape::List { item, .. } = &list.shape else { return Err(WRONG) };
        let width = item.width() as i64;
        let words = self.builder.ins().imul_imm_s(list.words[1], width);
        let to = self.allocate(Num { value: words, range: Range::LENGTH });
        let end = self.address(to, Num { value: words, range: Range::LENGTH }, 8);
        let target = self.variable(end);
        self.each_item(list, &mut |this, item, _| {
            let place = this.read(target);
            let place = this.builder.ins().iadd_imm_s(place, -width * 8);
            this.store_value(&item, place);
            this.set(target, place);
            Ok(())
        })?;
        Ok(Val { shape: list.shape.clone(), words: [to, list.words[1], list.words[1]] })
    }

    fn length(&mut self, of: &Expr) -> Written<Num> {
        if let ExprKind::Variable { variable, indices } = &of.kind
            && let Some(&length) = self.bound().layout.variables[*variable].dims.get(indices.len())
        {
            // The indices are checked all the same.
            self.locate(*variable, indices)?;
            return Ok(self.num(length as i64));
        }
        let of = self.value(of)?;
        match &of.shape {
            Shape::List { least, most, .. } => Ok(Num { value: of.words[1], range: Range::new(*least, *most) }),
            Shape::Set(_) => self.size_of_set(&of),
            Shape::Number(_) => Err(WRONG),
        }
    }

    /// `sum`, `min`, … of numbers, lists and sets.
    fn fold_arguments(&mut self, fold: Fold, arguments: &[Expr]) -> Written<Num> {
        let mark = self.mark();
        let mut tally = self.tally(fold);
        for argument in arguments {
            if argument.ty.is_scalar() {
                let number = self.scalar(argument)?;
                let counted = fold == Fold::Count && argument.ty != Type::Bool;
                let number = if counted { self.num(1) } else { number };
                self.add_to(&mut tally, number);
                continue;
            }
            let value = self.value(argument)?;
            let counts_all = fold == Fold::Count && argument.ty.item() != Some(Type::Bool);
            let mut found = tally;
            self.each_of(&value, &mut |this, item, _| {
                let number = match counts_all {
                    true => this.num(1),
                    false if item.shape.width() > 1 => return Err(WRONG),
                    false => item.num(),
                };
                this.add_to(&mut found, number);
                Ok(())
            })?;
            tally = found;
        }
        let total = self.finish_tally(tally);
        self.release(mark);
        Ok(total)
    }

    /// A call of a function of the file: written in place if it is small, else a call.
    pub fn call(&mut self, function: usize, arguments: &[Expr]) -> Written<Val> {
        let program = &self.bound().program;
        let Some(called) = program.functions.get(function) else {
            return Err(JitError::Unsupported("no such function"));
        };
        let mark = self.mark();
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.value(argument)?);
        }
        let weight = self.shared.weights[function];
        let result = if weight <= SMALL && self.inlined + weight <= MOST_INLINED {
            self.inlined += weight;
            self.in_place(called, &values)?
        } else {
            self.call_code(function, called, &values)?
        };
        if called.result.is_scalar() {
            self.release(mark);
        }
        Ok(result)
    }

    /// Binds arguments to the first locals of the current scope. An argument that the function changes is its own.
    pub fn bind_arguments(&mut self, values: &[Val]) {
        for (local, value) in values.iter().enumerate() {
            let own = match self.scope.changed.contains(&local) {
                true => self.copied(value),
                false => value.clone(),
            };
            self.bind(local, &own);
        }
    }

    fn in_place(&mut self, called: &'b rules::program::Function, values: &[Val]) -> Written<Val> {
        let outer = std::mem::replace(&mut self.scope, Scope::of(called));
        self.bind_arguments(values);
        let result = match &called.body[..] {
            [rules::program::Stmt { kind: StmtKind::Return(value), .. }] => self.value(value)?,
            body => {
                let shape = Shape::of(&called.result);
                let after = self.block();
                let variables = (0..shape.width()).map(|_| self.builder.declare_var(types::I64)).collect::<Vec<_>>();
                self.scope.returns = Some((after, variables.clone()));
                self.statements(body)?;
                // Every path returns: this is not reached.
                self.jump(self.fault);
                self.go(after);
                let first = self.read(variables[0]);
                let mut words = [first; 3];
                for (word, variable) in words.iter_mut().zip(&variables).skip(1) {
                    *word = self.builder.use_var(*variable);
                }
                Val { shape, words }
            }
        };
        self.scope = outer;
        Ok(result)
    }

    fn call_code(&mut self, function: usize, called: &rules::program::Function, values: &[Val]) -> Written<Val> {
        self.allocations += 1;
        self.turns = self.turns.saturating_add(64);
        let id = match self.shared.functions.get(&function) {
            Some(id) => *id,
            None => return Err(JitError::Unsupported("a function that was not announced")),
        };
        if !self.shared.written.contains(&function) {
            self.shared.written.push(function);
            self.shared.wanted.push(function);
        }
        let reference = self.links.reference(id, &mut self.builder);
        let mut words = vec![self.frame, self.mover];
        for value in values {
            words.extend_from_slice(value.parts());
        }
        let call = self.builder.ins().call(reference, &words);
        let failed = self.builder.inst_results(call)[0];
        self.fault_if(failed);
        Ok(self.result(Shape::of(&called.result)))
    }
}
