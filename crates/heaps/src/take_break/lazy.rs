//! Values of games in which a move may take any number of tokens, by questions instead of sets.
//!
//! If digits repeat for ever, as in Lasker's Nim `4.(3)`, values grow with the heap, and the set of the values of
//! splits is as large as the heap. But takes alone cover nearly all smaller values: for each heap there are only one or
//! two nimbers of which it must be known whether a split has them. So each is asked for by itself:
//!
//! * No part is worth more than its size plus the largest *excess* of a value over its heap, so large nimbers have no split.
//! * `a ⊕ b = v` means `a + b = v + 2w` with `w = a ∧ b`, bits outside `v`. The same bound makes `w` small, so the pairs of
//!   values are the ways to share out the bits of `v`: some hundreds where there are a million pairs of heaps.
//! * Where that is more work, because values grow slowly, all pairs are compared, many at a time, until one fits.
//!
//! If the digit that repeats splits too, as in `0.(7)`, a nimber has a split once the least sum of two heaps with that
//! nim-sum can be left. That sum is searched once for each nimber, and kept up to date by the first heap of each value.

use std::collections::BTreeMap;

use super::game::{Split, TakeAndBreak};
use super::plain::smaller_parts;
use super::set::Set;
use super::values::Values;

/// A value that no heap has.
const NONE: u32 = u32::MAX;
/// Looking up a pair of values costs as much as comparing this many pairs of heaps.
const LOOK_UP: u64 = 24;

/// The engine. The caller passes the values that it extends.
#[derive(Clone, Debug)]
pub(super) struct Lazy {
    /// By the number of heaps left: which of the listed numbers of tokens to take.
    takes: [Vec<usize>; 3],
    /// By the residue of the heap: values of single heaps left by repeating digits, and known splits among them.
    tails: Vec<Set>,
    /// How many words of a tail are full.
    full: Vec<usize>,
    /// If the repeating digit splits: by nimber, the least sum of two heaps that have it.
    sums: Option<BTreeMap<u32, usize>>,
    /// By value: its first heap that can be a part, and its latest.
    first: Vec<u32>,
    latest: Vec<u32>,
    /// By heap: the previous heap with the same value.
    before: Vec<u32>,
    /// No value exceeds its heap by more than this.
    excess: u64,
    next: usize,
    singles: Set,
}

impl Lazy {
    /// Whether the engine can handle a game.
    pub fn does(game: &TakeAndBreak) -> bool {
        let splits = game.repeat().iter().any(|digit| digit.leaves(2));
        let simple = game.repeat().len() == 1 && game.split().is_simple() && game.split().apart == 0;
        !game.is_finite() && game.most_heaps() == 2 && (!splits || simple)
    }

    /// An engine that continues after `values`.
    pub fn resume(game: &TakeAndBreak, values: &Values) -> Lazy {
        let splits = game.repeat().iter().any(|digit| digit.leaves(2));
        let mut lazy = Lazy {
            takes: [0, 1, 2].map(|heaps| game.takes_leaving(heaps)),
            tails: vec![Set::default(); game.repeat().len()],
            full: vec![0; game.repeat().len()],
            sums: splits.then(BTreeMap::new),
            first: Vec::new(),
            latest: Vec::new(),
            before: Vec::new(),
            excess: 0,
            next: 0,
            singles: Set::default(),
        };
        for value in values.iter() {
            lazy.prepare(game, values);
            lazy.accept(game, value);
        }
        lazy
    }

    /// Computes the next value and adds it to `values`.
    pub fn step(&mut self, game: &TakeAndBreak, values: &mut Values) {
        debug_assert_eq!(values.len(), self.next);
        self.prepare(game, values);
        let value = self.mex(game, values);
        values.push(value);
        self.accept(game, value);
    }

    /// From now on one more heap is left only by repeating digits.
    fn prepare(&mut self, game: &TakeAndBreak, values: &Values) {
        let Some(left) = self.next.checked_sub(game.digits().len()) else { return };
        let length = self.tails.len();
        for (i, digit) in game.repeat().iter().enumerate() {
            if (left == 0 && digit.leaves(0)) || (left > 0 && digit.leaves(1)) {
                self.tails[(self.next + i) % length].insert(values.at(left));
            }
        }
    }

    /// Records the value of the next heap.
    fn accept(&mut self, game: &TakeAndBreak, value: u32) {
        let (heap, index) = (self.next, value as usize);
        if index >= self.latest.len() {
            self.latest.resize(index + 1, NONE);
            self.first.resize(index + 1, NONE);
        }
        self.before.push(self.latest[index]);
        self.latest[index] = heap as u32;
        self.excess = self.excess.max(u64::from(value).saturating_sub(heap as u64));
        if self.first[index] == NONE && heap >= game.split().least as usize {
            self.first[index] = heap as u32;
            for (&nimber, sum) in self.sums.iter_mut().flatten() {
                if let Some(&other) = self.first.get((nimber ^ value) as usize)
                    && other != NONE
                {
                    *sum = (*sum).min(heap + other as usize);
                }
            }
        }
        self.next += 1;
    }

