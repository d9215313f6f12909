//! Where layers lie in a space of pages, and how far the work on them has come.
//!
//! ```text
//! marks of layer 0 · 1 · … · cells of layer 0 · 1 · … · work
//! ```
//!
//! Each part begins on a page of its own. The marks of a layer take one bit for each number; its cells, two bytes for each position
//! in the order of the numbers, are placed when all positions are known. What a layer needs while it is worked on comes last and
//! is used by one layer after the other.

use std::io;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use crate::error::Error;
use crate::keeping::{InMemory, Loader, PAGE, Space, Unloaded, loaded};
use crate::layered::marks::Marks;
use crate::layered::{Layered, Layers, MOST_NUMBERS};
use crate::memory::Memory;
use crate::monitor::Monitor;

/// Numbers of a chunk: marks of one chunk are handed out as a task, and are a fraction of a page.
pub(crate) const CHUNK: u64 = 1 << 15;
/// Words of a chunk.
pub(crate) const WORDS: usize = (CHUNK / 64) as usize;
/// More pages are not asked for.
const MOST_PAGES: u64 = 1 << 40;

/// The name of the snapshot that says how far the work has come.
pub(crate) const STANDING: &str = "layers";
/// The name of the space.
const SPACE: &str = "pages";

fn pages(bytes: u64) -> u64 {
    bytes.div_ceil(PAGE as u64)
}

/// What all layers take at most.
pub(crate) fn bytes(layers: &dyn Layers) -> u64 {
    let each = |layer: u32| {
        let size = layers.size(layer);
        pages(size.div_ceil(8)).saturating_add(pages(size.saturating_mul(2))).saturating_mul(PAGE as u64)
    };
    (0..layers.count()).fold(0, |sum: u64, layer| sum.saturating_add(each(layer)))
}

/// What is known of a layer once its positions are found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// How many positions come before each chunk; the last is how many there are.
    pub before: Vec<u64>,
    /// The page where the cells begin.
    pub cells: u64,
}

impl Found {
    pub fn positions(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }
}

/// The layers of a game in their space.
pub(crate) struct Ground {
    pub space: Box<dyn Space>,
    identity: String,
    /// The page where the marks of each layer begin, and where cells may begin.
    marks: Vec<u64>,
    first_cell: u64,
    /// Known from the layer on whose positions were found last.
    pub found: Vec<Found>,
    /// Layers from this one on have all their positions marked.
    pub reached: u32,
    /// Layers below this one have all their cells.
    pub valued: u32,
    /// Where the work of a layer may lie.
    pub work: u64,
}

impl Ground {
    /// The space of a game, with what an earlier run has left there.
    pub fn new(game: Layered, identity: String, monitor: &mut Monitor) -> Result<Ground, Error> {
        let layers = game.layers;
        let (mut marks, mut next, mut cells) = (Vec::new(), 0u64, 0u64);
        for layer in 0..layers.count() {
            let size = layers.size(layer);
            if size >= MOST_NUMBERS {
                return Err(Error::NotApplicable(format!("a layer of {size} codes is too large")));
            }
            marks.push(next);
            next = next.saturating_add(pages(size.div_ceil(8)));
            cells = cells.saturating_add(pages(2 * size));
        }
        let largest = (0..layers.count()).map(|layer| layers.size(layer)).max().unwrap_or(0);
        // While a layer is worked on, each position takes four bytes, and each chunk may leave a page half empty.
        let at_work = pages(4 * largest).saturating_add(largest.div_ceil(CHUNK));
        let all = next.saturating_add(cells).saturating_add(at_work);
        if all > MOST_PAGES {
            return Err(Error::NotApplicable("the layers have too many codes".to_string()));
        }
        let saved = monitor.keeping().and_then(|keeping| keeping.load(STANDING, &identity));
        let standing = saved.map(|loader| loaded(standing(loader, layers))).transpose()?.flatten();
        let kept = monitor.keeping().map(|keeping| keeping.space(SPACE, &identity, all, standing.is_some()));
        let (space, is_old): (Box<dyn Space>, bool) = match kept {
            Some(Err(error)) if error.kind() != io::ErrorKind::Unsupported => return Err(unwritten(error)),
            Some(Ok(space)) => space,
            _ => (Box::new(InMemory::new(monitor.memory())), false),
        };
        if !is_old
            && let Some(free) = monitor.keeping().and_then(|keeping| keeping.free())
            && free < next * PAGE as u64
        {
            return Err(Error::Room { needed: next * PAGE as u64, free });
        }
        let count = layers.count();
        let mut ground = Ground {
            space,
            identity,
            marks,
            first_cell: next,
            found: vec![Found::default(); count as usize],
            reached: count,
            valued: 0,
            work: next + cells,
        };
        if let Some((reached, valued)) = standing.filter(|_| is_old) {
            (ground.reached, ground.valued) = (reached, valued);
            for layer in reached..count {
                ground.find(layers, layer, monitor)?;
            }
            if reached == 0 {
                ground.place_cells(layers);
            }
        }
        Ok(ground)
    }

