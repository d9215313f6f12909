//! Positions that can reach each other, in groups: each group after all groups that it leads to.
//!
//! R. Tarjan's walk, with a stack of its own since games can be very deep.

/// Not entered yet.
pub(super) const NEW: u32 = 0;
/// In a group that is complete.
const DONE: u32 = u32::MAX;

/// Groups of positions, one after another in one list.
#[derive(Debug, Default)]
pub(super) struct Groups {
    members: Vec<u32>,
    /// Where each group ends.
    ends: Vec<u32>,
}

/// What the walk takes for each position that it may enter, in bytes: its path, what is open, and the groups.
pub(super) const BYTES_OF_ONE: u64 = 24;

impl Groups {
    /// Each group after all groups that it leads to.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.members[start as usize..end as usize])
    }
}

/// The groups of what play reaches from `start` by `next(position, n)`, the option number `n` of a position. Positions that
/// are `known` are left out. `low` has a mark for each position; all must be [`NEW`], and are left so.
pub(super) fn groups(
    low: &mut [u32],
    start: u32,
    next: impl Fn(u32, u32) -> Option<u32>,
    known: impl Fn(u32) -> bool,
) -> Groups {
    // A mark is when a position was entered, from 1 on, lowered to the earliest that is known to be in its group.
    let (mut path, mut open, mut found) = (Vec::new(), Vec::new(), Groups::default());
    let mut entered = 0;
    let mut enter = |position: u32, low: &mut [u32], path: &mut Vec<(u32, u32, u32)>, open: &mut Vec<u32>| {
        entered += 1;
        low[position as usize] = entered;
        path.push((position, 0, entered));
        open.push(position);
    };
    if !known(start) {
        enter(start, low, &mut path, &mut open);
    }
    while let Some(last) = path.last_mut() {
        let (position, at, since) = *last;
        if let Some(option) = next(position, at) {
            match low[option as usize] {
                NEW if known(option) => last.1 += 1,
                // It is looked at once more when the walk comes back, and by then its own mark is final.
                NEW => enter(option, low, &mut path, &mut open),
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
            open[first..].iter().for_each(|&member| low[member as usize] = DONE);
            found.members.extend(open.drain(first..));
            found.ends.push(found.members.len() as u32);
        }
    }
    found.members.iter().for_each(|&member| low[member as usize] = NEW);
    found
}
