//! The rules of a subtraction game, checked once.

use std::fmt;

/// Heaps and moves are below this number, so that their sums never wrap around.
pub const LIMIT: u64 = 1 << 63;

/// How many entries a list of moves may have.
const MOST_ENTRIES: usize = 1 << 16;

/// Moves of one kind: take s stones with `least` ≤ s ≤ `most`, from heaps of at least `guard`, leaving at least `floor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Takes {
    /// The least number taken, at least 1.
    pub least: u64,
    /// The largest number taken; `None` if there is no bound.
    pub most: Option<u64>,
    /// The least heap from which the move is allowed; 0 for any heap.
    pub guard: u64,
    /// The least heap that the move may leave; 0 for any heap.
    pub floor: u64,
}

impl Takes {
    /// Exactly this many stones.
    pub fn one(stones: u64) -> Takes {
        Takes::range(stones, stones)
    }

    /// Any number of a range, ends included.
    pub fn range(least: u64, most: u64) -> Takes {
        Takes { least, most: Some(most), guard: 0, floor: 0 }
    }

    /// At least this many stones.
    pub fn at_least(least: u64) -> Takes {
        Takes { least, most: None, guard: 0, floor: 0 }
    }

    /// Restricts the moves to heaps of at least `guard`.
    pub fn guarded(self, guard: u64) -> Takes {
        Takes { guard, ..self }
    }

    /// Restricts the moves to those that leave at least `floor`.
    pub fn leaving(self, floor: u64) -> Takes {
        Takes { floor, ..self }
    }

    /// The heaps that these moves lead to from heap `n`, as a closed range; `None` if there is no move.
    ///
    /// ```
    /// use heaps::subtraction::Takes;
    /// assert_eq!(Takes::range(2, 5).options(9), Some((4, 7)));
    /// assert_eq!(Takes::range(2, 5).leaving(6).options(9), Some((6, 7)));
    /// assert_eq!(Takes::range(2, 5).guarded(10).options(9), None);
    /// ```
    pub fn options(&self, n: u64) -> Option<(u64, u64)> {
        if n < self.guard || n < self.least {
            return None;
        }
        let low = self.most.map_or(0, |most| n.saturating_sub(most)).max(self.floor);
        let high = n - self.least;
        (low <= high).then_some((low, high))
    }

    /// The least heap that has such a move.
    pub(super) fn first(&self) -> u64 {
        self.guard.max(self.least.saturating_add(self.floor))
    }

    /// The heap from which neither guard nor floor matters; unbounded moves count from their first heap.
    pub(super) fn pure_from(&self) -> u64 {
        match self.most {
            Some(most) if self.floor > 0 => self.guard.max(most.saturating_add(self.floor)),
            _ => self.first(),
        }
    }

    /// Whether guard and floor exclude nothing that the size of the heap does not exclude anyway.
    pub(super) fn is_plain(&self) -> bool {
        self.guard <= self.least && self.floor == 0
    }
}

/// A subtraction game: moves that passed the checks, and who wins when there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtraction {
    takes: Vec<Takes>,
    misere: bool,
}

/// A list of moves, which may be cut off if there are too many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Stones taken, least first.
    pub takes: Vec<u64>,
    /// Whether these are all. If not, they are the ones that take most.
    pub complete: bool,
}

impl Subtraction {
    /// Checks the moves. Equal, adjacent and overlapping ranges with equal conditions become one.
    ///
    /// With `misere`, a player without a move wins instead of losing.
    pub fn new(takes: Vec<Takes>, misere: bool) -> Result<Subtraction, SubtractionError> {
        if takes.len() > MOST_ENTRIES {
            return Err(SubtractionError::TooManyMoves { moves: takes.len(), limit: MOST_ENTRIES });
        }
        for take in &takes {
            let most = take.most.unwrap_or(take.least);
            if take.least == 0 {
                return Err(SubtractionError::TakesNothing);
            }
            if most < take.least {
                return Err(SubtractionError::EmptyRange { least: take.least, most });
            }
            for number in [most, take.guard, take.floor] {
                if number >= LIMIT / 4 {
                    return Err(SubtractionError::TooLarge { number, limit: LIMIT / 4 });
                }
            }
        }
        Ok(Subtraction { takes: merged(takes), misere })
    }

    /// The moves, ordered.
    pub fn takes(&self) -> &[Takes] {
        &self.takes
    }

