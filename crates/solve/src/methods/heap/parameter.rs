//! Heaps as a parameter runs: rules that are the same whatever the parameter is, which only says how large the heap is.

use rules::bind::{Bound, bind};
use rules::instance::Given;
use rules::program::{Expr, ExprKind, Parts, Program};
use rules::visit;

use shapes::heap::HeapGame;

use super::heap_rules;
use crate::case::Case;
use crate::options::Options;

/// A heap of this size stands for all: numbers in rules are smaller, and multiples of it still fit.
const ANY_HEAP: i64 = 1_000_000_000_000_000;

/// The heap game of a file in which one parameter is the heap, and whether play is misère. `bound` has the largest value of
/// the parameter that is asked for.
///
/// The parameter may be a number, or a list of one number. The error says why the values are not those of one game. The game is
/// read off the rules for heaps as large as the rules admit, since what is proved of it is said of all heaps: a rule that
/// takes 10 is not seen among heaps below 10.
pub fn heap_game(bound: &Bound, parameter: usize) -> Result<(HeapGame, bool), String> {
    let program = &*bound.program;
    if !starts_there(program, parameter) {
        return Err("the position at the start is not one heap, given by the parameter".to_string());
    }
    let mut read = visit::globals_read(program, |see| rules_of(program, see));
    let mut next = 0;
    while let Some(&slot) = read.get(next) {
        next += 1;
        // A `let` reads what its expression reads, and a parameter, if it is not given, what its default reads.
        let from = match slot.checked_sub(program.params.len()) {
            Some(index) => program.lets.get(index).map(|item| &item.value),
            None => program.params[slot].default.as_ref().filter(|_| slot != parameter),
        };
        if let Some(from) = from {
            let through = visit::globals_read(program, |see| visit::expr(from, see));
            read.extend(through.into_iter().filter(|slot| !read.contains(slot)).collect::<Vec<usize>>());
        }
    }
    if read.contains(&parameter) {
        return Err(format!("moves depend on `{}`", program.params[parameter].name));
    }
    let largest = largest(bound, parameter);
    let bound = largest.as_ref().unwrap_or(bound);
    let case = Case::new(bound, &bound.start, &Options::default(), 0).map_err(|error| error.to_string())?;
    let heaps = heap_rules(&case)?;
    if heaps.heap.whole.is_some() {
        return Err("the heap is what is left up to an end, not the parameter".to_string());
    }
    Ok((heaps.heap.game, heaps.misere))
}

/// The instance with the largest heap that the rules admit, as far as one can tell; `None` if that is the one at hand.
fn largest(bound: &Bound, parameter: usize) -> Option<Bound> {
    let with = |heap: i64| {
        let mut instance = bound.instance();
        let (_, given) = instance.0.get_mut(parameter)?;
        *given = if matches!(given, Given::Int(_)) { Given::Int(heap) } else { Given::Ints(vec![heap]) };
        bind(&bound.program, &instance).ok()
    };
    let (mut sure, mut refused) = match bound.given(parameter) {
        Given::Int(heap) => (heap, ANY_HEAP),
        Given::Ints(heaps) => (*heaps.first()?, ANY_HEAP),
        _ => return None,
    };
    if sure >= ANY_HEAP {
        return None;
    }
    let mut found = with(refused);
    // What the rules compute from the parameter beforehand may take long: then that was the only try.
    let lets = visit::globals_read(&bound.program, |see| {
        bound.program.lets.iter().for_each(|item| visit::expr(&item.value, see));
    });
    if found.is_none() && lets.contains(&parameter) {
        return None;
    }
    while found.is_none() && refused - sure > 1 {
        let middle = sure + (refused - sure) / 2;
        match with(middle) {
            Some(bound) if refused - middle <= 1 => found = Some(bound),
            Some(_) => sure = middle,
            None => refused = middle,
        }
    }
    found.or_else(|| with(sure))
}

/// Whether the start is the parameter itself.
fn starts_there(program: &Program, parameter: usize) -> bool {
    let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Global(slot) if slot == parameter);
    match (&program.sum, &program.variables[..]) {
        (Some(sum), [_]) => match &sum.from {
            Parts::List { list, nested: false, .. } => match &list.kind {
                ExprKind::List(items) => matches!(&items[..], [only] if is_it(only)),
                _ => is_it(list),
            },
            Parts::Listed(parts) => matches!(&parts[..], [part] if matches!(&part[..], [only] if is_it(only))),
            _ => false,
        },
        (None, [only]) => only.start.as_ref().is_some_and(is_it),
        _ => false,
    }
}

/// Every expression that decides what may be played and how play ends.
fn rules_of<'p>(program: &'p Program, see: &mut dyn FnMut(&'p Expr)) {
    for rule in &program.moves {
        visit::expressions_of_head(rule).into_iter().for_each(|each| visit::expr(each, see));
        visit::stmts(&rule.body, see);
    }
    for end in program.ends.iter().chain(&program.stuck) {
        visit::expr(&end.when, see);
        visit::expression_of_ending(&end.result.kind).into_iter().for_each(|each| visit::expr(each, see));
    }
    let endless = program.forever.iter();
    endless.filter_map(|ending| visit::expression_of_ending(&ending.kind)).for_each(|each| visit::expr(each, see));
    program.players.iter().chain(&program.starts).for_each(|each| visit::expr(each, see));
}
