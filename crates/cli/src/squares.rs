//! The squares of moves, beside their names: `place(4)` is b2.
//!
//! Rules number squares, and drawings name them. A move has squares where its arguments are squares that it changes, by their
//! numbers or as row and column, or where it changes one square only. How the arguments of a rule are read is decided for
//! all its moves together: `upright(0, 0)` alone could be a1 twice. What is shown here can be typed as the move.

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
    let change = |play: &&Play| {
        let [into] = &play.into[..] else { return None };
        let after = show::board(bound, into, position.turn).ok().flatten()?;
        Change::new(&before, &after, &play.label)
    };
    let all = square_names(&before, &plays.iter().map(change).collect::<Vec<_>>());
    // Squares that could mean several moves say nothing.
    let once = |square: &String| all.iter().filter(|other| *other == square).count() == 1;
    all.iter().map(|square| if once(square) { square.clone() } else { String::new() }).collect()
}

/// What a move changes on the drawing.
struct Change {
    label: String,
    /// The numbers in its name.
    given: Vec<usize>,
    /// The cells that it changes.
    cells: Vec<usize>,
}

impl Change {
    fn new(before: &Grid, after: &Grid, label: &str) -> Option<Change> {
        if before.columns == 0 || (before.rows, before.columns) != (after.rows, after.columns) {
            return None;
        }
        let given: Option<Vec<usize>> =
            arguments(label).into_iter().map(|number| usize::try_from(number).ok()).collect();
        let cells = (0..before.texts.len()).filter(|cell| before.texts.get(*cell) != after.texts.get(*cell)).collect();
        Some(Change { label: label.to_string(), given: given.unwrap_or_default(), cells })
    }

    fn rule(&self) -> &str {
        self.label.split('(').next().unwrap_or_default()
    }

    /// These cells, if the move changes each of them and none is there twice.
    fn changed(&self, cells: Option<Vec<usize>>) -> Option<Vec<usize>> {
        let cells = cells.filter(|cells| !cells.is_empty())?;
        let clear = (0..cells.len()).all(|at| self.cells.contains(&cells[at]) && !cells[..at].contains(&cells[at]));
        clear.then_some(cells)
    }

    /// The arguments as numbers of squares.
    fn numbers(&self, _: &Grid) -> Option<Vec<usize>> {
        self.changed(Some(self.given.clone()))
    }

    /// The arguments as rows and columns of squares.
    fn pairs(&self, grid: &Grid) -> Option<Vec<usize>> {
        self.changed(self.given.chunks(2).map(|pair| cell(grid, pair)).collect())
    }

    /// The only square that changes.
    fn single(&self, _: &Grid) -> Option<Vec<usize>> {
        Some(self.cells.clone()).filter(|cells| cells.len() == 1)
    }
}

/// The squares of each move.
fn square_names(grid: &Grid, moves: &[Option<Change>]) -> Vec<String> {
    let readings = [Change::numbers, Change::pairs, Change::single];
    let name = |cell: &usize| format!("{}{}", column_name(cell % grid.columns), cell / grid.columns + 1);
    let squares = |mv: &Option<Change>| {
        let mv = mv.as_ref()?;
        let alike = || moves.iter().flatten().filter(|other| other.rule() == mv.rule());
        let reading = readings.iter().find(|reading| alike().all(|other| reading(other, grid).is_some()))?;
        let named = reading(mv, grid)?.iter().map(name).collect::<Vec<_>>().join("-");
        // Rules that name their squares say them already.
        Some(named).filter(|named| !mv.label.contains(named.as_str()))
    };
    moves.iter().map(|mv| squares(mv).unwrap_or_default()).collect()
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
        let all = |before: &str, moves: &[(&str, &str)]| {
            let changes: Vec<Option<Change>> =
                moves.iter().map(|(after, label)| Change::new(&grid(before), &grid(after), label)).collect();
            square_names(&grid(before), &changes)
        };
        let squares = |before: &str, after: &str, label: &str| all(before, &[(after, label)]).concat();
        assert_eq!(squares("......", "....X.", "place(4)"), "b2");
        assert_eq!(squares("XO....", ".X....", "clobber(0, 1)"), "a1-b1");
        assert_eq!(squares("######", "##.##.", "bite(0, 2)"), "c1");
        assert_eq!(squares("......", "...X..", "drop(0)"), "a2");
        assert_eq!(squares("......", "XX....", "two"), "");
        assert_eq!(squares("......", "....X.", "place(b2)"), "");
        // Two numbers are a row and a column where they cannot always be two squares.
        assert_eq!(squares("......", "#..#..", "upright(0, 0)"), "a1");
        assert_eq!(all("......", &[("##....", "flat(0, 0)"), (".##...", "flat(0, 1)")]), ["a1", "b1"]);
        assert_eq!(all("......", &[("##....", "flat(0, 1)"), (".##...", "flat(1, 2)")]), ["a1-b1", "b1-c1"]);
    }
}
