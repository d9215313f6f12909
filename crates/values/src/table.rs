//! The memo tables: open addressing with linear probing, sizes that are powers of two, nothing ever taken out.
//!
//! The keys are pairs of ids below 2^30. A sum takes 12 bytes, an order of two games 8: the pair, and two bits each
//! way.

/// How a table that is too full says how large it wants to be.
pub(crate) const FULLEST: usize = 2; // entries × 2 ≤ slots

/// Mixes a key into a slot number of a table with `2^bits` slots.
#[inline(always)]
pub(crate) fn slot(key: u64, bits: u32) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize
}

/// A vector of equal items, or None if the machine has no room for it.
pub(crate) fn filled<T: Clone>(count: usize, item: T) -> Option<Vec<T>> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).ok()?;
    items.resize(count, item);
    Some(items)
}

/// A sum that is known.
#[derive(Clone, Copy)]
struct Sum {
    a: u32,
    b: u32,
    sum: u32,
}

const NONE: u32 = u32::MAX;

/// Sums of pairs.
pub(crate) struct Sums {
    slots: Vec<Sum>,
    bits: u32,
    count: usize,
}

impl Sums {
    pub fn new() -> Sums {
        Sums { slots: Vec::new(), bits: 0, count: 0 }
    }

    #[inline]
    pub fn get(&self, a: u32, b: u32) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = slot((a as u64) << 32 | b as u64, self.bits);
        loop {
            let found = &self.slots[at & mask];
            if found.a == a && found.b == b {
                return Some(found.sum);
            }
            if found.a == NONE {
                return None;
            }
            at += 1;
        }
    }

    /// Bytes that the table must grow by before the next entry, if it must.
    #[inline]
    pub fn growth(&self) -> Option<u64> {
        ((self.count + 1) * FULLEST > self.slots.len())
            .then(|| (self.slots.len().max(512) * 2 * size_of::<Sum>()) as u64)
    }

    /// Doubles the table. Gives the bytes that were handed back; None if the machine has no room.
    pub fn grow(&mut self) -> Option<u64> {
        let size = self.slots.len().max(512) * 2;
        let old = std::mem::replace(&mut self.slots, filled(size, Sum { a: NONE, b: NONE, sum: 0 })?);
        self.bits = size.trailing_zeros();
        self.count = 0;
        for entry in old.iter().filter(|entry| entry.a != NONE) {
            self.put(entry.a, entry.b, entry.sum);
        }
        Some((old.len() * size_of::<Sum>()) as u64)
    }

    /// Puts in a sum that is not there yet; there is room.
    pub fn put(&mut self, a: u32, b: u32, sum: u32) {
        let mask = self.slots.len() - 1;
        let mut at = slot((a as u64) << 32 | b as u64, self.bits) & mask;
        while self.slots[at].a != NONE {
            if self.slots[at].a == a && self.slots[at].b == b {
                return;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = Sum { a, b, sum };
        self.count += 1;
    }

    pub fn len(&self) -> usize {
        self.count
    }
}

/// Orders of pairs `a < b`: bits 0 and 1 say whether `a ≤ b` is known and true, bits 2 and 3 whether `b ≤ a` is.
pub(crate) struct Orders {
    slots: Vec<u64>,
    bits: u32,
    count: usize,
}

const VACANT: u64 = u64::MAX;

impl Orders {
    pub fn new() -> Orders {
        Orders { slots: Vec::new(), bits: 0, count: 0 }
    }

    /// Whether `a ≤ b`, if it is known.
    #[inline]
    pub fn get(&self, a: u32, b: u32) -> Option<bool> {
        if self.slots.is_empty() {
            return None;
        }
        let (key, shift) = pair(a, b);
        let mask = self.slots.len() - 1;
        let mut at = slot(key, self.bits);
        loop {
            let found = self.slots[at & mask];
            if found >> 4 == key {
                let bits = found >> shift;
                return (bits & 1 != 0).then_some(bits & 2 != 0);
            }
            if found == VACANT {
                return None;
            }
            at += 1;
        }
    }

    #[inline]
    pub fn growth(&self) -> Option<u64> {
        ((self.count + 1) * FULLEST > self.slots.len()).then(|| (self.slots.len().max(512) * 2 * 8) as u64)
    }

    pub fn grow(&mut self) -> Option<u64> {
        let size = self.slots.len().max(512) * 2;
        let old = std::mem::replace(&mut self.slots, filled(size, VACANT)?);
        self.bits = size.trailing_zeros();
        let mask = size - 1;
        for &entry in old.iter().filter(|&&entry| entry != VACANT) {
            let mut at = slot(entry >> 4, self.bits) & mask;
            while self.slots[at] != VACANT {
                at = (at + 1) & mask;
            }
            self.slots[at] = entry;
        }
        Some((old.len() * 8) as u64)
    }

    /// Notes whether `a ≤ b`; there is room.
    pub fn put(&mut self, a: u32, b: u32, at_most: bool) {
        let (key, shift) = pair(a, b);
        let bits = (1 | (at_most as u64) << 1) << shift;
        let mask = self.slots.len() - 1;
        let mut at = slot(key, self.bits) & mask;
        loop {
            let found = self.slots[at];
            if found == VACANT {
                self.slots[at] = key << 4 | bits;
                self.count += 1;
                return;
            }
            if found >> 4 == key {
                self.slots[at] = found | bits;
                return;
            }
            at = (at + 1) & mask;
        }
    }

    pub fn len(&self) -> usize {
        self.count
    }
}

#[inline(always)]
fn pair(a: u32, b: u32) -> (u64, u32) {
    if a < b { ((a as u64) << 30 | b as u64, 0) } else { ((b as u64) << 30 | a as u64, 2) }
}

/// Answers about one game that has no id yet, keyed by another game and a direction. Emptied at once for the next game.
pub(crate) struct Answers {
    slots: Vec<(u32, u32)>,
    generation: u32,
    count: usize,
}

impl Answers {
    pub fn new() -> Answers {
        Answers { slots: vec![(0, 0); 64], generation: 2, count: 0 }
    }

    /// Forgets all answers.
    pub fn clear(&mut self) {
        self.count = 0;
        self.generation = self.generation.wrapping_add(2);
        if self.generation == 0 {
            self.generation = 2;
            self.slots.fill((0, 0));
        }
    }

    #[inline]
    fn find(&self, key: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = slot(key as u64, self.slots.len().trailing_zeros());
        loop {
            let (found, stamp) = self.slots[at];
            // The lowest bit of the stamp is the answer, the rest is the generation.
            if stamp >> 1 != self.generation >> 1 || found == key {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    pub fn get(&self, key: u32) -> Option<bool> {
        let (found, stamp) = self.slots[self.find(key)];
        (stamp >> 1 == self.generation >> 1 && found == key).then_some(stamp & 1 != 0)
    }

    pub fn put(&mut self, key: u32, answer: bool) {
        if (self.count + 1) * 2 > self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![(0, 0); old.len() * 2];
            for entry in old.into_iter().filter(|entry| entry.1 >> 1 == self.generation >> 1) {
                let at = self.find(entry.0);
                self.slots[at] = entry;
            }
        }
        let at = self.find(key);
        self.slots[at] = (key, (self.generation & !1) | answer as u32);
        self.count += 1;
    }
}
