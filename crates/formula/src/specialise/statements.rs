//! Statements: what they change, and where they leave a loop or a function.

use rules::layout::Leaf;
use rules::program::{AssignOp, Expr, Parts, Place as Target, Root, Stmt, StmtKind};
use rules::value::Value;

use super::state::{Content, Place};
use super::symbols::{Set, Stray, Sym};
use super::{Made, Specialiser, unsupported};
use crate::node::Node;

/// How statements ended. Exactly one of the conditions holds.
pub(super) struct Flow {
    /// Go on.
    next: Node,
    /// Leave the innermost loop.
    breaks: Node,
    /// Continue with the next turn of the innermost loop.
    continues: Node,
    /// Leave the function.
    returns: Node,
    /// The value returned, where `returns` holds.
    pub(super) value: Option<Sym>,
}

impl<'b> Specialiser<'b> {
    fn flow(&mut self, next: bool) -> Flow {
        let never = self.arena.number(0);
        Flow { next: self.arena.truth(next), breaks: never, continues: never, returns: never, value: None }
    }

    /// Runs statements in order, until one leaves.
    pub(super) fn block(&mut self, statements: &'b [Stmt]) -> Made<Flow> {
        for (index, statement) in statements.iter().enumerate() {
            let flow = self.statement(statement)?;
            match self.arena.known(flow.next) {
                Some(0) => return Ok(flow),
                Some(_) => {}
                None => {
                    let rest = &statements[index + 1..];
                    if rest.is_empty() {
                        return Ok(flow);
                    }
                    let (then, _) = self.either(flow.next, |this| this.block(rest).map(Some), |_| Ok(None))?;
                    return match then.flatten() {
                        Some(after) => self.follow(flow, after),
                        None => Ok(flow),
                    };
                }
            }
        }
        Ok(self.flow(true))
    }

    /// The first flow, followed by the second where the first goes on.
    fn follow(&mut self, first: Flow, then: Flow) -> Made<Flow> {
        let mut join = |before: Node, after: Node| {
            let after = self.arena.and(first.next, after);
            self.arena.or(before, after)
        };
        let breaks = join(first.breaks, then.breaks);
        let continues = join(first.continues, then.continues);
        let returns = join(first.returns, then.returns);
        let next = self.arena.and(first.next, then.next);
        let value = match (first.value, then.value) {
            (Some(a), Some(b)) => Some(self.merge(first.returns, &a, &b)?),
            (a, b) => a.or(b),
        };
        Ok(Flow { next, breaks, continues, returns, value })
    }

    fn statement(&mut self, statement: &'b Stmt) -> Made<Flow> {
        self.step()?;
        match &statement.kind {
            StmtKind::Set { local, value } => {
                let value = self.value(value)?;
                self.state.set_local(*local, value);
            }
            StmtKind::Assign { place, op, value } => match place.root {
                Root::Variable(variable) => self.assign_variable(variable, place, *op, value)?,
                Root::Local(local) => self.assign_local(local, place, *op, value)?,
            },
            StmtKind::If { condition, then, otherwise } => return self.run_if(condition, then, otherwise),
            StmtKind::For { local, over, body } => return self.run_loop(*local, over, body),
            StmtKind::Break => {
                let breaks = self.arena.number(1);
                return Ok(Flow { breaks, ..self.flow(false) });
            }
            StmtKind::Continue => {
                let continues = self.arena.number(1);
                return Ok(Flow { continues, ..self.flow(false) });
            }
            StmtKind::Return(value) => {
                let value = Some(self.value(value)?);
                let returns = self.arena.number(1);
                return Ok(Flow { returns, value, ..self.flow(false) });
            }
            StmtKind::Gain { amount, player } => self.gain(amount, player.as_ref())?,
            StmtKind::Turn(player) => {
                let player = self.scalar(player)?;
                self.fault_outside(player, 0, self.bound.players as i64 - 1);
                self.state.write_node(Place::Turn, player);
            }
            StmtKind::Split(parts) => self.split(parts)?,
        }
        Ok(self.flow(true))
    }

