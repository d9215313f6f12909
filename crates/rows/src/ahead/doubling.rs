//! Games where a move may pass more items the more were passed before.
//!
//! A position is an index `i` and a bound `m`. A move passes x items, from 1 to limit(m), and leads to the index i + x
//! and the bound max(m, x). The limit is any list that does not fall: twice the bound, one more than the bound, and so
//! on.
//!
//! The plain method reads all moves of every pair: n³ steps. Here every pair that needs a cell, see [`super::layout`],
//! takes a fixed number of steps, see [`super::filling`]. Where the cells of all pairs are too many for the memory, a band of
//! bounds is kept at a time, and another one is computed when it is asked for.

use std::ops::Range;

use super::filling;
use super::gains::check_length;
use super::layout::Layout;
use super::line::Tally;
use super::table::{CellWidth, Table};
use super::{AheadError, Gains, Step};
use crate::pace::Pace;

/// A game where a move may pass more items the more were passed before, from a start on.
///
/// ```
/// use rows::ahead::{DoublingGame, Gains};
///
/// // The piles 2, 7, 9, 4, 4: take up to twice as many as the most that was taken before; at first, up to two.
/// let sums = [0, 2, 9, 18, 22, 26];
/// let limits: Vec<usize> = (0..=5).map(|m| 2 * m).collect();
/// let game = DoublingGame::new(Gains::of_items(&sums), &limits, (0, 1))?;
/// let solution = game.solve(&mut || true)?;
/// assert_eq!(solution.value(0, 1), Some(-6));
/// assert_eq!(solution.best(0, 1).collect::<Vec<_>>(), [1]);
/// # Ok::<(), rows::ahead::AheadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DoublingGame<'a> {
    gains: Gains<'a>,
    limits: &'a [usize],
    layout: Layout,
    cell: CellWidth,
}

impl<'a> DoublingGame<'a> {
    /// A game from a start, which is an index and a bound. `limits` has an entry for each bound from 0 to the larger of
    /// n and the start's bound; from the start's bound on, limits do not fall.
    pub fn new(gains: Gains<'a>, limits: &'a [usize], start: (usize, usize)) -> Result<DoublingGame<'a>, AheadError> {
        let last = gains.last_index()?;
        let (index, bound) = start;
        if index > last {
            return Err(AheadError::Start { index, last });
        }
        let wanted = last.max(bound).saturating_add(1);
        if limits.len() < wanted {
            check_length("limits", limits.len(), wanted)?;
        }
        if let Some(k) = limits[bound..].windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(AheadError::FallingLimit { bound: bound + k + 1 });
        }
        let layout = Layout::new(last, start, limits)?;
        let cell = CellWidth::for_keys(&gains, index);
        Ok(DoublingGame { gains, limits, layout, cell })
    }

    /// The last index, n.
    pub fn last(&self) -> usize {
        self.layout.last
    }

    /// The gains of moves.
    pub fn gains(&self) -> &Gains<'a> {
        &self.gains
    }

    /// The start: its index and its bound.
    pub fn start(&self) -> (usize, usize) {
        self.layout.start
    }

    /// How many pairs of an index and a bound need a cell.
    pub fn pairs(&self) -> u128 {
        self.layout.cells
    }

    /// How many bytes [`DoublingGame::solve`] allocates. That is little more than the cells.
    pub fn bytes(&self) -> u128 {
        self.band_bytes(&self.layout.bounds())
    }

    /// How many bytes [`DoublingGame::solve_band`] allocates.
    pub fn band_bytes(&self, band: &Range<usize>) -> u128 {
        filling::bytes(&self.layout, self.limits, self.cell, band)
    }

    /// The bounds cut into bands, each as wide as the memory allows: the first, which has the start in it, within `first`
    /// bytes, and each of the others within `others`. `None` if that is not possible.
    pub fn bands(&self, first: u128, others: u128) -> Option<Vec<Range<usize>>> {
        let bounds = self.layout.bounds();
        let mut bands: Vec<Range<usize>> = Vec::new();
        while bands.is_empty() || bands.last().is_some_and(|band| band.end < bounds.end) {
            let (start, room) = bands.last().map_or((bounds.start, first), |band| (band.end, others));
            let fits = |end: usize| self.band_bytes(&(start..end)) <= room;
            let (mut low, mut high) = (start.saturating_add(1).min(bounds.end), bounds.end);
            if !fits(low) {
                return None;
            }
            while low < high {
                let middle = high - (high - low) / 2;
                (low, high) = if fits(middle) { (middle, high) } else { (low, middle - 1) };
            }
            bands.push(start..low);
        }
        Some(bands)
    }

    /// The method and its cost, in one line.
    pub const fn statement(&self) -> &'static str {
        "window maxima: each pair of an index and a bound that play can reach and that still binds is computed once, in \
         constant time; time and memory grow as n²"
    }

    /// The most items that a move may pass; 0 if the bound is unknown.
    fn most(&self, index: usize, bound: usize) -> usize {
        let limit = self.limits.get(bound).copied().unwrap_or(0);
        limit.min(self.layout.last.saturating_sub(index))
    }

    /// The values of all positions that play can reach from the start, and of a few more.
    pub fn solve(&self, keep_going: &mut dyn FnMut() -> bool) -> Result<DoublingSolution<'a>, AheadError> {
        let DoublingValues { keys, .. } = self.solve_band(&self.layout.bounds(), keep_going)?;
        Ok(DoublingSolution { game: self.clone(), keys })
    }

    /// The values of the positions with some bounds, and where play is free of the bound. See [`DoublingGame::bands`].
    ///
    /// ```
    /// use rows::ahead::{DoublingGame, Gains};
    ///
    /// let sums: Vec<i64> = (0..=300).map(|k| k * k % 1000).collect();
    /// let limits: Vec<usize> = (0..=300).map(|m| 2 * m).collect();
    /// let game = DoublingGame::new(Gains::of_items(&sums), &limits, (0, 1))?;
    /// let whole = game.solve(&mut || true)?;
    /// let bands = game.bands(game.bytes() * 2 / 3, game.bytes() * 2 / 3).unwrap();
    /// assert!(bands.len() > 1);
    /// let second = game.solve_band(&bands[1], &mut || true)?;
    /// let bound = bands[1].start;
    /// assert_eq!(second.value(&limits, &sums, (3 * bound, bound)), whole.value(3 * bound, bound));
    /// # Ok::<(), rows::ahead::AheadError>(())
    /// ```
    pub fn solve_band(
        &self,
        band: &Range<usize>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<DoublingValues, AheadError> {
        let pace = &mut Pace::new(keep_going);
        let (layout, gains, limits) = (&self.layout, &self.gains, self.limits);
        let keys = match self.cell {
            CellWidth::Four => Tables::Four(Table::fill(layout, gains, limits, band, pace)?),
            CellWidth::Eight => Tables::Eight(Table::fill(layout, gains, limits, band, pace)?),
            CellWidth::Sixteen => Tables::Sixteen(Table::fill(layout, gains, limits, band, pace)?),
        };
        Ok(DoublingValues { layout: self.layout.clone(), keys })
    }
}

