//! The squares of moves, beside their names: `place(4)` is b2.
//!
//! Rules number squares, and drawings name them. A move has squares where its arguments are squares that it changes, by their
//! numbers or as row and column, or where it changes one square only. What is shown here can be typed as the move.

use perfectplay::language::grid::{Grid, column_name};
use perfectplay::language::show;
use perfectplay::moves::Play;
use perfectplay::sums::SumPosition;

use crate::board::Board;
use crate::meant::arguments;

/// Longer lists are shown without squares.
const MOST: usize = 1000;

/// The squares of each of some moves of a position, empty where there are none to tell.
pub fn beside(board: &Board<'_>, position: &SumPosition, plays: &[&Play]) -> Vec<String> {
    let none = || vec![String::new(); plays.len()];
    let Board::Game { bound, .. } = board else { return none() };
    let [part] = &position.summands[0].parts[..] else { return none() };
    if bound.program.sum.is_some() || plays.len() > MOST {
        return none();
    }
    let Ok(Some(before)) = show::board(bound, part, position.turn) else { return none() };
    let named = |play: &&Play| {
        let [into] = &play.into[..] else { return String::new() };
        match show::board(bound, into, position.turn) {
            Ok(Some(after)) => squares(&before, &after, &play.label),
            _ => String::new(),
        }
    };
    let all: Vec<String> = plays.iter().map(named).collect();
    // Squares that could mean several moves say nothing.
    let once = |square: &String| all.iter().filter(|other| *other == square).count() == 1;
    all.iter().map(|square| if once(square) { square.clone() } else { String::new() }).collect()
}

/// The squares of one move.
fn squares(before: &Grid, after: &Grid, label: &str) -> String {
    if before.columns == 0 || (before.rows, before.columns) != (after.rows, after.columns) {
        return String::new();
    }
    let changes = |cell: usize| before.texts.get(cell) != after.texts.get(cell);
    let given: Option<Vec<usize>> = arguments(label).into_iter().map(|number| usize::try_from(number).ok()).collect();
    let given = given.unwrap_or_default();
    let inside = |cells: &[usize]| cells.iter().all(|cell| *cell < before.texts.len() && changes(*cell));
    let pairs: Option<Vec<usize>> = given.chunks(2).map(|pair| cell(before, pair)).collect();
    let changed: Vec<usize> = (0..before.texts.len()).filter(|cell| changes(*cell)).collect();
    let cells = match pairs {
        _ if !given.is_empty() && inside(&given) => given,
        Some(pairs) if !given.is_empty() && inside(&pairs) => pairs,
        _ if changed.len() == 1 => changed,
        _ => return String::new(),
    };
    let name = |cell: &usize| format!("{}{}", column_name(cell % before.columns), cell / before.columns + 1);
    let named = cells.iter().map(name).collect::<Vec<_>>().join("-");
    // Rules that name their squares say them already.
    if label.contains(&named) { String::new() } else { named }
}

/// The cell of a row and a column.
fn cell(grid: &Grid, pair: &[usize]) -> Option<usize> {
    match pair {
        [row, column] if *row < grid.rows && *column < grid.columns => Some(row * grid.columns + column),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_told_where_they_are_clear() {
        let grid = |text: &str| Grid { rows: 2, columns: 3, texts: text.chars().map(String::from).collect() };
        assert_eq!(squares(&grid("......"), &grid("....X."), "place(4)"), "b2");
        assert_eq!(squares(&grid("XO...."), &grid(".X...."), "clobber(0, 1)"), "a1-b1");
        assert_eq!(squares(&grid("######"), &grid("##.##."), "bite(0, 2)"), "c1");
        assert_eq!(squares(&grid("......"), &grid("...X.."), "drop(0)"), "a2");
        assert_eq!(squares(&grid("......"), &grid("XX...."), "two"), "");
        assert_eq!(squares(&grid("......"), &grid("....X."), "place(b2)"), "");
    }
}
