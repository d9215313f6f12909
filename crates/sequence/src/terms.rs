//! A sequence that grows.

use std::time::{Duration, Instant};

use engine::memory::Lease;
use engine::monitor::Monitor;
use heaps::take_break::sequence::MOST_TERMS as MOST_BROKEN;
use heaps::{HeapSequence, Stuck};

use super::error::SequenceError;
use super::instances::Unvalued;
use super::source::Source;
use super::term::Term;
use solve::error::{Limit, SolveError};
use solve::stopping::{scope, stopped};

/// No range has more terms.
pub const MOST_TERMS: u64 = 1 << 31;
/// A piece of work takes about so long: stopping and progress are seen to between pieces.
const PIECE: Duration = Duration::from_millis(50);
/// The first piece, in heaps.
const FIRST_PIECE: u64 = 1024;
/// Once a period is proved so many heaps are still written out, for what is counted over them; all others are computed
/// when they are asked for.
const WRITTEN: u64 = 1 << 24;
/// So many heaps are computed even if fewer are asked for, where that is a matter of milliseconds: a period shows only well
/// behind its start.
const LOOK_AHEAD: u64 = 4096;
/// With more digits that split than these, it is fewer in proportion.
const FEW_SPLITS: u64 = 8;
/// How far games look ahead that break a heap in three, and all games at the least.
const LOOK_AHEAD_THREE: u64 = 512;

/// The values of a game as a parameter runs through `from..to`.
#[derive(Debug)]
pub struct Sequence {
    from: i64,
    to: i64,
    pub(super) source: Source,
    /// Up to which parameter the source is known to be the game; `None` if it is for all.
    upto: Option<i64>,
    piece: u64,
    lease: Option<Lease>,
    /// Set where a period is proved and there is no memory to write out more heaps.
    full: bool,
}

impl Sequence {
    /// The terms `from..to` of a source; none is computed yet.
    pub fn new(source: Source, from: i64, to: i64) -> Result<Sequence, SequenceError> {
        if from < 0 && !matches!(source, Source::Instances(_)) {
            return Err(SequenceError::Negative { from });
        }
        Ok(Sequence { from, to: to.max(from), source, upto: None, piece: FIRST_PIECE, lease: None, full: false })
    }

    /// The sequence of a source that is known to be the game up to this parameter only.
    pub fn known_upto(self, upto: Option<i64>) -> Sequence {
        Sequence { upto, ..self }
    }

    /// Up to which parameter a theorem about the sequence holds; `None` if it holds for every number that a parameter can be.
    pub fn upto(&self) -> Option<i64> {
        self.upto
    }

    /// The parameter of the first term.
    pub fn from(&self) -> i64 {
        self.from
    }

    /// The parameter behind the last term.
    pub fn to(&self) -> i64 {
        self.to
    }

    /// Where the values come from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// How many terms the range has.
    pub fn total(&self) -> u64 {
        self.to.abs_diff(self.from)
    }

    /// How many of them are known, from the first on.
    pub fn known(&self) -> u64 {
        let heaps = |heaps: u64| heaps.min(self.to.unsigned_abs()).saturating_sub(self.from.unsigned_abs());
        match &self.source {
            Source::Heaps(sequence) if sequence.is_proved() => self.total(),
            Source::Heaps(sequence) => heaps(sequence.len()),
            Source::Instances(instances) => (instances.terms.len() as u64).min(self.total()),
        }
    }

    /// How many heaps are to be computed, if no period is proved before.
    fn heaps(&self) -> u64 {
        let to = self.to.unsigned_abs();
        match &self.source {
            Source::Heaps(HeapSequence::Break(sequence)) => {
                let game = sequence.game();
                let in_three = game.digits().iter().chain(game.repeat()).any(|digit| digit.bits() >= 8);
                let splits = game.digits().iter().filter(|digit| digit.leaves(2)).count() as u64;
                let ahead = (LOOK_AHEAD * FEW_SPLITS / splits.max(FEW_SPLITS)).max(LOOK_AHEAD_THREE);
                to.max(if in_three { LOOK_AHEAD_THREE } else { ahead })
            }
            Source::Heaps(_) => to.max(LOOK_AHEAD),
            Source::Instances(_) => 0,
        }
    }

    /// How much is computed, and how much there is to compute: a heap needs all smaller ones, so that this may be more than
    /// the terms.
    pub fn progress(&self) -> (u64, u64) {
        let all = self.heaps();
        match &self.source {
            Source::Instances(instances) => (instances.terms.len() as u64, self.total()),
            _ if self.is_done() => (all, all),
            Source::Heaps(sequence) => (sequence.len(), all),
        }
    }

    /// Does a bounded piece of the work; whether all is done.
    ///
    /// After an error the terms that are known stay known.
    pub fn extend(&mut self, monitor: &mut Monitor) -> Result<bool, SequenceError> {
        let scope = scope(monitor);
        match (self.work(monitor), stopped(&scope)) {
            // An instance is not refused because there was no time to bind it.
            (Err(SequenceError::Refused { at, .. } | SequenceError::NoValue { at }), Some(error)) => {
                Err(SequenceError::Solve { at, error })
            }
            (done, _) => done,
        }
    }

