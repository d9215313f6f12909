//! Statements.
//!
//! In an assignment the indices of the place are evaluated first and must be in range, then the right-hand side. While
//! a move runs, values may leave their domain for a moment. The elements of sets are bits, so those outside the domain
//! are remembered apart, as strays.

use std::sync::Arc;

use super::eval::{Flow, elements_mut};
use super::{Interpreter, faults};
use crate::fault::Fault;
use crate::layout::{Leaf, Misfit, Stray, Target, bit_of};
use crate::program::{AssignOp, Expr, Parts, Place, Root, Stmt, StmtKind};
use crate::span::Span;
use crate::types::Type;
use crate::value::Value;

impl<'b> Interpreter<'b> {
    /// Runs statements in order, until one leaves.
    pub(super) fn block(&mut self, statements: &'b [Stmt]) -> Result<Flow, Fault> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &'b Stmt) -> Result<Flow, Fault> {
        self.step(statement.span)?;
        match &statement.kind {
            StmtKind::Set { local, value } => {
                let value = self.value(value)?;
                self.set_local(*local, value);
            }
            StmtKind::Assign { place, op, value } => self.assign(place, *op, value)?,
            StmtKind::If { condition, then, otherwise } => {
                let holds = self.scalar(condition)? != 0;
                return self.block(if holds { then } else { otherwise });
            }
            StmtKind::For { local, over, body } => return self.run_loop(*local, over, body),
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Return(value) => return Ok(Flow::Return(self.value(value)?)),
            StmtKind::Gain { amount, player } => self.gain(amount, player.as_ref())?,
            StmtKind::Turn(player) => {
                let number = self.scalar(player)?;
                self.deed.turn = self.player(number, player.span)?;
            }
            StmtKind::Split(parts) => {
                if self.deed.split.is_some() {
                    return Err(Fault::at(
                        statement.span,
                        "a move may split its part only once",
                        "a second `split` is reached here",
                    ));
                }
                self.deed.split = Some(self.parts(parts, statement.span)?);
            }
        }
        Ok(Flow::Next)
    }

    fn run_loop(&mut self, local: usize, over: &'b Expr, body: &'b [Stmt]) -> Result<Flow, Fault> {
        let flow = self.each(local, over, &mut |this| {
            Ok(match this.block(body)? {
                Flow::Continue => Flow::Next,
                flow => flow,
            })
        })?;
        Ok(if matches!(flow, Flow::Break) { Flow::Next } else { flow })
    }

    fn gain(&mut self, amount: &'b Expr, player: Option<&'b Expr>) -> Result<(), Fault> {
        let number = self.scalar(amount)?;
        let player = match player {
            None => self.mover,
            Some(player) => {
                let number = self.scalar(player)?;
                self.player(number, player.span)?
            }
        };
        let total = self.deed.gains.get_mut(player.index());
        let total = total.ok_or_else(|| faults::impossible(amount.span, "gains in a game that is not counted"))?;
        let before = *total;
        let after = before.checked_add(number);
        *total = after.ok_or_else(|| faults::overflow(amount.span, format_args!("a gain of {before} + {number}")))?;
        Ok(())
    }

    /// A player by number.
    pub(super) fn player(&self, number: i64, span: Span) -> Result<game::Player, Fault> {
        match u8::try_from(number) {
            Ok(player) if usize::from(player) < self.players => Ok(game::Player(player)),
            _ => Err(faults::player(span, number, self.players)),
        }
    }

    fn assign(&mut self, place: &'b Place, op: AssignOp, value: &'b Expr) -> Result<(), Fault> {
        match place.root {
            Root::Variable(variable) => self.assign_variable(variable, place, op, value),
            Root::Local(local) => self.assign_local(local, place, op, value),
        }
    }

