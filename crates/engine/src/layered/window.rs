//! Windows: stretches of layers that are in memory at a time.

use std::ops::Range;

use crate::keeping::PAGE;

/// Numbers whose marks fill a page: windows begin at a multiple.
pub(crate) const STEP: u64 = 8 * PAGE as u64;

/// A stretch of the numbers of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub layer: u32,
    pub numbers: Range<u64>,
}

/// Divides layers of these sizes into rounds of windows. The windows of a round take no more than `room` together, or are one of the least
/// size; `bytes` says what a window takes.
pub(crate) fn rounds(
    layers: impl Iterator<Item = (u32, u64)>,
    room: u64,
    bytes: &dyn Fn(u32, &Range<u64>) -> u64,
) -> Vec<Vec<Window>> {
    let mut rounds: Vec<Vec<Window>> = Vec::new();
    let mut left = 0;
    for (layer, size) in layers {
        let mut first = 0;
        while first < size {
            // As many steps as fit: the whole rest, or half of it, and so on.
            let mut steps = (size - first).div_ceil(STEP);
            let window = |steps: u64| first..size.min(first + steps * STEP);
            while steps > 1 && bytes(layer, &window(steps)) > left.max(room / 2) {
                steps = steps.div_ceil(2);
            }
            let numbers = window(steps);
            let taken = bytes(layer, &numbers);
            if taken > left || rounds.is_empty() {
                rounds.push(Vec::new());
                left = room;
            }
            left = left.saturating_sub(taken);
            first = numbers.end;
            if let Some(round) = rounds.last_mut() {
                round.push(Window { layer, numbers });
            }
        }
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_all_numbers_once_and_fit() {
        let sizes = [(0, 10), (3, 5 * STEP + 7), (4, STEP), (9, 100 * STEP)];
        let bytes = |_: u32, numbers: &Range<u64>| numbers.end - numbers.start;
        for room in [0, 1, STEP, 3 * STEP, 1000 * STEP] {
            let rounds = rounds(sizes.into_iter(), room, &bytes);
            let mut next = (0, 0);
            for window in rounds.iter().flatten() {
                if window.layer != next.0 {
                    next = (window.layer, 0);
                }
                assert_eq!(window.numbers.start, next.1);
                assert!(window.numbers.start.is_multiple_of(STEP) && !window.numbers.is_empty());
                next.1 = window.numbers.end;
                let (_, size) = sizes[sizes.iter().position(|(layer, _)| *layer == window.layer).unwrap()];
                assert!(next.1 <= size);
            }
            let covered: u64 = rounds.iter().flatten().map(|window| window.numbers.end - window.numbers.start).sum();
            assert_eq!(covered, sizes.iter().map(|(_, size)| size).sum::<u64>());
            for round in &rounds {
                let taken: u64 = round.iter().map(|window| bytes(0, &window.numbers)).sum();
                assert!(taken <= room || round.len() == 1 && taken <= STEP);
            }
        }
    }
}
