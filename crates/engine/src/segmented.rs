//! Arrays that grow to many gigabytes without being moved.
//!
//! A `Vec` that grows holds the old and the new copy for a moment, three times what is needed at worst, and that moment
//! decides whether a game fits. A [`Segmented`] array is a list of segments of 2^16 items each: growing adds one, and
//! nothing moves. Lists of positions to look at have smaller segments ([`List`]), which are handed out whole, as work for
//! a thread. Only the first segment doubles up to its full size, so that small arrays stay small. Reading costs one
//! look-up more than in a `Vec`; rejected was a reserved range of addresses, which needs `unsafe`, and segments that double,
//! which waste half of the last one.

use crate::error::Error;
use crate::memory::{Lease, Memory};

const FIRST: usize = 64;

/// A growing array in segments of 2^`BITS` items, charged to a [`Memory`].
#[derive(Debug)]
pub(crate) struct Segmented<T, const BITS: u32 = 16> {
    /// All full but the last in use; behind that at most one empty segment is kept for the next growth.
    segments: Vec<Vec<T>>,
    len: usize,
    lease: Lease,
}

/// Positions to look at. A segment is enough work to be worth handing out, a few milliseconds at most.
pub(crate) type List = Segmented<u32, 14>;

impl<T> Segmented<T> {
    /// An empty array, which takes nothing yet.
    pub fn new(memory: &Memory) -> Segmented<T> {
        Segmented::in_segments(memory)
    }
}

impl<T, const BITS: u32> Segmented<T, BITS> {
    const SEGMENT: usize = 1 << BITS;

    /// An empty array, which takes nothing yet, with segments of any size.
    pub fn in_segments(memory: &Memory) -> Segmented<T, BITS> {
        Segmented { segments: Vec::new(), len: 0, lease: memory.lease() }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What the array takes now.
    pub fn bytes(&self) -> u64 {
        self.lease.bytes()
    }

    /// Adds an item at the end. An error leaves the array as it was.
    #[inline(always)]
    pub fn push(&mut self, item: T) -> Result<(), Error> {
        match self.segments.get_mut(self.len >> BITS) {
            Some(segment) if segment.len() < segment.capacity() => segment.push(item),
            _ => self.make_room(self.len >> BITS)?.push(item),
        }
        self.len += 1;
        Ok(())
    }

    /// The item at `index`.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn at(&self, index: usize) -> &T {
        &self.segments[index >> BITS][index & (Self::SEGMENT - 1)]
    }

    /// The item at `index`, to be changed.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn at_mut(&mut self, index: usize) -> &mut T {
        &mut self.segments[index >> BITS][index & (Self::SEGMENT - 1)]
    }

    /// Takes the last item off.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.len.checked_sub(1)?;
        let item = self.segments[last >> BITS].pop();
        self.len = last;
        self.drop_spares();
        item
    }

    /// Cuts the array down to its first `len` items; no effect if it is shorter.
    pub fn truncate(&mut self, len: usize) {
        while self.len > len {
            let index = (self.len - 1) >> BITS;
            let start = index << BITS;
            let kept = len.saturating_sub(start);
            self.segments[index].truncate(kept);
            self.len = start + kept;
        }
        self.drop_spares();
    }

    /// The segments that have items, in order.
    pub fn blocks(&self) -> impl Iterator<Item = &[T]> {
        self.segments.iter().map(Vec::as_slice).filter(|segment| !segment.is_empty())
    }

    /// All items in order, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.segments.iter_mut().flatten()
    }

    /// Changes the type of all items, in the memory that they have.
    pub fn map<U>(self, change: impl Fn(T) -> U) -> Segmented<U, BITS> {
        const { assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>()) };
        let segment = |items: Vec<T>| items.into_iter().map(&change).collect();
        Segmented { segments: self.segments.into_iter().map(segment).collect(), len: self.len, lease: self.lease }
    }

    /// Room for one more item in the segment at `index`, which is full or missing.
    #[cold]
    fn make_room(&mut self, index: usize) -> Result<&mut Vec<T>, Error> {
        let size = size_of::<T>().max(1);
        if index > 0 || self.segments.is_empty() {
            let count = if index == 0 { FIRST } else { Self::SEGMENT };
            self.lease.grow((count * size) as u64)?;
            match self.lease.vector(count) {
                Ok(segment) => self.segments.push(segment),
                Err(error) => {
                    self.lease.shrink((count * size) as u64);
                    return Err(error);
                }
            }
            return Ok(&mut self.segments[index]);
        }
        // The first segment doubles: for a moment the old copy and the new one are both there, so both are charged.
        let old = self.segments[0].capacity();
        let new = (old * 2).min(Self::SEGMENT);
        self.lease.grow((new * size) as u64)?;
        if self.segments[0].try_reserve_exact(new - old).is_err() {
            self.lease.shrink((new * size) as u64);
            return Err(self.lease.memory().exceeded(self.lease.memory().used()));
        }
        self.lease.shrink((old * size) as u64);
        Ok(&mut self.segments[0])
    }

    fn drop_spares(&mut self) {
        let in_use = self.len.div_ceil(Self::SEGMENT);
        while self.segments.len() > in_use + 1 && self.segments.len() > 1 {
            self.segments.pop();
            self.lease.shrink((Self::SEGMENT * size_of::<T>().max(1)) as u64);
        }
    }
}

