//! What expressions of the instance can be while a parameter runs through a stretch of numbers.
//!
//! A number is known as `factor · n + something between two bounds`, where `n` is the parameter: so `n - n` is 0, and
//! `max(n, 0)` is at least `n`. What is not understood, or could be a mistake for some `n` (an overflow, a division by zero, an
//! index outside its list), has no term.

use rules::program::{BinaryOp, Builtin, Expr, ExprKind, Fold, Loop};
use rules::value::Value;

/// Lists longer than this are not looked at.
const LONGEST: usize = 1 << 10;
/// Factors and bounds are kept so small that nothing overflows here.
const LARGEST: i128 = 1 << 80;

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// `factor · n` plus something between `low` and `high`.
    Number { factor: i128, low: i128, high: i128 },
    /// A list of which each item is known so far.
    List(Vec<Term>),
}

impl Term {
    /// The parameter itself.
    pub const PARAMETER: Term = Term::Number { factor: 1, low: 0, high: 0 };

    fn between((low, high): (i128, i128)) -> Term {
        Term::Number { factor: 0, low, high }
    }

    fn of(value: &Value) -> Option<Term> {
        match value {
            Value::Int(number) => Some(Term::between((i128::from(*number), i128::from(*number)))),
            Value::Set(_) => None,
            _ => {
                let length = value.len().filter(|length| *length <= LONGEST)?;
                (0..length).map(|index| Term::of(&value.get(index)?)).collect::<Option<_>>().map(Term::List)
            }
        }
    }

    /// This number minus another.
    pub fn minus(&self, other: &Term) -> Option<Term> {
        self.plus(&other.times(-1)?)
    }

    fn plus(&self, other: &Term) -> Option<Term> {
        let (Term::Number { factor, low, high }, Term::Number { factor: f, low: l, high: h }) = (self, other) else {
            return None;
        };
        small(Term::Number { factor: factor + f, low: low + l, high: high + h })
    }

    fn times(&self, by: i64) -> Option<Term> {
        let Term::Number { factor, low, high } = self else { return None };
        let by = i128::from(by);
        let factor = factor.checked_mul(by)?;
        let (one, other) = (low.checked_mul(by)?, high.checked_mul(by)?);
        small(Term::Number { factor, low: one.min(other), high: one.max(other) })
    }
}

fn small(term: Term) -> Option<Term> {
    match &term {
        Term::Number { factor, low, high } if [factor, low, high].into_iter().all(|n| n.abs() <= LARGEST) => Some(term),
        _ => None,
    }
}

/// The parameter between two numbers, and what is known of everything else.
pub(super) struct Stretch<'g> {
    low: i128,
    high: i128,
    globals: &'g [Value],
    depends: &'g [bool],
    /// The terms of what depends on the parameter.
    known: Vec<Option<Term>>,
    locals: Vec<Option<Term>>,
}

