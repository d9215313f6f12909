//! Misère quotients: who wins a sum in which the last mover loses, by a product in a finite monoid.
//!
//! The entries name a finite set Q of elements, what each part of the sum makes of every element, and a set P of lost elements. The
//! element 1 stands for nothing. That the parts act in any order alike is looked at, and so is that each element comes of 1 by parts;
//! so a product of any two elements has a meaning. Φ of a part is what it makes of 1, and Φ of a sum the product over its parts.
//!
//! # Why that proves something
//!
//! For a sum X let W(X) be the set of all q for which some option X' has q·Φ(X') in P. It is checked that
//!
//! 1. parts come back never; a part without options makes nothing of anything; 1 is not in P;
//! 2. for every part h, no q in W(h) has q·Φ(h) in P;
//! 3. every sum X that has options has Φ(X) in P, or 1 in W(X).
//!
//! *Then a sum is lost by its mover exactly if its element is in P* (Plambeck and Siegel 2008), by induction. In a sum without options the mover wins, and
//! its element is 1. Let X have options, and let Φ(X) be in P. A move replaces a part h of X = Y + h by an option h'; if Φ(Y + h') were in
//! P, then Φ(Y) would be in W(h) against 2. So all options are won by their mover, and X is lost. If Φ(X) is not in P, some option has its
//! element in P by 3, and X is won.
//!
//! For 3 note that W(X + Y) holds the q with q·Φ(Y) in W(X) or q·Φ(X) in W(Y). So the pairs (Φ(X), W(X)) of all sums come of those of
//! the parts. If 3 fails for a pair, it fails for one with the same element and a smaller set. The entries list pairs for which 3 holds, and
//! name for each part, and for each listed pair with one part more, a listed pair that has the same element and no larger set. So every
//! sum has one.
//!
//! *Heaps of all sizes.* Let `heap_rules` show that a move of a large heap takes at most k and leaves at most j heaps, let Φ(n + p) =
//! Φ(n) for n ≥ s as far as heaps are listed, and let all heaps below j·(s + p) + k be listed. Then a larger heap n has the options of n − p, with p more
//! in a largest part: that part is at least s + p in an option of n, and at least s in one of n − p. So both have options of the
//! same elements, and with Φ(n) = Φ(n − p) nothing is left to check for n.

use std::ops::Range;

use game::Outcome;
use rules::bind::{Bound, Position};
use rules::stop::{self, Held};

use crate::charged::Charged;
use crate::entries::Entries;
use crate::heaps;
use crate::monoid::{Monoid, Set, Transition};
use crate::parts::{NormalParts, Options};
pub use crate::parts::{each, in_order};
use crate::periods::Period;
use crate::proved::Proved;
use crate::refusal::Refusal;
use crate::store::Id;

/// How many heaps must be listed for a period, and the rules they have.
pub fn needed(period: &Period, bound: &Bound) -> Result<(u64, u64), Refusal> {
    let rules = period.rules(bound)?;
    let most = if rules.split.is_empty() { 1 } else { 2 };
    let count = most * (period.first + period.length) + rules.most_taken().unsigned_abs();
    match count - period.length >= period.alike {
        true => Ok((rules.least.unsigned_abs(), count)),
        false => Err(Refusal::wrong("the period begins too soon")),
    }
}

/// Checks a quotient of the parts that can come up, or of all heaps. Gives what it proves, and how many parts there were.
pub fn check(
    bound: &Bound,
    start: &Position,
    period: Option<Period>,
    entries: &mut dyn Entries,
) -> Result<(Proved, u64), Refusal> {
    let mut parts = NormalParts::ending_in(bound, Outcome::Win)?;
    let mut own = Vec::with_capacity(start.parts.len());
    let mut heaps = 0..0;
    match &period {
        None => start.parts.iter().try_for_each(|part| parts.enter(part).map(|id| own.push(id)))?,
        Some(period) => {
            let (least, count) = needed(period, bound)?;
            if bound.layout.misfit(&[count as i64 - 1]).is_some() {
                return Err(Refusal::wrong("there are fewer heaps than the period needs"));
            }
            heaps = least..count;
            own.extend(start.parts.iter().map(|part| (period.reduced(heaps::size(part), count) - least) as Id));
        }
    }
    let options = listed(&mut parts, heaps, entries)?;
    let (elements, monoid) = entries.quotient(&options)?;
    if elements.len() != options.len() || elements.iter().any(|element| *element as usize >= monoid.order()) {
        return Err(Refusal::wrong("a part has no element"));
    }
    if let Some(period) = &period {
        period.repeats(needed(period, bound)?.0, &elements)?;
    }
    let mut transitions: Vec<Transition> = Vec::new();
    for (id, options) in options.iter().enumerate() {
        let found = transition(&monoid, &elements, elements[id], options);
        match found.map_err(|refusal| refusal.at(id as u64 + 1, || parts.text(id as Id)))? {
            Some(new) if !transitions.contains(&new) => transitions.push(new),
            _ => {}
        }
    }
    closed(&monoid, &transitions, entries)?;
    let element = own.iter().fold(0, |product, part| monoid.product(product, elements[*part as usize]));
    let outcome = if monoid.is_lost(element) { Outcome::Loss } else { Outcome::Win };
    Ok((Proved::Misere(outcome), options.len() as u64))
}

