//! A hash table of codes and cells that grows a part at a time.
//!
//! A table that doubles holds the old and the new copy for a moment, three times what it needs, and is three quarters
//! full at best on average. Here codes are divided by some bits of their hash into parts of 2 to 16 MB. A part that is
//! full grows a little, by itself, and whenever a large one grows, the next in line is divided into two. So nothing
//! larger than a few parts is ever copied, and a position takes at most 20 bytes at any time, less where neighbours
//! share entries.
//!
//! ```text
//! hash │ 20 bits: part, as many of them as there are parts │ 32 bits: line of the part, by multiplication │ … │
//! ```

use crate::codes::line::{Line, Look};
use crate::error::Error;
use crate::hints::prefetch;
use crate::memory::{Lease, Memory};

/// Parts of so many lines are large, in small tables those of an eighth of that.
const MOST_LINES: usize = 1 << 18;
const MOST_PARTS: usize = 1 << 20;
/// Bytes a position that growing may not exceed.
const MOST_BYTES: usize = 19;

/// Hundredths of the cells of an entry that are in use where pages take less.
const FULL: u64 = 40;

/// A hash: its upper bits depend on all bits of the key.
#[inline(always)]
fn hash(key: u64) -> u64 {
    let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (spread ^ spread >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// How full a part is after growing and before it grows again, in hundredths of its entries. Where entries hold the
/// cells of several positions there is room enough to leave half of them empty or more, and hardly any look-up goes to a
/// second line.
fn loads<L: Line>(entries: usize, cells: usize) -> (usize, usize) {
    let bytes = entries * size_of::<L>() / L::ENTRIES;
    let grown = (bytes * 100).div_ceil(MOST_BYTES * cells.max(1)).clamp(L::LEAST_LOAD, 84);
    (grown, (grown * 4 / 3).min(92))
}

/// One part: open addressing from line to line.
#[derive(Debug)]
struct Part<L> {
    lines: Vec<L>,
    /// Entries in use.
    used: usize,
    /// Cells in use.
    cells: usize,
    /// Hundredths of the entries in use before it grows.
    full: usize,
}

impl<L: Line> Part<L> {
    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        ((((hash >> 12) & 0xffff_ffff) * self.lines.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    fn find(&self, key: u64, line: usize) -> Result<(usize, usize), (usize, usize)> {
        find(&self.lines, key, line)
    }

    /// All entries: line, entry and key.
    fn entries(&self) -> impl Iterator<Item = (&L, usize, u64)> + '_ {
        self.lines.iter().flat_map(|line| {
            let keys = (0..L::ENTRIES).map(move |entry| (line, entry, line.key(entry)));
            keys.take_while(|(_, _, key)| *key != 0)
        })
    }

    /// Copies an entry of another part.
    fn copy(&mut self, from: &L, entry: usize, key: u64) {
        if let Err((line, place)) = self.find(key, self.home(hash(key))) {
            let line = &mut self.lines[line];
            line.set_key(place, key);
            for low in 0..L::CELLS {
                let cell = from.cell(entry, low);
                line.set(place, low, cell);
                self.cells += usize::from(cell != 0);
            }
            self.used += 1;
        }
    }
}

/// The table.
#[derive(Debug)]
pub(crate) struct Hashed<L> {
    /// Those from `whole` on belong to the ones before, in order, which were divided.
    parts: Vec<Part<L>>,
    /// The largest power of two that is at most the number of parts.
    whole: usize,
    lease: Lease,
    /// Whether it is given up where most neighbours of a code are met.
    prefers_pages: bool,
}

/// Where a code is, most likely; as long as nothing is added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    part: u32,
    line: u32,
}

/// The lines among which a code is, and the first of them to look at.
#[derive(Debug)]
pub(crate) struct Place<'s, L> {
    lines: &'s [L],
    line: usize,
}

impl<L> Clone for Place<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Place<'_, L> {}

impl<L: Line> Place<'_, L> {
    /// The cell of the code that the place was made for.
    #[inline(always)]
    pub fn cell(self, code: u64) -> u64 {
        let key = Hashed::<L>::key(code);
        match find(self.lines, key, self.line) {
            Ok((line, entry)) => self.lines[line].cell(entry, Hashed::<L>::low(code)),
            Err(_) => 0,
        }
    }
}

