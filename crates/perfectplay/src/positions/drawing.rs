//! Positions from the drawings that `show grid` makes, with or without the names of columns and rows.
//!
//! If the grid shows a variable as it is, each cell says its value. Otherwise the variables are changed one by one as long as
//! that brings the drawing nearer to what is wanted. Either way the position that is found must be drawn like that, and no
//! variable may be left that the drawing says nothing of.

use game::Player;
use rules::bind::Bound;
use rules::grid::{Grid, column_name};
use rules::layout::{Leaf, Slot};
use rules::program::{ExprKind, Show};
use rules::show;
use serde_json::{Map, Value};

use super::{DRAWING, PositionError, fill, wrong};

/// Domains with more values than this are not tried value by value.
const MOST_VALUES: i64 = 512;
/// How often the variables are gone through.
const MOST_ROUNDS: usize = 64;
/// A drawing with more cells than this is only read if it shows a variable as it is.
const MOST_CELLS: usize = 512;

/// Whether the rules draw a grid.
pub(crate) fn draws(bound: &Bound) -> bool {
    matches!(bound.program.show, Some(Show::Grid { .. }))
}

/// Reads a drawing; `given` are variables that are given beside it.
pub(crate) fn read(
    bound: &Bound,
    text: &str,
    given: &Map<String, Value>,
    turn: Player,
) -> Result<Box<[i64]>, PositionError> {
    let start = bound.start.parts.first().cloned().unwrap_or_default();
    let board = show::board(bound, &start, turn).ok().flatten();
    let board = board.ok_or_else(|| wrong(bound, "this game has no drawing to read".to_string()))?;
    let mut wanted = texts(text, &board).map_err(|why| wrong(bound, why))?;
    spell(bound, &start, turn, &mut wanted);
    let mut known = vec![false; bound.layout.variables.len()];
    let mut cells = start;
    for (variable, slot) in bound.layout.variables.iter().enumerate() {
        if let Some(value) = given.get(&slot.name).filter(|_| slot.name != DRAWING) {
            cells[slot.offset..slot.offset + slot.cells].fill(0);
            fill(bound, slot, value, &mut cells).map_err(|why| wrong(bound, why))?;
            known[variable] = true;
        }
    }
    match shown(bound) {
        Some(variable) => {
            direct(bound, variable, &wanted, &mut cells, turn).map_err(|why| wrong(bound, why))?;
            known[variable] = true;
            let silent = bound.layout.variables.iter().enumerate().filter(|(at, slot)| !known[*at] && is_open(slot));
            let silent: Vec<&str> = silent.map(|(_, slot)| slot.name.as_str()).collect();
            if !silent.is_empty() {
                return Err(unsaid(bound, &silent));
            }
        }
        None => search(bound, &known, &wanted, &mut cells, turn)?,
    }
    match show::board(bound, &cells, turn) {
        Ok(Some(grid)) if grid.texts == wanted => Ok(cells),
        _ => Err(wrong(bound, "no position is drawn like that".to_string())),
    }
}

fn unsaid(bound: &Bound, silent: &[&str]) -> PositionError {
    let names = silent.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let example = silent.iter().map(|name| format!(", \"{name}\": …")).collect::<String>();
    let mut error = wrong(bound, format!("the drawing says nothing of {names}"));
    error.help = format!("give both: '{{\"{DRAWING}\": \"…\"{example}}}', or {}", error.help);
    error
}

/// Writes `x` as the drawing does, `X`, where it knows no `x` and no other sign is the same but for capitals.
fn spell(bound: &Bound, start: &[i64], turn: Player, wanted: &mut [String]) {
    let Ok(legend) = show::legend(bound, start, turn) else { return };
    for text in wanted {
        let mut alike = legend.iter().map(|(_, shown)| shown).filter(|shown| shown.eq_ignore_ascii_case(text));
        if let Some(first) = alike.next()
            && alike.all(|other| other == first)
        {
            text.clone_from(first);
        }
    }
}

/// The variable that the grid shows as it is.
fn shown(bound: &Bound) -> Option<usize> {
    let Some(Show::Grid { cells, .. }) = &bound.program.show else { return None };
    let ExprKind::Variable { variable, indices } = &cells.kind else { return None };
    let scalar = bound.layout.variables[*variable].leaf.range().is_some();
    (indices.is_empty() && scalar).then_some(*variable)
}

/// Whether a variable has more than one value.
fn is_open(slot: &Slot) -> bool {
    match &slot.leaf {
        Leaf::Set { size, .. } => *size > 0 && slot.cells > 0,
        leaf => leaf.range().is_some_and(|(low, high)| low < high) && slot.cells > 0,
    }
}

