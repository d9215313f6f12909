//! Text for people: names of moves, positions on one line, and drawings.
//!
//! Everything here only reads. Drawing runs the `show` item of the rules, so it can end in a [`Fault`]; the rest cannot
//! fail.

use std::fmt::Write;

use crate::bound::{Bound, Position};
use crate::fault::Fault;
use crate::grid::Grid;
use crate::interpreter::Interpreter;
use crate::program::{Domain, Expr, ExprKind, Show, ShowPiece};
use crate::text::{PartText, label, write_member, write_named, write_value};
use crate::types::Type;
use crate::value::Value;

pub use crate::text::{ValueText, cut};

/// The name of a move in results: `left`, `take(3)`, `take({0, 2})`, `place(centre)`.
pub fn move_label(bound: &Bound, rule: usize, choices: &[Value]) -> String {
    label(&bound.program.moves[rule], &bound.namings, choices)
}

/// The name of a move in a part of a sum: `take(2) in part 0`.
pub fn move_label_in_part(bound: &Bound, rule: usize, choices: &[Value], part: usize) -> String {
    format!("{} in part {part}", move_label(bound, rule, choices))
}

/// The name of a move of the position: with its part if the game is a sum.
pub fn move_label_of(bound: &Bound, rule: usize, choices: &[Value], part: usize) -> String {
    if bound.program.sum.is_some() {
        move_label_in_part(bound, rule, choices, part)
    } else {
        move_label(bound, rule, choices)
    }
}

/// One part on one line: `i = 0, j = 4`.
pub fn part_text(bound: &Bound, part: &[i64]) -> String {
    PartText { layout: &bound.layout, cells: part }.to_string()
}

/// A position on one line: `i = 0, j = 4`, or `part 0: n = 3; part 1: n = 5`. It does not say whose turn it is.
pub fn position_text(bound: &Bound, position: &Position) -> String {
    if bound.program.sum.is_none() {
        return position.parts.first().map_or_else(String::new, |part| part_text(bound, part));
    }
    if position.parts.is_empty() {
        return "no parts".to_string();
    }
    let parts = position.parts.iter().enumerate();
    parts.map(|(number, part)| format!("part {number}: {}", part_text(bound, part))).collect::<Vec<_>>().join("; ")
}

/// A position as the `show` item of the rules draws it, without a line break at the end.
pub fn draw(bound: &Bound, position: &Position) -> Result<String, Fault> {
    drawing(bound, position, false)
}

/// A position drawn for people who want to name squares: grids have letters for their columns and numbers for their rows.
pub fn draw_named(bound: &Bound, position: &Position) -> Result<String, Fault> {
    drawing(bound, position, true)
}

fn drawing(bound: &Bound, position: &Position, named: bool) -> Result<String, Fault> {
    let Some(show) = &bound.program.show else { return Ok(position_text(bound, position)) };
    let mut interpreter = Interpreter::new(bound);
    let turn = position.turn;
    if bound.program.sum.is_none() {
        let part = position.parts.first().map_or(&[][..], |part| part);
        return draw_part(&mut interpreter, bound, show, part, turn, named);
    }
    if position.parts.is_empty() {
        return Ok("no parts".to_string());
    }
    let mut out = String::new();
    for (number, part) in position.parts.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let drawing = draw_part(&mut interpreter, bound, show, part, turn, named)?;
        let gap = if drawing.contains('\n') { '\n' } else { ' ' };
        let _ = write!(out, "part {number}:{gap}{drawing}");
    }
    Ok(out)
}

fn draw_part<'b>(
    interpreter: &mut Interpreter<'b>,
    bound: &'b Bound,
    show: &'b Show,
    part: &[i64],
    turn: game::Player,
    named: bool,
) -> Result<String, Fault> {
    match show {
        Show::Text(pieces) => {
            let mut out = String::new();
            for piece in pieces {
                match piece {
                    ShowPiece::Text(text) => out.push_str(text),
                    ShowPiece::Value(expr) => {
                        let value = interpreter.value_in(expr, part, turn)?;
                        write_piece(&mut out, bound, expr, &value);
                    }
                }
            }
            Ok(out)
        }
        Show::Grid { .. } => {
            let grid = drawn(interpreter, show, part, turn)?;
            Ok(grid.map_or_else(String::new, |grid| if named { grid.named() } else { grid.plain() }))
        }
    }
}

