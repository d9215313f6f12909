//! The built-in functions.

use super::eval::Tally;
use super::{Interpreter, faults};
use crate::fault::Fault;
use crate::number;
use crate::program::{Builtin, Expr, ExprKind, Fold};
use crate::span::Span;
use crate::types::Type;
use crate::value::Value;

impl<'b> Interpreter<'b> {
    /// Built-ins that give a number.
    pub(super) fn builtin_scalar(&mut self, builtin: Builtin, arguments: &'b [Expr], span: Span) -> Result<i64, Fault> {
        match (builtin, arguments) {
            (Builtin::Fold(fold), _) => self.fold_arguments(fold, arguments, span),
            (Builtin::Len, [of]) => self.length(of, span),
            (Builtin::Abs, [of]) => {
                let number = self.scalar(of)?;
                number.checked_abs().ok_or_else(|| faults::overflow(span, format_args!("abs({number})")))
            }
            (Builtin::Sign, [of]) => Ok(self.scalar(of)?.signum()),
            (Builtin::Isqrt, [of]) => {
                let number = self.scalar(of)?;
                number.checked_isqrt().ok_or_else(|| negative(of.span, "isqrt", number))
            }
            (Builtin::Popcount, [of]) => match self.scalar(of)? {
                number if number < 0 => Err(negative(of.span, "popcount", number)),
                number => Ok(i64::from(number.count_ones())),
            },
            (Builtin::Pow | Builtin::BitAnd | Builtin::BitOr | Builtin::Shl | Builtin::Shr, [left, right]) => {
                let (a, b) = (self.scalar(left)?, self.scalar(right)?);
                of_two(builtin, a, b, span, right.span)
            }
            _ => Err(faults::impossible(span, "a built-in function with these arguments")),
        }
    }

    /// Built-ins that give a list.
    pub(super) fn builtin_value(
        &mut self,
        builtin: Builtin,
        arguments: &'b [Expr],
        span: Span,
    ) -> Result<Value, Fault> {
        let [of] = arguments else { return Err(faults::impossible(span, "a built-in function with these arguments")) };
        self.charge_lists(1, span)?;
        if builtin == Builtin::Divisors {
            return self.divisors(of, span);
        }
        let value = self.value(of)?;
        let length = value.len().unwrap_or(0);
        self.charge_items(length, span)?;
        match (builtin, value) {
            (Builtin::Sort, Value::List(list)) if !list.is_empty() => {
                Err(faults::impossible(span, "`sort` orders numbers"))
            }
            (Builtin::Reverse, Value::List(list)) => {
                self.charge_lists(length, span)?;
                Ok(Value::list(list.as_slice().iter().rev().cloned().collect()))
            }
            (Builtin::Sort, value) => {
                self.charge((length as u64).saturating_mul(u64::from(length.checked_ilog2().unwrap_or(0))) / 4, span)?;
                let mut items = value.numbers().unwrap_or(&[]).to_vec();
                items.sort_unstable();
                Ok(Value::ints(items))
            }
            (Builtin::Reverse, value) => {
                Ok(Value::ints(value.numbers().unwrap_or(&[]).iter().rev().copied().collect()))
            }
            _ => Err(faults::impossible(span, "a built-in function with these arguments")),
        }
    }

    fn divisors(&mut self, of: &'b Expr, span: Span) -> Result<Value, Fault> {
        let number = self.scalar(of)?;
        let Some(positive) = u64::try_from(number).ok().filter(|n| *n > 0) else {
            return Err(faults::argument(of.span, format!("`divisors` of {number}"), "must be at least 1"));
        };
        // Factoring takes about the fourth root of the number.
        self.charge(64 + u64::from(positive.isqrt().isqrt() as u32) * 4, span)?;
        let divisors = number::divisors(positive);
        self.charge_items(divisors.len(), span)?;
        Ok(Value::ints(divisors.into_iter().map(u64::cast_signed).collect()))
    }

    /// The length, without copying a variable of the position.
    fn length(&mut self, of: &'b Expr, span: Span) -> Result<i64, Fault> {
        if let ExprKind::Variable { variable, indices } = &of.kind
            && let Some(slot) = self.layout.variables.get(*variable)
        {
            let (cell, item) = self.locate(*variable, indices, of.span)?;
            if let Some(length) = slot.dims.get(indices.len()) {
                return Ok(*length as i64);
            }
            let words = self.cells.get(cell..cell + slot.stride).unwrap_or(&[]);
            let strays = self.strays.iter().filter(|stray| stray.variable == *variable && stray.item == item).count();
            return Ok(words.iter().map(|word| i64::from(word.count_ones())).sum::<i64>() + strays as i64);
        }
        let value = self.value(of)?;
        let length = value.len().and_then(|length| i64::try_from(length).ok());
        length.ok_or_else(|| faults::impossible(span, "only lists and sets have a length"))
    }

    /// `sum`, `min`, … of numbers, lists and sets.
    fn fold_arguments(&mut self, fold: Fold, arguments: &'b [Expr], span: Span) -> Result<i64, Fault> {
        let mut tally = Tally::new(fold);
        for argument in arguments {
            if argument.ty.is_scalar() {
                let number = self.scalar(argument)?;
                tally.add(if fold == Fold::Count && argument.ty != Type::Bool { 1 } else { number });
                continue;
            }
            let value = self.value(argument)?;
            if let (Fold::Sum, Value::Ints(list)) = (fold, &value) {
                if !list.is_kept() {
                    self.charge(list.len() as u64 / 4, span)?;
                }
                tally.add_sum(list.sum());
                continue;
            }
            let counts_all = fold == Fold::Count && argument.ty.item() != Some(Type::Bool);
            if counts_all {
                tally.add_sum(value.len().unwrap_or(0) as i128);
                continue;
            }
            let Some(items) = value.numbers() else {
                return Err(faults::impossible(argument.span, "a list of numbers was expected"));
            };
            self.charge(items.len() as u64 / 2, span)?;
            for &item in items {
                tally.add(item);
            }
        }
        tally.finish(span)
    }
}

/// Built-ins of two numbers.
fn of_two(builtin: Builtin, a: i64, b: i64, span: Span, right: Span) -> Result<i64, Fault> {
    let name = match builtin {
        Builtin::BitAnd => return Ok(a & b),
        Builtin::BitOr => return Ok(a | b),
        Builtin::Pow => "pow",
        Builtin::Shl => "shl",
        _ => "shr",
    };
    let Ok(by) = u64::try_from(b) else {
        return Err(faults::argument(right, format!("`{name}({a}, {b})`"), "must be at least 0"));
    };
    let result = match builtin {
        Builtin::Pow => number::power(a, by),
        Builtin::Shl if a == 0 => Some(0),
        Builtin::Shl => number::power(2, by.min(64)).and_then(|factor| a.checked_mul(factor)).or(lowest(a, by)),
        _ => Some(a >> by.min(63)),
    };
    result.ok_or_else(|| faults::overflow(span, format_args!("{name}({a}, {b})")))
}

/// `a` shifted left where that gives the least number: `shl(-1, 63)` fits although 2^63 does not.
fn lowest(a: i64, by: u64) -> Option<i64> {
    (a == -1 && by == 63).then_some(i64::MIN)
}

fn negative(span: Span, name: &str, number: i64) -> Fault {
    faults::argument(span, format!("`{name}` of {number}"), "must be at least 0")
}
