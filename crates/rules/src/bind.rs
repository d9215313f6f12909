//! Binding: a checked program and an instance become a game with a start.
//!
//! Everything that depends on the instance alone is computed here, once: parameters and their defaults, `let`s,
//! requirements, players, the layout of positions, the start, permutations of symmetries. Each `require` is checked as
//! soon as what it reads is known. A wrong instance then fails with its own message, not with a `let` that trips over
//! it.

use std::sync::Arc;

use game::Player;

use crate::diagnostic::Diagnostic;
use crate::fault::Fault;
use crate::instance::Instance;
use crate::interpreter::Interpreter;
use crate::layout::{Layout, Target};
use crate::naming::Naming;
use crate::parameters;
use crate::program::{Domain, EndingKind, Expr, ExprKind, NameRule, Program, Require};
use crate::text::{ValueText, cut};
use crate::value::Value;
use crate::visit;

pub use crate::bound::{Bound, Permutation, Position, Shape};

/// The most players.
pub const PLAYER_LIMIT: usize = 64;

/// Makes a game of a program and an instance, or reports everything that is wrong with the instance.
pub fn bind(program: &Arc<Program>, instance: &Instance) -> Result<Bound, Vec<Diagnostic>> {
    if let Some(diagnostic) = visit::too_deep(program) {
        return Err(vec![diagnostic]);
    }
    let globals = globals(program, instance)?;
    let one = |fault: Fault| vec![*fault.diagnostic];
    let (players, starts, forever) = players(program, &globals).map_err(one)?;
    let layout = layout(program, &globals)?;
    let parts = start(program, &globals, &layout)?;
    let symmetries = symmetries(program, &globals, &layout)?;
    let regions = regions(program, &globals, &layout)?;
    let namings = namings(program, &globals).map_err(one)?;
    Ok(Bound {
        program: Arc::clone(program),
        globals: globals.into_iter().map(|value| value.unwrap_or(Value::Int(0))).collect(), // All are known by now.
        players,
        starts,
        forever,
        layout,
        start: Position { parts, turn: starts },
        symmetries,
        regions,
        namings,
    })
}

/// Whether an instance meets every `require`. A fault on the way does not refuse it: binding reports faults.
pub(crate) fn admits(program: &Program, instance: &Instance) -> bool {
    let mut refused = false;
    let Ok(params) = parameters::fill(program, instance) else { return true };
    let _ = complete(program, params, &mut |_, _| refused = true);
    !refused
}

fn globals(program: &Program, instance: &Instance) -> Result<Vec<Option<Value>>, Vec<Diagnostic>> {
    let params = parameters::fill(program, instance)?;
    let mut failed = Vec::new();
    let done = complete(program, params, &mut |require, globals| failed.push(refusal(program, require, globals)));
    match done {
        _ if !failed.is_empty() => Err(failed),
        Err(fault) => Err(vec![*fault.diagnostic]),
        Ok(globals) => Ok(globals),
    }
}

/// Computes the `let`s, and checks each requirement as soon as everything it reads is known.
fn complete(
    program: &Program,
    mut globals: Vec<Option<Value>>,
    refuse: &mut dyn FnMut(&Require, &[Option<Value>]),
) -> Result<Vec<Option<Value>>, Fault> {
    let mut needs = Vec::with_capacity(program.requires.len());
    for require in &program.requires {
        let reads = visit::globals_read(program, |visit| visit::expr(&require.condition, visit));
        needs.push(reads.into_iter().max().map_or(0, |slot| slot + 1).max(program.params.len()));
    }
    let mut refused = false;
    for known in program.params.len()..=program.globals() {
        for (require, _) in program.requires.iter().zip(&needs).filter(|(_, needs)| **needs == known) {
            if Interpreter::of_instance(program, &globals).number_of(&require.condition)? == 0 {
                refuse(require, &globals);
                refused = true;
            }
        }
        if refused || known == program.globals() {
            break;
        }
        let value =
            Interpreter::of_instance(program, &globals).value_of(&program.lets[known - program.params.len()].value)?;
        globals[known] = Some(value.keep());
    }
    Ok(globals)
}

