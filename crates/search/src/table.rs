//! The table of transpositions: what was proved of positions, for many threads and without locks.
//!
//! ```text
//! bucket   ┌─────────┬───────────┬──────┬───────────┬──────┬───
//!          │ version │ key … W   │ data │ key … W   │ data │ …     one or several lines of 64 bytes
//!          └─────────┴───────────┴──────┴───────────┴──────┴───
//! ```
//!
//! Whole keys are kept and compared, so that no collision of hashes gives a wrong answer. Words are read and written one by one;
//! a reader who sees the version change, or an odd one, has seen a bucket that is being written, and takes it as empty. A
//! writer who finds a bucket being written leaves it. So nobody waits. (Hiding the data in the key by XOR, as chess programs
//! do, is quicker by a word but only most probably right.)
//!
//! The last entry of a bucket is always replaced; the others keep what took the most work.
//!
//! A table grows where it lies. Its place is as large as it may ever become; the system gives memory for what was written to alone. The
//! number of a bucket is its share of the hash, so in a larger table every entry moves up, or stays: taken from the last bucket
//! to the first, no entry gets in the way of another. A copy would need both tables at once, and twice as many pages that the
//! system has to clear.

use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use engine::Error;
use engine::memory::{Lease, Memory};

/// Words of a line of the cache.
const LINE: usize = 8;
/// No bucket has more entries.
const MOST_ENTRIES: usize = 3;
/// A table has at least so many buckets.
const FEWEST: u64 = 16;
/// A table that grows begins with so many bytes.
pub const SMALL: u64 = 256 << 10;
/// From so many bytes on it grows more slowly.
const LARGE: u64 = 16 << 20;
/// It grows when it is so full.
const FULL: f64 = 0.6;
/// Whether it is full is looked at every so many positions.
pub const LOOK: u64 = 256;

/// What is kept of positions whose keys have `W` words: one word of data each, never 0.
pub struct Table<const W: usize> {
    cells: Vec<AtomicU64>,
    /// The first word that begins a line of the cache.
    begin: usize,
    buckets: u64,
    /// Words of a bucket, and how many entries it has.
    words: usize,
    entries: usize,
    /// How many entries hold something, about.
    used: AtomicU64,
    lease: Lease,
}

impl<const W: usize> Table<W> {
    /// Words and entries of a bucket.
    const SHAPE: (usize, usize) = match W {
        1 => (LINE, 3),
        2 => (LINE, 2),
        3 | 4 => (2 * LINE, 3),
        5..=8 => (4 * LINE, 3),
        _ => (8 * LINE, 3),
    };

    /// An empty table of at most so many bytes, or of the smallest size, that may grow to `most`.
    pub fn new(bytes: u64, most: u64, memory: &Memory) -> Result<Table<W>, Error> {
        let (words, entries) = Self::SHAPE;
        let buckets = (bytes / (8 * words as u64)).max(FEWEST);
        let room = most / 8 + LINE as u64;
        let (zeros, lease) = memory.zeroed_with_room::<u64>(buckets * words as u64 + LINE as u64, room)?;
        let cells = atomic(zeros);
        let begin = (64 - cells.as_ptr().addr() % 64) % 64 / 8;
        let mut table = Table { cells, begin, buckets, words, entries, used: AtomicU64::new(0), lease };
        table.prefer_large_pages();
        Ok(table)
    }

