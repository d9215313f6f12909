//! The values of a window of a finished layer, in memory.

use std::ops::Range;

use crate::error::Error;
use crate::keeping::PAGE;
use crate::layered::ground::{CHUNK, Found, Ground};
use crate::layered::marks::Marks;
use crate::layered::window::Window;
use crate::memory::{Lease, Memory};

/// The cells of a window of a finished layer.
pub(crate) struct Known {
    window: Window,
    marks: Marks,
    /// How many positions of the window come before each word.
    before: Vec<u32>,
    cells: Vec<u16>,
    _lease: Lease,
}

impl Known {
    /// What it takes.
    pub fn bytes(found: &Found, numbers: &Range<u64>) -> u64 {
        let count = numbers.end - numbers.start;
        Marks::bytes(count) + count.div_ceil(64) * 4 + 2 * positions(found, numbers) + PAGE as u64
    }

    pub fn load(window: &Window, ground: &Ground, memory: &Memory) -> Result<Known, Error> {
        let found = &ground.found[window.layer as usize];
        let marks = ground.load_marks(window.layer, window.numbers.clone(), memory)?;
        let mut lease = memory.lease();
        lease.grow(4 * marks.words().len() as u64 + 2 * positions(found, &window.numbers))?;
        let mut before: Vec<u32> = lease.vector(marks.words().len())?;
        let mut count = 0;
        for index in 0..marks.words().len() {
            before.push(count);
            count += marks.word(index).count_ones();
        }
        let mut cells: Vec<u16> = lease.vector(count as usize)?;
        let mut bytes = vec![0; PAGE];
        let first = found.before[(window.numbers.start / CHUNK) as usize];
        while cells.len() < count as usize {
            let now = (count as usize - cells.len()).min(PAGE / 2);
            ground.read(found.cells, 2 * (first + cells.len() as u64), &mut bytes[..2 * now])?;
            cells.extend(bytes[..2 * now].as_chunks::<2>().0.iter().map(|cell| u16::from_le_bytes(*cell)));
        }
        Ok(Known { window: window.clone(), marks, before, cells, _lease: lease })
    }

    /// The cell of a number, if it lies in the window.
    #[inline(always)]
    pub fn cell(&self, number: u64) -> Option<u64> {
        if !self.window.numbers.contains(&number) {
            return None;
        }
        let at = number - self.window.numbers.start;
        let (word, bit) = (self.marks.word((at / 64) as usize), at % 64);
        if word >> bit & 1 == 0 {
            return Some(0);
        }
        let rank = self.before[(at / 64) as usize] + (word & ((1 << bit) - 1)).count_ones();
        Some(u64::from(self.cells[rank as usize]))
    }
}

/// How many positions a window has that begins with a chunk.
fn positions(found: &Found, numbers: &Range<u64>) -> u64 {
    let last = numbers.end.div_ceil(CHUNK) as usize;
    found.before[last] - found.before[(numbers.start / CHUNK) as usize]
}
