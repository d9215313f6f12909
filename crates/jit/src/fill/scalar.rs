//! One position at a time: ends, then moves one after the other, each unrolled.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use formula::Node;

use super::nest::{Nest, hoist};
use super::plan::{Move, Plan};
use super::values::Values;

/// Flags of reads and writes of the table.
pub(crate) fn table_flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Plan {
    /// All nodes that one position needs.
    pub fn roots(&self) -> Vec<Node> {
        let mut roots = vec![self.stuck, self.stuck_fault];
        roots.extend(&self.tested);
        roots.extend(self.ends.iter().flat_map(|end| [end.when, end.fault, end.value]));
        for step in &self.moves {
            roots.extend(step.counts.iter().flat_map(|count| [count.low, count.high, count.fault]));
            roots.extend([step.guard, step.fault, step.same, step.gain]);
            match &step.parts {
                Some(parts) => roots.extend(parts),
                None => roots.push(step.shift),
            }
        }
        roots.extend(self.vars.iter().flat_map(|var| var.lower.iter().chain(&var.upper)));
        roots
    }
}

/// What is kept while the options of a position are read.
struct Best {
    /// Best value so far, or the set of nimbers met.
    best: Variable,
    /// Whether there was an option; only if `best` does not show it.
    any: Option<Variable>,
    /// The block that gets the value of the position.
    result: Block,
    /// Whether to stop at the first winning option.
    early: bool,
}

impl Nest<'_, '_> {
    /// Writes the loops from the slice on, and one position inside.
    pub fn scalar(&mut self, split: usize) {
        let roots = self.plan.roots();
        self.outer(&roots);
        for level in split..self.plan.vars.len() {
            self.open(level, &roots);
        }
        self.position();
        for _ in split..self.plan.vars.len() {
            self.close();
        }
        self.finish();
    }

    /// Writes the value of the position at the pointer.
    pub fn position(&mut self) {
        let values = self.plan.values;
        let skip = self.em.builder.create_block();
        self.em.push_scope();
        for &condition in &self.plan.tested {
            self.em.branch_unless(condition, skip);
        }
        let value = self.value();
        let entry = match values.entry() {
            types::I64 => value,
            narrow => self.em.builder.ins().ireduce(narrow, value),
        };
        self.em.builder.ins().store(table_flags(), entry, self.pointer, 0);
        self.em.pop_scope();
        self.em.builder.ins().jump(skip, &[]);
        self.em.builder.switch_to_block(skip);
    }

    /// The value of the position at the pointer, as `i64`.
    pub fn value(&mut self) -> Value {
        let plan = self.plan;
        let result = self.em.builder.create_block();
        self.em.builder.append_block_param(result, types::I64);
        self.em.push_scope();
        for end in &plan.ends {
            self.fault_if(end.fault);
            let next = self.em.builder.create_block();
            self.em.branch_unless(end.when, next);
            self.em.push_scope();
            let value = self.em.value(end.value);
            self.em.builder.ins().jump(result, &[value.into()]);
            self.em.pop_scope();
            self.em.builder.switch_to_block(next);
        }
        let best = self.start(result);
        for step in &plan.moves {
            self.step(step, &best);
        }
        let value = self.finished(&best);
        self.em.builder.ins().jump(result, &[value.into()]);
        self.em.pop_scope();
        self.em.builder.switch_to_block(result);
        self.em.builder.block_params(result)[0]
    }

    fn fault_if(&mut self, fault: Node) {
        if self.plan.never(fault) {
            return;
        }
        let truth = self.em.truth(fault);
        self.fault_where(truth);
    }

    /// Reports a fault at this position if a condition holds.
    fn fault_where(&mut self, condition: Value) {
        let (block, next) = (self.fault_block(), self.em.builder.create_block());
        self.em.builder.ins().brif(condition, block, &[self.pointer.into()], next, &[]);
        self.em.builder.switch_to_block(next);
    }