fn refusal(program: &Program, require: &Require, globals: &[Option<Value>]) -> Diagnostic {
    let title = require.message.clone().unwrap_or_else(|| "the instance does not meet a requirement".to_string());
    let mut diagnostic = Diagnostic::at(require.condition.span, title, "does not hold for this instance");
    for &slot in &require.reads {
        let params = program.params.iter().map(|param| (&param.name, &param.ty));
        let named = params.chain(program.lets.iter().map(|item| (&item.name, &item.value.ty))).nth(slot);
        if let (Some((name, ty)), Some(Some(value))) = (named, globals.get(slot)) {
            diagnostic = diagnostic.note(format!("{name} = {}", cut(60, &ValueText { value, ty })));
        }
    }
    diagnostic
}

/// How many players, who starts, and who wins endless play.
fn players(program: &Program, globals: &[Option<Value>]) -> Result<(usize, Player, Option<Player>), Fault> {
    let number = |expr: &Expr| Interpreter::of_instance(program, globals).number_of(expr);
    let players = match &program.players {
        None => 2,
        Some(expr) => {
            let players = number(expr)?;
            usize::try_from(players).ok().filter(|players| (2..=PLAYER_LIMIT).contains(players)).ok_or_else(|| {
                let s = if players == 1 { "" } else { "s" };
                let title = format!("a game for {players} player{s}");
                Fault::at(expr.span, title, format!("must be 2 to {PLAYER_LIMIT}"))
            })?
        }
    };
    let player = |expr: &Expr| {
        let player = number(expr)?;
        u8::try_from(player).ok().filter(|player| usize::from(*player) < players).map(Player).ok_or_else(|| {
            Fault::at(expr.span, format!("there is no player {player}"), format!("players are 0 to {}", players - 1))
        })
    };
    let starts = program.starts.as_ref().map_or(Ok(Player::FIRST), player)?;
    let forever = match program.forever.as_ref().map(|ending| &ending.kind) {
        Some(EndingKind::Winner(expr)) => Some(player(expr)?),
        _ => None,
    };
    if players > 2 {
        let mut place = None;
        visit::program(program, &mut |e| {
            if matches!(e.kind, ExprKind::Opponent) {
                place.get_or_insert(e.span);
            }
        });
        if let Some(span) = place {
            let title = format!("`opponent` means the other of two players, and this game has {players}");
            return Err(Fault::at(span, title, "has no meaning here")
                .help("write a player's number, such as `(mover + 1) % 3`"));
        }
    }
    Ok((players, starts, forever))
}

fn layout(program: &Program, globals: &[Option<Value>]) -> Result<Layout, Vec<Diagnostic>> {
    let mut interpreter = Interpreter::of_instance(program, globals);
    let mut spaces = Vec::new();
    let mut mistakes = Vec::new();
    for variable in &program.variables {
        match interpreter.space_in(&variable.domain) {
            Ok(space) => spaces.push(space),
            Err(fault) => mistakes.push(*fault.diagnostic),
        }
    }
    if mistakes.is_empty() {
        Layout::new(program, &spaces).map_err(|fault| vec![*fault.diagnostic])
    } else {
        Err(mistakes)
    }
}

fn start(program: &Program, globals: &[Option<Value>], layout: &Layout) -> Result<Vec<Box<[i64]>>, Vec<Diagnostic>> {
    let mut interpreter = Interpreter::of_start(program, globals, layout);
    if let Some(sum) = &program.sum {
        return interpreter.parts_of(&sum.from, sum.span).map_err(|fault| vec![*fault.diagnostic]);
    }
    let mut cells = vec![0; layout.cells()].into_boxed_slice();
    let mut mistakes = Vec::new();
    for (index, variable) in program.variables.iter().enumerate() {
        let Some(start) = &variable.start else { continue };
        let slot = &layout.variables[index];
        match interpreter.value_of(start) {
            Err(fault) => mistakes.push(*fault.diagnostic),
            Ok(value) => {
                let own = &mut cells[slot.offset..slot.offset + slot.cells];
                if let Err(misfit) = layout.write(Target::whole(index), &value, own, true) {
                    let title = format!("the start is outside the domain: {}", misfit.text);
                    let mistake = Diagnostic::at(start.span, title, "the start of this variable")
                        .related(variable.span, "its domain is declared here");
                    mistakes.push(
                        match with_its_end(program, &variable.domain, &value, layout.variables[index].leaf.range()) {
                            Some(help) => mistake.help(help),
                            None => mistake,
                        },
                    );
                }
            }
        }
    }
    if mistakes.is_empty() { Ok(vec![cells]) } else { Err(mistakes) }
}

