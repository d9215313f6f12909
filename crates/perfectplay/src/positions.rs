//! Positions as people and programs write them: the variables as JSON, or the drawing that `show grid` makes.
//!
//! ```
//! use perfectplay::{language::Rules, positions};
//!
//! let coins = Rules::gallery("coins").unwrap().bind("{}")?;
//! let position = positions::read(&coins, r#"{"i": 1, "j": 3}"#, coins.starts).unwrap();
//! assert_eq!(positions::text(&coins, &position), r#"{"i":1,"j":3}"#);
//! assert!(positions::read(&coins, r#"{"i": 1, "j": 9}"#, coins.starts).unwrap_err().message.contains("outside 0..=4"));
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! A sum of parts is a list of its parts, and where there is one variable its bare value will do: `[3, 5]` are two heaps. Named
//! constants are texts, sets are lists. A position that play cannot reach is a position too, if its values are in their domains.

mod drawing;
pub mod squares;

use std::fmt;

use game::Player;
use rules::bind::{Bound, Position};
use rules::instance::{Given, Instance, parse_instance};
use rules::layout::{Leaf, Slot, bit_of, elements};
use rules::naming::Naming;
use rules::show::cut;
use rules::suggest::nearest;
use serde_json::{Map, Value};

use crate::place;

/// What is wrong with a position.
///
/// ```
/// use perfectplay::{language::Rules, positions::{PositionError, read}};
///
/// let coins = Rules::gallery("coins").unwrap().bind("{}")?;
/// let PositionError { message, help } = read(&coins, "?", coins.starts).unwrap_err();
/// assert!(message.contains("cannot be read") && !help.is_empty());
/// # Ok::<(), perfectplay::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub help: String,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for PositionError {}

/// The key under which a drawing stands beside variables that it does not show.
const DRAWING: &str = "drawing";

/// How much of a value a message shows.
const SHOWN: usize = 300;

/// Reads a position in which this player is to move.
pub fn read(bound: &Bound, text: &str, turn: Player) -> Result<Position, PositionError> {
    let parts = match json(text) {
        Ok(value) => parts(bound, &value, turn)?,
        Err(_) if drawing::draws(bound) && bound.program.sum.is_none() && !text.trim_start().starts_with('{') => {
            vec![drawing::read(bound, text, &Map::new(), turn)?]
        }
        Err(why) => return Err(wrong(bound, format!("the position cannot be read: {why}"))),
    };
    Ok(Position { parts, turn })
}

/// Reads a position of a sum of different games: a list with the position of each.
///
/// ```
/// use perfectplay::{answer::Player, language::Rules, positions};
///
/// let nim = Rules::gallery("nim").unwrap().bind(r#"{"piles": [3, 4]}"#)?;
/// let found = positions::read_sum(&[&nim, &nim], "[[3, 4], [1, 2]]", Player::FIRST).unwrap();
/// assert_eq!(found[1].parts.len(), 2);
/// assert!(positions::read_sum(&[&nim, &nim], "[[3, 4]]", Player::FIRST).is_err());
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn read_sum(games: &[&Bound], text: &str, turn: Player) -> Result<Vec<Position>, PositionError> {
    let help = || {
        let starts = Value::Array(games.iter().map(|bound| value(bound, &bound.start)).collect());
        format!("this sum of {} games starts at {}", games.len(), cut(SHOWN, &starts))
    };
    let items = match json(text) {
        Ok(Value::Array(items)) if items.len() == games.len() => items,
        Ok(Value::Array(items)) => {
            let message = format!("the sum has {} summands, and the position has {}", games.len(), items.len());
            return Err(PositionError { message, help: help() });
        }
        Ok(_) => {
            let message = "the position of a sum is a list with the position of each summand".to_string();
            return Err(PositionError { message, help: help() });
        }
        Err(why) => return Err(PositionError { message: format!("the position cannot be read: {why}"), help: help() }),
    };
    let one = |(bound, item): (&&Bound, &Value)| Ok(Position { parts: parts(bound, item, turn)?, turn });
    games.iter().zip(&items).map(one).collect()
}

/// A position as JSON that [`read`] reads back. It does not say whose turn it is.
pub fn text(bound: &Bound, position: &Position) -> String {
    value(bound, position).to_string()
}

