//! Games where the targets of each index are a window of later indices.
//!
//! Values are computed from the last index to the first. How the largest key of each window is found depends on how the
//! windows move, see [`super::maxima`]. Keys are 64 bits wide as long as that suffices; if one does not fit, everything
//! is computed again with 128.
//!
//! Only the values are stored. A best move is searched when it is asked for. A line of first best moves reads each
//! index at most once: a step passes everything that it read in vain.

use std::fmt;

use super::gains::{check_length, room_for};
use super::line::Tally;
use super::maxima::{Blocks, Key, Keys, LEAF, Maxima, Queue, Suffix, Tree};
use super::{AheadError, Gains, Step};
use crate::pace::{PIECE, Pace};

/// The targets of each index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Windows<'a> {
    /// From `i + least` to `i + most`, cut at the end of the list.
    Fixed {
        /// The least number of items that a move passes: at least one.
        least: usize,
        /// The most; `None` if a move may go to the end of the list.
        most: Option<usize>,
    },
    /// From `from[i]` to `to[i]`, both inclusive; empty if `from[i] > to[i]`. A window that is not empty lies ahead of
    /// its index and inside the list.
    Each {
        /// The first target of each index.
        from: &'a [usize],
        /// The last target of each index.
        to: &'a [usize],
    },
}

/// How values are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowMethod {
    /// One number is carried along.
    Suffix,
    /// Windows of a fixed width.
    Blocks,
    /// Windows whose ends never move back.
    Queue,
    /// Any windows.
    Tree,
}

impl WindowMethod {
    /// The method and its cost, in one line.
    pub const fn statement(self) -> &'static str {
        match self {
            WindowMethod::Suffix => {
                "suffix maxima: the best target so far is carried from the end to the start; time and memory grow as n"
            }
            WindowMethod::Blocks => {
                "window maxima: each index enters and leaves a window of fixed width once; time and memory grow as n"
            }
            WindowMethod::Queue => {
                "window maxima: each index enters and leaves a queue once; time and memory grow as n"
            }
            WindowMethod::Tree => {
                "range maxima: a tree answers for the window of each index; time grows as n log n, memory as n"
            }
        }
    }
}

impl fmt::Display for WindowMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.statement())
    }
}

/// A game where the targets of each index are a window of later indices.
///
/// ```
/// use rows::ahead::{Gains, WindowGame, Windows};
///
/// // Take one, two or three of the items 1, 2, 3, 7 from the front.
/// let sums = [0, 1, 3, 6, 13];
/// let game = WindowGame::new(Gains::of_items(&sums), Windows::Fixed { least: 1, most: Some(3) })?;
/// let solution = game.solve(&mut || true)?;
/// assert_eq!(solution.values(), [-1, 12, 10, 7, 0]);
/// assert_eq!(solution.best(0).collect::<Vec<_>>(), [3]);
/// # Ok::<(), rows::ahead::AheadError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WindowGame<'a> {
    gains: Gains<'a>,
    windows: Windows<'a>,
    last: usize,
    method: WindowMethod,
    /// The most indices that a window can have.
    widest: usize,
}

