//! Cells by code in pages: for codes that are too many to index a table, but lie close together where they are met.
//!
//! ```text
//! code │ page: looked up in a small hash table │ 10 bits: cell of the page │
//! ```
//!
//! A look-up in the table of pages hardly ever misses the cache, and the cells of neighbouring codes lie side by side. Where
//! pages are full this takes a third of the time of a hash table of lines, and a third of its memory. Where they are not, it
//! is given up. Pages lie in chunks that are never moved.

use crate::codes::cell::Cell;
use crate::codes::store::{Cells, Store, TRIALS};
use crate::error::Error;
use crate::hints::prefetch;
use crate::memory::{Lease, Memory};

/// Cells of a page.
const PAGE: usize = 1 << 10;
/// Pages of the first chunk. The others double until they have `MOST`.
const FIRST: usize = 1 << 4;
const MOST: usize = 1 << 12;
/// Hundredths of the cells that must be in use, or lines take less.
const WORTH: u64 = 40;

/// A page: its number plus one, and where it lies. 0 is none.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    number: u64,
    chunk: u32,
    page: u32,
}

/// The cells.
#[derive(Debug)]
pub(crate) struct Paged<C> {
    /// Open addressing; a power of two, at most half of it in use.
    slots: Vec<Slot>,
    /// By how much a hash is shifted to get a slot.
    shift: u32,
    pages: usize,
    chunks: Vec<Vec<C>>,
    /// Pages in use of the last chunk.
    taken: usize,
    used: u64,
    lease: Lease,
}

/// Where a cell is; nowhere if its page was never begun.
pub(crate) type Place<'s, C> = Option<&'s C>;

impl<C: Cell> Paged<C> {
    /// No pages yet.
    pub fn new(memory: &Memory) -> Result<Paged<C>, Error> {
        let bits = 8;
        let mut lease = memory.lease();
        lease.grow((size_of::<Slot>() << bits) as u64)?;
        let slots = vec![Slot::default(); 1 << bits];
        Ok(Paged { slots, shift: 64 - bits, pages: 0, chunks: Vec::new(), taken: 0, used: 0, lease })
    }

    /// The slot of a page, or where it would go.
    #[inline(always)]
    fn slot(&self, number: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.slots[slot].number != number && self.slots[slot].number != 0 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[inline(always)]
    fn find(&self, code: u64) -> Option<(&Vec<C>, usize)> {
        let slot = self.slots[self.slot(code / PAGE as u64 + 1)];
        let index = slot.page as usize * PAGE + code as usize % PAGE;
        (slot.number != 0).then(|| (&self.chunks[slot.chunk as usize], index))
    }

    /// Begins a page.
    #[cold]
    fn begin(&mut self, number: u64) -> Result<usize, Error> {
        let whole = self.chunks.last().map_or(0, |chunk| chunk.len() / PAGE);
        if self.taken == whole {
            let pages = if whole == 0 { FIRST } else { (2 * whole).min(MOST) };
            self.lease.grow((pages * PAGE * size_of::<C>()) as u64)?;
            let mut chunk = self.lease.vector(pages * PAGE)?;
            pages::prefer_large(&mut chunk);
            chunk.resize(pages * PAGE, C::default());
            self.chunks.push(chunk);
            self.taken = 0;
        }
        if 2 * (self.pages + 1) > self.slots.len() {
            self.widen()?;
        }
        let slot = self.slot(number);
        self.slots[slot] = Slot { number, chunk: self.chunks.len() as u32 - 1, page: self.taken as u32 };
        self.taken += 1;
        self.pages += 1;
        Ok(slot)
    }

    /// Doubles the table of pages.
    fn widen(&mut self) -> Result<(), Error> {
        let bytes = (self.slots.len() * size_of::<Slot>()) as u64;
        self.lease.grow(2 * bytes)?;
        let mut slots: Vec<Slot> = self.lease.vector(2 * self.slots.len())?;
        slots.resize(2 * self.slots.len(), Slot::default());
        let old = std::mem::replace(&mut self.slots, slots);
        self.shift -= 1;
        for page in old.into_iter().filter(|page| page.number != 0) {
            let slot = self.slot(page.number);
            self.slots[slot] = page;
        }
        self.lease.shrink(bytes);
        Ok(())
    }

    /// Whether lines would take less.
    fn is_sparse(&self) -> bool {
        self.used * 100 < (self.pages * PAGE) as u64 * WORTH
    }
}

impl<C: Cell> Store for Paged<C> {
    type Place<'s> = Place<'s, C>;

