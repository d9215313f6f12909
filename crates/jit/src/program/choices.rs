//! Choices as nested loops, and the conditions of a move tested as early as they can be.
//!
//! `when a and b and c` is tested after all choices are made, from left to right. A condition that reads only the first
//! choices is tested before the others are opened, where nobody can tell the difference: what the others range over must
//! not be able to go wrong, and a condition that overtakes another one must not either.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use rules::program::{Domain, Expr, ExprKind, Move, Source};

use super::frame;
use super::reads::{is_stable, locals_read};
use super::shape::{Num, Range, Shape, Val};
use super::writer::{Writer, Written};
use crate::error::JitError;

/// Sets of more elements have more subsets than anyone can list.
const MOST_ELEMENTS: i64 = 40;

impl<'b> Writer<'_, 'b, '_, '_> {
    /// All ways to make a move.
    pub fn rule(&mut self, mv: &'b Move) -> Written<()> {
        let mut conditions = Vec::new();
        if let Some(when) = &mv.when {
            conjuncts(when, &mut conditions);
        }
        let levels = self.levels(mv, &conditions);
        let tests: Vec<(usize, &Expr)> = levels.into_iter().zip(conditions).collect();
        let mark = self.mark();
        self.open(mv, 0, &tests)?;
        self.release(mark);
        Ok(())
    }

    /// Opens the choices from number `index` on.
    fn open(&mut self, mv: &'b Move, index: usize, tests: &[(usize, &Expr)]) -> Written<()> {
        let after = self.block();
        for item in mv.lets.iter().filter(|item| item.after == index) {
            let mut value = self.kept(&item.value, false)?;
            // The body may change what the value was read from.
            if !item.value.ty.is_scalar() && !is_stable(&item.value, &self.scope.changed, true) {
                value = self.copied(&value);
            }
            self.bind(item.local, &value);
        }
        for (level, test) in tests {
            if *level == index {
                let on = self.block();
                self.branch(test, on, after)?;
                self.go(on);
            }
        }
        match mv.choices.get(index) {
            None => self.play(mv)?,
            Some(choice) => self.each_choice(&choice.source, &mut |this, item| {
                this.bind(index, &item);
                this.open(mv, index + 1, tests)
            })?,
        }
        self.jump(after);
        self.go(after);
        Ok(())
    }

    fn each_choice(&mut self, source: &Source, body: &mut dyn FnMut(&mut Self, Val) -> Written<()>) -> Written<()> {
        match source {
            Source::Domain(domain) => self.each_of_domain(domain, body),
            Source::NamedItems(items) => {
                let mut numbers: Vec<i64> = Vec::new();
                for (_, number) in items {
                    if !numbers.contains(number) {
                        numbers.push(*number);
                    }
                }
                let value = rules::value::Value::ints(numbers);
                let constant = self.shared.tables.lay(&value, &rules::types::Type::list(rules::types::Type::Int))?;
                let list = self.laid(&constant);
                self.each_item(&list, &mut |this, item, _| body(this, item))
            }
            Source::Items(expr) if matches!(expr.kind, ExprKind::Range { .. }) => {
                self.each(expr, &mut |this, item, _| body(this, item))
            }
            Source::Items(expr) => {
                let value = self.value(expr)?;
                if let Shape::Set(_) = &value.shape {
                    return self.each_of(&value, &mut |this, item, _| body(this, item));
                }
                let Shape::List { distinct, item, .. } = &value.shape else {
                    return Err(JitError::Unsupported("a choice of a kind that has no code"));
                };
                let is_number = matches!(**item, Shape::Number(_));
                let mut list = value.clone();
                if !is_number && !is_stable(expr, &self.scope.changed, true) {
                    list = self.copied(&list);
                }
                if !distinct {
                    let kind = self.constant(item.kind());
                    let arguments = [self.frame, kind, list.words[0], list.words[1]];
                    let shape = Shape::list(0, i64::MAX, (**item).clone());
                    list = self.host_checked(frame::distinct as *const u8, &arguments, shape);
                } else if is_number && !is_stable(expr, &self.scope.changed, true) {
                    list = self.copied(&list);
                }
                self.each_item(&list, &mut |this, item, _| body(this, item))
            }
        }
    }

    fn each_of_domain(&mut self, domain: &Domain, body: &mut dyn FnMut(&mut Self, Val) -> Written<()>) -> Written<()> {
        let numbers = |this: &mut Self, high: i64, body: &mut dyn FnMut(&mut Self, Val) -> Written<()>| {
            let (low, high) = (this.num(0), this.num(high));
            this.count(low, high, true, &mut |this, item, _| body(this, item))
        };
        match domain {
            Domain::Range { low, high, inclusive, .. } => {
                let (low, high) = (self.scalar(low)?, self.scalar(high)?);
                self.count(low, high, *inclusive, &mut |this, item, _| body(this, item))
            }
            Domain::Bool => numbers(self, 1, body),
            Domain::Names(names) => numbers(self, names.len() as i64 - 1, body),
            Domain::SetOf(base) => self.each_subset(base, body),
            Domain::Array { item, length, up_to: None } => self.each_list(item, length, body),
            Domain::Array { .. } => Err(JitError::Unsupported("a choice of a list of any length")),
        }
    }

    /// The subsets of a base, counted as binary numbers.
    fn each_subset(&mut self, base: &Domain, body: &mut dyn FnMut(&mut Self, Val) -> Written<()>) -> Written<()> {
        let (low, size) = match base {
            Domain::Bool => (self.num(0), self.num(2)),
            Domain::Names(names) => (self.num(0), self.num(names.len() as i64)),
            Domain::Range { low, high, inclusive, .. } => {
                let (low, high) = (self.scalar(low)?, self.scalar(high)?);
                let span = self.arithmetic(rules::program::BinaryOp::Subtract, high, low);
                let one = self.num(i64::from(*inclusive));
                let size = self.arithmetic(rules::program::BinaryOp::Add, span, one);
                let zero = self.constant(0);
                (low, Num { value: self.builder.ins().smax(size.value, zero), range: Range::LENGTH })
            }
            _ => return Err(JitError::Unsupported("a choice of a kind that has no code")),
        };
        let many = self.compare_to(IntCC::SignedGreaterThan, size.value, MOST_ELEMENTS);
        self.fault_if(many);
        let one = self.num(1);
        let memory = self.allocate(one);
        let count = self.builder.ins().ishl(one.value, size.value);
        let high = Num { value: count, range: Range::new(1, 1 << MOST_ELEMENTS) };
        let zero = self.num(0);
        let range = Range::new(low.range.low, low.range.high.saturating_add(MOST_ELEMENTS));
        self.count(zero, high, false, &mut |this, item, _| {
            this.store(item.words[0], memory, 0);
            body(this, Val { shape: Shape::Set(range), words: [memory, low.value, one.value] })
        })
    }

    /// All lists of numbers of a domain, the leftmost item slowest.
    fn each_list(
        &mut self,
        item: &Domain,
        length: &Expr,
        body: &mut dyn FnMut(&mut Self, Val) -> Written<()>,
    ) -> Written<()> {
        let length = self.scalar(length)?;
        let wrong = self.compare_to(IntCC::UnsignedGreaterThan, length.value, 1 << 20);
        self.fault_if(wrong);
        let (low, high) = match item {
            Domain::Range { low, high, inclusive, .. } => {
                let (low, high) = (self.scalar(low)?, self.scalar(high)?);
                let one = self.num(i64::from(!*inclusive));
                (low, self.arithmetic(rules::program::BinaryOp::Subtract, high, one))
            }
            Domain::Bool => (self.num(0), self.num(1)),
            Domain::Names(names) => (self.num(0), self.num(names.len() as i64 - 1)),
            _ => return Err(JitError::Unsupported("a choice of a list of anything but numbers")),
        };
        let length = Num { range: Range::new(0, 1 << 20), ..length };
        let list = self.allocate(length);
        let end = self.address(list, length, 8);
        self.steps(list, end, 8, &mut |this, place| {
            this.store(low.value, place, 0);
            Ok(())
        })?;
        let (turn, back, test, step, after) = (self.block(), self.block(), self.block(), self.block(), self.block());
        // Without numbers to choose from there is only the list without items.
        let none = self.compare(IntCC::SignedGreaterThan, low.value, high.value);
        let items = self.compare_to(IntCC::NotEqual, length.value, 0);
        let nothing = self.builder.ins().band(none, items);
        self.builder.ins().brif(nothing, after, &[], turn, &[]);
        self.go(turn);
        let range = Range::new(low.range.low, high.range.high.max(low.range.low));
        let shape = Shape::list(0, 1 << 20, Shape::Number(range));
        body(self, Val { shape, words: [list, length.value, length.value] })?;
        self.watch();
        // The last item that can grow grows; those after it start anew.
        let place = self.variable(end);
        self.jump(test);
        self.go(test);
        let at = self.read(place);
        let more = self.compare(IntCC::UnsignedGreaterThan, at, list);
        self.builder.ins().brif(more, step, &[], after, &[]);
        self.go(step);
        let at = self.builder.ins().iadd_imm_s(at, -8);
        self.set(place, at);
        let number = self.load(at, 0);
        let next = self.builder.ins().iadd_imm_s(number, 1);
        let grows = self.compare(IntCC::SignedLessThan, number, high.value);
        let number = self.builder.ins().select(grows, next, low.value);
        self.store(number, at, 0);
        self.builder.ins().brif(grows, back, &[], test, &[]);
        self.go(back);
        self.jump(turn);
        self.go(after);
        Ok(())
    }

    /// How many choices must be made before each condition is tested.
    fn levels(&mut self, mv: &'b Move, conditions: &[&Expr]) -> Vec<usize> {
        let choices = mv.choices.len();
        // What each choice may be, as far as it is known beforehand; and from which choice on nothing can go wrong.
        let mut known: Vec<Option<Shape>> = Vec::new();
        // Nothing overtakes a `let`: it might go wrong, and conditions may read it.
        let mut earliest = mv.lets.iter().map(|item| item.after).max().unwrap_or(0);
        for (index, choice) in mv.choices.iter().enumerate() {
            let shape = self.source_shape(&choice.source, &known);
            if shape.is_none() {
                earliest = earliest.max(index + 1);
            }
            known.push(shape);
        }
        let mut levels = Vec::with_capacity(conditions.len());
        let mut highest = 0;
        for condition in conditions {
            let read = locals_read(condition).into_iter().filter(|local| *local < choices);
            let needed = read.map(|local| local + 1).max().unwrap_or(0);
            let mut level = needed.max(earliest).min(choices);
            if level < highest && self.safe(condition, &known).is_none() {
                level = highest;
            }
            highest = highest.max(level);
            levels.push(level);
        }
        levels
    }

    /// What a choice may be, if what it ranges over cannot go wrong.
    fn source_shape(&mut self, source: &Source, known: &[Option<Shape>]) -> Option<Shape> {
        match source {
            Source::Domain(Domain::Range { low, high, .. }) => {
                let (low, high) = (self.safe(low, known)?.range(), self.safe(high, known)?.range());
                Some(Shape::Number(Range::new(low.low, high.high.max(low.low))))
            }
            Source::Domain(Domain::Bool) => Some(Shape::Number(Range::TRUTH)),
            Source::Domain(Domain::Names(names)) => Some(Shape::Number(Range::new(0, names.len() as i64))),
            Source::Domain(_) => None,
            Source::NamedItems(items) => {
                let numbers = items.iter().map(|(_, number)| Range::one(*number));
                Some(Shape::Number(numbers.reduce(Range::join)?))
            }
            Source::Items(expr) => match self.safe(expr, known)? {
                Shape::List { item, .. } => Some(*item),
                Shape::Set(range) => Some(Shape::Number(range)),
                Shape::Number(_) => None,
            },
        }
    }
}

/// The parts of a condition that are joined by `and`, from left to right.
fn conjuncts<'e>(expr: &'e Expr, into: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::And(left, right) => {
            conjuncts(left, into);
            conjuncts(right, into);
        }
        _ => into.push(expr),
    }
}