/// A position as JSON.
pub(crate) fn value(bound: &Bound, position: &Position) -> Value {
    let part = |cells: &[i64]| {
        let variables = bound.layout.variables.iter();
        let entry = |slot: &Slot| (slot.name.clone(), written(slot, 0, &cells[slot.offset..slot.offset + slot.cells]));
        Value::Object(variables.map(entry).collect())
    };
    match (&bound.program.sum, position.parts.first()) {
        (None, Some(cells)) => part(cells),
        _ => Value::Array(position.parts.iter().map(|cells| part(cells)).collect()),
    }
}

/// The cells of a variable, or of an item of it, as JSON.
pub(crate) fn written(slot: &Slot, depth: usize, cells: &[i64]) -> Value {
    if let Some(&length) = slot.dims.get(depth) {
        let block = cells.len().checked_div(length).unwrap_or(0);
        return (0..length).map(|item| written(slot, depth + 1, &cells[item * block..(item + 1) * block])).collect();
    }
    let number = cells.first().copied().unwrap_or(0);
    let named = |names: &[String], number: i64| match usize::try_from(number).ok().and_then(|at| names.get(at)) {
        Some(name) => Value::from(name.as_str()),
        None => Value::from(number),
    };
    match &slot.leaf {
        Leaf::Int { .. } => Value::from(number),
        Leaf::Bool => Value::from(number != 0),
        Leaf::Names(names) => named(names, number),
        Leaf::Set { low, names, .. } => {
            let items = elements(*low, cells).into_iter();
            items.map(|item| names.as_ref().map_or(Value::from(item), |names| named(names, item))).collect()
        }
    }
}

/// JSON, or the larger language of instances, in which `10^18` is a number.
fn json(text: &str) -> Result<Value, String> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    match parse_instance(text) {
        Ok(Instance(entries)) => {
            Ok(Value::Object(entries.into_iter().map(|(name, given)| (name, plain(given))).collect()))
        }
        Err(_) => Err(place::unreadable(text, &error)),
    }
}

fn plain(given: Given) -> Value {
    match given {
        Given::Int(number) => Value::from(number),
        Given::Bool(truth) => Value::from(truth),
        Given::Text(text) => Value::from(text),
        Given::Ints(items) => Value::from(items),
        Given::List(items) => items.into_iter().map(plain).collect(),
    }
}

/// A mistake, with the start as an example of how a position is written.
fn wrong(bound: &Bound, message: String) -> PositionError {
    let start = value(bound, &bound.start);
    let drawn = if drawing::draws(bound) && bound.program.sum.is_none() { ", or the drawing" } else { "" };
    PositionError { message, help: format!("write the variables as JSON, such as '{}'{drawn}", cut(SHOWN, &start)) }
}

/// The parts of a position.
fn parts(bound: &Bound, value: &Value, turn: Player) -> Result<Vec<Box<[i64]>>, PositionError> {
    if bound.program.sum.is_none() {
        return Ok(vec![part(bound, value, turn)?]);
    }
    match value {
        Value::Array(items) => items.iter().map(|item| part(bound, item, turn)).collect(),
        other => Ok(vec![part(bound, other, turn)?]),
    }
}

/// The cells of one part: an object, or the bare value of the only variable.
fn part(bound: &Bound, value: &Value, turn: Player) -> Result<Box<[i64]>, PositionError> {
    let variables = &bound.layout.variables;
    match (value, &variables[..]) {
        (Value::Object(entries), _) => object(bound, entries, turn),
        (value, [only]) => {
            let mut cells = vec![0; bound.layout.cells()].into_boxed_slice();
            fill(bound, only, value, &mut cells).map_err(|why| wrong(bound, why))?;
            Ok(cells)
        }
        (Value::Array(items), _) if bound.program.sum.is_some() && items.len() == variables.len() => {
            let entries = variables.iter().zip(items).map(|(slot, item)| (slot.name.clone(), item.clone())).collect();
            object(bound, &entries, turn)
        }
        (value, _) => {
            let message = format!("a position is an object with its variables, and {} is none", cut(60, value));
            Err(wrong(bound, message))
        }
    }
}