    /// The least nimber that no option of the next heap has.
    fn mex(&mut self, game: &TakeAndBreak, values: &Values) -> u32 {
        let n = self.next;
        self.singles.clear();
        if self.takes[0].binary_search(&n).is_ok() {
            self.singles.insert(0);
        }
        self.takes[1].iter().take_while(|&&t| t < n).for_each(|&t| self.singles.insert(values.at(n - t)));
        let residue = n % self.tails.len();
        while self.tails[residue].word(self.full[residue]) == u64::MAX {
            self.full[residue] += 1;
        }
        let mut i = self.full[residue];
        // Nimbers that all later heaps have are no longer asked for.
        if let Some(sums) = &mut self.sums {
            while sums.first_key_value().is_some_and(|(&nimber, _)| nimber as usize / 64 < i) {
                sums.pop_first();
            }
        }
        loop {
            let mut open = !(self.singles.word(i) | self.tails[residue].word(i));
            while open != 0 {
                let nimber = i as u32 * 64 + open.trailing_zeros();
                open &= open - 1;
                if self.is_left_by_repeating(game, nimber) {
                    self.tails[residue].insert(nimber);
                } else if !self.is_left_by_listed(game, values, nimber) {
                    return nimber;
                }
            }
            i += 1;
        }
    }

    /// Whether the repeating digit leaves two heaps of this nim-sum.
    fn is_left_by_repeating(&mut self, game: &TakeAndBreak, nimber: u32) -> bool {
        let Some(most) = self.next.checked_sub(game.digits().len()) else { return false };
        let Some(sums) = &mut self.sums else { return false };
        let Some(common) = most_in_common(most, self.excess, nimber) else { return false };
        let first = &self.first;
        if shares(nimber, common) < first.len() as u64 / LOOK_UP && !sums.contains_key(&nimber) {
            let at = |value: u32| first.get(value as usize).copied().filter(|&heap| heap != NONE);
            return any_share(nimber, common as u32, |value| {
                let sum = |other: u32| Some(at(value)? as usize + other as usize);
                at(value ^ nimber).and_then(sum).is_some_and(|sum| sum <= most)
            });
        }
        let least = *sums.entry(nimber).or_insert_with(|| {
            let pairs = first.iter().enumerate().filter_map(|(value, &heap)| {
                let other = *first.get(value ^ nimber as usize)?;
                (heap != NONE && other != NONE).then_some(heap as usize + other as usize)
            });
            pairs.min().unwrap_or(usize::MAX)
        });
        if least <= most {
            sums.remove(&nimber);
        }
        least <= most
    }

    /// Whether a listed digit leaves two heaps of this nim-sum.
    fn is_left_by_listed(&self, game: &TakeAndBreak, values: &Values, nimber: u32) -> bool {
        let splits = self.takes[2].iter().take_while(|&&taken| taken < self.next);
        splits.into_iter().any(|taken| self.is_pair(game.split(), values, self.next - taken, nimber))
    }

    /// Whether a pair with this sum has this nim-sum.
    fn is_pair(&self, split: &Split, values: &Values, sum: usize, nimber: u32) -> bool {
        let Some(common) = most_in_common(sum, self.excess, nimber) else { return false };
        if shares(nimber, common) < sum as u64 / LOOK_UP {
            return any_share(nimber, common as u32, |value| self.is_part(split, values, sum, nimber, value));
        }
        let parts = smaller_parts(split, sum);
        if parts.is_empty() {
            return false;
        }
        if split.residues.is_some() {
            return parts
                .filter(|&a| split.allows_part(a as u64) && split.allows_part((sum - a) as u64))
                .any(|a| values.at(a) ^ values.at(sum - a) == nimber);
        }
        let (low, high) = (*parts.start()..=*parts.end(), sum - parts.end()..=sum - parts.start());
        match values {
            Values::Narrow(values) => {
                u16::try_from(nimber).is_ok_and(|nimber| meets(&values[low], &values[high], nimber))
            }
            Values::Wide(values) => meets(&values[low], &values[high], nimber),
        }
    }

    /// Whether a heap of this value is part of a pair with this sum and nim-sum.
    fn is_part(&self, split: &Split, values: &Values, sum: usize, nimber: u32, value: u32) -> bool {
        let mut heap = self.latest.get(value as usize).copied().unwrap_or(NONE);
        while heap != NONE {
            let part = heap as usize;
            if (1..sum).contains(&part)
                && values.at(sum - part) == value ^ nimber
                && split.allows(&[part as u64, (sum - part) as u64])
            {
                return true;
            }
            heap = self.before[part];
        }
        false
    }

    pub fn bytes(&self) -> usize {
        let tails: usize = self.tails.iter().map(Set::bytes).sum();
        let sums = self.sums.as_ref().map_or(0, BTreeMap::len) * 24;
        tails + sums + 4 * (self.first.capacity() + self.latest.capacity() + self.before.capacity())
    }
}

/// How much the values of two heaps with this sum and nim-sum have in common at most; `None` if there are no such
/// heaps.
fn most_in_common(sum: usize, excess: u64, nimber: u32) -> Option<u64> {
    let rest = (sum as u64 + 2 * excess).checked_sub(u64::from(nimber))?;
    Some(rest / 2)
}

