//! Who wins a misère sum of heaps of any size.
//!
//! Every heap gets a *class*, classes are added, and the class of a sum says who wins it. There are three ways to find
//! classes, and the first that works is taken:
//!
//! 1. **Nim-values**, if a move only takes, and what may be taken does not depend on the heap. See below.
//! 2. **Types**, if all heaps are [tame](super::TameHeaps).
//! 3. **Elements** of the [misère quotient](super::Quotient), if it is finite within the limits.
//!
//! The last two list the options of heaps, so they reach large heaps only by a proved period.
//!
//! **Heaps that are only taken from.** Let `S` be any set of numbers, finite or not, with least number `t`; let a move make a
//! heap `n` the heap `n − s` for some `s` in `S`, as long as `f` tokens are left. Write `g` for nim-values in normal play.
//!
//! *Pairs (Ferguson 1974): `g(n) = 1` exactly if the heap `n − t` exists, at least `f`, and `g(n − t) = 0`.* By induction. Let
//! `g(n − t) = 0`. Then `n` has an option of value 0. If it had one of value 1, `n − s`, then `g(n − s − t) = 0` by induction; but that is an
//! option of `n − t`, which has none of value 0. So `g(n) = 1`. Conversely let `g(n) = 1`. Then `n` has options, and `n − t` is one of
//! them. If its value were not 0, it had an option `n − t − s` of value 0, and by induction `g(n − s) = 1`: an option of `n` of value 1,
//! which `n` does not have.
//!
//! *A heap that has options has one of value 0 or 1.* If `g(n) ≠ 0` it has one of value 0. If `g(n) = 0`, then `n − t` has another value and
//! hence an option `n − t − s` of value 0, and `n − s` has value 1.
//!
//! *Every heap is tame, of the type of the nim-heap `g(n)`.* By induction let the options be so. The misère value of `n` is then the mex of the options' values with 0
//! and 1 exchanged. If both are among them, both mexes are the same, at least 2: firm. If only 0 is, they are 1 and 0, and if
//! only 1 is, 0 and 1: fickle. If neither is, `n` has no options: fickle, 0. ∎
//!
//! So the class of such a heap is known as soon as its nim-value is, by any theorem. Nim itself is the case in which
//! `S` has all numbers.

mod moves;

use std::fmt;

use super::genus::Tame;
use super::quotient::{Element, Quotient};
use super::rules::{HeapRules, Uniform};
use super::tame::TameHeaps;
use super::{Error, Limits, Resource};
use crate::subtraction::{Nimbers, Subtraction};
use crate::take_break::TakeAndBreak;
use crate::{Period, Proof};

/// The heap games whose sums have classes.
#[derive(Clone, Debug)]
pub enum Rules {
    /// A move takes from a heap.
    Shift(Subtraction),
    /// A move takes from a heap and may break it up.
    Break(TakeAndBreak),
}

impl HeapRules for Rules {
    fn options(&self, heap: u32) -> Vec<Vec<u32>> {
        match self {
            Rules::Shift(game) => game.options(heap),
            Rules::Break(game) => game.options(heap),
        }
    }

    fn uniform(&self) -> Option<Uniform> {
        match self {
            Rules::Shift(game) => game.uniform(),
            Rules::Break(game) => game.uniform(),
        }
    }
}

/// How a sum of heaps behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Like a Nim position of this type.
    Tame(Tame),
    /// This element of the misère quotient.
    Element(Element),
}

/// Why heaps have no classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoClasses {
    /// What stopped the search.
    pub error: Error,
    /// How many heaps were classified before that.
    pub heaps: u64,
}

impl fmt::Display for NoClasses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for NoClasses {}