/// Each cell of the drawing is an item of the variable.
fn direct(bound: &Bound, variable: usize, wanted: &[String], cells: &mut [i64], turn: Player) -> Result<(), String> {
    let slot = &bound.layout.variables[variable];
    let legend = show::legend(bound, cells, turn).map_err(|fault| fault.diagnostic.title.clone())?;
    let (low, high) = slot.leaf.range().unwrap_or((0, 0));
    for (item, text) in wanted.iter().enumerate() {
        let mut values = legend.iter().filter(|(value, shown)| shown == text && (low..=high).contains(value));
        let number = match (values.next(), values.next()) {
            (Some((value, _)), None) => Some(*value),
            (Some((one, _)), Some((other, _))) if one != other => {
                return Err(format!("`{text}` stands for several values of `{}`", slot.name));
            }
            (Some((value, _)), _) => Some(*value),
            (None, _) => text.parse().ok().filter(|number| !legend.iter().any(|(value, _)| value == number)),
        };
        let Some(number) = number.filter(|number| (low..=high).contains(number)) else {
            let known: Vec<String> = legend.iter().map(|(_, text)| format!("`{text}`")).collect();
            return Err(format!("`{text}` is no cell of this drawing; its cells are {}", known.join(", ")));
        };
        cells[slot.offset + item] = number;
    }
    Ok(())
}

/// Changes variables one by one until the drawing is the wanted one.
fn search(
    bound: &Bound,
    known: &[bool],
    wanted: &[String],
    cells: &mut [i64],
    turn: Player,
) -> Result<(), PositionError> {
    let differs = |cells: &[i64]| match show::board(bound, cells, turn) {
        Ok(Some(Grid { texts, .. })) if texts.len() == wanted.len() => {
            texts.iter().zip(wanted).filter(|(text, wanted)| text != wanted).count()
        }
        _ => usize::MAX,
    };
    let open: Vec<(usize, &Slot)> =
        bound.layout.variables.iter().enumerate().filter(|(at, slot)| !known[*at] && is_open(slot)).collect();
    let tried = |slot: &Slot| slot.leaf.range().is_some_and(|(low, high)| high.saturating_sub(low) < MOST_VALUES);
    if wanted.len() > MOST_CELLS || open.iter().any(|(_, slot)| !tried(slot)) {
        let names: Vec<&str> =
            open.iter().filter(|(_, slot)| !tried(slot)).map(|(_, slot)| slot.name.as_str()).collect();
        return Err(match names.is_empty() {
            true => wrong(bound, "this drawing is too large to be read back".to_string()),
            false => unsaid(bound, &names),
        });
    }
    let mut away = differs(cells);
    for _ in 0..MOST_ROUNDS {
        let before = away;
        for (_, slot) in &open {
            let (low, high) = slot.leaf.range().unwrap_or((0, 0));
            for cell in slot.offset..slot.offset + slot.cells {
                let mut best = cells[cell];
                for value in low..=high {
                    cells[cell] = value;
                    let now = differs(cells);
                    if now < away {
                        (away, best) = (now, value);
                    }
                }
                cells[cell] = best;
            }
        }
        if away == 0 || away == before {
            break;
        }
    }
    if away > 0 {
        return Err(wrong(bound, "no position that is drawn like that was found".to_string()));
    }
    let mut silent: Vec<&str> = Vec::new();
    for (_, slot) in &open {
        let (low, high) = slot.leaf.range().unwrap_or((0, 0));
        for cell in slot.offset..slot.offset + slot.cells {
            let value = cells[cell];
            let same = (low..=high).filter(|other| *other != value).any(|other| {
                cells[cell] = other;
                differs(cells) == 0
            });
            cells[cell] = value;
            if same && !silent.contains(&slot.name.as_str()) {
                silent.push(&slot.name);
            }
        }
    }
    if silent.is_empty() { Ok(()) } else { Err(unsaid(bound, &silent)) }
}

/// The cells of a drawing: with blanks between them or without, and with the names of columns and rows or without.
fn texts(text: &str, board: &Grid) -> Result<Vec<String>, String> {
    let (rows, columns) = (board.rows, board.columns);
    let mut lines: Vec<&str> = text.lines().map(|line| line.trim_end()).collect();
    if lines.len() == 1 && rows > 1 && text.contains('/') {
        lines = text.split('/').map(str::trim_end).collect();
    }
    // Other signs that people put between rows, unless each of them is a cell.
    if lines.len() == 1 && rows > 1 && in_one_line(text, rows * columns).is_none() {
        let parted = |sign: &char| text.split(*sign).count() == rows;
        if let Some(sign) = ['|', ';', ','].iter().find(|sign| parted(sign)) {
            lines = text.split(*sign).map(str::trim).collect();
        }
    }
    let head: Vec<String> = (0..columns).map(column_name).collect();
    let named = lines.iter().position(|line| !line.is_empty()).filter(|at| {
        let words: Vec<&str> = lines[*at].split_whitespace().collect();
        words.len() == columns && words.iter().zip(&head).all(|(word, name)| word == name) && lines.len() > at + rows
    });
    let lines: Vec<String> = match named {
        Some(at) => {
            let below = lines[at + 1..].iter().filter(|line| !line.trim().is_empty());
            below.enumerate().map(|(row, line)| without_name(line, row, rows)).collect()
        }
        None => lines.iter().map(|line| line.to_string()).collect(),
    };
    // Blank lines around it are no rows, unless they are needed.
    let mut lines = &lines[..];
    while lines.len() > rows && lines.first().is_some_and(|line| line.trim().is_empty()) {
        lines = &lines[1..];
    }
    while lines.len() > rows && lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines = &lines[..lines.len() - 1];
    }
    if let ([line], true) = (lines, rows > 1)
        && let Some(cells) = in_one_line(line, rows * columns)
    {
        return Ok(cells);
    }
    if lines.len() != rows {
        return Err(format!("the drawing has {rows} rows, and {}", given(lines.len())));
    }
    let mut cells = Vec::with_capacity(rows * columns);
    for (row, line) in lines.iter().enumerate() {
        let apart: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        let letters: Vec<char> = line.chars().collect();
        // Rows of slanted boards begin further and further to the right.
        let tight: Vec<char> = line.trim().chars().collect();
        if apart.len() == columns {
            cells.extend(apart);
        } else if apart.len() == 1 && tight.len() == columns {
            cells.extend(tight.iter().map(char::to_string));
        } else if letters.len() == columns {
            cells.extend(letters.iter().map(char::to_string));
        } else if letters.len() <= 2 * columns && letters.iter().skip(1).step_by(2).all(|c| *c == ' ') {
            cells.extend((0..columns).map(|column| letters.get(2 * column).copied().unwrap_or(' ').to_string()));
        } else {
            let count = if apart.len() == 1 { tight.len() } else { apart.len() };
            return Err(format!("row {} of the drawing has {columns} cells, and {}", row + 1, given(count)));
        }
    }
    Ok(cells)
}