    fn assign_variable(
        &mut self,
        variable: usize,
        place: &'b Place,
        op: AssignOp,
        value: &'b Expr,
    ) -> Result<(), Fault> {
        let (cell, item) = self.locate(variable, &place.indices, place.span)?;
        let extent = self.extent(variable, place.indices.len());
        if cell + extent > self.cells.len() {
            return Err(faults::impossible(place.span, "there is no position here"));
        }
        if place.ty.is_scalar() {
            let number = self.scalar(value)?;
            self.cells[cell] = combine(op, self.cells[cell], number, value.span)?;
            return Ok(());
        }
        if op != AssignOp::Set {
            let Leaf::Set { low, size, .. } = &self.layout.variables[variable].leaf else {
                return Err(faults::impossible(place.span, "`+=` and `-=` change numbers and sets"));
            };
            let element = self.scalar(value)?;
            match (bit_of(*low, *size, element), op) {
                (Some(bit), AssignOp::Add) => self.cells[cell + bit / 64] |= 1 << (bit % 64),
                (Some(bit), _) => self.cells[cell + bit / 64] &= !(1 << (bit % 64)),
                (None, _) => {
                    let stray = Stray { variable, item, element };
                    self.charge(self.strays.len() as u64, value.span)?;
                    self.strays.retain(|other| *other != stray);
                    self.strays.extend((op == AssignOp::Add).then_some(stray));
                }
            }
            return Ok(());
        }
        let new = self.value(value)?;
        self.charge(extent as u64, value.span)?;
        let target = Target { variable, depth: place.indices.len(), item };
        if matches!(self.layout.variables[variable].leaf, Leaf::Set { .. }) {
            let items = self.items_below(variable, place.indices.len());
            self.charge_lists(new.len().unwrap_or(0), value.span)?;
            self.strays.retain(|stray| stray.variable != variable || !(item..item + items).contains(&stray.item));
            self.layout.strays(target, &new, &mut self.strays);
        }
        let cells = &mut self.cells[cell..cell + extent];
        self.layout.write(target, &new, cells, false).map_err(|misfit: Misfit| outside(value.span, &misfit.text))
    }

    fn assign_local(&mut self, local: usize, place: &'b Place, op: AssignOp, value: &'b Expr) -> Result<(), Fault> {
        let mut path = Vec::with_capacity(place.indices.len());
        let mut length = self.local(local, place.span)?.clone();
        for index in &place.indices {
            let number = self.scalar(index)?;
            let inside = usize::try_from(number).ok().and_then(|number| Some((number, length.get(number)?)));
            let (number, item) = inside.ok_or_else(|| faults::index(index.span, number, length.len().unwrap_or(0)))?;
            path.push(number);
            length = item;
        }
        drop(length);
        let new = self.value(value)?;
        let mut whole = std::mem::replace(&mut self.locals[self.base + local], Value::Int(0));
        self.charge(copy_cost(&whole, &path), place.span)?;
        let done = change(&mut whole, &path, op, new, place, value.span);
        self.locals[self.base + local] = whole;
        done
    }

    /// The parts that `from` or `split` names, each checked against the domains.
    pub(crate) fn parts(&mut self, parts: &'b Parts, span: Span) -> Result<Vec<Box<[i64]>>, Fault> {
        match parts {
            Parts::Listed(rows) => {
                let mut found = Vec::with_capacity(rows.len());
                for row in rows {
                    let mut values = Vec::with_capacity(row.len());
                    for value in row {
                        values.push(self.value(value)?);
                    }
                    let place = row.iter().map(|value| value.span).reduce(Span::to).unwrap_or(span);
                    found.push(self.part(found.len(), &values, place)?);
                }
                Ok(found)
            }
            Parts::Made { values, loops } => {
                let mut found = Vec::new();
                self.nest(loops, &mut |this| {
                    let row = values.iter().map(|value| this.value(value)).collect::<Result<Vec<_>, _>>()?;
                    let place = values.iter().map(|value| value.span).reduce(Span::to).unwrap_or(span);
                    found.push(this.part(found.len(), &row, place)?);
                    Ok(Flow::Next)
                })?;
                Ok(found)
            }
            Parts::List { list, nested } => {
                let items = self.value(list)?;
                let mut found = Vec::new();
                for index in 0..items.len().unwrap_or(0) {
                    let item = items.get(index).unwrap_or(Value::Int(0));
                    let values = if *nested {
                        (0..item.len().unwrap_or(0)).filter_map(|place| item.get(place)).collect()
                    } else {
                        vec![item]
                    };
                    found.push(self.part(index, &values, list.span)?);
                }
                Ok(found)
            }
        }
    }

