//! Looks for the return of a window in growing rows of bits.
//!
//! Brent's idea: remember the window that ends at some heap T and wait for its next occurrence; if none comes before 2
//! T, remember a later one. An occurrence can begin at any bit, but any row of 127 bits contains a whole word. So 64
//! sub-words of the window, one for each alignment, go into a small filter, and each new word is looked up once: about
//! a nanosecond for 64 heaps. With four times as many sub-words, every fourth word is enough. Only hits are compared in
//! full.
//!
//! Rows often repeat a short pattern for long, with rare faults in it, and then most words of the window look alike. So
//! 64 sub-words are taken around the latest fault. And a comparison that fails remembers where: the next candidate is
//! tried there first, since shifting by the short pattern fails at the same place.

use super::bits::Bits;
use crate::Period;

/// Bits of the filter, as a power of two.
const FILTER: u32 = 15;

/// The search for a period in some rows of bits, which all repeat together.
#[derive(Clone, Debug)]
pub(super) struct Seeker {
    /// How many matching heaps prove a period, a multiple of 64.
    window: u64,
    /// The rule is constant from this heap on.
    regular: u64,
    wanted: Option<Wanted>,
}

/// A window whose return is awaited.
#[derive(Clone, Debug)]
struct Wanted {
    /// The heap after it, a multiple of 64.
    end: u64,
    /// The row in which sub-words are looked up.
    row: usize,
    /// The first heap of the first sub-word; the others begin one later each.
    first: u64,
    /// Every `stride`-th word is looked up; there are 64 times as many sub-words.
    stride: usize,
    filter: Vec<u64>,
    /// Sub-words and where they begin, sorted by word and then latest first.
    keys: Vec<(u64, u64)>,
    /// The next word to look up.
    next: usize,
    /// A row and a heap where a comparison failed.
    fault: Option<(usize, u64)>,
    /// How many words may still be compared before this window is given up.
    budget: i64,
}

impl Seeker {
    /// `reach` matches in a row prove a period if the rule is constant from heap `regular` on.
    pub fn new(reach: u64, regular: u64) -> Seeker {
        Seeker {
            window: reach.max(128).saturating_add(63) / 64 * 64,
            regular: regular.saturating_add(63) / 64 * 64,
            wanted: None,
        }
    }

    /// Examines what the rows gained since the last call.
    pub fn advance(&mut self, rows: &[&Bits]) -> Option<Period> {
        let end = rows[0].end() as u64 * 64;
        if let Some(wanted) = &mut self.wanted {
            if let Some(length) = wanted.scan(rows, end, self.window) {
                let known = wanted.end - self.window;
                return Some(least(rows, known, length));
            }
            if end < 2 * wanted.end && wanted.budget > 0 {
                return None;
            }
        }
        // The rule must hold for the heaps after the window and after one that lies up to 64 before it.
        let earliest = self.regular.saturating_add(self.window).saturating_add(64);
        if end < earliest || self.wanted.as_ref().is_some_and(|wanted| end < wanted.end + wanted.end / 2) {
            return None;
        }
        match Wanted::new(rows, end, self.window) {
            Ok(wanted) => self.wanted = Some(wanted),
            Err(length) => return Some(least(rows, end - self.window, length)),
        }
        None
    }
}

impl Wanted {
    /// The window that ends at `end`; the error is a short period that the window itself shows.
    fn new(rows: &[&Bits], end: u64, window: u64) -> Result<Wanted, u64> {
        let mut place = None;
        let mut common = 1u64;
        for (row, bits) in rows.iter().enumerate() {
            match fault_of_pattern(bits, end, window + 64) {
                Ok(length) => common = common / gcd(common, length) * length,
                Err(fault) => {
                    place = Some((row, fault));
                    break;
                }
            }
        }
        // All rows repeat short patterns throughout: if these fit together within 64 heaps, that is the proof.
        if place.is_none() && common <= 64 {
            return Err(common);
        }
        let (row, fault) = place.unwrap_or((0, None));
        let stride = if fault.is_none() && window >= 320 { 4 } else { 1 };
        let count = 64 * stride;
        let last = end - count - 63;
        let first = fault.map_or(last, |fault| fault.saturating_sub(63).clamp(end - window, last));
        let mut filter = vec![0; 1 << (FILTER - 6)];
        let mut keys: Vec<(u64, u64)> = (first..first + count).map(|at| (rows[row].window(at), at)).collect();
        keys.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        for &(key, _) in &keys {
            let place = place_of(key);
            filter[place / 64] |= 1 << (place % 64);
        }
        let budget = (window / 8 + (1 << 16)) as i64;
        Ok(Wanted {
            end,
            row,
            first,
            stride: stride as usize,
            filter,
            keys,
            next: (first / 64) as usize,
            fault: None,
            budget,
        })
    }

