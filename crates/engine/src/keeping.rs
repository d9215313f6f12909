//! Snapshots of a long solve, from which a later run goes on.
//!
//! A solve that takes hours should not be lost with the process. Engines that can go on from the middle say now and then how far they
//! have come; where that is kept, and how it is made safe, is for a [`Keeper`] to know. A snapshot has a name, and replaces the one of
//! that name as a whole or not at all. It begins with the identity of what is solved, and one of something else is not
//! loaded. Whatever is wrong with a snapshot, the solve begins anew: a snapshot saves time and never changes a value.
//!
//! Snapshots are made when they are due ([`Keeping::is_due`]), so short solves make none, and long ones spend a tenth of their time on
//! them at most. If there is no room for one, the solve goes on without.
//!
//! What is larger than memory lies in a [`Space`] of pages beside the snapshots.

use std::io::{self, Read, Write};
use std::sync::RwLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::memory::{Lease, Memory};
use crate::segmented::List;

/// Writes what a snapshot holds.
pub type Writing<'w> = &'w mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Where snapshots are kept.
pub trait Keeper: Send {
    /// Keeps a snapshot of about so many bytes in place of the one of that name. With an error, the one that was there stays.
    fn save(&mut self, name: &str, bytes: u64, write: Writing) -> io::Result<()>;
    /// The snapshot of a name, if there is one. Its bytes are checked before they are handed out.
    fn load(&mut self, name: &str) -> Option<Box<dyn Read>>;
    /// Drops the snapshot of a name, if there is one.
    fn forget(&mut self, name: &str);
    /// A space of so many pages about something. With `keeps`, the one of that name that an earlier run has left is gone on with, if it is
    /// about the same and has as many pages; says whether it was. Otherwise it is made anew.
    fn space(&mut self, name: &str, about: &str, pages: u64, keeps: bool) -> io::Result<(Box<dyn Space>, bool)> {
        let _ = (name, about, pages, keeps);
        Err(io::ErrorKind::Unsupported.into())
    }
    /// How many bytes can still be written, where that is known.
    fn free(&self) -> Option<u64> {
        None
    }
}

/// Bytes of a page of a [`Space`].
pub const PAGE: usize = 1 << 14;

/// Pages of [`PAGE`] bytes for what does not fit in memory. Threads may read and write different pages at a time.
pub trait Space: Send + Sync {
    /// Writes a page.
    fn write(&self, page: u64, bytes: &[u8]) -> io::Result<()>;
    /// Reads a page; zeros if it was never written. A page that is damaged is an error of the kind
    /// [`InvalidData`](io::ErrorKind::InvalidData).
    fn read(&self, page: u64, bytes: &mut [u8]) -> io::Result<()>;
    /// Makes safe what was written.
    fn sync(&self) -> io::Result<()>;
}

/// A space in memory, for solves without files.
#[derive(Debug)]
pub struct InMemory {
    held: RwLock<Held>,
}

/// Pages, and what they are charged to.
#[derive(Debug)]
struct Held {
    pages: FxHashMap<u64, Box<[u8]>>,
    lease: Lease,
}

impl InMemory {
    /// An empty space.
    pub fn new(memory: &Memory) -> InMemory {
        InMemory { held: RwLock::new(Held { pages: FxHashMap::default(), lease: memory.lease() }) }
    }
}

impl Space for InMemory {
    fn write(&self, page: u64, bytes: &[u8]) -> io::Result<()> {
        let mut held = self.held.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let Held { pages, lease } = &mut *held;
        match pages.get_mut(&page) {
            Some(there) => there.copy_from_slice(bytes),
            None => {
                // The map doubles now and then.
                let beside = 4 * size_of::<(u64, Box<[u8]>)>();
                lease.grow((bytes.len() + beside) as u64).map_err(|_| io::ErrorKind::OutOfMemory)?;
                pages.insert(page, bytes.into());
            }
        }
        Ok(())
    }

