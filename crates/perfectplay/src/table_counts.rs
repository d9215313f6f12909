//! How many positions of a table there are of each kind, read from the file alone.

use std::collections::BTreeMap;

use game::{Outcome, Verdict};
use table::{BlockReader, TableError};

/// Counts of a table.
///
/// ```
/// assert_eq!(perfectplay::tables::TableCounts::default().positions, 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableCounts {
    /// How many positions there are, or parts.
    pub positions: u64,
    /// Lost, drawn and won by the player to move; scores by their sign.
    pub outcomes: [u64; 3],
    /// Those of them in which best play never ends.
    pub endless: u64,
    /// Lost, drawn and won, by the moves that are left.
    pub remoteness: BTreeMap<u32, [u64; 3]>,
    /// By score.
    pub scores: BTreeMap<i64, u64>,
    /// By nimber.
    pub nimbers: BTreeMap<u64, u64>,
    /// By infinite loopy nimber.
    pub loopy: BTreeMap<String, u64>,
    /// By what each player gets.
    pub payoffs: BTreeMap<Box<[i64]>, u64>,
    /// By the name of the value.
    pub values: BTreeMap<String, u64>,
}

/// Counts the entries of a table. `going` is told how many were counted, and ends the work by an error.
///
/// See [`crate::tables`] for an example.
pub fn counts<E: From<TableError>>(
    file: &BlockReader,
    mut going: impl FnMut(u64) -> Result<(), E>,
) -> Result<TableCounts, E> {
    let mut counts = TableCounts::default();
    for number in 0..file.blocks() {
        let block = file.block(number)?;
        for place in 0..block.len() {
            let entry = file.entry(&block, place)?;
            counts.count(&entry.verdict);
            if let Some(value) = entry.value {
                *counts.values.entry(value).or_default() += 1;
            }
        }
        going(counts.positions)?;
    }
    Ok(counts)
}

impl TableCounts {
    fn count(&mut self, verdict: &Verdict) {
        self.positions += 1;
        let outcome = match verdict {
            Verdict::Score(score) => Some(Outcome::of_sign(*score)),
            other => other.outcome(),
        };
        let side = outcome.map(|outcome| (outcome.sign() + 1) as usize);
        if let Some(side) = side {
            self.outcomes[side] += 1;
        }
        match verdict {
            Verdict::Score(score) => *self.scores.entry(*score).or_default() += 1,
            Verdict::Payoffs { totals, .. } => *self.payoffs.entry(totals.clone()).or_default() += 1,
            Verdict::Outcome { remoteness, .. } => match (remoteness, side) {
                (Some(moves), Some(side)) => self.remoteness.entry(*moves).or_default()[side] += 1,
                _ => self.endless += 1,
            },
            Verdict::Nimber(_) | Verdict::Loopy(_) => {}
        }
        if let Some(set) = verdict.infinite() {
            *self.loopy.entry(format!("∞{set}")).or_default() += 1;
        } else if let Some(nimber) = verdict.nimber() {
            *self.nimbers.entry(nimber).or_default() += 1;
        }
    }
}
