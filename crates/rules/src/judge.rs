//! Instances written for a program that is checked, and `input`, `output` and `sample` given outside of a rules file.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::bound::Bound;
use crate::diagnostic::Diagnostic;
use crate::fault::Fault;
use crate::interpreter::Interpreter;
use crate::program::{InputPiece, Program};
use crate::syntax::parser;
use crate::syntax::tree::{Item, ItemKind};
use crate::types::Type;
use crate::value::Value;

/// What a program reads for an instance: the `input` of the rules with its values, and a line break at its end. `None` if the
/// rules have no `input`.
pub fn input_text(bound: &Bound) -> Option<Result<String, Fault>> {
    bound.program.input.as_ref().map(|pieces| {
        let mut interpreter = Interpreter::new(bound);
        let mut out = String::new();
        for piece in pieces {
            match piece {
                InputPiece::Text(text) => out.push_str(text),
                InputPiece::Value(expr, separators) => {
                    write_items(&mut out, &interpreter.value_of(expr)?, &expr.ty, separators);
                }
            }
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
        Ok(out)
    })
}

/// Writes a value as programs read it: numbers in digits, truth values as 1 and 0, texts as they are, items of lists with
/// separators between them. By default that is a blank between numbers, and a line break between lists and between texts.
pub fn write_items(out: &mut String, value: &Value, ty: &Type, separators: &[char]) {
    let item = match ty {
        Type::Text => return out.push_str(&value.characters()),
        Type::Set => Type::Int,
        ty => match ty.item() {
            Some(item) => item,
            None => {
                let _ = write!(out, "{}", value.as_int().unwrap_or(0));
                return;
            }
        },
    };
    let (separator, inner) = match separators.split_first() {
        Some((separator, inner)) => (*separator, inner),
        None => (if item.is_scalar() { ' ' } else { '\n' }, &[][..]),
    };
    for index in 0..value.len().unwrap_or(0) {
        if index > 0 {
            out.push(separator);
        }
        if let Some(value) = value.get(index) {
            write_items(out, &value, &item, inner);
        }
    }
}

/// The program of a correct rules file with another item: `input "…";`, `output …;` or `sample { … }`, which takes the place of
/// the file's own. What is wrong with the item is told with places in its own text.
pub fn with_item(source: &str, item: &str) -> Result<Arc<Program>, Vec<Diagnostic>> {
    let (Some(mut file), _) = parser::parse(source) else {
        return Err(crate::compile(source).err().unwrap_or_default());
    };
    let other = parser::parse_item(item)?;
    file.items.retain(|item| !takes_the_place_of(&other, item));
    file.items.push(other);
    let own = |mut diagnostic: Diagnostic| {
        // The other places are in the file.
        diagnostic.related.clear();
        diagnostic
    };
    let checked = crate::check::check(&file).map(Arc::new);
    checked.map_err(|diagnostics| diagnostics.into_iter().map(own).collect())
}

fn takes_the_place_of(new: &Item, old: &Item) -> bool {
    matches!(
        (&new.kind, &old.kind),
        (ItemKind::Input(_), ItemKind::Input(_))
            | (ItemKind::Output(_), ItemKind::Output(_))
            | (ItemKind::Sample(_), ItemKind::Sample(_))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::bind;
    use crate::instance::parse_instance;

    const GAME: &str =
        "game g(n: int, row: [int], board: [[int]] = [[1, 2], [3]], names: [text] = [\"ab\", \"c\"], up: bool = true) {
        let total = n + 1;
        state { left in 0..=n = n; }
        move take(k in 1..=3) when k <= left { left -= k; }
    }";

    fn written(item: &str) -> String {
        let program = with_item(GAME, item).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let instance = parse_instance(r#"{"n": 4, "row": [5, -3, 7]}"#).unwrap();
        input_text(&bind(&program, &instance).unwrap()).unwrap().unwrap()
    }

    #[test]
    fn instances_are_written_as_programs_read_them() {
        assert_eq!(written(r#"input "{len(row)} {n}\n{row}\n";"#), "3 4\n5 -3 7\n");
        assert_eq!(written(r#"input "{row by ','}";"#), "5,-3,7\n");
        assert_eq!(written(r#"input "{row by '\n'}";"#), "5\n-3\n7\n");
        assert_eq!(written(r#"input "{board}|{board by ';' by ','}";"#), "1 2\n3|1,2;3\n");
        assert_eq!(written(r#"input "{names} {up} {total} {{x}}";"#), "ab\nc 1 5 {x}\n");
        assert_eq!(written(r#"input "{[x for x in row when x > 0]}";"#), "5 7\n");
        assert_eq!(written(r#"input "";"#), "\n");
    }

    fn wrong(item: &str) -> Vec<(String, std::ops::Range<usize>)> {
        let wrong = with_item(GAME, item).err().unwrap_or_default();
        wrong.into_iter().map(|found| (found.title, found.label.map_or(0..0, |(span, _)| span.range()))).collect()
    }

    #[test]
    fn mistakes_are_told_with_places_in_the_item() {
        assert_eq!(wrong(r#"input "{m}";"#)[0].1, 8..9);
        assert!(wrong(r#"input "{left}";"#)[0].0.contains("left"), "{:?}", wrong(r#"input "{left}";"#));
        assert_eq!(wrong(r#"input "{n by ','}";"#)[0].0, "a number has no items to set apart");
        assert!(wrong(r#"input "{row by 3}";"#)[0].0.contains("between the items"));
        assert!(wrong(r#"input "{row";"#)[0].0.contains("not closed"));
        assert!(wrong("input 3;")[0].0.contains("a text in quotes"));
        assert_eq!(wrong("output winer;")[0].0, "a program cannot be asked for `winer`");
        assert_eq!(wrong(r#"output value as "a"/"b";"#)[0].0, "`value` has no words of its own");
        assert_eq!(wrong(r#"output winner as "a";"#)[0].0, "`winner` needs 2 or 3 texts, and has 1");
        assert_eq!(wrong(r#"output winner as "a"/" ";"#)[0].0, "an answer cannot be empty");
        assert_eq!(wrong("output move, winner;")[0].0, "`move` is the last field");
        assert!(wrong("output winner as first;")[0].0.contains("in quotes"));
        assert!(wrong(r#"output winner "a"/"b";"#)[0].0.contains("`as`"));
        assert!(wrong("move pass { }")[0].0.contains("`input`"));
        assert!(wrong("output value; output value;")[0].0.contains("end"));
        assert!(wrong("").len() == 1);
    }

    #[test]
    fn an_item_takes_the_place_of_the_file_s_own() {
        let source =
            GAME.replace("let total", "output winner; sample { n in 0..=3; row in [1..=2; 0..=2]; } let total");
        assert_eq!(with_item(&source, "output value;").unwrap().output.as_ref().unwrap().len(), 1);
        assert_eq!(with_item(&source, "sample { n in 5..=6; row in [[1]]; }").unwrap().sample.len(), 2);
    }
}
