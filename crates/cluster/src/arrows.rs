//! The moves to the positions of a worker, turned round: which positions lead to each.
//!
//! ```text
//!  63            48   47    46       32 31                0
//! ┌────────────────┬──────┬────────────┬───────────────────┐
//! │ position, low  │ same │ worker     │ number there      │   and a word for the gain, where gains count
//! └────────────────┴──────┴────────────┴───────────────────┘
//! ```
//!
//! Arrows come in any order. They are put into buckets of 65,536 positions each, and when all are there each bucket is sorted by
//! itself, so that nothing is copied as a whole.

use std::io;

use engine::Error;
use engine::memory::{Lease, Memory};

/// Positions of a bucket.
const BUCKET: usize = 1 << 16;
/// Arrows for which a bucket grows at the least.
const LEAST: usize = 64;
/// There are at most so many workers.
pub const MOST_WORKERS: usize = 1 << 15;
const SAME: u64 = 1 << 47;

/// Where a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The worker who has the position.
    pub worker: usize,
    /// Its number there.
    pub number: u32,
    /// Whether the same player moves on.
    pub same: bool,
    /// What the move gains.
    pub gain: i64,
}

impl Arrow {
    /// What the word of an arrow says, which is nothing of gains.
    #[inline]
    fn of(word: u64) -> Arrow {
        Arrow { worker: (word >> 32) as usize % MOST_WORKERS, number: word as u32, same: word & SAME != 0, gain: 0 }
    }
}

/// The arrows of a worker.
pub struct Arrows {
    /// Words of an arrow.
    stride: usize,
    buckets: Vec<Vec<u64>>,
    /// Where the arrows of each position end in its bucket, once they are sorted.
    ends: Vec<Vec<u32>>,
    lease: Lease,
}

impl Arrows {
    /// No arrows yet, with gains or without.
    pub fn new(gains: bool, memory: &Memory) -> Arrows {
        Arrows { stride: 1 + usize::from(gains), buckets: Vec::new(), ends: Vec::new(), lease: memory.lease() }
    }

    /// Adds an arrow to a position.
    #[inline]
    pub fn push(&mut self, to: u32, arrow: Arrow) -> Result<(), Error> {
        let bucket = to as usize / BUCKET;
        while bucket >= self.buckets.len() {
            self.lease.grow(size_of::<Vec<u64>>() as u64)?;
            self.buckets.push(Vec::new());
        }
        let stride = self.stride;
        let words = &mut self.buckets[bucket];
        if words.len() + stride > words.capacity() {
            // A quarter more: doubling would waste half of the largest array there is.
            let more = (words.len() / 4).max(LEAST).next_multiple_of(stride);
            self.lease.grow(8 * more as u64)?;
            words.reserve_exact(more);
        }
        let same = if arrow.same { SAME } else { 0 };
        let low = (to as usize % BUCKET) as u64;
        words.push(low << 48 | same | (arrow.worker as u64) << 32 | u64::from(arrow.number));
        if stride == 2 {
            words.push(arrow.gain as u64);
        }
        Ok(())
    }

    /// Hands out all arrows as words, for a snapshot.
    pub fn save(&self, put: &mut dyn FnMut(u64) -> io::Result<()>) -> io::Result<()> {
        put(self.buckets.len() as u64)?;
        for bucket in &self.buckets {
            put(bucket.len() as u64)?;
            bucket.iter().try_for_each(|&word| put(word))?;
        }
        Ok(())
    }

    /// Takes in arrows that were saved, which are not sorted then. Without a reason, they are none.
    pub fn load(&mut self, take: &mut dyn FnMut() -> io::Result<u64>) -> Result<(), Option<Error>> {
        let buckets = take().map_err(|_| None)?;
        for bucket in 0..buckets {
            let words = take().map_err(|_| None)?;
            for _ in 0..words / self.stride as u64 {
                let word = take().map_err(|_| None)?;
                let gain = if self.stride == 2 { take().map_err(|_| None)? as i64 } else { 0 };
                let to = u32::try_from(bucket * BUCKET as u64 + (word >> 48)).map_err(|_| None)?;
                self.push(to, Arrow { gain, ..Arrow::of(word) }).map_err(Some)?;
            }
        }
        Ok(())
    }

