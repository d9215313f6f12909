//! The code of passes over rows.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use formula::Node;

use super::lanes::Narrow;
use super::nest::Nest;
use super::passes::{Pass, Passes, Target};
use super::scalar::table_flags;
use super::values::Values;

/// Part of a row.
#[derive(Clone, Copy)]
struct Part {
    /// The address of the entry for the least value of the last variable.
    row: Value,
    /// Where the part begins and ends.
    from: Value,
    to: Value,
}

/// The work on positions: at an address with an offset, at a value of the last variable, in lanes or on one position.
type Body<'b, N> = dyn FnMut(&mut N, (Value, i32), Value, bool) + 'b;

impl Nest<'_, '_> {
    /// Writes the loops from the slice on, and a row inside.
    pub fn passes(&mut self, split: usize, passes: &Passes, narrow: &mut Narrow) {
        let mut roots = passes.roots();
        roots.push(self.plan.stuck);
        roots.extend(self.plan.ends.iter().flat_map(|end| [end.when, end.value]));
        roots.extend(self.plan.vars.iter().flat_map(|var| var.lower.iter().chain(&var.upper)));
        let last = self.plan.vars.len() - 1;
        self.outer(&roots);
        for level in split..last {
            self.open(level, &roots);
        }
        self.row_passes(passes, narrow);
        for _ in split..last {
            self.close();
        }
        self.finish();
    }

    fn row_passes(&mut self, passes: &Passes, narrow: &mut Narrow) {
        let plan = self.plan;
        let (from, to) = self.bounds(plan.vars.len() - 1);
        let part = Part { row: self.pointer, from, to };
        let after = self.em.builder.create_block();
        self.em.push_scope();
        for end in &plan.ends {
            let next = self.em.builder.create_block();
            self.em.branch_unless(end.when, next);
            self.em.push_scope();
            let value = self.em.value(end.value);
            self.set_all(part, value);
            self.em.pop_scope();
            self.em.builder.ins().jump(after, &[]);
            self.em.builder.switch_to_block(next);
        }
        let nothing = self.em.number(self.nothing());
        self.set_all(part, nothing);
        for pass in &passes.passes {
            self.pass(pass, part, narrow);
        }
        if plan.values != Values::Win {
            self.replace_nothing(part);
        }
        self.em.pop_scope();
        self.em.builder.ins().jump(after, &[]);
        self.em.builder.switch_to_block(after);
    }

    /// The mark of "no option so far".
    fn nothing(&self) -> i64 {
        if self.plan.values == Values::Win { 0 } else { self.plan.values.nothing() }
    }

    fn set_all(&mut self, part: Part, value: Value) {
        let all = self.spread_value(value);
        self.each(part, &mut |nest, (address, offset), _, lanes| {
            let value = if lanes { all } else { nest.narrow(value) };
            nest.em.builder.ins().store(table_flags(), value, address, offset);
        });
    }

    pub fn narrow(&mut self, value: Value) -> Value {
        match self.plan.values.entry() {
            types::I64 => value,
            narrow => self.em.builder.ins().ireduce(narrow, value),
        }
    }

    /// Gives positions without options their value.
    fn replace_nothing(&mut self, part: Part) {
        let stuck = self.em.value(self.plan.stuck);
        let (all_stuck, all_nothing) = (self.spread_value(stuck), self.spread_number(self.nothing()));
        let nothing = self.em.number(self.nothing());
        let (stuck, nothing) = (self.narrow(stuck), self.narrow(nothing));
        let (lanes_type, entry) = (self.plan.values.lanes(), self.plan.values.entry());
        self.each(part, &mut |nest, (address, offset), _, lanes| {
            let (of, stuck, nothing) =
                if lanes { (lanes_type, all_stuck, all_nothing) } else { (entry, stuck, nothing) };
            let found = nest.em.builder.ins().load(of, table_flags(), address, offset);
            let none = nest.em.builder.ins().icmp(IntCC::Equal, found, nothing);
            let value = match lanes {
                true => nest.em.builder.ins().bitselect(none, stuck, found),
                false => nest.em.builder.ins().select(none, stuck, found),
            };
            nest.em.builder.ins().store(table_flags(), value, address, offset);
        });
    }

