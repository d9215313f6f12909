//! Which expressions cannot go wrong, and what they may be: decides which conditions may be tested early.
//!
//! It knows the plain forms that guards have. What it does not know it takes for something that may go wrong.

use rules::program::{BinaryOp, Builtin, Expr, ExprKind, Fold, Loop};

use super::shape::{Range, Shape};
use super::writer::Writer;

impl Writer<'_, '_, '_, '_> {
    /// What an expression may be, if it cannot go wrong. `known` are the shapes of the first locals.
    pub fn safe(&mut self, expr: &Expr, known: &[Option<Shape>]) -> Option<Shape> {
        let number = |range| Some(Shape::Number(range));
        match &expr.kind {
            ExprKind::Scalar(value) => number(Range::one(*value)),
            ExprKind::Text(_) => Some(Shape::of(&expr.ty)),
            ExprKind::Global(slot) => {
                let value = self.bound().globals.get(*slot)?;
                Some(self.shared.tables.global(*slot, value, &expr.ty).ok()?.shape)
            }
            ExprKind::Local(local) => known.get(*local).cloned().flatten(),
            ExprKind::Mover => number(Range::new(0, self.bound().players as i64 - 1)),
            ExprKind::Opponent => number(Range::TRUTH),
            ExprKind::Variable { variable, indices } => self.safe_variable(*variable, indices, expr, known),
            ExprKind::Not(of) => {
                self.safe(of, known)?;
                number(Range::TRUTH)
            }
            ExprKind::Negate(of) => {
                let range = self.safe(of, known)?.range();
                let (low, high) = Range::one(0).difference(range);
                number(Range::exact(low, high)?)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.safe(a, known)?;
                self.safe(b, known)?;
                number(Range::TRUTH)
            }
            ExprKind::If(condition, a, b) => {
                self.safe(condition, known)?;
                Some(self.safe(a, known)?.join(&self.safe(b, known)?))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.safe(a, known)?, self.safe(b, known)?);
                number(safe_binary(*op, a.range(), b.range())?)
            }
            ExprKind::Index(list, index) => {
                let Shape::List { least, item, .. } = self.safe(list, known)? else { return None };
                let index = self.safe(index, known)?.range();
                index.below(least).then_some(*item)
            }
            ExprKind::In(item, collection) => {
                self.safe(item, known)?;
                match &collection.kind {
                    ExprKind::Range { low, high, .. } => {
                        self.safe(low, known)?;
                        self.safe(high, known)?;
                    }
                    _ => {
                        self.safe(collection, known)?;
                    }
                }
                number(Range::TRUTH)
            }
            ExprKind::Builtin(Builtin::Len, of) => match self.safe(of.first()?, known)? {
                Shape::List { least, most, .. } => number(Range::new(least, most)),
                Shape::Set(_) => number(Range::LENGTH),
                Shape::Number(_) => None,
            },
            ExprKind::Builtin(Builtin::Abs, of) => {
                let range = self.safe(of.first()?, known)?.range();
                let most = range.low.checked_abs()?.max(range.high.checked_abs()?);
                number(Range::new(0, most))
            }
            ExprKind::Fold { fold: fold @ (Fold::Any | Fold::All | Fold::Count), item, loops } => {
                self.safe_loops(item, loops, known)?;
                number(if *fold == Fold::Count { Range::LENGTH } else { Range::TRUTH })
            }
            _ => None,
        }
    }

    fn safe_variable(
        &mut self,
        variable: usize,
        indices: &[Expr],
        expr: &Expr,
        known: &[Option<Shape>],
    ) -> Option<Shape> {
        let slot = self.bound().layout.variables.get(variable)?;
        for (index, &length) in indices.iter().zip(&slot.dims) {
            let range = self.safe(index, known)?.range();
            range.below(length as i64).then_some(())?;
        }
        match slot.leaf.range() {
            Some((low, high)) if expr.ty.is_scalar() && high >= low => Some(Shape::Number(Range::new(low, high))),
            _ => Some(Shape::of(&expr.ty)),
        }
    }

    fn safe_loops(&mut self, item: &Expr, loops: &[Loop], known: &[Option<Shape>]) -> Option<()> {
        let mut inner = known.to_vec();
        for Loop { local, over, when } in loops {
            let shape = match &over.kind {
                ExprKind::Range { low, high, inclusive } => {
                    let (low, high) = (self.safe(low, &inner)?.range(), self.safe(high, &inner)?.range());
                    let high = if *inclusive { high.high } else { high.high.saturating_sub(1) };
                    Shape::Number(Range::new(low.low, high.max(low.low)))
                }
                _ => match self.safe(over, &inner)? {
                    Shape::List { item, .. } => *item,
                    Shape::Set(range) => Shape::Number(range),
                    Shape::Number(_) => return None,
                },
            };
            if inner.len() <= *local {
                inner.resize(local + 1, None);
            }
            inner[*local] = Some(shape);
            if let Some(when) = when {
                self.safe(when, &inner)?;
            }
        }
        self.safe(item, &inner).map(|_| ())
    }
}

fn safe_binary(op: BinaryOp, a: Range, b: Range) -> Option<Range> {
    let exact = |(low, high)| Range::exact(low, high);
    match op {
        BinaryOp::Add => exact(a.sum(b)),
        BinaryOp::Subtract => exact(a.difference(b)),
        BinaryOp::Multiply => exact(a.product(b)),
        BinaryOp::Divide if b.low > 0 => Some(Range::new(a.low.div_euclid(b.low).min(a.low.div_euclid(b.high)), {
            a.high.div_euclid(b.low).max(a.high.div_euclid(b.high))
        })),
        BinaryOp::Remainder if b.low > 0 => Some(Range::new(0, b.high - 1)),
        BinaryOp::Divide | BinaryOp::Remainder => None,
        _ => Some(Range::TRUTH),
    }
}
