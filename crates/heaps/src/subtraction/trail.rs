//! Looks for a period, with or without saltus, in a growing sequence of numbers.
//!
//! This is the search of [`super::seek`] for numbers that are not bits: remember a window, wait for its return, and try
//! the place of the last failure first.

use super::seek::primes;
use crate::Period;

/// A sequence in which a window that returns, shifted, proves a period.
pub(super) trait Shape {
    /// The number of heap `n`.
    fn value(&self, n: u64) -> i64;
    /// The reference of the window before heap `end`: the shift is the difference of two of these.
    fn anchor(&self, end: u64) -> i64;
    /// Whether the window before this heap can be used for a proof.
    fn is_sound(&self, _end: u64) -> bool {
        true
    }
    /// Whether a period may shift the numbers by this much.
    fn allows(&self, saltus: i64) -> bool;
}

/// The search.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    window: u64,
    earliest: u64,
    /// The end of the window to find, and the next end to try.
    wanted: Option<(u64, u64)>,
    fault: Option<u64>,
    budget: i64,
}

impl Trail {
    /// `window` matches prove a period if the window begins at heap `from` or later.
    pub fn new(window: u64, from: u64) -> Trail {
        Trail { window, earliest: from.saturating_add(window).max(8), wanted: None, fault: None, budget: 0 }
    }

    /// Examines the numbers before heap `len`.
    pub fn advance(&mut self, shape: &impl Shape, len: u64) -> Option<Period> {
        if let Some((end, next)) = &mut self.wanted {
            let end = *end;
            let anchor = shape.anchor(end);
            while *next <= len && self.budget > 0 {
                let length = *next - end;
                let saltus = shape.anchor(*next) - anchor;
                *next += 1;
                if shape.allows(saltus)
                    && returns(shape, end, self.window, length, saltus, &mut self.fault, &mut self.budget)
                {
                    return Some(least(shape, end - self.window, length, saltus));
                }
            }
            if len < 2 * end && self.budget > 0 || len < end + end / 2 {
                return None;
            }
        }
        if len >= self.earliest && shape.is_sound(len) {
            self.wanted = Some((len, len + 1));
            self.fault = None;
            self.budget = 8 * (self.window + len) as i64 + (1 << 16);
        }
        None
    }
}

fn returns(
    shape: &impl Shape,
    end: u64,
    window: u64,
    length: u64,
    saltus: i64,
    fault: &mut Option<u64>,
    budget: &mut i64,
) -> bool {
    let same = |n: u64| shape.value(n + length) - shape.value(n) == saltus;
    if let Some(before) = fault.and_then(|fault| fault.checked_sub(length))
        && (end - window..end).contains(&before)
        && !same(before)
    {
        return false;
    }
    for n in (end - window..end).rev() {
        if !same(n) {
            *fault = Some(n + length);
            return false;
        }
        *budget -= 1;
    }
    true
}

/// The least period, given that heaps from `known` on repeat after `length`, shifted by `saltus`.
fn least(shape: &impl Shape, known: u64, mut length: u64, mut saltus: i64) -> Period {
    for prime in primes(length) {
        while length.is_multiple_of(prime) && saltus % prime as i64 == 0 {
            let (part, shift) = (length / prime, saltus / prime as i64);
            if !(known..known + length - part).all(|n| shape.value(n + part) - shape.value(n) == shift) {
                break;
            }
            (length, saltus) = (part, shift);
        }
    }
    let mut start = known;
    while start > 0 && shape.value(start - 1 + length) - shape.value(start - 1) == saltus {
        start -= 1;
    }
    Period { start, length, saltus: saltus.unsigned_abs() }
}

/// The least heap of a closed range that passes, by a period without saltus.
///
/// `search` finds it for ranges of heaps before the end of the first period.
pub(super) fn next_by_period(
    period: &Period,
    low: u64,
    high: u64,
    search: impl Fn(u64, u64) -> Option<u64>,
) -> Option<u64> {
    let end = period.start + period.length;
    let mut low = low;
    if low < end {
        let found = search(low, high.min(end - 1));
        if found.is_some() || high < end {
            return found;
        }
        low = end;
    }
    if low > high {
        return None;
    }
    let place = (low - period.start) % period.length;
    let round = low - place - period.start;
    let later = search(period.start + place, end - 1).map(|found| round + found);
    let found = later.or_else(|| {
        let found = place.checked_sub(1).and_then(|last| search(period.start, period.start + last));
        found.and_then(|found| (round + period.length).checked_add(found))
    });
    found.filter(|&found| found <= high)
}
