//! Expressions: names resolved, types worked out.

use crate::check::builtins::{BUILTINS, arguments_noun, builtin, fold_named};
use crate::check::scope::{LocalKind, Scope, Sight, Symbol, did_you_mean};
use crate::check::{Checker, mistake};
use crate::diagnostic::Diagnostic;
use crate::program::{BinaryOp, Expr, ExprKind, Fold, Loop};
use crate::span::Span;
use crate::syntax::tree;
use crate::types::Type;

fn typed(span: Span, ty: Type, kind: ExprKind) -> Expr {
    Expr { kind, ty, span }
}

impl Checker<'_> {
    /// An expression that must have a type; `what` names it in the message.
    pub(super) fn expect(&mut self, tree: &tree::Expr, scope: &mut Scope, wanted: &Type, what: &str) -> Expr {
        let mut expr = self.expr(tree, scope);
        if !expr.ty.fits(wanted) {
            let title = format!("{what} must be {}, not {}", wanted.noun(), expr.ty.noun());
            let mut diagnostic = Diagnostic::at(expr.span, title, format!("this is {}", expr.ty.noun()));
            diagnostic.help = one_character(tree).filter(|_| *wanted == Type::Int);
            diagnostic.help = diagnostic.help.or(mend(wanted, &expr.ty).map(str::to_string));
            self.complain(diagnostic);
            return mistake(expr.span);
        }
        if matches!(wanted, Type::List(_)) && matches!(expr.ty, Type::List(_)) {
            // `[]` takes the wanted type.
            expr.ty = expr.ty.join(wanted).unwrap_or(expr.ty);
        }
        expr
    }

    /// An expression of any type.
    pub(super) fn expr(&mut self, tree: &tree::Expr, scope: &mut Scope) -> Expr {
        let span = tree.span;
        let boxed = Box::new;
        match &tree.kind {
            tree::ExprKind::Mistake => mistake(span),
            tree::ExprKind::Int(value) | tree::ExprKind::Char(value) => {
                typed(span, Type::Int, ExprKind::Scalar(*value))
            }
            tree::ExprKind::Bool(value) => typed(span, Type::Bool, ExprKind::Scalar(i64::from(*value))),
            tree::ExprKind::Text(text) => typed(span, Type::Text, ExprKind::Text(text.clone())),
            tree::ExprKind::Name(name) => self.name(name, span, scope),
            tree::ExprKind::Mover => self.player_word(span, scope, ExprKind::Mover, "mover"),
            tree::ExprKind::Opponent => self.player_word(span, scope, ExprKind::Opponent, "opponent"),
            tree::ExprKind::Negate(inner) => {
                if let tree::ExprKind::Int(value) = inner.kind {
                    return typed(span, Type::Int, ExprKind::Scalar(-value));
                }
                let inner = self.expect(inner, scope, &Type::Int, "what `-` negates");
                typed(span, Type::Int, ExprKind::Negate(boxed(inner)))
            }
            tree::ExprKind::Not(inner) => {
                let inner = self.expect(inner, scope, &Type::Bool, "what `not` denies");
                typed(span, Type::Bool, ExprKind::Not(boxed(inner)))
            }
            tree::ExprKind::And(a, b) | tree::ExprKind::Or(a, b) => {
                let and = matches!(tree.kind, tree::ExprKind::And(..));
                let word = if and { "and" } else { "or" };
                let a = boxed(self.expect(a, scope, &Type::Bool, &format!("the left side of `{word}`")));
                let b = boxed(self.expect(b, scope, &Type::Bool, &format!("the right side of `{word}`")));
                typed(span, Type::Bool, if and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) })
            }
            tree::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span, scope),
            tree::ExprKind::In(item, collection) => self.membership(item, collection, span, scope),
            tree::ExprKind::If(condition, yes, no) => self.choice([condition, yes, no], span, scope),
            tree::ExprKind::Index(base, index) => self.index(base, index, span, scope),
            tree::ExprKind::Slice(base, low, high, inclusive) => self.slice(base, [low, high], *inclusive, span, scope),
            tree::ExprKind::Range(low, high, inclusive) => {
                let low = boxed(self.expect(low, scope, &Type::Int, "the lower bound"));
                let high = boxed(self.expect(high, scope, &Type::Int, "the upper bound"));
                typed(span, Type::list(Type::Int), ExprKind::Range { low, high, inclusive: *inclusive })
            }
            tree::ExprKind::Call(name, arguments) => self.call(name, arguments, span, scope),
            tree::ExprKind::Fold(name, item, loops) => self.fold(name, item, loops, span, scope),
            tree::ExprKind::List(items) => self.list(items, span, scope),
            tree::ExprKind::Repeat(item, length) => {
                let item = self.expr(item, scope);
                let length = self.expect(length, scope, &Type::Int, "the length of a list");
                typed(span, Type::list(item.ty.clone()), ExprKind::Repeat(boxed(item), boxed(length)))
            }
            tree::ExprKind::Comprehension(item, loops) => {
                let (item, loops) = self.loops(item, loops, scope, |checker, tree, scope| checker.expr(tree, scope));
                typed(span, Type::list(item.ty.clone()), ExprKind::Comprehension(boxed(item), loops))
            }
            tree::ExprKind::Set(items) => {
                let check = |item| self.expect(item, scope, &Type::Int, "an element of a set");
                let items = items.iter().map(check).collect();
                typed(span, Type::Set, ExprKind::SetOf(items))
            }
            tree::ExprKind::SetComprehension(item, loops) => {
                let (item, loops) = self.loops(item, loops, scope, |checker, tree, scope| {
                    checker.expect(tree, scope, &Type::Int, "an element of a set")
                });
                typed(span, Type::Set, ExprKind::SetComprehension(boxed(item), loops))
            }
        }
    }

    fn choice(&mut self, [condition, yes, no]: [&tree::Expr; 3], span: Span, scope: &mut Scope) -> Expr {
        let boxed = Box::new;
        let condition = self.expect(condition, scope, &Type::Bool, "the condition of `if`");
        let (yes, no) = (self.expr(yes, scope), self.expr(no, scope));
        let Some(ty) = yes.ty.join(&no.ty) else {
            let title = format!("the two branches differ: {} and {}", yes.ty.noun(), no.ty.noun());
            let diagnostic = Diagnostic::at(no.span, title, format!("this is {}", no.ty.noun()));
            self.complain(diagnostic.related(yes.span, format!("this is {}", yes.ty.noun())));
            return mistake(span);
        };
        typed(span, ty, ExprKind::If(boxed(condition), boxed(yes), boxed(no)))
    }

    fn slice(
        &mut self,
        base: &tree::Expr,
        [low, high]: [&Option<Box<tree::Expr>>; 2],
        inclusive: bool,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let boxed = Box::new;
        let list = self.expr(base, scope);
        let mut bound = |e: &Option<Box<tree::Expr>>| {
            e.as_ref().map(|e| boxed(self.expect(e, scope, &Type::Int, "the bound of a slice")))
        };
        let (low, high) = (bound(low), bound(high));
        if !matches!(list.ty, Type::List(_) | Type::Text | Type::Unknown) {
            let title = format!("only a list can be cut with `[i..j]`, not {}", list.ty.noun());
            self.complain(Diagnostic::at(list.span, title, format!("this is {}", list.ty.noun())));
            return mistake(span);
        }
        let ty = list.ty.clone();
        typed(span, ty, ExprKind::Slice { list: boxed(list), low, high, inclusive })
    }

    fn player_word(&mut self, span: Span, scope: &mut Scope, kind: ExprKind, word: &str) -> Expr {
        scope.reads_position = true;
        self.reads_player = true;
        if matches!(kind, ExprKind::Opponent) {
            self.one_opponent(span);
        }
        if !matches!(scope.sight, Sight::Turn | Sight::Position) {
            let title = format!("`{word}` is not known in {}", scope.place);
            let help = "it changes from position to position; this is computed once per instance";
            self.complain(Diagnostic::at(span, title, "read here").help(help));
            return mistake(span);
        }
        typed(span, Type::Int, kind)
    }

    /// A name without indices or arguments.
    fn name(&mut self, name: &str, span: Span, scope: &mut Scope) -> Expr {
        if let Some(local) = scope.local(name) {
            return typed(span, local.ty.clone(), ExprKind::Local(local.slot));
        }
        let Some(symbol) = self.symbols.get(name) else {
            self.unknown_name(name, span, scope);
            return mistake(span);
        };
        if self.symbols.is_doubled(name) {
            return mistake(span);
        }
        match symbol {
            Symbol::Constant(value) => typed(span, Type::Int, ExprKind::Scalar(value)),
            Symbol::Param(index) => {
                let allowed = match &scope.sight {
                    Sight::Constants => false,
                    Sight::Params(params) => params.contains(&index),
                    Sight::Instance | Sight::Turn | Sight::Position => true,
                };
                if !allowed {
                    self.out_of_sight(name, symbol, span, scope);
                    return mistake(span);
                }
                scope.reads.push(index);
                typed(span, self.param_types[index].clone(), ExprKind::Global(index))
            }
            Symbol::Let(index) => {
                if !matches!(scope.sight, Sight::Instance | Sight::Turn | Sight::Position) {
                    self.out_of_sight(name, symbol, span, scope);
                    return mistake(span);
                }
                match self.need_let(index, span) {
                    Some((slot, ty)) => {
                        scope.reads.push(slot);
                        typed(span, ty, ExprKind::Global(slot))
                    }
                    None => mistake(span),
                }
            }
            Symbol::Variable(index) => {
                scope.reads_position = true;
                if scope.sight != Sight::Position {
                    self.out_of_sight(name, symbol, span, scope);
                    return mistake(span);
                }
                let ty = self.variable_types[index].clone();
                typed(span, ty, ExprKind::Variable { variable: index, indices: Vec::new() })
            }
            Symbol::Function(_) => {
                let title = format!("`{name}` is a function and must be called");
                self.complain(Diagnostic::at(span, title, "not called").help(format!("write `{name}(…)`")));
                mistake(span)
            }
        }
    }

    fn out_of_sight(&mut self, name: &str, symbol: Symbol, span: Span, scope: &Scope) {
        let title = format!("`{name}` cannot be read in {}", scope.place);
        let help = match (symbol, &scope.sight) {
            (Symbol::Variable(_), _) => "it changes from position to position; here only the instance is known",
            (_, Sight::Params(_)) => "only parameters that come before are known here",
            _ => "only plain values can stand here",
        };
        self.complain(Diagnostic::at(span, title, symbol.noun()).help(help));
    }

    fn unknown_name(&mut self, name: &str, span: Span, scope: &Scope) {
        if !self.unknown.insert(name.to_string()) {
            return;
        }
        let mut diagnostic = Diagnostic::at(span, format!("`{name}` is not known"), "not declared").may_follow();
        let known = scope.locals.iter().map(|l| l.name.as_str()).chain(self.symbols.names());
        let words = ["true", "false", "mover", "opponent"];
        diagnostic.help = did_you_mean(name, known.chain(words)).or_else(|| match name {
            "win" | "lose" | "draw" => Some(format!("`{name}` is a result: write it behind `=>`")),
            "null" | "none" | "None" => Some("there is no empty value; use a number or a constant for it".to_string()),
            "player" | "me" | "current" | "self" => Some("the player to move is `mover`".to_string()),
            "cell" => Some("`cell` is known only in the condition of `regions`".to_string()),
            _ if BUILTINS.iter().any(|(builtin, _)| *builtin == name) => {
                Some(format!("`{name}` is a function: `{name}(…)`"))
            }
            _ => None,
        });
        self.complain(diagnostic);
    }

    fn binary(&mut self, op: BinaryOp, a: &tree::Expr, b: &tree::Expr, span: Span, scope: &mut Scope) -> Expr {
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            let character = one_character(a).or_else(|| one_character(b));
            let (a, b) = (self.expr(a, scope), self.expr(b, scope));
            if a.ty.join(&b.ty).is_none() {
                let title = format!("{} and {} are never equal", a.ty.noun(), b.ty.noun());
                let label = format!("compares {} with {}", a.ty.noun(), b.ty.noun());
                let mut diagnostic = Diagnostic::at(span, title, label);
                diagnostic.help = character.filter(|_| a.ty == Type::Int || b.ty == Type::Int);
                diagnostic.help = diagnostic.help.or(mend_comparison(&a.ty, &b.ty).map(str::to_string));
                self.complain(diagnostic);
                return mistake(span);
            }
            return typed(span, Type::Bool, ExprKind::Binary(op, Box::new(a), Box::new(b)));
        }
        let (sign, ty) = match op {
            BinaryOp::Add => ("+", Type::Int),
            BinaryOp::Subtract => ("-", Type::Int),
            BinaryOp::Multiply => ("*", Type::Int),
            BinaryOp::Divide => ("/", Type::Int),
            BinaryOp::Remainder => ("%", Type::Int),
            BinaryOp::Less => ("<", Type::Bool),
            BinaryOp::LessEqual => ("<=", Type::Bool),
            BinaryOp::Greater => (">", Type::Bool),
            _ => (">=", Type::Bool),
        };
        let reported = self.diagnostics.len();
        let a = self.expect(a, scope, &Type::Int, &format!("the left side of `{sign}`"));
        let b = if self.diagnostics.len() > reported && a.ty == Type::Unknown {
            self.expr(b, scope)
        } else {
            self.expect(b, scope, &Type::Int, &format!("the right side of `{sign}`"))
        };
        typed(span, ty, ExprKind::Binary(op, Box::new(a), Box::new(b)))
    }

    fn membership(&mut self, item: &tree::Expr, collection: &tree::Expr, span: Span, scope: &mut Scope) -> Expr {
        let character = one_character(item);
        let item = self.expr(item, scope);
        let collection = self.expr(collection, scope);
        let Some(inside) = collection.ty.item() else {
            let title = format!("`in` needs a list, a set or a range, not {}", collection.ty.noun());
            let mut diagnostic = Diagnostic::at(collection.span, title, format!("this is {}", collection.ty.noun()));
            if collection.ty == Type::Int {
                diagnostic = diagnostic.help("write `x in 0..n`, or compare with `==`");
            }
            self.complain(diagnostic);
            return mistake(span);
        };
        if item.ty.join(&inside).is_none() {
            let title = format!("{} is never in {}", item.ty.noun(), collection.ty.noun());
            let mut diagnostic = Diagnostic::at(item.span, title, format!("this is {}", item.ty.noun()));
            diagnostic = diagnostic.related(collection.span, format!("this is {}", collection.ty.noun()));
            diagnostic.help = character.filter(|_| inside == Type::Int);
            self.complain(diagnostic);
            return mistake(span);
        }
        typed(span, Type::Bool, ExprKind::In(Box::new(item), Box::new(collection)))
    }

    fn index(&mut self, base: &tree::Expr, index: &tree::Expr, span: Span, scope: &mut Scope) -> Expr {
        let base = self.expr(base, scope);
        let index = self.expect(index, scope, &Type::Int, "an index");
        let ty = match &base.ty {
            Type::List(item) => (**item).clone(),
            Type::Text => Type::Int,
            Type::Unknown => Type::Unknown,
            other => {
                let title = format!("only a list can be indexed, not {}", other.noun());
                let mut diagnostic = Diagnostic::at(base.span, title, format!("this is {}", other.noun()));
                diagnostic.help = match (other, &base.kind) {
                    (Type::Set, _) => Some("ask `x in s`, or take `min(s)` or `max(s)`".to_string()),
                    (Type::Int | Type::Bool, ExprKind::Index(..)) => Some("there is one index too many".to_string()),
                    (Type::Int | Type::Bool, ExprKind::Variable { indices, .. }) if !indices.is_empty() => Some(
                        "there is one index too many; a board in one row is read `board[r * columns + c]`".to_string(),
                    ),
                    _ => None,
                };
                self.complain(diagnostic);
                return mistake(span);
            }
        };
        match base.kind {
            ExprKind::Variable { variable, mut indices } => {
                indices.push(index);
                typed(span, ty, ExprKind::Variable { variable, indices })
            }
            _ => typed(span, ty, ExprKind::Index(Box::new(base), Box::new(index))),
        }
    }

    fn list(&mut self, items: &[tree::Expr], span: Span, scope: &mut Scope) -> Expr {
        let items: Vec<Expr> = items.iter().map(|item| self.expr(item, scope)).collect();
        let mut ty = Type::Unknown;
        for item in &items {
            let Some(joined) = ty.join(&item.ty) else {
                let title = format!("the items of a list differ: {} and {}", ty.noun(), item.ty.noun());
                let diagnostic = Diagnostic::at(item.span, title, format!("this is {}", item.ty.noun()));
                self.complain(diagnostic.related(items[0].span, format!("this is {}", items[0].ty.noun())));
                return mistake(span);
            };
            ty = joined;
        }
        typed(span, Type::list(ty), ExprKind::List(items))
    }

    fn call(&mut self, name: &tree::Name, arguments: &[tree::Expr], span: Span, scope: &mut Scope) -> Expr {
        let Some(Symbol::Function(index)) = self.symbols.get(&name.text) else {
            if let Some(function) = builtin(&name.text) {
                return self.builtin_call(function, name, arguments, span, scope);
            }
            let arguments_checked: Vec<Expr> = arguments.iter().map(|a| self.expr(a, scope)).collect();
            drop(arguments_checked);
            self.unknown_function(name);
            return mistake(span);
        };
        let params = self.function_types[index].0.clone();
        if arguments.len() != params.len() {
            let title = format!("`{}` takes {}, not {}", name.text, arguments_noun(params.len()), arguments.len());
            let declared = &self.function_trees[index].name;
            let diagnostic = Diagnostic::at(span, title, "called here").related(declared.span, "declared here");
            self.complain(diagnostic);
            return mistake(span);
        }
        let mut checked = Vec::new();
        for (number, (argument, wanted)) in arguments.iter().zip(&params).enumerate() {
            let what = format!("argument {} of `{}`", number + 1, name.text);
            checked.push(self.expect(argument, scope, wanted, &what));
        }
        if !self.need_function(index, name.span) {
            return mistake(span);
        }
        if self.functions[index].as_ref().is_some_and(|f| f.reads_position) {
            scope.reads_position = true;
            if scope.sight != Sight::Position {
                let title = format!("`{}` reads the position and cannot be called in {}", name.text, scope.place);
                let help = "here only the instance is known; pass what it needs as arguments";
                self.complain(Diagnostic::at(span, title, "called here").help(help));
                return mistake(span);
            }
        }
        if !matches!(scope.sight, Sight::Instance | Sight::Turn | Sight::Position) {
            let title = format!("functions of the file cannot be called in {}", scope.place);
            let help = "write the value itself; built-in functions such as `len` may be called";
            self.complain(Diagnostic::at(span, title, "called here").help(help));
            return mistake(span);
        }
        typed(span, self.function_types[index].1.clone(), ExprKind::Call(index, checked))
    }

    fn unknown_function(&mut self, name: &tree::Name) {
        if let Some(symbol) = self.symbols.get(&name.text) {
            let title = format!("`{}` is {}, not a function", name.text, symbol.noun());
            let help = "to multiply, write `*`; to index, write `a[i]`";
            self.complain(Diagnostic::at(name.span, title, "cannot be called").help(help));
            return;
        }
        let functions = self.symbols.names().filter(|n| matches!(self.symbols.get(n), Some(Symbol::Function(_))));
        let known = functions.chain(BUILTINS.iter().map(|(name, _)| *name));
        let title = format!("there is no function `{}`", name.text);
        let mut diagnostic = Diagnostic::at(name.span, title, "not declared").may_follow();
        diagnostic.help = did_you_mean(&name.text, known).or_else(|| foreign_function(&name.text));
        if self.unknown.insert(format!("{}()", name.text)) {
            self.complain(diagnostic);
        }
    }

    fn fold(
        &mut self,
        name: &tree::Name,
        item: &tree::Expr,
        loops: &[tree::Loop],
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let Some(fold) = fold_named(&name.text) else {
            let title = format!("`{}` cannot take `… for …`", name.text);
            let help = "sum, min, max, count, any, all, xor and gcd can; for a list write `[… for …]`";
            self.complain(Diagnostic::at(name.span, title, "here").help(help));
            return mistake(span);
        };
        let what = format!("what `{}` runs over", name.text);
        let (item, loops) = self.loops(item, loops, scope, |checker, tree, scope| match fold {
            Fold::Any | Fold::All => checker.expect(tree, scope, &Type::Bool, &what),
            Fold::Count => checker.expr(tree, scope),
            _ => checker.expect(tree, scope, &Type::Int, &what),
        });
        let ty = if matches!(fold, Fold::Any | Fold::All) { Type::Bool } else { Type::Int };
        typed(span, ty, ExprKind::Fold { fold, item: Box::new(item), loops })
    }

    /// Checks loops and their body. Each loop variable is known from its loop on.
    pub(super) fn loops<T>(
        &mut self,
        item: &tree::Expr,
        loops: &[tree::Loop],
        scope: &mut Scope,
        check_item: impl FnOnce(&mut Self, &tree::Expr, &mut Scope) -> T,
    ) -> (T, Vec<Loop>) {
        let outer = scope.locals.len();
        let mut checked = Vec::new();
        for turn in loops {
            let over = self.loop_source(&turn.over, scope);
            let ty = over.ty.item().unwrap_or(Type::Unknown);
            let local = scope.declare(&turn.name.text, ty, LocalKind::Loop);
            let when = turn.when.as_ref().map(|when| self.expect(when, scope, &Type::Bool, "a condition"));
            checked.push(Loop { local, over, when });
        }
        let item = check_item(self, item, scope);
        scope.locals.truncate(outer);
        (item, checked)
    }

    /// What a loop runs over: a range, a list or a set.
    pub(super) fn loop_source(&mut self, tree: &tree::Expr, scope: &mut Scope) -> Expr {
        let over = self.expr(tree, scope);
        if over.ty.item().is_none() {
            let title = format!("a loop needs a range, a list or a set, not {}", over.ty.noun());
            let mut diagnostic = Diagnostic::at(over.span, title, format!("this is {}", over.ty.noun()));
            if over.ty == Type::Int {
                diagnostic = diagnostic.help("write `0..n` for the numbers below n");
            }
            self.complain(diagnostic);
            return mistake(over.span);
        }
        over
    }
}

