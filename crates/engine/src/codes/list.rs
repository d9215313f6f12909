//! Lists of positions to look at, which grow without being moved.
//!
//! Like [`crate::segmented::Segmented`], but in smaller blocks that are handed out whole, as work for a thread.

use crate::error::Error;
use crate::memory::{Lease, Memory};

const FIRST: usize = 1 << 8;
/// Items a block: enough work to be worth handing out, a few milliseconds at most.
const BLOCK: usize = 1 << 14;

/// A growing list of blocks, charged to a [`Memory`].
#[derive(Debug)]
pub(crate) struct List {
    blocks: Vec<Vec<u32>>,
    len: usize,
    lease: Lease,
}

impl List {
    /// An empty list, which takes nothing yet.
    pub fn new(memory: &Memory) -> List {
        List { blocks: Vec::new(), len: 0, lease: memory.lease() }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds an item.
    #[inline(always)]
    pub fn push(&mut self, item: u32) -> Result<(), Error> {
        match self.blocks.last_mut() {
            Some(block) if block.len() < block.capacity() => block.push(item),
            _ => self.block()?.push(item),
        }
        self.len += 1;
        Ok(())
    }

    /// The blocks.
    pub fn blocks(&self) -> &[Vec<u32>] {
        &self.blocks
    }

    /// Replaces all items, in order.
    pub fn refill(&mut self, mut next: impl FnMut() -> u32) {
        self.blocks.iter_mut().flatten().for_each(|item| *item = next());
    }

    /// Empties the list; keeps the first block if it is the only one, so that short lists cost no allocation.
    pub fn clear(&mut self) {
        self.len = 0;
        if let [block] = self.blocks.as_mut_slice() {
            block.clear();
            return;
        }
        self.blocks.clear();
        self.lease.shrink(self.lease.bytes());
    }

    /// The items in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().flatten().copied()
    }

    #[cold]
    fn block(&mut self) -> Result<&mut Vec<u32>, Error> {
        let size = (FIRST << (2 * self.blocks.len().min(8))).min(BLOCK);
        self.lease.grow(size as u64 * 4)?;
        match self.lease.vector(size) {
            Ok(block) => self.blocks.push(block),
            Err(error) => {
                self.lease.shrink(size as u64 * 4);
                return Err(error);
            }
        }
        let last = self.blocks.len() - 1;
        Ok(&mut self.blocks[last])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_all_items_in_order() {
        let memory = Memory::unlimited();
        let mut list = List::new(&memory);
        (0..100_000).for_each(|item| list.push(item).unwrap());
        assert!(list.iter().eq(0..100_000));
        assert!(list.blocks().iter().all(|block| block.len() <= BLOCK));
        let mut next = 100_000;
        list.refill(|| {
            next -= 1;
            next
        });
        assert!(list.iter().eq((0..100_000).rev()));
        assert!(memory.used() >= list.len() as u64 * 4);
        list.clear();
        assert_eq!((list.len(), memory.used()), (0, 0));
    }

    #[test]
    fn a_limit_is_an_error_and_loses_nothing() {
        let memory = Memory::new(100_000);
        let mut list = List::new(&memory);
        let mut count = 0;
        while list.push(count).is_ok() {
            count += 1;
        }
        assert!(list.iter().eq(0..count) && count > 5000);
        assert!(memory.peak() <= 100_000);
    }
}