/// The line and entry of a key, or of where it would go, from a line on.
#[inline(always)]
fn find<L: Line>(lines: &[L], key: u64, mut line: usize) -> Result<(usize, usize), (usize, usize)> {
    loop {
        match lines[line].look(key) {
            Look::Here(entry) => return Ok((line, entry)),
            Look::Vacant(entry) => return Err((line, entry)),
            Look::Onwards => line = if line + 1 == lines.len() { 0 } else { line + 1 },
        }
    }
}

impl<L: Line> Hashed<L> {
    /// An empty table.
    pub fn new(memory: &Memory) -> Result<Hashed<L>, Error> {
        let mut table = Hashed { parts: Vec::new(), whole: 1, lease: memory.lease(), prefers_pages: false };
        let part = table.part(1, 1)?;
        table.parts.push(part);
        Ok(table)
    }

    /// Has it given up where most neighbours of a code are met: pages would take less.
    pub fn unless_pages(self) -> Hashed<L> {
        Hashed { prefers_pages: true, ..self }
    }

    /// Whether it is given up because pages would take less.
    pub fn is_left_for_pages(&self) -> bool {
        let used = self.parts.iter().map(|part| part.used as u64).sum::<u64>();
        self.prefers_pages && self.len() * 100 > used * L::CELLS as u64 * FULL
    }

    /// How many codes there are.
    pub fn len(&self) -> u64 {
        self.parts.iter().map(|part| part.cells as u64).sum()
    }

    /// Whether lines of another form would take less.
    pub fn is_sparse(&self) -> bool {
        let used = self.parts.iter().map(|part| part.used as u64).sum::<u64>();
        self.len() * 10 < used * L::WORTH
    }

    /// What the table takes.
    pub fn bytes(&self) -> u64 {
        self.lease.bytes()
    }

    #[inline(always)]
    fn key(code: u64) -> u64 {
        code / L::CELLS as u64 + 1
    }

    #[inline(always)]
    pub fn low(code: u64) -> usize {
        (code % L::CELLS as u64) as usize
    }

    /// The code of a cell of an entry with this key, which is not 0.
    #[inline(always)]
    pub fn code(key: u64, low: usize) -> u64 {
        (key - 1) * L::CELLS as u64 + low as u64
    }

    #[inline(always)]
    fn index(&self, hash: u64) -> usize {
        let bits = (hash >> 44) as usize;
        let index = bits & (2 * self.whole - 1);
        if index < self.parts.len() { index } else { bits & (self.whole - 1) }
    }

    /// Where to look for a code.
    #[inline(always)]
    pub fn spot(&self, code: u64) -> Spot {
        let hash = hash(Self::key(code));
        let part = self.index(hash);
        Spot { part: part as u32, line: self.parts[part].home(hash) as u32 }
    }

    /// Where to look for a code; asks for it.
    #[inline(always)]
    pub fn spot_ahead(&self, code: u64) -> Spot {
        let spot = self.spot(code);
        self.prefetch(spot);
        spot
    }

