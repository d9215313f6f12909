//! Who wins: one bit for each heap.

use game::Outcome;

use super::bits::Bits;
use super::closed::Closed;
use super::engine::Engine;
use super::game::{LIMIT, Moves, Subtraction, SubtractionError};
use super::plan::{BLOCK, Plan};
use super::seek::Seeker;
use super::{THEOREM, THEOREM_RANGE, THEOREM_UNBOUNDED, trail};
use crate::{Period, Proof};

/// The most words valued between two searches for a period.
const PIECE: usize = 1 << 12;
/// After this many words a period is no longer expected soon. Memory is then reserved at once, not in growing pieces.
const SETTLED: usize = 1 << 20;

/// The outcomes of heaps 0, 1, 2, … of a subtraction game, under normal or misère play.
///
/// One bit for each heap is stored, until a period is proved; from then on nothing more is needed.
///
/// An unbounded move decides early: let m be the least lost heap that it may leave. Then all heaps from m + its least
/// number on, and from its guard on, are won: the period is 1. There is such a heap m, since bounded moves alone cannot
/// win all heaps of a row longer than the largest of them.
#[derive(Clone, Debug)]
pub struct Outcomes {
    game: Subtraction,
    plan: Plan,
    engine: Engine,
    closed: Option<Closed>,
    seeker: Option<Seeker>,
    period: Option<Period>,
    searching: bool,
}

impl Outcomes {
    /// No heaps yet.
    pub fn new(game: &Subtraction) -> Outcomes {
        let plan = Plan::new(game);
        Outcomes::with(game, Engine::new(&plan), plan)
    }

    /// Continues from the result of [`Outcomes::words`]. Saved words are trusted, except for a few of the first.
    pub fn resume(game: &Subtraction, words: &[u64]) -> Result<Outcomes, SubtractionError> {
        let plan = Plan::new(game);
        let mut fresh = Outcomes::whole(game);
        fresh.extend((words.len() as u64 * 64).min(1024))?;
        if fresh.words().iter().zip(words).any(|(a, b)| a != b) {
            return Err(SubtractionError::Saved);
        }
        let engine = Engine::resume(&plan, words)?;
        let mut outcomes = Outcomes::with(game, engine, plan);
        outcomes.look();
        Ok(outcomes)
    }

    fn with(game: &Subtraction, engine: Engine, plan: Plan) -> Outcomes {
        let closed = Closed::of(game);
        let seeker = (!game.is_unbounded()).then(|| Seeker::new(game.reach(), game.pure_from()));
        let empty = game.takes().is_empty().then_some(Period { start: 0, length: 1, saltus: 0 });
        let period = closed.map(|closed| closed.outcome_period(game.is_misere())).or(empty);
        Outcomes { game: game.clone(), plan, engine, closed, seeker, period, searching: true }
    }

    /// Computes every heap that is asked for and looks for no period, for callers that need the whole table.
    pub fn whole(game: &Subtraction) -> Outcomes {
        Outcomes { closed: None, seeker: None, period: None, searching: false, ..Outcomes::new(game) }
    }

    /// Values at least all heaps below `upto`, or fewer if a period is proved before.
    ///
    /// Work and memory are bounded by `upto`: one bit for each heap, reserved as needed. So ask for what may be held,
    /// or for a piece at a time: without a period, a request for 10^18 heaps goes on until memory is used up.
    pub fn extend(&mut self, upto: u64) -> Result<(), SubtractionError> {
        if upto > LIMIT {
            return Err(SubtractionError::TooLarge { number: upto, limit: LIMIT });
        }
        let end = words_for(upto)?;
        if !self.searching {
            self.engine.lost.reserve(end)?;
        }
        while self.period.is_none() && self.engine.lost.end() < end {
            let have = self.engine.lost.end();
            if have >= SETTLED {
                // No period came early. If the whole row does not fit in memory, it grows as far as it can.
                let _ = self.engine.lost.reserve(end);
            }
            let piece = (have / 8).clamp(BLOCK, PIECE) / BLOCK * BLOCK;
            self.engine.run(&mut self.plan, (have + piece).min(end), None)?;
            self.look();
        }
        Ok(())
    }

    /// Writes the bits of all heaps below `upto`, by the period if one is proved.
    ///
    /// For callers that need the table itself: [`Outcomes::is_lost`] needs only [`Outcomes::extend`].
    ///
    /// ```
    /// use heaps::subtraction::{Outcomes, Subtraction, Takes};
    /// let mut outcomes = Outcomes::new(&Subtraction::new(vec![Takes::range(1, 2)], false)?);
    /// outcomes.fill(1_000_000)?;
    /// assert_eq!(outcomes.words()[3 * 5000], 0x9249_2492_4924_9249);
    /// # Ok::<(), heaps::subtraction::SubtractionError>(())
    /// ```
    pub fn fill(&mut self, upto: u64) -> Result<(), SubtractionError> {
        self.extend(upto)?;
        let end = words_for(upto)?;
        let Some(period) = self.period else { return Ok(()) };
        // A period that a theorem gives may have no heaps computed yet.
        let enough = words_for(period.start.saturating_add(period.length).saturating_add(128)).unwrap_or(end);
        self.engine.run(&mut self.plan, enough.min(end), None)?;
        if self.engine.lost.end() < end {
            self.engine.lost.repeat(&period, end)?;
        }
        Ok(())
    }

