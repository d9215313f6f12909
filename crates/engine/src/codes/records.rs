//! The moves of positions as they were found, four bytes each.
//!
//! Each position that was expanded has a record: first codes, later ranks. Records lie one after the other in blocks, and none
//! lies in two. A record never becomes longer, so a block is changed in place.
//!
//! ```text
//! found:    code · number of options and how turns pass · where turns differ: one bit an option · codes of options
//! ranked:   rank · number of options                                                            · ranks, marked
//! ```

use crate::error::Error;
use crate::memory::{Lease, Memory};
use crate::retrograde::{SAME, marked};

/// Numbers in a block.
const BLOCK: usize = 1 << 16;
/// How turns pass, in the low bits of the second number of a record that was found.
const ALTERNATE: u32 = 0;
const STAY: u32 = 1;
const DIFFER: u32 = 2;
/// Records have fewer options than this.
pub(crate) const MOST_OPTIONS: usize = 1 << 29;

/// The records of one worker.
#[derive(Debug)]
pub(crate) struct Records {
    blocks: Vec<Vec<u32>>,
    lease: Lease,
}

impl Records {
    pub fn new(memory: &Memory) -> Records {
        Records { blocks: Vec::new(), lease: memory.lease() }
    }

    /// Adds the options of a position. An error adds nothing.
    #[inline(always)]
    pub fn push(&mut self, code: u32, options: &[u64], same: &[u8]) -> Result<(), Error> {
        let stays = same.iter().filter(|same| **same != 0).count();
        let turns = match stays {
            0 => ALTERNATE,
            _ if stays == same.len() => STAY,
            _ => DIFFER,
        };
        let bits = if turns == DIFFER { options.len().div_ceil(32) } else { 0 };
        let length = 2 + bits + options.len();
        match self.blocks.last() {
            Some(block) if block.capacity() - block.len() >= length => {}
            _ => self.add_block(length)?,
        }
        let Some(block) = self.blocks.last_mut() else { return Ok(()) };
        block.push(code);
        block.push((options.len() as u32) << 2 | turns);
        if turns == DIFFER {
            let word =
                |chunk: &[u8]| chunk.iter().zip(0..).fold(0, |word, (same, bit)| word | u32::from(*same != 0) << bit);
            block.extend(same.chunks(32).map(word));
        }
        block.extend(options.iter().map(|&option| option as u32));
        Ok(())
    }

    #[cold]
    fn add_block(&mut self, least: usize) -> Result<(), Error> {
        // Small games have small blocks.
        let grown = self.blocks.last().map_or(1 << 8, |last| last.capacity() * 4);
        let size = grown.min(BLOCK).max(least);
        self.lease.grow(size as u64 * 4)?;
        match self.lease.vector(size) {
            Ok(block) => self.blocks.push(block),
            Err(error) => {
                self.lease.shrink(size as u64 * 4);
                return Err(error);
            }
        }
        Ok(())
    }

    /// The blocks.
    pub fn blocks(&self) -> &[Vec<u32>] {
        &self.blocks
    }

    /// Adds a block of records that is read from somewhere, a stretch at a time.
    pub fn add_read(&mut self, length: usize) -> Result<&mut Vec<u32>, Error> {
        self.add_block(length)?;
        self.blocks.last_mut().ok_or_else(|| Error::internal("a block is missing".to_string()))
    }

    /// The blocks and what they take.
    pub fn into_blocks(self) -> (Vec<Vec<u32>>, Lease) {
        (self.blocks, self.lease)
    }
}

/// Whether a block holds whole records, and nothing but codes below a size.
pub(crate) fn is_sound(block: &[u32], size: u64) -> bool {
    let mut rest = block;
    while let [code, head, more @ ..] = rest {
        let (count, turns) = ((head >> 2) as usize, head & 3);
        let bits = if turns == DIFFER { count.div_ceil(32) } else { 0 };
        let Some(options) = more.get(bits..bits + count) else { return false };
        if turns > DIFFER || u64::from(*code) >= size || options.iter().any(|option| u64::from(*option) >= size) {
            return false;
        }
        rest = &more[bits + count..];
    }
    rest.is_empty()
}

