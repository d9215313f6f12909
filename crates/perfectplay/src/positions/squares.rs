//! The squares of moves: `place(4)` is b2.
//!
//! Rules number squares, and drawings name them. A move has squares where its arguments are squares that it changes, by their
//! numbers, by their names, or as row and column, or where it changes one square only. How the arguments of a rule are read is
//! decided for all its moves together: `upright(0, 0)` alone could be a1 twice.
//!
//! ```
//! use perfectplay::positions::squares::{self, Squares};
//! use perfectplay::{language::Rules, moves};
//!
//! let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
//! let plays = moves::plays(&game, &game.start).unwrap();
//! let plays: Vec<_> = plays.iter().collect();
//! let read: Squares = squares::read(&game, &game.start.parts[0], game.starts, &plays);
//! assert_eq!(read.cells[4], Some(vec![4]));
//! assert_eq!(read.names(&plays)[4].as_deref(), Some("b2"));
//! # Ok::<(), perfectplay::Error>(())
//! ```

use game::Player;
use rules::bind::Bound;
use rules::grid::{Grid, column_name};
use rules::play::Play;
use rules::show;

/// The squares of some moves.
#[derive(Clone, Debug)]
pub struct Squares {
    /// The drawing before the moves.
    pub before: Grid,
    /// The squares of each move in the order of its arguments, by their numbers; `None` where there are none to tell.
    pub cells: Vec<Option<Vec<usize>>>,
}

impl Squares {
    /// The squares by their names, where the name of a move does not tell them and no other move has the same.
    pub fn names(&self, plays: &[&Play]) -> Vec<Option<String>> {
        let name =
            |cell: &usize| format!("{}{}", column_name(cell % self.before.columns), cell / self.before.columns + 1);
        let named = |cells: &Vec<usize>| cells.iter().map(name).collect::<Vec<_>>().join("-");
        let all: Vec<Option<String>> = self.cells.iter().map(|cells| cells.as_ref().map(named)).collect();
        let once = |square: &String| all.iter().flatten().filter(|other| *other == square).count() == 1;
        let said = |square: &str, play: &Play| square.split('-').all(|name| play.label.contains(name));
        let one = |(square, play): (&Option<String>, &&Play)| square.clone().filter(|it| once(it) && !said(it, play));
        all.iter().zip(plays).map(one).collect()
    }
}

/// The numbers in the name of a move.
///
/// ```
/// assert_eq!(perfectplay::positions::squares::arguments("take(2, 1) in part 0"), [2, 1]);
/// ```
pub fn arguments(label: &str) -> Vec<i64> {
    let numbers: Option<Vec<i64>> = words(label).map(|item| item.parse().ok()).collect();
    numbers.unwrap_or_default()
}

fn words(label: &str) -> impl Iterator<Item = &str> {
    let inner = label.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(inner, _)| inner);
    inner.split(',').map(str::trim)
}

/// The squares of some moves of a part. Where the rules draw no grid there are none.
pub fn read(bound: &Bound, part: &[i64], turn: Player, plays: &[&Play]) -> Squares {
    let none = |before: Grid| Squares { before, cells: vec![None; plays.len()] };
    let Ok(Some(before)) = show::board(bound, part, turn) else {
        return none(Grid { rows: 0, columns: 0, texts: Vec::new() });
    };
    if before.columns == 0 {
        return none(before);
    }
    let change = |play: &&Play| {
        let [into] = &play.into[..] else { return None };
        let after = show::board(bound, into, turn).ok().flatten()?;
        Change::new(&before, &after, &play.label)
    };
    let changes: Vec<Option<Change>> = plays.iter().map(change).collect();
    let cells = of_changes(&before, &changes);
    Squares { before, cells }
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

    /// The arguments as names of squares.
    fn names(&self, grid: &Grid) -> Option<Vec<usize>> {
        let square = |word| grid.square(word).map(|(row, column)| row * grid.columns + column);
        self.changed(words(&self.label).map(square).collect())
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

/// The squares of each move, read alike for all moves of a rule.
fn of_changes(grid: &Grid, moves: &[Option<Change>]) -> Vec<Option<Vec<usize>>> {
    let readings = [Change::numbers, Change::names, Change::pairs, Change::single];
    // The readings that do for all moves of a rule.
    let mut rules: Vec<(&str, [bool; 4])> = Vec::new();
    for mv in moves.iter().flatten() {
        let good = readings.map(|reading| reading(mv, grid).is_some());
        match rules.iter_mut().find(|(rule, _)| *rule == mv.rule()) {
            Some((_, all)) => all.iter_mut().zip(good).for_each(|(all, good)| *all &= good),
            None => rules.push((mv.rule(), good)),
        }
    }
    let squares = |mv: &Option<Change>| {
        let mv = mv.as_ref()?;
        let (_, good) = rules.iter().find(|(rule, _)| *rule == mv.rule())?;
        let reading = readings.iter().zip(good).find(|(_, good)| **good)?.0;
        reading(mv, grid)
    };
    moves.iter().map(squares).collect()
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
    use game::Player;

    use super::*;

    #[test]
    fn squares_are_told_where_they_are_clear() {
        let grid = |text: &str| Grid { rows: 2, columns: 3, texts: text.chars().map(String::from).collect() };
        let all = |before: &str, moves: &[(&str, &str)]| {
            let changes: Vec<Option<Change>> =
                moves.iter().map(|(after, label)| Change::new(&grid(before), &grid(after), label)).collect();
            let squares = Squares { before: grid(before), cells: of_changes(&grid(before), &changes) };
            let play = |(_, label): &(&str, &str)| Play {
                label: label.to_string(),
                gains: Vec::new(),
                summand: 0,
                part: 0,
                into: Vec::new(),
                turn: Player::FIRST,
            };
            let plays: Vec<Play> = moves.iter().map(play).collect();
            let names = squares.names(&plays.iter().collect::<Vec<_>>());
            names.into_iter().map(Option::unwrap_or_default).collect::<Vec<String>>()
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
