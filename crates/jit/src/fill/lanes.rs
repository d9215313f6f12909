//! Many positions of a row at once, in the lanes of 128-bit registers.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{ConstantData, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::Variable;
use formula::{Node, Range};

use super::nest::Nest;
use super::rows::{LaneGain, RowMove, Rows};
use super::scalar::table_flags;
use super::values::Values;

/// Copies of lists as narrow as the entries of the table, so that a register is filled by one read.
#[derive(Debug, Default)]
pub(crate) struct Narrow {
    copies: Vec<(u32, Range, usize, Box<[u8]>)>,
}

impl Narrow {
    /// The address of item 0 of a copy that covers the range, with zeros outside the list.
    pub fn address(&mut self, list: u32, items: &[i64], range: Range, width: usize) -> i64 {
        let same = |copy: &(u32, Range, usize, Box<[u8]>)| copy.0 == list && copy.1 == range && copy.2 == width;
        let at = match self.copies.iter().position(same) {
            Some(at) => at,
            None => {
                let item =
                    |index: i64| usize::try_from(index).ok().and_then(|index| items.get(index)).copied().unwrap_or(0);
                let copy = (range.low..=range.high).flat_map(|index| item(index).to_le_bytes().into_iter().take(width));
                self.copies.push((list, range, width, copy.collect()));
                self.copies.len() - 1
            }
        };
        (self.copies[at].3.as_ptr() as i64).wrapping_sub(range.low.wrapping_mul(width as i64))
    }
}

/// What is kept of the options of several positions.
struct Lanes {
    /// Best so far.
    best: Variable,
    /// The least entry of options where the other player moves, for outcomes and remoteness. That is the best option,
    /// and its value is computed once at the end.
    worst: Option<Variable>,
}

impl Nest<'_, '_> {
    /// Writes the loops from the slice on, and a row inside.
    pub fn rows(&mut self, split: usize, rows: &Rows, narrow: &mut Narrow) {
        let mut roots = self.plan.roots();
        roots.extend(rows.roots());
        let last = self.plan.vars.len() - 1;
        self.outer(&roots);
        for level in split..last {
            self.open(level, &roots);
        }
        self.row(rows, narrow);
        for _ in split..last {
            self.close();
        }
        self.finish();
    }

    /// The address of the entry for a value of the last variable; `row` is the address for its least value.
    pub fn at(&mut self, row: Value, value: Value) -> Value {
        let var = &self.plan.vars[self.plan.vars.len() - 1];
        let width = self.plan.values.width() as i64;
        let bytes = self.em.times(value, width);
        let from = self.em.builder.ins().iadd_imm_s(row, var.low.wrapping_mul(width).wrapping_neg());
        self.em.builder.ins().iadd(from, bytes)
    }

    /// Fills a row: the even part many at a time, the rest one at a time.
    fn row(&mut self, rows: &Rows, narrow: &mut Narrow) {
        let plan = self.plan;
        let last = plan.vars.len() - 1;
        let var = &plan.vars[last];
        let ascending = var.ascending || plan.strict <= last;
        let (low, high) = self.bounds(last);
        let (mut from, mut to) = (low, high);
        for &bound in &rows.lower {
            let bound = self.em.value(bound);
            from = self.em.builder.ins().smax(from, bound);
        }
        for &bound in &rows.upper {
            let bound = self.em.value(bound);
            to = self.em.builder.ins().smin(to, bound);
        }
        let row = self.pointer;
        let (header, inside, many, one, after) = (
            self.em.builder.create_block(),
            self.em.builder.create_block(),
            self.em.builder.create_block(),
            self.em.builder.create_block(),
            self.em.builder.create_block(),
        );
        let current = self.em.builder.append_block_param(header, types::I64);
        self.em.builder.ins().jump(header, &[if ascending { low } else { high }.into()]);
        self.em.builder.switch_to_block(header);
        let more = match ascending {
            true => self.em.builder.ins().icmp(IntCC::SignedLessThanOrEqual, current, high),
            false => self.em.builder.ins().icmp(IntCC::SignedGreaterThanOrEqual, current, low),
        };
        self.em.builder.ins().brif(more, inside, &[], after, &[]);
        self.em.builder.switch_to_block(inside);
        let end = self.even_end(rows, current, if ascending { to } else { from }, ascending);
        let shortest = if rows.bits { 16 } else { 16 / plan.values.width() as i64 };
        let (first_even, last_even) = if ascending { (from, end) } else { (end, to) };
        let length = match ascending {
            true => self.em.builder.ins().isub(end, current),
            false => self.em.builder.ins().isub(current, end),
        };
        let long = self.em.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, length, shortest - 1);
        let begun = match ascending {
            true => self.em.builder.ins().icmp(IntCC::SignedGreaterThanOrEqual, current, first_even),
            false => self.em.builder.ins().icmp(IntCC::SignedLessThanOrEqual, current, last_even),
        };
        let both = self.em.builder.ins().band(long, begun);
        self.em.builder.ins().brif(both, many, &[], one, &[]);