    fn run_if(&mut self, condition: &'b Expr, then: &'b [Stmt], otherwise: &'b [Stmt]) -> Made<Flow> {
        let condition = self.scalar(condition)?;
        let flows = self.either(condition, |this| this.block(then), |this| this.block(otherwise))?;
        match flows {
            (Some(a), Some(b)) => {
                let mut pick = |a: Node, b: Node| self.arena.select(condition, a, b);
                let next = pick(a.next, b.next);
                let breaks = pick(a.breaks, b.breaks);
                let continues = pick(a.continues, b.continues);
                let returns = pick(a.returns, b.returns);
                let value = match (a.value, b.value) {
                    (Some(a), Some(b)) => Some(self.merge(condition, &a, &b)?),
                    (a, b) => a.or(b),
                };
                Ok(Flow { next, breaks, continues, returns, value })
            }
            (Some(flow), None) | (None, Some(flow)) => Ok(flow),
            (None, None) => Ok(self.flow(true)),
        }
    }

    fn run_loop(&mut self, local: usize, over: &'b Expr, body: &'b [Stmt]) -> Made<Flow> {
        let mut alive = self.arena.number(1);
        let mut returns = self.arena.number(0);
        let mut value: Option<Sym> = None;
        for (there, item) in self.turns(over)? {
            let here = self.arena.and(alive, there);
            if self.is_never(here) {
                continue;
            }
            let run = |this: &mut Self| {
                this.state.set_local(local, item);
                this.block(body).map(Some)
            };
            let (flow, _) = self.either(here, run, |_| Ok(None))?;
            let Some(flow) = flow.flatten() else { continue };
            let left = self.arena.and(here, flow.returns);
            value = match (value, flow.value) {
                (Some(a), Some(b)) => Some(self.merge(returns, &a, &b)?),
                (a, b) => a.or(b),
            };
            returns = self.arena.or(returns, left);
            let stops = self.arena.or(flow.breaks, flow.returns);
            let stops = self.arena.and(there, stops);
            let goes = self.arena.not(stops);
            alive = self.arena.and(alive, goes);
            if self.is_never(alive) {
                break;
            }
        }
        let next = self.arena.not(returns);
        Ok(Flow { next, returns, value, ..self.flow(true) })
    }

    fn gain(&mut self, amount: &'b Expr, player: Option<&'b Expr>) -> Made<()> {
        let amount = self.scalar(amount)?;
        let player = match player {
            None => self.mover,
            Some(player) => {
                let player = self.scalar(player)?;
                self.fault_outside(player, 0, self.bound.players as i64 - 1);
                player
            }
        };
        let none = self.arena.number(0);
        for index in 0..self.state.gains.len() {
            let number = self.arena.number(index as i64);
            let gets = self.arena.eq(player, number);
            let share = self.arena.select(gets, amount, none);
            let before = self.state.gains[index];
            let after = self.add(before, share);
            self.state.write_node(Place::Gain(index), after);
        }
        Ok(())
    }

    /// The new value of a number.
    fn combine(&mut self, op: AssignOp, old: Node, new: Node) -> Node {
        match op {
            AssignOp::Set => new,
            AssignOp::Add => self.add(old, new),
            AssignOp::Subtract => self.subtract(old, new),
        }
    }

    fn assign_variable(&mut self, variable: usize, target: &'b Target, op: AssignOp, value: &'b Expr) -> Made<()> {
        let item = self.locate(variable, &target.indices)?;
        let slot = &self.bound.layout.variables[variable];
        let depth = target.indices.len();
        let below: usize = slot.dims[depth..].iter().product();
        let items: usize = slot.dims.iter().product();
        let new = self.value(value)?;
        let new = match (&slot.leaf, target.ty.is_scalar() || op != AssignOp::Set) {
            (_, true) => vec![new],
            (Leaf::Set { low, size, .. }, false) => self.leaves(&slot.dims[depth..], &new, Some((*low, *size)))?,
            (_, false) => self.leaves(&slot.dims[depth..], &new, None)?,
        };
        let places = match self.arena.known(item) {
            Some(place) => vec![(self.arena.number(1), usize::try_from(place).unwrap_or(0))],
            None => self.places(item, below, items)?,
        };
        for (there, place) in places {
            for (offset, new) in new.iter().enumerate() {
                let cell = slot.offset + (place + offset) * slot.stride;
                if place + offset >= items || slot.stride == 0 {
                    // A set without possible elements stores nothing, so it has no place for strays either; an empty
                    // array has nothing to change.
                    let adds = match new {
                        Sym::Scalar(_) => op == AssignOp::Add,
                        Sym::Set(set) => !set.strays.is_empty(),
                        _ => false,
                    };
                    if adds && slot.stride == 0 {
                        return unsupported("a set without possible elements is added to");
                    }
                    continue;
                }
                let old = self.state.cells[cell].clone();
                let changed = self.under(there, |this| this.changed(op, &old, new))?;
                let changed = self.merge(there, &changed, &old)?;
                self.state.write(Place::Cell(cell), Content::Sym(changed));
            }
        }
        Ok(())
    }

