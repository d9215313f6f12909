//! Won and lost along a row, 64 positions at a time as bits: lost positions push, the others are skipped.
//!
//! Options in other rows, or far back in the same row, are looked up in lanes and show which positions they make won.
//! The rest is decided from the first position on: the next position that is not won is lost, and makes all positions
//! won from which it is reached. So the work in a row is proportional to the lost positions, not to positions times
//! moves.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{ConstantData, InstBuilder, MemFlagsData, Value, types};

use super::nest::Nest;
use super::rows::{RowMove, Rows};
use super::scalar::table_flags;

/// How many positions fit in one register.
const LANES: i64 = 16;

impl Nest<'_, '_> {
    /// Fills a row from `current` to `end`, at least 16 positions. The row must be filled up to `current`.
    pub fn row_bits(&mut self, rows: &Rows, row: Value, current: Value, end: Value) {
        let after = self.em.builder.create_block();
        for case in &rows.ends {
            let next = self.em.builder.create_block();
            self.em.branch_unless(case.when, next);
            self.em.push_scope();
            self.fill_row(case.value, row, current, end);
            self.em.pop_scope();
            self.em.builder.ins().jump(after, &[]);
            self.em.builder.switch_to_block(next);
        }
        let mask = self.push_mask(rows);
        let pushed = self.pushed_before(row, current, mask);
        let (header, whole, part) =
            (self.em.builder.create_block(), self.em.builder.create_block(), self.em.builder.create_block());
        let place = self.em.builder.append_block_param(header, types::I64);
        let pushed_here = self.em.builder.append_block_param(header, types::I64);
        self.em.builder.ins().jump(header, &[current.into(), pushed.into()]);
        self.em.builder.switch_to_block(header);
        let left = self.em.builder.ins().isub(end, place);
        let full = self.em.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, left, 63);
        self.em.builder.ins().brif(full, whole, &[], part, &[]);

        self.em.builder.switch_to_block(whole);
        self.em.push_scope();
        let won = self.whole_word(rows, row, place);
        let won = self.em.builder.ins().bor(won, pushed_here);
        let (lost, pushed_next) = self.decide(won, mask);
        let at = self.at(row, place);
        for group in 0..4 {
            let bits = self.em.builder.ins().ushr_imm_s(lost, group * LANES);
            self.write_bits(bits, at, (group * LANES) as i32);
        }
        let next = self.em.builder.ins().iadd_imm_s(place, 64);
        self.em.pop_scope();
        let more = self.em.builder.ins().icmp(IntCC::SignedLessThanOrEqual, next, end);
        self.em.builder.ins().brif(more, header, &[next.into(), pushed_next.into()], after, &[]);