    /// Where to look for a code, as long as the table is borrowed; asks for it.
    #[inline(always)]
    pub fn place(&self, code: u64) -> Place<'_, L> {
        let hash = hash(Self::key(code));
        let part = &self.parts[self.index(hash)];
        let line = part.home(hash);
        prefetch(&part.lines, line);
        Place { lines: &part.lines, line }
    }

    /// Asks for the line of a spot.
    #[inline(always)]
    fn prefetch(&self, spot: Spot) {
        prefetch(&self.parts[spot.part as usize].lines, spot.line as usize);
    }

    /// The cell of a code; 0 if it is not in the table.
    #[inline(always)]
    pub fn get(&self, code: u64, spot: Spot) -> u64 {
        let part = &self.parts[spot.part as usize];
        match part.find(Self::key(code), spot.line as usize) {
            Ok((line, entry)) => part.lines[line].cell(entry, Self::low(code)),
            Err(_) => 0,
        }
    }

    /// Puts a cell that is not 0; returns the one before, 0 if the code was not in the table.
    #[inline(always)]
    pub fn put(&mut self, code: u64, cell: u64) -> Result<u64, Error> {
        let spot = self.spot(code);
        self.update(code, spot, |_| cell)
    }

    /// Replaces the cell of a code, 0 if it is not in the table, by another, not 0; returns the one before.
    #[inline(always)]
    pub fn update(&mut self, code: u64, spot: Spot, cell: impl FnOnce(u64) -> u64) -> Result<u64, Error> {
        let (key, low) = (Self::key(code), Self::low(code));
        let part = &mut self.parts[spot.part as usize];
        let (line, entry) = match part.find(key, spot.line as usize) {
            Ok(found) => found,
            Err((line, entry)) => {
                if (part.used + 1) * 100 > part.lines.len() * L::ENTRIES * part.full {
                    return self.add_to_full(code, spot, cell(0));
                }
                part.used += 1;
                part.lines[line].set_key(entry, key);
                (line, entry)
            }
        };
        let line = &mut part.lines[line];
        let before = line.cell(entry, low);
        part.cells += usize::from(before == 0);
        line.set(entry, low, cell(before));
        Ok(before)
    }

    #[cold]
    fn add_to_full(&mut self, code: u64, spot: Spot, cell: u64) -> Result<u64, Error> {
        self.make_room(spot.part as usize)?;
        let spot = self.spot(code);
        let key = Self::key(code);
        let part = &mut self.parts[spot.part as usize];
        if let Err((line, entry)) = part.find(key, spot.line as usize) {
            part.lines[line].set_key(entry, key);
            part.lines[line].set(entry, Self::low(code), cell);
            part.used += 1;
            part.cells += 1;
        }
        Ok(0)
    }

    /// A part with room for so many entries, with so many cells in them, at the load after growing.
    fn part(&mut self, entries: usize, cells: usize) -> Result<Part<L>, Error> {
        let (grown, full) = loads::<L>(entries, cells);
        let count = (entries * 100).div_ceil(L::ENTRIES * grown).max(1);
        self.lease.grow((count * size_of::<L>()) as u64)?;
        let mut lines = match self.lease.vector(count) {
            Ok(lines) => lines,
            Err(error) => {
                self.lease.shrink((count * size_of::<L>()) as u64);
                return Err(error);
            }
        };
        pages::prefer_large(&mut lines);
        lines.resize(count, L::empty());
        Ok(Part { lines, used: 0, cells: 0, full })
    }

    /// Grows a part; if it is large, first divides the next part that has its turn.
    fn make_room(&mut self, index: usize) -> Result<(), Error> {
        let large = (self.bytes() as usize / size_of::<L>() / 8).clamp(MOST_LINES / 8, MOST_LINES);
        if self.parts[index].lines.len() >= large && self.parts.len() < MOST_PARTS {
            self.divide()?;
        }
        let part = &self.parts[index];
        let (used, cells) = (part.used, part.cells);
        let mut grown = self.part(used + 1, cells)?;
        self.parts[index].entries().for_each(|(line, entry, key)| grown.copy(line, entry, key));
        self.replace(index, grown);
        Ok(())
    }

    fn divide(&mut self) -> Result<(), Error> {
        let index = self.parts.len() - self.whole;
        let bit = 44 + self.whole.trailing_zeros();
        let side = |key: u64| (hash(key) >> bit & 1) as usize;
        let part = &self.parts[index];
        let (used, cells) = (part.used, part.cells / 2);
        let ones = part.entries().filter(|(_, _, key)| side(*key) == 1).count();
        let mut halves = [self.part(used - ones + 1, cells)?, self.part(ones + 1, cells)?];
        self.parts[index].entries().for_each(|(line, entry, key)| halves[side(key)].copy(line, entry, key));
        let [zero, one] = halves;
        self.replace(index, zero);
        self.parts.push(one);
        if self.parts.len() == 2 * self.whole {
            self.whole *= 2;
        }
        Ok(())
    }

    fn replace(&mut self, index: usize, part: Part<L>) {
        let old = std::mem::replace(&mut self.parts[index], part);
        self.lease.shrink((old.lines.len() * size_of::<L>()) as u64);
    }

    /// The lines, part by part.
    pub fn lines(&self) -> impl Iterator<Item = &[L]> {
        self.parts.iter().map(|part| part.lines.as_slice())
    }

    /// The lines, part by part, to change their cells.
    pub fn lines_mut(&mut self) -> impl Iterator<Item = &mut [L]> {
        self.parts.iter_mut().map(|part| part.lines.as_mut_slice())
    }

    /// All codes with their cells.
    pub fn entries(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let entries = self.parts.iter().flat_map(Part::entries);
        let cells = entries
            .flat_map(|(line, entry, key)| (0..L::CELLS).map(move |low| (Self::code(key, low), line.cell(entry, low))));
        cells.filter(|(_, cell)| *cell != 0)
    }

    /// A settled code in the first line that has one, from a random place on, in its part.
    pub fn near(&self, random: u64, settled: &dyn Fn(u64) -> bool) -> Option<u64> {
        let part = &self.parts[self.index(random)];
        let (start, count) = (part.home(random), part.lines.len());
        (0..count).find_map(|step| {
            let line = &part.lines[(start + step) % count];
            let places = L::ENTRIES * L::CELLS;
            let place = |index: usize| (index + (random >> 20) as usize) % places;
            let found = (0..places).map(place).find(|&place| settled(line.cell(place / L::CELLS, place % L::CELLS)));
            found.map(|place| Self::code(line.key(place / L::CELLS), place % L::CELLS))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::line::{
        BlockOfBytes, BlockOfHalves, BlockOfLongs, BlockOfWords, PlainHalves, PlainLongs, PlainWords, SharedBytes,
        SharedHalves, SharedWords, ShortBytes, ShortHalves, ShortLongs, ShortSharedBytes, ShortSharedHalves,
        ShortSharedWords, ShortWords,
    };
    use std::collections::HashMap;

    /// Like a hash map, for codes in order, codes far apart and codes that share all low bits.
    fn check<L: Line>(spread: u64, count: u64) {
        let memory = Memory::unlimited();
        let mut table = Hashed::<L>::new(&memory).unwrap();
        let mut map = HashMap::new();
        for i in 0..count {
            let code = (i * i % (count + 3)).wrapping_mul(spread) >> 1;
            let cell = 2 + i % 200;
            let before = table.put(code, cell).unwrap();
            assert_eq!(before, map.insert(code, cell).unwrap_or(0));
            if i % 1000 == 999 {
                let each = table.bytes() as f64 / table.len() as f64;
                assert!(each < 20.2 || table.is_sparse(), "{each} bytes each of {}", table.len());
                assert_eq!(table.bytes(), memory.used());
            }
        }
        assert_eq!(table.len(), map.len() as u64);
        assert!(memory.peak() <= table.bytes() + (MOST_LINES as u64 * 64 * 4).min(table.bytes()));
        for (&code, &cell) in &map {
            assert_eq!(table.get(code, table.spot(code)), cell);
        }
        // Codes of 32 bits, which every form of key can tell from others.
        for missing in [(1 << 32) - 2, (1 << 32) - 12345] {
            assert_eq!(table.get(missing, table.spot(missing)), 0);
        }
        for random in 0..100u64 {
            let near = table.near(random.wrapping_mul(0x9e37_79b9_7f4a_7c15), &|cell| cell > 1).unwrap();
            assert!(map.contains_key(&near));
        }
        let mut entries: Vec<_> = table.entries().collect();
        let mut expected: Vec<_> = map.into_iter().collect();
        entries.sort_unstable();
        expected.sort_unstable();
        assert_eq!(entries, expected);
    }

    #[test]
    fn blocks_and_short_keys_behave_like_a_map() {
        check::<BlockOfBytes>(2, 5000);
        check::<BlockOfHalves>(2, 5000);
        check::<BlockOfWords>(2, 5000);
        check::<BlockOfLongs>(2, 5000);
        for spread in [2, 1 << 15] {
            check::<ShortBytes>(spread, 5000);
            check::<ShortHalves>(spread, 5000);
            check::<ShortWords>(spread, 5000);
            check::<ShortLongs>(spread, 5000);
        }
        check::<ShortSharedBytes>(2, 5000);
        check::<ShortSharedHalves>(2, 5000);
        check::<ShortSharedWords>(2, 100_000);
    }

    #[test]
    fn behaves_like_a_map_and_stays_compact() {
        for spread in [2, 1 << 33, 0x9e37_79b9_7f4a_7c15] {
            check::<SharedBytes>(spread, 5000);
            check::<SharedHalves>(spread, 5000);
            check::<SharedWords>(spread, 5000);
            check::<PlainHalves>(spread, 5000);
            check::<PlainLongs>(spread, 5000);
        }
        check::<SharedWords>(2, 1_000_000);
        check::<PlainWords>(1 << 33, 1_000_000);
    }

    #[test]
    fn a_limit_is_an_error() {
        let memory = Memory::new(1_000_000);
        let mut table = Hashed::<PlainWords>::new(&memory).unwrap();
        let failed = (0..).find_map(|code| table.put(code * 1024, 5).err());
        assert!(matches!(failed, Some(error) if error.is_limit()));
        assert!(table.len() > 25_000 && memory.peak() <= 1_000_000);
    }
}
