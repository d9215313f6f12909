//! Values of any kind: variables, branches, calls, lists; and the merging of two values.

use rules::program::{Expr, ExprKind};
use rules::types::Type;
use rules::value::Value;

use super::symbols::{Stretch, Sym};
use super::{Made, STOPPED, Specialiser, unsupported};
use crate::node::Node;

/// The most cells or items that are read or written at a varying place.
const PLACES: usize = 600;

impl<'b> Specialiser<'b> {
    /// The value of any expression.
    pub(super) fn value(&mut self, expr: &'b Expr) -> Made<Sym> {
        self.step()?;
        match &expr.kind {
            ExprKind::Global(slot) => return Ok(self.known(self.bound.globals[*slot].clone())),
            ExprKind::Local(local) => return self.local(*local),
            ExprKind::If(condition, then, otherwise) => return self.choose_value(condition, then, otherwise),
            _ if self.is_closed(expr) => {
                return match self.interpreter.value_of(expr) {
                    Ok(value) => Ok(self.known(value)),
                    Err(fault) if fault.stopped().is_some() => unsupported(STOPPED),
                    Err(_) => {
                        self.fault_here();
                        Ok(self.nothing(&expr.ty))
                    }
                };
            }
            ExprKind::Index(list, index) => return self.value_at(list, index, &expr.ty),
            ExprKind::Call(function, arguments) => return self.call(*function, arguments),
            _ => {}
        }
        if expr.ty.is_scalar() {
            return self.scalar(expr).map(Sym::Scalar);
        }
        match &expr.kind {
            ExprKind::Text(text) => Ok(Sym::Known(Value::text(text))),
            ExprKind::Variable { variable, indices } => self.variable(*variable, indices),
            ExprKind::Slice { list, low, high, inclusive } => {
                self.slice(list, low.as_deref(), high.as_deref(), *inclusive)
            }
            ExprKind::Range { low, high, inclusive } => self.range_list(low, high, *inclusive),
            ExprKind::Builtin(builtin, arguments) => self.builtin_value(*builtin, arguments),
            ExprKind::List(items) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    values.push(self.value(item)?);
                }
                Ok(Sym::items(values))
            }
            ExprKind::Repeat(item, length) => self.repeat(item, length),
            ExprKind::Comprehension(item, loops) => self.comprehension(item, loops),
            ExprKind::SetOf(items) => {
                let mut elements = Vec::with_capacity(items.len());
                for item in items {
                    elements.push((self.arena.number(1), self.scalar(item)?));
                }
                self.set_of(&elements)
            }
            ExprKind::SetComprehension(item, loops) => self.set_comprehension(item, loops),
            _ => unsupported("a list or set was expected"),
        }
    }

    /// A value of the instance.
    pub(super) fn known(&mut self, value: Value) -> Sym {
        match value {
            Value::Int(number) => Sym::Scalar(self.arena.number(number)),
            value => Sym::Known(value),
        }
    }

    /// Any value of a type, for use after a fault.
    pub(super) fn nothing(&mut self, ty: &Type) -> Sym {
        match ty {
            Type::Int | Type::Bool => Sym::Scalar(self.arena.number(0)),
            Type::Set => Sym::Known(Value::set(Vec::new())),
            Type::List(_) | Type::Text | Type::Unknown => Sym::Known(Value::ints(Vec::new())),
        }
    }

    fn choose_value(&mut self, condition: &'b Expr, then: &'b Expr, otherwise: &'b Expr) -> Made<Sym> {
        let condition = self.scalar(condition)?;
        let condition = self.settle(condition);
        match self.arena.known(condition) {
            Some(0) => return self.value(otherwise),
            Some(_) => return self.value(then),
            None => {}
        }
        let a = self.under(condition, |this| this.value(then))?;
        let not = self.arena.not(condition);
        let b = self.under(not, |this| this.value(otherwise))?;
        self.merge(condition, &a, &b)
    }

    /// The first value where the condition holds, else the second.
    pub(super) fn merge(&mut self, condition: Node, a: &Sym, b: &Sym) -> Made<Sym> {
        self.step()?;
        match (self.arena.known(condition), a, b) {
            (Some(0), _, _) => return Ok(b.clone()),
            (Some(_), _, _) => return Ok(a.clone()),
            (_, Sym::Scalar(a), Sym::Scalar(b)) => return Ok(Sym::Scalar(self.arena.select(condition, *a, *b))),
            (_, Sym::Scalar(_), _) | (_, _, Sym::Scalar(_)) => return unsupported("a number and a list are mixed"),
            (_, Sym::Known(first), Sym::Known(second)) if first == second => return Ok(a.clone()),
            (_, Sym::Set(_), _) | (_, _, Sym::Set(_)) | (_, Sym::Known(Value::Set(_)), _) => {
                if let (Sym::Set(a), Sym::Set(b)) = (a, b) {
                    return self.merge_sets(condition, a, b);
                }
                let (a, b) = (self.as_set(a)?, self.as_set(b)?);
                return self.merge_sets(condition, &a, &b);
            }
            (_, Sym::Stretch(a), Sym::Stretch(b)) if a.flat == b.flat => {
                return Ok(Sym::Stretch(Stretch {
                    flat: a.flat,
                    from: self.arena.select(condition, a.from, b.from),
                    to: self.arena.select(condition, a.to, b.to),
                    most: a.most.max(b.most),
                    distinct: false,
                }));
            }
            _ => {}
        }
        if let (Some(length), Some(other)) = (self.fixed_length(a), self.fixed_length(b))
            && length == other
        {
            let mut items = Vec::with_capacity(length);
            for place in 0..length {
                let (a, b) = (self.item(a, place)?, self.item(b, place)?);
                items.push(self.merge(condition, &a, &b)?);
            }
            return Ok(Sym::items(items));
        }
        let not = self.arena.not(condition);
        let mut items = Vec::new();
        for (condition, list) in [(condition, a), (not, b)] {
            for (when, item) in self.loose(list)? {
                let when = self.arena.and(condition, when);
                if !self.is_never(when) {
                    items.push((when, item));
                }
            }
        }
        Ok(Sym::Loose(items.into()))
    }

    /// Calls a function of the file.
    fn call(&mut self, function: usize, arguments: &'b [Expr]) -> Made<Sym> {
        let program = self.program;
        let function = &program.functions[function];
        let mut values = Vec::with_capacity(function.locals);
        for argument in arguments {
            values.push(Some(self.value(argument)?));
        }
        values.resize(function.locals.max(values.len()), None);
        let (base, frame) = (self.state.base, self.state.locals.len());
        self.state.locals.extend(values);
        self.state.base = frame;
        let flow = self.block(&function.body);
        self.state.locals.truncate(frame);
        self.state.base = base;
        match flow?.value {
            Some(value) => Ok(value),
            None => Ok(self.nothing(&function.result)),
        }
    }

    /// The index of an item of a variable among its items; indices out of range are faults.
    pub(super) fn locate(&mut self, variable: usize, indices: &'b [Expr]) -> Made<Node> {
        let layout = &self.bound.layout;
        let slot = &layout.variables[variable];
        let mut terms = Vec::with_capacity(indices.len());
        for (depth, index) in indices.iter().enumerate() {
            let node = self.scalar(index)?;
            let length = slot.dims.get(depth).copied().unwrap_or(0);
            self.fault_outside(node, 0, length as i64 - 1);
            let below: usize = slot.dims[depth + 1..].iter().product();
            terms.push((node, below as i64));
        }
        let node = self.arena.combine(&terms, 0);
        Ok(self.settle(node))
    }

    /// The places `0, step, 2 step, … < end` where a node can be, each with its condition. The last place has no
    /// condition, since it is the only one left.
    pub(super) fn places(&mut self, node: Node, step: usize, end: usize) -> Made<Vec<(Node, usize)>> {
        let range = self.range(node);
        let (low, high) = (range.low.max(0) as usize, range.high.min(end as i64 - 1));
        let step = step.max(1);
        let mut places = Vec::new();
        let mut place = low.div_ceil(step) * step;
        while (place as i64) <= high {
            let number = self.arena.number(place as i64);
            let there = self.arena.eq(node, number);
            if !self.is_never(there) {
                places.push((there, place));
            }
            if places.len() > PLACES {
                return unsupported(format!("a list of more than {PLACES} items is used at a place that varies"));
            }
            place += step;
        }
        Ok(places)
    }

    pub(super) fn variable_scalar(&mut self, variable: usize, indices: &'b [Expr]) -> Made<Node> {
        let sym = self.variable(variable, indices)?;
        self.node(sym)
    }

    /// A variable, or an item of it.
    pub(super) fn variable(&mut self, variable: usize, indices: &'b [Expr]) -> Made<Sym> {
        let item = self.locate(variable, indices)?;
        let slot = &self.bound.layout.variables[variable];
        let depth = indices.len();
        if let Some(place) = self.arena.known(item) {
            return Ok(self.read_variable(variable, depth, usize::try_from(place).unwrap_or(0)));
        }
        let items: usize = slot.dims.iter().product();
        let below: usize = slot.dims[depth..].iter().product();
        let places = self.places(item, below, items)?;
        let Some(((_, last), others)) = places.split_last() else {
            return Ok(self.read_variable(variable, depth, 0)); // A fault: no place is inside.
        };
        let mut sym = self.read_variable(variable, depth, *last);
        for (there, place) in others.iter().rev() {
            let here = self.read_variable(variable, depth, *place);
            sym = self.merge(*there, &here, &sym)?;
        }
        Ok(sym)
    }

    fn read_variable(&mut self, variable: usize, depth: usize, item: usize) -> Sym {
        let slot = &self.bound.layout.variables[variable];
        match slot.dims.get(depth) {
            None => {
                let empty = || Sym::Known(Value::set(Vec::new()));
                let zero = Sym::Scalar(self.arena.number(0));
                match (slot.stride, self.state.cells.get(slot.offset + item * slot.stride)) {
                    (0, _) => empty(), // A set without possible elements.
                    (_, Some(sym)) if item * slot.stride < slot.cells => sym.clone(),
                    _ => zero,
                }
            }
            Some(&length) => {
                let below: usize = slot.dims[depth + 1..].iter().product();
                Sym::items((0..length).map(|i| self.read_variable(variable, depth + 1, item + i * below)).collect())
            }
        }
    }
}
