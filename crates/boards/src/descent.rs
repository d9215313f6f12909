//! The descent: values of parts from the bottom up, each after the values of all that moves make of it.
//!
//! It goes down with a stack of its own, so that the depth of a game does not matter. What parts are, and what moves make
//! of them, a [`PartGraph`] says: boards in masks, or parts that the rules themselves split.

use engine::Error;
use engine::interner::Id;
use engine::memory::{Lease, Memory};
use engine::monitor::Monitor;

use crate::algebra::Algebra;
use crate::local::Owner;

/// A part by its number, and whether the players are exchanged in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part(u32);

impl Part {
    /// A part as it is, or with the players exchanged. Numbers are below 2^31.
    pub fn new(id: Id, exchanged: bool) -> Part {
        Part(id << 1 | u32::from(exchanged))
    }

    /// Its number.
    #[inline]
    pub fn id(self) -> Id {
        self.0 >> 1
    }

    /// Whether it is the negative of the part with that number.
    #[inline]
    pub fn is_exchanged(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its negative.
    pub fn negative(self) -> Part {
        Part(self.0 ^ 1)
    }

    /// Number and side in one word.
    pub(crate) fn word(self) -> u32 {
        self.0
    }
}

/// Parts that are numbered as they are met.
pub trait PartGraph {
    /// Writes down what every move makes of a part.
    fn expand(&mut self, part: Id, options: &mut Options) -> Result<(), Error>;

    /// How many parts were met.
    fn met(&self) -> u64;
}

/// Options of parts, one behind the other: whose move it is, how many parts it leaves, and these.
#[derive(Debug, Default)]
pub struct Options {
    words: Vec<u32>,
    /// Where the option that was begun last counts its parts.
    count: usize,
}

impl Options {
    /// Begins an option that has no parts yet.
    #[inline]
    pub fn begin(&mut self, owner: Owner) {
        self.count = self.words.len() + 1;
        self.words.extend([owner as u32, 0]);
    }

    /// Adds a part to the option that was begun last.
    #[inline]
    pub fn add(&mut self, part: Part) {
        self.words.push(part.0);
        self.words[self.count] += 1;
    }

    /// The options of one player in a part, each as its parts.
    pub(crate) fn of(&self, player: Owner, part: Part) -> Vec<Vec<Part>> {
        let wanted = if part.is_exchanged() { player.exchanged() } else { player };
        let sign = u32::from(part.is_exchanged());
        let mut options = Vec::new();
        let mut rest = &self.words[..];
        while let [owner, count, more @ ..] = rest {
            let (parts, after) = more.split_at(*count as usize);
            if *owner == Owner::Both as u32 || *owner == wanted as u32 {
                options.push(parts.iter().map(|part| Part(part ^ sign)).collect());
            }
            rest = after;
        }
        options
    }

    /// Forgets all options.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }
}

/// What is known of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known<V> {
    /// Nothing yet.
    Nothing,
    /// It is being valued: to meet it again means that play repeats.
    Open,
    /// Its value.
    Value(V),
}

/// A part that waits for the values of its options; `from` is where they begin, once they are listed.
#[derive(Debug)]
struct Open {
    part: Id,
    from: Option<usize>,
}

/// The values of parts.
pub struct Values<V> {
    known: Vec<Known<V>>,
    options: Options,
    lease: Lease,
}

impl<V: Copy + Eq + std::fmt::Debug> Values<V> {
    /// No values yet.
    pub fn new(memory: &Memory) -> Values<V> {
        Values { known: Vec::new(), options: Options::default(), lease: memory.lease() }
    }

    /// The value of a part, if it is known.
    pub fn known<A: Algebra<Value = V>>(&self, part: Part, algebra: &mut A) -> Result<Option<V>, Error> {
        match self.known.get(part.id() as usize) {
            Some(Known::Value(value)) if part.is_exchanged() => algebra.negate(*value).map(Some),
            Some(Known::Value(value)) => Ok(Some(*value)),
            _ => Ok(None),
        }
    }

    /// All parts with a value.
    pub fn each(&self) -> impl Iterator<Item = (Id, V)> {
        self.known.iter().enumerate().filter_map(|(id, known)| match known {
            Known::Value(value) => Some((id as Id, *value)),
            _ => None,
        })
    }

