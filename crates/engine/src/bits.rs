//! Arrays of one and two bits an item, for marks on positions and edges.
//!
//! A byte an item would be simpler and four to eight times larger; these arrays are as long as the game is large.

use crate::error::Error;
use crate::memory::Memory;
use crate::segmented::Segmented;

/// An array of numbers of `WIDTH` bits each; a `WIDTH` of 1, 2 or 4 makes sense. All items that exist but were never
/// set are 0.
#[derive(Debug)]
pub(crate) struct Packed<const WIDTH: u32> {
    words: Segmented<u64>,
    len: usize,
}

/// One bit an item.
pub(crate) type Bits = Packed<1>;

impl<const WIDTH: u32> Packed<WIDTH> {
    const PER_WORD: usize = (64 / WIDTH) as usize;
    const MASK: u64 = (1 << WIDTH) - 1;

    /// An empty array.
    pub fn new(memory: &Memory) -> Packed<WIDTH> {
        Packed { words: Segmented::new(memory), len: 0 }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Makes the array at least `len` long, filled up with 0.
    pub fn grow_to(&mut self, len: usize) -> Result<(), Error> {
        if len > self.len {
            self.words.grow_to(len.div_ceil(Self::PER_WORD), 0)?;
            self.len = len;
        }
        Ok(())
    }

    /// The item at `index`; 0 beyond the end.
    #[inline]
    pub fn get(&self, index: usize) -> u8 {
        if index >= self.len {
            return 0;
        }
        let shift = (index % Self::PER_WORD) as u32 * WIDTH;
        ((self.words.get(index / Self::PER_WORD) >> shift) & Self::MASK) as u8
    }

    /// Replaces the item at `index`.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn set(&mut self, index: usize, item: u8) {
        debug_assert!(index < self.len && u64::from(item) <= Self::MASK);
        let shift = (index % Self::PER_WORD) as u32 * WIDTH;
        let word = self.words.at_mut(index / Self::PER_WORD);
        *word = *word & !(Self::MASK << shift) | u64::from(item) << shift;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const WIDTH: u32>() {
        let memory = Memory::unlimited();
        let mut packed = Packed::<WIDTH>::new(&memory);
        let mut plain = Vec::new();
        for i in 0..1000u64 {
            let item = (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as u8 & Packed::<WIDTH>::MASK as u8;
            packed.grow_to(i as usize + 1).unwrap();
            packed.set(i as usize, item);
            plain.push(item);
            let back = (i * i % (i + 1)) as usize;
            packed.set(back, plain[i as usize / 2]);
            plain[back] = plain[i as usize / 2];
        }
        assert!((0..1000).all(|i| packed.get(i) == plain[i]));
        assert_eq!(packed.get(1000), 0);
        packed.grow_to(2000).unwrap();
        assert!((1000..2000).all(|i| packed.get(i) == 0));
    }

    #[test]
    fn every_width_behaves_like_a_vector() {
        check::<1>();
        check::<2>();
        check::<4>();
    }
}
