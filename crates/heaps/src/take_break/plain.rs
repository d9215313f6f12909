//! Values by the definition: the set of the options' values, and the least nimber outside it.
//!
//! The only art is to do nothing twice. The nim-sums of the pairs with sum `m` are one set, made once for all moves
//! that leave `m` tokens; triples are made from pairs. A digit that repeats for ever reaches every smaller heap of some
//! residue, so its options form sets that only grow: one set for each residue, and a mark below which it is full, makes
//! Nim linear.

use std::collections::VecDeque;

use super::game::{Split, TakeAndBreak};
use super::set::Set;
use super::values::Values;

/// The engine. It keeps sets of options; the caller passes the values that it extends.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    /// By the number of heaps left: which of the listed numbers of tokens to take.
    takes: [Vec<usize>; 4],
    /// Whether pairs and triples are needed at all.
    breaks: [bool; 4],
    /// `pairs[i]` are the nim-sums of two parts with sum `first_pairs + i`. All are stored if triples are made of them.
    pairs: VecDeque<Set>,
    first_pairs: usize,
    triples: VecDeque<Set>,
    first_triples: usize,
    /// By the residue of the heap: options by repeating digits.
    tails: Vec<Set>,
    /// How many words of a tail are full.
    full: Vec<usize>,
    /// The heap whose value comes next.
    next: usize,
    /// The largest value so far.
    most: u32,
    singles: Set,
}

impl Plain {
    pub fn new(game: &TakeAndBreak) -> Plain {
        let breaks = [0, 1, 2, 3].map(|heaps| game.digits().iter().chain(game.repeat()).any(|d| d.leaves(heaps)));
        Plain {
            takes: [0, 1, 2, 3].map(|heaps| game.takes_leaving(heaps)),
            breaks,
            pairs: VecDeque::new(),
            first_pairs: 0,
            triples: VecDeque::new(),
            first_triples: 0,
            tails: vec![Set::default(); game.repeat().len()],
            full: vec![0; game.repeat().len()],
            next: 0,
            most: 0,
            singles: Set::default(),
        }
    }

    /// An engine that continues after `values`. Sets that no later heap needs are not rebuilt.
    pub fn resume(game: &TakeAndBreak, values: &Values) -> Plain {
        let mut plain = Plain::new(game);
        if game.is_finite() && !plain.breaks[3] {
            let start = values.len().saturating_sub(game.digits().len());
            (plain.first_pairs, plain.first_triples, plain.next) = (start, start, start);
            plain.most = values.iter().max().unwrap_or(0);
        }
        while plain.next < values.len() {
            plain.prepare(game, values);
            plain.accept(values.at(plain.next));
        }
        plain
    }

    /// Computes the next value and adds it to `values`.
    pub fn step(&mut self, game: &TakeAndBreak, values: &mut Values) -> u32 {
        debug_assert_eq!(values.len(), self.next);
        self.prepare(game, values);
        let value = self.mex(values);
        values.push(value);
        self.accept(value);
        value
    }

    fn accept(&mut self, value: u32) {
        self.most = self.most.max(value);
        self.next += 1;
    }

    /// Makes the sets that the next heap needs and drops those that are no longer needed.
    fn prepare(&mut self, game: &TakeAndBreak, values: &Values) {
        let (n, listed) = (self.next, game.digits().len());
        let triples = self.breaks[3];
        if self.breaks[2] || triples {
            self.pairs.push_back(pairs(game.split(), values, n, self.most));
        }
        if triples {
            let set = if game.split().apart == 0 && game.split().within.is_none() {
                self.triples_from_pairs(game.split(), values, n)
            } else {
                triples_with_condition(game.split(), values, n)
            };
            self.triples.push_back(set);
        }
        if n >= listed {
            self.unite_tails(game, values, n - listed);
        }
        while self.pairs.len() > listed && !triples {
            self.pairs.pop_front();
            self.first_pairs += 1;
        }
        while self.triples.len() > listed {
            self.triples.pop_front();
            self.first_triples += 1;
        }
    }

    /// From now on `left` tokens are left only by repeating digits.
    fn unite_tails(&mut self, game: &TakeAndBreak, values: &Values, left: usize) {
        let length = self.tails.len();
        for (i, digit) in game.repeat().iter().enumerate() {
            let tail = &mut self.tails[(self.next + i) % length];
            if (left == 0 && digit.leaves(0)) || (left > 0 && digit.leaves(1)) {
                tail.insert(values.at(left));
            }
            if digit.leaves(2) {
                tail.unite(&self.pairs[left - self.first_pairs]);
            }
            if digit.leaves(3) {
                tail.unite(&self.triples[left - self.first_triples]);
            }
        }
    }

