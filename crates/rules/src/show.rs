//! Text for people: names of moves, positions on one line, and drawings.
//!
//! Everything here only reads. Drawing runs the `show` item of the rules, so it can end in a [`Fault`]; the rest cannot
//! fail.

use std::fmt::{self, Write};

use crate::bind::{Bound, Position};
use crate::fault::Fault;
use crate::grid::Grid;
use crate::instance::write_text;
use crate::interpreter::Interpreter;
use crate::layout::{Layout, Leaf, Slot, elements};
use crate::naming::Naming;
use crate::program::{Domain, Expr, ExprKind, Move, Show, ShowPiece, Source};
use crate::types::Type;
use crate::value::Value;

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

pub(crate) fn label(mv: &Move, namings: &[Naming], choices: &[Value]) -> String {
    let mut out = mv.name.clone();
    if mv.choices.is_empty() {
        return out;
    }
    out.push('(');
    for (index, (choice, value)) in mv.choices.iter().zip(choices).enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        // Writing to a string cannot fail.
        if let Some(naming) = choice.naming.and_then(|naming| namings.get(naming)) {
            let _ = write_named(&mut out, naming, value, &choice.ty);
            continue;
        }
        let _ = match &choice.source {
            Source::Domain(domain) => write_member(&mut out, domain, value, &choice.ty),
            Source::NamedItems(items) => {
                let name = value.as_int().and_then(|n| items.iter().find(|(_, number)| *number == n));
                match name {
                    Some((name, _)) => out.write_str(name),
                    None => write_value(&mut out, value, &choice.ty),
                }
            }
            Source::Items(_) => match value.as_int().and_then(|n| choice.names.iter().find(|(_, number)| *number == n))
            {
                Some((name, _)) => out.write_str(name),
                None => write_value(&mut out, value, &choice.ty),
            },
        };
    }
    out.push(')');
    out
}

/// Writes a value with the names of its numbers.
fn write_named(out: &mut dyn Write, naming: &Naming, value: &Value, ty: &Type) -> fmt::Result {
    let name = |out: &mut dyn Write, number: i64| match naming.name(number) {
        Some(name) => out.write_str(&name),
        None => write!(out, "{number}"),
    };
    match value {
        Value::Int(number) => name(out, *number),
        Value::Ints(list) => write_items(out, "[", "]", list.as_slice().iter(), |out, number| name(out, *number)),
        Value::Set(items) => write_items(out, "{", "}", items.iter(), |out, number| name(out, *number)),
        Value::List(list) => {
            let of = ty.item().unwrap_or(Type::Int);
            write_items(out, "[", "]", list.as_slice().iter(), |out, item| write_named(out, naming, item, &of))
        }
    }
}

/// Writes a member of a domain, with the domain's names for constants.
fn write_member(out: &mut dyn Write, domain: &Domain, value: &Value, ty: &Type) -> fmt::Result {
    match (domain, value) {
        (Domain::Names(names), Value::Int(number)) => write_name(out, names, *number),
        (Domain::SetOf(base), Value::Set(items)) => match &**base {
            Domain::Names(names) => write_items(out, "{", "}", items.iter(), |out, n| write_name(out, names, *n)),
            _ => write_value(out, value, ty),
        },
        (Domain::Array { item, .. }, Value::Ints(list)) => {
            let of = ty.item().unwrap_or(Type::Int);
            write_items(out, "[", "]", list.as_slice().iter(), |out, n| write_member(out, item, &Value::Int(*n), &of))
        }
        (Domain::Array { item, .. }, Value::List(list)) => {
            let of = ty.item().unwrap_or(Type::Int);
            write_items(out, "[", "]", list.as_slice().iter(), |out, v| write_member(out, item, v, &of))
        }
        _ => write_value(out, value, ty),
    }
}

fn write_name(out: &mut dyn Write, names: &[String], number: i64) -> fmt::Result {
    match usize::try_from(number).ok().and_then(|number| names.get(number)) {
        Some(name) => out.write_str(name),
        None => write!(out, "{number}"),
    }
}

fn write_items<T>(
    out: &mut dyn Write,
    open: &str,
    close: &str,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut dyn Write, T) -> fmt::Result,
) -> fmt::Result {
    out.write_str(open)?;
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.write_str(", ")?;
        }
        write(out, item)?;
    }
    out.write_str(close)
}

