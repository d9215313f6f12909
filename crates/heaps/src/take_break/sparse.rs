//! Values by sparse space: few rare indices, and a search for witnesses.
//!
//! A character (see [`super::mask`]) splits indices into rare and common ones, so that the nim-sum of a pair shows
//! whether its parts have the same class. The value of heap `n` is the least nimber that no option has. So each smaller
//! nimber needs a *witness*, and the value itself needs a proof that there is none.
//!
//! * A nimber whose pairs are mixed, one part rare and one common, is decided by the rare parts alone. Almost every
//!   value is such a nimber, and that is the point: proving that it has no witness takes as many steps as there are
//!   rare indices, instead of `n / 2`.
//! * For other nimbers all pairs are searched, 32 bytes at a time. A witness is found soon, unless `n` becomes rare
//!   itself.
//!
//! Heaps are done in blocks of one vector. Pairs with a part so small that the other may lie in the block are *near*;
//! they wait until the block is valued heap by heap. All others are *far*, and are done in step for all heaps of the
//! block:
//!
//! 1. Mark what the [`super::ring`] of recently used witnesses proposes.
//! 2. Rounds: the first unmarked mixed nimbers of every heap, a few at a time, walk around all rare parts. Rounds end
//!    when each heap has a nimber that no far pair has.
//! 3. Heap by heap: walk up the unmarked nimbers, try near pairs and takes, search pairs for those that are not mixed.
//!
//! Nothing here guesses: the ring, the mask and the number of rounds change only the time.

mod rounds;
mod search;
#[cfg(test)]
mod tests;

use super::game::TakeAndBreak;
use super::marks::Marks;
use super::mask::{Character, Histogram};
use super::ring::Ring;
use super::values::Values;
use super::vector::{Cell, Portable, Vector};
use rounds::{Lane, MOST_SPARE};

/// Blocks between two censuses of the ring.
const CENSUS: usize = 64;
/// The most lanes of a vector.
const LANES: usize = 32;

/// A value does not fit in the cells of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// The engine, for values that fit in cells `C`.
#[derive(Clone, Debug)]
pub(super) struct Sparse<C> {
    /// Tokens taken by the moves that leave two heaps, and by those that leave one.
    splits: Vec<usize>,
    takes: Vec<usize>,
    /// The least size of a part, and the least difference of two parts.
    least: usize,
    apart: usize,
    /// The parity of the tokens taken by splits, if it is fixed.
    parity: Option<usize>,
    /// The values, and a copy that runs from the end of its memory down.
    forward: Vec<C>,
    backward: Vec<C>,
    most: u32,
    character: Character,
    /// The rare indices that can be a far part, and their values.
    rare: Vec<u32>,
    rare_values: Vec<C>,
    histogram: Histogram,
    /// When the character is chosen again.
    next_choice: usize,
    ring: Ring<C>,
    marks: Marks,
    /// Sets of nimbers with a witness, lane by lane.
    witnessed: Vec<u64>,
    blocks: usize,
    /// Heaps since the last census whose near pairs had all tested nimbers.
    late: usize,
    /// How many nimbers without far witness each heap needs before rounds end.
    spare: u32,
    /// By split: how many rare indices count for the current block.
    ends: Vec<usize>,
}

impl<C: Cell> Sparse<C> {
    /// The first heap that the engine can handle: all near pairs are moves, and nothing depends on the heap being
    /// small.
    pub fn first(game: &TakeAndBreak) -> usize {
        let split = game.split();
        let near = split.least as usize + C::LANES;
        (game.digits().len() + 2 * near + split.apart as usize + C::LANES).max(256)
    }

    /// Whether the engine can handle a game.
    pub fn does(game: &TakeAndBreak) -> bool {
        game.is_finite() && game.most_heaps() == 2 && game.split().is_simple()
    }

    /// An engine that continues after `values`; `None` if they do not fit in its cells.
    pub fn new(game: &TakeAndBreak, values: &Values) -> Option<Sparse<C>> {
        let splits = game.takes_leaving(2);
        let first = *splits.first()?;
        let mut sparse = Sparse {
            takes: game.takes_leaving(1),
            least: game.split().least as usize,
            apart: game.split().apart as usize,
            parity: splits.iter().all(|taken| taken % 2 == first % 2).then_some(first),
            splits,
            forward: Vec::new(),
            backward: Vec::new(),
            most: 0,
            character: Character { mask: 0, alternate: false, common: true },
            rare: Vec::new(),
            rare_values: Vec::new(),
            histogram: Histogram::default(),
            next_choice: 0,
            ring: Ring::new(),
            marks: Marks::default(),
            witnessed: Vec::new(),
            blocks: 0,
            late: 0,
            spare: 1,
            ends: Vec::new(),
        };
        sparse.reserve(values.len());
        for value in values.iter() {
            if value >= C::NIMBERS {
                return None;
            }
            sparse.push(value);
        }
        sparse.choose();
        Some(sparse)
    }

    pub fn bytes(&self) -> usize {
        (self.forward.capacity() + self.backward.capacity() + self.rare_values.capacity()) * size_of::<C>()
            + self.rare.capacity() * 4
            + self.ring.bytes()
    }

