//! How moves are found and played: choices from left to right, then the condition, then the body on a copy.

use std::collections::HashSet;

use game::Player;

use super::eval::Flow;
use super::{Interpreter, faults};
use crate::bound::Position;
use crate::fault::Fault;
use crate::layout::SET_LIMIT;
use crate::program::{Domain, Expr, Move, Source};
use crate::space::Space;
use crate::span::Span;
use crate::text;
use crate::value::Value;

/// What one legal move does.
#[derive(Debug)]
pub struct Effect<'a> {
    /// Which rule.
    pub rule: usize,
    /// The choices made, from left to right.
    pub choices: &'a [Value],
    /// The cells after the move; meaningless if the part was split.
    pub after: &'a [i64],
    /// The parts that replace this one, if it was split.
    pub split: Option<&'a [Box<[i64]>]>,
    /// What each player gains, from player 0 on; empty in a game without scores.
    pub gains: &'a [i64],
    /// Who moves next.
    pub turn: Player,
}

impl Effect<'_> {
    /// The whole position after this move in one of its parts (part 0 in a game that is no sum).
    pub fn option(&self, position: &Position, part: usize) -> Position {
        let mut parts = Vec::with_capacity(position.parts.len() + self.split.map_or(0, <[_]>::len));
        parts.extend_from_slice(&position.parts[..part]);
        match self.split {
            Some(split) => parts.extend_from_slice(split),
            None => parts.push(self.after.into()),
        }
        parts.extend_from_slice(&position.parts[part + 1..]);
        Position { parts, turn: self.turn }
    }
}

/// What the current move has done so far, apart from changing cells.
#[derive(Default)]
pub(super) struct Deed {
    pub(super) gains: Vec<i64>,
    pub(super) turn: Player,
    pub(super) split: Option<Vec<Box<[i64]>>>,
}

