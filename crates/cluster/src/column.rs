//! A list of numbers that grows in place and charges what it takes.

use engine::Error;
use engine::memory::{Lease, Memory};

/// Numbers in a segment.
const SEGMENT: usize = 1 << 14;

/// A list of numbers in segments, so that it never moves and never takes twice its size.
#[derive(Debug)]
pub struct Column<T> {
    segments: Vec<Vec<T>>,
    len: usize,
    lease: Lease,
}

impl<T: Copy> Column<T> {
    /// An empty list.
    pub fn new(memory: &Memory) -> Column<T> {
        Column { segments: Vec::new(), len: 0, lease: memory.lease() }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds a number.
    #[inline]
    pub fn push(&mut self, number: T) -> Result<(), Error> {
        let segment = self.len / SEGMENT;
        if segment == self.segments.len() {
            self.lease.grow((SEGMENT * size_of::<T>()) as u64)?;
            self.segments.push(Vec::with_capacity(SEGMENT));
        }
        self.segments[segment].push(number);
        self.len += 1;
        Ok(())
    }

    /// The number of a place.
    #[inline]
    pub fn get(&self, place: usize) -> T {
        self.segments[place / SEGMENT][place % SEGMENT]
    }

    /// The number of a place, to be changed.
    #[inline]
    pub fn at(&mut self, place: usize) -> &mut T {
        &mut self.segments[place / SEGMENT][place % SEGMENT]
    }

    /// All numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.segments.iter().flatten().copied()
    }

    /// Forgets all numbers and keeps one segment.
    pub fn clear(&mut self) {
        self.segments.truncate(1);
        self.segments.iter_mut().for_each(Vec::clear);
        self.len = 0;
        self.lease.shrink(self.lease.bytes() - (self.segments.len() * SEGMENT * size_of::<T>()) as u64);
    }
}