    fn read(&self, page: u64, bytes: &mut [u8]) -> io::Result<()> {
        let held = self.held.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        match held.pages.get(&page) {
            Some(there) => bytes.copy_from_slice(there),
            None => bytes.fill(0),
        }
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Snapshots may take this share of the time: one in so many parts.
const SHARE: u32 = 10;
/// A stage that is over is kept if the solve has taken this part of the time between two snapshots.
const LONG: u32 = 4;

/// The snapshots of one solve.
pub struct Keeping {
    keeper: Box<dyn Keeper>,
    every: Duration,
    began: Instant,
    due: Instant,
    has_saved: bool,
}

impl Keeping {
    /// Keeps snapshots about that often.
    pub fn new(keeper: Box<dyn Keeper>, every: Duration) -> Keeping {
        let began = Instant::now();
        Keeping { keeper, every, began, due: began + every, has_saved: false }
    }

    /// Whether a snapshot is due.
    pub fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    /// Whether the solve has taken so long that the end of a stage is worth a snapshot.
    pub fn is_long(&self) -> bool {
        self.has_saved || self.began.elapsed() >= self.every / LONG
    }

    /// Makes a snapshot. If that fails, the solve goes on without it, and the next one is tried later.
    pub fn save(&mut self, name: &str, identity: &str, bytes: u64, write: impl Fn(&mut Saver) -> io::Result<()>) {
        let began = Instant::now();
        let saved = self.keeper.save(name, bytes, &mut |to| {
            let mut saver = Saver { to, buffer: Vec::with_capacity(BUFFER) };
            saver.text(identity)?;
            write(&mut saver)?;
            saver.flush()
        });
        self.has_saved |= saved.is_ok();
        let pause = if saved.is_ok() { self.every } else { self.every * SHARE };
        self.due = Instant::now() + pause.max(began.elapsed() * (SHARE - 1));
    }

    /// The snapshot of a name, if there is one of that identity.
    pub fn load(&mut self, name: &str, identity: &str) -> Option<Loader> {
        let mut loader = Loader { from: self.keeper.load(name)? };
        let same = loader.is_text(identity).unwrap_or(false);
        self.has_saved |= same;
        same.then_some(loader)
    }

    /// A space of so many pages for this identity; see [`Keeper::space`].
    pub fn space(&mut self, name: &str, identity: &str, pages: u64, keeps: bool) -> io::Result<(Box<dyn Space>, bool)> {
        self.keeper.space(name, identity, pages, keeps)
    }

    /// How many bytes can still be written, where that is known.
    pub fn free(&self) -> Option<u64> {
        self.keeper.free()
    }

    /// Drops a snapshot.
    pub fn forget(&mut self, name: &str) {
        self.keeper.forget(name);
    }
}

impl std::fmt::Debug for Keeping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeping").field("every", &self.every).finish_non_exhaustive()
    }
}

const BUFFER: usize = 1 << 16;
/// Words of a bitmap that are left out together where none has a bit.
const STRETCH: usize = 64;

/// Writes numbers of a snapshot.
pub struct Saver<'w> {
    to: &'w mut dyn Write,
    buffer: Vec<u8>,
}

impl Saver<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush()?;
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        text.as_bytes().chunks(BUFFER).try_for_each(|part| self.bytes(part))
    }

    /// A number.
    pub fn number(&mut self, number: u64) -> io::Result<()> {
        self.bytes(&number.to_le_bytes())
    }

    /// Numbers of 32 bits, and first how many there are.
    pub(crate) fn numbers(&mut self, count: usize, numbers: impl Iterator<Item = u32>) -> io::Result<()> {
        self.number(count as u64)?;
        let mut numbers = numbers.take(count);
        numbers.try_for_each(|number| self.bytes(&number.to_le_bytes()))
    }

    /// Cells that threads share.
    pub(crate) fn cells(&mut self, count: usize, cell: impl Fn(usize) -> u32) -> io::Result<()> {
        self.numbers(count, (0..count).map(cell))
    }

    /// Several lists as one.
    pub(crate) fn lists<'l>(&mut self, lists: impl Iterator<Item = &'l List> + Clone) -> io::Result<()> {
        let count = lists.clone().map(List::len).sum();
        self.numbers(count, lists.flat_map(List::iter))
    }

    /// The words of a bitmap. Where there are no bits, nothing is written.
    pub fn bitmap(&mut self, count: usize, word: impl Fn(usize) -> u64) -> io::Result<()> {
        for first in (0..count).step_by(STRETCH) {
            let words = first..(first + STRETCH).min(count);
            if words.clone().any(|index| word(index) != 0) {
                self.number(first as u64)?;
                words.into_iter().try_for_each(|index| self.number(word(index)))?;
            }
        }
        self.number(u64::MAX)
    }
}