    #[inline(always)]
    fn place(&self, code: u64) -> Place<'_, C> {
        let (chunk, index) = self.find(code)?;
        prefetch(chunk, index);
        chunk.get(index)
    }

    #[inline(always)]
    fn cell(&self, _: u64, place: Place<'_, C>) -> Result<u64, Error> {
        Ok(place.map_or(0, |cell| cell.wide()))
    }

    #[inline(always)]
    fn put(&mut self, code: u64, cell: u64) -> Result<(), Error> {
        let number = code / PAGE as u64 + 1;
        let mut slot = self.slot(number);
        if self.slots[slot].number == 0 {
            slot = self.begin(number)?;
        }
        let Slot { chunk, page, .. } = self.slots[slot];
        let place = &mut self.chunks[chunk as usize][page as usize * PAGE + code as usize % PAGE];
        self.used += u64::from(place.wide() == 0);
        *place = C::narrow(cell);
        Ok(())
    }

    fn is_given_up(&self, settled: u64) -> bool {
        settled.is_power_of_two() && TRIALS.contains(&settled) && self.is_sparse()
    }
}

impl<C: Cell> Cells for Paged<C> {
    fn cell(&self, code: u64) -> u64 {
        self.find(code).map_or(0, |(chunk, index)| chunk[index].wide())
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        let pages = self.slots.iter().filter(|slot| slot.number != 0);
        Box::new(pages.flat_map(|slot| {
            let cells = &self.chunks[slot.chunk as usize][slot.page as usize * PAGE..][..PAGE];
            let first = (slot.number - 1) * PAGE as u64;
            cells.iter().enumerate().map(move |(low, cell)| (first + low as u64, cell.wide()))
        }))
    }

    fn near(&self, random: u64, settled: &dyn Fn(u64) -> bool) -> Option<u64> {
        let slot = self.slots[(u128::from(random) * self.slots.len() as u128 >> 64) as usize];
        let low = random as usize % PAGE;
        let code = (slot.number.checked_sub(1)?) * PAGE as u64 + low as u64;
        settled(Cells::cell(self, code)).then_some(code)
    }

    fn bytes(&self) -> u64 {
        self.lease.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn behaves_like_a_map() {
        for spread in [1, 3, 1 << 20, 1 << 40] {
            let memory = Memory::unlimited();
            let mut table = Paged::<u16>::new(&memory).unwrap();
            let mut map = HashMap::new();
            for step in 0..60_000u64 {
                let code = step * step % 50_021 * spread;
                assert_eq!(Cells::cell(&table, code), map.get(&code).copied().unwrap_or(0));
                let place = table.place(code);
                assert_eq!(Store::cell(&table, code, place).unwrap(), Cells::cell(&table, code));
                table.put(code, 1 + step % 60_000).unwrap();
                map.insert(code, 1 + step % 60_000);
                assert_eq!(table.used, map.len() as u64);
            }
            assert_eq!((table.is_sparse(), table.bytes()), (spread > 2, memory.used()));
            let found: HashMap<u64, u64> = table.entries().filter(|(_, cell)| *cell != 0).collect();
            assert_eq!(found, map);
            let mut random = 7u64;
            let near = (0..10_000).filter_map(|_| {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                table.near(random, &|cell| cell != 0)
            });
            let near: Vec<u64> = near.collect();
            assert!(!near.is_empty() && near.iter().all(|code| map.contains_key(code)));
        }
    }

    #[test]
    fn a_limit_is_an_error() {
        let memory = Memory::new(1_000_000);
        let mut table = Paged::<u32>::new(&memory).unwrap();
        let failed = (0..).find_map(|code| table.put(code * 1024, 5).err());
        assert!(matches!(failed, Some(error) if error.is_limit()));
        assert!(memory.peak() <= 1_000_000);
    }
}