    /// Extends `values`, which must be those of the engine, to `to` terms.
    pub fn extend(&mut self, to: usize, values: &mut Values) -> Result<(), Overflow> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi1") {
            // SAFETY: the machine was tested for the features that the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.extend_avx2(to, values) };
        }
        self.extend_portable(to, values)
    }

    fn extend_portable(&mut self, to: usize, values: &mut Values) -> Result<(), Overflow> {
        self.run::<Portable>(to, values)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn extend_avx2(&mut self, to: usize, values: &mut Values) -> Result<(), Overflow> {
        self.run::<super::vector::Avx2>(to, values)
    }

    // From here on everything is inlined into one of the two functions above, because only then the compiler may use
    // the instructions of the machine. Closures are not inlined early enough, so there are none.

    #[inline(always)]
    fn run<V: Vector<C> + Vector<u8>>(&mut self, to: usize, values: &mut Values) -> Result<(), Overflow> {
        while self.forward.len() < to {
            let start = self.forward.len();
            if start >= self.next_choice {
                self.choose();
            }
            self.reserve(start + C::LANES);
            let result = self.block::<V>(start, C::LANES.min(to - start));
            for n in start..self.forward.len() {
                values.push(self.forward[n].into());
            }
            result?;
        }
        Ok(())
    }

    /// Makes room for this many values.
    fn reserve(&mut self, terms: usize) {
        let old = self.backward.len();
        if terms > old {
            let size = terms.next_power_of_two().max(1024);
            let mut backward = vec![C::default(); size];
            backward[size - old..].copy_from_slice(&self.backward);
            self.backward = backward;
            self.forward.reserve_exact(size - self.forward.len());
        }
    }

    #[inline(always)]
    fn push(&mut self, value: u32) {
        let n = self.forward.len();
        self.forward.push(C::of(value));
        let at = self.backward.len() - 1 - n;
        self.backward[at] = C::of(value);
        self.most = self.most.max(value);
        self.histogram.add(n, value);
        if self.character.is_rare(n, value) && n >= self.least + C::LANES {
            self.rare.push(n as u32);
            self.rare_values.push(C::of(value));
        }
    }

    /// Chooses the character with the fewest rare indices so far.
    fn choose(&mut self) {
        let (character, _) = self.histogram.best(self.parity);
        self.next_choice = self.forward.len() + self.forward.len() / 4 + 1;
        if character == self.character {
            return;
        }
        self.character = character;
        self.rare.clear();
        self.rare_values.clear();
        for n in self.least + C::LANES..self.forward.len() {
            if character.is_rare(n, self.forward[n].into()) {
                self.rare.push(n as u32);
                self.rare_values.push(self.forward[n]);
            }
        }
    }

    /// Whether the pairs with this nim-sum that heap `n` can become have a rare and a common part.
    #[inline(always)]
    fn is_mixed(&self, n: usize, nimber: u32) -> bool {
        self.character.class(n - self.splits[0], nimber)
    }

    /// The values of `count` heaps from `start`.
    #[inline(always)]
    fn block<V: Vector<C> + Vector<u8>>(&mut self, start: usize, count: usize) -> Result<(), Overflow> {
        let bound = (self.most as usize + 1).next_power_of_two().max(C::BOUND);
        self.marks.clear(bound, C::LANES);
        self.marks.mark(&self.forward, start, self.ring.witnesses());
        let words = bound / 64;
        self.witnessed.resize(words * C::LANES, 0);
        for lane in 0..count {
            self.marks.collect::<V>(lane, &mut self.witnessed[lane * words..(lane + 1) * words]);
        }
        let lanes = self.rounds::<V>(start, count, words);
        for (lane, &Lane { settled, .. }) in lanes[..count].iter().enumerate() {
            let value = self.value::<V>(start + lane, lane, words, settled);
            if value >= C::NIMBERS {
                return Err(Overflow);
            }
            self.push(value);
        }
        self.blocks += 1;
        if self.blocks.is_multiple_of(CENSUS) && count == C::LANES {
            self.census(start);
        }
        Ok(())
    }

    /// The value of heap `n`, given all before it. A mixed nimber below `settled` has a far witness if it is witnessed.
    #[inline(always)]
    fn value<V: Vector<C>>(&mut self, n: usize, lane: usize, words: usize, settled: u32) -> u32 {
        for i in 0..words {
            let mut open = !self.witnessed[lane * words + i];
            while open != 0 {
                let nimber = i as u32 * 64 + open.trailing_zeros();
                open &= open - 1;
                if self.is_near::<V>(n, nimber) {
                    continue;
                }
                let far = match (self.is_mixed(n, nimber), nimber < settled) {
                    (true, true) => false,
                    (true, false) if n < 2 * C::LANES * self.rare.len() => self.is_far::<V>(n, nimber),
                    (true, false) => {
                        self.late += 1;
                        self.is_far_mixed(n, nimber)
                    }
                    (false, _) => self.is_far::<V>(n, nimber),
                };
                if !far {
                    return nimber;
                }
            }
        }
        // No nim-sum of far parts is this large; near ones may be, by a heap of this block.
        let mut nimber = words as u32 * 64;
        while nimber < C::NIMBERS && self.is_near::<V>(n, nimber) {
            nimber += 1;
        }
        nimber
    }

    fn census(&mut self, start: usize) {
        let bound = (self.most as usize + 1).next_power_of_two().max(C::BOUND);
        self.marks.clear(bound, C::LANES);
        self.ring.census(&self.forward, start, self.rare.len(), &mut self.marks);
        let heaps = CENSUS * C::LANES;
        if self.late > heaps / 16 && self.spare < MOST_SPARE {
            self.spare += 1;
        } else if self.late < heaps / 256 && self.spare > 1 {
            self.spare -= 1;
        }
        self.late = 0;
    }
}
