//! Moves to a neighbour in the same row: done after the lanes, one position after the other.
//!
//! The lanes hold the best of all options that lie further away. The rest is a chain: each position needs the one just
//! filled, which is still in a register. Its value a move earlier is computed once, not for every move.

use cranelift_codegen::ir::{InstBuilder, Value};

use super::lanes::Narrow;
use super::nest::Nest;
use super::rows::{RowMove, Rows};
use super::scalar::table_flags;
use super::values::Values;

/// The values computed so far for the positions of a register.
struct Chain {
    /// Their entries.
    entries: Vec<Option<Value>>,
    /// Their values to the mover there if the turn passed and nothing was gained.
    worths: Vec<Option<Value>>,
}

impl Nest<'_, '_> {
    /// Adds the near moves to the positions from the pointer on, which hold the best of their other options.
    pub fn chain(&mut self, rows: &Rows, place: Value, ascending: bool, narrow: &mut Narrow) {
        let lanes = 16 / self.plan.values.width();
        let after = self.em.builder.create_block();
        self.em.push_scope();
        // If the whole row is an end, there are no moves.
        for end in &rows.ends {
            self.em.branch_if(end.when, after);
        }
        let mut chain = Chain { entries: vec![None; lanes], worths: vec![None; lanes] };
        let variable = self.plan.vars[self.plan.vars.len() - 1].node;
        for step in 0..lanes {
            let lane = if ascending { step } else { lanes - 1 - step };
            self.em.push_scope();
            let here = self.em.builder.ins().iadd_imm_s(place, lane as i64);
            self.em.bind(variable, here);
            let value = self.link(rows, lane, here, &mut chain, narrow);
            self.em.pop_scope();
            let offset = (lane * self.plan.values.width()) as i32;
            self.em.builder.ins().store(table_flags(), value, self.pointer, offset);
            chain.entries[lane] = Some(value);
        }
        self.em.pop_scope();
        self.em.builder.ins().jump(after, &[]);
        self.em.builder.switch_to_block(after);
    }

    /// One position of the chain.
    fn link(&mut self, rows: &Rows, lane: usize, here: Value, chain: &mut Chain, narrow: &mut Narrow) -> Value {
        let values = self.plan.values;
        let offset = (lane * values.width()) as i32;
        let mut best = self.em.builder.ins().load(values.entry(), table_flags(), self.pointer, offset);
        for step in rows.moves.iter().filter(|step| step.near) {
            let Some(to) = step.within.map(|within| lane as i64 + within) else { continue };
            let mut worth = self.near_worth(step, to, here, chain, narrow);
            if self.plan.formulas.arena.known(step.guard).is_none() {
                let guard = self.em.truth(step.guard);
                let nothing = if values == Values::Win { 0 } else { values.nothing() };
                let nothing = self.em.builder.ins().iconst(values.entry(), nothing);
                worth = self.em.builder.ins().select(guard, worth, nothing);
            }
            best = match values {
                Values::Win => self.em.builder.ins().bor(best, worth),
                _ => self.em.builder.ins().smax(best, worth),
            };
        }
        if self.plan.formulas.arena.known(rows.any) != Some(1) {
            let (any, stuck) = (self.em.truth(rows.any), self.em.value(rows.stuck));
            let stuck = self.narrow(stuck);
            best = self.em.builder.ins().select(any, best, stuck);
        }
        best
    }

    /// The value to the mover of the option at lane `to`, which may be in the register before.
    fn near_worth(&mut self, step: &RowMove, to: i64, here: Value, chain: &mut Chain, narrow: &mut Narrow) -> Value {
        let values = self.plan.values;
        let inside = usize::try_from(to).ok().filter(|to| *to < chain.entries.len());
        let entry = match inside.and_then(|to| chain.entries[to]) {
            Some(entry) => entry,
            None => {
                let offset = (to * values.width() as i64) as i32;
                self.em.builder.ins().load(values.entry(), table_flags(), self.pointer, offset)
            }
        };
        let plain = !matches!(values, Values::Score { .. });
        if plain && !step.same {
            if let Some(worth) = inside.and_then(|to| chain.worths[to]) {
                return worth;
            }
            let none = self.em.builder.ins().iconst(values.entry(), 0);
            let worth = self.single_worth(entry, none, false);
            if let Some(to) = inside {
                chain.worths[to] = Some(worth);
            }
            return worth;
        }
        let gain = match plain {
            true => self.em.builder.ins().iconst(values.entry(), 0),
            false => {
                let uniform = self.em.value(step.gain.uniform);
                self.single_gain(&step.gain, uniform, here, narrow)
            }
        };
        self.single_worth(entry, gain, step.same)
    }
}