    fn start(&mut self, result: Block) -> Best {
        let plan = self.plan;
        let best = self.em.builder.declare_var(types::I64);
        let first = match plan.values {
            Values::Win => 0,
            Values::Nimber { .. } => 0,
            _ => i64::MIN,
        };
        let first = self.em.number(first);
        self.em.builder.def_var(best, first);
        // A position without options is lost, and so is one whose options are all bad: no need to distinguish them.
        let plain = plan.never(plan.stuck) && plan.never(plan.stuck_fault);
        let any = (plan.values == Values::Win && !plain).then(|| {
            let any = self.em.builder.declare_var(types::I8);
            let none = self.em.builder.ins().iconst(types::I8, 0);
            self.em.builder.def_var(any, none);
            any
        });
        if self.marks() {
            // Marks of other positions are other numbers, so nothing has to be cleared.
            let address = self.pointer;
            self.em.builder.def_var(best, address);
        }
        Best { best, any, result, early: plan.values == Values::Win && !plan.faults }
    }

    /// Whether nimbers are marked in memory because there may be too many for a register.
    fn marks(&self) -> bool {
        matches!(self.plan.values, Values::Nimber { .. }) && self.plan.most_options > 63
    }

    fn step(&mut self, step: &Move, best: &Best) {
        let next = self.em.builder.create_block();
        self.em.push_scope();
        let levels = if step.counts.is_empty() { Vec::new() } else { self.plan.levels(&step.counts) };
        let depth = self.plan.vars.len();
        let mut inside = vec![step.guard, step.fault, step.shift, step.same, step.gain];
        inside.extend(step.parts.iter().flatten());
        inside.extend(step.counts.iter().flat_map(|count| [count.low, count.high, count.fault]));
        let mut loops = Vec::new();
        for (index, count) in step.counts.iter().enumerate() {
            self.fault_if(count.fault);
            hoist(self.em, &levels, &inside, depth + index);
            let (low, high) = (self.em.value(count.low), self.em.value(count.high));
            let (header, after) = (self.em.builder.create_block(), self.em.builder.create_block());
            let some = self.em.builder.ins().icmp(IntCC::SignedLessThanOrEqual, low, high);
            self.em.builder.ins().brif(some, header, &[low.into()], after, &[]);
            let choice = self.em.builder.append_block_param(header, types::I64);
            self.em.builder.switch_to_block(header);
            self.em.push_scope();
            if let Some(node) = self.plan.formulas.arena.find(&formula::Op::Choice(count.choice)) {
                self.em.bind(node, choice);
            }
            loops.push((header, after, choice, high));
        }
        let skip = self.em.builder.create_block();
        self.em.push_scope();
        self.fault_if(step.fault);
        if self.plan.formulas.arena.known(step.guard) != Some(1) {
            self.em.branch_unless(step.guard, skip);
        }
        self.em.push_scope();
        self.option(step, best);
        self.em.builder.ins().jump(skip, &[]);
        self.em.pop_scope();
        self.em.pop_scope();
        self.em.builder.switch_to_block(skip);
        while let Some((header, after, choice, high)) = loops.pop() {
            self.em.pop_scope();
            let more = self.em.builder.ins().iadd_imm_s(choice, 1);
            let done = self.em.builder.ins().icmp(IntCC::Equal, choice, high);
            self.em.builder.ins().brif(done, after, &[], header, &[more.into()]);
            self.em.builder.switch_to_block(after);
        }
        self.em.pop_scope();
        self.em.builder.ins().jump(next, &[]);
        self.em.builder.switch_to_block(next);
    }

