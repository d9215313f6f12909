//! The winning moves of a heap of any size beside others.
//!
//! If the classes of heaps repeat, the results of moves do too: the class of the parts `a` and `m − a` repeats in `a`
//! as long as both are after the start of the period. So after a whole round without a win there is none further on,
//! until a part falls below the start again.

use super::{Class, Classes, Rules, Way};
use crate::misere::genus::Tame;
use crate::subtraction::Takes;
use crate::take_break::{Moves, Split, Take, TakeAndBreak};

/// How many options are examined before the search gives up.
const STEPS: u64 = 50_000_000;

/// A search in progress.
struct Search<'a> {
    classes: &'a Classes,
    heap: u64,
    limit: usize,
    steps: u64,
    /// Where classes begin to repeat, and after how many heaps.
    start: u64,
    round: u64,
    found: Vec<Take>,
}

/// Ends a search early: enough was found, too much was tried, or a class is not known.
struct Stop;

impl Classes {
    /// The first `limit` moves of a heap that win beside a sum of class `beside`; `None` if the class of the heap is
    /// not known. They are ordered by what is taken, then by the parts; with nim-values, they are the moves that take
    /// most.
    pub fn winning_moves(&self, heap: u64, beside: Class, limit: usize) -> Option<Moves> {
        self.class(heap)?;
        if let (Way::Nimbers(nimbers), Class::Tame(tame)) = (&self.way, beside) {
            // Beside a fickle sum only a fickle heap loses, and its value is the other of 0 and 1.
            let wanted = match tame {
                Tame::Fickle(value) => value ^ 1,
                Tame::Firm(value) => value,
            };
            let found = nimbers.moves_to(heap, wanted, limit)?;
            let takes = found.takes.into_iter().map(|taken| made(taken, &[heap - taken]));
            return Some(Moves { moves: takes.collect(), complete: found.complete });
        }
        let (start, round) = self.period().map_or((u64::MAX, u64::MAX), |(period, _)| (period.start, period.length));
        let mut search = Search { classes: self, heap, limit, steps: STEPS, start, round, found: Vec::new() };
        let complete = match &self.rules {
            Rules::Shift(game) => search.shifts(game.takes(), beside).is_ok(),
            Rules::Break(game) => search.breaks(game, beside).is_ok(),
        };
        Some(Moves { moves: search.found, complete })
    }
}

/// After how many parts the conditions on them repeat.
fn modulus(split: &Split) -> u64 {
    split.residues.map_or(1, |residues| u64::from(residues.modulus))
}

/// A move; empty parts are dropped.
fn made(taken: u64, parts: &[u64]) -> Take {
    Take { taken, parts: parts.iter().copied().filter(|&part| part > 0).collect() }
}

impl Search<'_> {
    fn shifts(&mut self, takes: &[Takes], beside: Class) -> Result<(), Stop> {
        let mut done = Ok(());
        let heap = self.heap;
        for (low, high) in takes.iter().filter_map(|takes| takes.options(heap)) {
            let (mut room, mut idle, mut rest) = (self.limit, 0, high);
            loop {
                self.step()?;
                if self.is_loss(beside, &[rest])? {
                    if room == 0 {
                        done = Err(Stop);
                        break;
                    }
                    (room, idle) = (room - 1, 0);
                    self.found.push(made(heap - rest, &[rest]));
                } else if rest >= self.start {
                    idle += 1;
                }
                if idle > self.round {
                    // A round without a win: continue below the start.
                    (rest, idle) = (self.start, 0);
                }
                if rest <= low {
                    break;
                }
                rest -= 1;
            }
        }
        // Ranges may overlap.
        self.found.sort_by_key(|take| take.taken);
        self.found.dedup();
        if self.found.len() > self.limit {
            self.found.truncate(self.limit);
            done = Err(Stop);
        }
        done
    }

    fn breaks(&mut self, game: &TakeAndBreak, beside: Class) -> Result<(), Stop> {
        let most = game.most_taken().unwrap_or(self.heap).min(self.heap);
        for taken in 0..=most {
            self.step()?;
            let (digit, left) = (game.digit(taken), self.heap - taken);
            if digit.leaves(usize::from(left > 0)) && self.is_loss(beside, &[left])? {
                self.push(taken, &[left])?;
            }
            if digit.leaves(2) {
                self.pairs(game, beside, taken, None, left)?;
            }
            if digit.leaves(3) {
                self.triples(game, beside, taken, left)?;
            }
        }
        Ok(())
    }

    /// Three parts. If the least part is a round after the start and the triple wins, a triple further down wins too: a
    /// round less there, and a round more in the largest part.
    fn triples(&mut self, game: &TakeAndBreak, beside: Class, taken: u64, sum: u64) -> Result<(), Stop> {
        let round = self.round.saturating_mul(modulus(game.split()));
        let mut idle = 0;
        for part in u64::from(game.split().least)..=sum / 3 {
            let with = self.classes.plus(beside, self.classes.class(part).ok_or(Stop)?);
            let some = self.pairs(game, with, taken, Some(part), sum - part)?;
            idle = if part >= self.start && !some { idle + 1 } else { 0 };
            if idle > round {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Pairs with this sum whose first part is at least `third`, the third part. Returns whether some pair wins,
    /// allowed or not.
    fn pairs(
        &mut self,
        game: &TakeAndBreak,
        beside: Class,
        taken: u64,
        third: Option<u64>,
        sum: u64,
    ) -> Result<bool, Stop> {
        let split = game.split();
        let round = self.round.saturating_mul(modulus(split));
        let within = split.within.map_or(0, |within| sum.saturating_sub(u64::from(within)).div_ceil(2));
        let first = u64::from(split.least).max(within).max(third.unwrap_or(0));
        let (mut idle, mut some) = (0, false);
        for part in first..=sum / 2 {
            self.step()?;
            let other = sum - part;
            idle = if part >= self.start && other >= self.start { idle + 1 } else { 0 };
            if idle > round {
                break;
            }
            let parts = [third.unwrap_or(part), part, other];
            let parts = if third.is_some() { &parts[..] } else { &parts[1..] };
            if self.is_loss(beside, &[part, other])? {
                (idle, some) = (0, true);
                if split.allows(parts) {
                    self.push(taken, parts)?;
                }
            }
        }
        Ok(some)
    }

    fn is_loss(&self, beside: Class, parts: &[u64]) -> Result<bool, Stop> {
        let plus = |total, &part: &u64| Some(self.classes.plus(total, self.classes.class(part)?));
        parts.iter().try_fold(beside, plus).map(|class| self.classes.is_loss(class)).ok_or(Stop)
    }

    fn step(&mut self) -> Result<(), Stop> {
        self.steps = self.steps.checked_sub(1).ok_or(Stop)?;
        Ok(())
    }

    fn push(&mut self, taken: u64, parts: &[u64]) -> Result<(), Stop> {
        if self.found.len() >= self.limit {
            return Err(Stop);
        }
        self.found.push(made(taken, parts));
        Ok(())
    }
}