    /// Runs over a part of a row in lanes, the last ones overlapping those before; one by one if the part is shorter
    /// than that. `body` gets an address with an offset and the value of the last variable there. It may run twice at
    /// one position.
    fn each(&mut self, part: Part, body: &mut Body<'_, Self>) {
        let lanes = 16 / self.plan.values.width() as i64;
        let b = &mut self.em.builder;
        let (many, few, after) = (b.create_block(), b.create_block(), b.create_block());
        let (wide, single, some) = (b.create_block(), b.create_block(), b.create_block());
        let last = b.ins().iadd_imm_s(part.to, 1 - lanes);
        let enough = b.ins().icmp(IntCC::SignedGreaterThanOrEqual, last, part.from);
        b.ins().brif(enough, many, &[], few, &[]);
        b.switch_to_block(many);
        // Four registers at a time: the loop itself costs as much as one of them. The last four overlap those before,
        // so that the length of the row costs one misprediction and not two.
        let (four, rest) = (b.create_block(), b.create_block());
        let place = b.append_block_param(four, types::I64);
        let last_four = b.ins().iadd_imm_s(part.to, 1 - 4 * lanes);
        let enough = b.ins().icmp(IntCC::SignedGreaterThanOrEqual, last_four, part.from);
        b.ins().brif(enough, four, &[part.from.into()], rest, &[]);
        b.switch_to_block(four);
        let address = self.at(part.row, place);
        for register in 0..4 {
            self.em.push_scope();
            let place = self.em.builder.ins().iadd_imm_s(place, lanes * i64::from(register));
            body(self, (address, 16 * register), place, true);
            self.em.pop_scope();
        }
        let b = &mut self.em.builder;
        let done = b.ins().icmp(IntCC::Equal, place, last_four);
        let next = b.ins().iadd_imm_s(place, 4 * lanes);
        let next = b.ins().smin(next, last_four);
        b.ins().brif(done, after, &[], four, &[next.into()]);
        b.switch_to_block(rest);
        let place = b.append_block_param(wide, types::I64);
        b.ins().jump(wide, &[part.from.into()]);
        b.switch_to_block(wide);
        self.em.push_scope();
        let address = self.at(part.row, place);
        body(self, (address, 0), place, true);
        self.em.pop_scope();
        let b = &mut self.em.builder;
        let done = b.ins().icmp(IntCC::Equal, place, last);
        let next = b.ins().iadd_imm_s(place, lanes);
        let next = b.ins().smin(next, last);
        b.ins().brif(done, after, &[], wide, &[next.into()]);
        b.switch_to_block(few);
        let any = b.ins().icmp(IntCC::SignedLessThanOrEqual, part.from, part.to);
        b.ins().brif(any, some, &[], after, &[]);
        b.switch_to_block(some);
        let place = b.append_block_param(single, types::I64);
        b.ins().jump(single, &[part.from.into()]);
        b.switch_to_block(single);
        self.em.push_scope();
        let address = self.at(part.row, place);
        body(self, (address, 0), place, false);
        self.em.pop_scope();
        let b = &mut self.em.builder;
        let done = b.ins().icmp(IntCC::Equal, place, part.to);
        let next = b.ins().iadd_imm_s(place, 1);
        b.ins().brif(done, after, &[], single, &[next.into()]);
        b.switch_to_block(after);
    }

    fn extreme(&mut self, start: Value, nodes: &[Node], largest: bool) -> Value {
        let mut found = start;
        for &node in nodes {
            let value = self.em.value(node);
            found = match largest {
                true => self.em.builder.ins().smax(found, value),
                false => self.em.builder.ins().smin(found, value),
            };
        }
        found
    }

    fn pass(&mut self, pass: &Pass, row: Part, narrow: &mut Narrow) {
        let after = self.em.builder.create_block();
        self.em.push_scope();
        for &guard in &pass.guards {
            self.em.branch_unless(guard, after);
        }
        let Some((choice, lows, highs)) = &pass.count else {
            self.pass_once(pass, row, narrow);
            self.em.pop_scope();
            self.em.builder.ins().jump(after, &[]);
            self.em.builder.switch_to_block(after);
            return;
        };
        let first = self.em.value(lows[0]);
        let first = self.extreme(first, &lows[1..], true);
        let last = self.em.value(highs[0]);
        let last = self.extreme(last, &highs[1..], false);
        let (header, next) = (self.em.builder.create_block(), self.em.builder.create_block());
        let number = self.em.builder.append_block_param(header, types::I64);
        let some = self.em.builder.ins().icmp(IntCC::SignedLessThanOrEqual, first, last);
        self.em.builder.ins().brif(some, header, &[first.into()], after, &[]);
        self.em.builder.switch_to_block(header);
        self.em.push_scope();
        self.em.bind(*choice, number);
        for &guard in &pass.inner {
            self.em.branch_unless(guard, next);
        }
        self.pass_once(pass, row, narrow);
        self.em.pop_scope();
        self.em.builder.ins().jump(next, &[]);
        self.em.builder.switch_to_block(next);
        let more = self.em.builder.ins().iadd_imm_s(number, 1);
        let done = self.em.builder.ins().icmp(IntCC::Equal, number, last);
        self.em.builder.ins().brif(done, after, &[], header, &[more.into()]);
        self.em.pop_scope();
        self.em.builder.switch_to_block(after);
    }