    /// The entry of the position at this shift from the pointer.
    fn entry(&mut self, from: Value, shift: Node, checked: bool) -> Value {
        let width = self.plan.values.width() as i64;
        let known = self.plan.formulas.arena.known(shift).and_then(|shift| shift.checked_mul(width));
        let (address, offset) = match known.and_then(|offset| i32::try_from(offset).ok()) {
            Some(offset) => (from, offset),
            None => {
                let shift = self.em.value(shift);
                let bytes = self.em.times(shift, width);
                (self.em.builder.ins().iadd(from, bytes), 0)
            }
        };
        if checked {
            let at = self.em.builder.ins().iadd_imm_s(address, i64::from(offset));
            let at = self.em.builder.ins().isub(at, self.table);
            let bytes = self.em.number((self.plan.size as i64).saturating_mul(width));
            let outside = self.em.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, at, bytes);
            self.fault_where(outside);
        }
        let entry = self.em.builder.ins().load(self.plan.values.entry(), table_flags(), address, offset);
        match self.plan.values {
            Values::Score { width: 8, .. } => entry,
            Values::Win | Values::Nimber { .. } => self.em.builder.ins().uextend(types::I64, entry),
            _ => self.em.builder.ins().sextend(types::I64, entry),
        }
    }

    /// Reads one option.
    fn option(&mut self, step: &Move, best: &Best) {
        if let Values::Nimber { .. } = self.plan.values {
            let nimber = match &step.parts {
                None => self.entry(self.pointer, step.shift, step.checked),
                Some(parts) => {
                    let mut sum = self.em.number(0);
                    for &part in parts {
                        let part = self.entry(self.table, part, step.checked);
                        sum = self.em.builder.ins().bxor(sum, part);
                    }
                    sum
                }
            };
            return self.meet(nimber, best);
        }
        let entry = self.entry(self.pointer, step.shift, step.checked);
        if self.plan.values == Values::Win {
            return self.won_or_lost(entry, step, best);
        }
        let value = match self.plan.formulas.arena.known(step.same) {
            Some(0) => self.option_value(entry, step, false),
            Some(_) => self.option_value(entry, step, true),
            None => {
                let (moves_on, passes) = (self.option_value(entry, step, true), self.option_value(entry, step, false));
                let same = self.em.truth(step.same);
                self.em.builder.ins().select(same, moves_on, passes)
            }
        };
        let before = self.em.builder.use_var(best.best);
        let after = self.em.builder.ins().smax(before, value);
        self.em.builder.def_var(best.best, after);
    }

    fn won_or_lost(&mut self, entry: Value, step: &Move, best: &Best) {
        // An option is good if it is won and the mover moves again, or lost and the other moves.
        let good = match self.plan.formulas.arena.known(step.same) {
            Some(same) => self.em.builder.ins().icmp_imm_s(IntCC::Equal, entry, i64::from(same != 0)),
            None => {
                let same = self.em.value(step.same);
                self.em.builder.ins().icmp(IntCC::Equal, entry, same)
            }
        };
        if best.early {
            let next = self.em.builder.create_block();
            let won = self.em.number(1);
            self.em.builder.ins().brif(good, best.result, &[won.into()], next, &[]);
            self.em.builder.switch_to_block(next);
        } else {
            let good = self.em.builder.ins().uextend(types::I64, good);
            let before = self.em.builder.use_var(best.best);
            let after = self.em.builder.ins().bor(before, good);
            self.em.builder.def_var(best.best, after);
        }
        if let Some(any) = best.any {
            let one = self.em.builder.ins().iconst(types::I8, 1);
            self.em.builder.def_var(any, one);
        }
    }

    /// The value to the mover of an option with this entry.
    fn option_value(&mut self, entry: Value, step: &Move, same: bool) -> Value {
        let ins = self.em.builder.ins();
        match self.plan.values {
            Values::Outcome => {
                if same {
                    entry
                } else {
                    ins.ineg(entry)
                }
            }
            Values::Remoteness { .. } => self.one_move_more(entry, same),
            Values::Score { checked, .. } => {
                if !checked && self.plan.never(step.gain) {
                    return if same { entry } else { ins.ineg(entry) };
                }
                let gain = self.em.value(step.gain);
                let ins = self.em.builder.ins();
                let sum = if same { ins.iadd(gain, entry) } else { ins.isub(gain, entry) };
                if checked {
                    // A sum overflows if its sign differs from both operands'; a difference if the operands' signs
                    // differ and the result's differs from the first. The least number is reserved for "no option".
                    let other = if same { sum } else { entry };
                    let (a, b) = (self.em.builder.ins().bxor(gain, other), self.em.builder.ins().bxor(gain, sum));
                    let (a, b) = if same { (a, self.em.builder.ins().bxor(entry, sum)) } else { (a, b) };
                    let both = self.em.builder.ins().band(a, b);
                    let over = self.em.builder.ins().icmp_imm_s(IntCC::SignedLessThan, both, 0);
                    let least = self.em.number(i64::MIN);
                    let least = self.em.builder.ins().icmp(IntCC::Equal, sum, least);
                    let over = self.em.builder.ins().bor(over, least);
                    self.fault_where(over);
                }
                sum
            }
            Values::Win | Values::Nimber { .. } => entry,
        }
    }

    /// The key of a position one move before a position with this key: one move further from the end.
    pub fn one_move_more(&mut self, key: Value, same: bool) -> Value {
        let values = self.plan.values;
        let ins = self.em.builder.ins();
        let further = ins.iadd_imm_s(key, -1);
        let lost_key = self.em.number(values.largest_loss());
        let lost = self.em.builder.ins().icmp(IntCC::SignedLessThanOrEqual, key, lost_key);
        if same {
            // won k → k − 1, drawn k → k − 1, lost k → k + 1
            let later = self.em.builder.ins().iadd_imm_s(key, 1);
            return self.em.builder.ins().select(lost, later, further);
        }
        // won k → 1 − k, lost k → −1 − k, drawn k → k − 1
        let won = self.em.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, key, 0);
        let (of_won, of_lost) = (self.em.builder.ins().ineg(further), self.em.builder.ins().bnot(key));
        let other = self.em.builder.ins().select(lost, of_lost, further);
        self.em.builder.ins().select(won, of_won, other)
    }

    /// Records a nimber of an option.
    fn meet(&mut self, nimber: Value, best: &Best) {
        let before = self.em.builder.use_var(best.best);
        if self.marks() {
            let mask = self.em.number(self.plan.marks() as i64 - 1);
            let at = self.em.builder.ins().band(nimber, mask);
            let at = self.em.builder.ins().ishl_imm_s(at, 3);
            let address = self.em.builder.ins().iadd(self.scratch, at);
            self.em.builder.ins().store(table_flags(), before, address, 0);
        } else {
            let one = self.em.number(1);
            let bit = self.em.builder.ins().ishl(one, nimber);
            let after = self.em.builder.ins().bor(before, bit);
            self.em.builder.def_var(best.best, after);
        }
    }

    /// The value once all options are read.
    fn finished(&mut self, best: &Best) -> Value {
        let plan = self.plan;
        let value = self.em.builder.use_var(best.best);
        match plan.values {
            Values::Win => {
                let Some(any) = best.any else { return value };
                let any = self.em.builder.use_var(any);
                self.or_stuck(any, value)
            }
            Values::Nimber { .. } if self.marks() => self.first_unmarked(value),
            Values::Nimber { .. } => {
                let free = self.em.builder.ins().bnot(value);
                self.em.builder.ins().ctz(free)
            }
            _ => {
                let least = self.em.number(i64::MIN);
                let any = self.em.builder.ins().icmp(IntCC::NotEqual, value, least);
                self.or_stuck(any, value)
            }
        }
    }

    fn or_stuck(&mut self, any: Value, value: Value) -> Value {
        if !self.plan.never(self.plan.stuck_fault) {
            let fault = self.em.truth(self.plan.stuck_fault);
            let none = self.em.builder.ins().bxor_imm_s(any, 1);
            let fault = self.em.builder.ins().band(none, fault);
            self.fault_where(fault);
        }
        let stuck = self.em.value(self.plan.stuck);
        self.em.builder.ins().select(any, value, stuck)
    }

    /// The least nimber that is not marked.
    fn first_unmarked(&mut self, mark: Value) -> Value {
        let (header, after) = (self.em.builder.create_block(), self.em.builder.create_block());
        let nimber = self.em.builder.append_block_param(header, types::I64);
        let zero = self.em.number(0);
        self.em.builder.ins().jump(header, &[zero.into()]);
        self.em.builder.switch_to_block(header);
        let at = self.em.builder.ins().ishl_imm_s(nimber, 3);
        let address = self.em.builder.ins().iadd(self.scratch, at);
        let found = self.em.builder.ins().load(types::I64, table_flags(), address, 0);
        let marked = self.em.builder.ins().icmp(IntCC::Equal, found, mark);
        let next = self.em.builder.ins().iadd_imm_s(nimber, 1);
        self.em.builder.ins().brif(marked, header, &[next.into()], after, &[]);
        self.em.builder.switch_to_block(after);
        nimber
    }
}
