//! Misère quotients.
//!
//! Call two sums of heaps alike if no sum of heaps, added to both, makes one lost and the other won. The classes of
//! alike sums form a commutative monoid `Q`; the lost ones form its subset `P`. With `Q`, `P` and the classes of single
//! heaps, the outcome of any sum is one product. This is the *misère quotient* (Plambeck 2005, Plambeck and Siegel
//! 2008). It takes the place of nim-values in normal play, but it may be infinite.
//!
//! The quotient is built heap by heap. A new heap is first tried as each element of the quotient so far. If none
//! verifies (`transition.rs` has the theorem), the classes are learned anew (`learn.rs`, `believed.rs`). A returned
//! quotient is always verified, and some sum distinguishes any two of its elements: it is *the* quotient of the game
//! cut at that heap.
//!
//! **Periods.** Let all heaps be [uniform](super::Uniform): a move takes at most `k` tokens and leaves at most `j` heaps. Let the
//! quotient be verified for heaps up to `N`, let `Φ(n + p) = Φ(n)` for all `n ≥ s` with `n + p ≤ N`, `s ≥ 1`, and
//! `N ≥ j·(s + p) + k − 1`. Then the quotient is that of the whole game, with `Φ` continued by the period.
//! *Proof.* Let `n > N`, and let all heaps below `n` be continued. An option of `n` has a largest part of at least
//! `(n − k)/j ≥ s + p`; lessen it by `p` to get an option of `n − p` of the same element. An option of `n − p` has a largest
//! part of at least `(n − p − k)/j`. If `j = 1` that is at least `s`; if `j ≥ 2` it is at least `s + p − p/j ≥ s`; add `p` to it to get an option of `n`
//! with the same element. (Both heaps are above `k`, so their options have one shape.) So the options of `n` and of `n − p` have the same
//! elements, and so have the heaps, hence the same transition: verification has nothing new to check. ∎

mod believed;
mod learn;
mod monoid;
mod presentation;
mod relation;
mod task;
mod transition;

pub use monoid::Element;
pub use presentation::Presentation;

use self::monoid::Monoid;

use self::task::Task;
use self::transition::{Failure, HeapTransition, Transitions};
use super::rules::{self, HeapMove, HeapRules, HeapTable};
use super::watch::Watch;
use super::{Error, Limits};
use crate::{Period, Proof};

/// The theorem behind [`Quotient::proof`].
const THEOREM: &str = "misère quotient periodicity (Plambeck–Siegel)";

/// The misère quotient of a heap game cut at some heap. It can be extended to larger heaps.
///
/// ```
/// use heaps::misere::{Limits, Quotient};
///
/// // Take one or two tokens.
/// let rules = |n: u32| (1..=n.min(2)).map(|t| vec![n - t]).collect::<Vec<_>>();
/// let quotient = Quotient::of(rules, 10, Limits::default()).unwrap();
/// assert_eq!(quotient.order(), 6);
/// assert_eq!(quotient.presentation().to_string(), "⟨a, b | a² = 1, b³ = b⟩, P = {a, b²}");
/// assert_eq!(quotient.is_loss(&[4, 2, 2]), Some(false));
/// ```
#[derive(Clone, Debug)]
pub struct Quotient<R> {
    limits: Limits,
    table: HeapTable<R>,
    monoid: Monoid,
    /// The elements of the heaps 0, 1, …
    elements: Vec<u32>,
    transitions: Transitions,
    period: Option<Period>,
}

impl<R: HeapRules> Quotient<R> {
    /// The quotient of the empty sum.
    pub fn new(rules: R, limits: Limits) -> Quotient<R> {
        Quotient {
            limits,
            table: HeapTable::new(rules, limits),
            monoid: Monoid::trivial(),
            elements: vec![0],
            transitions: Transitions::new(1, limits.transitions),
            period: None,
        }
    }

    /// The quotient of the game cut after the heap `up_to`.
    pub fn of(rules: R, up_to: u32, limits: Limits) -> Result<Quotient<R>, Error> {
        let mut quotient = Quotient::new(rules, limits);
        quotient.extend(up_to)?;
        Ok(quotient)
    }