impl<T: Copy, const BITS: u32> Segmented<T, BITS> {
    /// The item at `index`.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn get(&self, index: usize) -> T {
        *self.at(index)
    }

    /// Replaces the item at `index`.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn set(&mut self, index: usize, item: T) {
        *self.at_mut(index) = item;
    }

    /// The last item.
    pub fn last(&self) -> Option<T> {
        self.len.checked_sub(1).map(|last| self.get(last))
    }

    /// Makes the array at least `len` long, filled up with `item`.
    pub fn grow_to(&mut self, len: usize, item: T) -> Result<(), Error> {
        while self.len < len {
            let index = self.len >> BITS;
            let room =
                self.segments.get(index).map_or(0, |segment| segment.capacity().min(Self::SEGMENT) - segment.len());
            if room == 0 {
                self.make_room(index)?;
                continue;
            }
            let added = room.min(len - self.len);
            let segment = &mut self.segments[index];
            segment.resize(segment.len() + added, item);
            self.len += added;
        }
        Ok(())
    }

    /// Replaces the item at `index`, first growing the array with `filler` if it does not reach so far.
    #[inline]
    pub fn put(&mut self, index: usize, item: T, filler: T) -> Result<(), Error> {
        if index >= self.len {
            self.grow_to(index + 1, filler)?;
        }
        self.set(index, item);
        Ok(())
    }

    /// Adds many items at the end. An error may leave some of them added.
    pub fn extend(&mut self, items: &[T]) -> Result<(), Error> {
        for &item in items {
            self.push(item)?;
        }
        Ok(())
    }

    /// Copies the items from `start` on into `into`, as many as it holds.
    ///
    /// # Panics
    /// If the array ends before that.
    #[inline]
    pub fn read(&self, start: usize, into: &mut [T]) {
        match self.slice(start, into.len()) {
            Some(items) => into.copy_from_slice(items),
            None => {
                for (offset, item) in into.iter_mut().enumerate() {
                    *item = self.get(start + offset);
                }
            }
        }
    }

    /// Whether the items from `start` on are these.
    #[inline]
    pub fn matches(&self, start: usize, items: &[T]) -> bool
    where
        T: PartialEq,
    {
        match self.slice(start, items.len()) {
            Some(own) => own == items,
            None => items.iter().enumerate().all(|(offset, item)| self.get(start + offset) == *item),
        }
    }

    /// The items `start..start + len` where they lie in one segment.
    #[inline]
    fn slice(&self, start: usize, len: usize) -> Option<&[T]> {
        let low = start & (Self::SEGMENT - 1);
        self.segments.get(start >> BITS)?.get(low..low + len)
    }

    /// All items in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.segments.iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEGMENT: usize = Segmented::<u32>::SEGMENT;

    #[test]
    fn behaves_like_a_vector() {
        let memory = Memory::unlimited();
        let mut array = Segmented::new(&memory);
        let n = 3 * SEGMENT + 17;
        for i in 0..n {
            array.push(i as u32).unwrap();
            assert_eq!(array.last(), Some(i as u32));
        }
        assert_eq!(array.len(), n);
        assert!(array.iter().eq(0..n as u32));
        let mut window = [0; 100];
        for start in [0, 50, SEGMENT - 50, 2 * SEGMENT - 1, n - 100] {
            array.read(start, &mut window);
            assert!(window.iter().enumerate().all(|(k, &x)| x as usize == start + k));
            assert!(array.matches(start, &window));
            window[99] += 1;
            assert!(!array.matches(start, &window));
        }
        array.set(SEGMENT, 7);
        assert_eq!(array.get(SEGMENT), 7);
        for i in (5..n).rev() {
            let expected = if i == SEGMENT { 7 } else { i as u32 };
            assert_eq!(array.pop(), Some(expected));
        }
        assert_eq!(array.len(), 5);
        array.truncate(0);
        assert_eq!(array.pop(), None);
        assert_eq!(memory.used(), array.bytes());
    }

    #[test]
    fn shrinking_keeps_one_spare_segment_and_no_more() {
        let memory = Memory::unlimited();
        let mut array: Segmented<u64> = Segmented::new(&memory);
        array.grow_to(10 * SEGMENT, 1).unwrap();
        assert_eq!(memory.used(), 10 * SEGMENT as u64 * 8);
        array.truncate(3 * SEGMENT);
        assert_eq!(memory.used(), 4 * SEGMENT as u64 * 8);
        array.push(2).unwrap();
        assert_eq!((array.last(), array.get(3 * SEGMENT - 1)), (Some(2), 1));
        array.truncate(1);
        array.grow_to(3, 5).unwrap();
        assert!(array.iter().eq([1, 5, 5]));
        drop(array);
        assert_eq!(memory.used(), 0);
    }

    #[test]
    fn put_fills_the_gap() {
        let memory = Memory::unlimited();
        let mut array = Segmented::new(&memory);
        array.put(3, 9u8, 1).unwrap();
        array.put(1, 4, 0).unwrap();
        assert!(array.iter().eq([1, 4, 1, 9]));
    }

    #[test]
    fn a_limit_leaves_the_array_whole() {
        for limit in [0, 100, 1000, 4000, 1 << 19, (1 << 19) + 1, 5 << 19] {
            let memory = Memory::new(limit);
            let mut array = Segmented::new(&memory);
            let mut count = 0u64;
            while array.push(count).is_ok() {
                count += 1;
            }
            assert!(memory.peak() <= limit);
            assert_eq!(array.len() as u64, count);
            assert!(array.iter().eq(0..count));
            // At least half of a limit that is not tiny can be used.
            assert!(limit < 4000 || count * 8 * 4 >= limit, "{count} items in {limit} bytes");
        }
    }

    #[test]
    fn blocks_hold_all_items_in_order() {
        let memory = Memory::unlimited();
        let mut list = List::in_segments(&memory);
        (0..100_000).for_each(|item| list.push(item).unwrap());
        assert!(list.blocks().flatten().copied().eq(0..100_000));
        assert!(list.blocks().all(|block| block.len() <= List::SEGMENT));
        list.iter_mut().zip((0..100_000).rev()).for_each(|(item, other)| *item = other);
        assert!(list.iter().eq((0..100_000).rev()));
        assert!(memory.used() >= list.len() as u64 * 4);
        list.truncate(0);
        assert_eq!((list.len(), list.blocks().count()), (0, 0));
        assert_eq!(memory.used(), 4 * List::SEGMENT as u64);
    }

    #[test]
    fn items_change_their_type_and_stay() {
        let memory = Memory::unlimited();
        let mut array = Segmented::new(&memory);
        (0..200_000u32).for_each(|item| array.push(item).unwrap());
        let used = memory.used();
        let mut turned: Segmented<i32> = array.map(|item| -(item as i32));
        assert!(turned.iter().eq((0..200_000).map(|item: i32| -item)));
        turned.push(7).unwrap();
        assert_eq!((turned.last(), memory.used()), (Some(7), used));
    }
}
