//! The order in which options are looked at, learned while searching.
//!
//! A move is known by what it changes in the key, hashed to a small number: a disc in a square is the same move wherever else
//! discs lie. What cut off the search here before is tried first: at the same depth (killers), in reply to the same move
//! (counter moves), anywhere (history). The order changes how long a search takes and nothing else.

use crate::game::hash;

/// How many moves are told apart.
const MOVES: usize = 1 << 12;
/// Depths beyond this share their killers.
const PLIES: usize = 512;
/// Bits of hints that helpers do not look at.
const BLUR: u32 = 19;
/// History lies between 0 and this.
const FULL: i32 = 1 << 14;

/// What a search has learned about moves.
pub(crate) struct Order {
    killers: Box<[[u16; 2]]>,
    counters: Box<[u16]>,
    history: Box<[i32]>,
    /// Helpers look at things in a slightly different order, each in its own.
    noise: u64,
}

/// What is known of an option before it is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hint {
    /// The move, see [`id`].
    pub id: u16,
    /// What it gains.
    pub gain: i64,
    /// Whether the mover moves again.
    pub same: bool,
}

/// The number of a move from one position to another.
#[inline]
pub(crate) fn id<const W: usize>(from: &[u64; W], to: &[u64; W]) -> u16 {
    let change: [u64; W] = std::array::from_fn(|word| from[word] ^ to[word]);
    (hash(&change) >> 40) as u16 & (MOVES as u16 - 1)
}

/// No move.
pub(crate) const NONE: u16 = u16::MAX;

impl Order {
    /// Nothing is learned yet. Helpers have a number above 0.
    pub fn new(helper: u64) -> Order {
        Order {
            killers: vec![[NONE; 2]; PLIES].into(),
            counters: vec![NONE; MOVES + 1].into(),
            history: vec![FULL / 8; MOVES].into(),
            noise: helper.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        }
    }

    /// How early an option is looked at: a higher number earlier.
    #[inline]
    pub fn score(&mut self, ply: usize, before: u16, hint: Hint) -> i32 {
        let Hint { id, gain, same } = hint;
        let mut score = self.history[id as usize];
        let killers = self.killers[ply.min(PLIES - 1)];
        if id == killers[0] {
            score += 3 * FULL;
        } else if id == killers[1] {
            score += 2 * FULL;
        }
        if self.counters[(before as usize).min(MOVES)] == id {
            score += 2 * FULL;
        }
        score += gain.clamp(-64, 64) as i32 * 4 * FULL + if same { FULL } else { 0 };
        score + self.noise(12)
    }

    /// How early an option is looked at, where hints alone say so: helpers look at things in a slightly different order.
    #[inline]
    pub fn blur(&mut self, hint: i32) -> i32 {
        hint.saturating_add(self.noise(BLUR))
    }

    /// So many random bits for helpers, and none for who searches alone.
    #[inline]
    fn noise(&mut self, bits: u32) -> i32 {
        if self.noise == 0 {
            return 0;
        }
        self.noise = self.noise.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.noise >> (64 - bits)) as i32
    }

    /// A move was good enough to end the search of its position.
    pub fn cut(&mut self, ply: usize, before: u16, id: u16) {
        let killers = &mut self.killers[ply.min(PLIES - 1)];
        if killers[0] != id {
            *killers = [id, killers[0]];
        }
        self.counters[(before as usize).min(MOVES)] = id;
        let history = &mut self.history[id as usize];
        *history += (FULL - *history) / 32;
    }

    /// A move was tried before the one that was good enough.
    #[inline]
    pub fn miss(&mut self, id: u16) {
        let history = &mut self.history[id as usize];
        *history -= *history / 32;
    }
}
