//! The cells of the layer at work: one for each position, in chunks that are worked on one after the other.
//!
//! ```text
//!  31 … 19   18        17         16        15 … 0
//!  nothing   blocked   internal   settled   the value if settled, else that of the best option in a lower layer (0: there is none)
//! ```
//!
//! *Internal*: some option is in the layer itself. *Blocked*: in the windows of this round that were looked at, some option
//! may still be better than lost.

use std::sync::{Mutex, PoisonError};

use crate::error::Error;
use crate::keeping::{PAGE, Space};
use crate::layered::ground::{Found, read_bytes, unwritten};
use crate::memory::{Lease, Memory};

/// The bits of a value.
pub(crate) const VALUE: u32 = (1 << 16) - 1;
pub(crate) const SETTLED: u32 = 1 << 16;
pub(crate) const INTERNAL: u32 = 1 << 17;
pub(crate) const BLOCKED: u32 = 1 << 18;

/// The cells of a layer by chunk.
pub(crate) struct Column<'s> {
    place: Place<'s>,
    counts: Vec<u32>,
}

enum Place<'s> {
    Memory {
        chunks: Vec<Mutex<Vec<u32>>>,
        _lease: Lease,
    },
    /// The page where each chunk begins.
    Space {
        space: &'s dyn Space,
        pages: Vec<u64>,
    },
}

impl<'s> Column<'s> {
    /// The cells of a layer: in memory if they take no more than `room`, else in pages from `work` on.
    pub fn new(
        found: &Found,
        room: u64,
        (space, work): (&'s dyn Space, u64),
        memory: &Memory,
    ) -> Result<Column<'s>, Error> {
        let counts: Vec<u32> = found.before.windows(2).map(|pair| (pair[1] - pair[0]) as u32).collect();
        let beside = counts.len() * size_of::<Mutex<Vec<u32>>>();
        let bytes = 4 * found.positions() + beside as u64;
        if bytes > room {
            let mut next = work;
            let mut page = |count: &u32| {
                let own = next;
                next += (4 * *count as usize).div_ceil(PAGE) as u64;
                own
            };
            let pages = counts.iter().map(&mut page).collect();
            return Ok(Column { place: Place::Space { space, pages }, counts });
        }
        let mut lease = memory.lease();
        lease.grow(bytes)?;
        let mut chunks = Vec::with_capacity(counts.len());
        for &count in &counts {
            let mut cells = lease.vector(count as usize)?;
            cells.resize(count as usize, 0);
            chunks.push(Mutex::new(cells));
        }
        Ok(Column { place: Place::Memory { chunks, _lease: lease }, counts })
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> usize {
        self.counts.len()
    }

    /// How many cells a chunk has.
    pub fn count(&self, chunk: usize) -> usize {
        self.counts[chunk] as usize
    }

    /// Works on the cells of a chunk, which are zeros if it `is_new`; `work` says whether it has changed any.
    pub fn with(
        &self,
        chunk: usize,
        is_new: bool,
        work: impl FnOnce(&mut [u32]) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        match &self.place {
            Place::Memory { chunks, .. } => {
                let mut cells = chunks[chunk].lock().unwrap_or_else(PoisonError::into_inner);
                work(&mut cells).map(|_| ())
            }
            Place::Space { space, pages } => {
                let mut bytes = vec![0; (4 * self.count(chunk)).next_multiple_of(PAGE)];
                if !is_new {
                    read_bytes(*space, pages[chunk], 0, &mut bytes).map_err(unwritten)?;
                }
                let numbers = bytes.as_chunks::<4>().0.iter().take(self.count(chunk));
                let mut cells: Vec<u32> = numbers.map(|bytes| u32::from_le_bytes(*bytes)).collect();
                if work(&mut cells)? || is_new {
                    let places = bytes.as_chunks_mut::<4>().0.iter_mut();
                    places.zip(&cells).for_each(|(bytes, cell)| *bytes = cell.to_le_bytes());
                    let pages = (pages[chunk]..).zip(bytes.chunks(PAGE));
                    pages.into_iter().try_for_each(|(page, bytes)| space.write(page, bytes)).map_err(unwritten)?;
                }
                Ok(())
            }
        }
    }
}
