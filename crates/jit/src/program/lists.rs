//! Expressions that are lists, and what is asked of lists.
//!
//! A list that is computed item by item grows downward from the far end of the arena, and is turned round into place when
//! its length is known: what its items ask for meanwhile lies at the near end.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use rules::program::{Expr, ExprKind, Loop};
use rules::types::Type;

use super::frame::{self, Place};
use super::shape::{Num, Range, Shape, Val};
use super::writer::{Writer, Written};
use crate::error::JitError;

impl Writer<'_, '_, '_, '_> {
    /// The value of any expression.
    pub fn value(&mut self, expr: &Expr) -> Written<Val> {
        if expr.ty.is_scalar() {
            return Ok(Val::number(self.scalar(expr)?));
        }
        match &expr.kind {
            ExprKind::Text(text) => {
                let items: Vec<i64> = text.chars().map(|c| i64::from(u32::from(c))).collect();
                let range = items
                    .iter()
                    .fold(Range::one(items.first().copied().unwrap_or(0)), |range, item| range.join(Range::one(*item)));
                let address = self.shared.tables.numbers(&items);
                let address = self.constant(address);
                Ok(self.list_value(address, items.len() as i64, Shape::Number(range)))
            }
            ExprKind::Global(slot) => self.global(*slot, expr),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Variable { variable, indices } => self.array(*variable, indices),
            ExprKind::If(condition, then, otherwise) => self.choice(condition, then, otherwise),
            ExprKind::Index(list, index) => self.item(list, index),
            ExprKind::Slice { list, low, high, inclusive } => {
                self.slice(list, low.as_deref(), high.as_deref(), *inclusive)
            }
            ExprKind::Range { .. } => {
                let shape = Shape::Number(Range::ANY);
                self.made(shape, &mut |this, push| this.each(expr, &mut |this, item, _| push(this, item)))
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments),
            ExprKind::Builtin(builtin, arguments) => self.builtin_list(*builtin, arguments),
            ExprKind::List(items) => self.list(items, &expr.ty),
            ExprKind::Repeat(item, length) => self.repeat(item, length),
            ExprKind::Comprehension(item, loops) => self.comprehension(item, loops),
            ExprKind::SetOf(items) => self.set_of(items),
            ExprKind::SetComprehension(item, loops) => self.set_comprehension(item, loops),
            _ => Err(JitError::Unsupported("an expression of a kind that has no code")),
        }
    }

    /// A list of a known length.
    pub fn list_value(&mut self, address: Value, length: i64, item: Shape) -> Val {
        let count = self.constant(length);
        Val { shape: Shape::list(length, length, item), words: [address, count, count] }
    }

    /// An item of a list.
    pub fn item(&mut self, list: &Expr, index: &Expr) -> Written<Val> {
        let mark = self.mark();
        let list = self.value(list)?;
        let index = self.scalar(index)?;
        let found = self.item_at(&list, index)?;
        if matches!(found.shape, Shape::Number(_)) {
            self.release(mark);
        }
        Ok(found)
    }

    fn item_at(&mut self, list: &Val, index: Num) -> Written<Val> {
        let Shape::List { least, item, .. } = &list.shape else {
            return Err(JitError::Unsupported("an index into something that is no list"));
        };
        self.check_index(index, list.words[1], *least);
        let address = self.address(list.words[0], index, item.width() as i64 * 8);
        Ok(self.load_value(address, item))
    }

    fn slice(&mut self, list: &Expr, low: Option<&Expr>, high: Option<&Expr>, inclusive: bool) -> Written<Val> {
        let list = self.value(list)?;
        let Shape::List { least, most, item, .. } = &list.shape else {
            return Err(JitError::Unsupported("a slice of something that is no list"));
        };
        let zero = self.num(0);
        let low = low.map_or(Ok(zero), |low| self.scalar(low))?;
        let length = Num { value: list.words[1], range: Range::new(*least, *most) };
        let high = match high {
            None => length,
            Some(high) => {
                let high = self.scalar(high)?;
                let one = self.num(i64::from(inclusive));
                // A bound that overflows is out of range in any case.
                self.arithmetic(rules::program::BinaryOp::Add, high, one)
            }
        };
        let negative = self.compare_to(IntCC::SignedLessThan, low.value, 0);
        self.fault_if(negative);
        let reversed = self.compare(IntCC::SignedGreaterThan, low.value, high.value);
        self.fault_if(reversed);
        let beyond = self.compare(IntCC::SignedGreaterThan, high.value, length.value);
        self.fault_if(beyond);
        let address = self.address(list.words[0], low, item.width() as i64 * 8);
        let count = self.builder.ins().isub(high.value, low.value);
        Ok(Val { shape: Shape::list(0, *most, (**item).clone()), words: [address, count, count] })
    }