    /// Looks for the window in new words; returns how far it moved.
    fn scan(&mut self, rows: &[&Bits], end: u64, window: u64) -> Option<u64> {
        // An occurrence that shows in word w may end as late as this many bits after the start of w.
        let tail = self.end - self.first;
        let last = (end.checked_sub(tail)? / 64) as usize;
        let (words, origin) = rows[self.row].at(0);
        while self.next < last && self.budget > 0 {
            let word = words[origin + self.next];
            let place = place_of(word);
            if self.filter[place / 64] >> (place % 64) & 1 == 1
                && let Some(length) = self.try_word(rows, word, self.next as u64 * 64, window)
            {
                return Some(length);
            }
            self.next += self.stride;
        }
        // A comparison may cost what was scanned since the last one, and a little more.
        self.budget = self.budget.max(1 << 12);
        None
    }

    fn try_word(&mut self, rows: &[&Bits], word: u64, at: u64, window: u64) -> Option<u64> {
        let from = self.keys.partition_point(|&(key, _)| key < word);
        for i in from..self.keys.len() {
            let (key, begins) = self.keys[i];
            if key != word {
                break;
            }
            if at > begins && self.returns(rows, at - begins, window) {
                return Some(at - begins);
            }
        }
        None
    }

    /// Whether all rows show the window again `length` heaps later.
    fn returns(&mut self, rows: &[&Bits], length: u64, window: u64) -> bool {
        if let Some((row, heap)) = self.fault
            && let Some(before) = heap.checked_sub(length)
            && (self.end - window..self.end).contains(&before)
            && rows[row].bit(before) != rows[row].bit(heap)
        {
            return false;
        }
        for (row, bits) in rows.iter().enumerate() {
            let mut at = self.end;
            while at > self.end - window {
                at -= 64;
                self.budget -= 1;
                let differ = bits.window(at) ^ bits.window(at + length);
                if differ != 0 {
                    self.fault = Some((row, at + u64::from(differ.trailing_zeros()) + length));
                    return false;
                }
            }
        }
        true
    }
}

fn place_of(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - FILTER)) as usize
}

/// The short pattern that the last `window` bits before `end` repeat; or where it fails, if there is one at all.
fn fault_of_pattern(bits: &Bits, end: u64, window: u64) -> Result<u64, Option<u64>> {
    let tail = u128::from(bits.window(end - 128)) | u128::from(bits.window(end - 64)) << 64;
    let length = (1..=64).find(|&length| (tail ^ tail >> length) << length == 0).ok_or(None)?;
    let mut at = end - 128;
    while at > end - window {
        at -= 64;
        let differ = bits.window(at) ^ bits.window(at + length);
        if differ != 0 {
            return Err(Some(at + 63 - u64::from(differ.leading_zeros()) + length / 2));
        }
    }
    Ok(length)
}

/// The least period, given that all heaps from `known` on repeat after `length`.
fn least(rows: &[&Bits], known: u64, mut length: u64) -> Period {
    for prime in primes(length) {
        while length.is_multiple_of(prime) && repeats(rows, known, known + (length - length / prime), length / prime) {
            length /= prime;
        }
    }
    // Backwards to the last heap that does not repeat.
    let mut start = known;
    while start > 0 {
        let at = start.saturating_sub(64);
        let count = start - at;
        let differ = rows.iter().fold(0, |differ, bits| differ | (bits.window(at) ^ bits.window(at + length)))
            & (!0 >> (64 - count));
        if differ != 0 {
            start = at + 64 - u64::from(differ.leading_zeros());
            break;
        }
        start = at;
    }
    Period { start, length, saltus: 0 }
}

/// Whether the heaps of a range equal those `length` later.
fn repeats(rows: &[&Bits], mut from: u64, to: u64, length: u64) -> bool {
    while from < to {
        let mask = if to - from >= 64 { !0 } else { (1 << (to - from)) - 1 };
        if rows.iter().any(|bits| (bits.window(from) ^ bits.window(from + length)) & mask != 0) {
            return false;
        }
        from += 64;
    }
    true
}

/// The primes that divide a number.
pub(super) fn primes(mut number: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number.is_multiple_of(divisor) {
            primes.push(divisor);
            while number.is_multiple_of(divisor) {
                number /= divisor;
            }
        }
        divisor += 1;
    }
    if number > 1 {
        primes.push(number);
    }
    primes
}

/// The greatest common divisor.
pub(super) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
