//! Calls of built-in functions: the number and types of their arguments, and the type of the result.

use crate::check::scope::Scope;
use crate::check::{Checker, mistake};
use crate::diagnostic::Diagnostic;
use crate::program::{Builtin, Expr, ExprKind, Fold};
use crate::span::Span;
use crate::syntax::tree;
use crate::types::Type;

/// The built-in functions by name.
pub const BUILTINS: &[(&str, Builtin)] = &[
    ("len", Builtin::Len),
    ("min", Builtin::Fold(Fold::Min)),
    ("max", Builtin::Fold(Fold::Max)),
    ("abs", Builtin::Abs),
    ("sign", Builtin::Sign),
    ("sum", Builtin::Fold(Fold::Sum)),
    ("gcd", Builtin::Fold(Fold::Gcd)),
    ("pow", Builtin::Pow),
    ("isqrt", Builtin::Isqrt),
    ("xor", Builtin::Fold(Fold::Xor)),
    ("bit_and", Builtin::BitAnd),
    ("bit_or", Builtin::BitOr),
    ("shl", Builtin::Shl),
    ("shr", Builtin::Shr),
    ("popcount", Builtin::Popcount),
    ("divisors", Builtin::Divisors),
    ("sort", Builtin::Sort),
    ("reverse", Builtin::Reverse),
    ("count", Builtin::Fold(Fold::Count)),
    ("any", Builtin::Fold(Fold::Any)),
    ("all", Builtin::Fold(Fold::All)),
];

/// The built-in function of that name.
pub fn builtin(name: &str) -> Option<Builtin> {
    BUILTINS.iter().find(|(known, _)| *known == name).map(|(_, builtin)| *builtin)
}

/// The fold of that name.
pub fn fold_named(name: &str) -> Option<Fold> {
    match builtin(name) {
        Some(Builtin::Fold(fold)) => Some(fold),
        _ => None,
    }
}

impl Checker<'_> {
    pub(super) fn builtin_call(
        &mut self,
        builtin: Builtin,
        name: &tree::Name,
        arguments: &[tree::Expr],
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let arguments: Vec<Expr> = arguments.iter().map(|a| self.expr(a, scope)).collect();
        let wanted = match builtin {
            Builtin::Pow | Builtin::BitAnd | Builtin::BitOr | Builtin::Shl | Builtin::Shr => Some(2),
            Builtin::Fold(Fold::Sum | Fold::Min | Fold::Max | Fold::Xor | Fold::Gcd) => None,
            _ => Some(1),
        };
        let wrong_count = match wanted {
            Some(count) => arguments.len() != count,
            None => arguments.is_empty(),
        };
        if wrong_count {
            let takes = wanted.map_or("at least 1 argument".to_string(), arguments_noun);
            let title = format!("`{}` takes {takes}, not {}", name.text, arguments.len());
            self.complain(Diagnostic::at(span, title, "called here").help(usage(builtin)));
            return mistake(span);
        }
        for argument in &arguments {
            if !accepts(builtin, &argument.ty) {
                let title = format!("`{}` does not take {}", name.text, argument.ty.noun());
                let label = format!("this is {}", argument.ty.noun());
                self.complain(Diagnostic::at(argument.span, title, label).help(usage(builtin)));
                return mistake(span);
            }
        }
        let ty = match builtin {
            Builtin::Fold(Fold::Any | Fold::All) => Type::Bool,
            Builtin::Divisors | Builtin::Sort => Type::list(Type::Int),
            Builtin::Reverse => arguments[0].ty.clone(),
            _ => Type::Int,
        };
        Expr { kind: ExprKind::Builtin(builtin, arguments), ty, span }
    }
}

fn accepts(builtin: Builtin, ty: &Type) -> bool {
    let numbers = |ty: &Type| match ty {
        Type::Text | Type::Set => true,
        Type::List(item) => matches!(**item, Type::Int | Type::Unknown),
        _ => false,
    };
    match (builtin, ty) {
        (_, Type::Unknown) => true,
        (Builtin::Len, Type::Text | Type::Set | Type::List(_)) => true,
        (Builtin::Fold(Fold::Any | Fold::All | Fold::Count), Type::List(item)) => {
            matches!(**item, Type::Bool | Type::Unknown)
        }
        (Builtin::Fold(Fold::Any | Fold::All | Fold::Count), _) => false,
        (Builtin::Fold(_), ty) => *ty == Type::Int || numbers(ty),
        (Builtin::Sort, ty) => numbers(ty),
        (Builtin::Reverse, Type::List(_) | Type::Text) => true,
        (Builtin::Len | Builtin::Reverse, _) => false,
        (_, ty) => *ty == Type::Int,
    }
}

fn usage(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Len => "`len` takes a list, a text or a set",
        Builtin::Fold(Fold::Any) => "write `any(CONDITION for x in …)`",
        Builtin::Fold(Fold::All) => "write `all(CONDITION for x in …)`",
        Builtin::Fold(Fold::Count) => "write `count(CONDITION for x in …)`",
        Builtin::Fold(_) => "it takes numbers, lists of numbers and sets, or `EXPR for x in …`",
        Builtin::Sort => "it takes a list of numbers or a set",
        Builtin::Reverse => "it takes a list",
        Builtin::Pow => "write `pow(base, exponent)`",
        Builtin::Shl | Builtin::Shr => "the first number is shifted by the second, as in `shr(x, 1)`",
        Builtin::BitAnd | Builtin::BitOr => "it takes two numbers",
        _ => "it takes one number",
    }
}

/// `no argument`, `1 argument`, `2 arguments`.
pub(super) fn arguments_noun(count: usize) -> String {
    match count {
        0 => "no argument".to_string(),
        1 => "1 argument".to_string(),
        n => format!("{n} arguments"),
    }
}