/// Why there is nothing in a snapshot.
#[derive(Debug)]
pub enum Unloaded {
    /// It is damaged, or not what it should be.
    Damaged,
    /// A limit was reached.
    Error(Error),
}

impl From<io::Error> for Unloaded {
    fn from(_: io::Error) -> Unloaded {
        Unloaded::Damaged
    }
}

impl From<Error> for Unloaded {
    fn from(error: Error) -> Unloaded {
        Unloaded::Error(error)
    }
}

/// What was loaded; nothing where the snapshot was damaged.
pub fn loaded<T>(result: Result<T, Unloaded>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Unloaded::Damaged) => Ok(None),
        Err(Unloaded::Error(error)) => Err(error),
    }
}

/// Reads numbers of a snapshot.
pub struct Loader {
    from: Box<dyn Read>,
}

impl Loader {
    fn is_text(&mut self, text: &str) -> io::Result<bool> {
        if self.number()? != text.len() as u64 {
            return Ok(false);
        }
        let mut found = vec![0; text.len()];
        self.from.read_exact(&mut found)?;
        Ok(found == text.as_bytes())
    }

    /// A number.
    pub fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.from.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// A number that must be below a limit.
    pub fn below(&mut self, limit: u64) -> Result<u64, Unloaded> {
        let number = self.number()?;
        if number < limit { Ok(number) } else { Err(Unloaded::Damaged) }
    }

    /// Numbers of 32 bits, each below a limit, of which there are at most so many: handed over in stretches.
    pub(crate) fn numbers(
        &mut self,
        most: u64,
        limit: u64,
        take: &mut dyn FnMut(&[u32]) -> Result<(), Unloaded>,
    ) -> Result<u64, Unloaded> {
        let count = self.below(most.saturating_add(1))?;
        let mut left = count;
        let (mut bytes, mut numbers) = (vec![0; BUFFER], Vec::with_capacity(BUFFER / 4));
        while left > 0 {
            let now = left.min(BUFFER as u64 / 4);
            let bytes = &mut bytes[..4 * now as usize];
            self.from.read_exact(bytes)?;
            numbers.clear();
            numbers.extend(bytes.as_chunks::<4>().0.iter().map(|number| u32::from_le_bytes(*number)));
            if numbers.iter().any(|number| u64::from(*number) >= limit) {
                return Err(Unloaded::Damaged);
            }
            take(&numbers)?;
            left -= now;
        }
        Ok(count)
    }

    /// A list of numbers below a limit.
    pub(crate) fn list(&mut self, limit: u64, into: &mut List) -> Result<(), Unloaded> {
        self.numbers(u64::from(u32::MAX), limit, &mut |numbers| Ok(into.extend(numbers)?))?;
        Ok(())
    }

    /// Cells that threads share; there must be as many.
    pub(crate) fn cells(&mut self, cells: &[AtomicU32]) -> Result<(), Unloaded> {
        let mut places = cells.iter();
        let count = self.numbers(cells.len() as u64, 1 << 32, &mut |numbers| {
            places.by_ref().zip(numbers).for_each(|(place, number)| place.store(*number, Relaxed));
            Ok(())
        })?;
        if count == cells.len() as u64 { Ok(()) } else { Err(Unloaded::Damaged) }
    }

    /// The words of a bitmap of so many words.
    pub fn bitmap(&mut self, count: usize, mut put: impl FnMut(usize, u64)) -> Result<(), Unloaded> {
        loop {
            let first = self.number()?;
            if first == u64::MAX {
                return Ok(());
            }
            if first >= count as u64 || !first.is_multiple_of(STRETCH as u64) {
                return Err(Unloaded::Damaged);
            }
            for index in first as usize..(first as usize + STRETCH).min(count) {
                put(index, self.number()?);
            }
        }
    }

    /// The words of a bitmap that threads share.
    pub(crate) fn shared_bitmap(&mut self, words: &[AtomicU64]) -> Result<(), Unloaded> {
        self.bitmap(words.len(), |index, word| words[index].store(word, Relaxed))
    }
}
