//! Values of positions that fall apart.
//!
//! A position is a sum of parts. Only parts are kept, each once, in whatever standard orientation the caller likes; an
//! option of a part is a list of parts again, some of them negated. Parts are valued from the bottom up with a stack of
//! their own, so the depth of a game does not matter.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Value};
use crate::error::Result;
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
}

/// A part on the stack, its options, and the values of their parts so far.
struct Frame<Part> {
    part: Part,
    options: Options<Part>,
    left: usize,
    values: Vec<Value>,
}

/// The values of parts.
pub struct Solver<P: Parts> {
    game: P,
    known: FxHashMap<P::Part, Value>,
    charged: usize,
    idle: Vec<Frame<P::Part>>,
}

impl<P: Parts> Solver<P> {
    /// A solver that knows no part yet.
    pub fn new(game: P) -> Solver<P> {
        Solver { game, known: FxHashMap::default(), charged: 0, idle: Vec::new() }
    }

    /// How many parts are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// True if no part is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The parts and their values.
    pub fn known(&self) -> impl Iterator<Item = (&P::Part, Value)> {
        self.known.iter().map(|(part, &value)| (part, value))
    }

    /// The value of a part.
    pub fn value(&mut self, arena: &mut Arena, part: &P::Part) -> Result<Value> {
        if let Some(&value) = self.known.get(part) {
            return Ok(value);
        }
        let mut stack = vec![self.frame(part.clone())?];
        while let Some(frame) = stack.last_mut() {
            let mut missing = None;
            while let Some((part, negated)) = frame.options.parts.get(frame.values.len()) {
                match self.known.get(part) {
                    Some(&value) if *negated => frame.values.push(arena.negative(value)?),
                    Some(&value) => frame.values.push(value),
                    None => {
                        missing = Some(part.clone());
                        break;
                    }
                }
            }
            if let Some(part) = missing {
                stack.push(self.frame(part)?);
                continue;
            }
            let value = combine(arena, frame)?;
            if let Some(frame) = stack.pop() {
                self.keep(arena, frame, value)?;
            }
        }
        Ok(self.known[part])
    }

    /// A part with its options written down.
    fn frame(&mut self, part: P::Part) -> Result<Frame<P::Part>> {
        let mut frame = match self.idle.pop() {
            Some(idle) => Frame { part, ..idle },
            None => {
                let options = Options { parts: Vec::new(), ends: Vec::new() };
                Frame { part, options, left: 0, values: Vec::new() }
            }
        };
        self.game.options(&frame.part, Side::Left, &mut frame.options)?;
        frame.left = frame.options.ends.len();
        self.game.options(&frame.part, Side::Right, &mut frame.options)?;
        Ok(frame)
    }

    fn keep(&mut self, arena: &mut Arena, mut frame: Frame<P::Part>, value: Value) -> Result<()> {
        if self.known.len() == self.known.capacity() {
            // A table of a hash map has one byte beside each entry, and an eighth of it is free.
            let entry = size_of::<(P::Part, Value)>() + 1;
            let slots = ((self.known.len() + 1) * 2 * 8 / 7).next_power_of_two();
            arena.take_bytes((slots * entry) as u64)?;
            arena.give_bytes(std::mem::replace(&mut self.charged, slots * entry) as u64);
        }
        frame.options.parts.clear();
        frame.options.ends.clear();
        frame.values.clear();
        self.known.insert(frame.part.clone(), value);
        self.idle.push(frame);
        Ok(())
    }
}

/// The value of a part whose options' parts are all known.
fn combine<Part>(arena: &mut Arena, frame: &Frame<Part>) -> Result<Value> {
    let mut options = Vec::with_capacity(frame.options.ends.len());
    let mut start = 0;
    for &end in &frame.options.ends {
        options.push(arena.total(&frame.values[start..end as usize])?);
        start = end as usize;
    }
    let (left, right) = options.split_at(frame.left);
    arena.game(left, right)
}
