//! What statements and expressions read and change, found before code is written.

use rules::program::{Expr, ExprKind, Function, Loop, Program, Root, Stmt, StmtKind};
use rules::visit;

/// The locals that statements assign to after they were made.
pub fn changed_locals(body: &[Stmt]) -> Vec<usize> {
    let mut found = Vec::new();
    visit::statements(body, &mut |statement| {
        if let StmtKind::Assign { place, .. } = &statement.kind
            && let Root::Local(local) = place.root
            && !found.contains(&local)
        {
            found.push(local);
        }
    });
    found
}

/// Whether statements may keep memory that they ask for: they give a list or set to a local from outside, or split.
pub fn keeps_memory(body: &[Stmt]) -> bool {
    let mut keeps = false;
    visit::statements(body, &mut |statement| match &statement.kind {
        StmtKind::Assign { place, .. } if matches!(place.root, Root::Local(_)) => keeps |= !place.ty.is_scalar(),
        StmtKind::Split(_) => keeps = true,
        _ => {}
    });
    keeps
}

/// Whether an expression runs a loop, in itself or in a function that it calls.
pub fn has_loop(expr: &Expr) -> bool {
    let mut large = false;
    visit::expr(expr, &mut |expr| large |= loops(expr));
    large
}

fn loops(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Fold { .. } | ExprKind::Comprehension(..) | ExprKind::SetComprehension(..) | ExprKind::Call(..)
    )
}

/// The locals that an expression reads, without those that it makes itself.
pub fn locals_read(expr: &Expr) -> Vec<usize> {
    let mut found = Vec::new();
    let mut own = Vec::new();
    visit::expr(expr, &mut |expr| match &expr.kind {
        ExprKind::Local(local) => found.push(*local),
        ExprKind::Fold { loops, .. } | ExprKind::Comprehension(_, loops) | ExprKind::SetComprehension(_, loops) => {
            own.extend(loops.iter().map(|Loop { local, .. }| *local))
        }
        _ => {}
    });
    found.retain(|local| !own.contains(local));
    found
}

/// How large each function is, counted in expressions, with all that it calls.
pub fn weights(program: &Program) -> Vec<usize> {
    let mut weights: Vec<Option<usize>> = vec![None; program.functions.len()];
    (0..program.functions.len()).map(|index| weight(program, index, &mut weights)).collect()
}

fn weight(program: &Program, index: usize, known: &mut Vec<Option<usize>>) -> usize {
    if let Some(weight) = known[index] {
        return weight;
    }
    let Function { body, .. } = &program.functions[index];
    let mut total = 1usize;
    let mut calls = Vec::new();
    visit::stmts(body, &mut |expr| {
        total += 1;
        if let ExprKind::Call(called, _) = &expr.kind {
            calls.push(*called);
        }
    });
    for called in calls {
        total = total.saturating_add(weight(program, called, known));
    }
    known[index] = Some(total);
    total
}

/// Whether a value stays as it is whatever statements do: nothing of it lies in the position or in a local that changes.
pub fn is_stable(expr: &Expr, changed: &[usize], is_move: bool) -> bool {
    let stable = |expr: &Expr| is_stable(expr, changed, is_move);
    if expr.ty.is_scalar() {
        return true;
    }
    match &expr.kind {
        ExprKind::Global(_) | ExprKind::Text(_) | ExprKind::Range { .. } => true,
        ExprKind::SetOf(_) | ExprKind::SetComprehension(..) => true,
        ExprKind::Local(local) => !changed.contains(local),
        ExprKind::Variable { .. } => !is_move,
        ExprKind::If(_, a, b) => stable(a) && stable(b),
        ExprKind::Index(list, _) | ExprKind::Slice { list, .. } => stable(list),
        ExprKind::List(items) => items.iter().all(stable),
        ExprKind::Repeat(item, _) | ExprKind::Comprehension(item, _) => stable(item),
        ExprKind::Builtin(_, arguments) => arguments.iter().all(stable),
        _ => false,
    }
}

/// Whether the memory of a value was made for it alone, so that it may be changed in place.
pub fn is_fresh(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::SetOf(items) => !items.is_empty(),
        ExprKind::SetComprehension(..) => true,
        ExprKind::Range { .. } => true,
        ExprKind::List(items) => items.iter().all(|item| item.ty.is_scalar()),
        ExprKind::Repeat(item, _) | ExprKind::Comprehension(item, _) => item.ty.is_scalar(),
        ExprKind::If(_, a, b) => is_fresh(a) && is_fresh(b),
        _ => expr.ty.is_scalar(),
    }
}
