//! Visiting every expression of a program, for whoever needs to know what rules read.

use crate::diagnostic::Diagnostic;
use crate::program::{
    Domain, Ending, EndingKind, Expr, ExprKind, Loop, Parts, Program, Show, ShowPiece, Source, Stmt, StmtKind,
};

/// Visits an expression and all expressions in it, outermost first. Bodies of called functions are not entered.
pub fn expr<'p>(e: &'p Expr, visit: &mut dyn FnMut(&'p Expr)) {
    visit(e);
    children(e, &mut |child| expr(child, visit));
}

/// Visits the expressions directly inside an expression.
pub fn children<'p>(e: &'p Expr, visit: &mut dyn FnMut(&'p Expr)) {
    match &e.kind {
        ExprKind::Scalar(_)
        | ExprKind::Text(_)
        | ExprKind::Global(_)
        | ExprKind::Local(_)
        | ExprKind::Mover
        | ExprKind::Opponent => {}
        ExprKind::Variable { indices: several, .. }
        | ExprKind::Call(_, several)
        | ExprKind::Builtin(_, several)
        | ExprKind::List(several)
        | ExprKind::SetOf(several) => several.iter().for_each(visit),
        ExprKind::Negate(a) | ExprKind::Not(a) => visit(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Index(a, b)
        | ExprKind::In(a, b)
        | ExprKind::Repeat(a, b)
        | ExprKind::Range { low: a, high: b, .. } => {
            visit(a);
            visit(b);
        }
        ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|e| visit(e)),
        ExprKind::Slice { list, low, high, .. } => {
            visit(list);
            low.iter().chain(high).for_each(|e| visit(e));
        }
        ExprKind::Fold { item, loops, .. }
        | ExprKind::Comprehension(item, loops)
        | ExprKind::SetComprehension(item, loops) => {
            for Loop { over, when, .. } in loops {
                visit(over);
                when.iter().for_each(&mut *visit);
            }
            visit(item);
        }
    }
}

/// Visits every expression in statements.
pub fn stmts<'p>(statements: &'p [Stmt], visit: &mut dyn FnMut(&'p Expr)) {
    roots(statements, &mut |e| expr(e, visit));
}

/// Visits the whole expressions of statements, not those inside them.
fn roots<'p>(statements: &'p [Stmt], visit: &mut dyn FnMut(&'p Expr)) {
    for statement in statements {
        match &statement.kind {
            StmtKind::Set { value, .. } | StmtKind::Return(value) | StmtKind::Turn(value) => visit(value),
            StmtKind::Assign { place, value, .. } => {
                place.indices.iter().for_each(&mut *visit);
                visit(value);
            }
            StmtKind::If { condition, then, otherwise } => {
                visit(condition);
                roots(then, visit);
                roots(otherwise, visit);
            }
            StmtKind::For { over, body, .. } => {
                visit(over);
                roots(body, visit);
            }
            StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Gain { amount, player } => {
                visit(amount);
                player.iter().for_each(&mut *visit);
            }
            StmtKind::Split(Parts::Listed(rows)) => rows.iter().flatten().for_each(&mut *visit),
            StmtKind::Split(Parts::List { list, .. }) => visit(list),
        }
    }
}

/// Visits every expression that names parts.
pub fn parts<'p>(those: &'p Parts, visit: &mut dyn FnMut(&'p Expr)) {
    match those {
        Parts::Listed(rows) => rows.iter().flatten().for_each(|e| expr(e, visit)),
        Parts::List { list, .. } => expr(list, visit),
    }
}

/// Visits every expression in a domain.
pub fn domain<'p>(of: &'p Domain, visit: &mut dyn FnMut(&'p Expr)) {
    match of {
        Domain::Range { low, high, .. } => {
            expr(low, visit);
            expr(high, visit);
        }
        Domain::Bool | Domain::Names(_) => {}
        Domain::SetOf(base) => domain(base, visit),
        Domain::Array { item, length, up_to } => {
            expr(length, visit);
            up_to.iter().for_each(|(high, _)| expr(high, visit));
            domain(item, visit);
        }
    }
}

/// Visits every expression of what a choice ranges over.
pub fn source<'p>(of: &'p Source, visit: &mut dyn FnMut(&'p Expr)) {
    match of {
        Source::Domain(of) => domain(of, visit),
        Source::Items(items) => expr(items, visit),
        Source::NamedItems(_) => {}
    }
}

fn ending<'p>(of: &'p Ending, visit: &mut dyn FnMut(&'p Expr)) {
    match &of.kind {
        EndingKind::Win | EndingKind::Lose | EndingKind::Draw => {}
        EndingKind::Winner(e) | EndingKind::Score(e) | EndingKind::Payoffs(e) => expr(e, visit),
    }
}

