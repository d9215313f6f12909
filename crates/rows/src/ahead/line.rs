//! One step of a line of play.

/// A move on a line of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The index it leaves.
    pub from: usize,
    /// The index it reaches.
    pub to: usize,
    /// What it gains.
    pub gain: i128,
    /// What both players have gained since the line began, including this move; the player who began comes first.
    pub totals: [i128; 2],
}

/// The running totals of a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    totals: [i128; 2],
    mover: usize,
}

impl Tally {
    /// Makes a move from one index to another.
    pub(super) fn step(&mut self, from: usize, to: usize, gain: i128) -> Step {
        // Far from overflow: memory holds fewer than 2^61 numbers, and a gain has at most 65 bits.
        self.totals[self.mover] += gain;
        self.mover = 1 - self.mover;
        Step { from, to, gain, totals: self.totals }
    }
}
