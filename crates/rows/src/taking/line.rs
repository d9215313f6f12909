//! A complete optimal line of play.
//!
//! The blocks of all lists are taken in falling order, each item by item from its open end. Settled pairs in stacks
//! remain, and these are taken from the top down. Every single move is optimal, for both players: see
//! [`super::theorem`] for why. The order is found once, by one stable sort, because the blocks of each list are already
//! in falling order; the moves are then read from it.

use std::cmp::Reverse;

use super::number::{Number, is_narrow};
use super::reduction::settle;
use super::{End, List, Shape, Stopped, Take};
use crate::pace::{PIECE, Pace};

/// An optimal line of play, from a position to its end: an iterator over the moves.
///
/// ```
/// use rows::taking::{End, List, line};
///
/// let coins = [1, 5, 233, 7];
/// let lists = [List::row(&coins)];
/// let line = line(&lists, &mut || true)?;
/// assert_eq!(line.value(), 222);
/// let gains: Vec<i64> = line.map(|mv| mv.gain).collect();
/// assert_eq!(gains, [1, 5, 233, 7]);
/// # Ok::<(), rows::taking::Stopped>(())
/// ```
#[derive(Clone, Debug)]
pub struct Line<'a> {
    lists: Vec<List<'a>>,
    value: i128,
    runs: Runs,
    run: Run,
    left: usize,
}

/// Where the runs come from.
#[derive(Clone, Debug)]
enum Runs {
    /// Sorted beforehand.
    Ordered(std::vec::IntoIter<Run>),
    /// Each time the larger end of the remaining row: this needs no sorting, and no memory for it.
    Narrow(Valley<i64>),
    Wide(Valley<i128>),
}

impl Runs {
    fn next(&mut self) -> Option<Run> {
        match self {
            Runs::Ordered(runs) => runs.next(),
            Runs::Narrow(valley) => valley.next(),
            Runs::Wide(valley) => valley.next(),
        }
    }
}

/// A reduced row and what remains of it.
#[derive(Clone, Debug)]
struct Valley<T> {
    blocks: Vec<Block<T>>,
    rest: Rest,
}

impl<T: Number> Valley<T> {
    fn new(items: &[i64], pace: &mut Pace<'_>) -> Result<Valley<T>, Stopped> {
        let mut blocks = Vec::new();
        reduce(items, &mut blocks, pace)?;
        Ok(Valley { rest: Rest::new(&blocks, items.len()), blocks })
    }

    /// The value of the remaining items, for the mover.
    fn value(&self) -> T {
        let (mut value, mut rest, mut own) = (T::default(), self.rest, true);
        while let Some((worth, _)) = rest.next(0, &self.blocks) {
            if own {
                value += worth;
            } else {
                value -= worth;
            }
            own = !own;
        }
        value
    }

    fn next(&mut self) -> Option<Run> {
        self.rest.next(0, &self.blocks).map(|(_, run)| run)
    }
}

/// The remaining blocks of a reduced row.
#[derive(Clone, Copy, Debug)]
struct Rest {
    low: usize,
    high: usize,
    /// The bound of the remaining items.
    end: usize,
}

impl Rest {
    fn new<T>(blocks: &[Block<T>], length: usize) -> Rest {
        Rest { low: 0, high: blocks.len(), end: length }
    }

    /// Takes the larger end, the left one if they are equal.
    fn next<T: Number>(&mut self, list: usize, blocks: &[Block<T>]) -> Option<(T, Run)> {
        let rest = &blocks[self.low..self.high];
        let ([left, others @ ..], [.., right]) = (rest, rest) else { return None };
        if left.worth >= right.worth {
            let to = others.first().map_or(self.end, |next| next.start);
            self.low += 1;
            return Some((left.worth, Run { list, from: left.start, to }));
        }
        let from = self.end;
        self.end = right.start;
        self.high -= 1;
        Some((right.worth, Run { list, from, to: right.start }))
    }
}

/// Items of one list that are taken one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    list: usize,
    /// The bound of the items on the side where taking begins.
    from: usize,
    /// The bound on the other side; below `from` when they are taken from the right.
    to: usize,
}

/// A block with its place in its list.
#[derive(Clone, Copy, Debug)]
struct Block<T> {
    worth: T,
    start: usize,
}

