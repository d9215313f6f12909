//! The values of the parts of positions, in an arena.
//!
//! Methods that value parts know the values of all positions they met. Beside any other answer, a
//! `GameValuer` finds them. Several games may share one arena, so that their values can be added
//! ([`SharedArena`]).

use std::cell::RefCell;
use std::rc::Rc;

use boards::Algebra;
use boards::canonical::of_values;
use engine::Error;
use engine::monitor::Monitor;
use game::{OutcomeClass, Player};
use rules::bind::Position;
use values::{Arena, Side, Value};

use crate::error::GivenUp;
use crate::value_text::ValueText;

/// Where a part of a position is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The part with this number, of a `sum of` parts; 0 where the position is one part.
    Part(usize),
    /// These cells of the board.
    Cells(Vec<u32>),
}

/// A part of a position with its value.
#[derive(Clone, Debug)]
pub struct ValuedPart {
    /// Where it is.
    pub place: Place,
    /// Its value.
    pub value: Value,
}

/// Something with an arena of values.
pub trait PartValuer {
    /// The parts of a position with their values.
    fn parts(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<ValuedPart>, GivenUp>;

    /// The value of a position, where there is a quicker way to it than by its parts.
    fn at_once(&mut self, _: &Position, _: &mut Monitor) -> Result<Option<Value>, GivenUp> {
        Ok(None)
    }

    /// Does something in the arena of these values.
    fn in_arena(&mut self, work: &mut dyn FnMut(&mut Arena));
}

/// The side of a player in the theory of values: the first one is Left.
pub(crate) fn side_of(player: Player) -> Side {
    if player == Player::FIRST { Side::Left } else { Side::Right }
}

/// Whether the player to move wins a position of this class.
pub(crate) fn mover_wins(class: OutcomeClass, mover: Player) -> bool {
    match class {
        OutcomeClass::N => true,
        OutcomeClass::P => false,
        OutcomeClass::L => mover == Player::FIRST,
        OutcomeClass::R => mover != Player::FIRST,
    }
}

/// Does something in an arena.
pub(crate) fn within<T>(
    valuer: &mut dyn PartValuer,
    work: impl FnOnce(&mut Arena) -> values::Result<T>,
) -> Result<T, Error> {
    let (mut work, mut done) = (Some(work), None);
    valuer.in_arena(&mut |arena| done = work.take().map(|work| work(arena)));
    done.unwrap_or(Err(values::Error::Stopped)).map_err(of_values)
}

/// The value of a position: its parts, added up.
pub(crate) fn value(valuer: &mut dyn PartValuer, position: &Position, monitor: &mut Monitor) -> Result<Value, GivenUp> {
    if let Some(value) = valuer.at_once(position, monitor)? {
        return Ok(value);
    }
    let parts: Vec<Value> = valuer.parts(position, monitor)?.into_iter().map(|part| part.value).collect();
    Ok(within(valuer, |arena| arena.total(&parts))?)
}

/// An arena that several games share.
#[derive(Clone, Default)]
pub struct SharedArena(Rc<RefCell<Arena>>);

impl SharedArena {
    /// An arena, to be shared.
    pub fn new(arena: Arena) -> SharedArena {
        SharedArena(Rc::new(RefCell::new(arena)))
    }

    /// Shares an arena of someone else for the time of some work.
    pub fn lent<T>(arena: &mut Arena, work: impl FnOnce(&SharedArena) -> T) -> T {
        let shared = SharedArena::new(std::mem::take(arena));
        let done = work(&shared);
        *arena = std::mem::take(&mut shared.0.borrow_mut());
        done
    }

    /// What people want to know of a value.
    pub(crate) fn text_of(&self, value: Value) -> Result<ValueText, Error> {
        self.with(|arena| ValueText::of(arena, value))
    }

    /// Does something in the arena that has errors of its own.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Arena) -> T) -> T {
        work(&mut self.0.borrow_mut())
    }

    /// Does something in the arena.
    pub fn within<T>(&self, work: impl FnOnce(&mut Arena) -> values::Result<T>) -> Result<T, Error> {
        self.with(work).map_err(of_values)
    }
}

impl Algebra for SharedArena {
    type Value = Value;

    fn zero(&mut self) -> Value {
        Value::ZERO
    }

    fn add(&mut self, a: Value, b: Value) -> Result<Value, Error> {
        self.within(|arena| arena.plus(a, b))
    }

    fn negate(&mut self, a: Value) -> Result<Value, Error> {
        self.within(|arena| arena.negative(a))
    }

    fn game(&mut self, left: &mut Vec<Value>, right: &mut Vec<Value>) -> Result<Value, Error> {
        self.within(|arena| arena.game(left, right))
    }
}
