//! Expressions. `scalar` computes numbers and truth values without building a [`Value`]; `value` computes anything.
//!
//! Operands are evaluated from left to right, then what contains them is checked. In `list[i]`: first the list, then
//! the index, then whether the index is in range.

use std::sync::Arc;

use super::{Interpreter, faults};
use crate::fault::Fault;
use crate::layout::{Leaf, Stray, bit_of};
use crate::number;
use crate::program::{BinaryOp, Expr, ExprKind, Fold, Loop};
use crate::span::Span;
use crate::value::Value;

/// How a statement or a turn of a loop ended.
pub(super) enum Flow {
    /// Go on.
    Next,
    /// Leave the innermost loop of statements, or the whole fold.
    Break,
    /// Go on with the next turn of the innermost loop.
    Continue,
    /// Leave the function with this value.
    Return(Value),
}

/// A fold in progress. Sums are kept in 128 bits: only a total that does not fit in 64 bits is an overflow.
pub(super) struct Tally {
    fold: Fold,
    total: i128,
    best: Option<i64>,
    bits: i64,
    gcd: u64,
}

impl Tally {
    pub(super) fn new(fold: Fold) -> Tally {
        Tally { fold, total: 0, best: None, bits: 0, gcd: 0 }
    }

    /// Adds one number; `false` when the rest cannot matter.
    pub(super) fn add(&mut self, number: i64) -> bool {
        match self.fold {
            Fold::Sum => self.total += i128::from(number),
            Fold::Count => self.total += i128::from(number != 0),
            Fold::Min => self.best = Some(self.best.map_or(number, |best| best.min(number))),
            Fold::Max => self.best = Some(self.best.map_or(number, |best| best.max(number))),
            Fold::Xor => self.bits ^= number,
            Fold::Gcd => self.gcd = number::gcd(self.gcd, number.unsigned_abs()),
            Fold::Any => self.bits |= i64::from(number != 0),
            Fold::All => self.bits |= i64::from(number == 0),
        }
        !matches!(self.fold, Fold::Any | Fold::All) || self.bits == 0
    }

    /// Adds a sum of many numbers.
    pub(super) fn add_sum(&mut self, sum: i128) {
        self.total = self.total.saturating_add(sum);
    }

    pub(super) fn finish(&self, span: Span) -> Result<i64, Fault> {
        let narrow =
            |total: i128| i64::try_from(total).map_err(|_| faults::overflow(span, format_args!("the total {total}")));
        match self.fold {
            Fold::Sum | Fold::Count => narrow(self.total),
            Fold::Min => self.best.ok_or_else(|| faults::nothing(span, "min")),
            Fold::Max => self.best.ok_or_else(|| faults::nothing(span, "max")),
            Fold::Xor | Fold::Any => Ok(self.bits),
            Fold::All => Ok(1 - self.bits),
            Fold::Gcd => narrow(i128::from(self.gcd)),
        }
    }
}