/// The classes of the heaps of a game.
///
/// ```
/// use heaps::misere::{Classes, Limits, Rules};
///
/// let kayles = Rules::Break("0.77".parse().unwrap());
/// let huge = 10u64.pow(18);
/// let classes = Classes::find(kayles, huge, Limits::default(), &mut |_| true).unwrap();
/// let sum = classes.sum(&[huge, 5]).unwrap();
/// assert!(!classes.is_loss(sum));
/// // What must be left beside the heap of five?
/// let five = classes.sum(&[5]).unwrap();
/// let win = &classes.winning_moves(huge, five, 1).unwrap().moves[0];
/// let after: Vec<u64> = win.parts.iter().copied().chain([5]).collect();
/// assert!(classes.is_loss(classes.sum(&after).unwrap()));
/// ```
#[derive(Debug)]
pub struct Classes {
    rules: Rules,
    way: Way,
}

#[derive(Debug)]
enum Way {
    Nimbers(Box<Nimbers>),
    Types(TameHeaps<Rules>),
    Elements(Box<Quotient<Rules>>),
}

impl Classes {
    /// Whether nim-values in normal play decide misère sums of this game, by the theorem above.
    ///
    /// ```
    /// use heaps::misere::Classes;
    /// use heaps::subtraction::{Subtraction, Takes};
    /// let by_nimbers = |takes: Vec<Takes>| Classes::by_nimbers(&Subtraction::new(takes, true).unwrap());
    /// assert!(by_nimbers(vec![Takes::at_least(1)]));
    /// assert!(by_nimbers(vec![Takes::one(3).leaving(2), Takes::range(5, 9).leaving(2)]));
    /// assert!(!by_nimbers(vec![Takes::one(3).leaving(2), Takes::range(5, 9)]));
    /// assert!(!by_nimbers(vec![Takes::one(3), Takes::one(2).guarded(7)]));
    /// ```
    pub fn by_nimbers(game: &Subtraction) -> bool {
        let takes = game.takes();
        let floor = takes.first().map_or(0, |take| take.floor);
        takes.iter().all(|take| take.floor == floor && take.guard <= take.least.saturating_add(floor))
    }

    /// The classes of a game that nim-values decide, as far as these are known; `None` for other games.
    pub fn of_nimbers(nimbers: Nimbers) -> Option<Classes> {
        let rules = Rules::Shift(nimbers.game().clone());
        Classes::by_nimbers(nimbers.game()).then(|| Classes { rules, way: Way::Nimbers(Box::new(nimbers)) })
    }