    fn list(&mut self, items: &[Expr], ty: &Type) -> Written<Val> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            values.push(self.value(item)?);
        }
        let joined = values.iter().map(|value| value.shape.clone()).reduce(|a, b| a.join(&b));
        let shape = joined.unwrap_or_else(|| Shape::of(&ty.item().unwrap_or(Type::Unknown)));
        let width = shape.width();
        if values.iter().any(|value| value.shape.width() != width) {
            return Err(JitError::Unsupported("a list of items of several kinds"));
        }
        let words = self.num((items.len() * width) as i64);
        let address = self.allocate(words);
        for (index, value) in values.iter().enumerate() {
            let place = self.builder.ins().iadd_imm_s(address, (index * width * 8) as i64);
            self.store_value(value, place);
        }
        Ok(self.list_value(address, items.len() as i64, shape))
    }

    /// `[item; length]`. Items that are lists are copied when a local that changes takes them.
    fn repeat(&mut self, item: &Expr, length: &Expr) -> Written<Val> {
        let item = self.value(item)?;
        let length = self.scalar(length)?;
        if length.range.low < 0 {
            let negative = self.compare_to(IntCC::SignedLessThan, length.value, 0);
            self.fault_if(negative);
        }
        let range = Range::new(length.range.low.max(0), length.range.high.max(0));
        let width = item.shape.width() as i64;
        let most = self.compare_to(IntCC::SignedGreaterThan, length.value, 1 << 24);
        self.fault_if(most);
        let (low, high) = range.product(Range::one(width));
        let words = self.builder.ins().imul_imm_s(length.value, width);
        let address = self.allocate(Num { value: words, range: Range::clamped(low, high) });
        let end = self.address(address, Num { value: words, range: Range::clamped(low, high) }, 8);
        self.steps(address, end, width * 8, &mut |this, place| {
            this.store_value(&item, place);
            Ok(())
        })?;
        let shape = Shape::list(range.low, range.high, item.shape.clone());
        Ok(Val { shape, words: [address, length.value, length.value] })
    }

    /// A loop over addresses from `from` to `to`, which is not one of them.
    pub fn steps(
        &mut self,
        from: Value,
        to: Value,
        step: i64,
        body: &mut dyn FnMut(&mut Self, Value) -> Written<()>,
    ) -> Written<()> {
        let place = self.variable(from);
        let (test, turn, after) = (self.block(), self.block(), self.block());
        self.jump(test);
        self.go(test);
        let at = self.read(place);
        let more = self.compare(IntCC::UnsignedLessThan, at, to);
        self.builder.ins().brif(more, turn, &[], after, &[]);
        self.go(turn);
        body(self, at)?;
        let next = self.builder.ins().iadd_imm_s(at, step);
        self.set(place, next);
        self.jump(test);
        self.go(after);
        Ok(())
    }

    fn comprehension(&mut self, item: &Expr, loops: &[Loop]) -> Written<Val> {
        let shape = Shape::of(&item.ty);
        self.made(shape, &mut |this, push| {
            this.nest(loops, &mut |this, _| {
                let mark = this.mark();
                let value = this.value(item)?;
                push(this, value)?;
                // Numbers are kept at the far end, so what they took to compute is free again.
                if item.ty.is_scalar() {
                    this.release(mark);
                }
                Ok(())
            })
        })
    }

    /// A list whose items `fill` pushes one by one.
    pub fn made(&mut self, shape: Shape, fill: Fill<'_, Self>) -> Written<Val> {
        let start = self.get(Place::Limit);
        let width = shape.width();
        let bytes = width as i64 * 8;
        let mut found: Option<Shape> = None;
        fill(self, &mut |this: &mut Self, value: Val| {
            if value.shape.width() != width {
                return Err(JitError::Unsupported("a list of items of several kinds"));
            }
            found = Some(found.as_ref().map_or(value.shape.clone(), |found| found.join(&value.shape)));
            let (top, limit) = (this.get(Place::Top), this.get(Place::Limit));
            let lower = this.builder.ins().iadd_imm_s(limit, -bytes);
            let full = this.compare(IntCC::UnsignedLessThan, lower, top);
            this.fault_if(full);
            this.store_value(&value, lower);
            this.put(Place::Limit, lower);
            Ok(())
        })?;
        let end = self.get(Place::Limit);
        let size = self.builder.ins().isub(start, end);
        let words = self.builder.ins().ushr_imm_u(size, 3);
        let count = match width {
            1 => words,
            2 => self.builder.ins().ushr_imm_u(words, 1),
            _ => {
                let three = self.constant(3);
                self.builder.ins().udiv(words, three)
            }
        };
        let address = self.allocate(Num { value: words, range: Range::LENGTH });
        let target = self.variable(address);
        let from = self.variable(start);
        let (test, turn, after) = (self.block(), self.block(), self.block());
        self.jump(test);
        self.go(test);
        let at = self.read(from);
        let more = self.compare(IntCC::UnsignedGreaterThan, at, end);
        self.builder.ins().brif(more, turn, &[], after, &[]);
        self.go(turn);
        let lower = self.builder.ins().iadd_imm_s(at, -bytes);
        let to = self.read(target);
        for word in 0..width as i32 {
            let value = self.load(lower, word * 8);
            self.store(value, to, word * 8);
        }
        let next = self.builder.ins().iadd_imm_s(to, bytes);
        self.set(target, next);
        self.set(from, lower);
        self.jump(test);
        self.go(after);
        self.put(Place::Limit, start);
        Ok(Val { shape: Shape::list(0, i64::MAX, found.unwrap_or(shape)), words: [address, count, count] })
    }

    /// A variable of the position, or an item of it, that is no number.
    fn array(&mut self, variable: usize, indices: &[Expr]) -> Written<Val> {
        let (address, _) = self.locate(variable, indices)?;
        self.rows(variable, indices.len(), address)
    }

    fn rows(&mut self, variable: usize, depth: usize, address: Value) -> Written<Val> {
        let bound = self.bound();
        let slot = &bound.layout.variables[variable];
        let Some(&length) = slot.dims.get(depth) else {
            let rules::layout::Leaf::Set { low, size, .. } = &slot.leaf else {
                let value = self.load(address, 0);
                return Ok(Val::number(Num { value, range: self.cell_range(variable) }));
            };
            let (first, words) = (self.constant(*low), self.constant(slot.stride as i64));
            let range = Range::new(*low, low.saturating_add(*size as i64 - 1));
            // A set without possible elements has no cells to read.
            let address = if slot.stride == 0 { self.constant(super::tables::nothing()) } else { address };
            return Ok(Val { shape: Shape::Set(range), words: [address, first, words] });
        };
        if depth + 1 == slot.dims.len() && slot.leaf.range().is_some() {
            let range = self.cell_range(variable);
            return Ok(self.list_value(address, length as i64, Shape::Number(range)));
        }
        let block = (slot.dims[depth + 1..].iter().product::<usize>() * slot.stride) as i64;
        let is_list = depth + 1 < slot.dims.len();
        let width = if is_list { 2 } else { 3 };
        let words = self.num(length as i64 * width);
        let start = self.allocate(words);
        let end = self.builder.ins().iadd_imm_s(start, length as i64 * width * 8);
        let from = self.variable(address);
        let mut item = Shape::Number(Range::ANY);
        self.steps(start, end, width * 8, &mut |this, place| {
            let at = this.read(from);
            let row = this.rows(variable, depth + 1, at)?;
            this.store_value(&row, place);
            item = row.shape;
            let next = this.builder.ins().iadd_imm_s(at, block * 8);
            this.set(from, next);
            Ok(())
        })?;
        Ok(self.list_value(start, length as i64, item))
    }

    /// `x in collection`.
    pub fn contains(&mut self, item: &Expr, collection: &Expr) -> Written<Num> {
        if let ExprKind::Range { low, high, inclusive } = &collection.kind {
            let number = self.scalar(item)?;
            let (low, high) = (self.scalar(low)?, self.scalar(high)?);
            let above = self.compare(IntCC::SignedLessThanOrEqual, low.value, number.value);
            let how = if *inclusive { IntCC::SignedLessThanOrEqual } else { IntCC::SignedLessThan };
            let below = self.compare(how, number.value, high.value);
            let both = self.builder.ins().band(above, below);
            return Ok(self.widened(both));
        }
        let mark = self.mark();
        let wanted = self.value(item)?;
        let collection = self.value(collection)?;
        let found = match &collection.shape {
            Shape::Set(_) => self.has(&collection, wanted.num()),
            Shape::List { .. } => self.list_has(&collection, &wanted)?,
            Shape::Number(_) => return Err(JitError::Unsupported("`in` of a number")),
        };
        self.release(mark);
        Ok(found)
    }

    fn list_has(&mut self, list: &Val, wanted: &Val) -> Written<Num> {
        let no = self.constant(0);
        let found = self.variable(no);
        self.each_item(list, &mut |this, item, exit| {
            let same = this.equal(&item, wanted);
            let (hit, on) = (this.block(), this.block());
            this.builder.ins().brif(same.value, hit, &[], on, &[]);
            this.go(hit);
            let yes = this.constant(1);
            this.set(found, yes);
            this.jump(exit);
            this.go(on);
            Ok(())
        })?;
        Ok(Num { value: self.read(found), range: Range::TRUTH })
    }

    /// A copy that nothing else refers to.
    pub fn copied(&mut self, value: &Val) -> Val {
        if matches!(value.shape, Shape::Number(_)) {
            return value.clone();
        }
        let kind = self.constant(value.shape.kind());
        let mut words = value.words;
        words[value.shape.width()..].fill(kind);
        let arguments = [self.frame, kind, words[0], words[1], words[2]];
        self.host_checked(frame::copy as *const u8, &arguments, value.shape.clone())
    }
}

/// Pushes items with the function that it is given.
pub type Fill<'c, W> = &'c mut dyn FnMut(&mut W, &mut dyn FnMut(&mut W, Val) -> Written<()>) -> Written<()>;