        self.em.builder.switch_to_block(part);
        self.em.push_scope();
        self.part_word(rows, row, place, end, pushed_here, mask);
        self.em.pop_scope();
        self.em.builder.ins().jump(after, &[]);
        self.em.builder.switch_to_block(after);
    }

    /// Bit d is set if a lost position makes the position d further on won; bit 0 is always set.
    fn push_mask(&mut self, rows: &Rows) -> Value {
        let mut always = 1i64;
        let mut sometimes = Vec::new();
        for step in rows.moves.iter().filter(|step| step.push) {
            let Some(distance) = step.within.map(i64::unsigned_abs) else { continue };
            match self.plan.formulas.arena.known(step.guard) {
                Some(_) => always |= 1 << distance,
                None => sometimes.push((step.guard, 1i64 << distance)),
            }
        }
        let mut mask = self.em.number(always);
        for (guard, bit) in sometimes {
            let guard = self.em.truth(guard);
            let (bit, zero) = (self.em.number(bit), self.em.number(0));
            let bit = self.em.builder.ins().select(guard, bit, zero);
            mask = self.em.builder.ins().bor(mask, bit);
        }
        mask
    }

    /// What a lost position `t` steps into a word pushes beyond the word.
    fn beyond(&mut self, mask: Value, t: Value) -> Value {
        // mask >> (64 − t), with t = 0 giving 0: bit 0 of the mask is never needed here.
        let rest = self.em.builder.ins().ushr_imm_s(mask, 1);
        let by = self.em.builder.ins().bnot(t);
        self.em.builder.ins().ushr(rest, by)
    }

    /// What the lost positions before `current` push to it and beyond, read from the table.
    fn pushed_before(&mut self, row: Value, current: Value, mask: Value) -> Value {
        let var = &self.plan.vars[self.plan.vars.len() - 1];
        let first = self.em.number(var.low);
        let from = self.em.builder.ins().iadd_imm_s(current, -63);
        let from = self.em.builder.ins().smax(from, first);
        let (header, body, after) =
            (self.em.builder.create_block(), self.em.builder.create_block(), self.em.builder.create_block());
        let place = self.em.builder.append_block_param(header, types::I64);
        let pushed = self.em.builder.append_block_param(header, types::I64);
        let zero = self.em.number(0);
        // The row may begin later than its variable's domain; nothing is pushed from before the row.
        let mut from = from;
        for &bound in &var.lower {
            let bound = self.em.value(bound);
            from = self.em.builder.ins().smax(from, bound);
        }
        self.em.builder.ins().jump(header, &[from.into(), zero.into()]);
        self.em.builder.switch_to_block(header);
        let more = self.em.builder.ins().icmp(IntCC::SignedLessThan, place, current);
        self.em.builder.ins().brif(more, body, &[], after, &[]);
        self.em.builder.switch_to_block(body);
        let address = self.at(row, place);
        let entry = self.em.builder.ins().load(types::I8, table_flags(), address, 0);
        let lost = self.em.builder.ins().icmp_imm_s(IntCC::Equal, entry, 0);
        let behind = self.em.builder.ins().isub(current, place);
        let there = self.em.builder.ins().ushr(mask, behind);
        let there = self.em.builder.ins().select(lost, there, zero);
        let pushed_next = self.em.builder.ins().bor(pushed, there);
        let next = self.em.builder.ins().iadd_imm_s(place, 1);
        self.em.builder.ins().jump(header, &[next.into(), pushed_next.into()]);
        self.em.builder.switch_to_block(after);
        pushed
    }

    /// Which of the 64 positions from `place` on are won by looked-up options.
    fn whole_word(&mut self, rows: &Rows, row: Value, place: Value) -> Value {
        let mut won = self.em.number(0);
        if rows.moves.iter().all(|step| step.push) {
            return won;
        }
        let at = self.at(row, place);
        let places: Vec<(Value, i64)> = (0..4).map(|group| (at, group * LANES)).collect();
        let groups = self.lookup(rows, &places);
        for (group, bits) in (0..).zip(groups) {
            let bits = self.em.builder.ins().ishl_imm_s(bits, group * LANES);
            won = self.em.builder.ins().bor(won, bits);
        }
        won
    }

    /// Looks up the options of groups of 16 positions, at addresses with offsets; returns the bits of the won ones.
    /// Each guard is tested once for all groups.
    fn lookup(&mut self, rows: &Rows, places: &[(Value, i64)]) -> Vec<Value> {
        let groups = places.len();
        let one = self.spread_number(1);
        let mut bad = vec![one; groups];
        let looked: Vec<&RowMove> = rows.moves.iter().filter(|step| !step.push).collect();
        for step in looked {
            let (then, next) = (self.em.builder.create_block(), self.em.builder.create_block());
            let joined: Vec<Value> =
                (0..groups).map(|_| self.em.builder.append_block_param(next, types::I8X16)).collect();
            let skip: Vec<_> = bad.iter().map(|value| (*value).into()).collect();
            match self.plan.formulas.arena.known(step.guard) {
                Some(_) => {
                    self.em.builder.ins().jump(then, &[]);
                }
                None => {
                    let guard = self.em.truth(step.guard);
                    self.em.builder.ins().brif(guard, then, &[], next, &skip);
                }
            }
            self.em.builder.switch_to_block(then);
            self.em.push_scope();
            let outside = self.pointer;
            let mut after = Vec::new();
            for (&(at, offset), bad) in places.iter().zip(&bad) {
                self.pointer = self.em.builder.ins().iadd_imm_s(at, offset);
                let entries = self.lanes_entries(step.shift);
                let entries = if step.same { self.em.builder.ins().bxor(entries, one) } else { entries };
                after.push(self.em.builder.ins().band(*bad, entries).into());
            }
            self.pointer = outside;
            self.em.pop_scope();
            self.em.builder.ins().jump(next, &after);
            self.em.builder.switch_to_block(next);
            bad = joined;
        }
        let zero = self.spread_number(0);
        bad.into_iter()
            .map(|bad| {
                let won = self.em.builder.ins().icmp(IntCC::Equal, bad, zero);
                let bits = self.em.builder.ins().vhigh_bits(types::I32, won);
                self.em.builder.ins().uextend(types::I64, bits)
            })
            .collect()
    }

    /// From the positions won so far: the lost ones, and what these push to the next word.
    fn decide(&mut self, won: Value, mask: Value) -> (Value, Value) {
        let (header, body, after) =
            (self.em.builder.create_block(), self.em.builder.create_block(), self.em.builder.create_block());
        let open = self.em.builder.append_block_param(header, types::I64);
        let lost = self.em.builder.append_block_param(header, types::I64);
        let pushed = self.em.builder.append_block_param(header, types::I64);
        let first = self.em.builder.ins().bnot(won);
        let zero = self.em.number(0);
        self.em.builder.ins().jump(header, &[first.into(), zero.into(), zero.into()]);
        self.em.builder.switch_to_block(header);
        self.em.builder.ins().brif(open, body, &[], after, &[]);
        self.em.builder.switch_to_block(body);
        let t = self.em.builder.ins().ctz(open);
        // The lowest open position, as a bit.
        let negative = self.em.builder.ins().ineg(open);
        let bit = self.em.builder.ins().band(open, negative);
        let lost_next = self.em.builder.ins().bor(lost, bit);
        let reached = self.em.builder.ins().ishl(mask, t);
        let open_next = self.em.builder.ins().band_not(open, reached);
        let beyond = self.beyond(mask, t);
        let pushed_next = self.em.builder.ins().bor(pushed, beyond);
        self.em.builder.ins().jump(header, &[open_next.into(), lost_next.into(), pushed_next.into()]);
        self.em.builder.switch_to_block(after);
        (lost, pushed)
    }

    /// Writes 16 entries: those whose bit is set are lost.
    fn write_bits(&mut self, bits: Value, address: Value, offset: i32) {
        let two = self.em.builder.ins().ireduce(types::I16, bits);
        let all = self.em.builder.ins().splat(types::I16X8, two);
        let flags = MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little);
        let all = self.em.builder.ins().bitcast(types::I8X16, flags, all);
        let order: Vec<u8> = (0..16).map(|lane| lane / 8).collect();
        let order = self.em.builder.func.dfg.immediates.push(ConstantData::from(order));
        let all = self.em.builder.ins().shuffle(all, all, order);
        let each = self.bytes_constant(types::I8X16, (0..16).map(|lane| 1u8 << (lane % 8)).collect());
        let own = self.em.builder.ins().band(all, each);
        let zero = self.spread_number(0);
        let won = self.em.builder.ins().icmp(IntCC::Equal, own, zero);
        let one = self.spread_number(1);
        let won = self.em.builder.ins().band(won, one);
        self.em.builder.ins().store(table_flags(), won, address, offset);
    }

    /// Fills the last word of a row, which is not whole. Groups of 16 that would reach beyond the end are moved back.
    /// Bits that then fall off below are already known; bits that wrap around are beyond the end.
    fn part_word(&mut self, rows: &Rows, row: Value, place: Value, end: Value, pushed: Value, mask: Value) {
        let length = self.em.builder.ins().isub(end, place);
        let length = self.em.builder.ins().iadd_imm_s(length, 1);
        let all = self.em.number(-1);
        let beyond = self.em.builder.ins().ishl(all, length);
        let mut won = self.em.builder.ins().bor(pushed, beyond);
        let last_group = self.em.builder.ins().iadd_imm_s(end, 1 - LANES);
        let mut places = Vec::new();
        for group in 0..4 {
            let at = self.em.builder.ins().iadd_imm_s(place, group * LANES);
            places.push(self.em.builder.ins().smin(at, last_group));
        }
        if rows.moves.iter().any(|step| !step.push) {
            won = self.part_lookup(rows, row, place, length, won, &places);
        }
        let (lost, _) = self.decide(won, mask);
        self.write_part(row, place, end, length, lost, &places);
    }

    /// Looks up options for the last word of a row. The number of groups of 16 is mostly equal for all rows, so the
    /// branches are predicted well. Each number has its own code, which tests every guard once.
    fn part_lookup(
        &mut self,
        rows: &Rows,
        row: Value,
        place: Value,
        length: Value,
        won: Value,
        places: &[Value],
    ) -> Value {
        let join = self.em.builder.create_block();
        let joined = self.em.builder.append_block_param(join, types::I64);
        for groups in (1..=places.len()).rev() {
            let next = self.em.builder.create_block();
            if groups > 1 {
                let then = self.em.builder.create_block();
                let least = (groups as i64 - 1) * LANES;
                let more = self.em.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, length, least);
                self.em.builder.ins().brif(more, then, &[], next, &[]);
                self.em.builder.switch_to_block(then);
            }
            self.em.push_scope();
            let addresses: Vec<(Value, i64)> = places[..groups].iter().map(|&at| (self.at(row, at), 0)).collect();
            let found = self.lookup(rows, &addresses);
            let mut all = won;
            for (bits, &at) in found.into_iter().zip(places) {
                let by = self.em.builder.ins().isub(at, place);
                let bits = self.em.builder.ins().rotl(bits, by);
                all = self.em.builder.ins().bor(all, bits);
            }
            self.em.pop_scope();
            self.em.builder.ins().jump(join, &[all.into()]);
            if groups > 1 {
                self.em.builder.switch_to_block(next);
            }
        }
        self.em.builder.switch_to_block(join);
        joined
    }

    fn write_part(&mut self, row: Value, place: Value, end: Value, length: Value, lost: Value, places: &[Value]) {
        let (many, few, after) =
            (self.em.builder.create_block(), self.em.builder.create_block(), self.em.builder.create_block());
        let enough = self.em.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, length, LANES);
        let header = self.em.builder.create_block();
        let at = self.em.builder.append_block_param(header, types::I64);
        let bits = self.em.builder.append_block_param(header, types::I64);
        self.em.builder.ins().brif(enough, many, &[], few, &[]);
        self.em.builder.switch_to_block(few);
        self.em.builder.ins().jump(header, &[place.into(), lost.into()]);
        self.em.builder.switch_to_block(many);
        for (group, &at) in (0..).zip(places) {
            if group > 0 {
                let more = self.em.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, length, group * LANES);
                let next = self.em.builder.create_block();
                self.em.builder.ins().brif(more, next, &[], after, &[]);
                self.em.builder.switch_to_block(next);
            }
            let by = self.em.builder.ins().isub(at, place);
            let own = self.em.builder.ins().ushr(lost, by);
            let address = self.at(row, at);
            self.write_bits(own, address, 0);
        }
        self.em.builder.ins().jump(after, &[]);
        // Fewer than 16: one by one.
        self.em.builder.switch_to_block(header);
        let entry = self.em.builder.ins().ireduce(types::I8, bits);
        let entry = self.em.builder.ins().bnot(entry);
        let entry = self.em.builder.ins().band_imm_s(entry, 1);
        let address = self.at(row, at);
        self.em.builder.ins().store(table_flags(), entry, address, 0);
        let rest = self.em.builder.ins().ushr_imm_s(bits, 1);
        let next = self.em.builder.ins().iadd_imm_s(at, 1);
        let done = self.em.builder.ins().icmp(IntCC::Equal, at, end);
        self.em.builder.ins().brif(done, after, &[], header, &[next.into(), rest.into()]);
        self.em.builder.switch_to_block(after);
    }

    /// Gives all positions from `current` to `end`, at least 16, one value.
    fn fill_row(&mut self, value: formula::Node, row: Value, current: Value, end: Value) {
        let value = self.spread(value);
        let (header, after) = (self.em.builder.create_block(), self.em.builder.create_block());
        let place = self.em.builder.append_block_param(header, types::I64);
        self.em.builder.ins().jump(header, &[current.into()]);
        self.em.builder.switch_to_block(header);
        let last = self.em.builder.ins().iadd_imm_s(end, 1 - LANES);
        let address = self.at(row, place);
        self.em.builder.ins().store(table_flags(), value, address, 0);
        let done = self.em.builder.ins().icmp(IntCC::Equal, place, last);
        let next = self.em.builder.ins().iadd_imm_s(place, LANES);
        let next = self.em.builder.ins().smin(next, last);
        self.em.builder.ins().brif(done, after, &[], header, &[next.into()]);
        self.em.builder.switch_to_block(after);
    }
}