/// The options of all parts, and of heaps of these sizes, which are the first parts. None may come back. A heap is looked at when its
/// entry is read: a short certificate cannot name many.
fn listed(
    parts: &mut NormalParts<'_>,
    mut heaps: Range<u64>,
    entries: &mut dyn Entries,
) -> Result<Charged<Options>, Refusal> {
    let mut all: Charged<Options> = Charged::new();
    let mut held = Held::default();
    let least = heaps.start;
    loop {
        let id = all.len() as Id;
        if all.len() == parts.len() {
            let Some(heap) = heaps.next() else { break };
            if parts.enter(&[heap as i64])? != id || u64::from(id) != heap - least {
                return Err(Refusal::wrong("a heap is met before its turn"));
            }
        }
        entries.passed(u64::from(id) + 1)?;
        entries.nothing()?;
        let options = parts.options(id).map_err(|refusal| refusal.at(u64::from(id) + 1, || parts.text(id)))?;
        // As they are, and turned round.
        held.grow(64 + 16 * options.len() as u64)?;
        all.push(options)?;
    }
    match in_order(&all).len() == all.len() {
        true => Ok(all),
        false => Err(Refusal::wrong("a part comes back, so that there is no quotient")),
    }
}

/// The pair of a part; none where it has no options. Sees to conditions 1 and 2.
fn transition(monoid: &Monoid, elements: &[u32], own: u32, options: &[Id]) -> Result<Option<Transition>, Refusal> {
    let product = |into: &[Id]| into.iter().fold(0, |product, part| monoid.product(product, elements[*part as usize]));
    let mut after: Vec<u32> = each(options).map(product).collect();
    if after.is_empty() {
        return if own == 0 { Ok(None) } else { Err(Refusal::wrong("a part without moves has an element")) };
    }
    after.sort_unstable();
    after.dedup();
    let wins = Set::new(monoid.order(), |q| after.iter().any(|option| monoid.is_lost(monoid.product(q, *option))));
    match (0..monoid.order() as u32).all(|q| !(wins.contains(q) && monoid.is_lost(monoid.product(q, own)))) {
        true => Ok(Some(Transition { element: own, wins })),
        false => Err(Refusal::wrong("beside some sums the part is said to be lost, and has a winning move")),
    }
}

/// Sees to condition 3.
fn closed(monoid: &Monoid, parts: &[Transition], entries: &mut dyn Entries) -> Result<(), Refusal> {
    let mut held = Held::default();
    let sums = entries.transitions((monoid, parts), &mut held)?;
    let holds = |sum: &Transition| {
        let fits = (sum.element as usize) < monoid.order() && sum.wins.fits(monoid.order());
        fits && (monoid.is_lost(sum.element) || sum.wins.contains(0))
    };
    if !sums.iter().all(holds) {
        return Err(Refusal::wrong("a sum is said to be won, and has no winning move"));
    }
    let mut below = |wanted: &Transition| {
        let number = usize::try_from(entries.below(wanted)?).ok();
        match number.and_then(|number| sums.get(number)).is_some_and(|sum| sum.is_below(wanted)) {
            true => Ok(()),
            false => Err(Refusal::wrong("a sum has no pair that was listed")),
        }
    };
    parts.iter().try_for_each(&mut below)?;
    for sum in sums.iter() {
        stop::look()?;
        for part in parts {
            below(&monoid.sum(sum, part))?;
        }
    }
    Ok(())
}