    fn part(&mut self, number: usize, values: &[Value], span: Span) -> Result<Box<[i64]>, Fault> {
        self.charge_lists(1, span)?;
        self.charge_items(self.layout.cells(), span)?;
        let variables = &self.layout.variables;
        if values.len() != variables.len() {
            let title = format!("part {number} has {} values for {} variables", values.len(), variables.len());
            return Err(Fault::at(span, title, "each part needs one value a variable"));
        }
        let mut cells = vec![0; self.layout.cells()].into_boxed_slice();
        for (variable, (slot, value)) in variables.iter().zip(values).enumerate() {
            let own = &mut cells[slot.offset..slot.offset + slot.cells];
            let written = self.layout.write(Target::whole(variable), value, own, true);
            written.map_err(|misfit| {
                Fault::at(span, format!("part {number} is outside its domain: {}", misfit.text), "made here")
            })?;
        }
        Ok(cells)
    }
}

#[cold]
fn outside(span: Span, text: &str) -> Fault {
    Fault::at(span, format!("a domain is left: {text}"), "does not fit")
}

fn combine(op: AssignOp, old: i64, new: i64, span: Span) -> Result<i64, Fault> {
    let (result, sign) = match op {
        AssignOp::Set => return Ok(new),
        AssignOp::Add => (old.checked_add(new), "+"),
        AssignOp::Subtract => (old.checked_sub(new), "-"),
    };
    result.ok_or_else(|| faults::overflow(span, format_args!("{old} {sign} {new}")))
}

/// How many items must be copied before a local can change.
fn copy_cost(whole: &Value, path: &[usize]) -> u64 {
    let mut cost = 1;
    let mut value = whole;
    let mut path = path.iter();
    loop {
        value = match (value, path.next()) {
            (Value::Ints(list), Some(_)) if list.is_shared() => return cost + 4 * list.len() as u64,
            (Value::Set(set), None) => return cost + set.len() as u64 / 4,
            (Value::List(list), Some(&index)) => {
                cost += if list.is_shared() { 16 * list.len() as u64 } else { 0 };
                match list.as_slice().get(index) {
                    Some(item) => item,
                    None => return cost,
                }
            }
            _ => return cost,
        };
    }
}

/// Changes the item at the end of a path.
fn change(whole: &mut Value, path: &[usize], op: AssignOp, new: Value, place: &Place, span: Span) -> Result<(), Fault> {
    let impossible = || faults::impossible(place.span, "no such item to change");
    match (whole, path) {
        (Value::Ints(list), [index]) => {
            let new = new.as_int().ok_or_else(impossible)?;
            let item = list.make_mut().get_mut(*index).ok_or_else(impossible)?;
            *item = combine(op, *item, new, span)?;
            Ok(())
        }
        (Value::List(list), [index, rest @ ..]) => {
            let item = list.make_mut().get_mut(*index).ok_or_else(impossible)?;
            change(item, rest, op, new, place, span)
        }
        (whole, []) if op == AssignOp::Set => {
            *whole = new;
            Ok(())
        }
        (Value::Int(old), []) => {
            *old = combine(op, *old, new.as_int().ok_or_else(impossible)?, span)?;
            Ok(())
        }
        (Value::Set(set), []) if place.ty == Type::Set => {
            change_set(set, op, new.as_int().ok_or_else(impossible)?);
            Ok(())
        }
        _ => Err(impossible()),
    }
}

fn change_set(set: &mut Arc<Vec<i64>>, op: AssignOp, element: i64) {
    match (set.binary_search(&element), op) {
        (Err(place), AssignOp::Add) => elements_mut(set).insert(place, element),
        (Ok(place), AssignOp::Subtract) => {
            elements_mut(set).remove(place);
        }
        _ => {}
    }
}
