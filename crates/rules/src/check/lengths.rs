//! Checks the rule "A list made inside a function or move has a length that the instance fixes."
//!
//! A list that is looped over, folded, searched or split into on the spot may have any length: nothing has to keep it.
//! A list that is kept (in a `let` or `var`, passed, returned, compared) must have a fixed length, so that every later
//! stage knows its size beforehand. Rules that need a varying size use a set.
//!
//! The check runs over the checked program, callers before callees, because whether an argument varies depends on the
//! calls.

use crate::diagnostic::Diagnostic;
use crate::program::{
    Domain, Expr, ExprKind, Loop, Move, Parts, Program, Root, Show, ShowPiece, Source, Stmt, StmtKind,
};
use crate::types::Type;

/// Reports every kept list whose length depends on the position. `order` lists functions, callees first.
pub fn check(program: &Program, order: &[usize], diagnostics: &mut Vec<Diagnostic>) {
    let arguments = program.functions.iter().map(|f| vec![Local::default(); f.params.len()]).collect();
    let mut walker = Walker { program, diagnostics, arguments, locals: Vec::new() };
    for rule in &program.moves {
        walker.locals = vec![Local::default(); rule.locals];
        walker.assigned(&rule.body);
        walker.head_lets(rule, 0);
        for (index, choice) in rule.choices.iter().enumerate() {
            walker.source(&choice.source);
            walker.locals[index] = Local { varies: true, length_varies: true };
            walker.head_lets(rule, index + 1);
        }
        rule.when.iter().for_each(|when| walker.expr(when));
        walker.block(&rule.body);
    }
    walker.outside_moves();
    for &index in order.iter().rev() {
        let function = &program.functions[index];
        walker.locals = walker.arguments[index].clone();
        walker.locals.resize(function.locals, Local::default());
        walker.assigned(&function.body);
        walker.block(&function.body);
    }
}

/// Whether a local's value, and whether its length, depends on more than the instance.
#[derive(Clone, Copy, Default)]
struct Local {
    varies: bool,
    length_varies: bool,
}

struct Walker<'p, 'd> {
    program: &'p Program,
    diagnostics: &'d mut Vec<Diagnostic>,
    arguments: Vec<Vec<Local>>,
    locals: Vec<Local>,
}

impl Walker<'_, '_> {
    /// Checks the rules that are not moves: conditions, results, drawings. They see the position too.
    fn outside_moves(&mut self) {
        let program = self.program;
        let shown: Vec<&Expr> = match &program.show {
            Some(Show::Grid { cells, rows, columns, .. }) => vec![cells, rows, columns],
            Some(Show::Text(pieces)) => {
                pieces.iter().filter_map(|p| if let ShowPiece::Value(e) = p { Some(e) } else { None }).collect()
            }
            None => Vec::new(),
        };
        let values = crate::visit::results(program).filter_map(|result| match &result.kind {
            crate::program::EndingKind::Winner(e)
            | crate::program::EndingKind::Score(e)
            | crate::program::EndingKind::Payoffs(e) => Some(e),
            _ => None,
        });
        let conditions = program.ends.iter().chain(&program.stuck).map(|end| &end.when);
        let numbers = program.measure.iter().chain(&program.estimate);
        for expr in conditions.chain(values).chain(numbers).chain(shown) {
            self.locals.clear();
            // Payoffs are paid and drawings drawn on the spot.
            self.transient(expr);
        }
    }

    /// Marks locals that are assigned again: they vary.
    fn assigned(&mut self, block: &[Stmt]) {
        for statement in block {
            match &statement.kind {
                StmtKind::Assign { place, .. } => {
                    if let Root::Local(local) = place.root {
                        self.local(local).varies = true;
                    }
                }
                StmtKind::If { then, otherwise, .. } => {
                    self.assigned(then);
                    self.assigned(otherwise);
                }
                StmtKind::For { body, .. } => self.assigned(body),
                _ => {}
            }
        }
    }

    fn local(&mut self, index: usize) -> &mut Local {
        if self.locals.len() <= index {
            self.locals.resize(index + 1, Local::default());
        }
        &mut self.locals[index]
    }

    fn block(&mut self, block: &[Stmt]) {
        for statement in block {
            self.statement(statement);
        }
    }

    /// The `let`s of a move that stand behind this many choices.
    fn head_lets(&mut self, rule: &Move, after: usize) {
        for item in rule.lets.iter().filter(|item| item.after == after) {
            self.keep(item.local, &item.value);
        }
    }

