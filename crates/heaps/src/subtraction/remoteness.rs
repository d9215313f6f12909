//! How long the game lasts when winners hurry and losers linger.
//!
//! A won heap has remoteness 1 + the least of its lost options, a lost heap 1 + the largest of its won options, a heap
//! without a move 0. Both are one maximum, if a won heap of remoteness r is written as r and a lost one as B − r for a
//! large B: the mover picks the largest number he can, whoever wins. Then many heaps are valued at a time.
//!
//! # Periods
//!
//! Let M be the largest number taken, and let no guard matter from heap k on. If the M heaps before k + p have the
//! outcomes of the M heaps before k, and their remoteness is larger by the same q, then so it is for all later heaps:
//! heap n + p has the options of heap n with the same outcomes, and a least or a largest number of which each is q more
//! is itself q more. Outcomes show in the parity of the remoteness, so an even q says that they agree.
//!
//! Where a move has no bound, all heaps from some T on are won, the lost ones are finitely many, and a heap beyond
//! T + the numbers that matter has the same lost options for this move and none for others: the remoteness is constant.

use game::Outcome;

use super::game::{Subtraction, SubtractionError, Takes};
use super::trail::{Shape, Trail};
use super::{Outcomes, THEOREM, THEOREM_UNBOUNDED};
use crate::{Period, Proof};
use std::collections::VecDeque;

/// B, above.
const LARGE: i32 = 1 << 30;
/// Lost heaps are stored as more than this, won ones as less.
const HALF: i32 = LARGE / 2;
/// Stands for a missing move.
const NONE: i32 = -1;
/// How many heaps are valued at a time.
const BLOCK: usize = 64;
/// How many heaps can be valued: no remoteness reaches `HALF`.
const MOST: u64 = 1 << 29;

/// The remoteness of heaps 0, 1, 2, … of a subtraction game, under normal or misère play.
///
/// ```
/// use heaps::subtraction::{Remotenesses, Subtraction, Takes};
/// let game = Subtraction::new(vec![Takes::range(1, 3)], false)?;
/// let mut lengths = Remotenesses::new(&game);
/// lengths.extend(1000)?;
/// assert_eq!(lengths.remoteness(4_000_000_000_003), Some(2_000_000_000_001));
/// # Ok::<(), heaps::subtraction::SubtractionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Remotenesses {
    game: Subtraction,
    /// After `BLOCK` entries for "no move", the numbers of heaps 0, 1, 2, …
    worths: Vec<i32>,
    /// Unconditional single numbers of at least `BLOCK`, ascending.
    far: Vec<u64>,
    /// Other single numbers, with their conditions.
    single: Vec<Takes>,
    ranges: Vec<Range>,
    trail: Option<Trail>,
    /// For unbounded moves: the outcomes, which show when the remoteness is constant.
    settled: Option<Box<Outcomes>>,
    period: Option<Period>,
    vectors: bool,
}

/// A range of options, with the candidates for its maximum: each is larger than all after it.
#[derive(Clone, Debug)]
struct Range {
    take: Takes,
    end: u64,
    best: VecDeque<(u64, i32)>,
}

impl Remotenesses {
    /// No heaps yet.
    pub fn new(game: &Subtraction) -> Remotenesses {
        let (single, ranges): (Vec<Takes>, Vec<Takes>) =
            game.takes().iter().flat_map(|take| pieces(*take)).partition(|take| take.most == Some(take.least));
        let (far, single): (Vec<Takes>, Vec<Takes>) =
            single.into_iter().partition(|take| take.is_plain() && take.least >= BLOCK as u64);
        let mut far: Vec<u64> = far.into_iter().map(|take| take.least).collect();
        far.sort_unstable();
        let reach = game.reach().max(1);
        let unbounded = game.is_unbounded();
        Remotenesses {
            game: game.clone(),
            worths: vec![NONE; BLOCK],
            far,
            single,
            ranges: ranges.into_iter().map(|take| Range { take, end: 0, best: VecDeque::new() }).collect(),
            trail: (!unbounded).then(|| Trail::new(reach, game.pure_from().saturating_sub(reach))),
            settled: unbounded.then(|| Box::new(Outcomes::new(game))),
            period: None,
            vectors: has_vectors(),
        }
    }

    /// Values at least all heaps below `upto`, or fewer if a period is proved before. Each heap takes four bytes.
    pub fn extend(&mut self, upto: u64) -> Result<(), SubtractionError> {
        if upto > MOST {
            return Err(SubtractionError::TooLarge { number: upto, limit: MOST });
        }
        while self.len() < upto && self.period.is_none() {
            let blocks = (self.len() / 256).clamp(1, 1 << 10) as usize;
            let bytes = 4 * (self.worths.len() + blocks * BLOCK) as u64;
            self.worths.try_reserve(blocks * BLOCK).map_err(|_| SubtractionError::Memory { bytes })?;
            for _ in 0..blocks {
                self.block();
            }
            self.look()?;
        }
        Ok(())
    }

    fn block(&mut self) {
        let start = self.len();
        let mut best = [NONE; BLOCK];
        let active = self.far.partition_point(|&number| number < start + BLOCK as u64);
        gather(&mut best, &self.worths, &self.far[..active], self.vectors);
        let first = self.game.first();
        for (i, best) in best.into_iter().enumerate() {
            let n = start + i as u64;
            let mut best = best;
            for take in &self.single {
                if let Some((low, _)) = take.options(n) {
                    best = best.max(self.worths[low as usize + BLOCK]);
                }
            }
            for range in &mut self.ranges {
                best = best.max(range.best(n, &self.worths[BLOCK..]));
            }
            let worth = match best {
                NONE if n < first && self.game.is_misere() => 0,
                best if best > HALF => LARGE + 1 - best,
                best => LARGE - 1 - best,
            };
            self.worths.push(worth);
        }
    }

