//! Loopy values of a survey: positions of a family from which play may go on for ever.
//!
//! Values that are equal get one number, so that they can be counted.

use std::cmp::Ordering;

use engine::memory::Lease;
use engine::monitor::Monitor;
use game::OutcomeClass;
use values::loopy::Loopy;
use values::loopy::value::Reach;
use values::{Arena, Side, Value};

use crate::answer::canonical_value::loopy_name;
use crate::answer::repeating::{Form, undefined};
use crate::error::GivenUp;
use crate::value_text::ValueText;

/// A value of a position: one without loops, or the number of a loopy one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum MaybeLoopy {
    /// A value without loops.
    Value(Value),
    /// A loopy value.
    Loopy(u32),
}

/// The loopy values that were met.
pub(super) struct Loops {
    known: Vec<Known>,
    lease: Lease,
}

/// A loopy value, and what it shares with all that equal it.
struct Known {
    loopy: Loopy,
    signs: Signs,
}

/// What tells many values apart at once: what each player reaches who begins, and how the value compares with the named ones.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Signs {
    reaches: [Reach; 2],
    compared: [Option<Ordering>; NAMED.len()],
}

/// Values with which others are compared.
const NAMED: [&str; 5] = ["on", "off", "over", "under", "dud"];

impl Signs {
    fn new(loopy: &Loopy) -> values::Result<Signs> {
        let mut compared = [None; NAMED.len()];
        for (sign, named) in compared.iter_mut().zip(NAMED.iter().filter_map(|name| Loopy::named(name))) {
            *sign = loopy.compare(&named)?;
        }
        Ok(Signs { reaches: [loopy.reach(Side::Left)?, loopy.reach(Side::Right)?], compared })
    }
}

impl Loops {
    /// None was met yet.
    pub fn new(monitor: &Monitor) -> Loops {
        Loops { known: Vec::new(), lease: monitor.memory().lease() }
    }

    /// A value, with its number where it is loopy.
    pub fn numbered(&mut self, form: Form) -> Result<MaybeLoopy, GivenUp> {
        match form {
            Form::Value(value) => Ok(MaybeLoopy::Value(value)),
            Form::Loopy(loopy) => self.number(*loopy).map_err(undefined),
        }
    }

    /// The number of a value. Equal values mostly have the same form, but need not: so far nothing promises that simplifying
    /// comes to the same end.
    pub fn number(&mut self, loopy: Loopy) -> values::Result<MaybeLoopy> {
        let same = |known: &Known| known.loopy.onside() == loopy.onside() && known.loopy.offside() == loopy.offside();
        if let Some(number) = self.known.iter().position(same) {
            return Ok(MaybeLoopy::Loopy(number as u32));
        }
        let signs = Signs::new(&loopy)?;
        for (number, known) in self.known.iter().enumerate().filter(|(_, known)| known.signs == signs) {
            if known.loopy.compare(&loopy)? == Some(Ordering::Equal) {
                return Ok(MaybeLoopy::Loopy(number as u32));
            }
        }
        let bytes = size_of::<Known>() as u64 + loopy.onside().bytes() + loopy.offside().bytes();
        if self.lease.grow(bytes).is_err() {
            let memory = self.lease.memory();
            return Err(values::Error::Memory { limit: memory.limit(), needed: memory.used().saturating_add(bytes) });
        }
        self.known.push(Known { loopy, signs });
        Ok(MaybeLoopy::Loopy(self.known.len() as u32 - 1))
    }

    /// Who wins a value whoever begins, unless play may be drawn.
    pub fn class(&self, number: u32) -> values::Result<Option<OutcomeClass>> {
        let [left, right] = self.known[number as usize].signs.reaches;
        Ok(match (left, right) {
            (Reach::Win, Reach::Loss) => Some(OutcomeClass::L),
            (Reach::Loss, Reach::Win) => Some(OutcomeClass::R),
            (Reach::Win, Reach::Win) => Some(OutcomeClass::N),
            (Reach::Loss, Reach::Loss) => Some(OutcomeClass::P),
            _ => None,
        })
    }

    /// A value as people want it.
    pub fn named(&self, arena: &mut Arena, number: u32) -> values::Result<ValueText> {
        loopy_name(&self.known[number as usize].loopy, arena)
    }
}
