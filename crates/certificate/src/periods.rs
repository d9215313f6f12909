//! Finds what proves the nimbers of heaps too large to list, out of the nimbers of the first ones: a period, or a range of heaps that
//! each becomes.

use game::Outcome;
use rules::bind::Position;
use verify::Refusal;
use verify::argument::Argument;
use verify::heap_rules::{self, HeapRules};
use verify::lengths::Lengths;
use verify::periods::Period;
use verify::ranges::Ranges;

use super::wrong;
use solve::error::SolveError;
use solve::solved::Solved;

/// Rules that are alike from some size on are so from a size below this.
const MOST_ALIKE: u64 = 1 << 19;
/// Periods are looked for as far as the moves of all heaps are at most so many: each is listed when it is checked.
const MOST_MOVES: u64 = 40_000_000;
/// Heaps that become any of a range are listed up to this size.
const MOST_RANGED: u64 = 4096;
/// And among so many heaps.
const MOST_HEAPS: u64 = 1 << 20;
/// Among so many first, and then among twice as many each time: what is known of a heap may take long to ask for.
const FEW_HEAPS: usize = 64;

/// Among how many heaps a period is looked for.
fn most_heaps(rules: &HeapRules) -> u64 {
    match rules.split.len() as u64 {
        0 => MOST_HEAPS.min(MOST_MOVES / rules.taken.len().max(1) as u64),
        // A heap falls into two in about as many ways as it is large, half of them at the least.
        splits => (MOST_MOVES / splits).isqrt(),
    }
}

/// The argument that the nimbers of all heaps repeat, where they do so soon, or that they grow evenly.
pub fn argument(solved: &Solved<'_>) -> Result<Option<Argument>, SolveError> {
    let Some((alike, rules)) = alike(solved)? else { return Ok(None) };
    if !rules.ranged.is_empty() {
        let ranges = Ranges { alike };
        let Some(needed) = ranges.needed(&rules).filter(|needed| *needed <= MOST_RANGED) else { return Ok(None) };
        let nimbers: Vec<u64> = (rules.least.unsigned_abs()..needed).map_while(|heap| nimber(solved, heap)).collect();
        return Ok(ranges.hold(&rules, &nimbers).is_ok().then_some(Argument::Ranges(ranges)));
    }
    let (least, most) = (rules.least.unsigned_abs(), most_heaps(&rules));
    let divides = rules.split.iter().any(|split| split.unequal);
    let nimbers = (least..if divides { least } else { most }).map_while(|heap| nimber(solved, heap));
    Ok(among_few(nimbers, |nimbers| period(alike, &rules, nimbers)).map(Argument::Period))
}

/// The shortest period of the first nimbers, with the first heap from which on it holds, if they are enough to prove it.
pub fn period(alike: u64, rules: &HeapRules, nimbers: &[u64]) -> Option<Period> {
    let (least, first) = (rules.least.unsigned_abs(), rules.largest_least().unsigned_abs().max(1));
    let place = |heap: u64| (heap - least) as usize;
    let known = least + nimbers.len() as u64;
    (1..nimbers.len() as u64 / 2).find_map(|length| {
        let broken = (first..known - length).rev().find(|heap| nimbers[place(*heap)] != nimbers[place(*heap + length)]);
        let first = broken.map_or(first, |heap| heap + 1).max(alike.saturating_sub(length).div_ceil(2));
        let period = Period { alike, first, length };
        (period.needed(rules.most_taken()) <= known).then_some(period)
    })
}

/// The argument that who wins with one heap repeats, with a fixed number of moves more each time.
pub fn lengths(solved: &Solved<'_>) -> Result<Option<Argument>, SolveError> {
    let Some((alike, rules)) = alike(solved)? else { return Ok(None) };
    if solved.start.parts.len() != 1 || !rules.split.is_empty() || !rules.ranged.is_empty() {
        return Ok(None);
    }
    let (least, most) = (rules.least.unsigned_abs(), rules.most_taken().unsigned_abs());
    let labels = (least..most_heaps(&rules)).map_while(|heap| label(solved, heap));
    Ok(among_few(labels, |labels| {
        let place = |heap: u64| (heap - least) as usize;
        let known = least + labels.len() as u64;
        (1..labels.len() as u64 / 2).find_map(|length| {
            let (_, last) = *labels.last()?;
            let more = last.checked_sub(labels[place(known - 1 - length)].1)?;
            let repeats = |heap: u64| {
                let ((outcome, moves), (later, longer)) = (labels[place(heap)], labels[place(heap + length)]);
                outcome == later && moves + more == longer
            };
            let broken = (least..known - length).rev().find(|heap| !repeats(*heap));
            let first = broken.map_or(least, |heap| heap + 1).max(alike.saturating_sub(most));
            let lengths = Lengths { alike, first, length, more };
            (lengths.needed(rules.most_taken()) <= known).then_some(Argument::Lengths(lengths))
        })
    }))
}

/// Looks for something among the first few items, and then among more and more of them.
pub fn among_few<T, F>(items: impl Iterator<Item = T>, mut find: impl FnMut(&[T]) -> Option<F>) -> Option<F> {
    let (mut items, mut known, mut wanted) = (items.fuse(), Vec::new(), FEW_HEAPS);
    loop {
        known.extend(items.by_ref().take(wanted - known.len()));
        let found = find(&known);
        if found.is_some() || known.len() < wanted {
            return found;
        }
        wanted *= 2;
    }
}

/// Who wins with a heap and in how many moves, as the method knows it.
fn label(solved: &Solved<'_>, heap: u64) -> Option<(Outcome, u64)> {
    let verdict = solved.verdict(&single_heap(solved, heap))?;
    Some((verdict.outcome()?, verdict.remoteness()?.into()))
}

/// The position of one heap of this size.
fn single_heap(solved: &Solved<'_>, heap: u64) -> Position {
    Position { parts: vec![[heap as i64].into()], turn: solved.start.turn }
}

/// From which heap on the rules are the same for all, and what they are then. None where they are not read.
pub fn alike(solved: &Solved<'_>) -> Result<Option<(u64, HeapRules)>, SolveError> {
    for size in (0..).map(|power| 1u64 << power).take_while(|size| *size < MOST_ALIKE) {
        match heap_rules::read(solved.bound, size as i64) {
            Ok(rules) => return Ok(Some((size, rules))),
            Err(Refusal::Wrong(_)) => {}
            Err(refusal) => return Err(wrong(refusal)),
        }
    }
    Ok(None)
}

/// The nimber of a heap, as the method knows it.
pub fn nimber(solved: &Solved<'_>, heap: u64) -> Option<u64> {
    let part = [heap as i64];
    if let Some(value) = solved.answers.part(&part) {
        return value.value.nimber();
    }
    solved.verdict(&single_heap(solved, heap))?.nimber()
}
