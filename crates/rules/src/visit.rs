//! Visits the statements and expressions of a program, for code that needs to know what rules read: recognisers,
//! binding, checks. No other module has to know every kind of node.

use crate::diagnostic::Diagnostic;
use crate::program::{
    Domain, Ending, EndingKind, Expr, ExprKind, InputPiece, Loop, Move, NameRule, Parts, Program, Show, ShowPiece,
    Source, Stmt, StmtKind,
};
use crate::span::Span;

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

/// Visits the outermost expressions of statements, not those inside them.
fn roots<'p>(block: &'p [Stmt], visit: &mut dyn FnMut(&'p Expr)) {
    statements(block, &mut |statement| expressions_of(statement).into_iter().for_each(&mut *visit));
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
        StmtKind::Split(parts) => expressions_of_parts(parts),
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

/// The expressions of a move's choices, of its `let`s and of its condition.
pub fn expressions_of_head(rule: &Move) -> Vec<&Expr> {
    let choices = rule.choices.iter().flat_map(|choice| expressions_of_source(&choice.source));
    choices.chain(rule.lets.iter().map(|item| &item.value)).chain(&rule.when).collect()
}

/// The results of the `end` rules and of the `stuck` rules.
pub fn results(program: &Program) -> impl Iterator<Item = &Ending> {
    program.ends.iter().chain(&program.stuck).map(|rule| &rule.result)
}

/// The expression of a result.
pub fn expression_of_ending(ending: &EndingKind) -> Option<&Expr> {
    match ending {
        EndingKind::Win | EndingKind::Lose | EndingKind::Draw => None,
        EndingKind::Winner(value) | EndingKind::Score(value) | EndingKind::Payoffs(value) => Some(value),
    }
}

/// The expressions that name parts.
pub fn expressions_of_parts(parts: &Parts) -> Vec<&Expr> {
    match parts {
        Parts::Listed(rows) => rows.iter().flatten().collect(),
        Parts::Made { values, loops } => {
            values.iter().chain(loops.iter().flat_map(|turn| [&turn.over].into_iter().chain(&turn.when))).collect()
        }
        Parts::List { list, .. } => vec![list],
    }
}

/// Visits every expression of the program, functions included.
pub fn program<'p>(of: &'p Program, visit: &mut dyn FnMut(&'p Expr)) {
    of.params.iter().filter_map(|param| param.default.as_ref()).for_each(|e| expr(e, visit));
    of.lets.iter().for_each(|item| expr(&item.value, visit));
    of.requires.iter().for_each(|item| expr(&item.condition, visit));
    of.functions.iter().for_each(|function| stmts(&function.body, visit));
    for variable in &of.variables {
        expressions_of_domain(&variable.domain).into_iter().for_each(|e| expr(e, visit));
        variable.start.iter().for_each(|e| expr(e, visit));
    }
    of.sum.iter().flat_map(|sum| expressions_of_parts(&sum.from)).for_each(|e| expr(e, visit));
    of.players.iter().chain(&of.starts).for_each(|e| expr(e, visit));
    for mv in &of.moves {
        expressions_of_head(mv).into_iter().for_each(|e| expr(e, visit));
        stmts(&mv.body, visit);
    }
    for rule in of.ends.iter().chain(&of.stuck) {
        expr(&rule.when, visit);
    }
    let results = results(of).chain(&of.forever);
    results.filter_map(|result| expression_of_ending(&result.kind)).for_each(|e| expr(e, visit));
    of.symmetries.iter().for_each(|symmetry| expr(&symmetry.permutation, visit));
    for regions in &of.regions {
        [&regions.rows, &regions.columns, &regions.condition].into_iter().for_each(|e| expr(e, visit));
    }
    of.measure.iter().chain(&of.estimate).for_each(|e| expr(e, visit));
    for claim in &of.claims {
        expr(&claim.value, visit);
        claim.over.iter().for_each(|e| expr(e, visit));
        claim.when.iter().for_each(|e| expr(e, visit));
    }
    of.sample.iter().flat_map(|item| expressions_of_source(&item.source)).for_each(|e| expr(e, visit));
    for rule in &of.namings {
        match rule {
            NameRule::Texts(list) => expr(list, visit),
            NameRule::Grid { rows, columns } => [rows, columns].into_iter().for_each(|e| expr(e, visit)),
        }
    }
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
    for piece in of.input.iter().flatten() {
        if let InputPiece::Value(value, _) = piece {
            expr(value, visit);
        }
    }
    of.examples.iter().flat_map(|example| &example.given).for_each(|(_, e)| expr(e, visit));
}

/// The global slots that expressions read, directly or through the functions they call; `walk` visits the expressions.
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

/// How deep a function's expressions may nest, including those of the functions it calls: the evaluator's stack is sure
/// to hold this much.
pub const DEPTH_LIMIT: usize = 1000;

/// A diagnostic for a function that nests more deeply than [`DEPTH_LIMIT`].
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

/// How deep a block nests. Statements count as levels too: a loop in a loop is two.
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

/// The first place where a number is gained: in a move, or by a result.
pub fn first_gain(program: &Program) -> Option<Span> {
    let mut found = None;
    for rule in &program.moves {
        statements(&rule.body, &mut |statement| {
            if matches!(statement.kind, StmtKind::Gain { .. }) && found.is_none() {
                found = Some(statement.span);
            }
        });
    }
    let counted = |kind: &EndingKind| matches!(kind, EndingKind::Score(_) | EndingKind::Payoffs(_));
    found.or(results(program).filter(|result| counted(&result.kind)).map(|result| result.span).next())
}
