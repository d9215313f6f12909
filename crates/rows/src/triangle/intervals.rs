//! A computed triangle, for readers.

use std::borrow::Cow;

use super::kept::Read;
use super::normal::Normal;
use super::{Gains, Storage};
use crate::taking::End;

/// What is known about the intervals of a row.
pub struct Triangle<'a> {
    gains: Cow<'a, Gains>,
    normal: Normal,
    storage: Storage,
    value: i128,
    /// Empty if the table is on a shelf.
    prefixes: Vec<i128>,
    kept: Box<dyn Read>,
}

impl<'a> Triangle<'a> {
    pub(super) fn new(
        gains: &'a Gains,
        normal: Normal,
        storage: Storage,
        prefixes: Vec<i128>,
        kept: Box<dyn Read>,
    ) -> Self {
        let value = prefixes.last().copied().unwrap_or(0);
        Self { gains: Cow::Borrowed(gains), normal, storage, value, prefixes, kept }
    }

    /// A triangle with all leads on a shelf; `None` if the shelf does not have the value.
    pub(super) fn shelved(gains: &'a Gains, normal: Normal, kept: Box<dyn Read>) -> Option<Self> {
        let mut triangle = Self::new(gains, normal, Storage::Table, Vec::new(), kept);
        triangle.value = triangle.lead(0, gains.len())?;
        Some(triangle)
    }

    /// A triangle that owns its gains.
    pub fn into_owned(self) -> Triangle<'static> {
        let Self { gains, normal, storage, value, prefixes, kept } = self;
        Triangle { gains: Cow::Owned(gains.into_owned()), normal, storage, value, prefixes, kept }
    }

    /// The gains of moves.
    pub fn gains(&self) -> &Gains {
        &self.gains
    }

    /// What is kept.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// The mover's lead with all items left.
    pub fn value(&self) -> i128 {
        self.value
    }

    /// The mover's leads with the first 1, 2, 3, … items left; empty if they are on a shelf. Those of the last items
    /// are these of the [mirrored](Gains::mirrored) row.
    pub fn prefixes(&self) -> &[i128] {
        &self.prefixes
    }

    /// The mover's lead with the items i..j left; `None` if it is not kept, or the interval does not exist.
    pub fn lead(&self, i: usize, j: usize) -> Option<i128> {
        if i > j || j > self.gains.len() {
            return None;
        }
        if i == j {
            return Some(0);
        }
        if i == 0
            && let Some(&lead) = self.prefixes.get(j - 1)
        {
            return Some(lead);
        }
        let cell = self.kept.cell(i, j)?;
        Some(self.normal.lead(&self.gains, i, j, cell))
    }

    /// A best move with the items i..j left, the first item if both ends are best. `None` if it is not kept, or there
    /// is no move.
    pub fn best(&self, i: usize, j: usize) -> Option<End> {
        if i >= j || j > self.gains.len() {
            return None;
        }
        let first = match self.storage {
            Storage::Value => return None,
            Storage::Moves => self.kept.first_is_best(i, j)?,
            Storage::Table => self.gains.first(i, j) - self.lead(i + 1, j)? == self.lead(i, j)?,
        };
        Some(if first { End::Left } else { End::Right })
    }

    /// A best line of play from the whole row to its end; `None` if moves are not kept.
    pub fn line(&self) -> Option<Vec<End>> {
        let (mut i, mut j) = (0, self.gains.len());
        let mut line = Vec::with_capacity(j);
        while i < j {
            let end = self.best(i, j)?;
            match end {
                End::Left => i += 1,
                End::Right => j -= 1,
            }
            line.push(end);
        }
        Some(line)
    }
}