/// A row without its name, which stands at the margin or, on a slanted board, further to the right.
fn without_name(line: &str, row: usize, rows: usize) -> String {
    let name = (row + 1).to_string();
    match line.trim_start().strip_prefix(&name) {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest.chars().skip(1).collect(),
        _ => line.chars().skip(rows.to_string().len() + 1).collect(),
    }
}

/// All cells in one line, row after row: with blanks between them, or one character each.
fn in_one_line(line: &str, count: usize) -> Option<Vec<String>> {
    let apart: Vec<String> = line.split_whitespace().map(str::to_string).collect();
    if apart.len() == count {
        return Some(apart);
    }
    let letters = line.chars().filter(|letter| !letter.is_whitespace());
    let letters: Vec<String> = if line.chars().count() == count {
        line.chars().map(String::from).collect()
    } else {
        letters.map(String::from).collect()
    };
    (letters.len() == count).then_some(letters)
}

/// How many were given, in words.
pub(super) fn given(count: usize) -> String {
    if count == 1 { "1 is given".to_string() } else { format!("{count} are given") }
}

#[cfg(test)]
mod tests {
    use crate::language::Rules;
    use crate::positions;
    use game::Player;
    use rules::show;

    #[test]
    fn drawings_of_the_gallery_are_read_back() {
        for (name, _) in crate::gallery::GALLERY {
            let bound = Rules::gallery(name).unwrap().bind("{}").unwrap();
            if !super::draws(&bound) {
                continue;
            }
            let mut position = bound.start.clone();
            for step in 0..4 {
                for drawing in [show::draw(&bound, &position).unwrap(), show::draw_named(&bound, &position).unwrap()] {
                    match positions::read(&bound, &drawing, position.turn) {
                        Ok(found) => assert_eq!(found, position, "{name}\n{drawing}"),
                        Err(error) => assert!(error.message.contains("says nothing of"), "{name}: {error}\n{drawing}"),
                    }
                }
                let plays = rules::play::plays(&bound, &position).unwrap();
                let Some(play) = plays.get((step * 7 + 3) % plays.len().max(1)) else { break };
                play.apply(&mut position);
            }
        }
    }

    #[test]
    fn spellings_of_a_drawing() {
        let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}").unwrap();
        let wanted = positions::read(&game, ". O .\n. X .\n. . .", Player::FIRST).unwrap();
        for text in [
            ".O.\n.X.\n...",
            ".O./.X./...",
            ".O.|.X.|...",
            ".O., .X., ...",
            ". O . ; . X . ; . . .",
            "\n  a b c\n1 . O .\n2 . X .\n3 . . .\n",
            r#"{"drawing": ".O./.X./..."}"#,
            ".O..X....",
            ". O . . X . . . .",
            ".O. .X. ...",
            r#"{"drawing": ".O..X...."}"#,
            ".o./.x./...",
            ".O.\n .X.\n  ...",
            ". O .\n . X .\n  . . .",
            "  a b c\n1 . O .\n 2 . X .\n  3 . . .",
        ] {
            assert_eq!(positions::read(&game, text, Player::FIRST), Ok(wanted.clone()), "{text}");
        }
        for (text, said) in [
            (".O.\n.X.", "3 rows, and 2 are given"),
            (".O..X...", "3 rows, and 1 is given"),
            (".O.\n.Y.\n...", "`Y` is no cell"),
            ("....\n...\n...", "row 1 of the drawing has 3 cells, and 4 are given"),
        ] {
            let error = positions::read(&game, text, Player::FIRST).unwrap_err();
            assert!(error.message.contains(said), "{error}");
        }
    }
}