    fn look(&mut self) -> Result<(), SubtractionError> {
        let len = self.len();
        if let Some(mut trail) = self.trail.take() {
            self.period = trail.advance(self, len);
            self.trail = Some(trail);
        } else if let Some(outcomes) = &mut self.settled {
            outcomes.extend(len)?;
            let won_from = outcomes.period().map(|period| period.start);
            // Beyond that, an unbounded move reaches all lost heaps and a bounded one reaches none.
            let least = self.game.takes().iter().filter(|take| take.most.is_none()).map(|take| take.least).max();
            let margin = self.game.reach().max(least.unwrap_or(0));
            let from = won_from.map(|from| from.saturating_add(margin).max(self.game.pure_from()));
            if let Some(mut start) = from.filter(|&from| from < len) {
                let constant = self.value(start);
                while start > 0 && self.value(start - 1) == constant {
                    start -= 1;
                }
                self.period = Some(Period { start, length: 1, saltus: 0 });
            }
        }
        Ok(())
    }

    /// How many heaps were computed one by one.
    pub fn len(&self) -> u64 {
        (self.worths.len() - BLOCK) as u64
    }

    /// Whether no heap was computed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        4 * self.worths.capacity() as u64
    }

    /// The period, if one is proved; its saltus is the remoteness that each period adds.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// The proof of the period.
    pub fn proof(&self) -> Option<Proof> {
        let theorem = if self.game.is_unbounded() { THEOREM_UNBOUNDED } else { THEOREM };
        self.period.map(|_| Proof::Theorem(theorem))
    }

    /// The remoteness of heap `n`; `None` if it is not known.
    pub fn remoteness(&self, n: u64) -> Option<u64> {
        let (n, saltus) = if n < self.len() { (n, Some(0)) } else { self.period?.reduce(n) };
        (self.value(n) as u64).checked_add(saltus?)
    }

    /// The outcome of heap `n`; `None` if it is not known.
    pub fn outcome(&self, n: u64) -> Option<Outcome> {
        let odd = self.remoteness(n)? % 2 == 1;
        Some(if odd != self.game.is_misere() { Outcome::Win } else { Outcome::Loss })
    }

    /// The moves from heap `n` that win soonest, or that lose latest; `None` if they are not known.
    ///
    /// At most `work` options of ranges are examined; `None` beyond that.
    pub fn best_moves(&self, n: u64, work: u64) -> Option<Vec<u64>> {
        let wanted = self.remoteness(n)?;
        let mut moves = Vec::new();
        let mut left = work;
        for (low, high) in self.game.takes().iter().filter_map(|take| take.options(n)) {
            left = left.checked_sub(high - low + 1)?;
            for option in low..=high {
                if self.remoteness(option)? + 1 == wanted {
                    moves.push(n - option);
                }
            }
        }
        moves.sort_unstable();
        moves.dedup();
        Some(moves)
    }
}

/// Short ranges as single numbers.
fn pieces(take: Takes) -> Vec<Takes> {
    match take.most {
        Some(most) if most - take.least < 8 => {
            (take.least..=most).map(|number| Takes { least: number, most: Some(number), ..take }).collect()
        }
        _ => vec![take],
    }
}

impl Range {
    /// The largest number among the options of heap `n`. Heaps must be asked for in order.
    fn best(&mut self, n: u64, worths: &[i32]) -> i32 {
        let Some((low, high)) = self.take.options(n) else { return NONE };
        self.end = self.end.max(low);
        while self.end <= high {
            let worth = worths[self.end as usize];
            while self.best.back().is_some_and(|&(_, other)| other <= worth) {
                self.best.pop_back();
            }
            self.best.push_back((self.end, worth));
            self.end += 1;
        }
        while self.best.front().is_some_and(|&(heap, _)| heap < low) {
            self.best.pop_front();
        }
        self.best.front().map_or(NONE, |&(_, worth)| worth)
    }
}

impl Shape for Remotenesses {
    fn value(&self, n: u64) -> i64 {
        let worth = self.worths[n as usize + BLOCK];
        i64::from(if worth > HALF { LARGE - worth } else { worth })
    }

    fn anchor(&self, end: u64) -> i64 {
        self.value(end - 1)
    }

    fn allows(&self, saltus: i64) -> bool {
        saltus >= 0 && saltus % 2 == 0
    }
}

fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// The largest number that the block at the end of `worths` reaches by taking `numbers`.
fn gather(best: &mut [i32; BLOCK], worths: &[i32], numbers: &[u64], vectors: bool) {
    #[cfg(target_arch = "x86_64")]
    if vectors {
        // SAFETY: `has_vectors` found AVX2. The function itself is safe code.
        #[allow(unsafe_code)]
        unsafe {
            gather_avx2(best, worths, numbers);
        }
        return;
    }
    let _ = vectors;
    gather_plain(best, worths, numbers);
}

/// [`gather_plain`], compiled for wider registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn gather_avx2(best: &mut [i32; BLOCK], worths: &[i32], numbers: &[u64]) {
    gather_plain(best, worths, numbers);
}

#[inline(always)]
fn gather_plain(best: &mut [i32; BLOCK], worths: &[i32], numbers: &[u64]) {
    for &number in numbers {
        let from = worths.len() - number as usize;
        let options = worths[from..].first_chunk::<BLOCK>().expect("far numbers are at least a block");
        for (best, &option) in best.iter_mut().zip(options) {
            *best = (*best).max(option);
        }
    }
}
