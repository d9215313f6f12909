//! Loopy values of a survey: positions of a family from which play may go on for ever.
//!
//! Values that are equal get one number, so that they can be counted.

use engine::monitor::Monitor;
use rules::bind::{Bound, Position};
use values::loopy::Loopy;
use values::loopy::value::Reach;
use values::{Arena, Outcome, Side, Value};

use crate::answer::canonical_value::loopy_name;
use crate::answer::repeating::{Form, Repeating};
use crate::error::GivenUp;
use crate::value_text::ValueText;

/// A value of a position: one without loops, or the number of a loopy one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Worth {
    /// A value without loops.
    Value(Value),
    /// A loopy value.
    Loopy(u32),
}

/// The loopy values that were met.
pub(super) struct Loops<'b> {
    bound: &'b Bound,
    repeating: Option<Repeating<'b>>,
    known: Vec<Loopy>,
}

impl<'b> Loops<'b> {
    /// None was met yet.
    pub fn new(bound: &'b Bound) -> Loops<'b> {
        Loops { bound, repeating: None, known: Vec::new() }
    }

    /// How many parts were looked at.
    pub fn met(&self) -> u64 {
        self.repeating.as_ref().map_or(0, Repeating::met)
    }

    /// The value of a position whose positions repeat.
    pub fn value(&mut self, arena: &mut Arena, position: &Position, monitor: &mut Monitor) -> Result<Worth, GivenUp> {
        let repeating = match &mut self.repeating {
            Some(repeating) => repeating,
            none => none.insert(Repeating::new(self.bound, usize::MAX, monitor)?),
        };
        match repeating.form(arena, position, monitor)? {
            Form::Value(value) => Ok(Worth::Value(value)),
            Form::Loopy(loopy) => self.number(*loopy).map_err(crate::answer::repeating::undefined),
        }
    }

    /// The number of a value. Simplest forms of equal values have equally many positions.
    pub fn number(&mut self, loopy: Loopy) -> values::Result<Worth> {
        let size = |loopy: &Loopy| [loopy.onside().len(), loopy.offside().len()];
        for (number, known) in self.known.iter().enumerate().filter(|(_, known)| size(known) == size(&loopy)) {
            if known.compare(&loopy)? == Some(std::cmp::Ordering::Equal) {
                return Ok(Worth::Loopy(number as u32));
            }
        }
        self.known.push(loopy);
        Ok(Worth::Loopy(self.known.len() as u32 - 1))
    }

    /// Who wins a value whoever begins, unless play may be drawn.
    pub fn class(&self, number: u32) -> values::Result<Option<Outcome>> {
        let loopy = &self.known[number as usize];
        Ok(match (loopy.reach(Side::Left)?, loopy.reach(Side::Right)?) {
            (Reach::Win, Reach::Loss) => Some(Outcome::L),
            (Reach::Loss, Reach::Win) => Some(Outcome::R),
            (Reach::Win, Reach::Win) => Some(Outcome::N),
            (Reach::Loss, Reach::Loss) => Some(Outcome::P),
            _ => None,
        })
    }

    /// A value as people want it.
    pub fn named(&self, arena: &mut Arena, number: u32) -> values::Result<ValueText> {
        loopy_name(&self.known[number as usize], arena)
    }
}
