//! The code of blocks.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;
use formula::Node;
use rustc_hash::FxHashMap;

use super::block::{Block, Place, Read, Single, Version};
use super::nest::Nest;
use super::scalar::table_flags;
use super::values::Values;

/// Conditions of ends that at most this many positions of a block have are always tested, at these positions.
const FEW: usize = 3;

/// Which conditions of ends are tested.
#[derive(Default)]
struct Ends {
    /// All of them, the most frequent first.
    order: Vec<Node>,
    /// The ones tested now.
    local: Vec<Node>,
    /// Whether one of several conditions holds; cached, since positions share the first few.
    known: FxHashMap<Vec<Node>, Value>,
}

impl Nest<'_, '_> {
    /// Writes the loops from the slice on, and a block inside.
    pub fn blocks(&mut self, split: usize, block: &Block) {
        let mut roots = block.roots();
        roots.extend(self.plan.vars.iter().flat_map(|var| var.lower.iter().chain(&var.upper)));
        self.outer(&roots);
        for level in split..self.plan.vars.len() {
            self.open(level, &roots);
        }
        match block.parity {
            None => self.block(block, &block.versions[0]),
            Some(parity) => {
                let (even, odd, after) =
                    (self.em.builder.create_block(), self.em.builder.create_block(), self.em.builder.create_block());
                let parity = self.em.value(parity);
                self.em.builder.ins().brif(parity, odd, &[], even, &[]);
                for (version, start) in block.versions.iter().zip([even, odd]) {
                    self.em.builder.switch_to_block(start);
                    self.em.push_scope();
                    self.block(block, version);
                    self.em.pop_scope();
                    self.em.builder.ins().jump(after, &[]);
                }
                self.em.builder.switch_to_block(after);
            }
        }
        for _ in split..self.plan.vars.len() {
            self.close();
        }
        self.finish();
    }

    /// Writes a block. If no end holds in it, ends are not tested again.
    fn block(&mut self, block: &Block, version: &Version) {
        let whole = self.whole_end(version);
        let mut ends = Ends::default();
        for (condition, places) in version.conditions(&self.plan.formulas.arena) {
            ends.order.push(condition);
            if whole.is_none() && places <= FEW {
                ends.local.push(condition);
            }
        }
        let (order, local) = (ends.order.clone(), ends.local.clone());
        let shared: Vec<Node> = order.into_iter().filter(|condition| !local.contains(condition)).collect();
        if shared.is_empty() {
            return self.block_body(block, version, &mut ends);
        }
        let mut any = self.em.truth(shared[0]);
        let mut all = any;
        for &condition in &shared[1..] {
            let truth = self.em.truth(condition);
            any = self.em.builder.ins().bor(any, truth);
            if whole.is_some() {
                all = self.em.builder.ins().band(all, truth);
            }
        }
        let (over, open, after) =
            (self.em.builder.create_block(), self.em.builder.create_block(), self.em.builder.create_block());
        self.em.builder.ins().brif(any, over, &[], open, &[]);
        self.em.builder.switch_to_block(open);
        self.em.push_scope();
        self.block_body(block, version, &mut ends);
        self.em.pop_scope();
        self.em.builder.ins().jump(after, &[]);
        self.em.builder.switch_to_block(over);
        if let Some(value) = whole {
            let (whole, part) = (self.em.builder.create_block(), self.em.builder.create_block());
            self.em.builder.ins().brif(all, whole, &[], part, &[]);
            self.em.builder.switch_to_block(whole);
            let value = self.spread_number(value);
            for offset in self.offsets(block) {
                self.em.builder.ins().store(table_flags(), value, self.pointer, offset);
            }
            self.em.builder.ins().jump(after, &[]);
            self.em.builder.switch_to_block(part);
        }
        self.em.push_scope();
        // Now all of them are tested.
        (ends.local, ends.known) = (ends.order.clone(), FxHashMap::default());
        self.block_body(block, version, &mut ends);
        self.em.pop_scope();
        self.em.builder.ins().jump(after, &[]);
        self.em.builder.switch_to_block(after);
    }