/// What to write here for a function of another language.
fn foreign_function(name: &str) -> Option<String> {
    Some(match name {
        "length" | "size" | "lenght" => "write `len(list)`".to_string(),
        "range" => "write `0..n`, or `1..=n` with `n` itself".to_string(),
        "sqrt" => "write `isqrt(x)`: the largest whole number whose square is at most x".to_string(),
        "mex" => "nimbers are found by the solver; state only the rules".to_string(),
        "floor" | "int" => "numbers are whole, and `/` rounds down".to_string(),
        "ceil" => "numbers are whole: write `(a + b - 1) / b` to round up".to_string(),
        "print" => "nothing is printed; `show` says how a position looks".to_string(),
        "append" | "push" => "lists have a fixed length; use a set and `s += x;`, or `a[i] = x;`".to_string(),
        "set" => "a set is written `{a, b}` or `{x for x in …}`".to_string(),
        "sorted" => "write `sort(list)`".to_string(),
        "reversed" => "write `reverse(list)`".to_string(),
        "mod" => "write `a % b`".to_string(),
        "maximum" | "minimum" => format!("write `{}(…)`", &name[..3]),
        "count_if" | "sum_of" => "write `count(COND for x in …)`, `sum(EXPR for x in …)`".to_string(),
        _ => return None,
    })
}