        self.em.builder.switch_to_block(many);
        self.em.push_scope();
        match rows.bits {
            true => self.row_bits(rows, row, current, end),
            false => self.row_lanes(rows, row, current, end, ascending, narrow),
        }
        self.em.pop_scope();
        let step = if ascending { 1 } else { -1 };
        let next = self.em.builder.ins().iadd_imm_s(end, step);
        self.em.builder.ins().jump(header, &[next.into()]);

        self.em.builder.switch_to_block(one);
        self.em.push_scope();
        self.em.bind(var.node, current);
        self.pointer = self.at(row, current);
        self.position();
        self.pointer = row;
        self.em.pop_scope();
        let next = self.em.builder.ins().iadd_imm_s(current, step);
        self.em.builder.ins().jump(header, &[next.into()]);
        self.em.builder.switch_to_block(after);
    }

    /// The end of the even part that begins here: at a break, or where some comparison changes.
    fn even_end(&mut self, rows: &Rows, current: Value, end: Value, ascending: bool) -> Value {
        let mut end = end;
        for &at in &rows.breaks {
            let at = self.em.value(at);
            let (ahead, step) = match ascending {
                true => (IntCC::SignedGreaterThanOrEqual, -1),
                false => (IntCC::SignedLessThanOrEqual, 1),
            };
            let ahead = self.em.builder.ins().icmp(ahead, at, current);
            let before = self.em.builder.ins().iadd_imm_s(at, step);
            let nearer = match ascending {
                true => self.em.builder.ins().smin(end, before),
                false => self.em.builder.ins().smax(end, before),
            };
            end = self.em.builder.ins().select(ahead, nearer, end);
        }
        end
    }

    /// Fills from `current` to `end` in lanes. The last lanes overlap those before and write the same values again.
    fn row_lanes(&mut self, rows: &Rows, row: Value, current: Value, end: Value, ascending: bool, narrow: &mut Narrow) {
        let lanes = 16 / self.plan.values.width() as i64;
        let (header, after) = (self.em.builder.create_block(), self.em.builder.create_block());
        let place = self.em.builder.append_block_param(header, types::I64);
        let (first, last) = match ascending {
            true => (current, self.em.builder.ins().iadd_imm_s(end, 1 - lanes)),
            false => (self.em.builder.ins().iadd_imm_s(current, 1 - lanes), end),
        };
        self.em.builder.ins().jump(header, &[first.into()]);
        self.em.builder.switch_to_block(header);
        self.em.push_scope();
        let variable = self.plan.vars[self.plan.vars.len() - 1].node;
        self.em.bind(variable, place);
        self.pointer = self.at(row, place);
        let value = self.lanes_value(rows, place, narrow);
        self.em.builder.ins().store(table_flags(), value, self.pointer, 0);
        if rows.moves.iter().any(|step| step.near) {
            self.chain(rows, place, ascending, narrow);
        }
        self.pointer = row;
        self.em.pop_scope();
        let done = self.em.builder.ins().icmp(IntCC::Equal, place, last);
        let next = self.em.builder.ins().iadd_imm_s(place, if ascending { lanes } else { -lanes });
        let next = match ascending {
            true => self.em.builder.ins().smin(next, last),
            false => self.em.builder.ins().smax(next, last),
        };
        self.em.builder.ins().brif(done, after, &[], header, &[next.into()]);
        self.em.builder.switch_to_block(after);
    }

    /// The values of the positions from the pointer on.
    fn lanes_value(&mut self, rows: &Rows, place: Value, narrow: &mut Narrow) -> Value {
        let lanes = self.plan.values.lanes();
        let result = self.em.builder.create_block();
        let value = self.em.builder.append_block_param(result, lanes);
        self.em.push_scope();
        for end in &rows.ends {
            let next = self.em.builder.create_block();
            self.em.branch_unless(end.when, next);
            self.em.push_scope();
            let worth = self.spread(end.value);
            self.em.builder.ins().jump(result, &[worth.into()]);
            self.em.pop_scope();
            self.em.builder.switch_to_block(next);
        }
        let best = self.lanes_start(rows);
        for step in rows.moves.iter().filter(|step| !step.near) {
            let next = self.em.builder.create_block();
            if self.plan.formulas.arena.known(step.guard) != Some(1) {
                self.em.branch_unless(step.guard, next);
            }
            self.em.push_scope();
            let entries = self.lanes_entries(step.shift);
            self.lanes_option(step, entries, place, &best, narrow);
            self.em.pop_scope();
            self.em.builder.ins().jump(next, &[]);
            self.em.builder.switch_to_block(next);
        }
        let mut found = self.lanes_finished(&best);
        let near = rows.moves.iter().any(|step| step.near);
        if !near && self.plan.formulas.arena.known(rows.any) != Some(1) && !self.nothing_is_stuck() {
            let (any, stuck) = (self.em.truth(rows.any), self.spread(rows.stuck));
            found = self.em.builder.ins().select(any, found, stuck);
        }
        self.em.builder.ins().jump(result, &[found.into()]);
        self.em.pop_scope();
        self.em.builder.switch_to_block(result);
        value
    }

    /// Whether the value found without moves is the value of a position without moves.
    fn nothing_is_stuck(&self) -> bool {
        self.plan.values == Values::Win && self.plan.never(self.plan.stuck)
    }

    /// A node's value in every lane.
    pub fn spread(&mut self, node: Node) -> Value {
        let value = self.em.value(node);
        self.spread_value(value)
    }

    /// An `i64` in every lane.
    pub fn spread_value(&mut self, value: Value) -> Value {
        let values = self.plan.values;
        let value = match values.entry() {
            types::I64 => value,
            narrow => self.em.builder.ins().ireduce(narrow, value),
        };
        self.em.builder.ins().splat(values.lanes(), value)
    }

    /// A number in every lane.
    pub fn spread_number(&mut self, number: i64) -> Value {
        let width = self.plan.values.width();
        let lanes = vec![number; 16 / width];
        self.lanes_constant(&lanes)
    }

    /// These numbers, one in each lane.
    pub fn lanes_constant(&mut self, numbers: &[i64]) -> Value {
        let width = self.plan.values.width();
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)).collect();
        self.bytes_constant(self.plan.values.lanes(), bytes)
    }

    /// A constant of 16 bytes.
    pub fn bytes_constant(&mut self, of: Type, bytes: Vec<u8>) -> Value {
        let constant = self.em.builder.func.dfg.constants.insert(ConstantData::from(bytes));
        self.em.builder.ins().vconst(of, constant)
    }

    /// The entries of the options at this shift.
    pub fn lanes_entries(&mut self, shift: Node) -> Value {
        let width = self.plan.values.width() as i64;
        let known = self.plan.formulas.arena.known(shift).and_then(|shift| shift.checked_mul(width));
        let (address, offset) = match known.and_then(|offset| i32::try_from(offset).ok()) {
            Some(offset) => (self.pointer, offset),
            None => {
                let shift = self.em.value(shift);
                let bytes = self.em.times(shift, width);
                (self.em.builder.ins().iadd(self.pointer, bytes), 0)
            }
        };
        self.em.builder.ins().load(self.plan.values.lanes(), table_flags(), address, offset)
    }

    fn lanes_start(&mut self, rows: &Rows) -> Lanes {
        let values = self.plan.values;
        let first = match values {
            Values::Win => 1,
            _ => values.nothing(),
        };
        let best = self.lanes_variable(first);
        let others = rows.moves.iter().any(|step| !step.same && !step.near);
        let least = matches!(values, Values::Outcome | Values::Remoteness { .. });
        let worst = (least && others).then(|| self.lanes_variable(values.largest()));
        Lanes { best, worst }
    }

    fn lanes_variable(&mut self, first: i64) -> Variable {
        let variable = self.em.builder.declare_var(self.plan.values.lanes());
        let first = self.spread_number(first);
        self.em.builder.def_var(variable, first);
        variable
    }

    fn lanes_option(&mut self, step: &RowMove, entries: Value, place: Value, best: &Lanes, narrow: &mut Narrow) {
        let before = self.em.builder.use_var(best.best);
        let after = match self.plan.values {
            Values::Win => {
                // 1 while no option is good: all are won by the mover there, or lost if that is the same player.
                let bad = match step.same {
                    false => entries,
                    true => {
                        let one = self.spread_number(1);
                        self.em.builder.ins().bxor(entries, one)
                    }
                };
                self.em.builder.ins().band(before, bad)
            }
            Values::Outcome | Values::Remoteness { .. } => match (best.worst, step.same) {
                (Some(worst), false) => {
                    let least = self.em.builder.use_var(worst);
                    let ordered = self.ordered(entries);
                    let least = self.em.builder.ins().smin(least, ordered);
                    self.em.builder.def_var(worst, least);
                    return;
                }
                _ => {
                    let worth = match self.plan.values {
                        Values::Outcome => entries,
                        _ => self.lanes_one_more(entries, step.same),
                    };
                    self.em.builder.ins().smax(before, worth)
                }
            },
            _ => {
                let gain = self.lanes_gain(&step.gain, None, place, narrow);
                let value = match step.same {
                    true => self.em.builder.ins().iadd(gain, entries),
                    false => self.em.builder.ins().isub(gain, entries),
                };
                self.em.builder.ins().smax(before, value)
            }
        };
        self.em.builder.def_var(best.best, after);
    }

    /// Entries as numbers of which the least is the best option for the mover. Keys of draws change sign, because both
    /// players prefer a near draw.
    pub fn ordered(&mut self, entries: Value) -> Value {
        if self.plan.values == Values::Outcome || !self.plan.draws() {
            return entries;
        }
        // Won keys are above 0 anyway, so won and drawn keys both become absolute values.
        let lost = self.spread_number(self.plan.values.largest_loss());
        let above = self.em.builder.ins().icmp(IntCC::SignedGreaterThan, entries, lost);
        let absolute = self.em.builder.ins().iabs(entries);
        self.em.builder.ins().bitselect(above, absolute, entries)
    }

    /// The value to the mover of the least [`Nest::ordered`] entry: lost g → −1 − g, drawn g → −1 − g, won g → 1 − g.
    pub fn of_least(&mut self, least: Value) -> Value {
        let values = self.plan.values;
        if values == Values::Outcome {
            return self.em.builder.ins().ineg(least);
        }
        let (half, two) = (self.spread_number(values.largest() / 2), self.spread_number(2));
        let won = self.em.builder.ins().icmp(IntCC::SignedGreaterThan, least, half);
        let more = self.em.builder.ins().band(won, two);
        let plain = self.em.builder.ins().bnot(least);
        self.em.builder.ins().iadd(plain, more)
    }

    /// Keys of remoteness one move before these.
    pub fn lanes_one_more(&mut self, keys: Value, same: bool) -> Value {
        let values = self.plan.values;
        let (one, lost) = (self.spread_number(1), self.spread_number(values.largest_loss()));
        let further = self.em.builder.ins().isub(keys, one);
        let above = self.em.builder.ins().icmp(IntCC::SignedGreaterThan, keys, lost);
        if same {
            let later = self.em.builder.ins().iadd(keys, one);
            return self.em.builder.ins().bitselect(above, further, later);
        }
        let zero = self.spread_number(0);
        let won = self.em.builder.ins().icmp(IntCC::SignedGreaterThan, keys, zero);
        let (of_won, of_lost) = (self.em.builder.ins().isub(one, keys), self.em.builder.ins().bnot(keys));
        let other = self.em.builder.ins().bitselect(above, further, of_lost);
        self.em.builder.ins().bitselect(won, of_won, other)
    }

    /// The gains of the positions from `place` on; `uniform` is the uniform part, if already computed.
    pub fn lanes_gain(&mut self, gain: &LaneGain, uniform: Option<Value>, place: Value, narrow: &mut Narrow) -> Value {
        let width = self.plan.values.width();
        let mut sum = match (self.plan.never(gain.uniform), uniform) {
            (true, _) => None,
            (_, Some(uniform)) => Some(uniform),
            _ => Some(self.spread(gain.uniform)),
        };
        if gain.variable != 0 {
            let first = self.em.times(place, gain.variable);
            let first = self.spread_value(first);
            let steps: Vec<i64> = (0..16 / width as i64).map(|lane| lane.wrapping_mul(gain.variable)).collect();
            let steps = self.lanes_constant(&steps);
            let all = self.em.builder.ins().iadd(first, steps);
            sum = Some(self.add_lanes(sum, all));
        }
        for item in &gain.items {
            let mut items = self.items(item, self.plan.values.lanes(), narrow);
            if item.3 != 1 {
                let factor = self.spread_number(item.3);
                items = self.em.builder.ins().imul(items, factor);
            }
            sum = Some(self.add_lanes(sum, items));
        }
        match sum {
            Some(sum) => sum,
            None => self.spread_number(0),
        }
    }

    /// The gain of the position at `place`, in the entry's type; `uniform` is the uniform part as `i64`.
    pub fn single_gain(&mut self, gain: &LaneGain, uniform: Value, place: Value, narrow: &mut Narrow) -> Value {
        let entry = self.plan.values.entry();
        let more = self.em.times(place, gain.variable);
        let sum = self.em.builder.ins().iadd(uniform, more);
        let mut sum = self.em.builder.ins().ireduce(entry, sum);
        for item in &gain.items {
            let one = self.items(item, entry, narrow);
            let one = self.em.builder.ins().imul_imm_s(one, item.3);
            sum = self.em.builder.ins().iadd(sum, one);
        }
        sum
    }

    /// Items of a list, from the index at the current value of the last variable on.
    fn items(&mut self, item: &(u32, Node, Range, i64), of: Type, narrow: &mut Narrow) -> Value {
        let &(list, index, range, _) = item;
        let width = self.plan.values.width();
        let address = narrow.address(list, &self.plan.formulas.lists[list as usize], range, width);
        let base = self.em.number(address);
        let index = self.em.value(index);
        let offset = self.em.times(index, width as i64);
        let address = self.em.builder.ins().iadd(base, offset);
        let flags = MemFlagsData::new().with_notrap().with_readonly();
        self.em.builder.ins().load(of, flags, address, 0)
    }

    fn add_lanes(&mut self, sum: Option<Value>, more: Value) -> Value {
        match sum {
            Some(sum) => self.em.builder.ins().iadd(sum, more),
            None => more,
        }
    }

    fn lanes_finished(&mut self, best: &Lanes) -> Value {
        let value = self.em.builder.use_var(best.best);
        match (self.plan.values, best.worst) {
            (Values::Win, _) => {
                let one = self.spread_number(1);
                self.em.builder.ins().bxor(value, one)
            }
            (_, Some(worst)) => {
                let worst = self.em.builder.use_var(worst);
                let other = self.of_least(worst);
                self.em.builder.ins().smax(value, other)
            }
            _ => value,
        }
    }
}