    fn work(&mut self, monitor: &mut Monitor) -> Result<bool, SequenceError> {
        let started = Instant::now();
        let at = self.from.saturating_add_unsigned(self.known());
        let stopped = |error: engine::Error| SequenceError::Solve { at, error: error.into() };
        let (done, _) = self.progress();
        monitor.look(done, done).map_err(stopped)?;
        let (to, known, piece) = (self.heaps(), self.known(), self.piece);
        let bytes = match &mut self.source {
            Source::Heaps(sequence) => {
                let mut upto = sequence.len().saturating_add(piece).min(to);
                if let HeapSequence::Break(_) = sequence {
                    let most = MOST_BROKEN as u64;
                    upto = upto.min(if sequence.is_proved() { WRITTEN } else { most });
                    if sequence.len() == most && to > most && !sequence.is_proved() {
                        return Err(SequenceError::TooLong { heaps: most });
                    }
                }
                sequence.extend(upto).map_err(|stuck| too_much(&stuck, at, monitor))?;
                sequence.bytes()
            }
            Source::Instances(instances) => {
                let mut next = self.from.saturating_add_unsigned(known);
                while next < self.to && started.elapsed() < PIECE {
                    next = instances.extend(next, self.to, monitor)?;
                }
                instances.bytes + (instances.terms.capacity() * size_of::<Term>()) as u64
            }
        };
        let lease = self.lease.get_or_insert_with(|| monitor.memory().lease());
        let held = lease.resize(bytes);
        if held.is_err() && matches!(&self.source, Source::Heaps(sequence) if sequence.is_proved()) {
            // All values are known by the period; heaps are only written out to be counted.
            self.full = true;
            return Ok(true);
        }
        held.map_err(stopped)?;
        let taken = started.elapsed();
        if taken < PIECE / 2 {
            self.piece = self.piece.saturating_mul(2).min(MOST_TERMS);
        } else if taken > PIECE * 2 {
            self.piece = (self.piece / 2).max(16);
        }
        Ok(self.is_done())
    }

    /// Whether every term is known and nothing is left to write out.
    pub fn is_done(&self) -> bool {
        match &self.source {
            Source::Heaps(sequence @ HeapSequence::Break(_)) => {
                let wanted = if sequence.is_proved() { self.to.unsigned_abs().min(WRITTEN) } else { self.heaps() };
                self.full || sequence.len() >= wanted
            }
            Source::Heaps(sequence) => sequence.is_proved() || sequence.len() >= self.heaps(),
            Source::Instances(_) => self.known() == self.total(),
        }
    }

    /// The term with this index in the range, if it is known.
    pub fn term(&self, index: u64) -> Option<Term> {
        if index >= self.known() {
            return None;
        }
        match &self.source {
            Source::Heaps(sequence) => {
                let heap = self.from.unsigned_abs().checked_add(index)?;
                sequence.nimber(heap).map(Term::nimber).or_else(|| sequence.outcome(heap).map(Term::outcome))
            }
            Source::Instances(instances) => instances.terms.get(usize::try_from(index).ok()?).cloned(),
        }
    }

    /// Looks at the clock and at Ctrl-C on the way through terms that are known, before this one.
    pub fn look(&self, index: u64, monitor: &mut Monitor) -> Result<(), SequenceError> {
        let at = self.parameter(index);
        monitor.look(index, index).map_err(|error| SequenceError::Solve { at, error: error.into() })
    }

    /// The parameter of the term with this index.
    pub fn parameter(&self, index: u64) -> i64 {
        self.from.saturating_add_unsigned(index)
    }

    /// The known terms in order.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        (0..self.known()).filter_map(|index| self.term(index))
    }

    /// The method at work, in a few words.
    pub fn method(&self) -> String {
        match &self.source {
            Source::Heaps(sequence) => sequence.method().to_string(),
            Source::Instances(instances) => {
                instances.latest.as_ref().map_or("each instance by itself".to_string(), |(method, _)| method.clone())
            }
        }
    }

    /// The terms without a canonical form where one could be expected.
    pub fn unvalued(&self) -> Option<&Unvalued> {
        match &self.source {
            Source::Heaps(_) => None,
            Source::Instances(instances) => instances.unvalued(),
        }
    }

    /// How far the values are backed.
    pub fn proof(&self) -> String {
        match &self.source {
            Source::Heaps(HeapSequence::Misere(..)) => "table".to_string(),
            Source::Heaps(_) => "theorem: Sprague-Grundy".to_string(),
            Source::Instances(instances) => {
                instances.latest.as_ref().map_or("table".to_string(), |(_, proof)| proof.clone())
            }
        }
    }
}

/// Heaps that go no further.
fn too_much(stuck: &Stuck, at: i64, monitor: &Monitor) -> SequenceError {
    if let Stuck::TooLong { heaps } = stuck {
        return SequenceError::TooLong { heaps: *heaps };
    }
    let (limit, needed) = (monitor.memory().limit(), monitor.memory().used());
    SequenceError::Solve { at, error: SolveError::Limit { limit: Limit::Memory { limit, needed }, positions: 0 } }
}
