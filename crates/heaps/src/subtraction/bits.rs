//! A row of bits, one for each heap, which only grows at its end.

use super::SubtractionError;
use crate::Period;

/// Zero words before heap 0, so that moves from small heaps read zeros and need no test. More than a block has.
pub(super) const PAD: usize = 32;

/// Bits of heaps 0, 1, 2, …, in words of 64.
///
/// Word w holds heaps 64 w to 64 w + 63, the least in the lowest bit. The first words can be dropped.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    words: Vec<u64>,
    /// The number of the first stored word, plus [`PAD`].
    origin: usize,
}

impl Bits {
    /// No heaps yet.
    pub fn new() -> Bits {
        Bits { words: vec![0; PAD], origin: 0 }
    }

    /// The first heaps, from words that were saved.
    pub fn from_words(saved: &[u64]) -> Result<Bits, SubtractionError> {
        let mut bits = Bits::new();
        bits.grow(saved.len())?;
        bits.words[PAD..].copy_from_slice(saved);
        Ok(bits)
    }

    /// `end` words of zeros, of which the last `keep` are stored.
    pub fn blank(end: usize, keep: usize) -> Result<Bits, SubtractionError> {
        let mut bits = Bits { origin: end.saturating_sub(keep), ..Bits::new() };
        bits.grow(end)?;
        Ok(bits)
    }

    /// How many words there are, counted from heap 0.
    pub fn end(&self) -> usize {
        self.origin + self.words.len() - PAD
    }

    /// All words from heap 0 on; only for rows that dropped none.
    pub fn words(&self) -> &[u64] {
        debug_assert_eq!(self.origin, 0);
        &self.words[PAD..]
    }

    /// Bytes held. Memory that was reserved and never touched does not count.
    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// Reserves the memory of `end` words, in large pages.
    pub fn reserve(&mut self, end: usize) -> Result<(), SubtractionError> {
        let more = end.saturating_sub(self.end());
        if more <= self.words.capacity() - self.words.len() {
            return Ok(());
        }
        let bytes = 8 * (self.words.len() as u64).saturating_add(more as u64);
        self.words.try_reserve_exact(more).map_err(|_| SubtractionError::Memory { bytes })?;
        pages::prefer_large(&mut self.words);
        Ok(())
    }

    /// Adds zero words until there are `end` of them.
    pub fn grow(&mut self, end: usize) -> Result<(), SubtractionError> {
        let more = end.saturating_sub(self.end());
        if more > self.words.capacity() - self.words.len() {
            // A quarter more than asked for: growth is amortised, and memory is not doubled.
            let spare = more.max(self.words.len() / 4);
            if self.words.try_reserve_exact(spare).is_err() {
                self.reserve(end)?;
            }
        }
        self.words.resize(self.words.len() + more, 0);
        Ok(())
    }

    /// Writes words up to `end` by a period. There must be more than 64 heaps after the end of the first period.
    pub fn repeat(&mut self, period: &Period, end: usize) -> Result<(), SubtractionError> {
        let mut have = self.end();
        self.reserve(end)?;
        self.grow(end)?;
        while have < end {
            // Copy from as many whole periods before as fit, so that long rows of words are moved at a time.
            let span = (have as u64 * 64 - period.start).min(1 << 19).max(period.length);
            let back = (span / period.length * period.length) as usize;
            let count = (back / 64).min(end - have);
            let (words, at) = self.at_mut(have);
            let (known, new) = words.split_at_mut(at);
            let (from, shift) = (at - back / 64, back % 64);
            let copied = known[from..].iter().zip(&known[from - 1..]);
            for (new, (word, before)) in new[..count].iter_mut().zip(copied) {
                *new = word << shift | (before >> 1) >> (63 - shift);
            }
            have += count;
        }
        Ok(())
    }

    /// Drops what lies more than `keep` words before the end, if that is worth the copying.
    pub fn forget(&mut self, keep: usize) {
        let keep = keep + PAD;
        if self.words.len() > 2 * keep {
            let gone = self.words.len() - keep;
            self.words.drain(..gone);
            self.origin += gone;
        }
    }

    /// The stored words, and the index of word `word` among them.
    pub fn at(&self, word: usize) -> (&[u64], usize) {
        (&self.words, word + PAD - self.origin)
    }

    /// The stored words, to be written, and the index of word `word` among them.
    pub fn at_mut(&mut self, word: usize) -> (&mut [u64], usize) {
        (&mut self.words, word + PAD - self.origin)
    }

    /// Word number `word`; zero if there is none.
    pub fn word(&self, word: usize) -> u64 {
        (word + PAD).checked_sub(self.origin).and_then(|at| self.words.get(at)).copied().unwrap_or(0)
    }

    /// The bit of heap `n`.
    pub fn bit(&self, n: u64) -> bool {
        self.word((n / 64) as usize) >> (n % 64) & 1 == 1
    }

    /// The 64 bits from heap `n` on.
    pub fn window(&self, n: u64) -> u64 {
        let (word, shift) = ((n / 64) as usize, n % 64);
        let low = self.word(word) >> shift;
        if shift == 0 { low } else { low | self.word(word + 1) << (64 - shift) }
    }
}

/// The 64 bits of `words` that lie `back` bits before the start of word `at`; `back` is at least 64.
///
/// The caller must know that they exist.
#[inline(always)]
pub(super) fn behind(words: &[u64], at: usize, back: usize) -> u64 {
    let (word, shift) = (at - back / 64, back % 64);
    words[word] << shift | (words[word - 1] >> 1) >> (63 - shift)
}
