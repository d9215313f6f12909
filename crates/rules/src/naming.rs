//! Names of numbers: what `name at, to as …;` calls the values of choices and variables.
//!
//! A board game numbers its squares, people call them `b3`. The names are used wherever a move is written or read; the
//! rules themselves, and everything that solves them, see numbers only.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::fault::Fault;
use crate::span::Span;

/// Letters of the alphabet, which number columns.
const LETTERS: u64 = 26;

/// The names of the numbers from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Naming {
    /// Texts from the rules.
    Listed {
        /// The name of each number.
        texts: Vec<String>,
        /// The number of each name.
        numbers: HashMap<String, i64>,
    },
    /// The squares of a grid, row by row: `a1` is number 0, letters count columns to the right, numbers count rows down.
    Grid {
        /// How many rows.
        rows: u64,
        /// How many columns.
        columns: u64,
    },
}

impl Naming {
    /// Names from a list, each of which can be told from the others and from the signs around it.
    pub fn listed(texts: Vec<String>, span: Span) -> Result<Naming, Fault> {
        let mut numbers = HashMap::with_capacity(texts.len());
        for (number, text) in (0i64..).zip(&texts) {
            if text.is_empty()
                || text.contains(|c: char| c.is_whitespace() || c.is_control() || "()[]{},\"".contains(c))
            {
                let title = format!("{text:?} cannot be the name of {number}");
                let help = "a name has at least one sign, and neither blanks nor any of ( ) [ ] { } , \"";
                return Err(Fault::at(span, title, "this list").help(help));
            }
            if let Some(first) = numbers.insert(text.clone(), number) {
                let title = format!("`{text}` is the name of {first} and of {number}");
                return Err(Fault::at(span, title, "this list").help("give each number a name of its own"));
            }
        }
        Ok(Naming::Listed { texts, numbers })
    }

    /// The squares of a grid.
    pub fn grid(rows: i64, columns: i64, span: Span) -> Result<Naming, Fault> {
        match (u64::try_from(rows), u64::try_from(columns)) {
            (Ok(rows), Ok(columns)) => Ok(Naming::Grid { rows, columns }),
            _ => Err(Fault::at(span, format!("a grid cannot have {rows} rows and {columns} columns"), "its size")),
        }
    }

    /// The name of a number, if it has one.
    pub fn name(&self, number: i64) -> Option<Cow<'_, str>> {
        match self {
            Naming::Listed { texts, .. } => Some(texts.get(usize::try_from(number).ok()?)?.into()),
            Naming::Grid { rows, columns } => {
                let number = u64::try_from(number).ok()?;
                let (row, column) = (number.checked_div(*columns)?, number.checked_rem(*columns)?);
                (row < *rows).then(|| format!("{}{}", letters(column), row + 1).into())
            }
        }
    }

    /// The number of that name. Columns of a grid may be written in capitals.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self {
            Naming::Listed { numbers, .. } => numbers.get(name).copied(),
            Naming::Grid { rows, columns } => {
                let (column, row) = name.split_at(name.find(|c: char| !c.is_ascii_alphabetic())?);
                if row.starts_with(['0', '+']) {
                    return None;
                }
                let row = row.parse::<u64>().ok()?.checked_sub(1).filter(|row| row < rows)?;
                let column = number_of(column).filter(|column| column < columns)?;
                i64::try_from(row.checked_mul(*columns)?.checked_add(column)?).ok()
            }
        }
    }
}

/// The letters of a column: `a` to `z`, then `aa`, `ab`, …
fn letters(column: u64) -> String {
    let mut found = Vec::new();
    let mut rest = column;
    loop {
        found.push(b'a' + (rest % LETTERS) as u8);
        match (rest / LETTERS).checked_sub(1) {
            Some(next) => rest = next,
            None => break,
        }
    }
    found.iter().rev().map(|letter| char::from(*letter)).collect()
}

/// The column of these letters.
fn number_of(letters: &str) -> Option<u64> {
    let mut column: Option<u64> = None;
    for letter in letters.bytes() {
        let letter = u64::from(letter.to_ascii_lowercase().checked_sub(b'a')?);
        column = Some(match column {
            None => letter,
            Some(before) => before.checked_add(1)?.checked_mul(LETTERS)?.checked_add(letter)?,
        });
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_names_and_names_have_squares() {
        for (rows, columns) in [(1, 1), (3, 4), (8, 8), (2, 1000), (40, 27)] {
            let naming = Naming::grid(rows, columns, Span::default()).unwrap();
            for number in 0..rows * columns {
                let name = naming.name(number).unwrap().into_owned();
                assert_eq!(naming.number(&name), Some(number), "{name}");
                assert_eq!(naming.number(&name.to_uppercase()), Some(number), "{name}");
            }
            assert_eq!(naming.name(rows * columns), None);
            assert_eq!(naming.name(-1), None);
        }
        let board = Naming::grid(3, 30, Span::default()).unwrap();
        assert_eq!(board.name(1).as_deref(), Some("b1"));
        assert_eq!(board.name(30).as_deref(), Some("a2"));
        assert_eq!(board.name(26).as_deref(), Some("aa1"));
        for wrong in ["", "a", "1", "a0", "a01", "a4", "ae1", "b+1", "é1", "a1x", "zzzzzzzzzzzzzzzzzzzzzzzzz1"] {
            assert_eq!(board.number(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_empty_grid_and_a_huge_one_name_nothing_wrong() {
        let none = Naming::grid(0, 0, Span::default()).unwrap();
        assert_eq!((none.name(0), none.number("a1")), (None, None));
        let huge = Naming::grid(i64::MAX, i64::MAX, Span::default()).unwrap();
        assert_eq!(huge.number(&huge.name(i64::MAX).unwrap()), Some(i64::MAX));
        assert!(Naming::grid(-1, 2, Span::default()).is_err());
    }

    #[test]
    fn listed_names_differ_and_are_words() {
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        let naming = Naming::listed(texts(&["top", "6", "é"]), Span::default()).unwrap();
        assert_eq!((naming.name(1).as_deref(), naming.number("6"), naming.number("1")), (Some("6"), Some(1), None));
        for wrong in [&["a", "a"][..], &[""], &["a b"], &["a,b"], &["f(x)"]] {
            assert!(Naming::listed(texts(wrong), Span::default()).is_err(), "{wrong:?}");
        }
    }
}