/// An optimal line of play of a sum, in the time of sorting and with a few words of memory per item. Of equal blocks
/// the one in the first list is taken first, and of two equal ends the left one.
pub fn line<'a>(lists: &[List<'a>], keep_going: &mut dyn FnMut() -> bool) -> Result<Line<'a>, Stopped> {
    let pace = &mut Pace::new(keep_going);
    let (runs, value) = match (lists, is_narrow(lists)) {
        ([List { shape: Shape::Row, items }], true) => {
            let valley = Valley::new(items, pace)?;
            let value = valley.value();
            (Runs::Narrow(valley), value.into())
        }
        ([List { shape: Shape::Row, items }], false) => {
            let valley = Valley::new(items, pace)?;
            let value = valley.value();
            (Runs::Wide(valley), value)
        }
        (_, true) => order::<i64>(lists, pace)?,
        (_, false) => order::<i128>(lists, pace)?,
    };
    let left = lists.iter().map(|list| list.items.len()).sum();
    Ok(Line { lists: lists.to_vec(), value, runs, run: Run::default(), left })
}

/// The runs in the order of play, and the value.
fn order<T: Number>(lists: &[List<'_>], pace: &mut Pace<'_>) -> Result<(Runs, i128), Stopped> {
    let mut blocks = Vec::new();
    let mut ranked: Vec<(T, Run)> = Vec::new();
    let mut last: Vec<Run> = Vec::new();
    let mut settlement = T::default();
    for (n, list) in lists.iter().enumerate() {
        reduce(list.items, &mut blocks, pace)?;
        let length = list.items.len();
        match list.shape {
            Shape::Row => {
                let mut rest = Rest::new(&blocks, length);
                ranked.extend(std::iter::from_fn(|| rest.next(n, &blocks)));
            }
            Shape::Stack => settlement += rank_stack(n, &blocks, length, &mut ranked, &mut last),
        }
    }
    if !ranked.is_sorted_by(|a, b| a.0 >= b.0) {
        ranked.sort_by_key(|&(worth, _)| Reverse(worth));
    }
    let is_odd = ranked.len() % 2 == 1;
    let mut value = T::default();
    for (k, &(worth, _)) in ranked.iter().enumerate() {
        if k % 2 == 0 {
            value += worth;
        } else {
            value -= worth;
        }
    }
    value = if is_odd { value + settlement } else { value - settlement };
    let mut runs = Vec::with_capacity(ranked.len() + last.len());
    runs.extend(ranked.iter().map(|&(_, run)| run));
    runs.append(&mut last);
    Ok((Runs::Ordered(runs.into_iter()), value.into()))
}

/// Reduces one list to its valley, with the place of every block.
fn reduce<T: Number>(items: &[i64], blocks: &mut Vec<Block<T>>, pace: &mut Pace<'_>) -> Result<(), Stopped> {
    blocks.clear();
    let mut place = 0;
    for piece in items.chunks(PIECE) {
        for &item in piece {
            let mut z = Block { worth: T::from(item), start: place };
            while let [.., x, y] = blocks.as_slice()
                && y.worth >= z.worth
                && y.worth >= x.worth
            {
                z = Block { worth: x.worth - y.worth + z.worth, start: x.start };
                blocks.truncate(blocks.len() - 2);
            }
            blocks.push(z);
            place += 1;
        }
        pace.spend(piece.len())?;
    }
    Ok(())
}

/// The blocks of a reduced stack from the top down: first those that take part in the order, then the settled ones,
/// which are taken last. Returns the worth of the settled ones.
fn rank_stack<T: Number>(
    list: usize,
    blocks: &[Block<T>],
    length: usize,
    ranked: &mut Vec<(T, Run)>,
    last: &mut Vec<Run>,
) -> T {
    let (pairs, rising, settlement) = settle(blocks, |block| block.worth);
    let mut end = length;
    for block in rising.iter().rev() {
        ranked.push((block.worth, Run { list, from: end, to: block.start }));
        end = block.start;
    }
    for block in pairs.iter().rev() {
        last.push(Run { list, from: end, to: block.start });
        end = block.start;
    }
    settlement
}

impl Line<'_> {
    /// The value of the position where the line starts: the final difference, for the first to move.
    pub fn value(&self) -> i128 {
        self.value
    }
}

impl Iterator for Line<'_> {
    type Item = Take;

    fn next(&mut self) -> Option<Take> {
        if self.run.from == self.run.to {
            self.run = self.runs.next()?;
        }
        let Run { list, from, to } = self.run;
        let (end, item) = if from < to { (End::Left, from) } else { (End::Right, from - 1) };
        self.run.from = if from < to { from + 1 } else { from - 1 };
        self.left -= 1;
        Some(Take { list, end, gain: self.lists[list].items[item] })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Line<'_> {}
