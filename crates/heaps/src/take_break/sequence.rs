//! The nim-sequence of a game: growing values, and the period once it is proved.

use std::fmt;

use super::game::TakeAndBreak;
use super::lazy::Lazy;
use super::mask::Histogram;
use super::plain::Plain;
use super::sparse::Sparse;
use super::theorem::Theorem;
use super::values::Values;
use crate::detect;
use crate::period::{Period, Proof};

/// The most terms of a sequence.
pub const MOST_TERMS: usize = 1 << 31;
/// The number of terms at the first search for a period. The next search comes when the sequence has grown by a fixed
/// share: a period shows after about half of the terms that prove it, so one search finds it in time to plan the next.
const FIRST_LOOK: usize = 64;
const LOOK_SHARE: usize = 2;
/// How many terms of a resumed sequence are computed again, at its start and at its end.
const CHECKED: usize = 256;

/// Why a sequence does not grow, or cannot continue from given values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceError {
    /// More terms than [`MOST_TERMS`].
    TooLong {
        /// How many were asked for.
        asked: usize,
    },
    /// Values that are not those of the game.
    Foreign {
        /// The first heap that shows it.
        heap: usize,
        /// What was given.
        given: u32,
        /// Its value.
        value: u32,
    },
}

impl fmt::Display for SequenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SequenceError::TooLong { asked } => write!(f, "{asked} terms are too many, {MOST_TERMS} is the limit"),
            SequenceError::Foreign { heap, given, value } => {
                write!(f, "these are not values of this game: heap {heap} has value {value}, not {given}")
            }
        }
    }
}

impl std::error::Error for SequenceError {}

/// The values of the heaps 0, 1, 2, … of a game, as far as computed.
#[derive(Clone, Debug)]
pub struct NimSequence {
    game: TakeAndBreak,
    values: Values,
    engine: Engine,
    /// The largest value and its first heap.
    largest: (u32, usize),
    scanned: usize,
    theorem: Option<Theorem>,
    proved: Option<Period>,
    next_look: usize,
}

#[derive(Clone, Debug)]
enum Engine {
    Plain(Box<Plain>),
    Lazy(Box<Lazy>),
    Bytes(Box<Sparse<u8>>),
    Words(Box<Sparse<u16>>),
}

/// The rare indices of a sequence: those whose value has an even number of bits in common with the mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rare {
    /// The mask with the fewest rare indices.
    pub mask: u32,
    /// The heaps, in order.
    pub heaps: Vec<usize>,
}

impl NimSequence {
    /// The sequence of a game, without terms.
    pub fn new(game: TakeAndBreak) -> Result<NimSequence, SequenceError> {
        let engine = match Lazy::does(&game) {
            true => Engine::Lazy(Box::new(Lazy::resume(&game, &Values::default()))),
            false => Engine::Plain(Box::new(Plain::new(&game))),
        };
        let theorem = Theorem::of(&game);
        let values = Values::default();
        let next_look = FIRST_LOOK;
        Ok(NimSequence { game, values, engine, largest: (0, 0), scanned: 0, theorem, proved: None, next_look })
    }

    /// Continues from values computed before. The first and the last are computed again and compared.
    ///
    /// ```
    /// use heaps::take_break::{NimSequence, TakeAndBreak};
    /// let mut all = NimSequence::new(TakeAndBreak::grundy()).unwrap();
    /// all.extend(3000).unwrap();
    /// let some = all.values().iter().take(2000);
    /// let mut resumed = NimSequence::resume(TakeAndBreak::grundy(), some.collect()).unwrap();
    /// resumed.extend(3000).unwrap();
    /// assert_eq!(resumed.values(), all.values());
    /// ```
    pub fn resume(game: TakeAndBreak, values: Values) -> Result<NimSequence, SequenceError> {
        let mut sequence = NimSequence::new(game)?;
        if values.len() > MOST_TERMS {
            return Err(SequenceError::TooLong { asked: values.len() });
        }
        sequence.extend(values.len().min(CHECKED))?;
        sequence.compare(&values, 0)?;
        if values.len() > CHECKED {
            let sure = values.len() - CHECKED.min(values.len() - CHECKED);
            sequence.values = values.iter().take(sure).collect();
            sequence.engine = sequence.fitting();
            sequence.proved = None;
            sequence.next_look = usize::MAX;
            sequence.extend(values.len())?;
            sequence.compare(&values, sure)?;
            sequence.look();
        }
        Ok(sequence)
    }

    fn compare(&self, given: &Values, from: usize) -> Result<(), SequenceError> {
        for heap in from..self.values.len().min(given.len()) {
            let (given, value) = (given.at(heap), self.values.at(heap));
            if given != value {
                return Err(SequenceError::Foreign { heap, given, value });
            }
        }
        Ok(())
    }

    /// The engine that continues from the current values.
    fn fitting(&self) -> Engine {
        let (game, values) = (&self.game, &self.values);
        if Sparse::<u8>::does(game) && values.len() >= Sparse::<u8>::first(game) {
            if let Some(sparse) = Sparse::new(game, values) {
                return Engine::Bytes(Box::new(sparse));
            }
            if let Some(sparse) = Sparse::new(game, values) {
                return Engine::Words(Box::new(sparse));
            }
        }
        match Lazy::does(game) {
            true => Engine::Lazy(Box::new(Lazy::resume(game, values))),
            false => Engine::Plain(Box::new(Plain::resume(game, values))),
        }
    }

