//! A set of nimbers as bits: the values of the options of a position.

/// Nimbers; bit `i` stands for nimber `i`. As long as its largest member needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    words: Vec<u64>,
}

impl Set {
    /// An empty set with room for the nim-sums of nimbers up to `most`.
    pub fn with_room(most: u32) -> Set {
        Set { words: vec![0; (most as usize + 1).next_power_of_two().div_ceil(64)] }
    }

    pub fn insert(&mut self, nimber: u32) {
        let word = (nimber / 64) as usize;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (nimber % 64);
    }

    #[cfg(test)]
    pub fn contains(&self, nimber: u32) -> bool {
        self.word((nimber / 64) as usize) >> (nimber % 64) & 1 == 1
    }

    /// The members `64 i` to `64 i + 63`.
    pub fn word(&self, i: usize) -> u64 {
        self.words.get(i).copied().unwrap_or(0)
    }

    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Adds the members of another set.
    pub fn unite(&mut self, other: &Set) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(word, more)| *word |= more);
    }

    /// Adds `nimber ⊕ member` for the members of another set: the high bits permute whole words, and the low six
    /// permute the bits within a word.
    pub fn unite_shifted(&mut self, other: &Set, nimber: u32) {
        let high = (nimber / 64) as usize;
        for (i, &word) in other.words.iter().enumerate().filter(|(_, word)| **word != 0) {
            let place = i ^ high;
            if place >= self.words.len() {
                self.words.resize(place + 1, 0);
            }
            self.words[place] |= swap(word, nimber % 64);
        }
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

/// The word whose bit `i ⊕ by` is bit `i` of `word`.
fn swap(mut word: u64, by: u32) -> u64 {
    const LOW: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    for (level, low) in LOW.iter().enumerate().filter(|(level, _)| by >> level & 1 == 1) {
        word = (word & low) << (1 << level) | (word >> (1 << level)) & low;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_is_exclusive_or() {
        let mut set = Set::default();
        let members = [0, 1, 5, 63, 64, 100, 191];
        members.iter().for_each(|&member| set.insert(member));
        for by in 0..256 {
            let mut shifted = Set::default();
            shifted.unite_shifted(&set, by);
            for nimber in 0..512 {
                assert_eq!(shifted.contains(nimber), members.contains(&(nimber ^ by)), "{nimber} by {by}");
            }
        }
    }
}