/// Visits every expression of the program, functions included.
pub fn program<'p>(of: &'p Program, visit: &mut dyn FnMut(&'p Expr)) {
    of.params.iter().filter_map(|param| param.default.as_ref()).for_each(|e| expr(e, visit));
    of.lets.iter().for_each(|item| expr(&item.value, visit));
    of.requires.iter().for_each(|item| expr(&item.condition, visit));
    of.functions.iter().for_each(|function| stmts(&function.body, visit));
    for variable in &of.variables {
        domain(&variable.domain, visit);
        variable.start.iter().for_each(|e| expr(e, visit));
    }
    of.sum.iter().for_each(|sum| parts(&sum.from, visit));
    of.players.iter().chain(&of.starts).for_each(|e| expr(e, visit));
    for mv in &of.moves {
        mv.choices.iter().for_each(|choice| source(&choice.source, visit));
        mv.when.iter().for_each(|e| expr(e, visit));
        stmts(&mv.body, visit);
    }
    for rule in &of.ends {
        expr(&rule.when, visit);
        ending(&rule.result, visit);
    }
    of.stuck.iter().chain(&of.forever).for_each(|result| ending(result, visit));
    of.symmetries.iter().for_each(|symmetry| expr(&symmetry.permutation, visit));
    for regions in &of.regions {
        [&regions.rows, &regions.columns, &regions.condition].into_iter().for_each(|e| expr(e, visit));
    }
    of.measure.iter().chain(&of.estimate).for_each(|e| expr(e, visit));
    for claim in &of.claims {
        expr(&claim.value, visit);
        claim.when.iter().for_each(|e| expr(e, visit));
    }
    of.sample.iter().for_each(|item| source(&item.source, visit));
    match &of.show {
        Some(Show::Grid { cells, rows, columns, legend }) => {
            [cells, rows, columns].into_iter().for_each(|e| expr(e, visit));
            legend.iter().for_each(|(value, _)| expr(value, visit));
        }
        Some(Show::Text(pieces)) => {
            for piece in pieces {
                if let ShowPiece::Value(value) = piece {
                    expr(value, visit);
                }
            }
        }
        None => {}
    }
    of.examples.iter().flat_map(|example| &example.given).for_each(|(_, e)| expr(e, visit));
}

/// The global slots that expressions read, also through the functions they call; `walk` visits the expressions.
pub fn globals_read<'p>(of: &'p Program, walk: impl FnOnce(&mut dyn FnMut(&'p Expr))) -> Vec<usize> {
    let mut read = vec![false; of.globals()];
    let mut called = vec![false; of.functions.len()];
    let mut open = Vec::new();
    let mut note = |e: &'p Expr, open: &mut Vec<usize>| match e.kind {
        ExprKind::Global(slot) if slot < read.len() => read[slot] = true,
        ExprKind::Call(function, _) if called.get(function) == Some(&false) => {
            called[function] = true;
            open.push(function);
        }
        _ => {}
    };
    walk(&mut |e| note(e, &mut open));
    while let Some(function) = open.pop() {
        stmts(&of.functions[function].body, &mut |e| note(e, &mut open));
    }
    (0..of.globals()).filter(|slot| read[*slot]).collect()
}

/// How deep a function's expressions may be nested, those of the functions it calls included: what the evaluator's
/// stack is sure to hold.
pub const DEPTH_LIMIT: usize = 1000;

/// A diagnostic for a function that is nested more deeply than [`DEPTH_LIMIT`].
pub(crate) fn too_deep(of: &Program) -> Option<Diagnostic> {
    // Functions do not recurse, so this settles after as many rounds as calls are nested.
    let mut depths = vec![0; of.functions.len()];
    let mut settled = false;
    while !settled {
        settled = true;
        for (index, function) in of.functions.iter().enumerate() {
            let depth = block_depth(&function.body, &depths);
            if depth > DEPTH_LIMIT {
                let title = format!("the calls below `{}` are nested more than {DEPTH_LIMIT} deep", function.name);
                return Some(Diagnostic::at(function.span, title, "declared here"));
            }
            settled &= depth == depths[index];
            depths[index] = depth;
        }
    }
    None
}

/// Statements count as levels too: a loop in a loop is two.
fn block_depth(statements: &[Stmt], functions: &[usize]) -> usize {
    let inner = |statement: &Stmt| match &statement.kind {
        StmtKind::If { then, otherwise, .. } => block_depth(then, functions).max(block_depth(otherwise, functions)),
        StmtKind::For { body, .. } => block_depth(body, functions),
        _ => 0,
    };
    let mut depth = statements.iter().map(inner).max().unwrap_or(0);
    roots(statements, &mut |e| depth = depth.max(expr_depth(e, functions)));
    depth + 1
}

fn expr_depth(e: &Expr, functions: &[usize]) -> usize {
    let mut depth = match e.kind {
        ExprKind::Call(function, _) => functions.get(function).copied().unwrap_or(0),
        _ => 0,
    };
    children(e, &mut |child| depth = depth.max(expr_depth(child, functions)));
    depth + 1
}
