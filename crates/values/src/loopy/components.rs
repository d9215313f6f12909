//! Positions that can reach each other, in groups: each group after all groups that it leads to.
//!
//! R. Tarjan's walk, with a stack of its own since games can be very deep.

/// Not entered yet.
const NEW: u32 = 0;
/// In a group that is complete.
const DONE: u32 = u32::MAX;

/// The groups of what play reaches from `start` by `next(position, n)`, the option number `n` of a position. Positions that
/// are `known` are left out.
pub(super) fn groups(
    count: usize,
    start: u32,
    next: impl Fn(u32, usize) -> Option<u32>,
    known: impl Fn(u32) -> bool,
) -> Vec<Vec<u32>> {
    // When a position was entered, from 1 on, lowered to the earliest that is known to be in its group.
    let mut low = vec![NEW; count];
    let (mut path, mut open, mut found) = (Vec::new(), Vec::new(), Vec::new());
    let mut entered = 0;
    let mut enter = |position: u32, low: &mut [u32], path: &mut Vec<(u32, usize, u32)>, open: &mut Vec<u32>| {
        entered += 1;
        low[position as usize] = entered;
        path.push((position, 0, entered));
        open.push(position);
    };
    if !known(start) {
        enter(start, &mut low, &mut path, &mut open);
    }
    while let Some(last) = path.last_mut() {
        let (position, at, since) = *last;
        if let Some(option) = next(position, at) {
            match low[option as usize] {
                NEW if known(option) => last.1 += 1,
                // It is looked at once more when the walk comes back, and by then its own mark is final.
                NEW => enter(option, &mut low, &mut path, &mut open),
                mark => {
                    if mark != DONE {
                        low[position as usize] = low[position as usize].min(mark);
                    }
                    last.1 += 1;
                }
            }
            continue;
        }
        path.pop();
        if low[position as usize] == since {
            let first = open.iter().rposition(|&member| member == position).unwrap_or(0);
            let group = open.split_off(first);
            group.iter().for_each(|&member| low[member as usize] = DONE);
            found.push(group);
        }
    }
    found
}