    /// Large tables lie in large pages.
    fn prefer_large_pages(&mut self) {
        if self.bytes() >= LARGE {
            let count = self.begin + self.buckets as usize * self.words;
            pages::prefer_large_first(&mut self.cells, count);
        }
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> u64 {
        self.buckets * self.words as u64 * 8
    }

    /// How full it is, from 0 to 1.
    pub fn load(&self) -> f64 {
        self.used.load(Ordering::Relaxed) as f64 / (self.buckets * self.entries as u64) as f64
    }

    /// Whether the table had better be larger, if it may have so many bytes.
    pub fn is_full(&self, most: u64) -> bool {
        self.bytes() < most && self.load() > FULL
    }

    /// Makes the table larger, at most so many bytes; whether there was room.
    pub fn grow(&mut self, most: u64, mask: u64, rule: &impl Rule) -> bool {
        // Small tables grow quickly. Of large ones the system has to clear every page, so they are not made larger than needed.
        let times = if self.bytes() < LARGE { 4 } else { 2 };
        let room = (self.cells.len() - LINE) as u64 * 8;
        let buckets = (self.bytes() * times).min(most).min(room) / (8 * self.words as u64);
        // A limit need not be a whole number of buckets. A table of the same size would be full at once, for ever.
        if buckets <= self.buckets || self.lease.resize((buckets * self.words as u64 + LINE as u64) * 8).is_err() {
            return false;
        }
        let before = std::mem::replace(&mut self.buckets, buckets);
        self.prefer_large_pages();
        *self.used.get_mut() = 0;
        for number in (0..before as usize).rev() {
            self.move_up(number, mask, rule);
        }
        true
    }

    /// Puts the entries of a bucket where they belong in a table that has just grown.
    fn move_up(&mut self, number: usize, mask: u64, rule: &impl Rule) {
        let start = self.begin + number * self.words;
        let mut taken = [([0; W], 0); MOST_ENTRIES];
        let mut count = 0;
        for entry in 0..self.entries {
            let place = &mut self.cells[start + 1 + entry * (W + 1)..][..W + 1];
            let data = std::mem::take(place[W].get_mut());
            if data != 0 {
                taken[count] = (std::array::from_fn(|word| *place[word].get_mut()), data);
                count += 1;
            }
        }
        for (key, data) in &taken[..count] {
            self.put(crate::game::hash(key), key, *data, mask, rule);
        }
    }

    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        let number = (u128::from(hash) * u128::from(self.buckets)) >> 64;
        let start = self.begin + number as usize * self.words;
        &self.cells[start..start + self.words]
    }

    /// Asks for the bucket of a position, which will be looked at soon.
    #[inline]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch reads nothing and cannot fault; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(self.bucket(hash).as_ptr().cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    /// The data of a position among those whose data, masked, are `tag`.
    #[inline]
    pub fn get(&self, hash: u64, key: &[u64; W], mask: u64, tag: u64) -> Option<u64> {
        let bucket = self.bucket(hash);
        let version = bucket[0].load(Ordering::Acquire);
        let mut found = 0;
        for entry in 0..self.entries {
            let place = &bucket[1 + entry * (W + 1)..][..W + 1];
            let data = place[W].load(Ordering::Relaxed);
            if data != 0 && data & mask == tag && is_key(place, key) {
                found = data;
                break;
            }
        }
        fence(Ordering::Acquire);
        let whole = version & 1 == 0 && bucket[0].load(Ordering::Relaxed) == version;
        (whole && found != 0).then_some(found)
    }

