//! Nim-values in layers of bits.
//!
//! The heaps of value 0 are the lost heaps. The heaps of value v are those that have no smaller value and no option of
//! value v: the lost heaps of the same game among the remaining heaps. So the engine for lost heaps runs once for each
//! value, and the values are stored as binary digits, one row of bits for each digit.

use super::SubtractionError;
use super::bits::Bits;
use super::engine::Engine;
use super::game::Subtraction;
use super::plan::{BLOCK, Plan};
use super::seek::Seeker;
use crate::Period;

/// How many words are valued at a time: what a layer reads then stays in the cache.
const PIECE: usize = 1 << 9;

/// Nim-values that grow.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    plan: Plan,
    /// The heaps of value 0, 1, 2, …; only the latest words are stored.
    layers: Vec<Engine>,
    /// Binary digits of the values, lowest first.
    digits: Vec<Bits>,
    seeker: Seeker,
    pub period: Option<Period>,
}

impl Layers {
    pub fn new(game: &Subtraction) -> Layers {
        Layers {
            plan: Plan::new(game),
            layers: Vec::new(),
            digits: vec![Bits::new()],
            seeker: Seeker::new(game.reach(), game.pure_from()),
            period: None,
        }
    }

    /// Continues from saved digits. Those of the irregular beginning are computed anew.
    pub fn resume(game: &Subtraction, saved: &[&[u64]]) -> Result<Layers, SubtractionError> {
        let mut layers = Layers::new(game);
        let end = saved.first().map_or(0, |row| row.len() / BLOCK * BLOCK);
        if saved.len() > 20 || saved.iter().any(|row| row.len() != saved[0].len()) {
            return Err(SubtractionError::Saved);
        }
        if end == 0 || end < layers.plan.regular_from {
            return Ok(layers);
        }
        layers.digits = saved.iter().map(|row| Bits::from_words(&row[..end])).collect::<Result<_, _>>()?;
        let largest = layers.largest();
        // A value is at most the number of options.
        if largest > game.count() {
            return Err(SubtractionError::Saved);
        }
        let keep = layers.plan.reach + PIECE;
        for value in 0..=largest {
            let mut lost = Bits::blank(end, keep)?;
            for word in end.saturating_sub(keep)..end {
                let (words, at) = lost.at_mut(word);
                words[at] = layers.heaps_with(value, word);
            }
            layers.layers.push(Engine::from_latest(&layers.plan, lost));
        }
        let rows: Vec<&Bits> = layers.digits.iter().collect();
        layers.period = layers.seeker.advance(&rows);
        Ok(layers)
    }

    /// The binary digits of all values computed, lowest first.
    pub fn digits(&self) -> Vec<&[u64]> {
        self.digits.iter().map(Bits::words).collect()
    }

    /// The largest value in the rows of digits, found digit by digit from the top.
    fn largest(&self) -> u64 {
        let mut largest = 0;
        for i in (0..self.digits.len()).rev() {
            let higher = largest >> i | 1;
            let occurs = |word: usize| {
                let differ = |(j, digit): (usize, &Bits)| digit.word(word) ^ (higher >> j & 1u64).wrapping_neg();
                self.digits[i..].iter().enumerate().map(differ).fold(0, |some, other| some | other) != !0
            };
            if (0..self.end()).any(occurs) {
                largest |= 1 << i;
            }
        }
        largest
    }

    /// The heaps of a word that have a value.
    fn heaps_with(&self, value: u64, word: usize) -> u64 {
        let differ = |(i, digit): (usize, &Bits)| digit.word(word) ^ (value >> i & 1).wrapping_neg();
        !self.digits.iter().enumerate().map(differ).fold(0, |some, other| some | other)
    }

    /// Values all heaps below 64 times `end` words, unless a period is proved before.
    pub fn extend(&mut self, end: usize) -> Result<(), SubtractionError> {
        while self.end() < end && self.period.is_none() {
            let have = self.end();
            let piece = (have / 8).clamp(BLOCK, PIECE) / BLOCK * BLOCK;
            self.piece(have, (have + piece).min(end))?;
            let rows: Vec<&Bits> = self.digits.iter().collect();
            self.period = self.seeker.advance(&rows);
        }
        Ok(())
    }

    fn piece(&mut self, have: usize, end: usize) -> Result<(), SubtractionError> {
        // Memory comes first: a piece that fails leaves everything unchanged.
        for bits in &mut self.digits {
            bits.grow(end)?;
        }
        let keep = self.plan.reach + PIECE;
        let mut valued = vec![0u64; end - have];
        let mut value = 0;
        while value < self.layers.len() || valued.iter().any(|&word| word != !0) {
            if value == self.layers.len() {
                self.layers.push(Engine::without_lost(&self.plan, have, keep)?);
            }
            let layer = &mut self.layers[value];
            layer.run(&mut self.plan, end, Some(&valued))?;
            while value >> self.digits.len() != 0 {
                let mut digit = Bits::new();
                digit.grow(end)?;
                self.digits.push(digit);
            }
            let (lost, from) = layer.lost.at(have);
            let lost = &lost[from..];
            for (i, digit) in self.digits.iter_mut().enumerate().filter(|(i, _)| value >> i & 1 == 1) {
                debug_assert!(value >> i != 0);
                let (words, at) = digit.at_mut(have);
                words[at..].iter_mut().zip(lost).for_each(|(word, lost)| *word |= lost);
            }
            valued.iter_mut().zip(lost).for_each(|(word, lost)| *word |= lost);
            layer.lost.forget(keep);
            value += 1;
        }
        Ok(())
    }

    /// How many words of heaps are valued.
    pub fn end(&self) -> usize {
        self.digits[0].end()
    }

    /// The value of a heap that was computed.
    pub fn value(&self, n: u64) -> u64 {
        self.digits.iter().enumerate().map(|(i, digit)| u64::from(digit.bit(n)) << i).sum()
    }

    /// The largest value so far.
    pub fn max(&self) -> u64 {
        (self.layers.len() as u64).saturating_sub(1)
    }

    pub fn bytes(&self) -> u64 {
        self.digits.iter().map(Bits::bytes).sum::<u64>()
            + self.layers.iter().map(|layer| layer.lost.bytes()).sum::<u64>()
    }

    /// The least heap with a value from `from` to before `to`, of those computed.
    pub fn next(&self, mut from: u64, to: u64, value: u64) -> Option<u64> {
        if self.digits.len() < 64 && value >> self.digits.len() != 0 {
            return None;
        }
        while from < to {
            let same = self.heaps_with(value, (from / 64) as usize) >> (from % 64);
            if same != 0 {
                let found = from + u64::from(same.trailing_zeros());
                return (found < to).then_some(found);
            }
            from = (from / 64 + 1) * 64;
        }
        None
    }
}
