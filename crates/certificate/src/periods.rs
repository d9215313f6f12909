//! Finds the period that proves the nimbers of heaps too large to list, out of the nimbers of the first ones.

use rules::bind::Position;
use verify::argument::Argument;
use verify::heap_rules::{self, HeapRules};
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
    let position = Position { parts: vec![part.into()], turn: solved.start.turn };
    solved.verdict(&position)?.nimber()
}