    /// Adds all heaps up to `up_to`, one by one, and looks for a period after each. It stops early when a period is
    /// proved: then all heaps are known. If a limit stops it, the quotient covers the heaps added so far.
    pub fn extend(&mut self, up_to: u32) -> Result<(), Error> {
        self.extend_while(up_to, &mut |_| true)
    }

    /// Like [`Quotient::extend`], as long as `go_on` returns true; it is called often, also while one heap is added, with the
    /// bytes that all tables hold by then. If it returns false, the result is [`Error::Stopped`], and the quotient covers the heaps added so far. It can be
    /// extended later.
    ///
    /// ```
    /// use heaps::misere::{Error, Limits, Quotient};
    ///
    /// let rules = |n: u32| (1..=n.min(2)).map(|t| vec![n - t]).collect::<Vec<_>>();
    /// let mut quotient = Quotient::new(rules, Limits::default());
    /// let mut patience = 5;
    /// let stopped = quotient.extend_while(10, &mut |_| { patience -= 1; patience > 0 });
    /// assert_eq!(stopped, Err(Error::Stopped));
    /// quotient.extend(10).unwrap();
    /// assert_eq!(quotient.order(), 6);
    /// ```
    pub fn extend_while(&mut self, up_to: u32, go_on: &mut dyn FnMut(u64) -> bool) -> Result<(), Error> {
        let watch = Watch::new(go_on);
        while self.period.is_none() && self.largest() < up_to {
            watch.hold(self.bytes());
            self.add_heap(&watch)?;
            self.period = rules::period(&self.elements, self.table.rules.uniform());
        }
        Ok(())
    }

    /// What it takes in memory, about.
    pub fn bytes(&self) -> u64 {
        self.table.bytes() + self.transitions.bytes() + self.monoid.bytes() + 8 * self.elements.len() as u64
    }

    /// The largest heap added.
    pub fn largest(&self) -> u32 {
        self.elements.len() as u32 - 1
    }

    /// The number of elements.
    pub fn order(&self) -> usize {
        self.monoid.order()
    }

    /// All elements, the class of the empty sum first.
    pub fn all(&self) -> impl Iterator<Item = Element> + use<R> {
        (0..self.order() as u32).map(Element)
    }

    /// The number of elements whose sums are lost by the player to move.
    pub fn p_types(&self) -> usize {
        self.monoid.loss.iter().filter(|&&loss| loss).count()
    }

    /// The number of minimal transitions in the proof.
    pub fn transitions(&self) -> usize {
        self.transitions.count()
    }

    /// The proved period of the map of heaps.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// Whether the quotient is proved for heaps of every size, or only up to [`Quotient::largest`].
    pub fn proof(&self) -> Proof {
        if self.period.is_some() { Proof::Theorem(THEOREM) } else { Proof::Observed }
    }

    /// The element of a heap; `None` if it is not known.
    pub fn element(&self, heap: u64) -> Option<Element> {
        let heap = match self.period {
            Some(period) => period.reduce(heap).0,
            None => heap,
        };
        let element = self.elements.get(usize::try_from(heap).ok()?)?;
        Some(Element(*element))
    }

    /// The element of a sum of heaps.
    pub fn element_of_sum(&self, heaps: &[u64]) -> Option<Element> {
        heaps.iter().try_fold(Element::ONE, |total, &heap| Some(self.product(total, self.element(heap)?)))
    }

    /// The product of two elements.
    pub fn product(&self, a: Element, b: Element) -> Element {
        Element(self.monoid.product(a.0, b.0))
    }

    /// Whether sums of this class are lost by the player to move.
    pub fn is_p_type(&self, element: Element) -> bool {
        self.monoid.loss[element.index()]
    }

    /// Whether the player to move loses the sum of these heaps; `None` if a heap is not known.
    pub fn is_loss(&self, heaps: &[u64]) -> Option<bool> {
        Some(self.is_p_type(self.element_of_sum(heaps)?))
    }

