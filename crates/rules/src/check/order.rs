//! The order in which `let`s and functions are checked: each after the ones it names.
//!
//! The order is found from names alone, even if a local shadows them, with an explicit stack. So a thousand functions
//! may call one another in a row without a recursion of the checker. Only circles of names are left to the checker,
//! which finds out whether they are real.

use std::collections::HashMap;

use crate::syntax::tree::{Expr, ExprKind, Function, Loop, Stmt, StmtKind};

/// A `let` or a function, by its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// A game-level `let`.
    Let(usize),
    /// A function.
    Function(usize),
}

/// A definition with the names it mentions and how deep its tree is.
pub struct Mentions<'f> {
    definition: Definition,
    names: Vec<&'f str>,
    /// How deep statements and expressions nest in it.
    pub depth: usize,
}

/// What the value of a `let` mentions.
pub fn of_let(index: usize, value: &Expr) -> Mentions<'_> {
    let mut walk = Walk { names: Vec::new(), depth: 0, deepest: 0 };
    walk.expr(value);
    Mentions { definition: Definition::Let(index), names: walk.names, depth: walk.deepest }
}

/// What the body of a function mentions.
pub fn of_function(index: usize, function: &Function) -> Mentions<'_> {
    let mut walk = Walk { names: Vec::new(), depth: 0, deepest: 0 };
    walk.block(&function.body);
    Mentions { definition: Definition::Function(index), names: walk.names, depth: walk.deepest }
}

/// Whether an expression mentions a name.
pub fn mentions_name(e: &Expr, name: &str) -> bool {
    of_let(0, e).names.contains(&name)
}

/// Whether statements mention a name.
pub fn block_mentions_name(block: &[Stmt], name: &str) -> bool {
    let mut walk = Walk { names: Vec::new(), depth: 0, deepest: 0 };
    walk.block(block);
    walk.names.contains(&name)
}

/// Every definition, after the ones it mentions except in a circle.
pub fn order(mentions: &[Mentions<'_>], find: impl Fn(&str) -> Option<Definition>) -> Vec<Definition> {
    let places: HashMap<(bool, usize), usize> =
        mentions.iter().enumerate().map(|(place, mention)| (key(mention.definition), place)).collect();
    let mut order = Vec::new();
    let mut seen = vec![false; mentions.len()];
    for start in 0..mentions.len() {
        let mut path = vec![(start, 0)];
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some((place, next)) = path.last_mut() {
            let Some(name) = mentions[*place].names.get(*next) else {
                order.push(mentions[*place].definition);
                path.pop();
                continue;
            };
            *next += 1;
            if let Some(needed) = find(name).and_then(|definition| places.get(&key(definition)))
                && !std::mem::replace(&mut seen[*needed], true)
            {
                path.push((*needed, 0));
            }
        }
    }
    order
}

fn key(definition: Definition) -> (bool, usize) {
    match definition {
        Definition::Let(index) => (false, index),
        Definition::Function(index) => (true, index),
    }
}

struct Walk<'f> {
    names: Vec<&'f str>,
    depth: usize,
    deepest: usize,
}

impl<'f> Walk<'f> {
    fn deeper(&mut self, inside: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        inside(self);
        self.depth -= 1;
    }

    fn block(&mut self, block: &'f [Stmt]) {
        self.deeper(|walk| block.iter().for_each(|statement| walk.statement(statement)));
    }

    fn statement(&mut self, statement: &'f Stmt) {
        match &statement.kind {
            StmtKind::Let(_, e, _) | StmtKind::Return(e, _) | StmtKind::Turn(e) | StmtKind::SplitList(e) => {
                self.expr(e)
            }
            StmtKind::Assign(place, _, value) => {
                self.expr(place);
                self.expr(value);
            }
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::For(_, over, body) => {
                self.expr(over);
                self.block(body);
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Again => {}
            StmtKind::Gain(amount, player) => {
                self.expr(amount);
                player.iter().for_each(|player| self.expr(player));
            }
            StmtKind::SplitParts(parts) => parts.iter().flatten().for_each(|value| self.expr(value)),
        }
    }

    fn expr(&mut self, e: &'f Expr) {
        self.deeper(|walk| walk.inside(e));
    }

    fn inside(&mut self, e: &'f Expr) {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Char(_) | ExprKind::Bool(_) | ExprKind::Text(_) => {}
            ExprKind::Mover | ExprKind::Opponent | ExprKind::Mistake => {}
            ExprKind::Name(name) => self.names.push(name),
            ExprKind::Negate(a) | ExprKind::Not(a) => self.expr(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::In(a, b)
            | ExprKind::Index(a, b)
            | ExprKind::Range(a, b, _)
            | ExprKind::Repeat(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Slice(list, low, high, _) => {
                self.expr(list);
                low.iter().chain(high).for_each(|bound| self.expr(bound));
            }
            ExprKind::Call(name, arguments) => {
                self.names.push(&name.text);
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            ExprKind::List(items) | ExprKind::Set(items) => items.iter().for_each(|item| self.expr(item)),
            ExprKind::Fold(_, item, loops)
            | ExprKind::Comprehension(item, loops)
            | ExprKind::SetComprehension(item, loops) => {
                self.loops(loops);
                self.expr(item);
            }
        }
    }

    fn loops(&mut self, loops: &'f [Loop]) {
        for turn in loops {
            self.expr(&turn.over);
            turn.when.iter().for_each(|when| self.expr(when));
        }
    }
}