    /// The content of a cell after an assignment.
    fn changed(&mut self, op: AssignOp, old: &Sym, new: &Sym) -> Made<Sym> {
        match (old, new) {
            (Sym::Scalar(old), Sym::Scalar(new)) => Ok(Sym::Scalar(self.combine(op, *old, *new))),
            (Sym::Set(set), Sym::Scalar(element)) => {
                Ok(Sym::Set(self.change_variable(set, *element, op == AssignOp::Add)?))
            }
            _ => Ok(new.clone()),
        }
    }

    /// The innermost items of a value that is assigned to a variable, or to an item of it, with these dimensions. Sets
    /// are fitted into their domain.
    fn leaves(&mut self, dims: &[usize], value: &Sym, set: Option<(i64, usize)>) -> Made<Vec<Sym>> {
        self.step()?;
        let Some((&length, rest)) = dims.split_first() else {
            let Some((low, size)) = set else { return Ok(vec![value.clone()]) };
            return Ok(vec![self.fit_set(value, low, size)?]);
        };
        match self.fixed_length(value) {
            Some(own) if own == length => {}
            Some(_) => self.fault_here(),
            None => {
                let (own, wanted) = (self.length(value)?, self.arena.number(length as i64));
                let differs = self.arena.ne(own, wanted);
                self.fault_if(differs);
            }
        }
        let mut found = Vec::new();
        for place in 0..length {
            let item = self.item(value, place)?;
            let fits = rest.is_empty() && set.is_none();
            let item = match item {
                Sym::Scalar(_) if !fits => Sym::Known(Value::ints(Vec::new())), // Only after a fault.
                item => item,
            };
            found.extend(self.leaves(rest, &item, set)?);
        }
        Ok(found)
    }

    /// A set within a domain; elements outside it are strays.
    fn fit_set(&mut self, value: &Sym, low: i64, size: usize) -> Made<Sym> {
        let mut bits = vec![self.arena.number(0); size];
        if let Sym::Known(Value::Ints(_)) = value {
            return Ok(Sym::Set(Set::of_bits(low, bits))); // Only after a fault.
        }
        if let Sym::Set(set) = value
            && (set.low, set.size) == (low, size)
        {
            return Ok(value.clone());
        }
        let mut strays = Vec::new();
        for (when, element) in self.loose(value)? {
            let element = self.node(element)?;
            let number = self.arena.known(element).unwrap_or(i64::MIN);
            match usize::try_from(i128::from(number) - i128::from(low)).ok().filter(|place| *place < size) {
                Some(place) => bits[place] = when,
                None => strays.push(Stray { when, element, inside: self.arena.number(0) }),
            }
        }
        Ok(Sym::Set(Set::of_bits(low, bits).with_strays(strays)))
    }

    fn assign_local(&mut self, local: usize, target: &'b Target, op: AssignOp, value: &'b Expr) -> Made<()> {
        let mut path = Vec::with_capacity(target.indices.len());
        let mut inner = self.local(local)?;
        for index in &target.indices {
            let place = self.scalar(index)?;
            self.fault_beyond(&inner, place)?;
            path.push(place);
            if path.len() < target.indices.len() {
                inner = self.item_at(&inner, place, &rules::types::Type::list(target.ty.clone()))?;
            }
        }
        let new = self.value(value)?;
        let whole = self.local(local)?;
        let changed = self.change(&whole, &path, op, &new)?;
        self.state.set_local(local, changed);
        Ok(())
    }

