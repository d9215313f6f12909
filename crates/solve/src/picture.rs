//! Interval games: two indices that close in, as the ends of a row do, and a triangle of values to look at.
//!
//! Whether a game is one is found out by looking: all positions are played through by the interpreter, and every move must
//! take from one end. A triangle that people can look at is small, so this is quick, and it holds for rules of any
//! spelling: the indices may be the ends, what is gone from each end, or one end and a length, and gains may be anything.

use std::collections::{HashMap, HashSet};

use engine::monitor::Monitor;
use game::{Player, Verdict};
use rules::bind::{Bound, Position};
use rules::instance::Given;
use rules::play;

use crate::answer::line::{Stop, walk};
use crate::error::SolveError;
use crate::solved::Solved;
use crate::stopping::scope;
use positions::oracle::Keeps;

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
    fn fit(self, before: &[i64], after: &[i64]) -> bool {
        matches!(self.between(before, after), [(1..), 0] | [0, (1..)])
    }

    /// Whether something goes from either end.
    fn both_close(self, positions: &[Position]) -> bool {
        let start = &positions[0].parts[0];
        let goes = |end: usize| positions.iter().any(|position| self.between(start, &position.parts[0])[end] > 0);
        goes(0) && goes(1)
    }

    /// Whether what is gone determines the position, up to who moves.
    fn tell_all(self, positions: &[Position]) -> bool {
        let mut known: HashMap<[i128; 2], &[i64]> = HashMap::new();
        let start = &positions[0].parts[0];
        positions.iter().all(|position| {
            let part = &position.parts[0][..];
            *known.entry(self.between(start, part)).or_insert(part) == part
        })
    }
}

/// A game of two indices that close in, with all its positions.
#[derive(Debug)]
pub struct Intervals {
    shape: Shape,
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

fn not_drawn(why: impl Into<String>) -> SolveError {
    SolveError::NotApplicable(why.into())
}

/// The intervals of a game, or why it has none.
pub fn recognise(bound: &Bound, start: &Position, monitor: &mut Monitor) -> Result<Intervals, SolveError> {
    let _scope = scope(monitor);
    let name = &bound.program.name;
    if !bound.program.counted || bound.players != 2 {
        return Err(not_drawn(format!("`{name}` is not counted, or not for two players")));
    }
    let [cells] = &start.parts[..] else { return Err(not_drawn(format!("a position of `{name}` has several parts"))) };
    if cells.len() > MOST_CELLS {
        return Err(not_drawn(format!("a position of `{name}` has {} cells, not two", cells.len())));
    }
    let Explored { ends, positions, moves } = explore(bound, start, monitor)?;
    if positions.len() == 1 {
        return Err(not_drawn("the game is over at its start, so that there is nothing to draw"));
    }
    // Left and right may be mixed up where the rules count what is gone: the items tell.
    let mut best: Option<(usize, Shape)> = None;
    for ends in ends.into_iter().filter(|ends| ends.both_close(&positions) && ends.tell_all(&positions)) {
        let shape = Shape::new(bound, ends, &positions);
        let agreeing = shape.agreeing(&positions, &moves);
        if best.as_ref().is_none_or(|(most, _)| agreeing > *most) {
            best = Some((agreeing, shape));
        }
    }
    let nothing = || not_drawn(format!("`{name}` has no two indices that close in and say all of a position"));
    let (_, shape) = best.ok_or_else(nothing)?;
    if shape.items > MOST_ITEMS {
        return Err(not_drawn(format!("`{name}` has {} items here: at most {MOST_ITEMS} are drawn", shape.items)));
    }
    Ok(Intervals { shape, positions })
}

/// All positions and moves, and what any two cells may mean.
struct Explored {
    ends: Vec<Ends>,
    positions: Vec<Position>,
    moves: Vec<Taken>,
}

/// A move: the number of the position it is made in, what it leaves, what it gains.
struct Taken {
    from: usize,
    after: Box<[i64]>,
    gain: i64,
}

fn explore(bound: &Bound, start: &Position, monitor: &mut Monitor) -> Result<Explored, SolveError> {
    monitor.enter("looking for intervals");
    let name = &bound.program.name;
    let cells = start.parts[0].len();
    let pairs = (0..cells).flat_map(|a| (0..cells).map(move |b| [a, b])).filter(|[a, b]| a != b);
    let mut ends: Vec<Ends> =
        (0..SPELLINGS.len()).flat_map(|spelling| pairs.clone().map(move |cells| Ends { cells, spelling })).collect();
    let (mut positions, mut moves) = (vec![start.clone()], Vec::new());
    let mut seen: HashSet<Position> = HashSet::from([start.clone()]);
    let mut from = 0;
    while from < positions.len() {
        monitor.tick(positions.len() as u64, from as u64)?;
        for play in play::plays(bound, &positions[from])? {
            let [after] = &play.into[..] else {
                return Err(not_drawn(format!("a move of `{name}` splits the position")));
            };
            let before = &positions[from].parts[0];
            ends.retain(|ends| ends.fit(before, after));
            if ends.is_empty() {
                let label = &play.label;
                return Err(not_drawn(format!(
                    "`{name}` has no two indices that close in: `{label}` does something else"
                )));
            }
            let gain = Keeps::Score.gain(&play.gains, positions[from].turn)?;
            moves.push(Taken { from, after: after.clone(), gain });
            let option = play.option(&positions[from]);
            if seen.insert(option.clone()) {
                positions.push(option);
            }
        }
        if positions.len() > MOST_POSITIONS {
            return Err(not_drawn(format!(
                "`{name}` has more than {MOST_ITEMS} items here: that is the most that are drawn"
            )));
        }
        from += 1;
    }
    Ok(Explored { ends, positions, moves })
}

/// How the cells tell what is gone, and of what.
#[derive(Debug)]
struct Shape {
    ends: Ends,
    /// The cells of the start.
    start: Box<[i64]>,
    /// How far the indices go for one item.
    step: i128,
    items: u32,
    labels: Option<Vec<i64>>,
}

impl Shape {
    fn new(bound: &Bound, ends: Ends, positions: &[Position]) -> Shape {
        let start = positions[0].parts[0].clone();
        let gone: Vec<[i128; 2]> = positions.iter().map(|position| ends.between(&start, &position.parts[0])).collect();
        let most = gone.iter().map(|[left, right]| left + right).max().unwrap_or(0);
        // Indices may go in steps that are all larger than one.
        let step = gone.iter().flatten().fold(0, |step, count| divisor(step, *count)).max(1);
        let found = [1, step].into_iter().find_map(|step| Some((step, labels(bound, most / step)?)));
        let (step, labels) = found.map_or((1, None), |(step, labels)| (step, Some(labels)));
        let items = labels.as_ref().map_or(most, |labels| labels.len() as i128);
        Shape { ends, start, step, items: u32::try_from(items).unwrap_or(u32::MAX), labels }
    }

