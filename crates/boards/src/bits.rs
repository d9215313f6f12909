//! Masks of cells: one, two or four machine words.

use std::fmt::Debug;
use std::hash::Hash;

/// A set of small numbers.
pub trait Bits: Copy + Eq + Ord + Hash + Debug + Default + 'static {
    /// How many numbers there are.
    const WIDTH: usize;
    /// How many words it has.
    const WORDS: usize = Self::WIDTH / 64;

    /// The set of one number.
    fn bit(index: usize) -> Self;
    /// Both.
    fn and(self, other: Self) -> Self;
    /// Either.
    fn or(self, other: Self) -> Self;
    /// This one without the other.
    fn without(self, other: Self) -> Self;
    /// All numbers made smaller. None may fall below zero.
    fn down(self, by: usize) -> Self;
    /// The least number; [`Bits::WIDTH`] if there is none.
    fn lowest(self) -> usize;
    /// The set without its least number.
    fn rest(self) -> Self;
    /// One word of it.
    fn word(self, index: usize) -> u64;
    /// The set with these words.
    fn from_words(words: &[u64]) -> Self;

    /// Whether it is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether all of it is in another set.
    #[inline]
    fn within(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    /// Whether it has something in common with another set.
    #[inline]
    fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }
}

/// The numbers of a set, in ascending order.
pub fn each<B: Bits>(set: B) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let lowest = left.lowest();
        left = left.rest();
        (lowest < B::WIDTH).then_some(lowest)
    })
}

macro_rules! primitive {
    ($type:ty) => {
        impl Bits for $type {
            const WIDTH: usize = <$type>::BITS as usize;

            #[inline]
            fn bit(index: usize) -> Self {
                1 << index
            }
            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline]
            fn without(self, other: Self) -> Self {
                self & !other
            }
            #[inline]
            fn down(self, by: usize) -> Self {
                self >> by
            }
            #[inline]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline]
            fn rest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn word(self, index: usize) -> u64 {
                (self >> (64 * index)) as u64
            }
            #[inline]
            fn from_words(words: &[u64]) -> Self {
                words.iter().enumerate().fold(0, |sum, (index, word)| sum | (*word as $type) << (64 * index))
            }
        }
    };
}

primitive!(u64);
primitive!(u128);

/// Four words, the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wide([u64; 4]);

impl Wide {
    #[inline]
    fn each(self, other: Wide, of: impl Fn(u64, u64) -> u64) -> Wide {
        Wide(std::array::from_fn(|word| of(self.0[word], other.0[word])))
    }
}

impl Bits for Wide {
    const WIDTH: usize = 256;

    fn bit(index: usize) -> Wide {
        let mut words = [0; 4];
        words[index / 64] = 1 << (index % 64);
        Wide(words)
    }
    #[inline]
    fn and(self, other: Wide) -> Wide {
        self.each(other, |a, b| a & b)
    }
    #[inline]
    fn or(self, other: Wide) -> Wide {
        self.each(other, |a, b| a | b)
    }
    #[inline]
    fn without(self, other: Wide) -> Wide {
        self.each(other, |a, b| a & !b)
    }
    fn down(self, by: usize) -> Wide {
        let (words, bits) = (by / 64, by % 64);
        let at = |index: usize| self.0.get(index).copied().unwrap_or(0);
        Wide(std::array::from_fn(|word| {
            let low = at(word + words) >> bits;
            // A shift by a whole word would not be defined.
            if bits == 0 { low } else { low | at(word + words + 1) << (64 - bits) }
        }))
    }
    fn lowest(self) -> usize {
        let word = self.0.iter().position(|word| *word != 0);
        word.map_or(Self::WIDTH, |word| 64 * word + self.0[word].trailing_zeros() as usize)
    }
    fn rest(self) -> Wide {
        let mut words = self.0;
        if let Some(word) = words.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        Wide(words)
    }
    #[inline]
    fn word(self, index: usize) -> u64 {
        self.0[index]
    }
    fn from_words(words: &[u64]) -> Wide {
        Wide(std::array::from_fn(|word| words[word]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees<B: Bits>() {
        let numbers = [0, 3, 63, 64, 65, 127, 128, 190, 255];
        let set = numbers.iter().filter(|n| **n < B::WIDTH).fold(B::default(), |set, n| set.or(B::bit(*n)));
        assert!(each(set).eq(numbers.into_iter().filter(|n| *n < B::WIDTH)));
        let high = set.without(B::bit(0)).without(B::bit(3));
        assert!(each(high.down(63)).eq(numbers.into_iter().filter(|n| *n < B::WIDTH && *n >= 63).map(|n| n - 63)));
        let words: Vec<u64> = (0..B::WORDS).map(|word| set.word(word)).collect();
        assert_eq!(B::from_words(&words), set);
        assert!(high.within(set) && !set.within(high) && high.meets(set) && !high.meets(B::bit(0)));
    }

    #[test]
    fn all_widths_agree() {
        agrees::<u64>();
        agrees::<u128>();
        agrees::<Wide>();
    }
}