    /// Bytes of all arrows.
    pub fn bytes(&self) -> u64 {
        self.buckets.iter().map(|bucket| 8 * bucket.len() as u64).sum()
    }

    /// Sorts the arrows by where they lead, once all are there, to so many positions.
    pub fn sort(&mut self, positions: usize, beat: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), Error> {
        let count = positions.div_ceil(BUCKET);
        self.buckets.resize_with(count, Vec::new);
        let largest = self.buckets.iter().map(Vec::len).max().unwrap_or(0);
        self.lease.grow((4 * count * BUCKET + 8 * largest) as u64)?;
        let mut sorted: Vec<u64> = Vec::with_capacity(largest);
        for bucket in &mut self.buckets {
            beat()?;
            let place = |word: u64| (word >> 48) as usize;
            let mut ends = vec![0_u32; BUCKET];
            bucket.iter().step_by(self.stride).for_each(|&word| ends[place(word)] += 1);
            let mut begin = 0;
            for end in &mut ends {
                begin += std::mem::replace(end, begin);
            }
            sorted.clear();
            sorted.resize(bucket.len(), 0);
            for arrow in bucket.chunks_exact(self.stride) {
                let end = &mut ends[place(arrow[0])];
                sorted[*end as usize * self.stride..][..self.stride].copy_from_slice(arrow);
                *end += 1;
            }
            bucket.copy_from_slice(&sorted);
            self.ends.push(ends);
        }
        self.lease.shrink(8 * largest as u64);
        Ok(())
    }

    /// The arrows to a position.
    #[inline]
    pub fn to(&self, position: u32) -> Leading<'_> {
        let (bucket, low) = (position as usize / BUCKET, position as usize % BUCKET);
        let ends = &self.ends[bucket];
        let begin = if low == 0 { 0 } else { ends[low - 1] as usize };
        let range = begin * self.stride..ends[low] as usize * self.stride;
        Leading { words: &self.buckets[bucket][range], stride: self.stride }
    }
}

/// The arrows to one position.
#[derive(Clone, Copy)]
pub struct Leading<'a> {
    words: &'a [u64],
    stride: usize,
}

impl Leading<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.words.len() / self.stride
    }

    /// One of them.
    #[inline]
    pub fn get(&self, place: usize) -> Arrow {
        let gain = if self.stride == 2 { self.words[place * 2 + 1] as i64 } else { 0 };
        Arrow { gain, ..Arrow::of(self.words[place * self.stride]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Random;

    #[test]
    fn arrows_are_found_by_where_they_lead() {
        let mut random = Random::new(3);
        for gains in [false, true] {
            let mut arrows = Arrows::new(gains, &Memory::unlimited());
            let positions = 3 * BUCKET as u64 - 5;
            let mut known = Vec::new();
            for _ in 0..20_000 {
                let to = if random.below(2) == 0 { random.below(9) } else { random.below(positions) } as u32;
                let gain = if gains { random.next() as i64 } else { 0 };
                let (worker, number) = (random.below(MOST_WORKERS as u64) as usize, random.next() as u32);
                let arrow = Arrow { worker, number, same: random.below(2) == 0, gain };
                arrows.push(to, arrow).unwrap();
                known.push((to, arrow));
            }
            arrows.sort(positions as usize, &mut || Ok(())).unwrap();
            for to in (0..9).chain(known.iter().map(|known| known.0).step_by(97)) {
                let expected: Vec<Arrow> = known.iter().filter(|known| known.0 == to).map(|known| known.1).collect();
                let leading = arrows.to(to);
                let found: Vec<Arrow> = (0..leading.len()).map(|place| leading.get(place)).collect();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn no_more_arrows_than_memory() {
        let mut arrows = Arrows::new(false, &Memory::new(4096));
        let arrow = Arrow { worker: 0, number: 0, same: false, gain: 0 };
        assert!((0..1000).any(|_| arrows.push(7, arrow).is_err()));
    }
}