    fn gone(&self, cells: &[i64]) -> Option<Gone> {
        let [left, right] = self.ends.between(&self.start, cells).map(|gone| u32::try_from(gone / self.step).ok());
        left.zip(right)
    }

    /// How many moves gain the item that they take.
    fn agreeing(&self, positions: &[Position], moves: &[Taken]) -> usize {
        let Some(labels) = &self.labels else { return 0 };
        let agrees = |taken: &&Taken| {
            let ((left, right), after) = self.gone(&positions[taken.from].parts[0]).zip(self.gone(&taken.after))?;
            let at = if after.0 > left { left as usize } else { labels.len().checked_sub(1 + right as usize)? };
            (labels.get(at) == Some(&taken.gain)).then_some(())
        };
        moves.iter().filter(|taken| agrees(taken).is_some()).count()
    }
}

/// The greatest common divisor.
fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// The list of the instance that has as many numbers as items go, or one more where the last item stays.
fn labels(bound: &Bound, items: i128) -> Option<Vec<i64>> {
    let mut lists = Vec::new();
    for (_, given) in bound.instance().0 {
        flatten(given, &mut lists);
    }
    let of = |length: i128| lists.iter().find(|list| list.len() as i128 == length).cloned();
    of(items).or_else(|| of(items + 1))
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
        self.shape.items
    }

    fn gone(&self, position: &Position) -> Result<Gone, SolveError> {
        let gone = position.parts.first().and_then(|part| self.shape.gone(part));
        gone.ok_or_else(|| SolveError::internal("a position is not an interval"))
    }

    /// The values of all intervals, from a solved game.
    pub fn triangle(&self, solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Triangle, SolveError> {
        let _scope = scope(monitor);
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
                    return Err(not_drawn(format!("in `{name}` what an interval is worth depends on who is to move")));
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
        let (stop, end) = walk(solved, &mut |position, _, _| keep(position, Some(position.turn)).map(|()| true))?;
        if stop == Stop::Over {
            keep(&end, None)?;
        }
        Ok(Triangle { items: self.shape.items, labels: self.shape.labels.clone(), cells, line })
    }

    fn cell(&self, solved: &Solved<'_>, position: &Position) -> Result<Cell, SolveError> {
        let value = match solved.verdict(position) {
            Some(Verdict::Score(value)) => value,
            Some(Verdict::Payoffs { totals, .. }) if solved.total_is_constant() => {
                Keeps::Score.gain(&totals, position.turn)?
            }
            Some(Verdict::Payoffs { .. }) => {
                let name = &solved.bound.program.name;
                return Err(not_drawn(format!(
                    "in `{name}` everyone plays for the own total, and intervals have no single value"
                )));
            }
            _ => return Err(SolveError::internal("an interval without value")),
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