    /// The least nimber that no option of the next heap has.
    fn mex(&mut self, values: &Values) -> u32 {
        let n = self.next;
        self.singles.clear();
        if self.takes[0].binary_search(&n).is_ok() {
            self.singles.insert(0);
        }
        self.takes[1].iter().take_while(|&&t| t < n).for_each(|&t| self.singles.insert(values.at(n - t)));
        let residue = n % self.tails.len().max(1);
        let tail = self.tails.get(residue);
        let mut i = self.full.get(residue).copied().unwrap_or(0);
        while tail.is_some_and(|tail| tail.word(i) == u64::MAX) {
            i += 1;
        }
        if let Some(full) = self.full.get_mut(residue) {
            *full = i;
        }
        loop {
            let mut word = self.singles.word(i) | tail.map_or(0, |tail| tail.word(i));
            for &t in self.takes[2].iter().take_while(|&&t| t < n) {
                word |= self.pairs[n - t - self.first_pairs].word(i);
            }
            for &t in self.takes[3].iter().take_while(|&&t| t < n) {
                word |= self.triples[n - t - self.first_triples].word(i);
            }
            if word != u64::MAX {
                return i as u32 * 64 + word.trailing_ones();
            }
            i += 1;
        }
    }

    /// Pairs and a third part: for every value of the third part, the sets that it meets are united first.
    fn triples_from_pairs(&self, split: &Split, values: &Values, sum: usize) -> Set {
        let mut met: Vec<Set> = Vec::new();
        for third in split.least as usize..sum {
            if !split.allows_part(third as u64) {
                continue;
            }
            let value = values.at(third) as usize;
            if value >= met.len() {
                met.resize(value + 1, Set::default());
            }
            met[value].unite(&self.pairs[sum - third]);
        }
        let mut set = Set::default();
        met.iter().enumerate().for_each(|(value, met)| set.unite_shifted(met, value as u32));
        set
    }

    pub fn bytes(&self) -> usize {
        let sets = self.pairs.iter().chain(&self.triples).chain(&self.tails);
        sets.map(|set| set.bytes() + size_of::<Set>()).sum()
    }
}

/// The smaller parts of the allowed splits of `sum` in two, apart from residues.
pub(super) fn smaller_parts(split: &Split, sum: usize) -> std::ops::RangeInclusive<usize> {
    let least = match split.within {
        Some(within) => sum.saturating_sub(within as usize).div_ceil(2).max(split.least as usize),
        None => split.least as usize,
    };
    // If no part is small enough the range is empty, since no part is 0.
    least..=sum.saturating_sub(split.apart as usize) / 2
}

/// The nim-sums of the allowed pairs with this sum.
fn pairs(split: &Split, values: &Values, sum: usize, most: u32) -> Set {
    let mut set = Set::with_room(most);
    let parts = smaller_parts(split, sum);
    if parts.is_empty() {
        return set;
    }
    match (values, split.residues) {
        (Values::Narrow(values), None) => {
            let smaller = &values[*parts.start()..=*parts.end()];
            let larger = &values[sum - parts.end()..=sum - parts.start()];
            smaller.iter().zip(larger.iter().rev()).for_each(|(&a, &b)| set.insert(u32::from(a ^ b)));
        }
        _ => parts
            .filter(|&a| split.allows_part(a as u64) && split.allows_part((sum - a) as u64))
            .for_each(|a| set.insert(values.at(a) ^ values.at(sum - a))),
    }
    set
}

/// Triples whose parts depend on each other, one by one.
fn triples_with_condition(split: &Split, values: &Values, sum: usize) -> Set {
    let mut set = Set::default();
    let allowed = |part: usize| split.allows_part(part as u64);
    for a in (split.least as usize..=sum / 3).filter(|&a| allowed(a)) {
        let pairs = smaller_parts(split, sum - a);
        for b in a.max(*pairs.start())..=*pairs.end() {
            let c = sum - a - b;
            if allowed(b)
                && allowed(c)
                && split.allows_pair(a as u64, b as u64)
                && split.allows_pair(a as u64, c as u64)
            {
                set.insert(values.at(a) ^ values.at(b) ^ values.at(c));
            }
        }
    }
    set
}