/// How to mend a start that is just the end that `0..n` leaves out.
fn with_its_end(program: &Program, domain: &Domain, value: &Value, range: Option<(i64, i64)>) -> Option<String> {
    let Domain::Range { low, high, inclusive: false, .. } = domain else { return None };
    let (least, most) = range?;
    if least > most || value.as_int()? != most.checked_add(1)? {
        return None;
    }
    let text = |expr: &Expr| match &expr.kind {
        ExprKind::Scalar(number) => Some(number.to_string()),
        ExprKind::Global(slot) => {
            let names =
                program.params.iter().map(|param| &param.name).chain(program.lets.iter().map(|item| &item.name));
            names.into_iter().nth(*slot).cloned()
        }
        _ => None,
    };
    Some(match (text(low), text(high)) {
        (Some(low), Some(high)) => format!("`{low}..{high}` leaves out {high}: write `{low}..={high}`"),
        _ => "a range `a..b` leaves out its end: write `a..=b`".to_string(),
    })
}

fn symmetries(
    program: &Program,
    globals: &[Option<Value>],
    layout: &Layout,
) -> Result<Vec<Permutation>, Vec<Diagnostic>> {
    let mut interpreter = Interpreter::of_instance(program, globals);
    let mut found = Vec::new();
    let mut mistakes = Vec::new();
    for symmetry in &program.symmetries {
        let slot = &layout.variables[symmetry.variable];
        let length = slot.dims.first().copied().unwrap_or(1);
        match interpreter.value_of(&symmetry.permutation) {
            Err(fault) => mistakes.push(*fault.diagnostic),
            Ok(value) => match permutation(value.numbers().unwrap_or(&[]), length) {
                Ok(order) => found.push(Permutation { variable: symmetry.variable, order }),
                Err(why) => {
                    let title = format!("this is no permutation of the {length} items of `{}`", slot.name);
                    mistakes.push(Diagnostic::at(symmetry.permutation.span, title, why));
                }
            },
        }
    }
    if mistakes.is_empty() { Ok(found) } else { Err(mistakes) }
}

fn permutation(numbers: &[i64], length: usize) -> Result<Vec<usize>, String> {
    if numbers.len() != length {
        return Err(format!("it has {} items", numbers.len()));
    }
    let mut seen = vec![false; length];
    let mut order = Vec::with_capacity(length);
    for &number in numbers {
        let Some(index) = usize::try_from(number).ok().filter(|index| *index < length) else {
            return Err(format!("{number} is no index"));
        };
        if std::mem::replace(&mut seen[index], true) {
            return Err(format!("{number} occurs twice"));
        }
        order.push(index);
    }
    Ok(order)
}

/// The names of numbers.
fn namings(program: &Program, globals: &[Option<Value>]) -> Result<Vec<Naming>, Fault> {
    let mut interpreter = Interpreter::of_instance(program, globals);
    let mut found = Vec::with_capacity(program.namings.len());
    for rule in &program.namings {
        found.push(match rule {
            NameRule::Texts(list) => {
                let value = interpreter.value_of(list)?;
                let texts = (0..value.len().unwrap_or(0)).filter_map(|index| value.get(index));
                Naming::listed(texts.map(|text| text.characters()).collect(), list.span)?
            }
            NameRule::Grid { rows, columns } => {
                let sides = (interpreter.number_of(rows)?, interpreter.number_of(columns)?);
                Naming::grid(sides.0, sides.1, rows.span.to(columns.span))?
            }
        });
    }
    Ok(found)
}

fn regions(program: &Program, globals: &[Option<Value>], layout: &Layout) -> Result<Vec<Shape>, Vec<Diagnostic>> {
    let mut interpreter = Interpreter::of_instance(program, globals);
    let mut found = Vec::new();
    for regions in &program.regions {
        let one = |fault: Fault| vec![*fault.diagnostic];
        let rows = interpreter.number_of(&regions.rows).map_err(one)?;
        let columns = interpreter.number_of(&regions.columns).map_err(one)?;
        let slot = &layout.variables[regions.variable];
        let shape = (usize::try_from(rows), usize::try_from(columns));
        match shape {
            (Ok(rows), Ok(columns)) if rows.checked_mul(columns) == Some(slot.cells) => {
                found.push(Shape { variable: regions.variable, rows, columns });
            }
            _ => {
                let title = format!("`{}` has {} cells, not {rows} by {columns}", slot.name, slot.cells);
                return Err(vec![Diagnostic::at(
                    regions.span,
                    title,
                    "rows times columns must be the number of cells",
                )]);
            }
        }
    }
    Ok(found)
}
