//! Nim-values: the values of heaps in a sum.

use super::closed::Closed;
use super::game::{LIMIT, Moves, Subtraction, SubtractionError};
use super::layers::Layers;
use super::outcomes::words_for;
use super::sliding::Sliding;
use super::{THEOREM, THEOREM_GROWING, THEOREM_RANGE, trail};
use crate::{Period, Proof};

/// The nim-values of heaps 0, 1, 2, … of a subtraction game under normal play.
///
/// One range of moves has a closed form. Lists of numbers and short ranges are valued in layers of bits, many heaps at
/// a time. Long ranges, and unbounded moves beside others, are valued heap by heap in a few steps for each range;
/// there, values can grow with the heap, and the period has a saltus.
///
/// ```
/// use heaps::subtraction::{Nimbers, Subtraction, Takes};
/// // Take one stone, or at least five.
/// let game = Subtraction::new(vec![Takes::one(1), Takes::at_least(5)], false)?;
/// let mut nimbers = Nimbers::new(&game)?;
/// nimbers.extend(10_000)?;
/// let period = nimbers.period().unwrap();
/// assert_eq!((period.start, period.length, period.saltus), (0, 6, 2));
/// assert_eq!(nimbers.value(6_000_000_001), Some(2_000_000_001));
/// # Ok::<(), heaps::subtraction::SubtractionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nimbers {
    game: Subtraction,
    method: Method,
}

#[derive(Clone, Debug)]
enum Method {
    Closed(Closed),
    Layers(Box<Layers>),
    Sliding(Box<Sliding>),
}