    /// A local gets a value.
    fn keep(&mut self, local: usize, value: &Expr) {
        self.kept(value);
        let (varies, length_varies) = (self.varies(value), self.length_varies(value));
        let known = self.local(local);
        known.varies |= varies;
        known.length_varies |= length_varies;
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Set { local, value } => self.keep(*local, value),
            StmtKind::Assign { place, value, .. } => {
                place.indices.iter().for_each(|index| self.expr(index));
                self.kept(value);
            }
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::For { local, over, body } => {
                self.transient(over);
                *self.local(*local) = Local { varies: true, length_varies: true };
                self.block(body);
            }
            StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Return(value) => self.kept(value),
            StmtKind::Gain { amount, player } => {
                self.expr(amount);
                player.iter().for_each(|player| self.expr(player));
            }
            StmtKind::Turn(player) => self.expr(player),
            StmtKind::Split(Parts::Listed(parts)) => parts.iter().flatten().for_each(|value| self.kept(value)),
            StmtKind::Split(Parts::Made { values, loops }) => {
                self.loops(loops);
                values.iter().for_each(|value| self.kept(value));
            }
            StmtKind::Split(Parts::List { list, .. }) => self.transient(list),
        }
    }

    fn source(&mut self, source: &Source) {
        match source {
            Source::Domain(domain) => self.domain(domain),
            Source::Items(items) => self.transient(items),
            Source::NamedItems(_) => {}
        }
    }

    fn domain(&mut self, domain: &Domain) {
        match domain {
            Domain::Range { low, high, .. } => {
                self.expr(low);
                self.expr(high);
            }
            Domain::Bool | Domain::Names(_) => {}
            Domain::SetOf(base) => self.domain(base),
            Domain::Array { item, length, .. } => {
                self.domain(item);
                self.expr(length);
            }
        }
    }

    /// Checks a value that is kept: if it is a list made here, its length must be fixed.
    fn kept(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Repeat(item, length) => {
                self.kept(item);
                self.expr(length);
                if self.varies(length) {
                    self.complain(length, "this length depends on the position");
                }
            }
            ExprKind::Comprehension(item, loops) => {
                self.loops(loops);
                self.kept(item);
                if self.loops_vary(loops) {
                    self.complain(expr, "how long this list gets depends on the position");
                }
            }
            ExprKind::Range { low, high, .. } => {
                self.expr(low);
                self.expr(high);
                if self.varies(low) || self.varies(high) {
                    self.complain(expr, "how long this list gets depends on the position");
                }
            }
            ExprKind::If(condition, yes, no) => {
                self.expr(condition);
                self.kept(yes);
                self.kept(no);
            }
            ExprKind::List(items) => items.iter().for_each(|item| self.kept(item)),
            _ => self.expr(expr),
        }
    }

    fn complain(&mut self, expr: &Expr, label: &str) {
        let title = "a list that is kept must have a length that the instance fixes";
        let help =
            "use a set (`{x for x in … when …}`), whose size may vary, or loop over it directly without keeping it";
        self.diagnostics.push(Diagnostic::at(expr.span, title, label).help(help));
    }

    /// Checks a list that is used on the spot: its own length is free, the lengths of its items are not.
    fn transient(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Repeat(item, length) => {
                self.kept(item);
                self.expr(length);
            }
            ExprKind::Comprehension(item, loops) => {
                self.loops(loops);
                self.kept(item);
            }
            ExprKind::Range { low, high, .. } => {
                self.expr(low);
                self.expr(high);
            }
            ExprKind::Slice { list, low, high, .. } => {
                self.transient(list);
                low.iter().chain(high).for_each(|bound| self.expr(bound));
            }
            ExprKind::Builtin(_, arguments) => arguments.iter().for_each(|a| self.transient(a)),
            ExprKind::If(condition, yes, no) => {
                self.expr(condition);
                self.transient(yes);
                self.transient(no);
            }
            _ => self.expr(expr),
        }
    }

    fn loops(&mut self, loops: &[Loop]) {
        for turn in loops {
            self.transient(&turn.over);
            // Inside its own loops a variable counts as fixed. It takes the same values in every position if its source
            // does, and `loops_vary` looks at the source.
            *self.local(turn.local) = Local::default();
            turn.when.iter().for_each(|when| self.expr(when));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Scalar(_) | ExprKind::Text(_) | ExprKind::Global(_) | ExprKind::Local(_) => {}
            ExprKind::Mover | ExprKind::Opponent => {}
            ExprKind::Variable { indices, .. } => indices.iter().for_each(|index| self.expr(index)),
            ExprKind::Negate(a) | ExprKind::Not(a) => self.expr(a),
            ExprKind::Binary(_, a, b) => {
                self.kept(a);
                self.kept(b);
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::In(item, collection) => {
                self.kept(item);
                self.transient(collection);
            }
            ExprKind::Index(list, index) => {
                self.transient(list);
                self.expr(index);
            }
            ExprKind::Call(function, arguments) => {
                for (number, argument) in arguments.iter().enumerate() {
                    self.kept(argument);
                    let (varies, length_varies) = (self.varies(argument), self.length_varies(argument));
                    let known = &mut self.arguments[*function][number];
                    known.varies |= varies;
                    known.length_varies |= length_varies;
                }
            }
            ExprKind::Builtin(..) | ExprKind::Slice { .. } => self.transient(expr),
            ExprKind::Fold { item, loops, .. } | ExprKind::SetComprehension(item, loops) => {
                self.loops(loops);
                self.expr(item);
            }
            ExprKind::SetOf(items) => items.iter().for_each(|item| self.expr(item)),
            ExprKind::If(..)
            | ExprKind::List(_)
            | ExprKind::Repeat(..)
            | ExprKind::Comprehension(..)
            | ExprKind::Range { .. } => {
                self.kept(expr);
            }
        }
    }

    /// Whether the value depends on more than the instance.
    fn varies(&self, expr: &Expr) -> bool {
        let any = |exprs: &[Expr]| exprs.iter().any(|e| self.varies(e));
        match &expr.kind {
            ExprKind::Scalar(_) | ExprKind::Text(_) | ExprKind::Global(_) => false,
            ExprKind::Variable { .. } | ExprKind::Mover | ExprKind::Opponent => true,
            ExprKind::Local(local) => self.locals.get(*local).is_some_and(|l| l.varies),
            ExprKind::Negate(a) | ExprKind::Not(a) => self.varies(a),
            ExprKind::Builtin(crate::program::Builtin::Len, arguments) => {
                arguments.iter().any(|a| self.length_varies(a))
            }
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::In(a, b) => {
                self.varies(a) || self.varies(b)
            }
            ExprKind::If(a, b, c) => self.varies(a) || self.varies(b) || self.varies(c),
            ExprKind::Index(a, b) | ExprKind::Repeat(a, b) => self.varies(a) || self.varies(b),
            ExprKind::Slice { list, low, high, .. } => {
                self.varies(list) || low.iter().chain(high).any(|e| self.varies(e))
            }
            ExprKind::Range { low, high, .. } => self.varies(low) || self.varies(high),
            ExprKind::Call(function, arguments) => self.program.functions[*function].reads_position || any(arguments),
            ExprKind::Builtin(_, items) | ExprKind::List(items) | ExprKind::SetOf(items) => any(items),
            ExprKind::Fold { item, loops, .. }
            | ExprKind::Comprehension(item, loops)
            | ExprKind::SetComprehension(item, loops) => {
                self.varies(item) || loops.iter().any(|l| self.varies(&l.over) || l.when.iter().any(|w| self.varies(w)))
            }
        }
    }

    fn loops_vary(&self, loops: &[Loop]) -> bool {
        loops.iter().any(|l| self.length_varies(&l.over) || l.when.iter().any(|w| self.varies_within(w, &l.over)))
    }

    /// Whether a condition of a loop depends on the position; it does if the items do.
    fn varies_within(&self, when: &Expr, over: &Expr) -> bool {
        self.varies(when) || self.varies(over)
    }

    /// Whether the length of a list (or the size of a set) depends on more than the instance.
    fn length_varies(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Variable { .. } => expr.ty == Type::Set,
            ExprKind::Local(local) => self.locals.get(*local).is_some_and(|l| l.length_varies),
            ExprKind::Repeat(_, length) => self.varies(length),
            ExprKind::List(_) => false,
            ExprKind::Comprehension(_, loops) => self.loops_vary(loops),
            ExprKind::If(condition, yes, no) => {
                (self.varies(condition) && expr.ty == Type::Set) || self.length_varies(yes) || self.length_varies(no)
            }
            ExprKind::Builtin(crate::program::Builtin::Sort | crate::program::Builtin::Reverse, arguments) => {
                arguments.iter().any(|a| self.length_varies(a))
            }
            ExprKind::Call(..) => expr.ty == Type::Set && self.varies(expr),
            _ => self.varies(expr),
        }
    }
}