/// Writes a value of a type: `3`, `true`, `[1, 2]`, `{0, 2}`, `"text"`.
pub fn write_value(out: &mut dyn Write, value: &Value, ty: &Type) -> fmt::Result {
    match (value, ty) {
        (Value::Int(number), Type::Bool) => out.write_str(if *number != 0 { "true" } else { "false" }),
        (Value::Int(number), _) => write!(out, "{number}"),
        (Value::Ints(_), Type::Text) => write_text(out, &characters(value)),
        (Value::Ints(list), _) => {
            let of = ty.item().unwrap_or(Type::Int);
            write_items(out, "[", "]", list.as_slice().iter(), |out, n| write_value(out, &Value::Int(*n), &of))
        }
        (Value::List(list), _) => {
            let of = ty.item().unwrap_or(Type::Int);
            write_items(out, "[", "]", list.as_slice().iter(), |out, v| write_value(out, v, &of))
        }
        (Value::Set(items), _) => write_items(out, "{", "}", items.iter(), |out, n| write!(out, "{n}")),
    }
}

/// A value with its type, to be displayed.
pub struct ValueText<'a> {
    /// The value.
    pub value: &'a Value,
    /// Its type.
    pub ty: &'a Type,
}

impl fmt::Display for ValueText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_value(f, self.value, self.ty)
    }
}

/// A text from a list of code points; invalid ones become `\u{fffd}`.
pub fn characters(value: &Value) -> String {
    let codes = value.numbers().unwrap_or(&[]).iter();
    codes.map(|&code| u32::try_from(code).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')).collect()
}

/// At most `limit` characters of a displayed value, with `…` if that is not all. The rest is never written.
pub fn cut(limit: usize, what: &dyn fmt::Display) -> String {
    struct Cut {
        out: String,
        left: usize,
    }
    impl Write for Cut {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for c in text.chars() {
                if self.left == 0 {
                    self.out.push('…');
                    return Err(fmt::Error);
                }
                self.left -= 1;
                self.out.push(c);
            }
            Ok(())
        }
    }
    let mut cut = Cut { out: String::new(), left: limit };
    let _ = write!(cut, "{what}"); // An error only says that it was cut.
    cut.out
}

/// One part of a position on one line: `i = 0, j = 4`.
pub(crate) struct PartText<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) cells: &'a [i64],
}

impl fmt::Display for PartText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, slot) in self.layout.variables.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{} = ", slot.name)?;
            let cells = self.cells.get(slot.offset..slot.offset + slot.cells).ok_or(fmt::Error)?;
            write_cells(f, slot, 0, cells)?;
        }
        Ok(())
    }
}

fn write_cells(out: &mut dyn Write, slot: &Slot, depth: usize, cells: &[i64]) -> fmt::Result {
    if let Some(&length) = slot.dims.get(depth) {
        let block = cells.len().checked_div(length).unwrap_or(0);
        let items = (0..length).map(|index| &cells[index * block..(index + 1) * block]);
        return write_items(out, "[", "]", items, |out, cells| write_cells(out, slot, depth + 1, cells));
    }
    let number = cells.first().copied().unwrap_or(0);
    match &slot.leaf {
        Leaf::Int { .. } => write!(out, "{number}"),
        Leaf::Bool => out.write_str(if number != 0 { "true" } else { "false" }),
        Leaf::Names(names) => write_name(out, names, number),
        Leaf::Set { low, names, .. } => {
            write_items(out, "{", "}", elements(*low, cells).into_iter(), |out, element| match names {
                Some(names) => write_name(out, names, element),
                None => write!(out, "{element}"),
            })
        }
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
        out.push_str(&characters(value));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_before_they_are_made() {
        let value = Value::ints((0..1_000_000).collect());
        assert_eq!(cut(12, &ValueText { value: &value, ty: &Type::list(Type::Int) }), "[0, 1, 2, 3,…");
        assert_eq!(cut(5, &"exact"), "exact");
    }

    #[test]
    fn values_are_shown_by_type() {
        let text = |value: Value, ty: Type| ValueText { value: &value, ty: &ty }.to_string();
        assert_eq!(text(Value::Int(1), Type::Bool), "true");
        assert_eq!(text(Value::text("a\"b"), Type::Text), r#""a\"b""#);
        assert_eq!(text(Value::set(vec![2, 0]), Type::Set), "{0, 2}");
        assert_eq!(text(Value::ints(vec![0, 1]), Type::list(Type::Bool)), "[false, true]");
        assert_eq!(text(Value::list(vec![Value::ints(vec![1])]), Type::list(Type::list(Type::Int))), "[[1]]");
    }
}