    fn look(&mut self) {
        if self.period.is_some() {
            return;
        }
        if let Some(seeker) = &mut self.seeker {
            self.period = seeker.advance(&[&self.engine.lost]);
            return;
        }
        if !self.searching {
            return;
        }
        let len = self.len();
        for take in self.game.takes().iter().filter(|take| take.most.is_none()) {
            if let Some(lost) = next_set(&self.engine.lost, take.floor, len) {
                let won_from = take.guard.max(lost.saturating_add(take.least));
                if won_from <= len {
                    let start = last_set(&self.engine.lost, won_from).map_or(0, |lost| lost + 1);
                    self.period = Some(Period { start, length: 1, saltus: 0 });
                }
            }
        }
    }

    /// How many heaps were computed one by one.
    pub fn len(&self) -> u64 {
        self.engine.lost.end() as u64 * 64
    }

    /// Whether no heap was computed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.engine.lost.bytes()
    }

    /// The period, if one is proved.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// The proof of the period.
    pub fn proof(&self) -> Option<Proof> {
        let theorem = match self.closed {
            Some(_) => THEOREM_RANGE,
            None if self.game.is_unbounded() => THEOREM_UNBOUNDED,
            None => THEOREM,
        };
        self.period.map(|_| Proof::Theorem(theorem))
    }

    /// The bits computed, 1 for lost, heap 0 in the lowest bit of the first word. They can be saved and resumed from.
    pub fn words(&self) -> &[u64] {
        self.engine.lost.words()
    }

    /// Whether heap `n` is lost; `None` if it was not computed and no period is proved.
    pub fn is_lost(&self, n: u64) -> Option<bool> {
        if n < self.len() {
            return Some(self.engine.lost.bit(n));
        }
        if let Some(closed) = self.closed {
            return Some(closed.is_lost(n, self.game.is_misere()));
        }
        if self.game.takes().is_empty() {
            return Some(!self.game.is_misere());
        }
        let (n, _) = self.period?.reduce(n);
        // A period is proved from heaps that were computed.
        Some(self.engine.lost.bit(n))
    }

    /// The outcome of heap `n` for the player to move; `None` if it is not known.
    pub fn outcome(&self, n: u64) -> Option<Outcome> {
        self.is_lost(n).map(|lost| if lost { Outcome::Loss } else { Outcome::Win })
    }

    /// The moves from heap `n` that win, at most `limit` of them; `None` if options are not known.
    pub fn winning_moves(&self, n: u64, limit: usize) -> Option<Moves> {
        self.is_lost(n)?;
        Some(self.game.moves_where(n, limit, |low, high| self.next_lost(low, high)))
    }

    /// The least lost heap of a closed range of known heaps.
    fn next_lost(&self, low: u64, high: u64) -> Option<u64> {
        if let Some(closed) = self.closed {
            return closed.next_lost(low, high, self.game.is_misere());
        }
        let len = self.len();
        let to = high.saturating_add(1);
        if low < len
            && let found @ Some(_) = next_set(&self.engine.lost, low, to.min(len))
        {
            return found;
        }
        if to <= len {
            return None;
        }
        let period = self.period?;
        trail::next_by_period(&period, low.max(len), high, |low, high| next_set(&self.engine.lost, low, high + 1))
    }
}

/// How many words hold this many heaps, in whole blocks.
pub(super) fn words_for(heaps: u64) -> Result<usize, SubtractionError> {
    let words = heaps.div_ceil(64 * BLOCK as u64).saturating_mul(BLOCK as u64);
    usize::try_from(words).map_err(|_| SubtractionError::Memory { bytes: words.saturating_mul(8) })
}

/// The least bit from `from` to before `to` that is set.
fn next_set(bits: &Bits, mut from: u64, to: u64) -> Option<u64> {
    while from < to {
        let word = bits.word((from / 64) as usize) >> (from % 64);
        if word != 0 {
            let found = from + u64::from(word.trailing_zeros());
            return (found < to).then_some(found);
        }
        from = (from / 64 + 1) * 64;
    }
    None
}

/// The largest bit before `to` that is set.
fn last_set(bits: &Bits, to: u64) -> Option<u64> {
    let mut n = to;
    while n > 0 {
        n -= 1;
        let word = bits.word((n / 64) as usize) << (63 - n % 64);
        if word != 0 {
            return Some(n - u64::from(word.leading_zeros()));
        }
        n -= n % 64;
    }
    None
}