/// The data from which a sequence of nim-values can continue later. Its kind depends only on the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedNimbers<'a> {
    /// A closed form needs nothing.
    Nothing,
    /// The binary digits of the values, lowest first: one row of bits for each.
    Digits(Vec<&'a [u64]>),
    /// The values.
    Values(&'a [u32]),
}

impl Nimbers {
    /// No heaps yet. Misère play has no nim-values.
    pub fn new(game: &Subtraction) -> Result<Nimbers, SubtractionError> {
        if game.is_misere() {
            return Err(SubtractionError::Misere);
        }
        let few = game.count() <= 64.max(16 * game.takes().len() as u64);
        let method = if let Some(closed) = Closed::of(game) {
            Method::Closed(closed)
        } else if !game.is_unbounded() && few {
            Method::Layers(Box::new(Layers::new(game)))
        } else {
            Method::Sliding(Box::new(Sliding::new(game)))
        };
        Ok(Nimbers { game: game.clone(), method })
    }

    /// The game.
    pub fn game(&self) -> &Subtraction {
        &self.game
    }

    /// What to save for [`Nimbers::resume`].
    pub fn saved(&self) -> SavedNimbers<'_> {
        match &self.method {
            Method::Closed(_) => SavedNimbers::Nothing,
            Method::Layers(layers) => SavedNimbers::Digits(layers.digits()),
            Method::Sliding(sliding) => SavedNimbers::Values(sliding.values()),
        }
    }

    /// Continues from saved data. It is trusted, except for the first values, which must be those of the game.
    pub fn resume(game: &Subtraction, saved: &SavedNimbers<'_>) -> Result<Nimbers, SubtractionError> {
        let mut fresh = Nimbers::new(game)?;
        let resumed = match (&fresh.method, saved) {
            (Method::Closed(_), SavedNimbers::Nothing) => return Ok(fresh),
            (Method::Layers(_), SavedNimbers::Digits(rows)) => Method::Layers(Box::new(Layers::resume(game, rows)?)),
            (Method::Sliding(_), SavedNimbers::Values(values)) => {
                Method::Sliding(Box::new(Sliding::resume(game, values)?))
            }
            _ => return Err(SubtractionError::Saved),
        };
        let resumed = Nimbers { method: resumed, game: game.clone() };
        let compared = resumed.len().min(1024);
        fresh.extend(compared)?;
        if (0..compared).any(|n| fresh.value(n) != resumed.value(n)) {
            return Err(SubtractionError::Saved);
        }
        Ok(resumed)
    }

    /// Values at least all heaps below `upto`, or fewer if a period is proved before.
    ///
    /// Work and memory are bounded by `upto`: a few bits for each heap in layers, four to eight bytes heap by heap.
    pub fn extend(&mut self, upto: u64) -> Result<(), SubtractionError> {
        if upto > LIMIT {
            return Err(SubtractionError::TooLarge { number: upto, limit: LIMIT });
        }
        match &mut self.method {
            Method::Closed(_) => Ok(()),
            Method::Layers(layers) => layers.extend(words_for(upto)?),
            Method::Sliding(sliding) => sliding.extend(upto),
        }
    }

    /// How many heaps were computed one by one. A closed form needs none.
    pub fn len(&self) -> u64 {
        match &self.method {
            Method::Closed(_) => 0,
            Method::Layers(layers) => layers.end() as u64 * 64,
            Method::Sliding(sliding) => sliding.len(),
        }
    }

    /// Whether no heap was computed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        match &self.method {
            Method::Closed(_) => 0,
            Method::Layers(layers) => layers.bytes(),
            Method::Sliding(sliding) => sliding.bytes(),
        }
    }

    /// The method, in a word.
    pub fn method(&self) -> &'static str {
        match &self.method {
            Method::Closed(_) => "closed form",
            Method::Layers(_) => "layers of bits",
            Method::Sliding(_) => "sliding mex",
        }
    }

    /// The largest value of the heaps computed one by one.
    pub fn max(&self) -> Option<u64> {
        match &self.method {
            Method::Closed(_) => None,
            Method::Layers(layers) => (layers.end() > 0).then(|| layers.max()),
            Method::Sliding(sliding) => (sliding.len() > 0).then(|| sliding.max()),
        }
    }

    /// The period, if one is proved.
    pub fn period(&self) -> Option<Period> {
        match &self.method {
            Method::Closed(closed) => Some(closed.value_period()),
            Method::Layers(layers) => layers.period,
            Method::Sliding(sliding) => sliding.period,
        }
    }

    /// The proof of the period.
    pub fn proof(&self) -> Option<Proof> {
        self.period().map(|_| {
            Proof::Theorem(match &self.method {
                Method::Closed(_) => THEOREM_RANGE,
                Method::Sliding(_) if self.game.is_unbounded() => THEOREM_GROWING,
                _ => THEOREM,
            })
        })
    }

    /// The nim-value of heap `n`; `None` if it was not computed and no period is proved.
    pub fn value(&self, n: u64) -> Option<u64> {
        if let Method::Closed(closed) = &self.method {
            return Some(closed.value(n));
        }
        let (n, saltus) = if n < self.len() { (n, Some(0)) } else { self.period()?.reduce(n) };
        let value = match &self.method {
            Method::Closed(closed) => closed.value(n),
            Method::Layers(layers) => layers.value(n),
            Method::Sliding(sliding) => sliding.value_at(n),
        };
        value.checked_add(saltus?)
    }

    /// The moves from heap `n` to heaps of a nim-value, at most `limit` of them; `None` if options are not known.
    ///
    /// ```
    /// use heaps::subtraction::{Nimbers, Subtraction, Takes};
    /// let nim = Nimbers::new(&Subtraction::new(vec![Takes::at_least(1)], false)?)?;
    /// assert_eq!(nim.moves_to(1_000_000_000_000, 17, 10).unwrap().takes, [999_999_999_983]);
    /// # Ok::<(), heaps::subtraction::SubtractionError>(())
    /// ```
    pub fn moves_to(&self, n: u64, value: u64, limit: usize) -> Option<Moves> {
        self.value(n)?;
        Some(self.game.moves_where(n, limit, |low, high| self.next(low, high, value)))
    }

    /// The least heap with a value in a closed range of known heaps.
    fn next(&self, low: u64, high: u64, value: u64) -> Option<u64> {
        if let Method::Closed(closed) = &self.method {
            return closed.next_value(low, high, value);
        }
        let len = self.len();
        let end = high.saturating_add(1);
        let found = (low < len).then(|| self.next_computed(low, end.min(len), value)).flatten();
        if found.is_some() || end <= len {
            return found;
        }
        let period = self.period()?;
        let low = low.max(len);
        if period.saltus == 0 {
            return trail::next_by_period(&period, low, high, |low, high| self.next_computed(low, high + 1, value));
        }
        // Each place of the period has the value in at most one round.
        let places = period.start..period.start + period.length;
        let heaps = places.filter_map(|place| {
            let above = value.checked_sub(self.value(place)?)?;
            let rounds = above.is_multiple_of(period.saltus).then_some(above / period.saltus)?;
            rounds.checked_mul(period.length)?.checked_add(place)
        });
        heaps.filter(|heap| (low..=high).contains(heap)).min()
    }

    fn next_computed(&self, from: u64, to: u64, value: u64) -> Option<u64> {
        match &self.method {
            Method::Closed(_) => None,
            Method::Layers(layers) => layers.next(from, to, value),
            Method::Sliding(sliding) => sliding.next(from, to, value),
        }
    }
}