/// The callback for each move.
type Visit<'v> = &'v mut dyn FnMut(&Effect<'_>) -> Result<(), Fault>;

impl<'b> Interpreter<'b> {
    /// Visits every legal move of a position or part in rule order, the leftmost choice slowest.
    ///
    /// It does not ask whether the game has ended: see [`Interpreter::end`]. A fault of `visit` ends the visit.
    pub fn moves(&mut self, part: &[i64], mover: Player, visit: Visit<'_>) -> Result<(), Fault> {
        let program = self.program;
        for (rule, mv) in program.moves.iter().enumerate() {
            if mv.owner.is_some_and(|owner| owner != mover.0) {
                continue;
            }
            self.enter(part, mover);
            let mut seat = Seat { rule, mv, part, mover };
            self.choose(&mut seat, 0, visit).map_err(|fault| self.place(fault, part, mover))?;
        }
        Ok(())
    }

    /// Visits one move, given by its choices as numbers, if it is legal. For positions with more moves than can be
    /// listed.
    pub fn one_move(
        &mut self,
        (rule, choices): (usize, &[i64]),
        part: &[i64],
        mover: Player,
        visit: Visit<'_>,
    ) -> Result<(), Fault> {
        let program = self.program;
        let Some(mv) = program.moves.get(rule) else { return Ok(()) };
        if mv.owner.is_some_and(|owner| owner != mover.0) || mv.choices.len() != choices.len() {
            return Ok(());
        }
        self.enter(part, mover);
        let seat = Seat { rule, mv, part, mover };
        let played = self.choose_these(&seat, choices, visit);
        played.map_err(|fault| self.place(fault, part, mover))
    }

    /// Binds the choices to these numbers and plays, if they may be chosen.
    fn choose_these(&mut self, seat: &Seat<'b, '_>, choices: &[i64], visit: Visit<'_>) -> Result<(), Fault> {
        for (index, (choice, &number)) in seat.mv.choices.iter().zip(choices).enumerate() {
            self.head_lets(seat.mv, index)?;
            let space = self.source(&choice.source)?;
            let offered = match space {
                Space::Range { low, high } => low <= number && number <= high,
                _ => {
                    let mut offered = false;
                    for place in 0..space.count() {
                        self.charge(1 + space.width(), choice.span)?;
                        offered |= space.nth(place) == Value::Int(number);
                    }
                    offered
                }
            };
            if !offered {
                return Ok(());
            }
            self.set_local(index, Value::Int(number));
        }
        self.play(seat, visit)
    }

    /// Binds the choices from number `index` on in every way.
    fn choose(&mut self, seat: &mut Seat<'b, '_>, index: usize, visit: Visit<'_>) -> Result<(), Fault> {
        let Some(choice) = seat.mv.choices.get(index) else { return self.play(seat, visit) };
        self.head_lets(seat.mv, index)?;
        let space = self.source(&choice.source)?;
        if let Space::Range { low, high } = space {
            for number in low..=high {
                self.step(choice.span)?;
                self.set_local(index, Value::Int(number));
                self.choose(seat, index + 1, visit)?;
            }
            return Ok(());
        }
        let (count, width) = (space.count(), space.width());
        let mut number = 0;
        while number < count {
            self.charge(1 + width, choice.span)?;
            self.set_local(index, space.nth(number));
            self.choose(seat, index + 1, visit)?;
            number += 1;
        }
        Ok(())
    }

    /// Evaluates the `let`s of a move that stand behind this many choices.
    fn head_lets(&mut self, mv: &'b Move, after: usize) -> Result<(), Fault> {
        for item in mv.lets.iter().filter(|item| item.after == after) {
            let value = self.value(&item.value)?;
            self.set_local(item.local, value);
        }
        Ok(())
    }

    /// Plays the move with the choices made, if it is legal.
    fn play(&mut self, seat: &Seat<'b, '_>, visit: Visit<'_>) -> Result<(), Fault> {
        let named = |this: &Self, fault: Fault| this.name(fault, seat);
        self.head_lets(seat.mv, seat.mv.choices.len()).map_err(|fault| named(self, fault))?;
        if let Some(when) = &seat.mv.when
            && self.scalar(when).map_err(|fault| named(self, fault))? == 0
        {
            return Ok(());
        }
        self.deed.turn = seat.mover.next(self.players);
        self.deed.split = None;
        self.deed.gains.clear();
        if self.program.counted {
            self.deed.gains.resize(self.players, 0);
        }
        self.charge(seat.part.len() as u64 / 4, seat.mv.span)?;
        let flow = self.block(&seat.mv.body).map_err(|fault| named(self, fault))?;
        if matches!(flow, Flow::Return(_)) {
            return Err(faults::impossible(seat.mv.span, "a move returned a value"));
        }
        let stray = |this: &Self| this.strays.first().map(|stray| this.layout.stray(stray));
        if self.deed.split.is_none()
            && let Some(misfit) = self.layout.misfit(&self.cells).or_else(|| stray(self))
        {
            let label = self.label(seat);
            let title = format!("the move `{label}` leaves a domain: {}", misfit.text);
            return Err(Fault::at(seat.mv.span, title, format!("after this move, {}", misfit.text))
                .help("guard the move with `when`, or widen the domain"));
        }
        let choices = seat.mv.choices.len();
        let effect = Effect {
            rule: seat.rule,
            choices: self.locals.get(..choices).unwrap_or(&[]),
            after: &self.cells,
            split: self.deed.split.as_deref(),
            gains: &self.deed.gains,
            turn: self.deed.turn,
        };
        visit(&effect)?;
        self.cells.copy_from_slice(seat.part);
        self.strays.clear();
        Ok(())
    }

    fn label(&self, seat: &Seat<'b, '_>) -> String {
        let choices = self.locals.get(..seat.mv.choices.len()).unwrap_or(&[]);
        text::label(seat.mv, self.namings, choices)
    }

    /// Adds the name of the current move to a fault.
    fn name(&self, fault: Fault, seat: &Seat<'b, '_>) -> Fault {
        let label = self.label(seat);
        fault.note(format!("in the move `{label}`"))
    }

    /// What a choice ranges over in this position.
    pub(super) fn source(&mut self, source: &'b Source) -> Result<Space, Fault> {
        match source {
            Source::Domain(domain) => self.space(domain),
            Source::NamedItems(items) => {
                let mut found: Vec<Value> = Vec::with_capacity(items.len());
                for (_, number) in items {
                    if !found.contains(&Value::Int(*number)) {
                        found.push(Value::Int(*number));
                    }
                }
                Ok(Space::Items(found))
            }
            Source::Items(expr) => {
                let value = self.value(expr)?;
                let items: Vec<Value> = (0..value.len().unwrap_or(0)).filter_map(|index| value.get(index)).collect();
                self.charge_lists(items.len(), expr.span)?;
                Ok(Space::Items(without_repeats(items)))
            }
        }
    }

    /// A domain with its bounds worked out.
    pub(crate) fn space(&mut self, domain: &'b Domain) -> Result<Space, Fault> {
        match domain {
            Domain::Range { low, high, inclusive, .. } => {
                let range = self.range(low, high, *inclusive)?;
                Ok(range.map_or(Space::EMPTY, |(low, high)| Space::Range { low, high }))
            }
            Domain::Bool => Ok(Space::Bool),
            Domain::Names(names) => Ok(Space::Names(names.clone())),
            Domain::SetOf(base) => match self.space(base)? {
                Space::Names(names) => Ok(Space::Subsets { low: 0, size: names.len(), names: Some(names) }),
                Space::Bool => Ok(Space::Subsets { low: 0, size: 2, names: None }),
                Space::Range { low, high } if high < low => Ok(Space::Subsets { low: 0, size: 0, names: None }),
                Space::Range { low, high } => {
                    let size = i128::from(high) - i128::from(low) + 1;
                    match usize::try_from(size).ok().filter(|size| *size <= SET_LIMIT) {
                        Some(size) => Ok(Space::Subsets { low, size, names: None }),
                        None => Err(set_too_large(base, size)),
                    }
                }
                _ => Err(faults::impossible(span_of(base), "sets are made of numbers")),
            },
            Domain::Array { item, length, up_to } => {
                let shortest = self.length_of(length)?;
                let longest = match up_to {
                    None => shortest,
                    Some((high, inclusive)) => {
                        let high_number = self.scalar(high)?;
                        let high_number = if *inclusive { high_number } else { high_number.saturating_sub(1) };
                        match usize::try_from(high_number) {
                            Ok(longest) => longest,
                            // A range of lengths that is reversed offers nothing.
                            Err(_) => return Ok(Space::EMPTY),
                        }
                    }
                };
                let item = Box::new(self.space(item)?);
                Ok(Space::Array { item, shortest, longest })
            }
        }
    }

    fn length_of(&mut self, length: &'b Expr) -> Result<usize, Fault> {
        let number = self.scalar(length)?;
        usize::try_from(number).map_err(|_| {
            faults::argument(length.span, format!("an array cannot have {number} items"), "the length is negative")
        })
    }
}

/// The move being played, and where.
struct Seat<'b, 'p> {
    rule: usize,
    mv: &'b Move,
    part: &'p [i64],
    mover: Player,
}

/// The items without repeats, in order of first occurrence.
fn without_repeats(items: Vec<Value>) -> Vec<Value> {
    if items.len() <= 8 {
        let mut found: Vec<Value> = Vec::with_capacity(items.len());
        for item in items {
            if !found.contains(&item) {
                found.push(item);
            }
        }
        return found;
    }
    #[allow(clippy::mutable_key_type, reason = "hashing sees the items of a list, never what it remembers of them")]
    let mut seen = HashSet::with_capacity(items.len());
    items.into_iter().filter(|item| seen.insert(item.clone())).collect()
}

fn set_too_large(base: &Domain, size: i128) -> Fault {
    let title = format!("a set may have at most {SET_LIMIT} possible elements, this one has {size}");
    Fault::at(span_of(base), title, "this range is too large for a set")
}

fn span_of(domain: &Domain) -> Span {
    match domain {
        Domain::Range { span, .. } => *span,
        Domain::Array { length, .. } => length.span,
        Domain::SetOf(base) => span_of(base),
        Domain::Bool | Domain::Names(_) => Span::default(),
    }
}
