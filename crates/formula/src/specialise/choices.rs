//! Moves: choices are unrolled or counted, then the condition and the body make an action.

use rules::program::{Domain, ExprKind, Move, Source};
use rules::space::Space as KnownSpace;
use rules::value::Value;

use super::lists::without_repeats;
use super::state::Parts;
use super::symbols::{Set, Stretch, Sym};
use super::written::{self, Ties};
use super::{Made, SET_SIZE, Specialiser, unsupported};
use crate::formulas::{Action, Count};
use crate::node::{Node, Range};

/// Positions with at least this many cells are boards.
const BOARD: usize = 8;

/// What a choice ranges over.
enum Space {
    /// `low..=high`.
    Range { low: Node, high: Node },
    /// Items in order, each with the condition under which it is offered.
    Items(Vec<(Node, Sym)>),
    /// The items of a stretch of a known list, without repeats.
    Stretch(Stretch),
    /// The items of a known list of numbers, without repeats.
    Known(Vec<i64>),
    /// All subsets.
    Subsets { low: i64, size: usize },
    /// Lists of this length.
    Array { item: Box<Space>, length: usize },
}

/// What tells how many values a choice has.
enum Amount {
    /// The instance.
    Known,
    /// The instance; the values are sets.
    Subsets,
    /// The position.
    Varying,
}

/// A rule whose choices are being made.
struct Seat<'b> {
    rule: usize,
    mv: &'b Move,
    counts: Vec<Count>,
}

impl<'b> Specialiser<'b> {
    /// The actions of all moves.
    pub(super) fn actions(&mut self) -> Made<Vec<Action>> {
        let program = self.program;
        for (rule, mv) in program.moves.iter().enumerate() {
            let before = self.found.len();
            self.unrolled = mv.choices.len();
            self.ties = Ties::default();
            // A fault narrows what is assumed after it. A rule that is read once more forgets its faults, and so what
            // they ruled out.
            let assumed = self.path.clone();
            loop {
                let made = self.rule(rule, mv);
                match made {
                    Ok(()) if self.few_actions() => {
                        if !self.retry_ties(before) {
                            break;
                        }
                        self.found.truncate(before);
                        self.path.clone_from(&assumed);
                    }
                    Err(why) if self.few_actions() => return Err(why),
                    // Too many: the last of the choices that were unrolled is counted instead.
                    _ if self.unrolled > 0 => {
                        self.unrolled -= 1;
                        self.found.truncate(before);
                        self.take_fault();
                        self.path.clone_from(&assumed);
                    }
                    _ => {
                        let most = self.limits.actions;
                        self.scope.actions.fix(most);
                        return unsupported(format!("the rules unfold to more than {most} actions"));
                    }
                }
            }
        }
        Ok(std::mem::take(&mut self.found))
    }

    /// Whether there are not too many actions.
    fn few_actions(&mut self) -> bool {
        self.scope.actions.admits(self.found.len() as i128, self.limits.actions)
    }

    fn rule(&mut self, rule: usize, mv: &'b Move) -> Made<()> {
        let (mark, depth) = (self.state.mark(), self.path.len());
        if let Some(owner) = mv.owner {
            let owner = self.arena.number(i64::from(owner));
            let own = self.arena.eq(self.mover, owner);
            self.enter(own, true);
        }
        let mut seat = Seat { rule, mv, counts: Vec::new() };
        let before = self.found.len();
        let done = self.choose(&mut seat, 0);
        self.path.truncate(depth);
        self.state.undo(mark);
        done?;
        self.emit_fault(&seat, before);
        Ok(())
    }

    /// Records a fault that no action reports, as an action that is never legal. `before` is the number of actions when
    /// the innermost count began.
    fn emit_fault(&mut self, seat: &Seat<'b>, before: usize) {
        let fault = self.take_fault();
        let reported = self.found.len() > before || seat.counts.iter().all(|count| self.is_never(count.fault));
        if self.is_never(fault) && reported {
            return;
        }
        self.found.push(Action {
            rule: seat.rule,
            choices: Vec::new(),
            counts: seat.counts.clone(),
            guard: self.arena.number(0),
            after: Vec::new(),
            split: None,
            turn: self.state.turn,
            gains: Vec::new(),
            fault,
        });
    }

