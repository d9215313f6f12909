//! What one worker found of a game: its moves, and where play is over.
//!
//! Moves are kept as they come, in buckets, 8 bytes each. If the memory does not reach for that, they are forgotten and
//! only counted, and positions are expanded again when moves are turned round: less memory, more time.

use crate::memory::Memory;
use crate::retrograde::buckets::{Buckets, Division};
use crate::segmented::List;

/// The finds of one worker.
#[derive(Debug)]
pub(crate) struct Found {
    division: Division,
    /// All moves, unless they were forgotten.
    moves: Option<Buckets>,
    /// How many lead to each bucket, once they were forgotten.
    leading: Vec<u64>,
    /// Won and lost ends.
    pub ends: List,
    /// Declared draws.
    pub draws: List,
}

impl Found {
    /// Nothing yet.
    pub fn new(division: Division, memory: &Memory) -> Found {
        Found {
            division,
            moves: Some(Buckets::new(division, memory)),
            leading: vec![0; division.count],
            ends: List::in_segments(memory),
            draws: List::in_segments(memory),
        }
    }

    /// Goes on with more buckets of the same size.
    pub fn extend_to(&mut self, division: Division) {
        if division.count > self.division.count {
            self.division = division;
            self.leading.resize(division.count, 0);
            if let Some(moves) = &mut self.moves {
                moves.extend_to(division);
            }
        }
    }

    /// Adds the moves of a position: where each leads, and whether the same player moves on.
    #[inline(always)]
    pub fn add_moves(&mut self, from: u32, options: impl Iterator<Item = (u32, bool)> + Clone) {
        let mut kept = 0;
        if let Some(moves) = &mut self.moves {
            match moves.push_all(from, options.clone()) {
                Ok(()) => return,
                Err(pushed) => kept = pushed,
            }
            // Rather expand everything again later than give up.
            self.forget();
        }
        options.skip(kept).for_each(|(to, _)| self.leading[self.division.bucket(to)] += 1);
    }

    /// Forgets all moves and keeps their numbers; returns whether there were any to forget.
    #[cold]
    pub fn forget(&mut self) -> bool {
        let Some(moves) = self.moves.take() else { return false };
        self.leading.iter_mut().enumerate().for_each(|(bucket, leading)| *leading = moves.len(bucket) as u64);
        true
    }

    /// How many moves lead to a bucket.
    pub fn leading(&self, bucket: usize) -> u64 {
        self.moves.as_ref().map_or(self.leading[bucket], |moves| moves.len(bucket) as u64)
    }

    /// The moves, unless they were forgotten.
    pub fn moves(&self) -> Option<&Buckets> {
        self.moves.as_ref()
    }

    /// Hands the moves over, unless they were forgotten.
    pub fn take_moves(&mut self) -> Option<Buckets> {
        self.moves.take()
    }
}
