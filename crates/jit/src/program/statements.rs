//! Statements as control flow.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use rules::layout::Leaf;
use rules::program::{AssignOp, BinaryOp, Expr, ExprKind, Place, Root, Stmt, StmtKind};

use super::frame::{self, Place as Word};
use super::reads::{is_fresh, is_stable, keeps_memory};
use super::sets::SetRegisters;
use super::shape::{Num, Range, Shape, Val};
use super::writer::{Writer, Written};
use crate::error::JitError;

impl Writer<'_, '_, '_, '_> {
    /// Statements in order.
    pub fn statements(&mut self, statements: &[Stmt]) -> Written<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Stmt) -> Written<()> {
        match &statement.kind {
            StmtKind::Set { local, value } => {
                let is_own = self.scope.changed.contains(local);
                let value = self.kept(value, is_own)?;
                self.bind(*local, &value);
                Ok(())
            }
            StmtKind::Assign { place, op, value } => match place.root {
                Root::Variable(variable) => self.assign_variable(variable, place, *op, value),
                Root::Local(local) => self.assign_local(local, place, *op, value),
            },
            StmtKind::If { condition, then, otherwise } => {
                let (yes, no, after) = (self.block(), self.block(), self.block());
                self.branch(condition, yes, no)?;
                self.go(yes);
                self.statements(then)?;
                self.jump(after);
                self.go(no);
                self.statements(otherwise)?;
                self.jump(after);
                self.go(after);
                Ok(())
            }
            StmtKind::For { local, over, body } => self.run_loop(*local, over, body),
            StmtKind::Break => self.leave(|(_, exit)| *exit),
            StmtKind::Continue => self.leave(|(next, _)| *next),
            StmtKind::Return(value) => self.give_back(value),
            StmtKind::Gain { amount, player } => self.gain(amount, player.as_ref()),
            StmtKind::Turn(player) => {
                let player = self.player(player)?;
                let turn = self.play.as_ref().map(|play| play.turn);
                let turn = turn.ok_or(JitError::Unsupported("a turn outside a move"))?;
                self.set(turn, player.value);
                Ok(())
            }
            StmtKind::Split(parts) => self.split(parts),
        }
    }

    /// A value that outlives its statement: a copy where statements could change what it refers to.
    pub fn kept(&mut self, expr: &Expr, is_own: bool) -> Written<Val> {
        let value = self.value(expr)?;
        let safe = match is_own {
            true => is_fresh(expr),
            false => is_stable(expr, &self.scope.changed, self.scope.is_move),
        };
        Ok(if safe { value } else { self.copied(&value) })
    }

    fn leave(&mut self, to: impl FnOnce(&(Block, Block)) -> Block) -> Written<()> {
        let target = self.scope.loops.last().map(to).ok_or(JitError::Unsupported("`break` outside a loop"))?;
        self.jump(target);
        let dead = self.block();
        self.go(dead);
        Ok(())
    }

    fn give_back(&mut self, value: &Expr) -> Written<()> {
        let value = self.value(value)?;
        match self.scope.returns.clone() {
            Some((block, variables)) => {
                for (variable, word) in variables.iter().zip(value.words) {
                    self.set(*variable, word);
                }
                self.jump(block);
            }
            None => {
                let places = [Word::Result, Word::ResultSecond, Word::ResultThird];
                for (place, &word) in places.iter().zip(value.parts()) {
                    self.put(*place, word);
                }
                let fine = self.constant(0);
                self.builder.ins().return_(&[fine]);
            }
        }
        let dead = self.block();
        self.go(dead);
        Ok(())
    }

    fn run_loop(&mut self, local: usize, over: &Expr, body: &[Stmt]) -> Written<()> {
        let releases = !keeps_memory(body);
        let mut turn = |this: &mut Self, item: Val, exit| {
            let mark = this.mark();
            // A loop variable is never assigned to, but its items may be views.
            this.bind(local, &item);
            let next = this.block();
            this.scope.loops.push((next, exit));
            this.statements(body)?;
            this.scope.loops.pop();
            this.jump(next);
            this.go(next);
            if releases {
                this.release(mark);
            }
            Ok(())
        };
        if matches!(over.kind, ExprKind::Range { .. }) {
            return self.each(over, &mut turn);
        }
        let collection = self.kept(over, false)?;
        self.each_of(&collection, &mut turn)
    }

    /// A player by number; a fault if there is none.
    pub fn player(&mut self, player: &Expr) -> Written<Num> {
        let number = self.scalar(player)?;
        let players = self.bound().players as i64;
        let most = self.constant(players);
        self.check_index(number, most, players);
        Ok(Num { range: Range::new(0, players - 1), ..number })
    }

    fn gain(&mut self, amount: &Expr, player: Option<&Expr>) -> Written<()> {
        let amount = self.scalar(amount)?;
        let player = match player {
            None => self.mover_number(),
            Some(player) => self.player(player)?,
        };
        let deed = self.get(Word::Deed);
        let place = self.address(deed, player, 8);
        let before = Num { value: self.load(place, 0), range: Range::ANY };
        let after = self.arithmetic(BinaryOp::Add, before, amount);
        self.store(after.value, place, 0);
        Ok(())
    }

    fn combined(&mut self, op: AssignOp, old: Value, new: Num) -> Value {
        let old = Num { value: old, range: Range::ANY };
        match op {
            AssignOp::Set => new.value,
            AssignOp::Add => self.arithmetic(BinaryOp::Add, old, new).value,
            AssignOp::Subtract => self.arithmetic(BinaryOp::Subtract, old, new).value,
        }
    }

    fn assign_variable(&mut self, variable: usize, place: &Place, op: AssignOp, value: &Expr) -> Written<()> {
        let (address, cell) = self.locate(variable, &place.indices)?;
        if place.ty.is_scalar() {
            let new = self.scalar(value)?;
            let old = self.load(address, 0);
            if let Some((number, before)) = self.play.as_mut().and_then(|play| play.log(variable)) {
                self.set(number, cell.value);
                self.set(before, old);
            } else if let Some(log) = self.play.as_ref().and_then(|play| play.counted(variable)) {
                self.log_in_memory(log, cell.value, old);
            }
            let new = self.combined(op, old, new);
            self.store(new, address, 0);
            return Ok(());
        }
        if op != AssignOp::Set {
            let Leaf::Set { low, size, .. } = &self.bound().layout.variables[variable].leaf else {
                return Err(JitError::Unsupported("`+=` on a list"));
            };
            let (low, size) = (self.constant(*low), self.constant(*size as i64));
            let element = self.scalar(value)?;
            match op {
                AssignOp::Add => self.add_within(address, low, size, element),
                _ => self.remove(address, low, size, element),
            }
            return Ok(());
        }
        let value = self.kept(value, false)?;
        self.write_cells(variable, place.indices.len(), address, &value)
    }

    /// Writes a value into the cells of a variable. Its shape must fit; numbers may leave their domain for a moment.
    pub fn write_cells(&mut self, variable: usize, depth: usize, address: Value, value: &Val) -> Written<()> {
        let slot = &self.bound().layout.variables[variable];
        let Some(&length) = slot.dims.get(depth) else {
            return match (&slot.leaf, &value.shape) {
                (Leaf::Set { low, size, .. }, Shape::Set(_)) => {
                    let (low, size) = (self.constant(*low), self.constant(*size as i64));
                    let [set, first, words] = value.words;
                    let failed = self.host(frame::store_set as *const u8, &[address, low, size, set, first, words]);
                    self.fault_if(failed);
                    Ok(())
                }
                (_, Shape::Number(_)) => {
                    self.store(value.words[0], address, 0);
                    Ok(())
                }
                _ => Err(JitError::Unsupported("a value that does not fit its variable")),
            };
        };
        let Shape::List { .. } = &value.shape else {
            return Err(JitError::Unsupported("a value that does not fit its variable"));
        };
        let wrong = self.compare_to(IntCC::NotEqual, value.words[1], length as i64);
        self.fault_if(wrong);
        let block = (slot.dims[depth + 1..].iter().product::<usize>() * slot.stride) as i64;
        let to = self.variable(address);
        self.each_item(value, &mut |this, item, _| {
            let place = this.read(to);
            this.write_cells(variable, depth + 1, place, &item)?;
            let next = this.builder.ins().iadd_imm_s(place, block * 8);
            this.set(to, next);
            Ok(())
        })
    }

    fn assign_local(&mut self, local: usize, place: &Place, op: AssignOp, value: &Expr) -> Written<()> {
        let whole = self.local(local)?;
        let Some((last, path)) = place.indices.split_last() else {
            return self.assign_whole(local, &whole, op, value);
        };
        let mut list = whole;
        for index in path {
            let index = self.scalar(index)?;
            let at = self.item_place(&list, index)?;
            let Shape::List { item, .. } = &list.shape else {
                return Err(JitError::Unsupported("an index into something that is no list"));
            };
            list = self.load_value(at, item);
        }
        let index = self.scalar(last)?;
        let at = self.item_place(&list, index)?;
        let Shape::List { item, .. } = &list.shape else {
            return Err(JitError::Unsupported("an index into something that is no list"));
        };
        match (&**item, op) {
            (Shape::Number(_), _) => {
                let new = self.scalar(value)?;
                let old = self.load(at, 0);
                let new = self.combined(op, old, new);
                self.store(new, at, 0);
            }
            (_, AssignOp::Set) => {
                let new = self.kept(value, true)?;
                self.store_value(&new, at);
            }
            (Shape::Set(_), _) => {
                let element = self.scalar(value)?;
                let set = self.load_value(at, item);
                let [address, low, words] = set.words.map(|word| self.variable(word));
                let registers = SetRegisters { address, low, words };
                self.change_set(registers, op, element);
                for (index, variable) in [address, low, words].into_iter().enumerate() {
                    let word = self.read(variable);
                    self.store(word, at, index as i32 * 8);
                }
            }
            _ => return Err(JitError::Unsupported("`+=` on a list")),
        }
        Ok(())
    }

    fn assign_whole(&mut self, local: usize, whole: &Val, op: AssignOp, value: &Expr) -> Written<()> {
        match (&whole.shape, op) {
            (_, AssignOp::Set) => {
                let new = self.kept(value, true)?;
                if new.shape.width() != whole.shape.width() {
                    return Err(JitError::Unsupported("a local that changes its type"));
                }
                self.bind(local, &new);
            }
            (Shape::Number(_), _) => {
                let new = self.scalar(value)?;
                let value = self.combined(op, whole.words[0], new);
                self.bind(local, &Val::number(Num { value, range: Range::ANY }));
            }
            (Shape::Set(_), _) => {
                let element = self.scalar(value)?;
                let missing = JitError::Unsupported("a local without a value");
                let known = self.scope.locals.get(&local).ok_or(missing)?;
                let [address, low, words] = known.variables[..] else {
                    return Err(JitError::Unsupported("a local that changes its type"));
                };
                self.change_set(SetRegisters { address, low, words }, op, element);
            }
            _ => return Err(JitError::Unsupported("`+=` on a list")),
        }
        Ok(())
    }

    fn change_set(&mut self, set: SetRegisters, op: AssignOp, element: Num) {
        match op {
            AssignOp::Add => self.add(set, element),
            _ => {
                let (address, low, words) = (self.read(set.address), self.read(set.low), self.read(set.words));
                let size = self.builder.ins().ishl_imm_u(words, 6);
                self.remove(address, low, size, element);
            }
        }
    }

    fn item_place(&mut self, list: &Val, index: Num) -> Written<Value> {
        let Shape::List { item, least, .. } = &list.shape else {
            return Err(JitError::Unsupported("an index into something that is no list"));
        };
        self.check_index(index, list.words[1], *least);
        Ok(self.address(list.words[0], index, item.width() as i64 * 8))
    }
}