/// In how many ways two values may have this nim-sum and this much in common, or more.
fn shares(nimber: u32, common: u64) -> u64 {
    (common + 1).saturating_mul(1 << nimber.count_ones().saturating_sub(1))
}

/// Whether `wanted` holds for the larger of two values with this nim-sum, and at most `common` in common.
fn any_share(nimber: u32, common: u32, mut wanted: impl FnMut(u32) -> bool) -> bool {
    // The larger value has the highest bit of the nim-sum.
    let high = nimber.checked_ilog2().map_or(0, |bit| 1 << bit);
    let rest = nimber ^ high;
    for both in (0..=common).filter(|both| both & nimber == 0) {
        let mut share = rest;
        loop {
            if wanted(high | share | both) {
                return true;
            }
            if share == 0 {
                break;
            }
            share = (share - 1) & rest;
        }
    }
    false
}

/// Whether some `low[i] ⊕ high[length − 1 − i]` is `nimber`.
fn meets<C: Copy + Eq + std::ops::BitXor<Output = C>>(low: &[C], high: &[C], nimber: C) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine was tested for the features that the function is compiled for. The function itself is
        // safe code.
        #[allow(unsafe_code)]
        return unsafe { meets_avx2(low, high, nimber) };
    }
    meets_anywhere(low, high, nimber)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn meets_avx2<C: Copy + Eq + std::ops::BitXor<Output = C>>(low: &[C], high: &[C], nimber: C) -> bool {
    meets_anywhere(low, high, nimber)
}

/// Works in pieces of known length without early exit, so that the compiler vectorises them.
#[inline(always)]
fn meets_anywhere<C: Copy + Eq + std::ops::BitXor<Output = C>>(low: &[C], high: &[C], nimber: C) -> bool {
    let (lows, low) = low.as_chunks::<64>();
    let (high, highs) = high.as_rchunks::<64>();
    for (low, high) in lows.iter().zip(highs.iter().rev()) {
        let mut met = false;
        for i in 0..64 {
            met |= low[i] ^ high[63 - i] == nimber;
        }
        if met {
            return true;
        }
    }
    low.iter().zip(high.iter().rev()).any(|(&low, &high)| low ^ high == nimber)
}

#[cfg(test)]
mod tests {
    use super::super::game::{Digit, Residues};
    use super::super::plain::Plain;
    use super::*;

    fn plain(game: &TakeAndBreak, terms: usize) -> Values {
        let (mut plain, mut values) = (Plain::new(game), Values::default());
        while values.len() < terms {
            plain.step(game, &mut values);
        }
        values
    }

    fn check(game: &TakeAndBreak, terms: usize) {
        let right = plain(game, terms);
        // Whole, and resumed in the middle.
        for start in [0, terms / 2] {
            let mut values: Values = right.iter().take(start).collect();
            let mut lazy = Lazy::resume(game, &values);
            while values.len() < terms {
                lazy.step(game, &mut values);
            }
            assert_eq!(values, right, "{game} {:?}", game.split());
        }
    }

    #[test]
    fn questions_give_the_values_of_sets() {
        let mut source = testkit::Random::new(1);
        let mut random = |bound: u64| source.below(bound);
        let mut games = 0;
        while games < 1500 {
            let mut digits = vec![Digit::new(random(2) as u8 * 4).unwrap()];
            digits.extend((0..random(5)).map(|_| Digit::new(random(8) as u8).unwrap()));
            let bound = if games % 2 == 0 { 4 } else { 8 };
            let repeat = (0..=random(3)).map(|_| Digit::new(random(bound) as u8).unwrap()).collect();
            let split = match games % 4 {
                0 => Split { least: 1 + random(3) as u32, apart: random(3) as u32, ..Split::ANY },
                1 => Split { least: 1 + random(3) as u32, ..Split::ANY },
                2 => Split { residues: Some(Residues { modulus: 3, allowed: 1 + random(7) }), ..Split::ANY },
                _ => Split::ANY,
            };
            let game = TakeAndBreak::new(digits, repeat, split).unwrap();
            if Lazy::does(&game) {
                check(&game, if games % 50 == 0 { 1500 } else { 200 });
                games += 1;
            }
        }
        for code in ["4.(3)", "4.0(3)", "0.(7)", "0.(6)", "0.(4)", "4.(32)", "4.(1)", "4.43(3)", "4.003(12)"] {
            check(&code.parse().unwrap(), 3000);
        }
    }

    #[test]
    fn laskers_nim_goes_by_fours() {
        let game: TakeAndBreak = "4.(3)".parse().unwrap();
        let (mut lazy, mut values) = (Lazy::resume(&game, &Values::default()), Values::default());
        while values.len() < 70_000 {
            lazy.step(&game, &mut values);
        }
        for heap in 1..70_000u32 {
            let value = match heap % 4 {
                0 => heap - 1,
                3 => heap + 1,
                _ => heap,
            };
            assert_eq!(values.at(heap as usize), value);
        }
    }
}