    /// The common value of all positions of a block if all conditions hold, provided that each position has exactly
    /// one.
    fn whole_end(&self, version: &Version) -> Option<i64> {
        let arena = &self.plan.formulas.arena;
        let mut values = version.places.iter().map(|place| match &place.ends[..] {
            [(when, value)] if when.len() == 1 => arena.known(*value),
            _ => None,
        });
        let first = values.next()??;
        values.all(|value| value == Some(first)).then_some(first)
    }

    /// Where the registers of a block begin, in bytes; the last one overlaps the one before.
    fn offsets(&self, block: &Block) -> Vec<i32> {
        let bytes = (block.size * self.plan.values.width()) as i32;
        let mut offsets: Vec<i32> = (0..bytes / 16).map(|at| 16 * at).collect();
        if bytes % 16 != 0 {
            offsets.push(bytes - 16);
        }
        offsets
    }

    fn block_body(&mut self, block: &Block, version: &Version, ends: &mut Ends) {
        self.block_lanes(block, version);
        let arena = &self.plan.formulas.arena;
        let mut done: Vec<Option<Value>> = vec![None; block.size];
        for &at in &block.order {
            let place = &version.places[at];
            let sure = place.ends.last().is_some_and(|end| arena.known(end.0[0]).is_some());
            let stuck = place.options.is_empty() && arena.known(place.stuck).is_none();
            let over = place.ends.iter().any(|end| end.0.iter().any(|when| ends.local.contains(when)));
            if place.options.is_empty() && !stuck && !sure && !over {
                continue;
            }
            // No scopes here: everything that one position needs is on the path to the next.
            let value = self.block_place(at, place, ends, &done);
            done[at] = Some(value);
        }
    }

    /// The mark of "no option so far".
    fn no_option(&self) -> i64 {
        if self.plan.values == Values::Win { 0 } else { self.plan.values.nothing() }
    }

    /// Looks up the options in other blocks, lane by lane, and writes their values.
    fn block_lanes(&mut self, block: &Block, version: &Version) {
        let offsets = self.offsets(block);
        let lanes_type = self.plan.values.lanes();
        let least = self.takes_least(version);
        let neutral = self.spread_number(if least { self.plan.values.largest() } else { self.no_option() });
        let best: Vec<Variable> = offsets
            .iter()
            .map(|_| {
                let variable = self.em.builder.declare_var(lanes_type);
                self.em.builder.def_var(variable, neutral);
                variable
            })
            .collect();
        for (guard, reads) in &version.groups {
            let next = self.em.builder.create_block();
            self.em.push_scope();
            if self.plan.formulas.arena.known(*guard).is_none() {
                self.em.branch_unless(*guard, next);
            }
            for (&offset, &best) in offsets.iter().zip(&best) {
                self.block_read(offset, best, reads, (least, neutral));
            }
            self.em.pop_scope();
            self.em.builder.ins().jump(next, &[]);
            self.em.builder.switch_to_block(next);
        }
        let width = self.plan.values.width();
        for (&offset, &best) in offsets.iter().zip(&best) {
            let mut value = self.em.builder.use_var(best);
            if self.plan.values != Values::Win {
                // Positions with more to do keep the mark of no option; the others are stuck.
                let first = offset as usize / width;
                let places = &version.places[first..first + 16 / width];
                let stuck = |place: &Place| match place.options.is_empty() {
                    true => self.plan.formulas.arena.known(place.stuck).unwrap_or(self.no_option()),
                    false => self.no_option(),
                };
                let stuck: Vec<i64> = places.iter().map(stuck).collect();
                let stuck = self.lanes_constant(&stuck);
                let none = self.em.builder.ins().icmp(IntCC::Equal, value, neutral);
                if least {
                    value = self.of_least(value);
                }
                value = self.em.builder.ins().bitselect(none, stuck, value);
            }
            self.em.builder.ins().store(table_flags(), value, self.pointer, offset);
        }
    }

    /// Whether the least entry of the options is the best, and no entry is the largest of its type. Then the largest
    /// number can mark that there was no option.
    fn takes_least(&self, version: &Version) -> bool {
        let passes = version.groups.iter().flat_map(|group| &group.1).all(|read| !read.same);
        match self.plan.values {
            Values::Outcome => passes,
            Values::Remoteness { .. } => passes && !self.plan.won_ends(),
            _ => false,
        }
    }

