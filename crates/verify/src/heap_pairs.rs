//! Nimbers of heaps, and of the pairs that a heap falls into, for [`crate::sparse`], which says what they prove.

use crate::charged::Charged;
use crate::heap_rules::{HeapRules, Split};
use crate::refusal::Refusal;

/// So many pairs that were named are tried again.
pub const RING: usize = 128;

/// The nimbers of heaps, most of which are odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sparse {
    /// From which heap on the rules are the same for all.
    pub alike: u64,
    /// What divides odd numbers from even ones.
    pub mask: u64,
    /// The first heap of which nothing is said.
    pub heaps: u64,
    /// How the nimbers repeat, where all heaps are spoken of: the first heap, and after how many.
    pub period: Option<(u64, u64)>,
}

impl Sparse {
    /// Whether a number has an odd number of bits in common with the mask.
    pub fn is_odd(&self, number: u64) -> bool {
        (number & self.mask).count_ones() % 2 == 1
    }
}

/// Two heaps that a heap falls into: the number of the rule, and the size of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Which of the ways to fall into two.
    pub split: usize,
    /// The first heap.
    pub first: u64,
}

/// The nimbers of the heaps so far.
pub struct Known {
    pub(crate) sparse: Sparse,
    pub(crate) rules: HeapRules,
    pub(crate) nimbers: Charged<u32>,
    /// The heaps with even nimbers.
    pub(crate) rare: Charged<u32>,
    /// Pairs that were named, and where the next one goes.
    pub(crate) ring: Vec<Pair>,
    pub(crate) oldest: usize,
    /// For each number, one more than the last heap of which an option has it. There is room for one number more than options have.
    pub(crate) last_heap: Charged<u64>,
    pub(crate) steps: usize,
}

impl Known {
    pub(crate) fn new(sparse: Sparse, rules: HeapRules) -> Result<Known, Refusal> {
        let mut last_heap = Charged::new();
        last_heap.fill_to(1, 0)?;
        let (nimbers, rare) = (Charged::new(), Charged::new());
        Ok(Known { sparse, rules, nimbers, rare, ring: Vec::new(), oldest: 0, last_heap, steps: 0 })
    }

    fn least(&self) -> u64 {
        self.rules.least.unsigned_abs()
    }

    /// The first heap that is not known.
    pub(crate) fn next(&self) -> u64 {
        self.least() + self.nimbers.len() as u64
    }

    /// The nimber of a heap.
    pub fn nimber(&self, heap: u64) -> Option<u64> {
        let place = usize::try_from(heap.checked_sub(self.least())?).ok()?;
        self.nimbers.get(place).map(|nimber| u64::from(*nimber))
    }

    /// Adds the nimber of the next heap.
    pub(crate) fn push(&mut self, nimber: u64) -> Result<(), Refusal> {
        let heap = self.next();
        // A mex is at most the number of options, of which a heap has fewer than twice its size for each rule.
        let small = u32::try_from(nimber).map_err(|_| Refusal::wrong("a nimber is too large"))?;
        if !self.sparse.is_odd(nimber) {
            self.rare.push(heap as u32)?;
        }
        self.nimbers.push(small)?;
        // The exclusive or of two nimbers stays below the next power of two.
        let room = (nimber as usize + 1).next_power_of_two() + 1;
        if room > self.last_heap.len() {
            self.last_heap.fill_to(room, 0)?;
        }
        Ok(())
    }

    /// The rules for two heaps.
    pub fn splits(&self) -> &[Split] {
        &self.rules.split
    }

    /// The second heap of a pair that a heap falls into, if it does.
    pub fn second(&self, heap: u64, Pair { split, first }: Pair) -> Option<u64> {
        let split = self.rules.split.get(split)?;
        let second = heap.checked_sub(split.taken.unsigned_abs())?.checked_sub(first)?;
        let fits = first >= split.least[0].unsigned_abs() && second >= split.least[1].unsigned_abs();
        (fits && !(split.unequal && first == second)).then_some(second)
    }

    /// The number of a pair that a heap falls into, if it does.
    pub fn of_pair(&self, heap: u64, pair: Pair) -> Option<u64> {
        let second = self.second(heap, pair)?;
        Some(self.nimber(pair.first)? ^ self.nimber(second)?)
    }
}
