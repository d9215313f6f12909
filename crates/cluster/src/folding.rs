//! Scores and nimbers: a position is valued when the last of its options is.
//!
//! From the ends back, too: each valued position tells its value to those that lead to it. A level is how long play can last. Where
//! positions repeat, some are never valued.

use std::collections::HashMap;

use engine::memory::Lease;

use crate::arrows::Arrow;
use crate::column::Column;
use crate::error::Trouble;
use crate::holding::Holding;
use crate::levels::{First, Levels, Step};
use crate::saved::{Stage, Standing};
use solve::error::SolveError;

/// The positions without options that are not valued yet.
fn ends(options: &Column<u32>, levels: &Levels<'_, '_>) -> Result<Column<u32>, Trouble> {
    let mut ends = Column::new(levels.monitor.memory());
    let found = options.iter().enumerate().filter(|(_, options)| *options == 0);
    found.map(|(number, _)| number as u32).try_for_each(|number| ends.push(number))?;
    Ok(ends)
}

/// Finds the scores of all positions; false if some repeat.
pub fn scores(holding: &mut Holding, levels: &mut Levels<'_, '_>, standing: Option<Standing>) -> Result<bool, Trouble> {
    let first = match standing.filter(|standing| standing.stage == Stage::Scores) {
        Some(standing) => First { stage: Some(Stage::Scores), level: standing.level, positions: standing.positions },
        None => First { stage: Some(Stage::Scores), level: 0, positions: ends(&holding.cells, levels)? },
    };
    levels.run(holding, first, &mut Scores)?;
    // All were told of the last option.
    let letters = levels.post.letters();
    let left = holding.cells.iter().filter(|left| *left > 0).count() as u64;
    let [left, ..] = levels.post.turn(letters, [left, 0, 0, 0], |_| Ok(()))?;
    Ok(left == 0)
}

/// Finds the nimbers of all positions; false if some repeat.
pub fn nimbers(holding: &mut Holding, levels: &mut Levels<'_, '_>) -> Result<bool, Trouble> {
    let memory = levels.monitor.memory().clone();
    let ends = ends(&holding.options, levels)?;
    let mut found = Column::new(&memory);
    let mut marks = Column::new(&memory);
    for _ in 0..holding.len() {
        found.push(0_u32)?;
        marks.push(0_u64)?;
    }
    let mut step = Nimbers { found, marks, large: HashMap::new(), lease: memory.lease() };
    let first = First { stage: None, level: 0, positions: ends };
    let is_all = levels.run(holding, first, &mut step)? == levels.met;
    if is_all {
        holding.nimbers = Some(step.found);
    }
    Ok(is_all)
}

/// What is told is what the move is worth to who makes it: its gain and what follows.
struct Scores;

impl Step for Scores {
    const BITS: u32 = 64;

    fn tell(&self, holding: &Holding, position: u32, arrow: Arrow) -> Result<u64, Trouble> {
        let score = holding.scores.get(position as usize);
        let sum = if arrow.same { arrow.gain.checked_add(score) } else { arrow.gain.checked_sub(score) };
        Ok(sum.ok_or(SolveError::Overflow)? as u64)
    }

    fn hear(&mut self, holding: &mut Holding, position: u32, told: u64, _: u32) -> Result<bool, Trouble> {
        let score = holding.scores.at(position as usize);
        *score = (*score).max(told as i64);
        let left = holding.cells.at(position as usize);
        *left = left.saturating_sub(1);
        Ok(*left == 0)
    }
}

/// What is told is the nimber.
struct Nimbers {
    found: Column<u32>,
    /// A bit for each nimber below 64 that an option has.
    marks: Column<u64>,
    /// More bits, for the few positions that have options with larger ones.
    large: HashMap<u32, Vec<u64>>,
    lease: Lease,
}

impl Nimbers {
    /// The least nimber that no option of a position has.
    fn mex(&self, position: u32) -> u32 {
        let first = self.marks.get(position as usize).trailing_ones();
        if first < 64 {
            return first;
        }
        let more = self.large.get(&position).map_or(&[][..], |more| more);
        let full = more.iter().take_while(|word| **word == u64::MAX).count();
        64 + 64 * full as u32 + more.get(full).map_or(0, |word| word.trailing_ones())
    }
}

impl Step for Nimbers {
    const BITS: u32 = 32;

    fn tell(&self, _: &Holding, position: u32, _: Arrow) -> Result<u64, Trouble> {
        Ok(u64::from(self.found.get(position as usize)))
    }

    fn hear(&mut self, holding: &mut Holding, position: u32, told: u64, _: u32) -> Result<bool, Trouble> {
        match told {
            0..64 => *self.marks.at(position as usize) |= 1 << told,
            _ => {
                let (word, bit) = ((told / 64 - 1) as usize, told % 64);
                let more = self.large.entry(position).or_default();
                if more.len() <= word {
                    self.lease.grow(64 + 8 * (word + 1 - more.len()) as u64)?;
                    more.resize(word + 1, 0);
                }
                more[word] |= 1 << bit;
            }
        }
        let left = holding.options.at(position as usize);
        *left = left.saturating_sub(1);
        if *left > 0 {
            return Ok(false);
        }
        *self.found.at(position as usize) = self.mex(position);
        self.large.remove(&position);
        Ok(true)
    }
}