    /// Adds the options under one guard to one register: the least entries, or the best values.
    fn block_read(&mut self, offset: i32, best: Variable, reads: &[Read], (least, neutral): (bool, Value)) {
        let width = self.plan.values.width();
        let count = 16 / width;
        let first = offset as usize / width;
        let has = |read: &Read| read.has[first..first + count].to_vec();
        let mut taken = vec![false; count];
        let mut value: Option<Value> = None;
        for read in reads {
            let own = has(read);
            if !own.contains(&true) {
                continue;
            }
            let entries = self.block_entries(offset, read.shift);
            let worth = if least { self.ordered(entries) } else { self.lanes_value_of(entries, read.same) };
            // Two moves under one guard seldom use one lane; if they do not, they share a register.
            let meets = own.iter().zip(&taken).any(|(own, taken)| *own && *taken);
            value = Some(match value {
                None => worth,
                Some(before) if meets => {
                    self.block_take(best, before, &taken, (least, neutral));
                    taken.fill(false);
                    worth
                }
                Some(before) => {
                    let mask = self.lanes_mask(&own);
                    self.em.builder.ins().bitselect(mask, worth, before)
                }
            });
            taken.iter_mut().zip(&own).for_each(|(taken, own)| *taken |= own);
        }
        if let Some(value) = value {
            self.block_take(best, value, &taken, (least, neutral));
        }
    }

    fn lanes_mask(&mut self, own: &[bool]) -> Value {
        let mask: Vec<i64> = own.iter().map(|own| if *own { -1 } else { 0 }).collect();
        self.lanes_constant(&mask)
    }

    /// The better of the values so far and these, in the lanes that have them.
    fn block_take(&mut self, best: Variable, value: Value, has: &[bool], (least, neutral): (bool, Value)) {
        let value = match has.iter().all(|has| *has) {
            true => value,
            false => {
                let mask = self.lanes_mask(has);
                self.em.builder.ins().bitselect(mask, value, neutral)
            }
        };
        let before = self.em.builder.use_var(best);
        let after = match self.plan.values {
            _ if least => self.em.builder.ins().smin(before, value),
            Values::Win => self.em.builder.ins().bor(before, value),
            _ => self.em.builder.ins().smax(before, value),
        };
        self.em.builder.def_var(best, after);
    }

    fn block_entries(&mut self, offset: i32, shift: i64) -> Value {
        let bytes = shift.wrapping_mul(self.plan.values.width() as i64).wrapping_add(offset.into());
        let (address, offset) = match i32::try_from(bytes) {
            Ok(offset) => (self.pointer, offset),
            Err(_) => (self.em.builder.ins().iadd_imm_s(self.pointer, bytes), 0),
        };
        self.em.builder.ins().load(self.plan.values.lanes(), table_flags(), address, offset)
    }

    fn lanes_value_of(&mut self, entries: Value, same: bool) -> Value {
        match (self.plan.values, same) {
            (Values::Win, false) => {
                let one = self.spread_number(1);
                self.em.builder.ins().bxor(entries, one)
            }
            (Values::Outcome, false) => self.em.builder.ins().ineg(entries),
            (Values::Remoteness { .. }, _) => self.lanes_one_more(entries, same),
            _ => entries,
        }
    }

    /// One position of a block: its looked-up options, its other options, its ends. Returns its value, as `i64`.
    fn block_place(&mut self, at: usize, place: &Place, ends: &mut Ends, done: &[Option<Value>]) -> Value {
        let offset = (at * self.plan.values.width()) as i32;
        let mut value = self.block_entry(self.pointer, offset);
        for option in &place.options {
            value = self.block_option(at, option, value, done);
        }
        let arena = &self.plan.formulas.arena;
        let always = place.options.iter().any(|option| arena.known(option.guard).is_some());
        if self.plan.values != Values::Win && !always {
            let nothing = self.em.number(self.no_option());
            let none = self.em.builder.ins().icmp(IntCC::Equal, value, nothing);
            let stuck = self.em.value(place.stuck);
            value = self.em.builder.ins().select(none, stuck, value);
        }
        for (when, worth) in place.ends.iter().rev() {
            let Some(over) = self.over(when, ends) else { continue };
            let worth = self.em.value(*worth);
            value = self.em.builder.ins().select(over, worth, value);
        }
        let entry = self.em.builder.ins().ireduce(self.plan.values.entry(), value);
        self.em.builder.ins().store(table_flags(), entry, self.pointer, offset);
        value
    }