    /// Whether a player without a move wins.
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    /// The least heap with a move; `u64::MAX` if there is none.
    pub(super) fn first(&self) -> u64 {
        self.takes.iter().map(Takes::first).min().unwrap_or(u64::MAX)
    }

    /// The heap from which no guard, no floor and no missing move matters.
    pub(super) fn pure_from(&self) -> u64 {
        self.takes.iter().map(Takes::pure_from).max().unwrap_or(0)
    }

    /// The largest number that a bounded move takes.
    pub(super) fn reach(&self) -> u64 {
        self.takes.iter().filter_map(|take| take.most).max().unwrap_or(0)
    }

    /// Whether a move may take any large number.
    pub(super) fn is_unbounded(&self) -> bool {
        self.takes.iter().any(|take| take.most.is_none())
    }

    /// How many different numbers bounded moves take, counted with multiplicity.
    pub(super) fn count(&self) -> u64 {
        self.takes.iter().map(|take| take.most.map_or(0, |most| most - take.least + 1)).fold(0, u64::saturating_add)
    }

    /// The moves from `n` whose option passes; `next(low, high)` is the least heap of a range that passes.
    pub(super) fn moves_where(&self, n: u64, limit: usize, mut next: impl FnMut(u64, u64) -> Option<u64>) -> Moves {
        let mut found = Vec::new();
        let mut complete = true;
        for (low, high) in self.takes.iter().filter_map(|take| take.options(n)) {
            let mut from = low;
            let mut room = limit;
            while let Some(option) = next(from, high) {
                if room == 0 {
                    complete = false;
                    break;
                }
                room -= 1;
                found.push(n - option);
                if option == high {
                    break;
                }
                from = option + 1;
            }
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        complete &= found.len() <= limit;
        found.truncate(limit);
        found.reverse();
        Moves { takes: found, complete }
    }
}

/// Sorts the ranges and joins those that touch and have equal conditions.
fn merged(mut takes: Vec<Takes>) -> Vec<Takes> {
    for take in &mut takes {
        if take.guard <= take.least + take.floor {
            take.guard = 0;
        }
    }
    takes.sort_unstable_by_key(|take| (take.guard, take.floor, take.least));
    let mut joined: Vec<Takes> = Vec::with_capacity(takes.len());
    for take in takes {
        if let Some(last) = joined.last_mut()
            && (last.guard, last.floor) == (take.guard, take.floor)
            && last.most.is_none_or(|most| take.least <= most + 1)
        {
            last.most = last.most.zip(take.most).map(|(a, b)| a.max(b));
        } else {
            joined.push(take);
        }
    }
    joined.sort_unstable();
    joined
}

/// Why a game or a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubtractionError {
    /// A move takes no stones, so play need not end.
    TakesNothing,
    /// A range has no numbers in it.
    EmptyRange {
        /// Its first number.
        least: u64,
        /// Its last number.
        most: u64,
    },
    /// A number is too large to compute with.
    TooLarge {
        /// The number.
        number: u64,
        /// Numbers are below this.
        limit: u64,
    },
    /// The list is too long.
    TooManyMoves {
        /// How many there are.
        moves: usize,
        /// How many there may be.
        limit: usize,
    },
    /// There is not enough memory.
    Memory {
        /// How many bytes were asked for.
        bytes: u64,
    },
    /// Nim-values are for normal play; misère play has only outcomes.
    Misere,
    /// A saved sequence cannot be one of this game.
    Saved,
}

impl fmt::Display for SubtractionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubtractionError::TakesNothing => f.write_str("a move must take at least 1 stone"),
            SubtractionError::EmptyRange { least, most } => write!(f, "no number lies from {least} to {most}"),
            SubtractionError::TooLarge { number, limit } => {
                write!(f, "{number} is too large: it must be below {limit}")
            }
            SubtractionError::TooManyMoves { moves, limit } => {
                write!(f, "{moves} moves are too many: {limit} are allowed (write ranges as ranges)")
            }
            SubtractionError::Memory { bytes } => write!(f, "{bytes} bytes of memory are not to be had"),
            SubtractionError::Misere => f.write_str("misère play has no nim-values, only outcomes"),
            SubtractionError::Saved => f.write_str("the saved sequence does not fit the game"),
        }
    }
}

impl std::error::Error for SubtractionError {}
