//! Finds periods in a finite piece of a sequence.
//!
//! The candidates are the distances at which the end of the piece repeats. Comparing shows how far back each repeats.
//! Whether the period continues after the piece is decided by theorems, not by this module.

use crate::period::Period;

/// How many candidates are followed back from the end.
const CANDIDATES: usize = 48;
/// How much of the end of a piece a candidate must repeat.
const LONGEST_END: usize = 2048;

/// The period of a piece that `better` ranks first, if the end of the piece repeats at all.
///
/// `better` gets the start and the length of a candidate and returns a rank: less is better. Periods with a saltus are
/// found only if `saltus` is set. The start is the least for its length.
///
/// ```
/// use heaps::detect::{best, least};
/// let values: Vec<u16> = (0..100).map(|n| if n < 7 { 9 } else { n % 5 }).collect();
/// let period = best(&values, false, |start, length| start + length).unwrap();
/// assert_eq!((period.start, period.length, period.saltus), (7, 5, 0));
/// assert_eq!(least(&values, period), period);
/// ```
pub fn best<T: Copy + Eq + Into<u64>>(values: &[T], saltus: bool, better: impl Fn(u64, u64) -> u64) -> Option<Period> {
    let end = (values.len() / 8).clamp(8, LONGEST_END);
    let mut found: Option<(u64, Period)> = None;
    let mut candidates = 0;
    let before = values.len().checked_sub(2)?;
    for length in 1..=values.len().saturating_sub(end) {
        // Most lengths fail at the last value or the one before it, so these come first.
        let Some(step) = step(values, length).filter(|&step| step == 0 || saltus) else { continue };
        if values[before - length].into() + step != values[before].into()
            || !repeats(&values[values.len() - length - end..], length, step)
        {
            continue;
        }
        let start = start(values, length, step) as u64;
        let period = Period { start, length: length as u64, saltus: step };
        let score = better(start, length as u64);
        if found.is_none_or(|(best, _)| score < best) {
            found = Some((score, period));
        }
        candidates += 1;
        if candidates == CANDIDATES {
            break;
        }
    }
    found.map(|(_, period)| period)
}

/// The least length of the same repetition. The piece must hold at least one whole period after the start.
pub fn least<T: Copy + Eq + Into<u64>>(values: &[T], period: Period) -> Period {
    let Period { start, mut length, saltus } = period;
    let mut rest = length;
    let mut prime = 2;
    while rest > 1 {
        if prime * prime > rest {
            prime = rest;
        }
        while rest % prime == 0 {
            rest /= prime;
            let shorter = (length / prime) as usize;
            let piece = &values[(start as usize).min(values.len())..];
            if let Some(step) = step(piece, shorter)
                && step * (period.length / shorter as u64) == saltus
                && repeats(piece, shorter, step)
            {
                length = shorter as u64;
            }
        }
        prime += 1;
    }
    Period { start, length, saltus: saltus / (period.length / length) }
}

/// The last value minus the one `length` before it; `None` if it is less.
fn step<T: Copy + Into<u64>>(values: &[T], length: usize) -> Option<u64> {
    let last = values.len().checked_sub(1)?;
    values[last].into().checked_sub(values[last.checked_sub(length)?].into())
}

/// Whether all of a piece repeats. The comparison starts at its end, where differences show first.
fn repeats<T: Copy + Eq + Into<u64>>(values: &[T], length: usize, step: u64) -> bool {
    start(values, length, step) == 0
}

/// The first index from which a piece repeats up to its end.
fn start<T: Copy + Eq + Into<u64>>(values: &[T], length: usize, step: u64) -> usize {
    /// Slices are compared whole, which is fast; only the one that differs is examined item by item.
    const BLOCK: usize = 256;
    let mut end = values.len() - length;
    if step == 0 && end > 0 && values[end - 1] == values[end - 1 + length] {
        while end >= BLOCK && values[end - BLOCK..end] == values[end - BLOCK + length..end + length] {
            end -= BLOCK;
        }
    }
    while end > 0 && values[end - 1].into() + step == values[end - 1 + length].into() {
        end -= 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_least() {
        for begin in 0..40u64 {
            for length in 1..30u64 {
                for saltus in [0, 1, 5] {
                    let tail = |n: u64| (n % length) * (n % length) % 7 + (n / length) * saltus;
                    let at = |n: u64| if n < begin { tail(n) + 1 + n % 2 } else { tail(n) };
                    let values: Vec<u32> = (0..600).map(|n| at(n) as u32).collect();
                    let found = best(&values, saltus > 0, |start, length| 2 * start + length).unwrap();
                    let found = least(&values, found);
                    assert_eq!(found.start, begin, "{begin} {length} {saltus}: {found:?}");
                    assert_eq!(length % found.length, 0);
                    let rounds = length / found.length;
                    assert_eq!(found.saltus * rounds, saltus);
                }
            }
        }
    }

    #[test]
    fn multiples_are_reduced() {
        let values: Vec<u16> = (0..400).map(|n| if n < 3 { 5 } else { n % 6 }).collect();
        let period = least(&values, Period { start: 3, length: 60, saltus: 0 });
        assert_eq!(period, Period { start: 3, length: 6, saltus: 0 });
    }

    #[test]
    fn little_is_nothing() {
        assert_eq!(best::<u16>(&[], true, |_, _| 0), None);
        assert_eq!(best(&[1u16, 2, 3], true, |_, _| 0), None);
    }
}
