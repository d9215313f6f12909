//! Tables that a loop nest fills: one number for each code, in the encodings of [`jit::Values`].

use game::{Nimber, Outcome, Remoteness};
use jit::{Filler, Halt, Values};
use memmap2::{MmapMut, MmapOptions};

use crate::error::SolveError;
use crate::memory::{Lease, Memory};
use crate::monitor::Monitor;

/// A filled table.
#[derive(Debug)]
pub struct Filled {
    values: Values,
    bytes: MmapMut,
    lease: Lease,
}

/// Tables of at least so many bytes ask for large pages: what a fill of a large table costs is mostly the first touch of each
/// page, and large ones are touched 512 times less often.
const LARGE: usize = 4 << 20;

/// Why a table was not filled.
#[derive(Debug)]
pub(crate) enum Unfilled {
    /// The rules go wrong at this code, which play may never reach.
    Fault,
    /// A limit or a stop.
    Solve(SolveError),
}

impl Filled {
    /// How many bytes a table of so many places takes.
    pub fn bytes_for(values: Values, places: u64) -> u64 {
        places.saturating_mul(values.width() as u64).saturating_add(8)
    }

    /// Fills a table, in slices, so that limits and a stop are seen.
    pub(crate) fn fill(
        filler: &Filler,
        values: Values,
        places: u64,
        threads: usize,
        monitor: &mut Monitor,
    ) -> Result<Filled, Unfilled> {
        let mut filled = Filled::empty(values, filler.bytes(), monitor.memory()).map_err(Unfilled::Solve)?;
        let mut stopped = None;
        let bytes = filler.bytes();
        let result =
            filler.run(&mut filled.bytes[..bytes], threads, &mut |done| match monitor.look(places, done.min(places)) {
                Ok(()) => true,
                Err(error) => {
                    stopped = Some(error);
                    false
                }
            });
        match (result, stopped) {
            (_, Some(error)) => Err(Unfilled::Solve(error)),
            (Err(Halt::Fault(_)), _) => Err(Unfilled::Fault),
            (Err(Halt::Stopped), None) => Err(Unfilled::Solve(SolveError::Internal("a fill stopped".to_string()))),
            (Ok(()), None) => Ok(filled),
        }
    }

    fn empty(values: Values, bytes: usize, memory: &Memory) -> Result<Filled, SolveError> {
        let mut lease = memory.lease();
        lease.grow(bytes as u64)?;
        let mapped = MmapOptions::new().len(bytes.max(1)).map_anon();
        let mapped = mapped.map_err(|_| memory.exceeded(memory.used()))?;
        #[cfg(target_os = "linux")]
        if bytes >= LARGE {
            // Only a wish: where the system has no large pages, small ones do.
            let _ = mapped.advise(memmap2::Advice::HugePage);
        }
        Ok(Filled { values, bytes: mapped, lease })
    }

    /// What the table takes.
    pub fn taken(&self) -> u64 {
        self.lease.bytes()
    }

    /// The entry of a code, with its sign.
    fn entry(&self, code: u64) -> Option<i64> {
        let width = self.values.width();
        let start = usize::try_from(code).ok()?.checked_mul(width)?;
        let bytes = self.bytes.get(start..start + width)?;
        let mut wide = [0; 8];
        wide[..width].copy_from_slice(bytes);
        let shift = 64 - 8 * width as u32;
        Some((i64::from_le_bytes(wide) << shift) >> shift)
    }

    /// Won, drawn or lost, with remoteness where the table has it.
    pub fn outcome(&self, code: u64) -> Option<(Outcome, Remoteness)> {
        let entry = self.entry(code)?;
        let largest = i64::MAX >> (64 - 8 * self.values.width());
        let moves = |moves: i64| u32::try_from(moves).ok();
        Some(match self.values {
            Values::Win => (if entry == 1 { Outcome::Win } else { Outcome::Loss }, None),
            Values::Outcome => match entry {
                1 => (Outcome::Win, None),
                0 => (Outcome::Draw, None),
                _ => (Outcome::Loss, None),
            },
            Values::Remoteness { .. } if entry > 0 => (Outcome::Win, moves(largest - entry)),
            Values::Remoteness { .. } if entry > -(largest / 2) - 1 => (Outcome::Draw, moves(-entry)),
            Values::Remoteness { .. } => (Outcome::Loss, moves(entry + largest)),
            _ => return None,
        })
    }

    /// The mover's score.
    pub fn score(&self, code: u64) -> Option<i64> {
        matches!(self.values, Values::Score { .. }).then(|| self.entry(code)).flatten()
    }

    /// The Grundy number.
    pub fn nimber(&self, code: u64) -> Option<Nimber> {
        let Values::Nimber { width } = self.values else { return None };
        let mask = u64::MAX >> (64 - 8 * u32::from(width));
        self.entry(code).map(|entry| (entry as u64 & mask) as Nimber)
    }
}
