//! Statements of moves and functions.

use crate::check::scope::{LocalKind, Scope, Sight, Symbol, did_you_mean};
use crate::check::{Checker, order};
use crate::diagnostic::Diagnostic;
use crate::program::{AssignOp, Expr, ExprKind, Function, Parts, Place, Root, Stmt, StmtKind};
use crate::span::Span;
use crate::syntax::tree;
use crate::types::Type;

/// What the statements belong to.
#[derive(Clone)]
pub(super) enum Body {
    /// A move: it may change the position.
    Move,
    /// A function with this result: it may not change the position.
    Function(Type),
}

impl Checker<'_> {
    /// Checks the function of that number.
    pub(super) fn function(&mut self, index: usize) -> Function {
        let tree = self.function_trees[index];
        let (params, result) = self.function_types[index].clone();
        let mut scope = Scope::new(Sight::Position, "a function");
        for (number, (param, ty)) in tree.params.iter().zip(&params).enumerate() {
            if let Some(first) = tree.params[..number].iter().find(|other| other.name.text == param.name.text) {
                let title = format!("two arguments are called `{}`", param.name.text);
                self.complain(Diagnostic::at(param.name.span, title, "again").related(first.name.span, "here first"));
            }
            scope.declare(&param.name.text, ty.clone(), LocalKind::Argument);
        }
        let body = self.block(&tree.body, &mut scope, &Body::Function(result.clone()), 0);
        self.stray_values(&tree.body, true);
        if !always_returns(&tree.body) {
            let title = format!("`{}` can end without a value", tree.name.text);
            let help = "end it with an expression without `;`, or with `return` on every path";
            self.complain(Diagnostic::at(tree.close, title, "no value here").help(help).may_follow());
        }
        Function {
            name: tree.name.text.clone(),
            span: tree.name.span,
            params,
            result,
            locals: scope.slots,
            body,
            reads_position: scope.reads_position,
        }
    }

    /// Checks that a closing expression, which gives the function's value, is the last thing done.
    fn stray_values(&mut self, block: &[tree::Stmt], last: bool) {
        for (index, statement) in block.iter().enumerate() {
            let last = last && index + 1 == block.len();
            match &statement.kind {
                tree::StmtKind::Return(value, true) if !last => {
                    let help = "write `return …;` to end the function here";
                    self.complain(Diagnostic::at(value.span, "this value is not used", "does nothing").help(help));
                }
                tree::StmtKind::If(_, then, otherwise) => {
                    self.stray_values(then, last);
                    self.stray_values(otherwise, last);
                }
                tree::StmtKind::For(_, _, body) => self.stray_values(body, false),
                _ => {}
            }
        }
    }

    /// Checks the statements of a block. Its declarations end with it.
    pub(super) fn block(&mut self, block: &[tree::Stmt], scope: &mut Scope, body: &Body, loops: usize) -> Vec<Stmt> {
        let outer = scope.locals.len();
        let mut checked = Vec::new();
        let mut left = None;
        for (number, statement) in block.iter().enumerate() {
            if let (Body::Move, tree::StmtKind::Let(name, value, _)) = (body, &statement.kind) {
                self.local_instead_of_change((name, value, statement.span), &[], &block[number + 1..], scope);
            }
            if let Some(word) = left.take() {
                let title = format!("nothing behind `{word}` is ever done");
                let help = format!("remove it, or put `{word}` into an `if`");
                self.complain(Diagnostic::at(statement.span, title, "never reached").help(help));
            }
            left = match statement.kind {
                tree::StmtKind::Break => Some("break"),
                tree::StmtKind::Continue => Some("continue"),
                tree::StmtKind::Return(..) => Some("return"),
                _ => None,
            };
            if let Some(kind) = self.statement(statement, scope, body, loops) {
                checked.push(Stmt { kind, span: statement.span });
            }
        }
        scope.locals.truncate(outer);
        checked
    }

    /// Reports `let left = left - 1;` in a move where `left = left - 1;` was meant: the local hides the variable of the
    /// position, is made from it, and is never used.
    pub(super) fn local_instead_of_change(
        &mut self,
        (name, value, span): (&tree::Name, &tree::Expr, Span),
        head: &[&tree::Expr],
        rest: &[tree::Stmt],
        scope: &Scope,
    ) {
        let hides = matches!(self.symbols.get(&name.text), Some(Symbol::Variable(_)));
        if !hides || scope.local(&name.text).is_some() {
            return;
        }
        let used =
            order::block_mentions_name(rest, &name.text) || head.iter().any(|e| order::mentions_name(e, &name.text));
        if order::mentions_name(value, &name.text) && !used {
            let title = format!("this makes a new local `{}`, and the position stays as it was", name.text);
            let help = format!("to change the position, leave out the first word: `{} = …;`", name.text);
            self.complain(Diagnostic::at(span, title, "never used").help(help));
        }
    }

    fn statement(&mut self, statement: &tree::Stmt, scope: &mut Scope, body: &Body, loops: usize) -> Option<StmtKind> {
        let span = statement.span;
        Some(match &statement.kind {
            tree::StmtKind::Let(name, value, changes) => {
                let value = self.expr(value, scope);
                let kind = if *changes { LocalKind::Var } else { LocalKind::Let };
                let local = scope.declare(&name.text, value.ty.clone(), kind);
                StmtKind::Set { local, value }
            }
            tree::StmtKind::Assign(place, op, value) => {
                return self.assign(place, *op, value, scope, body);
            }
            tree::StmtKind::If(condition, then, otherwise) => StmtKind::If {
                condition: self.expect(condition, scope, &Type::Bool, "the condition of `if`"),
                then: self.block(then, scope, body, loops),
                otherwise: self.block(otherwise, scope, body, loops),
            },
            tree::StmtKind::For(name, over, inner) => {
                let over = self.loop_source(over, scope);
                let outer = scope.locals.len();
                let local = scope.declare(&name.text, over.ty.item().unwrap_or(Type::Unknown), LocalKind::Loop);
                let inner = self.block(inner, scope, body, loops + 1);
                scope.locals.truncate(outer);
                StmtKind::For { local, over, body: inner }
            }
            tree::StmtKind::Break | tree::StmtKind::Continue if loops == 0 => {
                let word = if matches!(statement.kind, tree::StmtKind::Break) { "break" } else { "continue" };
                let title = format!("`{word}` stands outside a loop");
                let help = "it leaves or goes on with a `for`; to skip statements, use `if`";
                self.complain(Diagnostic::at(span, title, "no `for` around it").help(help));
                return None;
            }
            tree::StmtKind::Break => StmtKind::Break,
            tree::StmtKind::Continue => StmtKind::Continue,
            tree::StmtKind::Return(value, closing) => {
                return self.return_statement(value, *closing, scope, body);
            }
            tree::StmtKind::Gain(amount, player) => {
                self.only_in_moves(span, body, "gain");
                StmtKind::Gain {
                    amount: self.expect(amount, scope, &Type::Int, "a gain"),
                    player: player.as_ref().map(|p| self.player(p, scope, "a player")),
                }
            }
            tree::StmtKind::Turn(player) => {
                self.only_in_moves(span, body, "turn");
                StmtKind::Turn(self.player(player, scope, "a player"))
            }
            tree::StmtKind::Again => {
                self.only_in_moves(span, body, "again");
                StmtKind::Turn(Expr { kind: ExprKind::Mover, ty: Type::Int, span })
            }
            tree::StmtKind::SplitParts(parts) => {
                self.only_in_moves(span, body, "split");
                StmtKind::Split(self.split_parts(parts, span, scope)?)
            }
            tree::StmtKind::SplitList(list) => {
                self.only_in_moves(span, body, "split");
                self.split_allowed(span)?;
                StmtKind::Split(self.parts_of_list(list, scope, "what a part is split into")?)
            }
        })
    }

    fn only_in_moves(&mut self, span: Span, body: &Body, word: &str) {
        if matches!(body, Body::Function(_)) {
            let title = format!("a function cannot use `{word}`");
            let help = "functions only compute; moves change the position, the gains and the turn";
            self.complain(Diagnostic::at(span, title, "inside a function").help(help));
        }
    }

    fn return_statement(
        &mut self,
        value: &tree::Expr,
        closing: bool,
        scope: &mut Scope,
        body: &Body,
    ) -> Option<StmtKind> {
        let Body::Function(result) = body else {
            let value = self.expr(value, scope);
            let (title, help) = if closing {
                ("this value is not used", "a move consists of statements: assign it, as in `x = …;`")
            } else {
                ("a move returns nothing", "leave out `return`; use `if` to do some statements only sometimes")
            };
            self.complain(Diagnostic::at(value.span, title, "in a move").help(help));
            return None;
        };
        let result = result.clone();
        Some(StmtKind::Return(self.expect(value, scope, &result, "the result")))
    }

    fn assign(
        &mut self,
        place: &tree::Expr,
        op: AssignOp,
        value: &tree::Expr,
        scope: &mut Scope,
        body: &Body,
    ) -> Option<StmtKind> {
        let place = self.place(place, scope, body);
        let Some(place) = place else {
            self.expr(value, scope);
            return None;
        };
        let sign = match op {
            AssignOp::Set => "=",
            AssignOp::Add => "+=",
            AssignOp::Subtract => "-=",
        };
        let value = match (&place.ty, op) {
            (ty, AssignOp::Set) => {
                let ty = ty.clone();
                self.expect(value, scope, &ty, "the value")
            }
            (Type::Int | Type::Set | Type::Unknown, _) => {
                if place.ty == Type::Set {
                    return self.set_element(place, op, value, scope, sign);
                }
                self.expect(value, scope, &Type::Int, "the value")
            }
            (ty, _) => {
                let title = format!("`{sign}` works on numbers and sets, not on {}", ty.noun());
                let help = match ty {
                    Type::List(_) => {
                        "a list keeps its length: change an item, `a[i] += 1;`, or give a new list with `=`"
                    }
                    _ => "give it a new value with `=`",
                };
                self.complain(Diagnostic::at(place.span, title, format!("this is {}", ty.noun())).help(help));
                return None;
            }
        };
        Some(StmtKind::Assign { place, op, value })
    }

    /// `s += x;` and `s -= x;` on a set: one element.
    fn set_element(
        &mut self,
        place: Place,
        op: AssignOp,
        value: &tree::Expr,
        scope: &mut Scope,
        sign: &str,
    ) -> Option<StmtKind> {
        let value = self.expr(value, scope);
        if !value.ty.fits(&Type::Int) {
            let title = format!("`{sign}` takes one element of the set, not {}", value.ty.noun());
            let mut diagnostic = Diagnostic::at(value.span, title, format!("this is {}", value.ty.noun()));
            if matches!(value.ty, Type::Set | Type::List(_)) {
                diagnostic = diagnostic.help(format!("one by one: `for x in … {{ s {sign} x; }}`"));
            }
            self.complain(diagnostic);
            return None;
        }
        Some(StmtKind::Assign { place, op, value })
    }

    /// Checks an assignable place: a variable of the position or a `var`, with indices.
    fn place(&mut self, tree: &tree::Expr, scope: &mut Scope, body: &Body) -> Option<Place> {
        let span = tree.span;
        let mut root = tree;
        let mut indices = Vec::new();
        while let tree::ExprKind::Index(base, index) = &root.kind {
            indices.push(&**index);
            root = base;
        }
        let tree::ExprKind::Name(name) = &root.kind else {
            let title = "only a variable or an item of an array can be given a value";
            let help = match &root.kind {
                tree::ExprKind::Slice(..) => "assign item by item: `for i in a..b { list[i] = …; }`",
                tree::ExprKind::Mover => "to say who moves next, write `turn = PLAYER;`",
                _ => "to compare, write `==`",
            };
            self.complain(Diagnostic::at(span, title, "not a variable").help(help));
            return None;
        };
        let (root, mut ty) = self.place_root(name, root.span, scope, body)?;
        let mut checked = Vec::new();
        for index in indices.into_iter().rev() {
            checked.push(self.expect(index, scope, &Type::Int, "an index"));
            ty = match ty {
                Type::List(item) => *item,
                Type::Text => Type::Int,
                Type::Unknown => Type::Unknown,
                other => {
                    let title = format!("only an array can be indexed, not {}", other.noun());
                    self.complain(Diagnostic::at(span, title, format!("`{name}` is {}", other.noun())));
                    return None;
                }
            };
        }
        Some(Place { root, indices: checked, ty, span })
    }

    fn place_root(&mut self, name: &str, span: Span, scope: &mut Scope, body: &Body) -> Option<(Root, Type)> {
        if let Some(local) = scope.local(name) {
            let (slot, ty, kind) = (local.slot, local.ty.clone(), local.kind);
            if kind != LocalKind::Var {
                let title = format!("`{name}` is {} and cannot change", kind.noun());
                let help = if kind == LocalKind::Let {
                    format!("declare it with `var {name} = …;`")
                } else {
                    format!("copy it: `var x = {name};`")
                };
                self.complain(Diagnostic::at(span, title, "cannot be assigned").help(help));
                return None;
            }
            return Some((Root::Local(slot), ty));
        }
        match self.symbols.get(name) {
            Some(_) if self.symbols.is_doubled(name) => None,
            Some(Symbol::Variable(index)) => {
                if matches!(body, Body::Function(_)) {
                    let title = format!("a function cannot change `{name}`");
                    let help = "functions only compute; change the position in the move";
                    self.complain(Diagnostic::at(span, title, "a variable of the position").help(help));
                    return None;
                }
                scope.reads_position = true;
                Some((Root::Variable(index), self.variable_types[index].clone()))
            }
            Some(symbol) => {
                let title = format!("`{name}` is {} and cannot change", symbol.noun());
                let help = match symbol {
                    Symbol::Param(_) | Symbol::Let(_) => {
                        format!(
                            "what changes is declared in the `state`, as in `left in 0..=9 = {name};`, or with `var`"
                        )
                    }
                    _ => "only variables of the position and `var`s change".to_string(),
                };
                self.complain(Diagnostic::at(span, title, "cannot be assigned").help(help));
                None
            }
            None => {
                let known = scope.locals.iter().map(|l| l.name.as_str()).chain(self.symbols.names());
                let mut diagnostic =
                    Diagnostic::at(span, format!("`{name}` is not known"), "not declared").may_follow();
                let near = did_you_mean(name, known);
                diagnostic.help = near.or(Some(format!("declare it: `var {name} = …;`, or in the `state`")));
                if self.unknown.insert(name.to_string()) {
                    self.complain(diagnostic);
                }
                None
            }
        }
    }

    fn split_allowed(&mut self, span: Span) -> Option<()> {
        if !self.is_sum {
            let help = "declare the position as `sum of PART(…) from LIST;` to let parts split";
            self.complain(Diagnostic::at(span, "`split` needs a `sum of` parts", "nothing to split").help(help));
            return None;
        }
        Some(())
    }

    fn split_parts(&mut self, parts: &[Vec<tree::Expr>], span: Span, scope: &mut Scope) -> Option<Parts> {
        self.split_allowed(span)?;
        if let [single] = parts
            && let [value] = &single[..]
            && self.variable_types.len() == 1
        {
            // In `split (list);` the one value in parentheses may be a list of parts.
            let mut probe = scope.clone();
            let before = self.diagnostics.len();
            let ty = self.expr(value, &mut probe).ty;
            self.diagnostics.truncate(before);
            let wanted = &self.variable_types[0];
            if !ty.fits(wanted) && ty.item().is_some_and(|item| item.fits(wanted)) {
                return self.parts_of_list(value, scope, "what a part is split into");
            }
        }
        let listed: Vec<Vec<Expr>> =
            parts.iter().map(|part| self.one_part(part, span, scope)).collect::<Option<_>>()?;
        Some(Parts::Listed(listed))
    }

    /// The values of one part, one for each variable.
    fn one_part(&mut self, values: &[tree::Expr], span: Span, scope: &mut Scope) -> Option<Vec<Expr>> {
        let wanted = self.variable_types.clone();
        if values.len() != wanted.len() {
            let count = match wanted.len() {
                1 => "1 value".to_string(),
                n => format!("{n} values"),
            };
            let title = format!("a part has {count}, not {}", values.len());
            let help = match wanted.len() {
                1 => "each part stands in its own parentheses: `split (a), (b);`",
                _ => "give one value for each variable of the part, in order",
            };
            self.complain(Diagnostic::at(values.first().map_or(span, |v| v.span), title, "this part").help(help));
            return None;
        }
        let check = |(value, ty)| self.expect(value, scope, ty, "a part's value");
        Some(values.iter().zip(&wanted).map(check).collect())
    }

    /// A list of parts: values of the only variable, or lists with one value for each variable.
    pub(super) fn parts_of_list(&mut self, list: &tree::Expr, scope: &mut Scope, what: &str) -> Option<Parts> {
        let wanted = self.variable_types.clone();
        if wanted.is_empty() || self.two_positions {
            return None;
        }
        if let tree::ExprKind::List(items) = &list.kind
            && wanted.len() != 1
            && items.iter().all(|item| matches!(item.kind, tree::ExprKind::List(_)))
        {
            let mut listed = Vec::new();
            for item in items {
                let tree::ExprKind::List(values) = &item.kind else {
                    return None;
                };
                listed.push(self.one_part(values, item.span, scope)?);
            }
            return Some(Parts::Listed(listed));
        }
        if let tree::ExprKind::Comprehension(item, loops) = &list.kind
            && let tree::ExprKind::List(values) = &item.kind
            && wanted.len() != 1
        {
            let check =
                |checker: &mut Self, item: &tree::Expr, scope: &mut Scope| checker.one_part(values, item.span, scope);
            let (values, loops) = self.loops(item, loops, scope, check);
            return Some(Parts::Made { values: values?, loops });
        }
        let list = self.expr(list, scope);
        if list.ty == Type::Unknown {
            return None;
        }
        let item = match &list.ty {
            Type::List(item) => (**item).clone(),
            Type::Text => Type::Int,
            other => {
                let title = format!("{what} must be a list, not {}", other.noun());
                let help = match scope.sight {
                    Sight::Position => "write `split (a), (b);` or `split [a, b];`",
                    _ => "write `from [a, b]`, with one item for each part",
                };
                self.complain(Diagnostic::at(list.span, title, format!("this is {}", other.noun())).help(help));
                return None;
            }
        };
        if wanted.len() == 1 && item.fits(&wanted[0]) {
            return Some(Parts::List { list, nested: false });
        }
        if let Some(inner) = item.item().filter(|_| matches!(item, Type::List(_)))
            && wanted.iter().all(|ty| inner.fits(ty))
        {
            return Some(Parts::List { list, nested: true });
        }
        let parts: Vec<String> = wanted.iter().map(Type::noun).collect();
        let title = format!("{what} does not fit the part's variables");
        let help = match &parts[..] {
            [only] => format!("each item must be {only}"),
            _ => format!("each item must be a list with one value for each variable: {}", parts.join(", ")),
        };
        self.complain(Diagnostic::at(list.span, title, format!("this is {}", list.ty.noun())).help(help));
        None
    }
}

