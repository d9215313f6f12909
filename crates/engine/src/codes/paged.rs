//! Cells by code in pages: for codes that are too many to index a table, but lie close together where they are met.
//!
//! ```text
//! code │ page: its number is looked up in a directory │ 10 bits: cell of the page │
//! ```
//!
//! The directory is a plain list where codes are few enough, else a small hash table. Either hardly ever misses the cache, and
//! the cells of neighbouring codes lie side by side. Where a good part of the cells is used, a look-up takes less than half of
//! the time of one in a hash table of lines, and the table less memory. Where it is not, pages are given up.

use crate::codes::cell::Cell;
use crate::codes::store::{Cells, Store};
use crate::error::Error;
use crate::hints::prefetch;
use crate::memory::{Lease, Memory};

/// Cells of a page.
const PAGE: usize = 1 << 10;
/// Pages of a chunk, when it is begun and at most. The last chunk doubles; the others are never moved.
const FIRST: usize = 1 << 4;
const MOST: usize = 1 << 12;
/// Hundredths of the cells that must be in use, or lines take less.
const WORTH: u64 = 20;
/// At the powers of two among these numbers of positions it is decided whether to go on with pages. Before, the path to the
/// first end would count for too much: every position on it may begin a page.
const TRIALS: std::ops::RangeInclusive<u64> = 1 << 16..=1 << 20;
/// Directories of so many pages are plain lists, of 4 MB at most.
const LISTED: u64 = 1 << 20;

/// The page that is never written to: all its cells are empty.
const BLANK: u32 = 0;

/// Where the pages of codes are.
#[derive(Debug)]
enum Directory {
    /// By number; those that were not begun are blank.
    Listed(Vec<u32>),
    /// Open addressing; a power of two, at most a quarter of it in use, so that the first look mostly finds the page. A slot
    /// is the number of a page plus one, or 0, and where it lies. Hashes are shifted to get a slot.
    Hashed { slots: Vec<(u64, u32)>, shift: u32 },
}

/// The slot of a page, or where it would go.
#[inline(always)]
fn slot(slots: &[(u64, u32)], shift: u32, number: u64) -> usize {
    let mask = slots.len() - 1;
    let mut slot = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize;
    while slots[slot].0 != number + 1 && slots[slot].0 != 0 {
        slot = (slot + 1) & mask;
    }
    slot
}

impl Directory {
    /// Where a page lies; [`BLANK`] if it was not begun.
    #[inline(always)]
    fn find(&self, number: u64) -> u32 {
        match self {
            Directory::Listed(pages) => pages.get(number as usize).copied().unwrap_or(BLANK),
            Directory::Hashed { slots, shift } => slots[slot(slots, *shift, number)].1,
        }
    }

    /// All pages that were begun: number and place.
    fn pages(&self) -> Box<dyn Iterator<Item = (u64, u32)> + '_> {
        match self {
            Directory::Listed(pages) => {
                let numbered = pages.iter().enumerate().map(|(number, &page)| (number as u64, page));
                Box::new(numbered.filter(|(_, page)| *page != BLANK))
            }
            Directory::Hashed { slots, .. } => {
                Box::new(slots.iter().filter(|(number, _)| *number != 0).map(|&(number, page)| (number - 1, page)))
            }
        }
    }
}

/// The cells.
#[derive(Debug)]
pub(crate) struct Paged<C> {
    directory: Directory,
    /// Pages in use, the blank one included.
    pages: usize,
    chunks: Vec<Vec<C>>,
    used: u64,
    lease: Lease,
}

impl<C: Cell> Paged<C> {
    /// No pages yet, for codes below `size`.
    pub fn new(size: u64, memory: &Memory) -> Result<Paged<C>, Error> {
        let mut lease = memory.lease();
        let count = size.div_ceil(PAGE as u64);
        let directory = if count <= LISTED {
            lease.grow(count * 4)?;
            Directory::Listed(vec![BLANK; count as usize])
        } else {
            let bits = 8;
            lease.grow((size_of::<(u64, u32)>() << bits) as u64)?;
            Directory::Hashed { slots: vec![(0, BLANK); 1 << bits], shift: 64 - bits }
        };
        let mut table = Paged { directory, pages: 0, chunks: Vec::new(), used: 0, lease };
        table.add_page()?;
        Ok(table)
    }

    /// The chunk of a code and the cell there.
    #[inline(always)]
    fn find(&self, code: u64) -> (&[C], usize) {
        let page = self.directory.find(code / PAGE as u64) as usize;
        (&self.chunks[page / MOST], page % MOST * PAGE + code as usize % PAGE)
    }

    /// The cell of a code whose page is known.
    #[inline(always)]
    fn of_page(&self, page: u32, code: u64) -> C {
        let page = page as usize;
        self.chunks[page / MOST][page % MOST * PAGE + code as usize % PAGE]
    }

    /// Begins a page.
    #[cold]
    fn begin(&mut self, number: u64) -> Result<u32, Error> {
        let page = self.add_page()?;
        match &mut self.directory {
            Directory::Listed(pages) => {
                let place = pages.get_mut(number as usize).ok_or_else(|| Error::outside(number * PAGE as u64))?;
                *place = page;
            }
            Directory::Hashed { slots, shift } => {
                if 4 * self.pages > slots.len() {
                    widen(slots, shift, &mut self.lease)?;
                }
                let slot = slot(slots, *shift, number);
                slots[slot] = (number + 1, page);
            }
        }
        Ok(page)
    }