    /// Finds the classes of all heaps up to `top` from the options of heaps, as long as `go_on` returns true.
    pub fn find(
        rules: Rules,
        top: u64,
        limits: Limits,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Classes, NoClasses> {
        let up_to = u32::try_from(top.min(limits.heaps as u64)).unwrap_or(u32::MAX);
        let no_period = Error::Limit { what: Resource::Heaps, limit: limits.heaps };
        let mut types = TameHeaps::new(rules.clone(), limits);
        let found = types.extend_while(up_to, go_on);
        let failed = |error, largest: u32| Err(NoClasses { error, heaps: u64::from(largest) + 1 });
        match found {
            Ok(()) if types.tame(top).is_some() => return Ok(Classes { rules, way: Way::Types(types) }),
            Ok(()) => return failed(no_period, types.largest()),
            Err(Error::NotTame { .. }) => {}
            Err(error) => return failed(error, types.largest()),
        }
        let mut quotient = Box::new(Quotient::new(rules.clone(), limits));
        match quotient.extend_while(up_to, go_on) {
            Ok(()) if quotient.element(top).is_some() => Ok(Classes { rules, way: Way::Elements(quotient) }),
            Ok(()) => failed(no_period, quotient.largest()),
            Err(error) => failed(error, quotient.largest()),
        }
    }

    /// The class of the empty sum.
    pub fn nothing(&self) -> Class {
        match self.way {
            Way::Nimbers(_) | Way::Types(_) => Class::Tame(Tame::Fickle(0)),
            Way::Elements(_) => Class::Element(Element::ONE),
        }
    }

    /// The class of a heap; `None` if it is not known.
    pub fn class(&self, heap: u64) -> Option<Class> {
        match &self.way {
            Way::Nimbers(nimbers) => nimbers.value(heap).map(|value| Class::Tame(Tame::of_nim_heap(value))),
            Way::Types(types) => types.tame(heap).map(Class::Tame),
            Way::Elements(quotient) => quotient.element(heap).map(Class::Element),
        }
    }

    /// The class of the sum of two classes of this game.
    pub fn plus(&self, a: Class, b: Class) -> Class {
        match (&self.way, a, b) {
            (_, Class::Tame(a), Class::Tame(b)) => Class::Tame(a.plus(b)),
            (Way::Elements(quotient), Class::Element(a), Class::Element(b)) => Class::Element(quotient.product(a, b)),
            // Classes of different games do not add.
            _ => self.nothing(),
        }
    }

    /// The class of a sum of heaps; `None` if the class of one of them is not known.
    pub fn sum(&self, heaps: &[u64]) -> Option<Class> {
        heaps.iter().try_fold(self.nothing(), |total, &heap| Some(self.plus(total, self.class(heap)?)))
    }

    /// Whether the player to move loses sums of this class.
    pub fn is_loss(&self, class: Class) -> bool {
        match (&self.way, class) {
            (_, Class::Tame(tame)) => tame.misere() == 0,
            (Way::Elements(quotient), Class::Element(element)) => quotient.is_p_type(element),
            (_, Class::Element(_)) => false,
        }
    }

    /// For each heap the class of all the others, and the class of them all; `None` if one is not known.
    pub fn beside(&self, heaps: &[u64]) -> Option<(Vec<Class>, Class)> {
        let own = heaps.iter().map(|&heap| self.class(heap)).collect::<Option<Vec<Class>>>()?;
        let mut beside = Vec::with_capacity(own.len());
        let mut before = self.nothing();
        for &class in &own {
            beside.push(before);
            before = self.plus(before, class);
        }
        let mut behind = self.nothing();
        for (place, &class) in beside.iter_mut().zip(&own).rev() {
            *place = self.plus(*place, behind);
            behind = self.plus(behind, class);
        }
        Some((beside, before))
    }

    /// What a misère quotient takes in memory, if there is one.
    pub fn bytes(&self) -> u64 {
        self.quotient().map_or(0, Quotient::bytes)
    }

    /// How many heaps were examined one by one.
    pub fn len(&self) -> u64 {
        match &self.way {
            Way::Nimbers(nimbers) => nimbers.len(),
            Way::Types(types) => u64::from(types.largest()) + 1,
            Way::Elements(quotient) => u64::from(quotient.largest()) + 1,
        }
    }

    /// Whether no heap was examined.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The misère quotient, if classes are its elements.
    pub fn quotient(&self) -> Option<&Quotient<Rules>> {
        match &self.way {
            Way::Elements(quotient) => Some(quotient),
            _ => None,
        }
    }

    /// The nim-values, if they are the classes.
    pub fn nimbers(&self) -> Option<&Nimbers> {
        match &self.way {
            Way::Nimbers(nimbers) => Some(nimbers),
            _ => None,
        }
    }

    /// The proved period of the classes, and its proof.
    pub fn period(&self) -> Option<(Period, Proof)> {
        match &self.way {
            Way::Nimbers(nimbers) => Some((nimbers.period()?, nimbers.proof()?)),
            Way::Types(types) => Some((types.period()?, types.proof())),
            Way::Elements(quotient) => Some((quotient.period()?, quotient.proof())),
        }
    }

    /// The theorem by which classes decide sums.
    pub fn theorem(&self) -> String {
        match &self.way {
            Way::Nimbers(_) => "Ferguson's pairs, by which misère sums of such heaps are played like Nim".to_string(),
            Way::Types(_) => "misère sums of tame heaps are played like Nim".to_string(),
            Way::Elements(quotient) => format!("misère quotient of order {}", quotient.order()),
        }
    }
}