impl Checker<'_> {
    /// Checks that a move splits a part at most once. Two splits are a mistake if both surely happen.
    pub(super) fn split_once(&mut self, body: &[tree::Stmt]) {
        let mut first: Option<Span> = None;
        for statement in body {
            let Some(span) = sure_split(statement) else {
                continue;
            };
            if let Some(first) = first {
                let help = "list all new parts in one: `split (a), (b), (c);`";
                let diagnostic = Diagnostic::at(span, "a move splits its part at most once", "again");
                self.complain(diagnostic.related(first, "here first").help(help));
                return;
            }
            first = Some(span);
        }
    }
}

/// Where a statement splits in every case.
fn sure_split(statement: &tree::Stmt) -> Option<Span> {
    match &statement.kind {
        tree::StmtKind::SplitParts(_) | tree::StmtKind::SplitList(_) => Some(statement.span),
        tree::StmtKind::If(_, then, otherwise) => {
            otherwise.iter().find_map(sure_split)?;
            then.iter().find_map(sure_split)
        }
        _ => None,
    }
}

/// Whether every path through the statements ends in `return`.
fn always_returns(block: &[tree::Stmt]) -> bool {
    block.iter().any(|statement| match &statement.kind {
        tree::StmtKind::Return(..) => true,
        tree::StmtKind::If(_, then, otherwise) => always_returns(then) && always_returns(otherwise),
        _ => false,
    })
}
