//! Groups of positions that can reach each other, each after all groups that it leads to.
//!
//! R. Tarjan's walk, with a stack of its own since games can be a million moves deep.

use crate::error::Error;
use crate::graph::Id;
use crate::loopy::options::Options;
use crate::monitor::Monitor;
use crate::segmented::Segmented;

/// Not entered yet.
const NEW: u32 = 0;
/// In a group that was visited.
const DONE: u32 = u32::MAX;

struct Walk<'o> {
    options: &'o Options,
    /// When a position was entered, from 1 on, lowered to the earliest that is known to be in its group.
    low: Segmented<u32>,
    /// Positions on the way down: the position, the next place among its options' parts, when it was entered.
    path: Segmented<(Id, u64, u32)>,
    /// Positions entered whose group is not complete.
    open: Segmented<Id>,
    entered: u32,
}

/// Calls `visit` with each group, and whether it is a single position that cannot repeat.
pub(super) fn each(
    options: &Options,
    monitor: &mut Monitor,
    mut visit: impl FnMut(&[Id], bool, &mut Monitor) -> Result<(), Error>,
) -> Result<(), Error> {
    let memory = monitor.memory().clone();
    let mut low = Segmented::new(&memory);
    low.grow_to(options.positions(), NEW)?;
    let mut walk = Walk { options, low, path: Segmented::new(&memory), open: Segmented::new(&memory), entered: 0 };
    let mut group = Vec::new();
    let mut settled = 0;
    for root in 0..options.positions() as Id {
        if walk.low.get(root as usize) != NEW {
            continue;
        }
        walk.enter(root)?;
        while walk.path.last().is_some() {
            monitor.tick(options.positions() as u64, settled)?;
            if walk.step(&mut group)? {
                settled += group.len() as u64;
                let single = group.len() == 1 && !walk.leads_to_itself(group[0]);
                visit(&group, single, monitor)?;
            }
        }
    }
    Ok(())
}

impl Walk<'_> {
    fn enter(&mut self, position: Id) -> Result<(), Error> {
        self.entered += 1;
        self.low.set(position as usize, self.entered);
        self.open.push(position)?;
        self.path.push((position, self.options.all_parts(position).start as u64, self.entered))
    }

    /// Goes on from the last position of the path, down or back up; whether a group is complete.
    fn step(&mut self, group: &mut Vec<Id>) -> Result<bool, Error> {
        let Some((position, next, entered)) = self.path.pop() else { return Ok(false) };
        let end = self.options.all_parts(position).end;
        let mut low = self.low.get(position as usize);
        for place in next as usize..end {
            let part = self.options.part(place);
            match self.low.get(part as usize) {
                NEW => {
                    self.low.set(position as usize, low);
                    // The part is looked at once more when the walk comes back, and by then its own mark is final.
                    self.path.push((position, place as u64, entered))?;
                    self.enter(part)?;
                    return Ok(false);
                }
                DONE => {}
                earlier => low = low.min(earlier),
            }
        }
        self.low.set(position as usize, low);
        if low < entered {
            return Ok(false);
        }
        group.clear();
        while let Some(member) = self.open.pop() {
            self.low.set(member as usize, DONE);
            group.push(member);
            if member == position {
                break;
            }
        }
        Ok(true)
    }

    fn leads_to_itself(&self, position: Id) -> bool {
        self.options.all_parts(position).any(|place| self.options.part(place) == position)
    }
}
