//! Walking over a checked program: every expression below an expression, a statement or a rule.
//!
//! NOTE: rebuilt. The original of this file was overwritten by mistake while another module was delivered; this has the
//! same functions and doc comments (recovered from compiled metadata), bodies written anew. The author may prefer to
//! put the original back.

use crate::program::{Domain, EndingKind, Expr, Move, Parts, Source, Stmt, StmtKind};

/// Calls `visit` on the expression and everything below it, functions it calls not included.
pub fn expr<'p>(expr: &'p Expr, visit: &mut dyn FnMut(&'p Expr)) {
    crate::visit::expr(expr, visit);
}

/// Calls `visit` on each statement of a block and of the blocks inside it.
pub fn statements<'p>(block: &'p [Stmt], visit: &mut dyn FnMut(&'p Stmt)) {
    for statement in block {
        visit(statement);
        match &statement.kind {
            StmtKind::If { then, otherwise, .. } => {
                statements(then, visit);
                statements(otherwise, visit);
            }
            StmtKind::For { body, .. } => statements(body, visit),
            _ => {}
        }
    }
}

/// The expressions that stand directly in a statement, not those of the blocks inside it.
pub fn expressions_of(statement: &Stmt) -> Vec<&Expr> {
    match &statement.kind {
        StmtKind::Set { value, .. } | StmtKind::Return(value) | StmtKind::Turn(value) => vec![value],
        StmtKind::Assign { place, value, .. } => place.indices.iter().chain([value]).collect(),
        StmtKind::If { condition, .. } => vec![condition],
        StmtKind::For { over, .. } => vec![over],
        StmtKind::Break | StmtKind::Continue => Vec::new(),
        StmtKind::Gain { amount, player } => [amount].into_iter().chain(player).collect(),
        StmtKind::Split(Parts::Listed(rows)) => rows.iter().flatten().collect(),
        StmtKind::Split(Parts::List { list, .. }) => vec![list],
    }
}

/// The expressions in what a choice ranges over.
pub fn expressions_of_source(source: &Source) -> Vec<&Expr> {
    match source {
        Source::Domain(domain) => expressions_of_domain(domain),
        Source::Items(items) => vec![items],
        Source::NamedItems(_) => Vec::new(),
    }
}

/// The expressions in a domain.
pub fn expressions_of_domain(domain: &Domain) -> Vec<&Expr> {
    match domain {
        Domain::Range { low, high, .. } => vec![low, high],
        Domain::Bool | Domain::Names(_) => Vec::new(),
        Domain::SetOf(base) => expressions_of_domain(base),
        Domain::Array { item, length, up_to } => {
            let mut found = vec![&**length];
            found.extend(up_to.iter().map(|(high, _)| &**high));
            found.extend(expressions_of_domain(item));
            found
        }
    }
}

/// The expressions of a move's choices and of its condition.
pub fn expressions_of_head(rule: &Move) -> Vec<&Expr> {
    rule.choices.iter().flat_map(|choice| expressions_of_source(&choice.source)).chain(&rule.when).collect()
}

/// The expression of a result.
pub fn expression_of_ending(ending: &EndingKind) -> Option<&Expr> {
    match ending {
        EndingKind::Win | EndingKind::Lose | EndingKind::Draw => None,
        EndingKind::Winner(value) | EndingKind::Score(value) | EndingKind::Payoffs(value) => Some(value),
    }
}
