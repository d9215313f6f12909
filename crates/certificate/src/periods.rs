//! Finds the period that proves the nimbers of heaps too large to list, out of the nimbers of the first ones.

use game::Outcome;
use rules::bind::Position;
use verify::argument::Argument;
use verify::heap_rules::{self, HeapRules};
use verify::lengths::Lengths;
use verify::periods::Period;

use solve::solved::Solved;

/// Periods are looked for among so many heaps; each is listed with all its moves when it is checked.
const MOST_HEAPS: u64 = 4096;

/// The argument that the nimbers of all heaps repeat, where they do so soon.
pub fn argument(solved: &Solved<'_>) -> Option<Argument> {
    let (alike, rules) = alike(solved)?;
    let least = rules.least.unsigned_abs();
    let nimbers: Vec<u64> = (least..MOST_HEAPS).map_while(|heap| nimber(solved, heap)).collect();
    let first = rules.largest_least().unsigned_abs().max(1);
    // Short periods first: each is tried with the first heap from which on it holds as far as nimbers are known.
    for length in 1..nimbers.len() as u64 / 2 {
        let place = |heap: u64| (heap - least) as usize;
        let end = least + nimbers.len() as u64 - length;
        let broken = (first..end).rev().find(|heap| nimbers[place(*heap)] != nimbers[place(*heap + length)]);
        let first = broken.map_or(first, |heap| heap + 1).max(alike.saturating_sub(length).div_ceil(2));
        let period = Period { alike, first, length };
        if period.needed(rules.most_taken()) <= least + nimbers.len() as u64 {
            return Some(Argument::Period(period));
        }
    }
    None
}

/// The argument that who wins with one heap repeats, with a fixed number of moves more each time.
pub fn lengths(solved: &Solved<'_>) -> Option<Argument> {
    let (alike, rules) = alike(solved)?;
    if solved.start.parts.len() != 1 || !rules.split.is_empty() {
        return None;
    }
    let (least, most) = (rules.least.unsigned_abs(), rules.most_taken().unsigned_abs());
    let labels: Vec<(Outcome, u64)> = (least..MOST_HEAPS).map_while(|heap| label(solved, heap)).collect();
    let place = |heap: u64| (heap - least) as usize;
    let known = least + labels.len() as u64;
    for length in 1..labels.len() as u64 / 2 {
        let (_, last) = *labels.last()?;
        let Some(more) = last.checked_sub(labels[place(known - 1 - length)].1) else { continue };
        let repeats = |heap: u64| {
            let ((outcome, moves), (later, longer)) = (labels[place(heap)], labels[place(heap + length)]);
            outcome == later && moves + more == longer
        };
        let broken = (least..known - length).rev().find(|heap| !repeats(*heap));
        let first = broken.map_or(least, |heap| heap + 1).max(alike.saturating_sub(most));
        let lengths = Lengths { alike, first, length, more };
        if lengths.needed(rules.most_taken()) <= known {
            return Some(Argument::Lengths(lengths));
        }
    }
    None
}

/// Who wins with a heap and in how many moves, as the method knows it.
fn label(solved: &Solved<'_>, heap: u64) -> Option<(Outcome, u64)> {
    let verdict = solved.verdict(&alone(solved, heap))?;
    Some((verdict.outcome()?, verdict.remoteness()?.into()))
}

/// A heap alone.
fn alone(solved: &Solved<'_>, heap: u64) -> Position {
    Position { parts: vec![[heap as i64].into()], turn: solved.start.turn }
}

/// From which heap on the rules are the same for all, and what they are then.
fn alike(solved: &Solved<'_>) -> Option<(u64, HeapRules)> {
    let sizes = (0..).map(|power| 1u64 << power).take_while(|size| *size < MOST_HEAPS);
    sizes.into_iter().find_map(|size| Some((size, heap_rules::read(solved.bound, size as i64).ok()?)))
}

/// The nimber of a heap, as the method knows it.
fn nimber(solved: &Solved<'_>, heap: u64) -> Option<u64> {
    let part = [heap as i64];
    if let Some(value) = solved.answers.part(&part) {
        return value.value.nimber();
    }
    solved.verdict(&alone(solved, heap))?.nimber()
}