    /// The value with the item at the end of a path changed.
    fn change(&mut self, whole: &Sym, path: &[Node], op: AssignOp, new: &Sym) -> Made<Sym> {
        self.step()?;
        let Some((&place, rest)) = path.split_first() else {
            return match (whole, new) {
                (_, _) if op == AssignOp::Set => Ok(new.clone()),
                (Sym::Scalar(_), _) => self.changed(op, whole, new),
                (_, Sym::Scalar(element)) => {
                    let set = self.as_set(whole)?;
                    let set = if op == AssignOp::Add {
                        let range = self.range(*element);
                        self.widen(&set, range.low, range.high)?
                    } else {
                        set
                    };
                    Ok(Sym::Set(self.change_set(&set, *element, op == AssignOp::Add)))
                }
                _ => unsupported("`+=` changes numbers and sets"),
            };
        };
        let Some(length) = self.fixed_length(whole) else {
            return unsupported("an item of a list of varying length is changed");
        };
        if length > 4096 {
            return unsupported("an item of a long list is changed");
        }
        let mut items = Vec::with_capacity(length);
        for index in 0..length {
            items.push(self.item(whole, index)?);
        }
        for (there, index) in self.places(place, 1, length)? {
            let there = self.settle(there);
            let item = items[index].clone();
            let changed = self.under(there, |this| this.change(&item, rest, op, new))?;
            items[index] = self.merge(there, &changed, &item)?;
        }
        Ok(Sym::items(items))
    }

    fn split(&mut self, parts: &'b Parts) -> Made<()> {
        let mut already_split = self.arena.number(0);
        for (when, made) in self.state.split.clone().iter() {
            if made.is_some() {
                let when = when.unwrap_or(self.arena.number(1));
                already_split = self.arena.or(already_split, when);
            }
        }
        self.fault_if(already_split);
        let mut found = Vec::new();
        match parts {
            Parts::Listed(rows) => {
                for row in rows {
                    let mut values = Vec::with_capacity(row.len());
                    for value in row {
                        values.push(self.value(value)?);
                    }
                    found.push(self.part(&values)?);
                }
            }
            Parts::Made { values, loops } => {
                let one = self.arena.number(1);
                let mut made = Vec::new();
                self.nest(loops, one, &mut |this, present| {
                    let row = values.iter().map(|value| this.value(value)).collect::<Made<Vec<Sym>>>()?;
                    made.push((present, this.part(&row)?));
                    Ok(one)
                })?;
                for (present, part) in made {
                    if !self.is_always(present) {
                        return unsupported("a part is split into a number of parts that varies");
                    }
                    found.push(part);
                }
            }
            Parts::List { list, nested } => {
                let list = self.value(list)?;
                let Some(length) = self.fixed_length(&list) else {
                    return unsupported("a part is split into a number of parts that varies");
                };
                for place in 0..length {
                    let item = self.item(&list, place)?;
                    let mut values = vec![item.clone()];
                    if *nested {
                        values.clear();
                        for place in 0..self.fixed_length(&item).unwrap_or(0) {
                            values.push(self.item(&item, place)?);
                        }
                    }
                    found.push(self.part(&values)?);
                }
            }
        }
        self.state.write(Place::Split, Content::Split(vec![(None, Some(found.into()))].into()));
        Ok(())
    }

    /// The cells of a part, checked against the domains.
    fn part(&mut self, values: &[Sym]) -> Made<Vec<Node>> {
        let layout = &self.bound.layout;
        let mut cells = Vec::with_capacity(layout.cells());
        if values.len() != layout.variables.len() {
            self.fault_here();
            return Ok(vec![self.arena.number(0); layout.cells()]);
        }
        for (slot, value) in layout.variables.iter().zip(values) {
            let set = match &slot.leaf {
                Leaf::Set { low, size, .. } => Some((*low, *size)),
                _ => None,
            };
            for leaf in self.leaves(&slot.dims, value, set)? {
                match leaf {
                    Sym::Set(set) => {
                        let mask = self.settled_mask(&set);
                        cells.extend((slot.stride > 0).then_some(mask));
                    }
                    Sym::Scalar(node) => {
                        let (low, high) = slot.leaf.range().unwrap_or((0, 0));
                        self.fault_outside(node, low, high);
                        cells.push(node);
                    }
                    _ => {}
                }
            }
        }
        cells.resize(layout.cells(), self.arena.number(0));
        Ok(cells)
    }
}
