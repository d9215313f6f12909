//! Numbers of few bits in words of 64: what letters are made of.

/// Writes numbers one after the other.
#[derive(Debug, Default)]
pub struct Packer {
    words: Vec<u64>,
    bits: usize,
    /// How many records were written.
    pub records: u64,
}

impl Packer {
    /// Behind some whole words.
    pub fn after(words: Vec<u64>) -> Packer {
        Packer { bits: 64 * words.len(), words, records: 0 }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Adds a number below `2^bits`; at most 64 bits.
    #[inline]
    pub fn put(&mut self, number: u64, bits: u32) {
        let used = (self.bits % 64) as u32;
        if used == 0 {
            if bits > 0 {
                self.words.push(number);
            }
        } else {
            if let Some(last) = self.words.last_mut() {
                *last |= number << used;
            }
            if used + bits > 64 {
                self.words.push(number >> (64 - used));
            }
        }
        self.bits += bits as usize;
    }

    /// The words.
    pub fn into_words(self) -> Vec<u64> {
        self.words
    }
}

/// Reads numbers that a [`Packer`] wrote.
#[derive(Debug)]
pub struct Unpacker<'w> {
    words: &'w [u64],
    at: usize,
}

impl<'w> Unpacker<'w> {
    /// From the first word on.
    pub fn new(words: &'w [u64]) -> Unpacker<'w> {
        Unpacker { words, at: 0 }
    }

    /// The next number of so many bits; zeros behind the end.
    #[inline]
    pub fn take(&mut self, bits: u32) -> u64 {
        let (word, used) = (self.at / 64, (self.at % 64) as u32);
        self.at += bits as usize;
        let mut number = self.words.get(word).map_or(0, |word| word >> used);
        if used + bits > 64 {
            number |= self.words.get(word + 1).map_or(0, |word| word << (64 - used));
        }
        if bits == 64 { number } else { number & ((1 << bits) - 1) }
    }
}

/// The bits of numbers up to `most`.
pub fn bits_for(most: u64) -> u32 {
    64 - most.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Random;

    #[test]
    fn numbers_of_any_width_are_read_as_they_were_written() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let widths: Vec<u32> = (0..1 + random.below(60)).map(|_| random.below(65) as u32).collect();
            let numbers: Vec<u64> = widths
                .iter()
                .map(|&bits| if bits == 64 { random.next() } else { random.next() & ((1 << bits) - 1) })
                .collect();
            let mut packer = Packer::after(vec![7]);
            numbers.iter().zip(&widths).for_each(|(&number, &bits)| packer.put(number, bits));
            let total: usize = widths.iter().map(|&bits| bits as usize).sum();
            assert_eq!(packer.len(), 1 + total.div_ceil(64));
            let words = packer.into_words();
            let mut unpacker = Unpacker::new(&words[1..]);
            for (&number, &bits) in numbers.iter().zip(&widths) {
                assert_eq!(unpacker.take(bits), number);
            }
        }
    }
}
