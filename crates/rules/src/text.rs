//! Values, parts of positions and moves as text.
//!
//! Nothing here runs a rule: it reads values with their types, and cells with their layout. So the interpreter can name
//! what it was doing when a rule failed.

use std::fmt::{self, Write};

use crate::instance::write_text;
use crate::layout::{Layout, Leaf, Slot, elements};
use crate::naming::Naming;
use crate::program::{Domain, Move, Source};
use crate::types::Type;
use crate::value::Value;

/// The name of a move with what was chosen for it.
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
pub(crate) fn write_named(out: &mut dyn Write, naming: &Naming, value: &Value, ty: &Type) -> fmt::Result {
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
pub(crate) fn write_member(out: &mut dyn Write, domain: &Domain, value: &Value, ty: &Type) -> fmt::Result {
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
pub(crate) fn write_value(out: &mut dyn Write, value: &Value, ty: &Type) -> fmt::Result {
    match (value, ty) {
        (Value::Int(number), Type::Bool) => out.write_str(if *number != 0 { "true" } else { "false" }),
        (Value::Int(number), _) => write!(out, "{number}"),
        (Value::Ints(_), Type::Text) => write_text(out, &value.characters()),
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