/// Suggests a character where a text of one character stands.
fn one_character(tree: &tree::Expr) -> Option<String> {
    match &tree.kind {
        tree::ExprKind::Text(text) if text.chars().count() == 1 => {
            Some(format!("a single character is written `'{text}'` and is a number"))
        }
        _ => None,
    }
}

/// How to get from one type to another.
fn mend(wanted: &Type, found: &Type) -> Option<&'static str> {
    Some(match (wanted, found) {
        (Type::Bool, Type::Int) => "compare it, as in `x > 0` or `x == 1`",
        (Type::Int, Type::Bool) => "write `if c then 1 else 0`, or `count(c for x in …)` to count",
        (Type::Set, Type::List(_)) => "a set is written `{a, b}` or `{x for x in …}`",
        (Type::List(_), Type::Set) => "write `[x for x in s]` to list a set",
        (Type::Int, Type::List(_)) => "take one item, `list[i]`, or `len(list)`, `sum(list)`, `max(list)`",
        (Type::Int, Type::Set) => "take `len(s)`, `min(s)` or `max(s)`",
        (Type::List(_), Type::Int) => "a list is written `[a, b]`, `[x; n]` or `[e for x in …]`",
        (Type::Set, Type::Int) => "a set is written `{a, b}`; to add one element, write `s += x;`",
        _ => return None,
    })
}

/// Why two types are never equal.
fn mend_comparison(a: &Type, b: &Type) -> Option<&'static str> {
    Some(match (a, b) {
        (Type::Bool, Type::Int) | (Type::Int, Type::Bool) => {
            "a condition is true or false already: write `c` or `not c` instead of `c == 1` or `c == 0`"
        }
        (Type::List(_), Type::Set) | (Type::Set, Type::List(_)) => "a set is written `{a, b}`, a list `[a, b]`",
        (Type::List(_), Type::Int) | (Type::Int, Type::List(_)) => {
            "compare an item, `list[i]`, the length, `len(list)`, or ask `x in list`"
        }
        (Type::Set, Type::Int) | (Type::Int, Type::Set) => "ask `x in s`, or compare `len(s)`",
        _ => return None,
    })
}