    /// Grows the sequence to at least `terms` terms. Callers cut long work into many calls.
    ///
    /// Once a period is proved, values are copied.
    pub fn extend(&mut self, terms: usize) -> Result<(), SequenceError> {
        if terms > MOST_TERMS {
            return Err(SequenceError::TooLong { asked: terms });
        }
        while self.values.len() < terms {
            match self.proved {
                Some(period) => {
                    while self.values.len() < terms {
                        self.values.push(self.values.at(self.values.len() - period.length as usize));
                    }
                }
                None => self.compute(terms.min(self.next_look)),
            }
            for heap in self.scanned..self.values.len() {
                let value = self.values.at(heap);
                if value > self.largest.0 {
                    self.largest = (value, heap);
                }
            }
            self.scanned = self.values.len();
            if self.values.len() >= self.next_look && self.proved.is_none() {
                self.look();
            }
        }
        Ok(())
    }

    /// Runs the engine, and changes it if another is better or needed.
    fn compute(&mut self, terms: usize) {
        while self.values.len() < terms {
            let fits = match &mut self.engine {
                Engine::Bytes(sparse) => sparse.extend(terms, &mut self.values).is_ok(),
                Engine::Words(sparse) => sparse.extend(terms, &mut self.values).is_ok(),
                Engine::Lazy(lazy) => {
                    while self.values.len() < terms {
                        lazy.step(&self.game, &mut self.values);
                    }
                    true
                }
                Engine::Plain(plain) => {
                    let sparse = Sparse::<u8>::does(&self.game) && matches!(self.values, Values::Narrow(_));
                    let first = if sparse { Sparse::<u8>::first(&self.game) } else { usize::MAX };
                    while self.values.len() < terms.min(first) {
                        plain.step(&self.game, &mut self.values);
                    }
                    self.values.len() < first
                }
            };
            if !fits {
                self.engine = match (&self.engine, self.fitting()) {
                    // All values so far fit in a byte; the next one does not.
                    (Engine::Bytes(_), _) => match Sparse::new(&self.game, &self.values) {
                        Some(sparse) => Engine::Words(Box::new(sparse)),
                        None => Engine::Plain(Box::new(Plain::resume(&self.game, &self.values))),
                    },
                    (Engine::Words(_), _) => Engine::Plain(Box::new(Plain::resume(&self.game, &self.values))),
                    (Engine::Plain(_) | Engine::Lazy(_), fitting) => fitting,
                };
            }
        }
    }

    /// Looks for a period that can be proved now, and decides when to look again.
    fn look(&mut self) {
        let length = self.values.len();
        self.next_look = length + length / LOOK_SHARE + 1;
        let (Some(theorem), Values::Narrow(values)) = (self.theorem, &self.values) else { return };
        let Some(period) = detect::best(values, false, |start, length| theorem.terms(start, length)) else { return };
        let terms = theorem.terms(period.start, period.length);
        if terms <= length as u64 {
            self.proved = Some(detect::least(values, period));
        } else {
            self.next_look = self.next_look.min(usize::try_from(terms).unwrap_or(usize::MAX));
        }
    }

    /// The period: proved, or observed in all values from its start on, at least three times over.
    pub fn period(&self) -> Option<(Period, Proof)> {
        if let (Some(period), Some(theorem)) = (self.proved, self.theorem) {
            return Some((period, Proof::Theorem(theorem.name)));
        }
        let cost = |start: u64, length: u64| start + 3 * length;
        let found = match &self.values {
            Values::Narrow(values) => detect::best(values, true, cost).map(|period| detect::least(values, period)),
            Values::Wide(values) => detect::best(values, true, cost).map(|period| detect::least(values, period)),
        };
        let terms = self.values.len() as u64;
        let found = found.filter(|period| period.start <= terms / 2 && period.start + 3 * period.length <= terms)?;
        Some((found, Proof::Observed))
    }

    /// Whether a period can ever be proved: there is a theorem for such games.
    pub fn may_be_proved(&self) -> bool {
        self.theorem.is_some()
    }

    /// Whether a period is proved: then every heap has a value, and nothing is left to compute.
    pub fn is_proved(&self) -> bool {
        self.proved.is_some()
    }

    /// The proved period.
    pub fn proved(&self) -> Option<Period> {
        self.proved
    }

    /// The game.
    pub fn game(&self) -> &TakeAndBreak {
        &self.game
    }

    /// The values so far.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a heap, computed or by a proved period.
    pub fn value(&self, heap: u64) -> Option<u64> {
        let at = |heap: u64| self.values.get(usize::try_from(heap).ok()?).map(u64::from);
        at(heap).or_else(|| at(self.proved?.reduce(heap).0))
    }

    /// The largest value so far and the first heap that has it.
    pub fn largest(&self) -> Option<(u32, usize)> {
        (!self.is_empty()).then_some(self.largest)
    }

    /// The rare indices for the best mask, as far as the sequence is known.
    pub fn rare(&self) -> Rare {
        let mut histogram = Histogram::default();
        self.values.iter().enumerate().for_each(|(heap, value)| histogram.add(heap, value));
        let (character, _) = histogram.best(None);
        let is_rare = |heap: &usize| character.is_rare(*heap, self.values.at(*heap));
        Rare { mask: character.mask, heaps: (0..self.values.len()).filter(is_rare).collect() }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let engine = match &self.engine {
            Engine::Plain(plain) => plain.bytes(),
            Engine::Lazy(lazy) => lazy.bytes(),
            Engine::Bytes(sparse) => sparse.bytes(),
            Engine::Words(sparse) => sparse.bytes(),
        };
        self.values.bytes() + engine
    }

    /// The current method, in a few words.
    pub fn method(&self) -> &'static str {
        match (self.proved.is_some(), &self.engine) {
            (true, _) => "proved period",
            (_, Engine::Plain(_)) => "sets of options",
            (_, Engine::Lazy(_)) => "witnesses on demand",
            (_, Engine::Bytes(_) | Engine::Words(_)) => "sparse space",
        }
    }
}
