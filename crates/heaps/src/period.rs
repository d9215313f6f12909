//! When a sequence repeats, and how that is known.

/// From index `start` on, `g(n + length) = g(n) + saltus`.
///
/// `saltus` is 0 for an ordinary period; another value makes the sequence arithmetic-periodic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first index from which the sequence repeats (the length of the pre-period).
    pub start: u64,
    /// The distance between repetitions: the least one, and at least 1.
    pub length: u64,
    /// What every repetition adds.
    pub saltus: u64,
}

/// How a period is backed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It holds for ever, by the theorem of this name.
    Theorem(&'static str),
    /// It holds for all values computed, and nothing is known beyond them.
    Observed,
}

impl Period {
    /// The index below `start + length` whose value gives the value at `n`, and the amount to add to it.
    ///
    /// The amount is `None` if it exceeds 64 bits.
    ///
    /// ```
    /// let period = heaps::Period { start: 5, length: 3, saltus: 2 };
    /// assert_eq!(period.reduce(4), (4, Some(0)));
    /// assert_eq!(period.reduce(12), (6, Some(4)));
    /// ```
    pub fn reduce(&self, n: u64) -> (u64, Option<u64>) {
        if n < self.start + self.length {
            return (n, Some(0));
        }
        let rounds = (n - self.start) / self.length;
        (n - rounds * self.length, rounds.checked_mul(self.saltus))
    }
}
