//! The finished table of all layers, read from its space.

use std::ops::Range;
use std::sync::Arc;

use game::Verdict;

use crate::error::Error;
use crate::keeping::Space;
use crate::layered::ground::{CHUNK, Ground, WORDS, read_bytes, unwritten};
use crate::layered::marks::bits;
use crate::layered::value::Cell;
use crate::memory::{Lease, Memory};

/// Where the marks and cells of a layer are.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    /// The page where the marks begin.
    pub marks: u64,
    /// The page where the cells begin.
    pub cells: u64,
    /// How many positions come before each chunk.
    pub before: Arc<[u64]>,
}

/// Values by layer and number.
pub struct LayeredTable {
    space: Box<dyn Space>,
    homes: Vec<Home>,
    _lease: Lease,
}

impl LayeredTable {
    /// The table of a game whose layers are all valued.
    pub(crate) fn new(ground: Ground, memory: &Memory) -> Result<LayeredTable, Error> {
        let mut lease = memory.lease();
        lease.grow(ground.found.iter().map(|found| 8 * found.before.len() as u64).sum())?;
        let homes = ground.found.iter().enumerate().map(|(layer, found)| Home {
            marks: ground.marks_of(layer),
            cells: found.cells,
            before: found.before.clone().into(),
        });
        Ok(LayeredTable { homes: homes.collect(), space: ground.space, _lease: lease })
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.homes.iter().map(|home| home.before.last().copied().unwrap_or(0)).sum()
    }

    /// How many positions a layer has.
    pub fn positions_of(&self, layer: u32) -> u64 {
        self.homes[layer as usize].before.last().copied().unwrap_or(0)
    }

    /// What a position is worth to its mover; `None` if play does not reach it.
    pub fn get(&self, layer: u32, number: u64) -> Result<Option<Verdict>, Error> {
        let home = &self.homes[layer as usize];
        let chunk = number / CHUNK;
        let mut bytes = [0; 8 * WORDS];
        self.words(home, chunk, &mut bytes)?;
        let words = bytes.as_chunks::<8>().0;
        let (place, bit) = ((number % CHUNK / 64) as usize, number % 64);
        let word = u64::from_le_bytes(words[place]);
        if word >> bit & 1 == 0 {
            return Ok(None);
        }
        let earlier = words[..place].iter().map(|word| u64::from(u64::from_le_bytes(*word).count_ones())).sum::<u64>();
        let rank = home.before[chunk as usize] + earlier + u64::from((word & ((1 << bit) - 1)).count_ones());
        let mut cell = [0; 2];
        read_bytes(&*self.space, home.cells, 2 * rank, &mut cell).map_err(unwritten)?;
        Ok(verdict(cell))
    }

    fn words(&self, home: &Home, chunk: u64, into: &mut [u8]) -> Result<(), Error> {
        read_bytes(&*self.space, home.marks, chunk * (CHUNK / 8), into).map_err(unwritten)
    }

    /// The positions of a layer with these numbers, in order. So many words of marks are read at a time.
    pub fn stream(&self, layer: u32, numbers: Range<u64>, words: usize) -> Result<Stream<'_>, Error> {
        let home = &self.homes[layer as usize];
        let first = numbers.start / CHUNK * CHUNK;
        let rank = home.before[(first / CHUNK) as usize];
        let words = words.clamp(1, WORDS);
        let mut stream = Stream { table: self, home, numbers, words, next: first, rank, held: Vec::new().into_iter() };
        // What comes before in the chunk is passed over.
        let mut bytes = [0; 8 * WORDS];
        let skipped = (stream.numbers.start - first) / 64;
        if skipped > 0 {
            self.words(home, first / CHUNK, &mut bytes)?;
            let words = bytes.as_chunks::<8>().0[..skipped as usize].iter();
            stream.rank += words.map(|word| u64::from(u64::from_le_bytes(*word).count_ones())).sum::<u64>();
            stream.next += 64 * skipped;
        }
        Ok(stream)
    }
}

fn verdict(cell: [u8; 2]) -> Option<Verdict> {
    Cell::unpack(u64::from(u16::from_le_bytes(cell))).map(|(outcome, moves)| Verdict::outcome_in(outcome, moves))
}

/// Positions of a layer with their values, in the order of their numbers.
pub struct Stream<'t> {
    table: &'t LayeredTable,
    home: &'t Home,
    numbers: Range<u64>,
    words: usize,
    /// The first number of the words that are read next, and how many positions come before.
    next: u64,
    rank: u64,
    held: std::vec::IntoIter<(u64, [u8; 2])>,
}

impl Stream<'_> {
    /// What a stream takes that reads so many words at a time, about.
    pub fn bytes(words: usize) -> u64 {
        (64 * words.clamp(1, WORDS) * size_of::<(u64, [u8; 2])>()) as u64
    }

    /// The next position and its value.
    pub fn advance(&mut self) -> Result<Option<(u64, Verdict)>, Error> {
        loop {
            if let Some((number, cell)) = self.held.next() {
                let value = verdict(cell);
                let value = value.ok_or_else(|| Error::internal("a position of a layer has no value".to_string()))?;
                return Ok(Some((number, value)));
            }
            if self.next >= self.numbers.end {
                return Ok(None);
            }
            self.read()?;
        }
    }

    /// Reads the next words and their cells.
    fn read(&mut self) -> Result<(), Error> {
        let space = &*self.table.space;
        let left = (self.numbers.end - self.next).div_ceil(64).min(self.words as u64) as usize;
        let mut bytes = vec![0; 8 * left];
        read_bytes(space, self.home.marks, self.next / 8, &mut bytes).map_err(unwritten)?;
        let words: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let count = words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        let mut cells = vec![0; 2 * count];
        read_bytes(space, self.home.cells, 2 * self.rank, &mut cells).map_err(unwritten)?;
        let numbers = words.iter().zip((self.next..).step_by(64));
        let numbers = numbers.flat_map(|(word, first)| bits(*word).map(move |bit| first + bit));
        let found = numbers.zip(cells.as_chunks::<2>().0.iter().copied());
        let found: Vec<_> = found.filter(|(number, _)| self.numbers.contains(number)).collect();
        self.held = found.into_iter();
        self.next += 64 * left as u64;
        self.rank += count as u64;
        Ok(())
    }
}
