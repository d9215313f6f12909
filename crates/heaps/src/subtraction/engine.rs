//! The bit-parallel engine: which heaps are lost, one bit each.
//!
//! A heap is lost if no move leads to a lost heap. [`Engine::run`] values a piece of the row, word by word: far moves
//! handle 256 heaps at a time, stretches 64, and the rest is decided within the word.
//!
//! Heaps can be *excluded*: they are never lost, whatever their options. So one engine computes nim-values too: the
//! heaps of value v are the lost heaps of the game among those without a smaller value.

use super::SubtractionError;
use super::bits::{Bits, behind};
#[cfg(target_arch = "x86_64")]
use super::plan::{BLOCK, MOST, Plan, Stretch};
use super::settle::{Plain, Push, Rounds, Settle, SettleWord, Single};
#[cfg(target_arch = "x86_64")]
use super::short::{Row, Short};

/// No lost heap seen yet.
const NONE: i64 = i64::MIN / 2;

/// A row of lost heaps that grows.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    pub lost: Bits,
    /// For each kind of move, the latest lost heap that its least number reaches; used while the rule is irregular.
    latest_reached: Vec<i64>,
    /// For each stretch, the latest lost heap before those that the next word reads.
    latest: Vec<i64>,
    /// Recent average of lost heaps in a word.
    density: f32,
}

impl Engine {
    /// No heaps valued yet.
    pub fn new(plan: &Plan) -> Engine {
        Engine {
            lost: Bits::new(),
            latest_reached: vec![NONE; plan.takes.len()],
            latest: vec![NONE; plan.stretches.len()],
            density: 8.0,
        }
    }

    /// Continues after saved words. Saved words of the irregular beginning are computed anew.
    pub fn resume(plan: &Plan, saved: &[u64]) -> Result<Engine, SubtractionError> {
        let mut engine = Engine::new(plan);
        let end = saved.len() / BLOCK * BLOCK;
        if end >= plan.regular_from {
            engine = Engine::from_latest(plan, Bits::from_words(&saved[..end])?);
        }
        Ok(engine)
    }

    /// A row without lost heaps before word `end`, of which the last `keep` are stored.
    pub fn without_lost(plan: &Plan, end: usize, keep: usize) -> Result<Engine, SubtractionError> {
        Ok(Engine { lost: Bits::blank(end, keep)?, ..Engine::new(plan) })
    }

    /// A row whose latest words are known, as far back as the moves reach.
    pub fn from_latest(plan: &Plan, lost: Bits) -> Engine {
        let end = lost.end();
        let mut engine = Engine { lost, ..Engine::new(plan) };
        engine.find_latest(plan, end);
        engine
    }

    /// Values the words up to `end`, a multiple of [`BLOCK`]. `excluded` has a word for each of them.
    pub fn run(&mut self, plan: &mut Plan, end: usize, excluded: Option<&[u64]>) -> Result<(), SubtractionError> {
        let start = self.lost.end();
        if end <= start {
            return Ok(());
        }
        self.lost.grow(end)?;
        let irregular_end = plan.regular_from.clamp(start, end);
        if start < irregular_end {
            self.run_irregular(plan, start, irregular_end, excluded);
            if irregular_end == plan.regular_from {
                self.find_latest(plan, irregular_end);
            }
        }
        if irregular_end < end {
            let excluded = excluded.map(|words| &words[irregular_end - start..]);
            self.run_regular(plan, irregular_end, end, excluded);
            let (words, at) = self.lost.at(end);
            let lost: u32 = words[at - BLOCK..at].iter().map(|word| word.count_ones()).sum();
            self.density = lost as f32 / BLOCK as f32;
        }
        Ok(())
    }

    /// Values heap by heap, with all conditions.
    fn run_irregular(&mut self, plan: &Plan, start: usize, end: usize, excluded: Option<&[u64]>) {
        for n in start as u64 * 64..end as u64 * 64 {
            let mut won = n < plan.first && plan.misere;
            for (take, latest_reached) in plan.takes.iter().zip(&mut self.latest_reached) {
                if n >= take.least && self.lost.bit(n - take.least) {
                    *latest_reached = (n - take.least) as i64;
                }
                won |= take.options(n).is_some_and(|(low, _)| *latest_reached >= low as i64);
            }
            let word = (n / 64) as usize;
            let won = won || excluded.is_some_and(|words| words[word - start] >> (n % 64) & 1 == 1);
            if !won {
                let (words, at) = self.lost.at_mut(word);
                words[at] |= 1 << (n % 64);
            }
        }
    }