impl<'g> Stretch<'g> {
    /// `depends` tells which of the `globals` depend on the parameter; the others are what they are.
    pub fn new(low: i128, high: i128, globals: &'g [Value], depends: &'g [bool]) -> Stretch<'g> {
        Stretch { low, high, globals, depends, known: vec![None; globals.len()], locals: Vec::new() }
    }

    /// Makes known what a global is that depends on the parameter.
    pub fn set(&mut self, slot: usize, term: Term) {
        self.known[slot] = Some(term);
    }

    /// The least and the greatest that a number can be; `None` if it might not fit in 64 bits.
    pub fn range(&self, term: &Term) -> Option<(i128, i128)> {
        let Term::Number { factor, low, high } = term else { return None };
        let (one, other) = (factor.checked_mul(self.low)?, factor.checked_mul(self.high)?);
        let range = (one.min(other).checked_add(*low)?, one.max(other).checked_add(*high)?);
        let fits = i128::from(i64::MIN) <= range.0 && range.1 <= i128::from(i64::MAX);
        fits.then_some(range)
    }

    /// The least and the greatest that a numeric or truth expression can be.
    pub fn number(&mut self, expr: &Expr) -> Option<(i128, i128)> {
        let term = self.term(expr)?;
        self.range(&term)
    }

    /// What is known of an expression.
    pub fn term(&mut self, expr: &Expr) -> Option<Term> {
        let term = match &expr.kind {
            ExprKind::Scalar(number) => Term::between((i128::from(*number), i128::from(*number))),
            ExprKind::Global(slot) if self.depends[*slot] => self.known[*slot].clone()?,
            ExprKind::Global(slot) => Term::of(&self.globals[*slot])?,
            ExprKind::Local(local) => self.locals.get(*local)?.clone()?,
            ExprKind::Negate(of) => self.term(of)?.times(-1)?,
            ExprKind::Not(of) => {
                let (low, high) = self.number(of)?;
                Term::between((1 - high, 1 - low))
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b)?,
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::If(..) => self.branch(expr)?,
            ExprKind::List(items) => Term::List(items.iter().map(|item| self.term(item)).collect::<Option<_>>()?),
            ExprKind::In(item, range) => self.is_in(item, range)?,
            ExprKind::Builtin(builtin, of) => self.builtin(builtin, of)?,
            ExprKind::Fold { fold, item, loops } => {
                let mut items = Vec::new();
                self.each(item, loops, &mut items)?;
                self.fold(*fold, items)?
            }
            _ => return None,
        };
        // What does not fit is a mistake for some numbers, even where it is only on the way to another value.
        match &term {
            Term::Number { .. } => self.range(&term).map(|_| term),
            Term::List(_) => Some(term),
        }
    }

    /// A choice between two expressions: `and`, `or`, `if`.
    fn branch(&mut self, expr: &Expr) -> Option<Term> {
        Some(match &expr.kind {
            ExprKind::And(a, b) => match self.number(a)? {
                (_, 0) => Term::between((0, 0)),
                (low, _) => {
                    let (least, most) = self.number(b)?;
                    Term::between((low.min(least), most))
                }
            },
            ExprKind::Or(a, b) => match self.number(a)? {
                (1, _) => Term::between((1, 1)),
                (_, high) => {
                    let (least, most) = self.number(b)?;
                    Term::between((least, high.max(most)))
                }
            },
            ExprKind::If(condition, yes, no) => match self.number(condition)? {
                (1, 1) => self.term(yes)?,
                (0, 0) => self.term(no)?,
                _ => {
                    let (yes, no) = (self.number(yes)?, self.number(no)?);
                    Term::between((yes.0.min(no.0), yes.1.max(no.1)))
                }
            },
            _ => return None,
        })
    }

    fn builtin(&mut self, builtin: &Builtin, of: &[Expr]) -> Option<Term> {
        Some(match (builtin, of) {
            (Builtin::Len, [of]) => match self.term(of)? {
                Term::List(items) => Term::between((items.len() as i128, items.len() as i128)),
                Term::Number { .. } => return None,
            },
            (Builtin::Abs, [of]) => {
                let term = self.term(of)?;
                self.larger(&term, &term.times(-1)?)?
            }
            (Builtin::Fold(fold), of) => {
                let mut items = Vec::new();
                for each in of {
                    match self.term(each)? {
                        Term::List(list) => items.extend(list),
                        number => items.push(number),
                    }
                }
                self.fold(*fold, items)?
            }
            _ => return None,
        })
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Term> {
        let (a, b) = (self.term(a)?, self.term(b)?);
        let truth = |yes: bool, no: bool| Term::between((i128::from(yes), i128::from(!no)));
        Some(match op {
            BinaryOp::Add => a.plus(&b)?,
            BinaryOp::Subtract => a.minus(&b)?,
            BinaryOp::Multiply => match (self.range(&a)?, self.range(&b)?) {
                ((x, y), _) if x == y => b.times(i64::try_from(x).ok()?)?,
                (_, (x, y)) if x == y => a.times(i64::try_from(x).ok()?)?,
                ((a, b), (c, d)) => corners([a * c, a * d, b * c, b * d]),
            },
            BinaryOp::Divide => match (self.range(&a)?, self.range(&b)?) {
                (_, (c, d)) if c <= 0 && d >= 0 => return None,
                ((a, b), (c, d)) => corners([down(a, c), down(a, d), down(b, c), down(b, d)]),
            },
            BinaryOp::Remainder => match (self.range(&a)?, self.range(&b)?) {
                (_, (c, _)) if c <= 0 => return None,
                ((a, b), (c, d)) if c == d && down(a, c) == down(b, c) => {
                    Term::between((a - down(a, c) * c, b - down(b, c) * c))
                }
                (_, (_, d)) => Term::between((0, d - 1)),
            },
            _ => {
                // Both are 64-bit numbers, so that their difference may need a bit more.
                let (least, most) = self.spread(&a.minus(&b)?)?;
                match op {
                    BinaryOp::Equal => truth(least == 0 && most == 0, least > 0 || most < 0),
                    BinaryOp::NotEqual => truth(least > 0 || most < 0, least == 0 && most == 0),
                    BinaryOp::Less => truth(most < 0, least >= 0),
                    BinaryOp::LessEqual => truth(most <= 0, least > 0),
                    BinaryOp::Greater => truth(least > 0, most <= 0),
                    _ => truth(least >= 0, most < 0),
                }
            }
        })
    }

    /// The range of a difference that the rules never compute; see [`Stretch::range`].
    fn spread(&self, term: &Term) -> Option<(i128, i128)> {
        let Term::Number { factor, low, high } = term else { return None };
        let (one, other) = (factor.checked_mul(self.low)?, factor.checked_mul(self.high)?);
        Some((one.min(other).checked_add(*low)?, one.max(other).checked_add(*high)?))
    }

    /// The larger of two numbers.
    fn larger(&self, a: &Term, b: &Term) -> Option<Term> {
        Some(match self.spread(&a.minus(b)?)? {
            (least, _) if least >= 0 => a.clone(),
            (_, most) if most <= 0 => b.clone(),
            _ => {
                let (a, b) = (self.spread(a)?, self.spread(b)?);
                Term::between((a.0.max(b.0), a.1.max(b.1)))
            }
        })
    }

    fn fold(&self, fold: Fold, items: Vec<Term>) -> Option<Term> {
        if matches!(fold, Fold::Any | Fold::All) {
            let ranges = items.iter().map(|item| self.range(item)).collect::<Option<Vec<_>>>()?;
            let (low, high) = (ranges.iter().map(|range| range.0), ranges.iter().map(|range| range.1));
            return Some(Term::between(match fold {
                Fold::Any => (low.max().unwrap_or(0), high.max().unwrap_or(0)),
                _ => (low.min().unwrap_or(1), high.min().unwrap_or(1)),
            }));
        }
        let mut items = items.into_iter();
        match fold {
            Fold::Sum => items.try_fold(Term::between((0, 0)), |sum, item| {
                let sum = sum.plus(&item)?;
                self.range(&sum).map(|_| sum)
            }),
            Fold::Max => {
                let first = items.next()?;
                items.try_fold(first, |most, item| self.larger(&most, &item))
            }
            Fold::Min => {
                let first = items.next()?.times(-1)?;
                let most = items.try_fold(first, |most, item| self.larger(&most, &item.times(-1)?))?;
                most.times(-1)
            }
            _ => None,
        }
    }

    /// The items of a comprehension, as far as it is certain which there are.
    fn each(&mut self, item: &Expr, loops: &[Loop], items: &mut Vec<Term>) -> Option<()> {
        let Some((outer, inner)) = loops.split_first() else {
            items.push(self.term(item)?);
            return (items.len() <= LONGEST).then_some(());
        };
        let Term::List(over) = self.over(&outer.over)? else { return None };
        for each in over {
            if self.locals.len() <= outer.local {
                self.locals.resize(outer.local + 1, None);
            }
            self.locals[outer.local] = Some(each);
            match outer.when.as_ref().map_or(Some((1, 1)), |when| self.number(when))? {
                (1, 1) => self.each(item, inner, items)?,
                (0, 0) => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// What a loop runs over.
    fn over(&mut self, expr: &Expr) -> Option<Term> {
        let ExprKind::Range { low, high, inclusive } = &expr.kind else { return self.term(expr) };
        let (low, high) = (self.number(low)?, self.number(high)?);
        let end = high.0 + i128::from(*inclusive);
        if low.0 != low.1 || high.0 != high.1 || end - low.0 > LONGEST as i128 {
            return None;
        }
        Some(Term::List((low.0..end).map(|number| Term::between((number, number))).collect()))
    }

    fn is_in(&mut self, item: &Expr, range: &Expr) -> Option<Term> {
        let ExprKind::Range { low, high, inclusive } = &range.kind else { return None };
        let (item, low, high) = (self.term(item)?, self.term(low)?, self.term(high)?);
        let above = self.spread(&item.minus(&low)?)?;
        let below = self.spread(&high.minus(&item)?)?;
        let least = i128::from(!inclusive);
        let surely = above.0 >= 0 && below.0 >= least;
        let perhaps = above.1 >= 0 && below.1 >= least;
        Some(Term::between((i128::from(surely), i128::from(perhaps))))
    }
}

fn corners(of: [i128; 4]) -> Term {
    Term::between((of.into_iter().min().unwrap_or(0), of.into_iter().max().unwrap_or(0)))
}

/// Division that rounds down.
fn down(a: i128, b: i128) -> i128 {
    let quotient = a.div_euclid(b);
    if b < 0 && a.rem_euclid(b) != 0 { quotient - 1 } else { quotient }
}
