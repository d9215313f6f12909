//! Interval games: two indices that close in, as the ends of a row do, and a triangle of values to look at.
//!
//! Whether a game is one is found out by looking: all positions are played through by the interpreter, and every move must
//! take from one end. A triangle that people can look at is small, so this is quick, and it holds for rules of any
//! spelling: the indices may be the ends, what is gone from each end, or one end and a length, and gains may be anything.

use std::collections::{HashMap, HashSet};

use game::Player;
use rules::bind::{Bound, Position};
use rules::instance::Given;

use crate::error::SolveError;
use crate::monitor::Monitor;
use crate::play;
use crate::positions::Worth as Keeps;
use crate::solved::Solved;
use crate::verdict::Verdict;
use crate::walk::walk;

/// The longest row whose triangle is made.
pub const MOST_ITEMS: u32 = 300;
/// So many positions has such a triangle, with either player to move.
const MOST_POSITIONS: usize = 2 * (MOST_ITEMS as usize + 1) * (MOST_ITEMS as usize + 2) / 2;
/// A position of more cells than this is not looked at.
const MOST_CELLS: usize = 64;

/// What is gone from the left and from the right.
type Gone = (u32, u32);

/// How two cells tell what is gone: factors of the two cells for the left end, and for the right end.
const SPELLINGS: [[(i128, i128); 2]; 5] = [
    // both ends
    [(1, 0), (0, -1)],
    // what is gone from both ends
    [(1, 0), (0, 1)],
    // the left end, or what is gone there, and the length
    [(1, 0), (-1, -1)],
    // the length and the right end
    [(-1, 1), (0, -1)],
    // the length and what is gone from the right
    [(-1, -1), (0, 1)],
];

/// Two cells and what they mean.
#[derive(Clone, Copy, Debug)]
struct Ends {
    cells: [usize; 2],
    spelling: usize,
}

impl Ends {
    /// How many items are gone between two positions, at the left and at the right.
    fn between(self, before: &[i64], after: &[i64]) -> [i128; 2] {
        let [one, other] = self.cells.map(|cell| i128::from(after[cell]) - i128::from(before[cell]));
        SPELLINGS[self.spelling].map(|(a, b)| a * one + b * other)
    }

    /// Whether a move takes from just one end.
    fn fits(self, before: &[i64], after: &[i64]) -> bool {
        matches!(self.between(before, after), [(1..), 0] | [0, (1..)])
    }
}

/// A game of two indices that close in, with all its positions.
#[derive(Debug)]
pub struct Intervals {
    items: u32,
    labels: Option<Vec<i64>>,
    ends: Ends,
    positions: Vec<Position>,
}

/// The values of all intervals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// How many items there are.
    pub items: u32,
    /// What is written on them, where the instance has a list of that length.
    pub labels: Option<Vec<i64>>,
    /// The intervals that can be reached, the whole row first.
    pub cells: Vec<Cell>,
    /// One line of best play.
    pub line: Vec<Point>,
}

/// One interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// How many items are gone from the left.
    pub left: u32,
    /// How many items are gone from the right.
    pub right: u32,
    /// The total of the player to move from here on, minus the other's.
    pub value: i64,
    /// Whether a best move takes from the left.
    pub best_left: bool,
    /// Whether a best move takes from the right.
    pub best_right: bool,
}

/// A position on the line of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// How many items are gone from the left.
    pub left: u32,
    /// How many items are gone from the right.
    pub right: u32,
    /// Who moves there; `None` at the end.
    pub mover: Option<Player>,
}

fn no(why: impl Into<String>) -> SolveError {
    SolveError::NotApplicable(why.into())
}

/// The intervals of a game, or why it has none.
pub fn recognise(bound: &Bound, start: &Position, monitor: &mut Monitor) -> Result<Intervals, SolveError> {
    let name = &bound.program.name;
    if !bound.program.counted || bound.players != 2 {
        return Err(no(format!("`{name}` is not counted, or not for two players")));
    }
    let [cells] = &start.parts[..] else { return Err(no(format!("a position of `{name}` has several parts"))) };
    if cells.len() > MOST_CELLS {
        return Err(no(format!("a position of `{name}` has {} cells, not two", cells.len())));
    }
    monitor.enter("looking for intervals");
    let pairs = (0..cells.len()).flat_map(|a| (0..cells.len()).map(move |b| [a, b])).filter(|[a, b]| a != b);
    let mut ends: Vec<Ends> =
        (0..SPELLINGS.len()).flat_map(|spelling| pairs.clone().map(move |cells| Ends { cells, spelling })).collect();
    let mut positions = vec![start.clone()];
    let mut seen: HashSet<Position> = HashSet::from([start.clone()]);
    let mut at = 0;
    while at < positions.len() {
        monitor.tick(positions.len() as u64, at as u64)?;
        for play in play::plays(bound, &positions[at])? {
            let [after] = &play.into[..] else { return Err(no(format!("a move of `{name}` splits the position"))) };
            let before = &positions[at].parts[0];
            ends.retain(|ends| ends.fits(before, after));
            if ends.is_empty() {
                return Err(no(format!(
                    "`{name}` has no two indices that close in: `{}` does something else",
                    play.label
                )));
            }
            let option = play.option(&positions[at]);
            if seen.insert(option.clone()) {
                positions.push(option);
            }
        }
        if positions.len() > MOST_POSITIONS {
            return Err(no(format!("`{name}` has more than {MOST_ITEMS} items here: that is the most that are drawn")));
        }
        at += 1;
    }
    let both = |ends: &Ends| {
        let gone = |position: &Position| ends.between(cells, &position.parts[0]);
        positions.iter().any(|position| gone(position)[0] > 0) && positions.iter().any(|position| gone(position)[1] > 0)
    };
    let found = ends.iter().find(|ends| both(ends) && tells_all(**ends, &positions));
    let ends =
        *found.ok_or_else(|| no(format!("`{name}` has no two indices that close in and say all of a position")))?;
    let most = positions.iter().map(|position| ends.between(cells, &position.parts[0]).iter().sum::<i128>()).max();
    let most = u32::try_from(most.unwrap_or(0)).unwrap_or(u32::MAX);
    let labels = labels(bound, most);
    let items = labels.as_ref().map_or(most, |labels| labels.len() as u32);
    if items > MOST_ITEMS {
        return Err(no(format!("`{name}` has {items} items here: at most {MOST_ITEMS} are drawn")));
    }
    Ok(Intervals { items, labels, ends, positions })
}