impl<'b> Interpreter<'b> {
    /// The value of an `Int` or `Bool` expression.
    pub(super) fn scalar(&mut self, expr: &'b Expr) -> Result<i64, Fault> {
        self.step(expr.span)?;
        match &expr.kind {
            ExprKind::Scalar(number) => Ok(*number),
            ExprKind::Local(local) => self.number(self.local(*local, expr.span)?, expr.span),
            ExprKind::Global(slot) => self.number(self.global(*slot, expr.span)?, expr.span),
            ExprKind::Variable { variable, indices } => {
                let (cell, _) = self.locate(*variable, indices, expr.span)?;
                self.cells.get(cell).copied().ok_or_else(|| faults::impossible(expr.span, "there is no position here"))
            }
            ExprKind::Mover => Ok(i64::from(self.mover.0)),
            ExprKind::Opponent => Ok(1 - i64::from(self.mover.0)),
            ExprKind::Negate(of) => {
                let number = self.scalar(of)?;
                number.checked_neg().ok_or_else(|| faults::overflow(expr.span, format_args!("-({number})")))
            }
            ExprKind::Not(of) => Ok(1 - self.scalar(of)?),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr.span),
            ExprKind::And(left, right) => Ok(if self.scalar(left)? == 0 { 0 } else { self.scalar(right)? }),
            ExprKind::Or(left, right) => Ok(if self.scalar(left)? != 0 { 1 } else { self.scalar(right)? }),
            ExprKind::If(condition, then, otherwise) => {
                if self.scalar(condition)? != 0 {
                    self.scalar(then)
                } else {
                    self.scalar(otherwise)
                }
            }
            ExprKind::Index(list, index) => self.scalar_at(list, index),
            ExprKind::In(item, collection) => self.contains(item, collection),
            ExprKind::Call(function, arguments) => {
                let value = self.call(*function, arguments, expr.span)?;
                self.number(&value, expr.span)
            }
            ExprKind::Builtin(builtin, arguments) => self.builtin_scalar(*builtin, arguments, expr.span),
            ExprKind::Fold { fold, item, loops } => self.fold(*fold, item, loops, expr.span),
            _ => Err(faults::impossible(expr.span, "a number was expected")),
        }
    }

    /// The value of any expression.
    pub(super) fn value(&mut self, expr: &'b Expr) -> Result<Value, Fault> {
        if expr.ty.is_scalar() {
            return self.scalar(expr).map(Value::Int);
        }
        self.step(expr.span)?;
        match &expr.kind {
            ExprKind::Text(text) => {
                self.charge_items(text.len(), expr.span)?;
                Ok(Value::text(text))
            }
            ExprKind::Global(slot) => self.global(*slot, expr.span).cloned(),
            ExprKind::Local(local) => self.local(*local, expr.span).cloned(),
            ExprKind::Variable { variable, indices } => self.variable(*variable, indices, expr.span),
            ExprKind::If(condition, then, otherwise) => {
                if self.scalar(condition)? != 0 {
                    self.value(then)
                } else {
                    self.value(otherwise)
                }
            }
            ExprKind::Index(list, index) => self.value_at(list, index),
            ExprKind::Slice { list, low, high, inclusive } => {
                self.slice(list, low.as_deref(), high.as_deref(), *inclusive, expr.span)
            }
            ExprKind::Range { low, high, inclusive } => match self.range(low, high, *inclusive)? {
                None => Ok(Value::ints(Vec::new())),
                Some((low, high)) => {
                    let length = usize::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(usize::MAX);
                    self.charge_items(length, expr.span)?;
                    Ok(Value::ints((low..=high).collect()))
                }
            },
            ExprKind::Call(function, arguments) => self.call(*function, arguments, expr.span),
            ExprKind::Builtin(builtin, arguments) => self.builtin_value(*builtin, arguments, expr.span),
            ExprKind::List(items) => self.list(items, expr.span),
            ExprKind::Repeat(item, length) => self.repeat(item, length, expr.span),
            ExprKind::Comprehension(item, loops) => self.comprehension(item, loops),
            ExprKind::SetOf(items) => {
                let mut elements = Vec::with_capacity(items.len());
                for item in items {
                    elements.push(self.scalar(item)?);
                }
                self.charge_lists(1, expr.span)?;
                self.charge_items(items.len(), expr.span)?;
                Ok(Value::set(elements))
            }
            ExprKind::SetComprehension(item, loops) => match self.comprehension(item, loops)? {
                Value::Ints(list) => Ok(Value::set(list.as_slice().to_vec())),
                _ => Err(faults::impossible(expr.span, "a set holds numbers")),
            },
            _ => Err(faults::impossible(expr.span, "a list or set was expected")),
        }
    }

    fn number(&self, value: &Value, span: Span) -> Result<i64, Fault> {
        value.as_int().ok_or_else(|| faults::impossible(span, "a number was expected"))
    }

    fn binary(&mut self, op: BinaryOp, left: &'b Expr, right: &'b Expr, span: Span) -> Result<i64, Fault> {
        if !left.ty.is_scalar() || !right.ty.is_scalar() {
            let (a, b) = (self.value(left)?, self.value(right)?);
            let longest = a.len().unwrap_or(0).min(b.len().unwrap_or(0));
            self.charge(longest as u64, span)?;
            return match op {
                BinaryOp::Equal => Ok(i64::from(a == b)),
                BinaryOp::NotEqual => Ok(i64::from(a != b)),
                _ => Err(faults::impossible(span, "only `==` and `!=` compare whole values")),
            };
        }
        let (a, b) = (self.scalar(left)?, self.scalar(right)?);
        let checked = |result: Option<i64>, sign: &str| {
            result.ok_or_else(|| faults::overflow(span, format_args!("{a} {sign} {b}")))
        };
        match op {
            BinaryOp::Add => checked(a.checked_add(b), "+"),
            BinaryOp::Subtract => checked(a.checked_sub(b), "-"),
            BinaryOp::Multiply => checked(a.checked_mul(b), "*"),
            BinaryOp::Divide if b == 0 => Err(faults::division(span, a, "/")),
            BinaryOp::Divide => checked(number::divide(a, b), "/"),
            BinaryOp::Remainder => number::remainder(a, b).ok_or_else(|| faults::division(span, a, "%")),
            BinaryOp::Equal => Ok(i64::from(a == b)),
            BinaryOp::NotEqual => Ok(i64::from(a != b)),
            BinaryOp::Less => Ok(i64::from(a < b)),
            BinaryOp::LessEqual => Ok(i64::from(a <= b)),
            BinaryOp::Greater => Ok(i64::from(a > b)),
            BinaryOp::GreaterEqual => Ok(i64::from(a >= b)),
        }
    }

    /// The first cell of an item of a variable, and the number of items before it.
    pub(super) fn locate(&mut self, variable: usize, indices: &'b [Expr], span: Span) -> Result<(usize, usize), Fault> {
        let layout = self.layout;
        let Some(slot) = layout.variables.get(variable) else {
            return Err(faults::impossible(span, "there is no position here"));
        };
        let mut item = 0;
        for (depth, index) in indices.iter().enumerate() {
            let number = self.scalar(index)?;
            let length = slot.dims.get(depth).copied().unwrap_or(0);
            let inside = usize::try_from(number).ok().filter(|number| *number < length);
            item = item * length + inside.ok_or_else(|| faults::index(index.span, number, length))?;
        }
        for length in slot.dims.get(indices.len()..).unwrap_or(&[]) {
            item *= length;
        }
        Ok((slot.offset + item * slot.stride, item))
    }

    /// How many cells an item below `depth` indices takes.
    pub(super) fn extent(&self, variable: usize, depth: usize) -> usize {
        let slot = &self.layout.variables[variable];
        slot.dims.get(depth..).unwrap_or(&[]).iter().product::<usize>() * slot.stride
    }

    fn variable(&mut self, variable: usize, indices: &'b [Expr], span: Span) -> Result<Value, Fault> {
        let (cell, item) = self.locate(variable, indices, span)?;
        let extent = self.extent(variable, indices.len());
        self.charge_lists(1, span)?;
        self.charge_items(extent, span)?;
        if indices.len() + 1 < self.layout.variables[variable].dims.len() {
            self.charge_lists(extent, span)?;
        }
        let cells = self.cells.get(cell..cell + extent);
        let cells = cells.ok_or_else(|| faults::impossible(span, "there is no position here"))?;
        let mut value = self.layout.read(variable, indices.len(), cells);
        let dims = self.layout.variables[variable].dims.get(indices.len()..).unwrap_or(&[]);
        let items = self.items_below(variable, indices.len());
        for stray in self.strays.iter().filter(|stray| stray.variable == variable) {
            if (item..item + items).contains(&stray.item) {
                add_stray(&mut value, dims, stray.item - item, stray.element);
            }
        }
        Ok(value)
    }

    /// How many innermost items lie below `depth` indices of a variable.
    pub(super) fn items_below(&self, variable: usize, depth: usize) -> usize {
        self.layout.variables[variable].dims.get(depth..).unwrap_or(&[]).iter().product()
    }

    /// A value of the instance, without copying it: a global, or a row of one.
    fn borrowed(&mut self, expr: &'b Expr) -> Result<Option<&'b Value>, Fault> {
        match &expr.kind {
            ExprKind::Global(slot) => self.global(*slot, expr.span).map(Some),
            ExprKind::Index(list, index) if !expr.ty.is_scalar() => match self.borrowed(list)? {
                Some(Value::List(rows)) => {
                    let number = self.scalar(index)?;
                    let rows = rows.as_slice();
                    let row = usize::try_from(number).ok().and_then(|number| rows.get(number));
                    row.map(Some).ok_or_else(|| faults::index(index.span, number, rows.len()))
                }
                // An empty list of lists may be held as an empty list of numbers.
                Some(value) => {
                    let number = self.scalar(index)?;
                    Err(faults::index(index.span, number, value.len().unwrap_or(0)))
                }
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn scalar_at(&mut self, list: &'b Expr, index: &'b Expr) -> Result<i64, Fault> {
        if let Some(value) = self.borrowed(list)? {
            let number = self.scalar(index)?;
            return pick(value, number, index.span);
        }
        if let ExprKind::Local(local) = list.kind {
            let number = self.scalar(index)?;
            return pick(self.local(local, list.span)?, number, index.span);
        }
        let value = self.value(list)?;
        let number = self.scalar(index)?;
        pick(&value, number, index.span)
    }

    fn value_at(&mut self, list: &'b Expr, index: &'b Expr) -> Result<Value, Fault> {
        let owned;
        let value = match self.borrowed(list)? {
            Some(value) => value,
            None => {
                owned = self.value(list)?;
                &owned
            }
        };
        let number = self.scalar(index)?;
        let item = usize::try_from(number).ok().and_then(|number| value.get(number));
        item.ok_or_else(|| faults::index(index.span, number, value.len().unwrap_or(0)))
    }

    fn slice(
        &mut self,
        list: &'b Expr,
        low: Option<&'b Expr>,
        high: Option<&'b Expr>,
        inclusive: bool,
        span: Span,
    ) -> Result<Value, Fault> {
        let value = self.value(list)?;
        let length = value.len().unwrap_or(0);
        let low = low.map_or(Ok(0), |low| self.scalar(low))?;
        let high = match high {
            None => length as i128,
            Some(high) => i128::from(self.scalar(high)?) + i128::from(inclusive),
        };
        let bounds = (usize::try_from(low), usize::try_from(high));
        let (Ok(from), Ok(to)) = bounds else { return Err(faults::slice(span, low.into(), high, length)) };
        if from > to || to > length {
            return Err(faults::slice(span, low.into(), high, length));
        }
        match value {
            Value::Ints(list) => Ok(Value::Ints(list.slice(from, to))),
            Value::List(list) => Ok(Value::List(list.slice(from, to))),
            _ => Err(faults::impossible(span, "only lists have slices")),
        }
    }

    /// The bounds of a range, both included; `None` if it is empty or reversed.
    pub(super) fn range(
        &mut self,
        low: &'b Expr,
        high: &'b Expr,
        inclusive: bool,
    ) -> Result<Option<(i64, i64)>, Fault> {
        let (low, high) = (self.scalar(low)?, self.scalar(high)?);
        let high = if inclusive { Some(high) } else { high.checked_sub(1) };
        Ok(high.filter(|high| low <= *high).map(|high| (low, high)))
    }

    fn contains(&mut self, item: &'b Expr, collection: &'b Expr) -> Result<i64, Fault> {
        if let ExprKind::Range { low, high, inclusive } = &collection.kind {
            let number = self.scalar(item)?;
            let range = self.range(low, high, *inclusive)?;
            return Ok(i64::from(range.is_some_and(|(low, high)| low <= number && number <= high)));
        }
        if let ExprKind::Variable { variable, indices } = &collection.kind
            && let Some(Leaf::Set { low, size, .. }) = self.layout.variables.get(*variable).map(|slot| &slot.leaf)
            && indices.len() == self.layout.variables[*variable].dims.len()
        {
            let number = self.scalar(item)?;
            let (cell, item) = self.locate(*variable, indices, collection.span)?;
            let Some(bit) = bit_of(*low, *size, number) else {
                self.charge(self.strays.len() as u64 / 8, collection.span)?;
                return Ok(i64::from(self.strays.contains(&Stray { variable: *variable, item, element: number })));
            };
            return Ok(self.cells.get(cell + bit / 64).map_or(0, |word| word >> (bit % 64) & 1));
        }
        let wanted = self.value(item)?;
        let owned;
        let value = match self.borrowed(collection)? {
            Some(value) => value,
            None => {
                owned = self.value(collection)?;
                &owned
            }
        };
        let found = match (value, &wanted) {
            (Value::Set(elements), Value::Int(number)) => elements.binary_search(number).is_ok(),
            (Value::Ints(list), Value::Int(number)) => {
                self.charge(list.len() as u64 / 8, collection.span)?;
                list.as_slice().contains(number)
            }
            (Value::List(list), wanted) => {
                let width = 1 + wanted.len().unwrap_or(0) as u64;
                self.charge((list.len() as u64).saturating_mul(width), collection.span)?;
                list.as_slice().contains(wanted)
            }
            _ => false,
        };
        Ok(i64::from(found))
    }

    fn list(&mut self, items: &'b [Expr], span: Span) -> Result<Value, Fault> {
        self.charge_lists(1, span)?;
        if items.iter().all(|item| item.ty.is_scalar()) {
            self.charge_items(items.len(), span)?;
            let mut numbers = Vec::with_capacity(items.len());
            for item in items {
                numbers.push(self.scalar(item)?);
            }
            return Ok(Value::ints(numbers));
        }
        self.charge_lists(items.len(), span)?;
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            values.push(self.value(item)?);
        }
        Ok(Value::list(values))
    }

    fn repeat(&mut self, item: &'b Expr, length: &'b Expr, span: Span) -> Result<Value, Fault> {
        let value = self.value(item)?;
        let number = self.scalar(length)?;
        let Ok(count) = usize::try_from(number) else {
            return Err(faults::argument(
                length.span,
                format!("a list cannot have {number} items"),
                "the length is negative",
            ));
        };
        self.charge_lists(1, span)?;
        match value {
            Value::Int(number) => {
                self.charge_items(count, span)?;
                Ok(Value::ints(vec![number; count]))
            }
            value => {
                self.charge_lists(count, span)?;
                Ok(Value::list(vec![value; count]))
            }
        }
    }

    fn comprehension(&mut self, item: &'b Expr, loops: &'b [Loop]) -> Result<Value, Fault> {
        self.charge_lists(1, item.span)?;
        if item.ty.is_scalar() {
            let mut numbers = Vec::new();
            self.nest(loops, &mut |this| {
                let number = this.scalar(item)?;
                this.charge_items(1, item.span)?;
                numbers.push(number);
                Ok(Flow::Next)
            })?;
            return Ok(Value::ints(numbers));
        }
        let mut values = Vec::new();
        self.nest(loops, &mut |this| {
            let value = this.value(item)?;
            this.charge_lists(1, item.span)?;
            values.push(value);
            Ok(Flow::Next)
        })?;
        Ok(Value::list(values))
    }

    fn fold(&mut self, fold: Fold, item: &'b Expr, loops: &'b [Loop], span: Span) -> Result<i64, Fault> {
        let mut tally = Tally::new(fold);
        // `count` counts truth values that are true, and all values of any other type.
        let counts_all = fold == Fold::Count && item.ty != crate::types::Type::Bool;
        self.nest(loops, &mut |this| {
            let number = if counts_all {
                this.value(item)?;
                1
            } else {
                this.scalar(item)?
            };
            Ok(if tally.add(number) { Flow::Next } else { Flow::Break })
        })?;
        tally.finish(span)
    }

    /// Runs `body` for every turn of nested loops whose conditions hold.
    pub(super) fn nest(
        &mut self,
        loops: &'b [Loop],
        body: &mut dyn FnMut(&mut Self) -> Result<Flow, Fault>,
    ) -> Result<Flow, Fault> {
        let Some((outer, inner)) = loops.split_first() else { return body(self) };
        self.each(outer.local, &outer.over, &mut |this| {
            if let Some(when) = &outer.when
                && this.scalar(when)? == 0
            {
                return Ok(Flow::Next);
            }
            this.nest(inner, body)
        })
    }

    /// Runs `body` with a local set to each item in turn, until it returns anything but `Next`.
    pub(super) fn each(
        &mut self,
        local: usize,
        over: &'b Expr,
        body: &mut dyn FnMut(&mut Self) -> Result<Flow, Fault>,
    ) -> Result<Flow, Fault> {
        if let ExprKind::Range { low, high, inclusive } = &over.kind {
            let Some((low, high)) = self.range(low, high, *inclusive)? else { return Ok(Flow::Next) };
            for number in low..=high {
                self.step(over.span)?;
                self.set_local(local, Value::Int(number));
                match body(self)? {
                    Flow::Next => {}
                    flow => return Ok(flow),
                }
            }
            return Ok(Flow::Next);
        }
        let collection = self.value(over)?;
        for index in 0..collection.len().unwrap_or(0) {
            self.step(over.span)?;
            let item = collection.get(index).unwrap_or(Value::Int(0));
            self.set_local(local, item);
            match body(self)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    /// Calls a function of the file.
    fn call(&mut self, function: usize, arguments: &'b [Expr], span: Span) -> Result<Value, Fault> {
        let program = self.program;
        let function = program.functions.get(function).ok_or_else(|| faults::impossible(span, "no such function"))?;
        let waiting = self.arguments.len();
        for argument in arguments {
            let value = self.value(argument)?;
            self.arguments.push(value);
        }
        let (base, frame) = (self.base, self.locals.len());
        self.locals.extend(self.arguments.drain(waiting..));
        self.base = frame;
        let flow = self.block(&function.body)?;
        self.locals.truncate(frame);
        self.base = base;
        match flow {
            Flow::Return(value) => Ok(value),
            _ => Err(faults::impossible(function.span, "a function ended without a value")),
        }
    }
}

/// The number at a place of a list.
fn pick(value: &Value, number: i64, span: Span) -> Result<i64, Fault> {
    let items = match value {
        Value::Ints(list) => list.as_slice(),
        other => other.numbers().unwrap_or(&[]),
    };
    let item = usize::try_from(number).ok().and_then(|number| items.get(number));
    item.copied().ok_or_else(|| faults::index(span, number, items.len()))
}

/// The elements of a set, to be changed.
pub(super) fn elements_mut(set: &mut Arc<Vec<i64>>) -> &mut Vec<i64> {
    Arc::make_mut(set)
}

/// Adds an element to the set at an item of a value with these dimensions.
fn add_stray(value: &mut Value, dims: &[usize], item: usize, element: i64) {
    match (value, dims) {
        (Value::Set(set), []) => {
            if let Err(place) = set.binary_search(&element) {
                elements_mut(set).insert(place, element);
            }
        }
        (Value::List(list), [_, rest @ ..]) => {
            let below: usize = rest.iter().product();
            if let Some(inner) = list.make_mut().get_mut(item / below.max(1)) {
                add_stray(inner, rest, item % below.max(1), element);
            }
        }
        _ => {}
    }
}