    /// The outcome of the sum of these heaps; `None` if a heap is not known.
    pub fn outcome(&self, heaps: &[u64]) -> Option<game::Outcome> {
        Some(if self.is_loss(heaps)? { game::Outcome::Loss } else { game::Outcome::Win })
    }

    /// Winning moves in the sum, at most `most`. Equal heaps have equal moves, listed once, at the first of them.
    /// `None` if a heap is not known.
    ///
    /// The rules list the options of every heap, so heaps must be small enough for that.
    pub fn winning_moves(&self, heaps: &[u64], most: usize) -> Result<Option<Vec<HeapMove>>, Error> {
        if self.element_of_sum(heaps).is_none() {
            return Ok(None);
        }
        let mut moves = Vec::new();
        for (place, &heap) in heaps.iter().enumerate() {
            if heaps[..place].contains(&heap) {
                continue;
            }
            let Ok(small) = u32::try_from(heap) else { return Err(Error::TooLarge { heap }) };
            let others = [&heaps[..place], &heaps[place + 1..]].concat();
            let Some(rest) = self.element_of_sum(&others) else { return Ok(None) };
            for option in rules::tidy(&self.table.rules, small)? {
                let parts: Vec<u64> = option.iter().map(|&part| u64::from(part)).collect();
                let Some(after) = self.element_of_sum(&parts) else { return Ok(None) };
                if self.is_p_type(self.product(rest, after)) {
                    if moves.len() >= most {
                        return Ok(Some(moves));
                    }
                    moves.push(HeapMove { place, parts: option });
                }
            }
        }
        Ok(Some(moves))
    }

    /// Generators, relations and lost elements.
    pub fn presentation(&self) -> Presentation {
        Presentation::new(&self.monoid)
    }

    /// The least sum of generating heaps in the class of an element, largest heap first.
    pub fn normal_form(&self, element: Element) -> &[u32] {
        &self.monoid.normal[element.index()]
    }

    fn add_heap(&mut self, watch: &Watch<'_>) -> Result<(), Error> {
        let heap = self.largest() + 1;
        self.table.extend(heap, watch)?;
        if self.table.options(heap).is_empty() {
            self.elements.push(0);
            return Ok(());
        }
        if self.add_as_known(heap, watch)? {
            return Ok(());
        }
        let (table, monoid, elements) = (&self.table, &self.monoid, &self.elements);
        let found = Task { table, limits: self.limits, monoid, elements, heap, watch }.run()?;
        self.monoid = found.monoid;
        self.elements = found.elements;
        self.transitions = found.transitions;
        Ok(())
    }

    /// Tries the new heap as each element of the quotient. At most one can verify, since sums distinguish the elements.
    fn add_as_known(&mut self, heap: u32, watch: &Watch<'_>) -> Result<bool, Error> {
        let held = watch.bytes();
        let options = options_in(&self.table, &self.monoid, &self.elements, heap);
        let mut transition = HeapTransition::new(&self.monoid, heap, 0, &options);
        for element in 0..self.order() as u32 {
            watch.check()?;
            transition.element = element;
            if !self.transitions.admits(&self.monoid, &transition) {
                continue;
            }
            watch.hold(held);
            watch.charge(self.transitions.bytes())?;
            let mut transitions = self.transitions.clone();
            match transitions.add(&self.monoid, transition.clone(), watch) {
                Ok(()) => {
                    self.transitions = transitions;
                    self.elements.push(element);
                    return Ok(true);
                }
                Err(Failure::Limit(Error::Stopped)) => return Err(Error::Stopped),
                Err(_) => {}
            }
        }
        watch.hold(held);
        Ok(false)
    }
}

/// The elements of a heap's options, without repeats.
fn options_in<R: HeapRules>(table: &HeapTable<R>, monoid: &Monoid, elements: &[u32], heap: u32) -> Vec<u32> {
    let product = |total, &part: &u32| monoid.product(total, elements[part as usize]);
    let mut options: Vec<u32> = table.options(heap).iter().map(|parts| parts.iter().fold(0, product)).collect();
    options.sort_unstable();
    options.dedup();
    options
}
