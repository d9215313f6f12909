//! Families of positions as people write them: which variables go through which values.
//!
//! ```
//! use perfectplay::{family, language::Rules};
//!
//! let board = Rules::gallery("domineering").unwrap().bind(r#"{"rows": 2, "columns": 2}"#)?;
//! let boards = family::read(&board, &board.start, &["board".to_string()]).unwrap();
//! assert_eq!(boards.len(), 16);
//! let wrong = family::read(&board, &board.start, &["bord".to_string()]).unwrap_err();
//! assert!(wrong.help.contains("board"));
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! `board` goes through its whole domain. `left=0..=20`, `left=3,5,7` and `board=empty,x` name the values; they are those of
//! every item of an array, and of a set the elements that it may have or not.

use rules::bind::{Bound, Position};
use rules::layout::{Leaf, Slot};
use rules::suggest::nearest;
use solve::survey::family::{Family, FamilyError, Over};

use crate::positions::PositionError;

/// A list of values that is longer is a mistake.
const MOST_VALUES: u128 = 1 << 20;

/// The family of positions that differ from `base` in these variables only.
pub fn read(bound: &Bound, base: &Position, over: &[String]) -> Result<Family, PositionError> {
    let over: Vec<Over> = over.iter().map(|text| variable(bound, text)).collect::<Result<_, _>>()?;
    Family::new(bound, base, &over).map_err(|error| {
        let help = match error {
            FamilyError::TooMany => "name fewer variables, or fewer of their values, as in `board=empty,x`".to_string(),
            FamilyError::Twice(_) => "name all its values at once, as in `left=3,5,7`".to_string(),
            _ => format!("the variables are {}", names(bound).collect::<Vec<_>>().join(", ")),
        };
        PositionError { message: error.to_string(), help }
    })
}

fn names(bound: &Bound) -> impl Iterator<Item = &str> {
    bound.layout.variables.iter().map(|slot| slot.name.as_str())
}

/// One variable: `NAME`, or `NAME=VALUES`.
fn variable(bound: &Bound, text: &str) -> Result<Over, PositionError> {
    let (name, values) = match text.split_once('=') {
        Some((name, values)) => (name.trim(), Some(values.trim())),
        None => (text.trim(), None),
    };
    let Some(slot) = bound.layout.variables.iter().find(|slot| slot.name == name) else {
        let help = match nearest(name, names(bound)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its variables are {}", names(bound).collect::<Vec<_>>().join(", ")),
        };
        return Err(PositionError { message: format!("`{}` has no variable `{name}`", bound.program.name), help });
    };
    let values = values.map(|values| listed(slot, values)).transpose()?;
    Ok(Over { variable: name.to_string(), values })
}

/// Values: ranges and single ones, with commas between them, in brackets or not.
fn listed(slot: &Slot, text: &str) -> Result<Vec<i64>, PositionError> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let mut values = Vec::new();
    for item in inner.split(',').map(str::trim) {
        match item.split_once("..") {
            None => values.push(number(slot, item)?),
            Some((low, high)) => {
                let (high, ends) = high.strip_prefix('=').map_or((high, 0), |high| (high, 1));
                let (low, high) = (number(slot, low)?, i128::from(number(slot, high)?) + ends);
                let len = u128::try_from(high - i128::from(low)).unwrap_or(0);
                if len > MOST_VALUES {
                    let message = format!("`{item}` are more than {MOST_VALUES} values of {}", slot.name);
                    return Err(PositionError {
                        message,
                        help: format!("`{}` alone goes through all its values", slot.name),
                    });
                }
                // All of them lie between two numbers of 64 bits.
                values.extend((i128::from(low)..high).map(|value| value as i64));
            }
        }
    }
    Ok(values)
}

fn number(slot: &Slot, text: &str) -> Result<i64, PositionError> {
    let text = text.trim();
    let bare = text.trim_matches('"');
    let named = slot.leaf.names().and_then(|names| names.iter().position(|name| name == bare));
    let found = match (&slot.leaf, bare) {
        (Leaf::Bool, "true") => Some(1),
        (Leaf::Bool, "false") => Some(0),
        _ => named.map(|at| at as i64).or_else(|| text.parse().ok()),
    };
    found.ok_or_else(|| PositionError {
        message: format!("`{text}` is no value of {}, which is in {}", slot.name, slot.domain()),
        help: format!("write `{0}`, `{0}=0..=5` or `{0}=1,3,4`; named constants by their names", slot.name),
    })
}