fn object(bound: &Bound, entries: &Map<String, Value>, turn: Player) -> Result<Box<[i64]>, PositionError> {
    let variables = &bound.layout.variables;
    let names = || variables.iter().map(|slot| slot.name.as_str());
    let drawn = entries.get(DRAWING).filter(|_| !names().any(|name| name == DRAWING));
    for name in entries.keys().filter(|name| drawn.is_none() || *name != DRAWING) {
        if !names().any(|known| known == name) {
            let message = format!("`{}` has no variable `{name}`", bound.program.name);
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its variables are {}", names().collect::<Vec<_>>().join(", ")),
            };
            return Err(PositionError { message, help });
        }
    }
    if let Some(drawn) = drawn {
        let text = drawn.as_str().ok_or_else(|| wrong(bound, "a drawing is a text".to_string()))?;
        return drawing::read(bound, text, entries, turn);
    }
    let mut cells = vec![0; bound.layout.cells()].into_boxed_slice();
    for slot in variables {
        let Some(value) = entries.get(&slot.name) else {
            return Err(wrong(bound, format!("the position says nothing of `{}`", slot.name)));
        };
        fill(bound, slot, value, &mut cells).map_err(|why| wrong(bound, why))?;
    }
    Ok(cells)
}

/// A variable with the names that a `name` item gives to its numbers.
#[derive(Clone, Copy)]
struct Field<'b> {
    slot: &'b Slot,
    naming: Option<&'b Naming>,
}

/// Writes a value into the cells of a variable, among those of its part; or says what is wrong with it.
fn fill(bound: &Bound, slot: &Slot, value: &Value, cells: &mut [i64]) -> Result<(), String> {
    let declared = bound.program.variables.iter().find(|variable| variable.name == slot.name);
    let naming = declared.and_then(|variable| bound.namings.get(variable.naming?));
    fill_item(Field { slot, naming }, (0, 0), value, &mut cells[slot.offset..slot.offset + slot.cells])
}

fn fill_item(field: Field<'_>, (depth, item): (usize, usize), value: &Value, cells: &mut [i64]) -> Result<(), String> {
    let slot = field.slot;
    let Some(&length) = slot.dims.get(depth) else { return fill_leaf(field, item, value, cells) };
    let place = || if depth == 0 { slot.name.clone() } else { format!("an item of {}", slot.name) };
    let Value::Array(items) = value else {
        return Err(format!("{} is a list of {length} items, and {} is none", place(), cut(60, value)));
    };
    if items.len() != length {
        return Err(format!("{} has {length} items, and {}", place(), drawing::given(items.len())));
    }
    let block = cells.len().checked_div(length).unwrap_or(0);
    for (index, value) in items.iter().enumerate() {
        fill_item(field, (depth + 1, item * length + index), value, &mut cells[index * block..(index + 1) * block])?;
    }
    Ok(())
}