/// How records are ranked, and what is kept of them.
pub(crate) trait Rank {
    /// Changes the options of a position (ranks, marked where the same player moves on), and returns how many to keep from the
    /// front.
    fn keep(&mut self, rank: u32, options: &mut [u32]) -> Result<usize, Error>;
    /// The rank of a code.
    fn rank(&self, code: u32) -> u32;
}

/// Turns the records of a block from codes into ranks.
pub(crate) fn rank_block(block: &mut Vec<u32>, rank: &mut impl Rank) -> Result<(), Error> {
    let (mut read, mut write) = (0, 0);
    while read < block.len() {
        let (from, head) = (rank.rank(block[read]), block[read + 1]);
        let (count, turns) = ((head >> 2) as usize, head & 3);
        let bits = read + 2;
        let first = bits + if turns == DIFFER { count.div_ceil(32) } else { 0 };
        // Mostly all turns pass in one way, and no bit need be looked up.
        match turns {
            DIFFER => {
                for place in 0..count {
                    let same = block[bits + place / 32] >> (place % 32) & 1 != 0;
                    block[first + place] = rank.rank(block[first + place]) | marked(same);
                }
            }
            turns => {
                let mark = marked(turns == STAY);
                block[first..first + count].iter_mut().for_each(|option| *option = rank.rank(*option) | mark);
            }
        }
        let kept = rank.keep(from, &mut block[first..first + count])?;
        if kept > 0 {
            block[write] = from;
            block[write + 1] = kept as u32;
            if first > write + 2 {
                block.copy_within(first..first + kept, write + 2);
            }
            write += 2 + kept;
        }
        read = first + count;
    }
    block.truncate(write);
    Ok(())
}

/// Calls `visit` with each move of a ranked block whose position is open: where it comes from, marked, and where it leads.
#[inline(always)]
pub(crate) fn each_move(
    block: &[u32],
    open: &impl Fn(u32) -> bool,
    visit: &mut impl FnMut(u32, u32) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut rest = block;
    while let [from, count, more @ ..] = rest {
        let (options, next) = more.split_at(*count as usize);
        rest = next;
        if open(*from) {
            for &option in options {
                visit(*from | (option & SAME), option & !SAME)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Halved;

    impl Rank for Halved {
        fn keep(&mut self, rank: u32, options: &mut [u32]) -> Result<usize, Error> {
            Ok(if rank == 5 { 0 } else { options.len().min(40) })
        }

        fn rank(&self, code: u32) -> u32 {
            code / 2
        }
    }

    #[test]
    fn records_keep_their_moves_and_turns() {
        let mut records = Records::new(&Memory::unlimited());
        let long: Vec<u64> = (0..100).map(|option| option * 2).collect();
        let mixed: Vec<u8> = (0..100).map(|place| u8::from(place % 3 == 0)).collect();
        records.push(4, &long, &mixed).unwrap();
        records.push(10, &[2], &[0]).unwrap();
        records.push(12, &[4, 6], &[1, 1]).unwrap();
        let (mut blocks, _) = records.into_blocks();
        let mut moves = Vec::new();
        for block in &mut blocks {
            rank_block(block, &mut Halved).unwrap();
            each_move(block, &|_| true, &mut |from, to| {
                moves.push((from & !SAME, from & SAME != 0, to));
                Ok(())
            })
            .unwrap();
        }
        let mut expected: Vec<(u32, bool, u32)> = (0..40).map(|option| (2, option % 3 == 0, option)).collect();
        expected.extend([(6, true, 2), (6, true, 3)]);
        assert_eq!(moves, expected);
    }
}
