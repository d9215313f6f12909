//! Nim-values in layers of bits.
//!
//! The heaps of value 0 are the lost heaps. The heaps of value v are those that have no smaller value and no option of
//! value v: the lost heaps again, of the same game among the heaps that remain. So the engine for lost heaps runs once
//! for each value, and the values are kept as binary digits, one row of bits a digit.

use super::SubtractionError;
use super::bits::Bits;
use super::engine::Engine;
use super::game::Subtraction;
use super::plan::{BLOCK, Plan};
use super::seek::Seeker;
use crate::Period;

/// Words valued in one go: what a layer reads stays in the cache.
const PIECE: usize = 1 << 9;

/// Nim-values that grow.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    plan: Plan,
    /// The heaps of value 0, 1, 2, …; only the latest ones are kept.
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

    /// Values all heaps below 64 times `end` words, unless a period is proved before.
    pub fn extend(&mut self, end: usize) -> Result<(), SubtractionError> {
        while self.end() < end && self.period.is_none() {
            let have = self.end();
            let piece = (have / 2).clamp(BLOCK, PIECE) / BLOCK * BLOCK;
            self.piece(have, (have + piece).min(end))?;
            let rows: Vec<&Bits> = self.digits.iter().collect();
            self.period = self.seeker.advance(&rows);
        }
        Ok(())
    }

    fn piece(&mut self, have: usize, end: usize) -> Result<(), SubtractionError> {
        // Memory comes first: a piece that fails leaves everything as it was.
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
            let word = (from / 64) as usize;
            let differ = self
                .digits
                .iter()
                .enumerate()
                .fold(0, |differ, (i, digit)| differ | (digit.word(word) ^ (value >> i & 1).wrapping_neg()));
            let same = !differ >> (from % 64);
            if same != 0 {
                let found = from + u64::from(same.trailing_zeros());
                return (found < to).then_some(found);
            }
            from = (from / 64 + 1) * 64;
        }
        None
    }
}