    /// Keeps the data of a position. `work` tells how dear data are; data of the same position and tag are replaced by what
    /// `merge` makes of the old and the new ones.
    pub fn put(&self, hash: u64, key: &[u64; W], data: u64, mask: u64, rule: &impl Rule) {
        let bucket = self.bucket(hash);
        let version = bucket[0].load(Ordering::Relaxed);
        let begun = version & 1 == 0
            && bucket[0].compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed).is_ok();
        if !begun {
            return;
        }
        // What is written below must not be seen before the version is.
        fence(Ordering::Release);
        self.write(bucket, key, data, mask, rule);
        bucket[0].store(version + 2, Ordering::Release);
    }

    fn write(&self, bucket: &[AtomicU64], key: &[u64; W], data: u64, mask: u64, rule: &impl Rule) {
        let place = |entry: usize| &bucket[1 + entry * (W + 1)..][..W + 1];
        let data_of = |entry: usize| place(entry)[W].load(Ordering::Relaxed);
        let (mut least, mut least_work) = (0, u64::MAX);
        for entry in 0..self.entries {
            let old = data_of(entry);
            if old == 0 {
                self.used.fetch_add(1, Ordering::Relaxed);
                return write_entry(place(entry), key, data);
            }
            if old & mask == data & mask && is_key(place(entry), key) {
                return place(entry)[W].store(rule.merge(old, data), Ordering::Relaxed);
            }
            let work = rule.work(old);
            if entry + 1 < self.entries && work < least_work {
                (least, least_work) = (entry, work);
            }
        }
        let last = self.entries - 1;
        if rule.work(data) < least_work {
            return write_entry(place(last), key, data);
        }
        // What was dear moves to the place that is given up first, unless that holds something dearer.
        if rule.work(data_of(last)) <= least_work {
            for word in 0..=W {
                place(last)[word].store(place(least)[word].load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
        write_entry(place(least), key, data);
    }
}

/// How data are compared and joined.
pub trait Rule {
    /// What they took.
    fn work(&self, data: u64) -> u64;
    /// Old and new data of one position as one.
    fn merge(&self, old: u64, new: u64) -> u64;
}

#[inline]
fn is_key<const W: usize>(place: &[AtomicU64], key: &[u64; W]) -> bool {
    (0..W).all(|word| place[word].load(Ordering::Relaxed) == key[word])
}

fn write_entry<const W: usize>(place: &[AtomicU64], key: &[u64; W], data: u64) {
    for word in 0..W {
        place[word].store(key[word], Ordering::Relaxed);
    }
    place[W].store(data, Ordering::Relaxed);
}

/// Turns words into atomic words without copying them. Zeros that the system hands out as they are touched stay untouched.
#[allow(unsafe_code)]
fn atomic(words: Vec<u64>) -> Vec<AtomicU64> {
    const { assert!(size_of::<AtomicU64>() == size_of::<u64>() && align_of::<AtomicU64>() == align_of::<u64>()) };
    let mut words = ManuallyDrop::new(words);
    let (start, length, capacity) = (words.as_mut_ptr(), words.len(), words.capacity());
    // SAFETY: the vector is not used any more; both types have the same size and alignment (asserted above) and every word
    // is a value of either.
    unsafe { Vec::from_raw_parts(start.cast::<AtomicU64>(), length, capacity) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Bounds, hash};
    use crate::word::{Layout, TAG};

    #[test]
    fn a_table_that_cannot_grow_by_a_bucket_stays() {
        let grown = |most| {
            let mut table = Table::<1>::new(1 << 12, 1 << 20, &Memory::unlimited()).unwrap();
            let grew = table.grow(most, TAG, &Layout::new(Bounds { low: -1, high: 1 }));
            (grew, table.bytes())
        };
        assert_eq!(grown((1 << 12) + 63), (false, 1 << 12));
        assert_eq!(grown((1 << 12) + 64), (true, (1 << 12) + 64));
    }

    #[test]
    fn what_a_table_knew_it_knows_when_it_has_grown() {
        for most in [5000, 1 << 13, 12_345, 1 << 16, 1 << 18] {
            keeps_what_it_knew::<1>(most);
            keeps_what_it_knew::<2>(most);
            keeps_what_it_knew::<5>(most);
        }
    }

    /// Entries are put into a small table, which then grows step by step. Nothing that it knew is lost where it doubles; where it
    /// grows by less, some may have to give way.
    fn keeps_what_it_knew<const W: usize>(most: u64) {
        let layout = Layout::new(Bounds { low: -100, high: 100 });
        let mut table = Table::<W>::new(1 << 12, most, &Memory::new(1 << 30)).unwrap();
        let key = |number: u64| -> [u64; W] { std::array::from_fn(|word| number.wrapping_mul(2 * word as u64 + 1)) };
        for number in 1..40u64 {
            let value = number as i64 % 100;
            let data = layout.pack(Bounds { low: -value, high: value }, 3, number, 0);
            table.put(hash(&key(number)), &key(number), data, TAG, &layout);
        }
        let all = |table: &Table<W>| -> Vec<Option<u64>> {
            (1..60).map(|number| table.get(hash(&key(number)), &key(number), TAG, 0)).collect()
        };
        let known = all(&table);
        assert!(known.iter().flatten().count() > 20 && known[50].is_none());
        let mut used = table.load();
        let mut bytes = table.bytes();
        while table.grow(most, TAG, &layout) {
            let found = all(&table);
            let doubled = table.bytes() >= 2 * std::mem::replace(&mut bytes, table.bytes());
            assert!(found.iter().zip(&known).all(|(found, known)| found == known || (found.is_none() && !doubled)));
            assert!(found.iter().flatten().count() + 4 > known.iter().flatten().count());
            assert!(table.load() < used);
            used = table.load();
        }
        assert!(table.bytes() <= most && table.bytes() + 512 > most, "{} of {most}", table.bytes());
    }
}