/// Whether what is gone determines the position, up to who moves.
fn tells_all(ends: Ends, positions: &[Position]) -> bool {
    let mut known: HashMap<[i128; 2], &[i64]> = HashMap::new();
    let start = &positions[0].parts[0];
    positions.iter().all(|position| {
        let part = &position.parts[0][..];
        *known.entry(ends.between(start, part)).or_insert(part) == part
    })
}

/// The list of the instance that has as many numbers as items go, or one more where the last item stays.
fn labels(bound: &Bound, items: u32) -> Option<Vec<i64>> {
    let mut lists = Vec::new();
    for (_, given) in bound.instance().0 {
        flatten(given, &mut lists);
    }
    let of = |length: u32| lists.iter().find(|list| list.len() as u64 == u64::from(length)).cloned();
    of(items).or_else(|| of(items.saturating_add(1)))
}

/// The lists of numbers in a value of an instance.
fn flatten(given: Given, lists: &mut Vec<Vec<i64>>) {
    match given {
        Given::Ints(list) => lists.push(list),
        Given::List(items) => items.into_iter().for_each(|item| flatten(item, lists)),
        _ => {}
    }
}

impl Intervals {
    /// How many items there are.
    pub fn items(&self) -> u32 {
        self.items
    }

    fn gone(&self, position: &Position) -> Result<Gone, SolveError> {
        let lost = || SolveError::Internal("a position is not an interval".to_string());
        let part = position.parts.first().ok_or_else(lost)?;
        let [left, right] = self.ends.between(&self.positions[0].parts[0], part);
        Ok((u32::try_from(left).map_err(|_| lost())?, u32::try_from(right).map_err(|_| lost())?))
    }

    /// The values of all intervals, from a solved game.
    pub fn triangle(&self, solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Triangle, SolveError> {
        monitor.enter("the picture");
        let mut cells: Vec<Cell> = Vec::new();
        let mut known: HashMap<Gone, usize> = HashMap::new();
        for (at, position) in self.positions.iter().enumerate() {
            monitor.tick(self.positions.len() as u64, at as u64)?;
            let cell = self.cell(solved, position)?;
            match known.get(&(cell.left, cell.right)) {
                Some(&index) if cells[index] == cell => {}
                Some(_) => {
                    let name = &solved.bound.program.name;
                    return Err(no(format!("in `{name}` what an interval is worth depends on who is to move")));
                }
                None => {
                    known.insert((cell.left, cell.right), cells.len());
                    cells.push(cell);
                }
            }
        }
        let mut line = Vec::new();
        let mut keep = |position: &Position, mover: Option<Player>| -> Result<(), SolveError> {
            let (left, right) = self.gone(position)?;
            line.push(Point { left, right, mover });
            Ok(())
        };
        let (_, end) = walk(solved, &mut |step| keep(step.position, Some(step.position.turn)).map(|()| true))?;
        keep(&end, None)?;
        Ok(Triangle { items: self.items, labels: self.labels.clone(), cells, line })
    }

    fn cell(&self, solved: &Solved<'_>, position: &Position) -> Result<Cell, SolveError> {
        let value = match solved.verdict(position) {
            Some(Verdict::Score(value)) => value,
            Some(Verdict::Payoffs { totals, .. }) if solved.constant_total.as_ref().is_some_and(|fact| fact.holds) => {
                Keeps::Score.gain(&totals, position.turn)?
            }
            Some(Verdict::Payoffs { .. }) => {
                let name = &solved.bound.program.name;
                return Err(no(format!(
                    "in `{name}` everyone plays for the own total, and intervals have no single value"
                )));
            }
            _ => return Err(SolveError::Internal("an interval without value".to_string())),
        };
        let (left, right) = self.gone(position)?;
        let mut cell = Cell { left, right, value, best_left: false, best_right: false };
        for mv in solved.moves(position)?.iter().filter(|mv| mv.best) {
            let after = self.gone(&mv.play.option(position))?;
            cell.best_left |= after.0 > left;
            cell.best_right |= after.1 > right;
        }
        Ok(cell)
    }
}