    /// Says that the layers from this one on have all their positions marked, and those below another have their cells. Now and then that is
    /// made safe, so that a later run goes on from there.
    pub fn advance(&mut self, reached: u32, valued: u32, is_end: bool, monitor: &mut Monitor) -> Result<(), Error> {
        (self.reached, self.valued) = (reached, valued);
        let Some(keeping) = monitor.keeping() else { return Ok(()) };
        if !(keeping.is_due() || is_end && keeping.is_long()) {
            return Ok(());
        }
        self.space.sync().map_err(unwritten)?;
        keeping.save(STANDING, &self.identity, 64, |to| {
            to.number(u64::from(reached))?;
            to.number(u64::from(valued))
        });
        Ok(())
    }

    /// What tells this game from others.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Counts the positions of a layer whose marks are complete.
    pub fn find(&mut self, layers: &dyn Layers, layer: u32, monitor: &mut Monitor) -> Result<(), Error> {
        let size = layers.size(layer);
        let mut before = Vec::with_capacity(size.div_ceil(CHUNK) as usize + 1);
        let mut count = 0u64;
        before.push(0);
        let mut words = vec![0; WORDS];
        for chunk in 0..size.div_ceil(CHUNK) {
            monitor.tick(count, 0)?;
            self.read_words(layers, layer, chunk * WORDS as u64, &mut words)?;
            count += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            before.push(count);
        }
        self.found[layer as usize] = Found { before, cells: 0 };
        Ok(())
    }

    /// Places the cells of all layers, once all positions are found.
    pub fn place_cells(&mut self, layers: &dyn Layers) {
        let mut next = self.first_cell;
        for layer in 0..layers.count() as usize {
            self.found[layer].cells = next;
            next += pages(2 * self.found[layer].positions());
        }
    }

    /// Bytes of all cells.
    pub fn expected_bytes(&self) -> u64 {
        self.found.iter().map(|found| pages(2 * found.positions())).sum::<u64>() * PAGE as u64
    }

    /// Reads some words of the marks of a layer. Words behind the end are zeros.
    pub fn read_words(&self, layers: &dyn Layers, layer: u32, first: u64, into: &mut [u64]) -> Result<(), Error> {
        let all = layers.size(layer).div_ceil(64);
        let count = all.saturating_sub(first).min(into.len() as u64) as usize;
        let mut bytes = vec![0; 8 * count];
        self.read(self.marks[layer as usize], 8 * first, &mut bytes)?;
        into.fill(0);
        into.iter_mut().zip(bytes.as_chunks::<8>().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
        Ok(())
    }

    /// The marks of some numbers of a layer.
    pub fn load_marks(&self, layer: u32, numbers: Range<u64>, memory: &Memory) -> Result<Marks, Error> {
        let marks = Marks::new(numbers.clone(), memory)?;
        let mut bytes = vec![0; PAGE];
        for (place, words) in marks.words().chunks(PAGE / 8).enumerate() {
            let bytes = &mut bytes[..8 * words.len()];
            self.read(self.marks[layer as usize], numbers.start / 8 + (place * PAGE) as u64, bytes)?;
            let numbers = bytes.as_chunks::<8>().0.iter();
            words.iter().zip(numbers).for_each(|(word, bytes)| word.store(u64::from_le_bytes(*bytes), Relaxed));
        }
        Ok(marks)
    }

    /// Writes marks back. They must begin with a page.
    pub fn store_marks(&self, layer: u32, numbers: Range<u64>, marks: &Marks) -> Result<(), Error> {
        let mut page = vec![0; PAGE];
        let first = self.marks[layer as usize] + numbers.start / (8 * PAGE as u64);
        for (place, words) in (first..).zip(marks.words().chunks(PAGE / 8)) {
            page.fill(0);
            for (bytes, word) in page.as_chunks_mut::<8>().0.iter_mut().zip(words) {
                *bytes = word.load(Relaxed).to_le_bytes();
            }
            // Pages that were never written are zeros.
            if page.iter().any(|byte| *byte != 0) {
                self.space.write(place, &page).map_err(unwritten)?;
            }
        }
        Ok(())
    }

    /// Reads bytes from a page on, whatever pages they lie in.
    pub fn read(&self, page: u64, offset: u64, into: &mut [u8]) -> Result<(), Error> {
        read_bytes(&*self.space, page, offset, into).map_err(unwritten)
    }

    /// The page where the marks of a layer begin.
    pub fn marks_of(&self, layer: usize) -> u64 {
        self.marks[layer]
    }
}

/// Reads bytes from a page on, whatever pages they lie in.
pub(crate) fn read_bytes(space: &dyn Space, page: u64, offset: u64, into: &mut [u8]) -> io::Result<()> {
    let mut held = vec![0; PAGE];
    let (mut at, mut rest) = (offset, into);
    while !rest.is_empty() {
        let skipped = (at % PAGE as u64) as usize;
        let count = rest.len().min(PAGE - skipped);
        let (now, later) = rest.split_at_mut(count);
        space.read(page + at / PAGE as u64, &mut held)?;
        now.copy_from_slice(&held[skipped..skipped + count]);
        (at, rest) = (at + count as u64, later);
    }
    Ok(())
}

/// How far an earlier run has come.
fn standing(mut loader: Loader, layers: &dyn Layers) -> Result<(u32, u32), Unloaded> {
    let most = u64::from(layers.count()) + 1;
    Ok((loader.below(most)? as u32, loader.below(most)? as u32))
}

/// The error of a space that cannot be read or written.
pub(crate) fn unwritten(error: io::Error) -> Error {
    Error::Space { kind: error.kind(), why: error.to_string() }
}