    /// Finds the latest lost heaps that the stretches need before word `end`.
    fn find_latest(&mut self, plan: &Plan, end: usize) {
        let end = end as u64 * 64;
        for (stretch, latest) in plan.stretches.iter().zip(&mut self.latest) {
            *latest = NONE;
            let Some(before) = end.checked_sub(stretch.least) else { continue };
            let least = end.saturating_sub(stretch.most).max(stretch.floor);
            let mut n = before;
            while n > least {
                n -= 1;
                let word = self.lost.word((n / 64) as usize) << (63 - n % 64);
                if word == 0 {
                    n -= n % 64;
                    continue;
                }
                n -= u64::from(word.leading_zeros());
                if n >= least {
                    *latest = n as i64;
                }
                break;
            }
        }
    }

    fn run_regular(&mut self, plan: &mut Plan, start: usize, end: usize, excluded: Option<&[u64]>) {
        #[cfg(target_arch = "x86_64")]
        if plan.vectors {
            // SAFETY: the plan has tested that the processor has these features. The function itself is safe code.
            #[allow(unsafe_code)]
            unsafe {
                self.run_regular_avx2(plan, start, end, excluded);
            }
            return;
        }
        self.run_regular_plain(plan, start, end, excluded);
    }

    /// [`Engine::run_regular_plain`], compiled for newer processors.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn run_regular_avx2(&mut self, plan: &mut Plan, start: usize, end: usize, excluded: Option<&[u64]>) {
        self.run_regular_plain(plan, start, end, excluded);
    }

    #[inline(always)]
    fn run_regular_plain(&mut self, plan: &mut Plan, start: usize, end: usize, excluded: Option<&[u64]>) {
        let (words, at) = self.lost.at(start);
        match Settle::choose(plan, self.density) {
            Settle::Plain => self.run_with(plan, start, end, excluded, Plain),
            Settle::Single => {
                let single = Single::new(plan, words, at);
                self.run_with(plan, start, end, excluded, single)
            }
            Settle::Rounds => {
                let rounds = Rounds::new(plan, words, at);
                self.run_with(plan, start, end, excluded, rounds)
            }
            Settle::Push => {
                let push = Push::new(plan, words, at, self.density);
                self.run_with(plan, start, end, excluded, push)
            }
        }
    }

    #[inline(always)]
    fn run_with(
        &mut self,
        plan: &mut Plan,
        start: usize,
        end: usize,
        excluded: Option<&[u64]>,
        mut settle: impl SettleWord,
    ) {
        let (words, at) = self.lost.at_mut(start);
        #[cfg(target_arch = "x86_64")]
        if let Some(short) = &plan.short {
            let row = Row { words, at, excluded };
            // SAFETY: the plan has short moves only if the processor has the features. The functions are safe code.
            #[allow(unsafe_code)]
            unsafe {
                match short.len() {
                    0 => Short::<0>::new(short).run(plan, row, end - start, settle),
                    1..=2 => Short::<2>::new(short).run(plan, row, end - start, settle),
                    3..=4 => Short::<4>::new(short).run(plan, row, end - start, settle),
                    5..=6 => Short::<6>::new(short).run(plan, row, end - start, settle),
                    7..=8 => Short::<8>::new(short).run(plan, row, end - start, settle),
                    9..=10 => Short::<10>::new(short).run(plan, row, end - start, settle),
                    11..=12 => Short::<12>::new(short).run(plan, row, end - start, settle),
                    _ => Short::<MOST>::new(short).run(plan, row, end - start, settle),
                }
            }
            return;
        }
        plan.far1.start(words, at);
        plan.far2.start(words, at);
        plan.far4.start(words, at);
        for block in (0..end - start).step_by(BLOCK) {
            let at = at + block;
            // Arrays of known length throughout: slices would be joined with masked stores, which are slow.
            let mut won = if plan.far4.is_empty() { [[0; 4]; 4] } else { plan.far4.pull(words, at) };
            if let Some(excluded) = excluded {
                for (won, excluded) in won.iter_mut().zip(excluded[block..block + BLOCK].as_chunks::<4>().0) {
                    or(won, excluded);
                }
            }
            for (half, won) in won.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let at = at + 8 * half;
                if !plan.far2.is_empty() {
                    let reached = plan.far2.pull(words, at);
                    or(&mut won[0], &reached[0]);
                    or(&mut won[1], &reached[1]);
                }
                for (quarter, won) in won.iter_mut().enumerate() {
                    let at = at + 4 * quarter;
                    if !plan.far1.is_empty() {
                        or(won, &plan.far1.pull(words, at)[0]);
                    }
                    let word = start + block + 8 * half + 4 * quarter;
                    for (i, &won) in won.iter().enumerate() {
                        let mut won = won;
                        for (stretch, latest) in plan.stretches.iter().zip(&mut self.latest) {
                            won |= reached_by_stretch(stretch, latest, words, at + i, word + i);
                        }
                        words[at + i] = settle.word(plan, won, words, at + i);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn or(some: &mut [u64; 4], others: &[u64; 4]) {
    for i in 0..4 {
        some[i] |= others[i];
    }
}

/// The heaps of a word that reach a lost heap by a stretch; updates the latest lost heap.
#[inline(always)]
fn reached_by_stretch(stretch: &Stretch, latest: &mut i64, words: &[u64], at: usize, word: usize) -> u64 {
    let start = word as i64 * 64;
    let from = start - stretch.least as i64;
    if from <= -64 {
        return 0;
    }
    // The lost heaps that the least number reaches from this word.
    let latest_reached = behind(words, at, stretch.least as usize);
    let length = stretch.most - stretch.least;
    let mut reached = 0;
    let last = latest.saturating_add(stretch.most as i64) - start;
    if last >= 0 {
        reached = if last >= 63 { !0 } else { (2 << last) - 1 };
    }
    if latest_reached != 0 {
        *latest = from + 63 - i64::from(latest_reached.leading_zeros());
        if length >= 63 {
            reached |= !0 << latest_reached.trailing_zeros();
        } else {
            reached |= smeared(latest_reached, length as u32);
        }
    }
    reached
}

/// Each bit, and the `length` bits above it.
#[inline(always)]
fn smeared(mut bits: u64, length: u32) -> u64 {
    let mut done = 0;
    while done < length {
        let step = (done + 1).min(length - done);
        bits |= bits << step;
        done += step;
    }
    bits
}

#[cfg(test)]
mod tests {
    use testkit::Random;

    use super::super::game::{Subtraction, Takes};
    use super::*;

    #[test]
    fn every_way_gives_the_same_words() {
        let mut source = Random::new(11);
        let mut random = |bound: u64| source.below(bound);
        for round in 0..300 {
            let largest = [20, 63, 200, 600, 3000][round % 5];
            let mut takes: Vec<Takes> = (0..=random(12)).map(|_| Takes::one(1 + random(largest))).collect();
            if round % 3 == 0 {
                let least = 1 + random(largest);
                takes.push(Takes::range(least, least + random(100)));
            }
            let game = Subtraction::new(takes, round % 2 == 0).unwrap();
            let fast = Plan::new(&game);
            let plain = Plan {
                vectors: false,
                short: None,
                far1: fast.far1.clone().plain(),
                far2: fast.far2.clone().plain(),
                far4: fast.far4.clone().plain(),
                ..fast.clone()
            };
            let long = Plan { short: None, ..fast.clone() };
            let ways = [
                (fast.clone(), 0.0),
                (fast, 1e9),
                (long.clone(), 0.0),
                (long, 1e9),
                (plain.clone(), 0.0),
                (plain, 1e9),
            ];
            let words: Vec<Vec<u64>> = ways
                .into_iter()
                .map(|(mut plan, density)| {
                    let mut engine = Engine::new(&plan);
                    let mut end = 0;
                    while end < 20 * BLOCK {
                        end += BLOCK * (1 + random(5) as usize);
                        // A density of 0 makes it push, a large one makes it use rounds.
                        engine.density = density;
                        engine.run(&mut plan, end.min(20 * BLOCK), None).unwrap();
                    }
                    engine.lost.words().to_vec()
                })
                .collect();
            assert!(words.iter().all(|other| *other == words[0]), "{game:?}");
        }
    }
}