    /// The value of a part, found where it is not known. [`Error::Cycle`] where play repeats.
    pub fn value<A: Algebra<Value = V>>(
        &mut self,
        part: Part,
        graph: &mut dyn PartGraph,
        algebra: &mut A,
        monitor: &mut Monitor,
    ) -> Result<V, Error> {
        if let Some(value) = self.known(part, algebra)? {
            return Ok(value);
        }
        let mut stack = vec![Open { part: part.id(), from: None }];
        if let Err(error) = self.settle(&mut stack, graph, algebra, monitor) {
            // Nothing stays half done: the part may be asked for again.
            self.options.words.clear();
            for open in stack.iter().filter(|open| open.from.is_some()) {
                self.known[open.part as usize] = Known::Nothing;
            }
            if matches!(error, Error::Interrupted { .. }) {
                // The algebra cannot tell why it was stopped.
                monitor.look(graph.met(), 0)?;
            }
            return Err(error.after(graph.met()));
        }
        self.signed(part, algebra)
    }

    fn signed<A: Algebra<Value = V>>(&self, part: Part, algebra: &mut A) -> Result<V, Error> {
        self.known(part, algebra)?.ok_or_else(|| Error::Internal("a part without its value".to_string()))
    }

    fn settle<A: Algebra<Value = V>>(
        &mut self,
        stack: &mut Vec<Open>,
        graph: &mut dyn PartGraph,
        algebra: &mut A,
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let mut settled = 0;
        while let Some(open) = stack.last_mut() {
            let part = open.part;
            self.reach(part)?;
            match open.from {
                None if matches!(self.known[part as usize], Known::Value(_)) => {
                    stack.pop();
                }
                None => {
                    monitor.tick(graph.met(), settled)?;
                    let from = self.options.words.len();
                    open.from = Some(from);
                    self.known[part as usize] = Known::Open;
                    graph.expand(part, &mut self.options)?;
                    self.wait_for(from, stack)?;
                }
                Some(from) => {
                    let value = self.valued(from, &mut left, &mut right, algebra)?;
                    self.options.words.truncate(from);
                    self.known[part as usize] = Known::Value(value);
                    settled += 1;
                    stack.pop();
                }
            }
        }
        Ok(())
    }

    /// Makes room for what is known of a part.
    fn reach(&mut self, part: Id) -> Result<(), Error> {
        let wanted = part as usize + 1;
        if wanted > self.known.capacity() {
            let room = wanted.max(2 * self.known.capacity()).max(64);
            self.lease.resize((room * size_of::<Known<V>>()) as u64)?;
            self.known.reserve_exact(room - self.known.len());
        }
        if wanted > self.known.len() {
            self.known.resize(wanted, Known::Nothing);
        }
        Ok(())
    }

    /// Puts the parts of options on the stack that have no value yet.
    fn wait_for(&self, from: usize, stack: &mut Vec<Open>) -> Result<(), Error> {
        let mut at = from;
        while at < self.options.words.len() {
            let parts = self.options.words[at + 1] as usize;
            for &part in &self.options.words[at + 2..at + 2 + parts] {
                let part = Part(part).id();
                match self.known.get(part as usize) {
                    Some(Known::Value(_)) => {}
                    Some(Known::Open) => return Err(Error::Cycle(vec![u64::from(part)])),
                    _ => stack.push(Open { part, from: None }),
                }
            }
            at += 2 + parts;
        }
        Ok(())
    }

    /// The value of the part whose options begin at `from` and are all known.
    fn valued<A: Algebra<Value = V>>(
        &self,
        from: usize,
        left: &mut Vec<V>,
        right: &mut Vec<V>,
        algebra: &mut A,
    ) -> Result<V, Error> {
        left.clear();
        right.clear();
        let words = &self.options.words;
        let mut at = from;
        while at < words.len() {
            let (owner, parts) = (words[at], words[at + 1] as usize);
            let mut sum = None;
            for &part in &words[at + 2..at + 2 + parts] {
                let value = self.signed(Part(part), algebra)?;
                sum = Some(match sum {
                    None => value,
                    Some(sum) => algebra.add(sum, value)?,
                });
            }
            let value = sum.unwrap_or_else(|| algebra.zero());
            if owner != Owner::Right as u32 {
                left.push(value);
            }
            if owner != Owner::Left as u32 {
                right.push(value);
            }
            at += 2 + parts;
        }
        algebra.game(left, right)
    }
}