    /// One pass for a fixed choice.
    fn pass_once(&mut self, pass: &Pass, row: Part, narrow: &mut Narrow) {
        let width = self.plan.values.width() as i64;
        let from = self.extreme(row.from, &pass.lower, true);
        let to = self.extreme(row.to, &pass.upper, false);
        let part = Part { from, to, ..row };
        // What all positions have in common is computed before the loop.
        let (Target::Beside(node) | Target::Common(node)) = pass.target;
        let offset = self.em.value(node);
        let bytes = self.em.times(offset, width);
        let uniform = self.em.value(pass.gain.uniform);
        let all_uniform = self.spread_value(uniform);
        let var = &self.plan.vars[self.plan.vars.len() - 1];
        let values = self.plan.values;
        let entry = values.entry();
        let common = match pass.target {
            Target::Beside(_) => None,
            Target::Common(_) => {
                // The option exists only if the part is not empty.
                let (some, none, join) =
                    (self.em.builder.create_block(), self.em.builder.create_block(), self.em.builder.create_block());
                let loaded = self.em.builder.append_block_param(join, entry);
                let any = self.em.builder.ins().icmp(IntCC::SignedLessThanOrEqual, from, to);
                self.em.builder.ins().brif(any, some, &[], none, &[]);
                self.em.builder.switch_to_block(some);
                let address = self.em.builder.ins().iadd(row.row, bytes);
                let address = self.em.builder.ins().iadd_imm_s(address, var.low.wrapping_mul(width).wrapping_neg());
                let one = self.em.builder.ins().load(entry, table_flags(), address, 0);
                self.em.builder.ins().jump(join, &[one.into()]);
                self.em.builder.switch_to_block(none);
                let zero = self.em.builder.ins().iconst(entry, 0);
                self.em.builder.ins().jump(join, &[zero.into()]);
                self.em.builder.switch_to_block(join);
                Some((loaded, self.em.builder.ins().splat(values.lanes(), loaded)))
            }
        };
        let gain = &pass.gain;
        self.each(part, &mut |nest, (address, offset), place, lanes| {
            let of = if lanes { values.lanes() } else { entry };
            let best = nest.em.builder.ins().load(of, table_flags(), address, offset);
            let option = match (common, lanes) {
                (Some((_, all)), true) => all,
                (Some((one, _)), false) => one,
                (None, _) => {
                    let option = nest.em.builder.ins().iadd(address, bytes);
                    nest.em.builder.ins().load(of, table_flags(), option, offset)
                }
            };
            let variable = nest.plan.vars[nest.plan.vars.len() - 1].node;
            nest.em.bind(variable, place);
            let value = match lanes {
                true => {
                    let gain = nest.lanes_gain(gain, Some(all_uniform), place, narrow);
                    nest.lanes_worth(option, gain, pass.same)
                }
                false => {
                    let gain = nest.single_gain(gain, uniform, place, narrow);
                    nest.single_worth(option, gain, pass.same)
                }
            };
            let value = match values {
                Values::Win => nest.em.builder.ins().bor(best, value),
                _ => nest.em.builder.ins().smax(best, value),
            };
            nest.em.builder.ins().store(table_flags(), value, address, offset);
        });
    }

    /// The values of options with these entries to the mover, lane by lane; for won and lost, 1 for a good option.
    fn lanes_worth(&mut self, entries: Value, gain: Value, same: bool) -> Value {
        match (self.plan.values, same) {
            (Values::Win, false) => {
                let one = self.spread_number(1);
                self.em.builder.ins().bxor(entries, one)
            }
            (Values::Win | Values::Outcome, true) => entries,
            (Values::Outcome, false) => self.em.builder.ins().ineg(entries),
            (Values::Remoteness { .. }, _) => self.lanes_one_more(entries, same),
            (_, true) => self.em.builder.ins().iadd(gain, entries),
            (_, false) => self.em.builder.ins().isub(gain, entries),
        }
    }

    /// The value of one option to the mover, in the entry's type; like [`Nest::lanes_worth`].
    pub fn single_worth(&mut self, entry: Value, gain: Value, same: bool) -> Value {
        match (self.plan.values, same) {
            (Values::Win, false) => self.em.builder.ins().bxor_imm_s(entry, 1),
            (Values::Win | Values::Outcome, true) => entry,
            (Values::Outcome, false) => self.em.builder.ins().ineg(entry),
            (Values::Remoteness { .. }, _) => {
                let key = self.em.builder.ins().sextend(types::I64, entry);
                let key = self.one_move_more(key, same);
                self.narrow(key)
            }
            (_, true) => self.em.builder.ins().iadd(gain, entry),
            (_, false) => self.em.builder.ins().isub(gain, entry),
        }
    }
}