fn fill_leaf(Field { slot, naming }: Field<'_>, item: usize, value: &Value, cells: &mut [i64]) -> Result<(), String> {
    let place = slot.place(item);
    let outside = || format!("{place} = {} is outside {}", cut(60, value), slot.domain());
    let number = |value: &Value, names: Option<&[String]>| match (value, names) {
        (Value::String(text), Some(names)) => names.iter().position(|name| name == text).map(|at| at as i64),
        (Value::String(text), None) => naming.and_then(|naming| naming.number(text)),
        (Value::Number(number), _) => number.as_i64(),
        _ => None,
    };
    if let Leaf::Set { low, size, names } = &slot.leaf {
        let Value::Array(items) = value else {
            return Err(format!("{place} is a set, written as a list: [0, 2]; {} is none", cut(60, value)));
        };
        for item in items {
            let bit = number(item, names.as_deref()).and_then(|element| bit_of(*low, *size, element));
            let Some(bit) = bit else {
                return Err(format!("{place} contains {}, outside {}", cut(60, item), slot.domain()));
            };
            cells[bit / 64] |= 1i64.wrapping_shl((bit % 64) as u32);
        }
        return Ok(());
    }
    let found = match (&slot.leaf, value) {
        (Leaf::Bool, Value::Bool(truth)) => Some(i64::from(*truth)),
        (leaf, value) => number(value, leaf.names()),
    };
    let (low, high) = slot.leaf.range().unwrap_or((0, 0));
    cells[0] = found.filter(|number| (low..=high).contains(number)).ok_or_else(outside)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Rules;

    const GAME: &str = "game all(n: int = 3) {
        state {
            left in 0..=n = n; used in set of 1..=70 = {70}; last in {none, up, down} = none; long in bool = false;
            grid in [[0..=2; 2]; 2] = [[0; 2]; 2];
        }
        move take when left > 0 { left -= 1; }
    }";

    fn bound(source: &str) -> Bound {
        Rules { name: "test".to_string(), source: source.to_string() }.bind("{}").unwrap()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let game = bound(GAME);
        let text = r#"{"left":2,"used":[1,64,70],"last":"down","long":true,"grid":[[0,1],[2,0]]}"#;
        let position = read(&game, text, Player::SECOND).unwrap();
        assert_eq!(super::text(&game, &position), text);
        assert_eq!(position.turn, Player::SECOND);
        assert_eq!(
            super::text(&game, &game.start),
            r#"{"left":3,"used":[70],"last":"none","long":false,"grid":[[0,0],[0,0]]}"#
        );
        let heap = bound(
            "game g(n: int = 10^18) { state { left in 0..=n = n; } move take { left = 0; } }"
                .replace("10^18", "1000000000000000000")
                .as_str(),
        );
        assert_eq!(
            super::text(&heap, &read(&heap, r#"{"left": 10^17}"#, Player::FIRST).unwrap()),
            r#"{"left":100000000000000000}"#
        );
        assert_eq!(super::text(&heap, &read(&heap, "7", Player::FIRST).unwrap()), r#"{"left":7}"#);
    }

    #[test]
    fn mistakes_are_named() {
        let game = bound(GAME);
        let right = r#"{"left":2,"used":[1],"last":"down","long":true,"grid":[[0,1],[2,0]]}"#;
        for (from, to, said) in [
            ("\"left\":2", "\"left\":4", "left = 4 is outside 0..=3"),
            ("\"left\":2", "\"left\":2.5", "outside 0..=3"),
            ("\"left\":2,", "", "says nothing of `left`"),
            ("\"left\"", "\"lefd\"", "no variable `lefd`"),
            ("[1]", "[0]", "used contains 0, outside set of 1..=70"),
            ("\"down\"", "\"dawn\"", "outside {none, up, down}"),
            ("true", "2", "outside bool"),
            ("[2,0]", "[2,0,1]", "has 2 items"),
            ("[2,0]", "[2,3]", "grid[1][1] = 3 is outside 0..=2"),
            ("[2,0]", "7", "list of 2 items"),
            ("{", "", "cannot be read"),
        ] {
            let error = read(&game, &right.replacen(from, to, 1), Player::FIRST).unwrap_err();
            assert!(error.to_string().contains(said), "{said}: {error}");
        }
    }

    #[test]
    fn names_of_numbers_are_read() {
        let game = bound(
            "game g { state { k in 0..9 = 0; seen in set of 0..9 = {}; } name k, seen as 3 by 3; move go { k = 0; } }",
        );
        let position = read(&game, r#"{"k": "b2", "seen": ["a1", 8]}"#, Player::FIRST).unwrap();
        assert_eq!(text(&game, &position), r#"{"k":4,"seen":[0,8]}"#);
        assert!(
            read(&game, r#"{"k": "d2", "seen": []}"#, Player::FIRST).unwrap_err().message.contains("outside 0..=8")
        );
    }

    #[test]
    fn sums_have_parts() {
        let nim = Rules::gallery("nim").unwrap().bind(r#"{"piles": [3, 4, 5]}"#).unwrap();
        for written in ["[3, 5]", r#"[{"n": 3}, {"n": 5}]"#, r#"[{"n": 3}, 5]"#] {
            let position = read(&nim, written, Player::FIRST).unwrap();
            assert_eq!(text(&nim, &position), r#"[{"n":3},{"n":5}]"#);
        }
        assert!(read(&nim, "[]", Player::FIRST).unwrap().parts.is_empty());
        assert!(read(&nim, "[6]", Player::FIRST).unwrap_err().message.contains("n = 6 is outside 0..=5"));
    }
}
