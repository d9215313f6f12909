//! The stack of positions that wait for values of their options.
//!
//! A frame is a run of words: the fold of the options that were taken in, those that were not (the same player moving
//! on is marked in the top bit, which codes leave free), and last what is needed to find the rest. The last pending
//! option is the one that is being valued.
//!
//! ```text
//! │ fold … │ option, option, … or option, gain, option, gain, … │ code │ pending options · words of the fold │
//! ```
//!
//! Frames lie in blocks that are never moved, so a stack of gigabytes needs no second copy when it grows, and a frame
//! never lies across two blocks, so that it is a plain slice.

use game::codes::Options;

use crate::error::Error;
use crate::memory::{Lease, Memory};

const FIRST_BLOCK: usize = 1 << 10;
const BLOCK: usize = 1 << 16;

/// The top bit of an option: the same player moves on.
pub(crate) const SAME: u64 = 1 << 63;

/// The words after the options.
const TAIL: usize = 2;

/// The stack.
#[derive(Debug)]
pub(crate) struct Frames {
    /// The blocks below the topmost.
    below: Vec<Vec<u64>>,
    top: Vec<u64>,
    /// Words an option.
    step: usize,
    lease: Lease,
}

/// What the tail of a frame says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tail {
    /// The position.
    pub code: u64,
    /// How many options are not folded in yet.
    pub pending: usize,
    /// How many words the fold has.
    pub words: usize,
}

impl Frames {
    /// An empty stack; options with gains take two words.
    pub fn new(memory: &Memory, gains: bool) -> Frames {
        Frames { below: Vec::new(), top: Vec::new(), step: if gains { 2 } else { 1 }, lease: memory.lease() }
    }

    /// Puts a position on the stack: the fold so far and the options that are not in it, of which the last is entered
    /// now.
    #[inline]
    pub fn push(&mut self, code: u64, fold: &[u64], options: &Options, pending: usize) -> Result<(), Error> {
        let most = fold.len() + pending * self.step + TAIL;
        if self.top.capacity() - self.top.len() < most {
            self.block(most)?;
        }
        // Nearly always one word, which needs no call to copy it.
        match fold {
            [word] => self.top.push(*word),
            _ => self.top.extend_from_slice(fold),
        }
        let marked = options.codes[..pending].iter().zip(&options.same[..pending]);
        let marked = marked.map(|(&option, &same)| option | if same != 0 { SAME } else { 0 });
        if self.step == 1 {
            self.top.extend(marked);
        } else {
            for (option, gain) in marked.zip(&options.gains[..pending]) {
                self.top.extend_from_slice(&[option, *gain as u64]);
            }
        }
        self.end(code, pending, fold.len());
        Ok(())
    }

    #[inline]
    fn end(&mut self, code: u64, pending: usize, words: usize) {
        self.top.extend_from_slice(&[code, (pending as u64) << 32 | words as u64]);
    }

    /// Drops the frame begun at `start`.
    #[inline]
    pub fn drop_from(&mut self, start: usize) {
        self.top.truncate(start);
        if start == 0 && !self.below.is_empty() {
            self.leave_block();
        }
    }

    /// The tail of the topmost frame.
    #[inline]
    pub fn tail(&self) -> Option<Tail> {
        match self.top.as_slice() {
            [.., code, counts] => {
                Some(Tail { code: *code, pending: (counts >> 32) as usize, words: (counts & 0xffff_ffff) as usize })
            }
            _ => None,
        }
    }

    /// Where the topmost frame begins.
    #[inline]
    pub fn start_of(&self, tail: Tail) -> usize {
        self.top.len() - TAIL - tail.pending * self.step - tail.words
    }

    /// The fold and the pending options of the topmost frame.
    #[inline]
    pub fn parts(&mut self, tail: Tail) -> (&mut [u64], &[u64]) {
        let end = self.top.len() - TAIL;
        let options = end - tail.pending * self.step;
        let (before, rest) = self.top.split_at_mut(options);
        (&mut before[options - tail.words..], &rest[..end - options])
    }

    /// Keeps only the first `pending` of the pending options of the topmost frame.
    #[inline]
    pub fn keep(&mut self, tail: Tail, pending: usize) {
        let end = self.top.len() - TAIL;
        self.top.truncate(end - (tail.pending - pending) * self.step);
        self.end(tail.code, pending, tail.words);
    }

    /// The positions from `first` on the stack up to the topmost, in order.
    pub fn path_from(&self, first: u64) -> Vec<u64> {
        let mut path = Vec::new();
        let blocks = std::iter::once(&self.top).chain(self.below.iter().rev());
        'blocks: for block in blocks {
            let mut end = block.len();
            while end > 0 {
                let (code, counts) = (block[end - 2], block[end - 1]);
                path.push(code);
                if code == first {
                    break 'blocks;
                }
                end -= TAIL + (counts >> 32) as usize * self.step + (counts & 0xffff_ffff) as usize;
            }
        }
        path.reverse();
        path
    }

    /// A new topmost block with room for so many words.
    #[cold]
    fn block(&mut self, words: usize) -> Result<(), Error> {
        let size = (FIRST_BLOCK << self.below.len().min(6)).min(BLOCK).max(words);
        self.lease.grow(size as u64 * 8)?;
        let block = self.lease.vector(size)?;
        let full = std::mem::replace(&mut self.top, block);
        if full.capacity() > 0 && !full.is_empty() {
            self.below.push(full);
        } else {
            self.lease.shrink(full.capacity() as u64 * 8);
        }
        Ok(())
    }

    /// The topmost block is empty: goes on with the one below.
    #[cold]
    fn leave_block(&mut self) {
        if let Some(block) = self.below.pop() {
            self.lease.shrink(self.top.capacity() as u64 * 8);
            self.top = block;
        }
    }
}
