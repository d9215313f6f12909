//! Heaps as a parameter runs: rules that are the same whatever the parameter is, which only says how large the heap is.

use engine::monitor::Monitor;
use rules::bind::{Bound, bind};
use rules::instance::Given;
use rules::program::{Expr, ExprKind, Parts, Program};
use rules::visit;
use shapes::heap::HeapGame;
use solve::chooser::Chooser;
use solve::methods::{self, Ability, Method};
use solve::options::Options;

/// Rules are read for a heap of one of these sizes, the largest that they admit and under which they are a heap game. A theorem
/// is said of no larger heap: a condition that only larger heaps meet was not seen. Where numbers that rules compute do not
/// fit for the very largest, a smaller one leaves room for them.
const READ_AT: [i64; 5] = [i64::MAX, 10i64.pow(18), 10i64.pow(17), 10i64.pow(16), 10i64.pow(15)];

/// A heap game that rules describe as a parameter runs.
#[derive(Clone, Debug)]
pub struct ParameterGame {
    /// The game.
    pub game: HeapGame,
    /// Whether play is misère.
    pub misere: bool,
    /// The largest value of the parameter for which the rules are known to be this game; `None` if they are for every number
    /// that a parameter can be.
    pub upto: Option<i64>,
}

/// The heap games of a file in which one parameter is the heap, those that reach furthest first. `bound` has the largest value
/// of the parameter that is asked for. There are several where a move is too large for some method, and is not seen in
/// games that reach less far.
///
/// The parameter may be a number, or a list of one number. The error says why the values are not those of one game. The game is
/// read off the rules for heaps as large as the rules admit, since what is proved of it is said of all heaps up to there: a
/// rule that takes 10 is not seen among heaps below 10.
pub fn heap_games(bound: &Bound, parameter: usize) -> Result<impl Iterator<Item = ParameterGame>, String> {
    let program = &*bound.program;
    if !starts_there(program, parameter) {
        return Err("the position at the start is not one heap, given by the parameter".to_string());
    }
    if moves_depend_on(program, parameter) {
        return Err(format!("moves depend on `{}`", program.params[parameter].name));
    }
    let asked = match bound.given(parameter) {
        Given::Int(heap) => heap,
        Given::Ints(heaps) => *heaps.first().ok_or("there is no heap")?,
        _ => return Err("the parameter is no number".to_string()),
    };
    if asked < 0 {
        return Err("a heap is not negative".to_string());
    }
    let largest = largest(bound, parameter, asked);
    let smaller = READ_AT.into_iter().filter(move |&heap| asked < heap && heap < largest);
    let sizes = [largest].into_iter().chain(smaller);
    Ok(sizes.filter_map(move |heap| {
        let bound = with_heap(bound, parameter, heap)?;
        let (game, misere) = methods::able(Ability::HeapGame).iter().find_map(|method| read_by(*method, &bound))?;
        Some(ParameterGame { game, misere, upto: (heap < i64::MAX).then_some(heap) })
    }))
}

/// The heap game that a method reads off the rules, and whether play is misère.
fn read_by(method: &dyn Method, bound: &Bound) -> Option<(HeapGame, bool)> {
    let options = Options { method: Some(method.name()), ..Options::default() };
    let mut monitor = Monitor::unlimited();
    let plan = Chooser::new(&[method], bound, &bound.start, &options, &monitor).ok()?.plan(&mut monitor).ok()?;
    plan.heap_game()
}

/// The instance in which the parameter is this heap, if the rules admit it.
fn with_heap(bound: &Bound, parameter: usize, heap: i64) -> Option<Bound> {
    let mut instance = bound.instance();
    let (_, given) = instance.0.get_mut(parameter)?;
    *given = if matches!(given, Given::Int(_)) { Given::Int(heap) } else { Given::Ints(vec![heap]) };
    bind(&bound.program, &instance).ok()
}

/// A heap as large as the rules admit, as far as one can tell; `sure` is admitted.
fn largest(bound: &Bound, parameter: usize, mut sure: i64) -> i64 {
    let admitted = |heap: i64| with_heap(bound, parameter, heap).is_some();
    if admitted(i64::MAX) {
        return i64::MAX;
    }
    // What the rules compute from the parameter beforehand may take long: then only the usual sizes are tried.
    let lets = visit::globals_read(&bound.program, |see| {
        bound.program.lets.iter().for_each(|item| visit::expr(&item.value, see));
    });
    if lets.contains(&parameter) {
        return READ_AT.into_iter().find(|&heap| heap > sure && admitted(heap)).unwrap_or(sure);
    }
    let mut refused = i64::MAX;
    while refused - sure > 1 {
        let middle = sure + (refused - sure) / 2;
        if admitted(middle) {
            sure = middle;
        } else {
            refused = middle;
        }
    }
    sure
}

/// Whether what may be played, or how play ends, depends on a parameter, also by way of a `let` or a default.
pub(crate) fn moves_depend_on(program: &Program, parameter: usize) -> bool {
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
    read.contains(&parameter)
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