    /// One more page of empty cells.
    fn add_page(&mut self) -> Result<u32, Error> {
        let page = self.pages;
        let room = self.chunks.get(page / MOST).map_or(0, |chunk| chunk.len() / PAGE);
        if page % MOST == room {
            let count = (2 * room).clamp(FIRST, MOST) * PAGE;
            self.lease.grow((count * size_of::<C>()) as u64)?;
            let mut chunk = self.lease.vector(count)?;
            pages::prefer_large(&mut chunk);
            if room > 0
                && let Some(old) = self.chunks.pop()
            {
                chunk.extend_from_slice(&old);
                self.lease.shrink((old.len() * size_of::<C>()) as u64);
            }
            chunk.resize(count, C::default());
            self.chunks.push(chunk);
        }
        self.pages += 1;
        u32::try_from(page).map_err(|_| Error::too_many(self.used))
    }

    /// Whether lines would take less.
    fn is_sparse(&self) -> bool {
        self.used * 100 < (self.pages * PAGE) as u64 * WORTH
    }
}

/// Doubles the slots of a directory.
fn widen(slots: &mut Vec<(u64, u32)>, shift: &mut u32, lease: &mut Lease) -> Result<(), Error> {
    let bytes = (slots.len() * size_of::<(u64, u32)>()) as u64;
    lease.grow(2 * bytes)?;
    let mut wider: Vec<(u64, u32)> = lease.vector(2 * slots.len())?;
    wider.resize(2 * slots.len(), (0, BLANK));
    *shift -= 1;
    for &(number, page) in slots.iter().filter(|(number, _)| *number != 0) {
        let slot = slot(&wider, *shift, number - 1);
        wider[slot] = (number, page);
    }
    *slots = wider;
    lease.shrink(bytes);
    Ok(())
}

impl<C: Cell> Store for Paged<C> {
    type Place<'s> = &'s C;

    #[inline(always)]
    fn place(&self, code: u64) -> &C {
        let (chunk, index) = self.find(code);
        prefetch(chunk, index);
        &chunk[index]
    }

    #[inline(always)]
    fn cell(&self, _: u64, place: &C) -> Result<u64, Error> {
        Ok(place.wide())
    }

    /// The loads do not depend on one another, so that the processor does them at once.
    #[inline(always)]
    fn cells(&self, codes: &[u64], into: &mut [u64]) -> Result<(), Error> {
        match &self.directory {
            Directory::Listed(pages) => {
                for (&code, cell) in codes.iter().zip(into) {
                    let page = pages.get((code / PAGE as u64) as usize).copied().unwrap_or(BLANK);
                    *cell = self.of_page(page, code).wide();
                }
            }
            Directory::Hashed { .. } => {
                for (&code, cell) in codes.iter().zip(into) {
                    *cell = self.of_page(self.directory.find(code / PAGE as u64), code).wide();
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn put(&mut self, code: u64, cell: u64) -> Result<(), Error> {
        let number = code / PAGE as u64;
        let mut page = self.directory.find(number);
        if page == BLANK {
            page = self.begin(number)?;
        }
        let page = page as usize;
        let place = &mut self.chunks[page / MOST][page % MOST * PAGE + code as usize % PAGE];
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
        let (chunk, index) = self.find(code);
        chunk[index].wide()
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        Box::new(self.directory.pages().flat_map(|(number, page)| {
            let cells = &self.chunks[page as usize / MOST][page as usize % MOST * PAGE..][..PAGE];
            let first = number * PAGE as u64;
            cells.iter().enumerate().map(move |(low, cell)| (first + low as u64, cell.wide()))
        }))
    }

    fn near(&self, random: u64, settled: &dyn Fn(u64) -> bool) -> Option<u64> {
        let among = |count: usize| ((u128::from(random) * count as u128) >> 64) as usize;
        let number = match &self.directory {
            Directory::Listed(pages) => among(pages.len()) as u64,
            Directory::Hashed { slots, .. } => slots[among(slots.len())].0.checked_sub(1)?,
        };
        let code = number * PAGE as u64 + random % PAGE as u64;
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
        for (spread, size) in [(1, 50_021), (1, 1 << 40), (3, 150_063), (1 << 20, 1 << 40), (1 << 40, 1 << 60)] {
            let memory = Memory::unlimited();
            let mut table = Paged::<u16>::new(size, &memory).unwrap();
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
            let mut random = testkit::Random::new(7);
            let near = (0..10_000).filter_map(|_| table.near(random.next(), &|cell| cell != 0));
            let near: Vec<u64> = near.collect();
            assert!(!near.is_empty() && near.iter().all(|code| map.contains_key(code)));
        }
    }

    #[test]
    fn a_limit_is_an_error() {
        let memory = Memory::new(1_000_000);
        let mut table = Paged::<u32>::new(1 << 62, &memory).unwrap();
        let failed = (0..).find_map(|code| table.put(code * 1024, 5).err());
        assert!(matches!(failed, Some(error) if error.is_limit()));
        assert!(memory.peak() <= 1_000_000);
    }
}