/// A table with cells of one width.
#[derive(Clone, Debug)]
enum Tables {
    Four(Table<i32>),
    Eight(Table<i64>),
    Sixteen(Table<i128>),
}

impl Tables {
    fn value(&self, layout: &Layout, limits: &[usize], arrive: &[i64], (index, bound): (usize, usize)) -> Option<i64> {
        let limit = *limits.get(bound).filter(|_| bound >= layout.start.1)?;
        let key = match self {
            Tables::Four(table) => table.key(layout, limit, index, bound),
            Tables::Eight(table) => table.key(layout, limit, index, bound),
            Tables::Sixteen(table) => table.key(layout, limit, index, bound),
        };
        let relative = i128::from(*arrive.get(index)?) - i128::from(*arrive.get(layout.last)?);
        i64::try_from(relative - key?).ok()
    }
}

/// The values of a [`DoublingGame`], without the game.
#[derive(Clone, Debug)]
pub struct DoublingValues {
    layout: Layout,
    keys: Tables,
}

impl DoublingValues {
    /// The value of a position, given the limits of the game and its `arrive` numbers.
    pub fn value(&self, limits: &[usize], arrive: &[i64], position: (usize, usize)) -> Option<i64> {
        self.keys.value(&self.layout, limits, arrive, position)
    }
}

/// The values of a [`DoublingGame`], and the moves that follow from them.
#[derive(Clone, Debug)]
pub struct DoublingSolution<'a> {
    game: DoublingGame<'a>,
    keys: Tables,
}

impl<'a> DoublingSolution<'a> {
    /// The game.
    pub fn game(&self) -> &DoublingGame<'a> {
        &self.game
    }

    /// The value of a position for the player to move. It is known for every position that play can reach from the
    /// start.
    pub fn value(&self, index: usize, bound: usize) -> Option<i64> {
        self.keys.value(&self.game.layout, self.game.limits, self.game.gains.arrive, (index, bound))
    }

    /// The values without the lists of the game, which the caller must then supply.
    pub fn into_values(self) -> DoublingValues {
        DoublingValues { layout: self.game.layout, keys: self.keys }
    }

    /// Every best number of items to pass, from the least to the most. Empty if there is no move, or if the value is
    /// not known.
    pub fn best(&self, index: usize, bound: usize) -> BestCounts<'_, 'a> {
        let value = self.value(index, bound);
        let most = value.map_or(0, |_| self.game.most(index, bound));
        BestCounts { solution: self, index, bound, value: value.unwrap_or(0).into(), counts: 1..most + 1 }
    }

    /// An optimal line of play from a position on, always by the least of the best numbers. The whole line takes linear
    /// time.
    pub fn line(&self, index: usize, bound: usize) -> DoublingLine<'_, 'a> {
        DoublingLine { solution: self, position: (index, bound), tally: Tally::default() }
    }
}

/// The best numbers of items to pass, from the least to the most.
#[derive(Clone, Debug)]
pub struct BestCounts<'s, 'a> {
    solution: &'s DoublingSolution<'a>,
    index: usize,
    bound: usize,
    value: i128,
    counts: std::ops::Range<usize>,
}

impl Iterator for BestCounts<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let BestCounts { solution, index, bound, value, .. } = *self;
        self.counts.find(|&count| {
            let gain = solution.game.gains.gain(index, index + count);
            let after = solution.value(index + count, bound.max(count));
            gain.zip(after).is_some_and(|(gain, after)| gain - i128::from(after) == value)
        })
    }
}

/// An optimal line of play: an iterator over its steps.
#[derive(Clone, Debug)]
pub struct DoublingLine<'s, 'a> {
    solution: &'s DoublingSolution<'a>,
    position: (usize, usize),
    tally: Tally,
}

impl DoublingLine<'_, '_> {
    /// The index and the bound that the line has reached. When there are no more steps, [`Gains::stuck_at`] is what the
    /// player to move there still gets.
    pub fn position(&self) -> (usize, usize) {
        self.position
    }
}

impl Iterator for DoublingLine<'_, '_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let (from, bound) = self.position;
        let count = self.solution.best(from, bound).next()?;
        let to = from + count;
        let gain = self.solution.game.gains.gain(from, to)?;
        self.position = (to, bound.max(count));
        Some(self.tally.step(from, to, gain))
    }
}