impl<'a> WindowGame<'a> {
    /// A game, if the lengths of its lists match and its windows lie ahead.
    pub fn new(gains: Gains<'a>, windows: Windows<'a>) -> Result<WindowGame<'a>, AheadError> {
        let last = gains.last_index()?;
        let (method, widest) = match windows {
            Windows::Fixed { least, most } => {
                let to = most.unwrap_or(last);
                if least == 0 {
                    return Err(AheadError::Window { index: 0, from: 0, to });
                }
                match most {
                    Some(most) if most < last => (WindowMethod::Blocks, (most + 1).saturating_sub(least)),
                    _ => (WindowMethod::Suffix, (last + 1).saturating_sub(least)),
                }
            }
            Windows::Each { from, to } => survey(from, to, last)?,
        };
        Ok(WindowGame { gains, windows, last, method, widest })
    }

    /// The last index, n.
    pub fn last(&self) -> usize {
        self.last
    }

    /// The gains of moves.
    pub fn gains(&self) -> &Gains<'a> {
        &self.gains
    }

    /// How values are computed.
    pub fn method(&self) -> WindowMethod {
        self.method
    }

    /// How many bytes [`WindowGame::solve`] allocates. Eight for each index stay; the rest is freed, and is up to twice
    /// as much if keys need 128 bits.
    pub fn bytes(&self) -> u128 {
        let (count, widest) = (self.last as u128 + 1, self.widest as u128);
        let rest = match self.method {
            WindowMethod::Suffix => 0,
            WindowMethod::Blocks => 8 * (widest + 1),
            WindowMethod::Queue => 16 * widest,
            WindowMethod::Tree => 16 * count.div_ceil(LEAF as u128),
        };
        8 * count + rest
    }

    /// The targets of an index, first and last, or `None` if there is no move.
    pub fn window(&self, index: usize) -> Option<(usize, usize)> {
        if index > self.last {
            return None;
        }
        let (from, to) = match self.windows {
            Windows::Fixed { least, most } => {
                (index.checked_add(least)?, most.map_or(self.last, |most| index.saturating_add(most).min(self.last)))
            }
            Windows::Each { from, to } => (from[index], to[index]),
        };
        (from <= to).then_some((from, to))
    }

    /// The values of all indices, including those that play does not reach: if one does not fit, there is no answer.
    pub fn solve(&self, keep_going: &mut dyn FnMut() -> bool) -> Result<WindowSolution<'a>, AheadError> {
        let pace = &mut Pace::new(keep_going);
        let mut values = room_for(0, self.last + 1)?;
        let narrow = self.solve_with::<i64>(&mut values, pace);
        if let Err(AheadError::Overflow { .. }) = narrow {
            self.solve_with::<i128>(&mut values, pace)?;
        } else {
            narrow?;
        }
        Ok(WindowSolution { game: *self, values })
    }

    fn solve_with<K: Key>(&self, values: &mut [i64], pace: &mut Pace<'_>) -> Result<(), AheadError> {
        match self.windows {
            Windows::Fixed { least, .. } if self.method == WindowMethod::Suffix => {
                self.sweep(Suffix::<K>::new(least), values, pace)
            }
            // No window at all: the same as windows that begin beyond the end.
            Windows::Fixed { .. } if self.widest == 0 => self.sweep(Suffix::<K>::new(usize::MAX), values, pace),
            Windows::Fixed { least, .. } => self.sweep(Blocks::<K>::new(least, self.widest)?, values, pace),
            Windows::Each { from, to } if self.method == WindowMethod::Queue => {
                self.sweep(Queue::<K>::new(from, to, self.widest)?, values, pace)
            }
            Windows::Each { from, to } => self.sweep(Tree::<K>::new(from, to)?, values, pace),
        }
    }

    /// From the last index to the first: the largest key of the window, then the value.
    fn sweep<K: Key>(
        &self,
        mut maxima: impl Maxima<K>,
        values: &mut [i64],
        pace: &mut Pace<'_>,
    ) -> Result<(), AheadError> {
        let gains = &self.gains;
        let mut end = values.len();
        while end > 0 {
            let start = end.saturating_sub(PIECE);
            for index in (start..end).rev() {
                let value = match maxima.largest(index, Keys { gains, values }) {
                    Some(largest) => largest.value(gains.leave_at(index)),
                    None => Some(gains.stuck_at(index)),
                };
                // The key must fit too: it is computed again later without a check.
                let Some(value) = value.filter(|&value| K::of(gains.arrive[index], value).is_some()) else {
                    return Err(AheadError::Overflow { index });
                };
                values[index] = value;
            }
            pace.spend(end - start)?;
            end = start;
        }
        Ok(())
    }
}

