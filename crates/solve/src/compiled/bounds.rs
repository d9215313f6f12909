//! Bounds that choose the width of values: how many options a position can have, how large a score can be.

use formula::{Formulas, Node, Worth};

/// No position has more options than this, if that can be told.
pub(crate) fn most_options(formulas: &Formulas) -> Option<u64> {
    let mut most = 0u64;
    for action in &formulas.actions {
        let mut ways = 1u64;
        for count in &action.counts {
            let (low, high) = (formulas.arena.range(count.low).low, formulas.arena.range(count.high).high);
            ways = ways.checked_mul(u64::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(0))?;
        }
        most = most.checked_add(ways)?;
    }
    Some(most)
}

/// No score is larger than this, whatever its sign, in a game of two in which no play has more than `longest` moves.
pub(crate) fn largest_score(formulas: &Formulas, longest: u64) -> Option<u64> {
    let difference = |gains: &[Node]| -> Option<u64> {
        let [first, second] = gains else { return Some(0) };
        let (first, second) = (formulas.arena.range(*first), formulas.arena.range(*second));
        let high = i128::from(first.high) - i128::from(second.low);
        let low = i128::from(first.low) - i128::from(second.high);
        u64::try_from(high.abs().max(low.abs())).ok()
    };
    let mut gain = 0;
    for action in &formulas.actions {
        gain = gain.max(difference(&action.gains)?);
    }
    let mut end = 0;
    for case in formulas.ends.iter().chain([&formulas.stuck]) {
        if let Worth::Gains(gains) = &case.result {
            end = end.max(difference(gains)?);
        }
    }
    longest.checked_mul(gain)?.checked_add(end)
}
