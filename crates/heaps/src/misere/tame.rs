//! Games whose heaps are all tame: sums of them are played like misère Nim.
//!
//! The theorem on tame games (in `genus.rs`) decides sums of them by their types. So if every heap of a game is tame,
//! nothing has to be learned: the type of a heap follows from the types of its options, heap by heap, however many
//! values there are. This is far quicker than a [quotient](super::Quotient), and works even if that is infinite. The
//! first heap that is not tame ends it.
//!
//! **Periods.** Let all heaps be [uniform](super::Uniform), so that a move takes at most `k` tokens and leaves at most
//! `j` heaps; let the heaps up to `N` be tame, the type of `n + p` be that of `n` for all `n ≥ s` with `n + p ≤ N`, `s
//! ≥ 1`, and `N ≥ j·(s + p) + k − 1`. Then all heaps are tame, and the types repeat for ever. *Proof* as for quotients:
//! if `n > N` and all heaps below `n` are as claimed, then the options of `n` and those of `n − p` have the same types;
//! all of them are tame, and then the set of its options' types determines the type of a heap. ∎

use super::genus::{Nature, Tame};
use super::rules::{self, HeapRules};
use super::watch::Watch;
use super::{Error, Limits, Resource};
use crate::{Period, Proof};

/// The theorem behind [`TameHeaps::proof`].
const THEOREM: &str = "periodicity of tame heaps";

/// The types of the heaps of a game, as long as they are tame.
///
/// ```
/// use heaps::misere::{Limits, Tame, TameHeaps};
///
/// // Take any number, or break a heap in two (Lasker's Nim).
/// let lasker = |n: u32| {
///     let takes = (0..n).map(|rest| vec![rest]);
///     takes.chain((1..n).map(|part| vec![part, n - part])).collect::<Vec<_>>()
/// };
/// let mut heaps = TameHeaps::new(lasker, Limits::default());
/// heaps.extend(12).unwrap();
/// assert_eq!(heaps.tame(1), Some(Tame::Fickle(1)));
/// assert_eq!(heaps.tame(12), Some(Tame::Firm(11)));
/// ```
#[derive(Clone, Debug)]
pub struct TameHeaps<R> {
    rules: R,
    limits: Limits,
    types: Vec<Tame>,
    /// How many options were listed.
    listed: usize,
    period: Option<Period>,
}

impl<R: HeapRules> TameHeaps<R> {
    /// Only the empty heap.
    pub fn new(rules: R, limits: Limits) -> TameHeaps<R> {
        TameHeaps { rules, limits, types: vec![Tame::Fickle(0)], listed: 0, period: None }
    }

    /// Finds the types of all heaps up to `up_to`, or fewer if a period is proved before.
    ///
    /// [`Error::NotTame`] names the first heap without a type; the smaller ones stay known.
    pub fn extend(&mut self, up_to: u32) -> Result<(), Error> {
        self.extend_while(up_to, &mut |_| true)
    }

    /// Like [`TameHeaps::extend`], as long as `go_on` returns true. It is called before every heap.
    pub fn extend_while(&mut self, up_to: u32, go_on: &mut dyn FnMut(u64) -> bool) -> Result<(), Error> {
        let watch = Watch::new(go_on);
        while self.period.is_none() && self.largest() < up_to {
            watch.check()?;
            let heap = self.largest() + 1;
            let options = rules::tidy(&self.rules, heap)?;
            self.listed += options.len();
            if self.listed > self.limits.options {
                return Err(Error::Limit { what: Resource::Options, limit: self.limits.options });
            }
            let natures: Vec<Nature> = options.iter().map(|parts| Nature::Tame(self.of_parts(parts))).collect();
            let Nature::Tame(own) = Nature::of(&natures, |_, _| false) else { return Err(Error::NotTame { heap }) };
            self.types.push(own);
            self.period = rules::period(&self.types, self.rules.uniform());
        }
        Ok(())
    }

    fn of_parts(&self, parts: &[u32]) -> Tame {
        parts.iter().fold(Tame::Fickle(0), |total, &part| total.plus(self.types[part as usize]))
    }

    /// The largest heap whose type was computed directly.
    pub fn largest(&self) -> u32 {
        self.types.len() as u32 - 1
    }

    /// The proved period of the types.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// Whether the types are proved for heaps of every size, or only up to [`TameHeaps::largest`].
    pub fn proof(&self) -> Proof {
        if self.period.is_some() { Proof::Theorem(THEOREM) } else { Proof::Observed }
    }

    /// The type of a heap; `None` if it is not known.
    pub fn tame(&self, heap: u64) -> Option<Tame> {
        let heap = self.period.map_or(heap, |period| period.reduce(heap).0);
        self.types.get(usize::try_from(heap).ok()?).copied()
    }
}
