//! What a worker holds: the positions whose keys fall to it, numbered as they are met, and what is known of each.

use engine::interner::{Interner, Words};
use engine::memory::Memory;
use game::{Outcome, Remoteness};

use crate::arrows::Arrows;
use crate::column::Column;
use crate::error::Trouble;
use crate::game::Sought;

/// What is known of a position that is won, drawn or lost: its outcome in the two high bits and the remoteness below; while it is
/// open, how many options are not decided.
pub mod cell {
    use super::{Outcome, Remoteness};

    const SHIFT: u32 = 30;
    /// In place of a remoteness: play need never end. Also one more than the largest remoteness, and than the most options.
    pub const NEVER: u32 = (1 << SHIFT) - 1;

    /// A decided position.
    pub fn decided(outcome: Outcome, remoteness: Remoteness) -> u32 {
        ((outcome.sign() + 2) as u32) << SHIFT | remoteness.unwrap_or(NEVER)
    }

    /// Whether a position is decided.
    #[inline]
    pub fn is_decided(cell: u32) -> bool {
        cell >> SHIFT != 0
    }

    /// What a decided position is worth.
    pub fn read(cell: u32) -> Option<(Outcome, Remoteness)> {
        let remoteness = Some(cell & NEVER).filter(|moves| *moves != NEVER);
        let sign = (cell >> SHIFT) as i64 - 2;
        is_decided(cell).then(|| (Outcome::of_sign(sign), remoteness))
    }

    #[test]
    fn cells_are_read_as_they_were_written() {
        for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
            for remoteness in [None, Some(0), Some(5), Some(NEVER - 1)] {
                assert_eq!(read(decided(outcome, remoteness)), Some((outcome, remoteness)));
            }
        }
        assert_eq!(read(NEVER), None);
    }
}

/// The positions of a worker.
pub struct Holding {
    /// Keys by number, and numbers by key.
    pub table: Interner<Words>,
    /// Outcomes, as [`cell`] has them; where scores are sought, how many options are not valued.
    pub cells: Column<u32>,
    /// How many options each position has, where nimbers are sought.
    pub options: Column<u32>,
    /// Scores, as far as options are valued.
    pub scores: Column<i64>,
    /// The nimbers, once they are found.
    pub nimbers: Option<Column<u32>>,
    /// The moves to them.
    pub arrows: Arrows,
    /// What is worked out.
    pub sought: Sought,
}

impl Holding {
    /// No positions yet, with keys of so many words.
    pub fn new(words: usize, sought: Sought, memory: &Memory) -> Holding {
        Holding {
            table: Interner::<Words>::new(words, memory),
            cells: Column::new(memory),
            options: Column::new(memory),
            scores: Column::new(memory),
            nimbers: None,
            arrows: Arrows::new(sought == Sought::Scores, memory),
            sought,
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// About how many bytes a snapshot takes.
    pub fn bytes(&self) -> u64 {
        let columns = 4 * (self.cells.len() + self.options.len()) + 8 * self.scores.len();
        (8 * self.table.words() * self.len() + columns) as u64 + self.arrows.bytes()
    }

    /// How many of them were expanded: they are expanded in the order of their numbers.
    pub fn expanded(&self) -> usize {
        self.cells.len()
    }

    /// Keeps what the next position is: an end that is worth so much to its mover, or open with so many options.
    pub fn keep(&mut self, end: Option<i64>, options: usize) -> Result<(), Trouble> {
        let count = u32::try_from(options).ok().filter(|count| *count < cell::NEVER);
        let count = count.ok_or(engine::Error::Limit { limit: engine::Limit::Positions, positions: 0 })?;
        match (self.sought, end) {
            (Sought::Scores, end) => {
                self.cells.push(count)?;
                self.scores.push(end.unwrap_or(i64::MIN))?;
            }
            (_, Some(end)) => self.cells.push(cell::decided(Outcome::of_sign(end.signum()), Some(0)))?,
            (_, None) => self.cells.push(count)?,
        }
        if self.sought == Sought::Nimbers {
            self.options.push(count)?;
        }
        Ok(())
    }
}

/// The worker to whom a key falls, of so many.
#[inline]
pub fn owner(key: &[u64], workers: usize) -> usize {
    let mut hash = 0x2545_f491_4f6c_dd1d_u64;
    for &word in key {
        let product = u128::from(word ^ hash) * 0xd6e8_feb8_6659_fd93;
        hash = (product as u64 ^ (product >> 64) as u64).rotate_left(29);
    }
    ((u128::from(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15)) * workers as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_has_about_as_many_keys() {
        for workers in [1, 2, 3, 8, 13] {
            let mut counts = vec![0_usize; workers];
            (0..100_000_u64).for_each(|key| counts[owner(&[key], workers)] += 1);
            let most = counts.iter().max().unwrap() * workers;
            assert!(most < 105_000, "{workers}: {counts:?}");
        }
    }
}