    /// Whether one of the conditions holds that are tested now; `None` if none of them is tested.
    fn over(&mut self, when: &[Node], ends: &mut Ends) -> Option<Value> {
        if let [only] = when
            && self.plan.formulas.arena.known(*only).is_some()
        {
            return Some(self.em.truth(*only));
        }
        let own: Vec<Node> =
            ends.order.iter().filter(|node| when.contains(node) && ends.local.contains(node)).copied().collect();
        let mut found = None;
        for count in 1..=own.len() {
            let one = own[count - 1];
            found = Some(match (ends.known.get(&own[..count]), found) {
                (Some(value), _) => *value,
                (None, before) => {
                    let truth = self.em.truth(one);
                    let value = match before {
                        Some(before) => self.em.builder.ins().bor(before, truth),
                        None => truth,
                    };
                    ends.known.insert(own[..count].to_vec(), value);
                    value
                }
            });
        }
        found
    }

    fn block_entry(&mut self, address: Value, offset: i32) -> Value {
        let entry = self.em.builder.ins().load(self.plan.values.entry(), table_flags(), address, offset);
        match self.plan.values {
            Values::Win => self.em.builder.ins().uextend(types::I64, entry),
            _ => self.em.builder.ins().sextend(types::I64, entry),
        }
    }

    /// The better of a value and an option.
    fn block_option(&mut self, at: usize, option: &Single, value: Value, done: &[Option<Value>]) -> Value {
        let arena = &self.plan.formulas.arena;
        let width = self.plan.values.width() as i64;
        let inside = arena.known(option.shift).and_then(|shift| usize::try_from(at as i64 + shift).ok());
        if let Some(to) = inside.filter(|to| *to < done.len()) {
            // Inside the block it can be read even if the move is illegal.
            let entry = match done[to] {
                Some(entry) => entry,
                None => self.block_entry(self.pointer, (to as i64 * width) as i32),
            };
            let mut worth = self.block_worth(entry, option);
            if arena.known(option.guard).is_none() {
                let guard = self.em.truth(option.guard);
                let nothing = self.em.number(self.no_option());
                worth = self.em.builder.ins().select(guard, worth, nothing);
            }
            return self.better(value, worth);
        }
        let next = self.em.builder.create_block();
        let joined = self.em.builder.append_block_param(next, types::I64);
        self.em.push_scope();
        if arena.known(option.guard).is_none() {
            let guard = self.em.truth(option.guard);
            let then = self.em.builder.create_block();
            self.em.builder.ins().brif(guard, then, &[], next, &[value.into()]);
            self.em.builder.switch_to_block(then);
        }
        let shift = self.em.value(option.shift);
        let bytes = self.em.times(shift, width);
        let address = self.em.builder.ins().iadd(self.pointer, bytes);
        let entry = self.block_entry(address, (at as i64 * width) as i32);
        let worth = self.block_worth(entry, option);
        let better = self.better(value, worth);
        self.em.pop_scope();
        self.em.builder.ins().jump(next, &[better.into()]);
        self.em.builder.switch_to_block(next);
        joined
    }

    fn better(&mut self, a: Value, b: Value) -> Value {
        match self.plan.values {
            Values::Win => self.em.builder.ins().bor(a, b),
            _ => self.em.builder.ins().smax(a, b),
        }
    }

    fn block_worth(&mut self, entry: Value, option: &Single) -> Value {
        match self.plan.formulas.arena.known(option.same) {
            Some(same) => self.block_worth_of(entry, same != 0),
            None => {
                let (moves_on, passes) = (self.block_worth_of(entry, true), self.block_worth_of(entry, false));
                let same = self.em.truth(option.same);
                self.em.builder.ins().select(same, moves_on, passes)
            }
        }
    }

    fn block_worth_of(&mut self, entry: Value, same: bool) -> Value {
        match (self.plan.values, same) {
            (Values::Win, false) => self.em.builder.ins().bxor_imm_s(entry, 1),
            (Values::Outcome, false) => self.em.builder.ins().ineg(entry),
            (Values::Remoteness { .. }, _) => self.one_move_more(entry, same),
            _ => entry,
        }
    }
}