    /// Makes the choices from number `index` on, in every way.
    fn choose(&mut self, seat: &mut Seat<'b>, index: usize) -> Made<()> {
        self.step()?;
        if !self.few_actions() {
            return unsupported("too many actions");
        }
        let Some(choice) = seat.mv.choices.get(index) else { return self.play(seat) };
        // The bounds of a choice inside a counted one are evaluated with it, so their faults belong to it.
        let outer = (!seat.counts.is_empty()).then(|| self.take_fault());
        self.head_lets(seat.mv, index)?;
        let space = self.source(&choice.source)?;
        let may_unroll = seat.counts.is_empty() && index < self.unrolled;
        let own = match outer {
            Some(outer) => std::mem::replace(&mut self.fault, outer),
            None => self.arena.number(0),
        };
        self.bind(seat, &space, may_unroll, own, &mut |this, seat, value| {
            this.state.set_local(index, value);
            this.choose(seat, index + 1)
        })
    }

    /// Goes through a space. `fault` is the fault of its bounds, if it is inside a counted choice.
    fn bind(
        &mut self,
        seat: &mut Seat<'b>,
        space: &Space,
        may_unroll: bool,
        fault: Node,
        then: &mut dyn FnMut(&mut Self, &mut Seat<'b>, Sym) -> Made<()>,
    ) -> Made<()> {
        if let Space::Array { item, length } = space {
            // Not worth trying if there would be too many lists.
            let values = match &**item {
                Space::Range { low, high } => i128::from(self.range(*high).high) - i128::from(self.range(*low).low) + 1,
                Space::Known(items) => items.len() as i128,
                _ => 1,
            };
            let lists = values.max(1).saturating_pow(*length as u32);
            let may_unroll = may_unroll && self.scope.actions.admits(lists, self.limits.actions);
            return self.bind_array(seat, item, *length, Vec::new(), may_unroll, fault, then);
        }
        let one = self.arena.number(1);
        match self.unroll(space, may_unroll)? {
            Some(items) => {
                if !seat.counts.is_empty() {
                    // A single value after a counted choice: its fault is left to the action.
                    self.fault = self.arena.or(self.fault, fault);
                }
                for (there, value) in items {
                    self.under(there, |this| then(this, seat, value))?;
                }
                Ok(())
            }
            None => {
                let (low, high) = match space {
                    Space::Range { low, high } => (*low, *high),
                    Space::Stretch(stretch) => (stretch.from, self.arena.shift(stretch.to, -1)),
                    Space::Items(items) => (self.arena.number(0), self.arena.number(items.len() as i64 - 1)),
                    Space::Known(items) => (self.arena.number(0), self.arena.number(items.len() as i64 - 1)),
                    Space::Subsets { size, .. } => (self.arena.number(0), self.arena.number((1i64 << size) - 1)),
                    Space::Array { .. } => return Ok(()),
                };
                let node = self.count(seat, low, high, fault);
                let (levels, before) = (self.path.len(), self.found.len());
                let (above, below) = (self.arena.le(low, node), self.arena.le(node, high));
                self.enter(above, false);
                self.enter(below, false);
                let (there, value) = match space {
                    Space::Range { .. } | Space::Array { .. } => (one, Sym::Scalar(node)),
                    Space::Subsets { low, size } => (one, Sym::Set(Set::of_mask(*low, *size, node))),
                    Space::Known(items) => (one, Sym::Scalar(self.load(items, node))),
                    Space::Stretch(stretch) => self.counted_stretch(stretch, node),
                    Space::Items(items) => {
                        let all = Sym::items(items.iter().map(|(_, item)| item.clone()).collect());
                        let there = Sym::items(items.iter().map(|(there, _)| Sym::Scalar(*there)).collect());
                        let there = self.item_at(&there, node, &rules::types::Type::Bool)?;
                        let ty = if matches!(items.first(), Some((_, Sym::Scalar(_)))) {
                            rules::types::Type::Int
                        } else {
                            rules::types::Type::Unknown
                        };
                        (self.node(there)?, self.item_at(&all, node, &ty)?)
                    }
                };
                let done = self.under(there, |this| then(this, seat, value));
                self.path.truncate(levels);
                self.emit_fault(seat, before);
                seat.counts.pop();
                done
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one step of a walk that `bind` starts")]
    fn bind_array(
        &mut self,
        seat: &mut Seat<'b>,
        item: &Space,
        length: usize,
        made: Vec<Sym>,
        may_unroll: bool,
        fault: Node,
        then: &mut dyn FnMut(&mut Self, &mut Seat<'b>, Sym) -> Made<()>,
    ) -> Made<()> {
        if made.len() == length {
            if !seat.counts.is_empty() {
                self.fault = self.arena.or(self.fault, fault);
            }
            return then(self, seat, Sym::items(made));
        }
        let may_unroll = may_unroll && seat.counts.is_empty();
        let none = self.arena.number(0);
        self.bind(seat, item, may_unroll, fault, &mut |this, seat, value| {
            let mut made = made.clone();
            made.push(value);
            this.bind_array(seat, item, length, made, may_unroll, none, then)
        })
    }

    /// The values of a space one by one, if it is to be unrolled.
    fn unroll(&mut self, space: &Space, may_unroll: bool) -> Made<Option<Vec<(Node, Sym)>>> {
        let one = self.arena.number(1);
        let few = |this: &mut Self, amount: Amount, count: i128| match may_unroll {
            true => this.is_few(amount, count),
            false => count <= 1,
        };
        match space {
            Space::Range { low, high } => {
                let (from, to) = (self.range(*low), self.range(*high));
                let count = i128::from(to.high) - i128::from(from.low) + 1;
                let fixed = from.single().is_some() && to.single().is_some();
                if !few(self, if fixed { Amount::Known } else { Amount::Varying }, count) {
                    return Ok(None);
                }
                let numbers = self.numbers(*low, *high)?;
                let numbers = numbers.into_iter();
                Ok(Some(numbers.map(|(there, number)| (there, Sym::Scalar(self.arena.number(number)))).collect()))
            }
            Space::Items(items) => Ok(few(self, Amount::Known, items.len() as i128).then(|| items.clone())),
            Space::Known(items) => {
                if !few(self, Amount::Known, items.len() as i128) {
                    return Ok(None);
                }
                Ok(Some(items.iter().map(|item| (one, Sym::Scalar(self.arena.number(*item)))).collect()))
            }
            Space::Stretch(_) => Ok(None),
            Space::Subsets { low, size } => {
                if !few(self, Amount::Subsets, 1i128 << size) {
                    return Ok(None);
                }
                let space = KnownSpace::Subsets { low: *low, size: *size, names: None };
                Ok(Some((0..space.count()).map(|index| (one, Sym::Known(space.nth(index)))).collect()))
            }
            Space::Array { .. } => Ok(None),
        }
    }

    /// Whether there are so few values that each becomes an action.
    fn is_few(&mut self, amount: Amount, count: i128) -> bool {
        let (scope, limits) = (&mut self.scope, &self.limits);
        match amount {
            Amount::Varying => scope.varying_choices.admits(count, limits.varying_choices),
            Amount::Known if self.state.cells.len() >= BOARD => scope.board_choices.admits(count, limits.board_choices),
            Amount::Known | Amount::Subsets => scope.known_choices.admits(count, limits.known_choices),
        }
    }

    /// Starts counting a choice.
    fn count(&mut self, seat: &mut Seat<'b>, low: Node, high: Node, fault: Node) -> Node {
        let (from, to) = (self.range(low), self.range(high));
        let range = Range { low: from.low, high: to.high.max(from.low) };
        let next = self.choices.len() as u32;
        let choice = *self.choices.entry((seat.counts.len(), range)).or_insert(next);
        // A fault from before the count would not be seen if there is nothing to count.
        let fault = if seat.counts.is_empty() {
            let before = self.take_fault();
            self.arena.or(before, fault)
        } else {
            fault
        };
        seat.counts.push(Count { choice, low, high, fault });
        self.arena.choice(choice, range)
    }

    /// The current item of a counted stretch, and the condition that it is no repeat.
    fn counted_stretch(&mut self, stretch: &Stretch, at: Node) -> (Node, Sym) {
        let item = Sym::Scalar(self.load_flat(stretch.flat, at));
        let one = self.arena.number(1);
        if stretch.distinct {
            return (one, item);
        }
        let items = self.items_of(stretch.flat);
        let mut last = rustc_hash::FxHashMap::default();
        let before: Vec<i64> = (0..).zip(items.iter()).map(|(at, item)| last.insert(*item, at).unwrap_or(-1)).collect();
        let previous = self.load(&before, at);
        (self.arena.lt(previous, stretch.from), item)
    }

    /// What a choice ranges over.
    fn source(&mut self, source: &'b Source) -> Made<Space> {
        let one = self.arena.number(1);
        match source {
            Source::Domain(domain) => self.space(domain),
            Source::NamedItems(items) => {
                let numbers: Vec<i64> = items.iter().map(|(_, number)| *number).collect();
                Ok(Space::Known(without_repeats(&numbers)))
            }
            Source::Items(expr) => {
                if let ExprKind::Index(list, index) = &expr.kind
                    && !self.is_closed(expr)
                {
                    let (list, place) = (self.value(list)?, self.scalar(index)?);
                    let place = self.settle(place);
                    if self.arena.known(place).is_none()
                        && let Some(row) = self.distinct_row(&list, place)
                    {
                        self.fault_beyond(&list, place)?;
                        return Ok(Space::Stretch(row));
                    }
                }
                if let ExprKind::SetOf(items) = &expr.kind
                    && items.len() <= written::MOST
                    && !self.is_closed(expr)
                {
                    return Ok(Space::Items(self.written_set(items)?));
                }
                let value = self.value(expr)?;
                match &value {
                    Sym::Known(known) => match known.numbers() {
                        Some(numbers) => Ok(Space::Known(without_repeats(numbers))),
                        None => {
                            let mut found: Vec<Value> = Vec::new();
                            for place in 0..known.len().unwrap_or(0) {
                                self.step()?;
                                let item = known.get(place).unwrap_or(Value::Int(0));
                                if !found.contains(&item) {
                                    found.push(item);
                                }
                            }
                            Ok(Space::Items(found.into_iter().map(|item| (one, self.known(item))).collect()))
                        }
                    },
                    Sym::Stretch(stretch) => Ok(Space::Stretch(stretch.clone())),
                    Sym::Set(_) => Ok(Space::Items(self.loose(&value)?)),
                    _ => {
                        let items = self.loose(&value)?;
                        self.first_of_each(items)
                    }
                }
            }
        }
    }

    /// Symbolic items, each with the condition that no equal item comes before it.
    fn first_of_each(&mut self, items: Vec<(Node, Sym)>) -> Made<Space> {
        let mut found: Vec<(Node, Sym)> = Vec::with_capacity(items.len());
        for (when, item) in items.iter() {
            let mut first = *when;
            for (other, earlier) in &items[..found.len()] {
                let same = self.equal(item, earlier)?;
                let repeats = self.arena.and(*other, same);
                let not = self.arena.not(repeats);
                first = self.arena.and(first, not);
            }
            found.push((first, item.clone()));
        }
        found.retain(|(when, _)| !self.is_never(*when));
        Ok(Space::Items(found))
    }

    fn space(&mut self, domain: &'b Domain) -> Made<Space> {
        match domain {
            Domain::Range { low, high, inclusive, .. } => {
                let (low, high) = self.bounds(low, high, *inclusive)?;
                Ok(Space::Range { low, high })
            }
            Domain::Bool => Ok(Space::Known(vec![0, 1])),
            Domain::Names(names) => Ok(Space::Known((0..names.len() as i64).collect())),
            Domain::SetOf(base) => match self.space(base)? {
                Space::Known(names) => Ok(Space::Subsets { low: 0, size: names.len() }),
                Space::Range { low, high } => match (self.range(low).single(), self.range(high).single()) {
                    (Some(low), Some(high)) if high < low => Ok(Space::Subsets { low: 0, size: 0 }),
                    (Some(low), Some(high)) if i128::from(high) - i128::from(low) < SET_SIZE as i128 => {
                        Ok(Space::Subsets { low, size: (high - low + 1) as usize })
                    }
                    (Some(_), Some(_)) => unsupported("a choice among the subsets of a large set"),
                    _ => unsupported("a choice among subsets depends on the position"),
                },
                _ => unsupported("a choice among sets of sets"),
            },
            Domain::Array { item, length, .. } => {
                let length = self.scalar(length)?;
                let none = self.arena.number(0);
                let negative = self.arena.lt(length, none);
                self.fault_if(negative);
                let Some(length) = self.range(length).single() else {
                    return unsupported("the length of a choice depends on the position");
                };
                if length > 64 {
                    return unsupported("a choice is a list of more than 64 items");
                }
                let item = Box::new(self.space(item)?);
                Ok(Space::Array { item, length: length.max(0) as usize })
            }
        }
    }

    /// Evaluates the `let`s of a move that stand behind this many choices.
    fn head_lets(&mut self, mv: &'b Move, after: usize) -> Made<()> {
        for item in mv.lets.iter().filter(|item| item.after == after) {
            let value = self.value(&item.value)?;
            self.state.set_local(item.local, value);
        }
        Ok(())
    }

    /// Plays the move with the choices made.
    fn play(&mut self, seat: &mut Seat<'b>) -> Made<()> {
        let mark = self.state.mark();
        self.head_lets(seat.mv, seat.mv.choices.len())?;
        let one = self.arena.number(1);
        let when = match &seat.mv.when {
            Some(when) => self.scalar(when)?,
            None => one,
        };
        let when = self.settle(when);
        let done = if self.is_never(when) {
            Ok(())
        } else {
            self.under(when, |this| {
                this.block(&seat.mv.body)?;
                this.emit(seat, mark)
            })
        };
        self.state.undo(mark);
        done
    }

    /// Records what the move has done, as one action for each way in which it may have split its part.
    fn emit(&mut self, seat: &Seat<'b>, mark: usize) -> Made<()> {
        let ways = self.state.split.clone();
        if ways.len() > 1 && !seat.counts.is_empty() && (self.program.counted || self.bound.players != 2) {
            return unsupported("a part is split or not, depending on a choice");
        }
        let one = self.arena.number(1);
        for (when, parts) in ways.iter() {
            let when = when.unwrap_or(one);
            self.under(when, |this| {
                this.emit_one(seat, mark, parts.as_ref());
                Ok(())
            })?;
        }
        Ok(())
    }

    fn emit_one(&mut self, seat: &Seat<'b>, mark: usize, parts: Option<&Parts>) {
        let mut after = Vec::new();
        if parts.is_none() {
            for cell in self.state.cells_since(mark) {
                let range = self.domains[cell];
                let (node, before) = match self.state.cells[cell].clone() {
                    Sym::Set(set) => (self.settled_mask(&set), self.arena.cell(cell as u32, range)),
                    Sym::Scalar(node) => {
                        self.fault_outside(node, range.low, range.high);
                        (node, self.arena.cell(cell as u32, range))
                    }
                    _ => continue,
                };
                if node != before {
                    after.push((cell as u32, node));
                }
            }
        }
        let guard = self.here();
        let fault = self.take_fault();
        if self.is_never(guard) && self.is_never(fault) {
            return;
        }
        let gains = &self.state.gains;
        let gains = if gains.iter().all(|gain| self.is_never(*gain)) { Vec::new() } else { gains.clone() };
        let choices = (0..seat.mv.choices.len()).map(|local| match self.local(local) {
            Ok(Sym::Scalar(node)) => Some(node),
            _ => None,
        });
        self.found.push(Action {
            rule: seat.rule,
            choices: choices.collect(),
            counts: seat.counts.clone(),
            guard,
            after,
            split: parts.map(|parts| parts.to_vec()),
            turn: self.state.turn,
            gains,
            fault,
        });
    }
}
