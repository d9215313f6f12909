//! Values of positions that fall apart.
//!
//! A position is a sum of parts. Only parts are kept, each once, in whatever standard orientation the caller likes; an
//! option of a part is a list of parts again, some of them negated. Parts are valued from the bottom up with a stack of
//! their own, so the depth of a game does not matter. The table and the stack are charged to the budget of the arena.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Value};
use crate::error::{Error, Result};
use crate::side::Side;

/// A game whose positions fall apart. Play must end.
pub trait Parts {
    /// A part that no other one touches.
    type Part: Clone + Eq + Hash;

    /// Writes down the options of one player.
    fn options(&mut self, part: &Self::Part, side: Side, options: &mut Options<Self::Part>) -> Result<()>;
}

/// The options of a part: each is a sum of parts.
#[derive(Debug)]
pub struct Options<Part> {
    parts: Vec<(Part, bool)>,
    ends: Vec<u32>,
}

impl<Part> Options<Part> {
    fn new() -> Options<Part> {
        Options { parts: Vec::new(), ends: Vec::new() }
    }

    /// Begins an option that has no parts yet, so is zero.
    pub fn begin(&mut self) {
        self.ends.push(self.parts.len() as u32);
    }

    /// Adds a part to the option that was begun last, or its negative.
    pub fn add(&mut self, part: Part, negated: bool) {
        if let Some(end) = self.ends.last_mut() {
            self.parts.push((part, negated));
            *end = self.parts.len() as u32;
        }
    }

    /// What the options take, with the values of their parts, in bytes.
    fn bytes(&self) -> u64 {
        let part = size_of::<(Part, bool)>() + size_of::<Value>();
        (self.parts.len() * part + self.ends.len() * size_of::<u32>()) as u64
    }
}

/// A part on the stack, its options, and the values of their parts so far.
struct Frame<Part> {
    part: Part,
    options: Options<Part>,
    left: usize,
    values: Vec<Value>,
    bytes: u64,
}

/// The values of parts.
pub struct Solver<P: Parts> {
    game: P,
    /// The values that are known; None for parts on the stack.
    known: FxHashMap<P::Part, Option<Value>>,
    charged: u64,
    idle: Vec<Frame<P::Part>>,
    /// The values of the options of the part that is being valued.
    sums: Vec<Value>,
}

impl<P: Parts> Solver<P> {
    /// A solver that knows no part yet. It serves one arena.
    pub fn new(game: P) -> Solver<P> {
        Solver { game, known: FxHashMap::default(), charged: 0, idle: Vec::new(), sums: Vec::new() }
    }

    /// How many parts are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// True if no part is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The game.
    pub fn game(&mut self) -> &mut P {
        &mut self.game
    }

    /// The parts and their values.
    pub fn known(&self) -> impl Iterator<Item = (&P::Part, Value)> {
        self.known.iter().filter_map(|(part, value)| Some((part, (*value)?)))
    }

    /// The value of a part.
    pub fn value(&mut self, arena: &mut Arena, part: &P::Part) -> Result<Value> {
        if let Some(&Some(value)) = self.known.get(part) {
            return Ok(value);
        }
        let mut stack = Vec::new();
        let found = self.work(arena, part, &mut stack);
        for frame in stack {
            // Something went wrong: what is not known is forgotten.
            self.known.remove(&frame.part);
            arena.give_bytes(frame.bytes);
        }
        found
    }

    /// The value of a sum of parts, some of them negated.
    pub fn sum(&mut self, arena: &mut Arena, parts: &[(P::Part, bool)]) -> Result<Value> {
        let mut values = Vec::with_capacity(parts.len());
        for (part, negated) in parts {
            let value = self.value(arena, part)?;
            values.push(if *negated { arena.negative(value)? } else { value });
        }
        arena.total(&values)
    }

    fn work(&mut self, arena: &mut Arena, part: &P::Part, stack: &mut Vec<Frame<P::Part>>) -> Result<Value> {
        self.push(arena, part.clone(), stack)?;
        loop {
            let frame = stack.last_mut().expect("the first part stays until it is known");
            let mut missing = None;
            while let Some((part, negated)) = frame.options.parts.get(frame.values.len()) {
                match self.known.get(part) {
                    Some(Some(value)) if *negated => frame.values.push(arena.negative(*value)?),
                    Some(Some(value)) => frame.values.push(*value),
                    Some(None) => {
                        let why = "play can come back to a part, so that it has no value without loops";
                        return Err(Error::Undefined(why.into()));
                    }
                    None => {
                        missing = Some(part.clone());
                        break;
                    }
                }
            }
            if let Some(part) = missing {
                self.push(arena, part, stack)?;
                continue;
            }
            let value = combine(arena, frame, &mut self.sums)?;
            let mut frame = stack.pop().expect("the frame that was worked on");
            arena.give_bytes(frame.bytes);
            if let Some(entry) = self.known.get_mut(&frame.part) {
                *entry = Some(value);
            }
            if stack.is_empty() {
                return Ok(value);
            }
            frame.options.parts.clear();
            frame.options.ends.clear();
            frame.values.clear();
            self.idle.push(frame);
        }
    }

    /// Puts a part on the stack, with its options written down.
    fn push(&mut self, arena: &mut Arena, part: P::Part, stack: &mut Vec<Frame<P::Part>>) -> Result<()> {
        if self.known.len() == self.known.capacity() {
            // A hash map keeps one byte beside each entry, and an eighth of its slots free.
            let entry = (size_of::<(P::Part, Option<Value>)>() + 1) as u64;
            let bytes = ((self.known.len() as u64 + 1) * 2 * 8 / 7).next_power_of_two() * entry;
            arena.take_bytes(bytes)?;
            arena.give_bytes(std::mem::replace(&mut self.charged, bytes));
        }
        let mut frame = match self.idle.pop() {
            Some(idle) => Frame { part, ..idle },
            None => Frame { part, options: Options::new(), left: 0, values: Vec::new(), bytes: 0 },
        };
        self.game.options(&frame.part, Side::Left, &mut frame.options)?;
        frame.left = frame.options.ends.len();
        self.game.options(&frame.part, Side::Right, &mut frame.options)?;
        arena.take_bytes(frame.options.bytes())?;
        frame.bytes = frame.options.bytes();
        self.known.insert(frame.part.clone(), None);
        stack.push(frame);
        Ok(())
    }
}

/// The value of a part whose options' parts are all known.
fn combine<Part>(arena: &mut Arena, frame: &Frame<Part>, options: &mut Vec<Value>) -> Result<Value> {
    options.clear();
    let mut start = 0;
    for &end in &frame.options.ends {
        options.push(arena.total(&frame.values[start..end as usize])?);
        start = end as usize;
    }
    let (left, right) = options.split_at(frame.left);
    arena.game(left, right)
}
