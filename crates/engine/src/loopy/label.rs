//! Labels for the positions of a group, after all that the group leads to.
//!
//! Labels are given in ascending order. For the label m, call a position *reached* if it has an option labelled m. A
//! position that has options with all labels below m, that is not reached itself, and whose options without a smaller label
//! are all reached, gets m; that reaches the positions before it, which may be the last that others wait for. Each position
//! counts the options that it waits for. When nothing moves any more, who was not reached has m as the mex of its options
//! and no way to it: it is infinite, and later labels pass it by.

use game::{Nimber, NimberSet};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::graph::Id;
use crate::loopy::options::Options;
use crate::loopy::values::{LoopyValues, Value};
use crate::memory::Lease;
use crate::monitor::Monitor;
use crate::segmented::Segmented;
use crate::valuation::Mex;

/// No label yet.
const NONE: Nimber = Nimber::MAX;

/// The labelling as far as it has come.
pub(super) struct Labels<'o> {
    options: &'o Options,
    pub values: LoopyValues,
    /// The number of a position within the group that is being labelled.
    within: Segmented<u32>,
    mex: Mex,
    room: Lease,
}

impl<'o> Labels<'o> {
    pub fn new(options: &'o Options, monitor: &Monitor) -> Result<Labels<'o>, Error> {
        let memory = monitor.memory();
        let mut within = Segmented::new(memory);
        within.grow_to(options.positions(), 0)?;
        let values = LoopyValues::new(options.positions(), memory)?;
        Ok(Labels { options, values, within, mex: Mex::default(), room: memory.lease() })
    }

    /// Values a position whose options are all valued.
    pub fn label_single(&mut self, position: Id) -> Result<(), Error> {
        let mut mex = std::mem::take(&mut self.mex);
        mex.start(self.options.all_parts(position).len());
        let mut infinite = false;
        for value in self.known_options(position) {
            match value {
                Value::Finite(nimber) => mex.mark(nimber),
                Value::Infinite(_) => infinite = true,
            }
        }
        let label = mex.finish();
        self.mex = mex;
        let returns = |value: Value<'_>| matches!(value, Value::Finite(_)) || value.has_option(label);
        if !infinite || self.known_options(position).all(returns) {
            return self.values.set_finite(position, label);
        }
        let set = self.finite_options(position);
        self.values.set_infinite(position, set)
    }

    /// Values the positions of a group, all at once.
    pub fn label_group(&mut self, members: &[Id], monitor: &mut Monitor) -> Result<(), Error> {
        let parts: usize = members.iter().map(|&member| self.options.all_parts(member).len()).sum();
        let bytes = 64 * members.len() as u64 + 24 * parts as u64;
        self.room.grow(bytes)?;
        for (number, &member) in members.iter().enumerate() {
            self.within.set(member as usize, number as u32);
        }
        let mut group = self.group(members, monitor)?;
        group.label(members, &mut self.values, self.options, monitor)?;
        for (number, &member) in members.iter().enumerate() {
            if group.labels[number] == NONE {
                monitor.tick(self.options.positions() as u64, 0)?;
                let set = self.finite_options(member);
                self.values.set_infinite(member, set)?;
            }
        }
        self.room.shrink(bytes);
        Ok(())
    }

    /// The values of the options that have one.
    fn known_options(&self, position: Id) -> impl Iterator<Item = Value<'_>> + '_ {
        let parts = |option: std::ops::Range<usize>| option.map(|place| self.options.part(place));
        self.options.of(position).filter_map(move |option| self.values.sum(parts(option)))
    }

    /// The nimbers among the options.
    fn finite_options(&self, position: Id) -> NimberSet {
        let finite = |value| match value {
            Value::Finite(nimber) => Some(nimber),
            Value::Infinite(_) => None,
        };
        self.known_options(position).filter_map(finite).collect()
    }

    /// Sorts the options of a group's positions: those inside it, and the values of those outside.
    fn group(&self, members: &[Id], monitor: &mut Monitor) -> Result<Group, Error> {
        let mut inside: Vec<(u32, u32)> = Vec::new();
        let mut outside: Vec<(Nimber, u32)> = Vec::new();
        let mut returns: FxHashMap<u32, NimberSet> = FxHashMap::default();
        for (number, &member) in members.iter().enumerate() {
            let number = number as u32;
            for option in self.options.of(member) {
                monitor.tick(self.options.positions() as u64, 0)?;
                let single = option.len() == 1;
                let alive = |&part: &Id| single || !self.options.is_dead(part);
                let parts = || option.clone().map(|place| self.options.part(place)).filter(alive);
                match self.values.sum(parts()) {
                    Some(Value::Finite(nimber)) => outside.push((nimber, number)),
                    Some(Value::Infinite(set)) => match returns.entry(number) {
                        std::collections::hash_map::Entry::Vacant(vacant) => {
                            vacant.insert(set.into_owned());
                        }
                        std::collections::hash_map::Entry::Occupied(mut held) => {
                            let both = held.get().as_slice().iter().copied().filter(|&n| set.contains(n));
                            let both = both.collect();
                            held.insert(both);
                        }
                    },
                    None if parts().count() > 1 => return Err(Error::Grows(member.into())),
                    None => inside.extend(parts().map(|part| (self.within.get(part as usize), number))),
                }
            }
        }
        outside.sort_unstable();
        outside.dedup();
        Ok(Group::new(members.len(), &inside, outside, returns))
    }
}

/// The positions of one group, numbered from 0.
struct Group {
    labels: Vec<Nimber>,
    /// How many options inside the group have no label.
    open: Vec<u32>,
    /// How many of these are not reached, during one label.
    waits: Vec<u32>,
    /// One more than the last label that was an option's.
    reached: Vec<Nimber>,
    /// One more than the last label that the position could still have.
    active: Vec<Nimber>,
    /// Where the positions before a position end; they begin where those of the one before end.
    ends: Vec<usize>,
    before: Vec<u32>,
    /// The nimbers of options outside the group, ascending, with the position that has the option.
    outside: Vec<(Nimber, u32)>,
    /// For positions with infinite options outside the group: the nimbers to which all of these can return.
    returns: FxHashMap<u32, NimberSet>,
}

impl Group {
    fn new(
        positions: usize,
        inside: &[(u32, u32)],
        outside: Vec<(Nimber, u32)>,
        returns: FxHashMap<u32, NimberSet>,
    ) -> Group {
        let mut open = vec![0; positions];
        let mut ends = vec![0; positions];
        for &(to, from) in inside {
            open[from as usize] += 1;
            ends[to as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut before = vec![0; inside.len()];
        for &(to, from) in inside {
            let place = &mut ends[to as usize];
            before[*place] = from;
            *place += 1;
        }
        Group {
            labels: vec![NONE; positions],
            open,
            waits: vec![0; positions],
            reached: vec![0; positions],
            active: vec![0; positions],
            ends,
            before,
            outside,
            returns,
        }
    }

    fn before(&self, position: u32) -> std::ops::Range<usize> {
        let start = if position == 0 { 0 } else { self.ends[position as usize - 1] };
        start..self.ends[position as usize]
    }

    /// Gives all labels that the rule gives.
    fn label(
        &mut self,
        members: &[Id],
        values: &mut LoopyValues,
        options: &Options,
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let mut active: Vec<u32> = (0..members.len() as u32).collect();
        let mut labelled = Vec::new();
        let mut outside = 0;
        for label in 0.. {
            if active.is_empty() {
                break;
            }
            for &position in &active {
                self.active[position as usize] = label + 1;
                self.waits[position as usize] = self.open[position as usize];
            }
            // All of these are marked before anything follows from them, since none of them may get the label.
            let first = outside;
            while self.outside.get(outside).is_some_and(|&(nimber, _)| nimber == label) {
                self.reached[self.outside[outside].1 as usize] = label + 1;
                outside += 1;
            }
            for index in first..outside {
                monitor.tick(options.positions() as u64, 0)?;
                self.spread(self.outside[index].1, label, &mut labelled);
            }
            for &position in &active {
                self.try_label(position, label, &mut labelled);
            }
            while let Some(position) = labelled.pop() {
                monitor.tick(options.positions() as u64, 0)?;
                values.set_finite(members[position as usize], label)?;
                for place in self.before(position) {
                    let before = self.before[place];
                    self.open[before as usize] -= 1;
                    if self.reached[before as usize] != label + 1 {
                        self.reached[before as usize] = label + 1;
                        self.spread(before, label, &mut labelled);
                    }
                }
            }
            active.retain(|&position| {
                self.labels[position as usize] == NONE && self.reached[position as usize] == label + 1
            });
        }
        Ok(())
    }

    /// A position was reached: those before it need not wait for it any more.
    fn spread(&mut self, position: u32, label: Nimber, labelled: &mut Vec<u32>) {
        if self.labels[position as usize] != NONE {
            return; // nobody waits for it
        }
        for place in self.before(position) {
            let before = self.before[place];
            if self.active[before as usize] == label + 1 {
                self.waits[before as usize] -= 1;
                self.try_label(before, label, labelled);
            }
        }
    }

    /// Gives a position this label, if it waits for nothing.
    fn try_label(&mut self, position: u32, label: Nimber, labelled: &mut Vec<u32>) {
        let at = position as usize;
        let free = self.waits[at] == 0 && self.labels[at] == NONE && self.reached[at] != label + 1;
        if free && self.returns.get(&position).is_none_or(|set| set.contains(label)) {
            self.labels[at] = label;
            labelled.push(position);
        }
    }
}