/// Writes a value inside a `show` text: texts without quotes, constants and named numbers of a variable by name.
fn write_piece(out: &mut String, bound: &Bound, expr: &Expr, value: &Value) {
    if expr.ty == Type::Text {
        out.push_str(&value.characters());
        return;
    }
    let _ = match &expr.kind {
        ExprKind::Variable { variable, indices } => {
            let declared = &bound.program.variables[*variable];
            if let Some(naming) = declared.naming.and_then(|naming| bound.namings.get(naming)) {
                let _ = write_named(out, naming, value, &expr.ty);
                return;
            }
            let mut domain = &declared.domain;
            for _ in indices {
                if let Domain::Array { item, .. } = domain {
                    domain = item;
                }
            }
            write_member(out, domain, value, &expr.ty)
        }
        _ => write_value(out, value, &expr.ty),
    };
}

/// The grid that the rules draw of a part of a position; `None` if they draw none.
pub fn board(bound: &Bound, part: &[i64], turn: game::Player) -> Result<Option<Grid>, Fault> {
    match &bound.program.show {
        Some(show) => drawn(&mut Interpreter::new(bound), show, part, turn),
        None => Ok(None),
    }
}

/// The texts of values in the grid that the rules draw.
pub fn legend(bound: &Bound, part: &[i64], turn: game::Player) -> Result<Vec<(i64, String)>, Fault> {
    match &bound.program.show {
        Some(show) => texts(&mut Interpreter::new(bound), show, part, turn),
        None => Ok(Vec::new()),
    }
}

fn texts<'b>(
    interpreter: &mut Interpreter<'b>,
    show: &'b Show,
    part: &[i64],
    turn: game::Player,
) -> Result<Vec<(i64, String)>, Fault> {
    let Show::Grid { legend, .. } = show else { return Ok(Vec::new()) };
    let mut entry = |(number, text): &'b (Expr, String)| {
        Ok((interpreter.value_in(number, part, turn)?.as_int().unwrap_or(0), text.clone()))
    };
    legend.iter().map(&mut entry).collect()
}

fn drawn<'b>(
    interpreter: &mut Interpreter<'b>,
    show: &'b Show,
    part: &[i64],
    turn: game::Player,
) -> Result<Option<Grid>, Fault> {
    let Show::Grid { cells, rows, columns, .. } = show else { return Ok(None) };
    let numbers = flatten(&interpreter.value_in(cells, part, turn)?);
    let rows = interpreter.value_in(rows, part, turn)?.as_int().unwrap_or(0);
    let columns = interpreter.value_in(columns, part, turn)?.as_int().unwrap_or(0);
    let legend = texts(interpreter, show, part, turn)?;
    let wanted = i128::from(rows) * i128::from(columns);
    if rows < 0 || columns < 0 || wanted != numbers.len() as i128 {
        let title = format!("a grid of {rows} by {columns} cannot show {} cells", numbers.len());
        return Err(Fault::at(cells.span, title, "rows times columns must be the number of cells"));
    }
    let text = |number: &i64| match legend.iter().find(|(value, _)| value == number) {
        Some((_, text)) => text.clone(),
        None => number.to_string(),
    };
    let size = |number: i64| usize::try_from(number).unwrap_or(0);
    Ok(Some(Grid { rows: size(rows), columns: size(columns), texts: numbers.iter().map(text).collect() }))
}

fn flatten(value: &Value) -> Vec<i64> {
    match value {
        Value::Int(number) => vec![*number],
        Value::List(rows) => rows.as_slice().iter().flat_map(flatten).collect(),
        other => other.numbers().unwrap_or(&[]).to_vec(),
    }
}
