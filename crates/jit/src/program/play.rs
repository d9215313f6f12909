//! Playing one move: its body on the cells, the option it leads to, and the cells put back.
//!
//! The option's key is the position's key plus the differences of the cells that changed. Cells assigned to one at a time
//! are logged: outside of loops in registers, inside of them in memory. A variable that is assigned to as a whole, or more
//! often than the log is long, is compared cell by cell.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable;
use game::codes::Gains;
use rules::layout::Leaf;
use rules::program::{Move, StmtKind};
use rules::visit;

use super::changes::{Change, FEW, Play, changes};
use super::frame::{self, Place};
use super::shape::{Num, Range};
use super::writer::{MEMORY, Writer, Written};

/// So many changes of single cells of one variable are logged in memory.
const COUNTED: i64 = 32;

impl<'b> Writer<'_, 'b, '_, '_> {
    /// Plays the move with the choices that the locals hold.
    pub fn play(&mut self, mv: &'b Move) -> Written<()> {
        let mark = self.mark();
        let layout = &self.bound().layout;
        let (changes, logged) = changes(layout, &mv.body);
        let players = self.bound().players;
        let next = self.next_player();
        let turn = self.variable(next);
        let mut log = Vec::new();
        for variable in logged {
            // A change that does not happen is put back in a cell of no position.
            let (cell, before) = (layout.cells() + variable, layout.variables[variable].leaf.range());
            let (cell, before) = (self.constant(cell as i64), self.constant(before.map_or(0, |range| range.0)));
            log.push((variable, self.variable(cell), self.variable(before)));
        }
        let mut gains = false;
        visit::statements(&mv.body, &mut |statement| gains |= matches!(statement.kind, StmtKind::Gain { .. }));
        if gains {
            let (deed, zero) = (self.get(Place::Deed), self.constant(0));
            (0..players).for_each(|player| self.store(zero, deed, player as i32 * 8));
        }
        let mut counted = Vec::new();
        for (variable, change) in changes.iter().enumerate() {
            if *change == Change::Counted {
                // One place more than the log is long takes all that comes after.
                let words = self.num((COUNTED + 1) * 2);
                let (memory, none) = (self.allocate(words), self.constant(0));
                counted.push((variable, memory, self.variable(none)));
            }
        }
        self.play = Some(Play { turn, changes, log, logged: 0, counted });
        let done = self.block();
        // `break` outside a loop ends the move.
        self.scope.loops.push((done, done));
        self.scope.is_move = true;
        self.statements(&mv.body)?;
        self.scope.is_move = false;
        self.scope.loops.pop();
        self.jump(done);
        self.go(done);
        let Some(play) = self.play.take() else { return Ok(()) };
        self.append(&play, gains)?;
        self.release(mark);
        Ok(())
    }

    fn next_player(&mut self) -> Value {
        let players = self.bound().players as i64;
        let more = self.builder.ins().iadd_imm_s(self.mover, 1);
        let last = self.compare_to(IntCC::Equal, more, players);
        let zero = self.constant(0);
        self.builder.ins().select(last, zero, more)
    }

    /// Adds the position that the cells hold to the options, and puts the cells back.
    fn append(&mut self, play: &Play, gains: bool) -> Written<()> {
        let (count, capacity) = (self.get(Place::Count), self.get(Place::Capacity));
        let (full, on) = (self.block(), self.block());
        self.builder.set_cold_block(full);
        let room = self.compare(IntCC::SignedLessThan, count, capacity);
        self.builder.ins().brif(room, on, &[], full, &[]);
        self.go(full);
        let failed = self.host(frame::grow as *const u8, &[self.frame]);
        self.builder.ins().brif(failed, self.fault, &[], on, &[]);
        self.go(on);
        let words = self.shared.fields.words;
        let keys = self.get(Place::Keys);
        let offset = self.builder.ins().imul_imm_s(count, words as i64 * 8);
        let target = self.builder.ins().iadd(keys, offset);
        let key = self.key(target);
        for &(variable, cell, _) in &play.log {
            let cell = self.read(cell);
            let place = self.address(self.cells, Num { value: cell, range: Range::ANY }, 8);
            let number = self.load(place, 0);
            self.check_domain(variable, number);
        }
        for &(_, cell, before) in play.log.iter().rev() {
            let (cell, before) = (self.read(cell), self.read(before));
            let place = self.address(self.cells, Num { value: cell, range: Range::ANY }, 8);
            let number = self.load(place, 0);
            self.store(before, place, 0);
            self.add_difference(key, cell, number, before);
        }
        for variable in 0..play.changes.len() {
            if play.changes[variable] == Change::Whole {
                self.whole(variable, key)?;
            }
        }
        for &(variable, memory, count) in &play.counted {
            self.counted(variable, (memory, count), key)?;
        }
        let turn = self.read(play.turn);
        self.finish_key(key, turn);
        let same = self.compare(IntCC::Equal, turn, self.mover);
        let flags = self.get(Place::Same);
        let place = self.builder.ins().iadd(flags, count);
        self.builder.ins().store(MEMORY, same, place, 0);
        self.write_gains(count, gains);
        let more = self.builder.ins().iadd_imm_s(count, 1);
        self.put(Place::Count, more);
        Ok(())
    }

    /// Logs a change of one cell in memory.
    pub fn log_in_memory(&mut self, (memory, count): (Value, Variable), cell: Value, before: Value) {
        let number = self.read(count);
        let last = self.constant(COUNTED);
        let place = self.builder.ins().umin(number, last);
        let place = self.builder.ins().ishl_imm_u(place, 4);
        let place = self.builder.ins().iadd(memory, place);
        self.store(cell, place, 0);
        self.store(before, place, 8);
        let more = self.builder.ins().iadd_imm_s(number, 1);
        self.set(count, more);
    }

    /// Checks, adds and puts back the cells that a log in memory names.
    fn counted(&mut self, variable: usize, (memory, count): (Value, Variable), key: Key) -> Written<()> {
        let number = self.read(count);
        let (few, many, after) = (self.block(), self.block(), self.block());
        let fits = self.compare_to(IntCC::UnsignedLessThanOrEqual, number, COUNTED);
        self.builder.ins().brif(fits, few, &[], many, &[]);
        self.go(few);
        let size = self.builder.ins().ishl_imm_u(number, 4);
        let end = self.builder.ins().iadd(memory, size);
        self.steps(memory, end, 16, &mut |this, entry| {
            let cell = this.load(entry, 0);
            let place = this.address(this.cells, Num { value: cell, range: Range::ANY }, 8);
            let number = this.load(place, 0);
            this.check_domain(variable, number);
            Ok(())
        })?;
        // The last change is put back first.
        let mirror = self.builder.ins().iadd(memory, end);
        let mirror = self.builder.ins().iadd_imm_s(mirror, -16);
        self.steps(memory, end, 16, &mut |this, at| {
            let entry = this.builder.ins().isub(mirror, at);
            let (cell, before) = (this.load(entry, 0), this.load(entry, 8));
            let place = this.address(this.cells, Num { value: cell, range: Range::ANY }, 8);
            let number = this.load(place, 0);
            this.store(before, place, 0);
            this.add_difference(key, cell, number, before);
            Ok(())
        })?;
        self.jump(after);
        self.go(many);
        self.whole(variable, key)?;
        self.jump(after);
        self.go(after);
        Ok(())
    }

    /// The key of the position, where the option's is made of it.
    fn key(&mut self, target: Value) -> Key {
        let words = self.shared.fields.words;
        let from = self.get(Place::Key);
        if words == 1 {
            let word = self.load(from, 0);
            return Key { word: Some(self.variable(word)), target };
        }
        if words <= 2 * FEW {
            for word in 0..words as i32 {
                let value = self.load(from, word * 8);
                self.store(value, target, word * 8);
            }
        } else {
            let end = self.builder.ins().iadd_imm_s(from, words as i64 * 8);
            let shift = self.builder.ins().isub(target, from);
            let copied = self.steps(from, end, 8, &mut |this, place| {
                let value = this.load(place, 0);
                let to = this.builder.ins().iadd(place, shift);
                this.store(value, to, 0);
                Ok(())
            });
            debug_assert!(copied.is_ok());
        }
        Key { word: None, target }
    }

    /// Adds a difference of a cell that is known when the code runs.
    fn add_difference(&mut self, key: Key, cell: Value, new: Value, old: Value) {
        let table = self.shared.field_table();
        let table = self.constant(table);
        let entry = self.address(table, Num { value: cell, range: Range::ANY }, 16);
        let difference = self.builder.ins().isub(new, old);
        let factor = self.load(entry, 8);
        let difference = self.builder.ins().imul(difference, factor);
        match key.word {
            Some(word) => {
                let before = self.read(word);
                let after = self.builder.ins().iadd(before, difference);
                self.set(word, after);
            }
            None => {
                let offset = self.load(entry, 0);
                let place = self.builder.ins().iadd(key.target, offset);
                let before = self.load(place, 0);
                let after = self.builder.ins().iadd(before, difference);
                self.store(after, place, 0);
            }
        }
    }

    /// Checks, adds and puts back all cells of a variable.
    fn whole(&mut self, variable: usize, key: Key) -> Written<()> {
        let slot = &self.bound().layout.variables[variable];
        let before = self.get(Place::Before);
        let cells = slot.offset..slot.offset + slot.cells;
        if slot.cells <= FEW {
            for cell in cells {
                let number = self.load(self.cells, cell as i32 * 8);
                let old = self.load(before, cell as i32 * 8);
                self.check_domain(variable, number);
                let cell_number = self.constant(cell as i64);
                self.add_difference(key, cell_number, number, old);
                self.store(old, self.cells, cell as i32 * 8);
            }
            return Ok(());
        }
        let from = self.builder.ins().iadd_imm_s(self.cells, slot.offset as i64 * 8);
        let end = self.builder.ins().iadd_imm_s(from, slot.cells as i64 * 8);
        let shift = self.builder.ins().isub(before, self.cells);
        self.steps(from, end, 8, &mut |this, place| {
            let number = this.load(place, 0);
            let old_place = this.builder.ins().iadd(place, shift);
            let old = this.load(old_place, 0);
            let differs = this.compare(IntCC::NotEqual, number, old);
            let (changed, on) = (this.block(), this.block());
            this.builder.ins().brif(differs, changed, &[], on, &[]);
            this.go(changed);
            this.check_domain(variable, number);
            let offset = this.builder.ins().isub(place, this.cells);
            let cell = this.builder.ins().ushr_imm_u(offset, 3);
            this.add_difference(key, cell, number, old);
            this.store(old, place, 0);
            this.jump(on);
            this.go(on);
            Ok(())
        })
    }

    /// A fault if a number is outside the domain of its variable.
    fn check_domain(&mut self, variable: usize, number: Value) {
        let leaf = &self.bound().layout.variables[variable].leaf;
        let (Some((low, high)), false) = (leaf.range(), matches!(leaf, Leaf::Set { .. })) else { return };
        if low == i64::MIN && high == i64::MAX {
            return;
        }
        let above = self.builder.ins().iadd_imm_s(number, low.wrapping_neg());
        let most = self.constant(high.wrapping_sub(low));
        let outside = self.compare(IntCC::UnsignedGreaterThan, above, most);
        self.fault_if(outside);
    }

    fn finish_key(&mut self, key: Key, turn: Value) {
        let with_turn = self.shared.fields.turn;
        match (key.word, with_turn) {
            (Some(word), turn_field) => {
                let mut value = self.read(word);
                if let Some(field) = turn_field {
                    let factor = self.constant(field.factor.cast_signed());
                    let turn = self.builder.ins().imul(turn, factor);
                    value = self.builder.ins().iadd(value, turn);
                }
                self.store(value, key.target, 0);
            }
            (None, Some(field)) => {
                let factor = self.constant(field.factor.cast_signed());
                let turn = self.builder.ins().imul(turn, factor);
                let value = self.load(key.target, field.word as i32 * 8);
                let value = self.builder.ins().iadd(value, turn);
                self.store(value, key.target, field.word as i32 * 8);
            }
            (None, None) => {}
        }
    }

    fn write_gains(&mut self, count: Value, gains: bool) {
        let players = self.bound().players;
        let target = self.get(Place::Gains);
        match self.shared.gains {
            Gains::Outcome => {}
            Gains::Difference => {
                let offset = self.builder.ins().ishl_imm_u(count, 3);
                let place = self.builder.ins().iadd(target, offset);
                let difference = match gains {
                    true => {
                        let deed = self.get(Place::Deed);
                        self.difference(deed)
                    }
                    false => self.constant(0),
                };
                self.store(difference, place, 0);
            }
            Gains::All => {
                let offset = self.builder.ins().imul_imm_s(count, players as i64 * 8);
                let place = self.builder.ins().iadd(target, offset);
                let deed = self.get(Place::Deed);
                let zero = self.constant(0);
                for player in 0..players as i32 {
                    let gain = if gains { self.load(deed, player * 8) } else { zero };
                    self.store(gain, place, player * 8);
                }
            }
        }
    }

    /// The mover's gain minus the other's, of two players.
    pub fn difference(&mut self, gains: Value) -> Value {
        let mine = self.address(gains, Num { value: self.mover, range: Range::ANY }, 8);
        let (mine, first, second) = (self.load(mine, 0), self.load(gains, 0), self.load(gains, 8));
        let other = self.builder.ins().select(self.mover, first, second);
        let (difference, overflow) = self.builder.ins().ssub_overflow(mine, other);
        self.fault_if(overflow);
        difference
    }
}

/// The key of an option in the making: one word in a register, or several in their place.
#[derive(Clone, Copy, Debug)]
struct Key {
    word: Option<Variable>,
    target: Value,
}