/// Checks windows that are given one by one, and finds how they move and how wide they are.
fn survey(from: &[usize], to: &[usize], last: usize) -> Result<(WindowMethod, usize), AheadError> {
    check_length("from", from.len(), last + 1)?;
    check_length("to", to.len(), last + 1)?;
    let mut method = WindowMethod::Queue;
    let mut widest = 0;
    let mut before = (0, 0);
    for (index, (&from, &to)) in from.iter().zip(to).enumerate() {
        if from > to {
            continue;
        }
        if from <= index || to > last {
            return Err(AheadError::Window { index, from, to });
        }
        if from < before.0 || to < before.1 {
            method = WindowMethod::Tree;
        }
        before = (from, to);
        widest = widest.max(to - from + 1);
    }
    Ok((method, widest))
}

/// The values of a [`WindowGame`], and the moves that follow from them.
#[derive(Clone, Debug)]
pub struct WindowSolution<'a> {
    game: WindowGame<'a>,
    values: Vec<i64>,
}

impl<'a> WindowSolution<'a> {
    /// The game.
    pub fn game(&self) -> &WindowGame<'a> {
        &self.game
    }

    /// The value of every index for the player to move there.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// The value of every index, as a vector of its own.
    pub fn into_values(self) -> Vec<i64> {
        self.values
    }

    /// The value of an index for the player to move there, if the index exists.
    pub fn value(&self, index: usize) -> Option<i64> {
        self.values.get(index).copied()
    }

    /// Every best target of an index, from the first to the last. Empty if there is no move.
    pub fn best(&self, index: usize) -> BestTargets<'_> {
        let Some((from, to)) = self.game.window(index) else { return BestTargets::default() };
        let key = i128::from(self.values[index]) + i128::from(self.game.gains.leave_at(index));
        BestTargets { key, next: from, arrive: &self.game.gains.arrive[from..=to], values: &self.values[from..=to] }
    }

    /// An optimal line of play from an index on, always to the first of the best targets. The whole line takes linear
    /// time.
    ///
    /// ```
    /// use rows::ahead::{Gains, WindowGame, Windows};
    ///
    /// // Merge two or more of the items −1, 2, −3, 4, −5 at the left, and gain what they make.
    /// let sums = [0, -1, 1, -2, 2, -3];
    /// let game = WindowGame::new(Gains::of_prefixes(&sums), Windows::Fixed { least: 1, most: None })?;
    /// let solution = game.solve(&mut || true)?;
    /// let totals: Vec<_> = solution.line(1).map(|step| (step.to, step.totals)).collect();
    /// assert_eq!(totals, [(4, [2, 0]), (5, [2, -3])]);
    /// # Ok::<(), rows::ahead::AheadError>(())
    /// ```
    pub fn line(&self, index: usize) -> WindowLine<'_, 'a> {
        WindowLine { solution: self, index, tally: Tally::default() }
    }
}

/// The best targets of an index, from the first to the last.
#[derive(Clone, Debug, Default)]
pub struct BestTargets<'s> {
    /// The key of a best target.
    key: i128,
    /// The next target to examine.
    next: usize,
    arrive: &'s [i64],
    values: &'s [i64],
}

impl Iterator for BestTargets<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let key = self.key;
        let mut pairs = self.arrive.iter().zip(self.values);
        let passed = pairs.position(|(&arrive, &value)| i128::from(arrive) - i128::from(value) == key);
        let Some(passed) = passed else {
            (self.arrive, self.values) = (&[], &[]);
            return None;
        };
        (self.arrive, self.values) = (&self.arrive[passed + 1..], &self.values[passed + 1..]);
        self.next += passed + 1;
        Some(self.next - 1)
    }
}

/// An optimal line of play: an iterator over its steps.
#[derive(Clone, Debug)]
pub struct WindowLine<'s, 'a> {
    solution: &'s WindowSolution<'a>,
    index: usize,
    tally: Tally,
}

impl WindowLine<'_, '_> {
    /// The index that the line has reached. When there are no more steps, [`Gains::stuck_at`] is what the player to
    /// move there still gets.
    pub fn index(&self) -> usize {
        self.index
    }
}

impl Iterator for WindowLine<'_, '_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let from = self.index;
        let to = self.solution.best(from).next()?;
        let gain = self.solution.game.gains.gain(from, to)?;
        self.index = to;
        Some(self.tally.step(from, to, gain))
    }
}
