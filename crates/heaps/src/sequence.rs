//! The values of heaps as one sequence, whichever kind of game they belong to.
//!
//! The three kinds ([`Nimbers`], [`NimSequence`], [`Outcomes`]) have engines of their own. Whoever asks for values, grows
//! a sequence in pieces or wants its period need not know which it is.

use std::fmt;

use game::{Nimber, Outcome};

use crate::period::{Period, Proof};
use crate::subtraction::{Nimbers, Outcomes, Subtraction, SubtractionError};
use crate::take_break::{NimSequence, sequence::MOST_TERMS};

/// The values of the heaps 0, 1, 2, … of one game.
#[derive(Debug)]
pub enum HeapSequence {
    /// Nim-values of a game in which moves only take.
    Shift(Box<Nimbers>),
    /// Nim-values of a game in which moves may break a heap up.
    Break(Box<NimSequence>),
    /// Who wins a game in which moves only take, where taking the last stone loses.
    Misere(Box<Subtraction>, Box<Outcomes>),
}

/// Why a sequence does not grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// No more heaps than these can be computed.
    TooLong {
        /// How many that is.
        heaps: u64,
    },
    /// Something else, in words.
    Because(String),
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stuck::TooLong { heaps } => write!(f, "more than {heaps} heaps cannot be computed"),
            Stuck::Because(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Stuck {}

impl HeapSequence {
    /// How many heaps were valued one by one.
    pub fn len(&self) -> u64 {
        match self {
            HeapSequence::Shift(nimbers) => nimbers.len(),
            HeapSequence::Break(sequence) => sequence.len() as u64,
            HeapSequence::Misere(_, outcomes) => outcomes.len(),
        }
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the values take.
    pub fn bytes(&self) -> u64 {
        match self {
            HeapSequence::Shift(nimbers) => nimbers.bytes(),
            HeapSequence::Break(sequence) => sequence.bytes() as u64,
            HeapSequence::Misere(_, outcomes) => outcomes.bytes(),
        }
    }

    /// The most heaps that can be valued, where no theorem may answer for more of them.
    pub fn most(&self) -> Option<u64> {
        match self {
            HeapSequence::Break(sequence) if !sequence.may_be_proved() => Some(MOST_TERMS as u64),
            _ => None,
        }
    }

    /// Values more heaps, up to heap `upto` exclusive.
    ///
    /// ```
    /// use heaps::HeapSequence;
    /// use heaps::take_break::NimSequence;
    ///
    /// let mut kayles = HeapSequence::Break(Box::new(NimSequence::new("0.77".parse().unwrap()).unwrap()));
    /// kayles.extend(8).unwrap();
    /// assert_eq!((0..8).map(|heap| kayles.nimber(heap).unwrap()).collect::<Vec<u64>>(), [0, 1, 2, 3, 1, 4, 3, 2]);
    /// ```
    pub fn extend(&mut self, upto: u64) -> Result<(), Stuck> {
        match self {
            HeapSequence::Shift(nimbers) => nimbers.extend(upto).map_err(stuck),
            HeapSequence::Break(sequence) => {
                let most = MOST_TERMS as u64;
                let upto = usize::try_from(upto).unwrap_or(usize::MAX);
                sequence.extend(upto).map_err(|_| Stuck::TooLong { heaps: most })
            }
            HeapSequence::Misere(_, outcomes) => outcomes.extend(upto).map_err(stuck),
        }
    }

    /// The period that is known, and how it is backed.
    pub fn period(&self) -> Option<(Period, Proof)> {
        match self {
            HeapSequence::Shift(nimbers) => nimbers.period().zip(nimbers.proof()),
            HeapSequence::Break(sequence) => sequence.period(),
            HeapSequence::Misere(_, outcomes) => outcomes.period().zip(outcomes.proof()),
        }
    }

    /// The period that a theorem proves for all heaps, with the name of the theorem.
    pub fn proved(&self) -> Option<(Period, &'static str)> {
        let (mut period, proof) = self.period()?;
        if let HeapSequence::Break(sequence) = self {
            period = sequence.proved()?;
        }
        match proof {
            Proof::Theorem(name) => Some((period, name)),
            Proof::Observed => None,
        }
    }

    /// Whether the values of all heaps are known by now.
    pub fn is_proved(&self) -> bool {
        match self {
            HeapSequence::Shift(nimbers) => nimbers.period().is_some(),
            HeapSequence::Break(sequence) => sequence.is_proved(),
            HeapSequence::Misere(_, outcomes) => outcomes.period().is_some(),
        }
    }

    /// The nim-value of a heap, where the game has them and it is known.
    pub fn nimber(&self, heap: u64) -> Option<Nimber> {
        match self {
            HeapSequence::Shift(nimbers) => nimbers.value(heap),
            HeapSequence::Break(sequence) => sequence.value(heap),
            HeapSequence::Misere(..) => None,
        }
    }

    /// Who wins a heap, where that is known.
    pub fn outcome(&self, heap: u64) -> Option<Outcome> {
        match self {
            HeapSequence::Misere(_, outcomes) => outcomes.outcome(heap),
            nimbers => nimbers.nimber(heap).map(|nimber| if nimber == 0 { Outcome::Loss } else { Outcome::Win }),
        }
    }

    /// How the values are found, in a few words.
    pub fn method(&self) -> &'static str {
        match self {
            HeapSequence::Shift(nimbers) => nimbers.method(),
            HeapSequence::Break(sequence) => sequence.method(),
            HeapSequence::Misere(..) => "one bit a heap",
        }
    }
}

fn stuck(error: SubtractionError) -> Stuck {
    match error {
        SubtractionError::TooLarge { limit, .. } => Stuck::TooLong { heaps: limit },
        other => Stuck::Because(other.to_string()),
    }
}
