//! Hands the positions of a sample to the checker, out of the answers of a method, and writes them down.

use std::io::Write;

use engine::monitor::Monitor;
use game::{Random, Verdict};
use rules::bind::{Bound, Position};
use rules::play;
use verify::Refusal;
use verify::sample::{Samples, numbers};

use super::packer::Packer;
use super::{Unwritten, write_position};
use solve::error::SolveError;
use solve::solved::Solved;

/// Positions with more moves are not sampled.
const MOST_MOVES: usize = 10_000;
/// How often another position is tried.
const MOST_TRIES: u64 = 64;

/// Writes down a sample.
pub struct Sampler<'r, 'b, W> {
    pub solved: &'r Solved<'b>,
    pub packer: &'r mut Packer<W>,
    pub monitor: &'r mut Monitor,
    /// How many positions are still wanted.
    pub wanted: u64,
    /// Whether the start was looked at.
    pub begun: bool,
    pub random: Random,
    /// Why it could not go on.
    pub trouble: Option<Unwritten>,
}

impl<W: Write> Sampler<'_, '_, W> {
    fn kept<T>(&mut self, result: Result<T, Unwritten>) -> Result<T, Refusal> {
        result.map_err(|unwritten| {
            self.trouble = Some(unwritten);
            Refusal::Unwritten
        })
    }

    /// Whether the moves of a position can be listed, and all its options are known. Where play is over there is nothing to compare, and
    /// a method that does not know how long play lasts does not know it there.
    fn suits(&self, position: &Position) -> Result<bool, SolveError> {
        let (plays, more) = play::first_plays(self.solved.bound, position, MOST_MOVES)?;
        let known = |position: &Position| self.solved.verdict(position).is_some_and(|worth| numbers(&worth).is_some());
        let compares = !plays.is_empty() || *position == self.solved.start;
        Ok(!more && compares && known(position) && plays.iter().all(|play| known(&play.option(position))))
    }

    /// The next position: the start first, then any.
    fn next(&mut self) -> Result<Option<Position>, SolveError> {
        if !self.begun {
            self.begun = true;
            if self.suits(&self.solved.start)? {
                return Ok(Some(self.solved.start.clone()));
            }
        }
        for _ in 0..MOST_TRIES {
            let random = &mut self.random;
            let Some(position) = self.solved.answers.random(self.solved.start.turn, &mut || random.next()) else {
                return Ok(None);
            };
            if self.suits(&position)? {
                return Ok(Some(position));
            }
            if let Some(smaller) = self.smaller(position)
                && self.suits(&smaller)?
            {
                return Ok(Some(smaller));
            }
        }
        Ok(None)
    }

    /// A position of heaps with far smaller ones, whose moves are few: those of most heaps cannot be listed where heaps are very large.
    fn smaller(&mut self, mut position: Position) -> Option<Position> {
        let layout = &self.solved.bound.layout;
        if layout.cells() != 1 {
            return None;
        }
        for part in &mut position.parts {
            let heap = part.first_mut()?;
            *heap >>= self.random.next() % u64::from(u64::BITS - 1);
            if layout.misfit(part).is_some() {
                return None;
            }
        }
        Some(position)
    }
}

impl<W: Write> Samples for Sampler<'_, '_, W> {
    fn position(&mut self, _: &Bound) -> Result<Option<Position>, Refusal> {
        let next = if self.wanted == 0 { Ok(None) } else { self.next() };
        let next = self.kept(next.map_err(Unwritten::Solve))?;
        self.wanted = self.wanted.saturating_sub(1);
        let mut written = self.packer.number(next.is_some().into());
        if let (Ok(()), Some(position)) = (&written, &next) {
            written = write_position(self.packer, position);
        }
        self.kept(written.map_err(Unwritten::File))?;
        Ok(next)
    }

    fn worth(&mut self, bound: &Bound, position: &Position) -> Result<Verdict, Refusal> {
        let solved = self.solved;
        let worth = solved.verdict(position).and_then(|worth| numbers(&worth).map(|numbers| (worth, numbers)));
        let (worth, (kind, numbers)) =
            self.kept(worth.ok_or_else(|| solved.answers.missing(bound, position).into()))?;
        let mut written = self.packer.number(kind);
        for number in numbers {
            written = written.and_then(|()| self.packer.signed(number));
        }
        self.kept(written.map_err(Unwritten::File))?;
        Ok(worth)
    }

    fn passed(&mut self, positions: u64) -> Result<(), Refusal> {
        let ticked = self.monitor.tick(positions, 0);
        self.kept(ticked.map_err(|error| Unwritten::Solve(error.into())))
    }
}
