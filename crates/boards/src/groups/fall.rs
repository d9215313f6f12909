//! How a position of a kind falls apart: what cells may still hold, which moves live, which cells belong together.

use formula::Range;

use super::kind::Kind;

/// One group: cells that live moves tie together, the moves within them, and the settled cells that these read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub cells: Vec<u32>,
    pub rules: Vec<u32>,
    /// The rules among them that are never a fault from here on, and would read cells outside if they were.
    pub faultless: Vec<u32>,
    pub settled: Vec<(u32, i64)>,
}

/// Room for ranges.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    pub cells: Vec<Range>,
    steps: Vec<Range>,
    live: Vec<bool>,
    faulty: Vec<bool>,
    written: Vec<bool>,
    up: Vec<u32>,
}

/// The groups of a position, by their first cells.
pub(super) fn groups(kind: &Kind, values: &[i64], room: &mut Room) -> Vec<Group> {
    live(kind, values, room);
    let cells = kind.domains.len();
    room.written.clear();
    room.written.resize(cells, false);
    room.up.clear();
    room.up.extend(0..cells as u32);
    let Room { live, faulty, written, up, .. } = room;
    let touched = |rule: usize| match faulty[rule] {
        true => &kind.steps[rule].cells,
        false => &kind.steps[rule].faultless,
    };
    let lives = || kind.steps.iter().enumerate().filter(|(rule, _)| live[*rule]);
    for (_, step) in lives() {
        step.after.iter().for_each(|after| written[after.0 as usize] = true);
    }
    for (rule, _) in lives() {
        let mut open = touched(rule).iter().copied().filter(|cell| written[*cell as usize]);
        if let Some(first) = open.next() {
            open.for_each(|cell| join(up, first, cell));
        }
    }
    let mut group_of: Vec<Option<usize>> = vec![None; cells];
    let mut groups: Vec<Group> = Vec::new();
    for cell in (0..cells as u32).filter(|cell| written[*cell as usize]) {
        let of = &mut group_of[root(up, cell) as usize];
        let group = *of.get_or_insert_with(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        groups[group].cells.push(cell);
    }
    // Dead moves within a group stay with it: so groups of one kind are known as such whatever their cells hold.
    for (rule, step) in kind.steps.iter().enumerate() {
        if !step.after.iter().all(|after| written[after.0 as usize]) {
            continue;
        }
        let cells = touched(rule);
        let mut own = cells.iter().copied().filter(|cell| written[*cell as usize]);
        let Some(top) = own.next().map(|cell| root(up, cell)) else { continue };
        if own.any(|cell| root(up, cell) != top) {
            continue;
        }
        let Some(group) = group_of[top as usize] else { continue };
        groups[group].rules.push(rule as u32);
        if cells.len() < step.cells.len() {
            groups[group].faultless.push(rule as u32);
        }
        let settled = cells.iter().filter(|cell| !written[**cell as usize]);
        groups[group].settled.extend(settled.map(|cell| (*cell, values[*cell as usize])));
    }
    for group in &mut groups {
        group.settled.sort_unstable();
        group.settled.dedup();
    }
    groups
}

/// Finds what cells may hold from here on, which moves may be made, and which may be a fault.
fn live(kind: &Kind, values: &[i64], room: &mut Room) {
    room.cells.clear();
    room.cells.extend(values.iter().map(|value| Range::exactly(*value)));
    room.live.clear();
    room.live.resize(kind.steps.len(), false);
    room.faulty.clear();
    room.faulty.resize(kind.steps.len(), false);
    loop {
        kind.tape.ranges(&room.cells, &mut room.steps);
        let mut grown = false;
        for (rule, step) in kind.steps.iter().enumerate() {
            let mut choices = Vec::new();
            let mut possible = true;
            for count in &step.counts {
                kind.tape.ranges_of(&count.late, &choices, &mut room.steps);
                let (low, high) = (room.steps[count.low as usize].low, room.steps[count.high as usize].high);
                let faulty = room.steps[count.fault as usize].single() != Some(0);
                room.faulty[rule] |= faulty;
                possible &= low <= high || faulty;
                choices.push((count.choice, Range::new(low, high)));
            }
            if !possible {
                continue;
            }
            kind.tape.ranges_of(&step.late, &choices, &mut room.steps);
            let may = |step: u32| room.steps[step as usize].single() != Some(0);
            room.faulty[rule] |= may(step.fault);
            if !may(step.guard) && !may(step.fault) {
                continue;
            }
            grown |= !std::mem::replace(&mut room.live[rule], true);
            for &(cell, value) in &step.after {
                let (domain, now) = (kind.domains[cell as usize], room.cells[cell as usize]);
                let Some(after) = room.steps[value as usize].meet(domain) else { continue };
                // Bounds that move go all the way: so this ends soon.
                let low = if after.low < now.low { domain.low } else { now.low };
                let high = if after.high > now.high { domain.high } else { now.high };
                let wider = Range { low, high };
                grown |= wider != now;
                room.cells[cell as usize] = wider;
            }
        }
        if !grown {
            return;
        }
    }
}

fn root(up: &mut [u32], cell: u32) -> u32 {
    let mut at = cell;
    while up[at as usize] != at {
        up[at as usize] = up[up[at as usize] as usize];
        at = up[at as usize];
    }
    at
}

fn join(up: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(up, a), root(up, b));
    // The first cell stays on top.
    up[a.max(b) as usize] = a.min(b);
}
