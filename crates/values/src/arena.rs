//! The arena: every value once, under an id.
//!
//! A value is kept in canonical form, so two games are equal exactly if their ids are. Numbers, multiples of up and
//! nimbers, and sums of these, are *compact*: three figures instead of options, which are written out only when
//! somebody looks at them. So a million is not a million games deep. All other values are their options, as ids, in one
//! pool:
//!
//! ```text
//! nodes  [ start, left, right, hash, negative, up, star ]      stops  [ left stop, right stop, flags ]
//!            │      └───┬──┘                                   (apart, since nearly every comparison ends with them)
//! pool   …[ left options, sorted | right options, sorted ]…
//! index  open addressing, from options (or the three figures) to the id
//! ```
//!
//! Nothing is ever taken out; an arena is dropped as a whole. Each room of the algebra adds its methods to [`Arena`]:
//! [`crate::order`], [`crate::canonical`], [`crate::sum`] and so on.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::budget::{Allowance, Budget};
use crate::error::{Error, Halt, MOST_GAMES, Result};
use crate::number::Dyadic;
use crate::side::Side;
use crate::stops::{AT_LEAST_RIGHT, AT_MOST_LEFT, COMPACT, EXPANDED, NUMBER, Stops};
use crate::table::{Answers, Orders, Sums, filled, slot};
use crate::thermograph::Thermograph;

/// How many new values and comparisons there are between two looks at the stop button.
const LOOK_EVERY: u32 = 4096;

/// Slots of the index of a new arena.
const FIRST_INDEX: usize = 64;

pub(crate) const NONE: u32 = u32::MAX;

/// A value: the id of a game in canonical form. It belongs to the arena that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub(crate) u32);

impl Value {
    /// Zero, in every arena.
    pub const ZERO: Value = Value(0);

    /// The number of this value within its arena, for tables beside it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an id stands for, beside its stops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub start: u32,
    pub left: u32,
    pub right: u32,
    pub hash: u32,
    pub negative: u32,
    pub up: i32,
    pub star: u32,
}

/// A number plus a multiple of up plus a nimber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Compact {
    /// The number.
    pub number: Dyadic,
    /// How many ups; downs are negative.
    pub up: i32,
    /// The size of the nimber.
    pub star: u32,
}

/// What has been worked out so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Different values.
    pub games: usize,
    /// Options written out.
    pub options: usize,
    /// Sums kept.
    pub sums: usize,
    /// Orders kept.
    pub orders: usize,
    /// Bytes charged.
    pub bytes: u64,
}

/// All values that were met, and what is known of them.
pub struct Arena {
    pub(crate) stops: Vec<Stops>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) pool: Vec<u32>,
    index: Vec<u32>,
    pub(crate) sums: Sums,
    pub(crate) orders: Orders,
    pub(crate) answers: Answers,
    /// Options of games that are being made: a stack, so that no sum allocates.
    pub(crate) scratch: Vec<u32>,
    /// The question at which a recursion became too deep.
    pub(crate) pending: (u32, u32),
    /// The error behind [`Halt::Fault`].
    pub(crate) fault: Option<Error>,
    /// Names of ups to powers, once somebody asked for a name.
    pub(crate) uptimals: FxHashMap<u32, String>,
    /// Thermographs that were asked for.
    pub(crate) thermographs: FxHashMap<u32, Arc<Thermograph>>,
    budget: Box<dyn Budget>,
    charged: u64,
    until_look: u32,
}

impl Default for Arena {
    fn default() -> Arena {
        Arena::new(Allowance::new(4 << 30))
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.budget.give(self.charged);
    }
}

impl Arena {
    /// An arena that holds zero alone.
    pub fn new(budget: impl Budget + 'static) -> Arena {
        let flags = AT_MOST_LEFT | AT_LEAST_RIGHT | COMPACT | NUMBER | EXPANDED;
        let zero = Stops::new(Dyadic::ZERO, Dyadic::ZERO, flags).expect("zero fits");
        let compact = Compact { number: Dyadic::ZERO, up: 0, star: 0 };
        let hash = hash_compact(&compact);
        let mut index = vec![NONE; FIRST_INDEX];
        index[slot(hash as u64, FIRST_INDEX.trailing_zeros())] = 0;
        Arena {
            stops: vec![zero],
            nodes: vec![Node { start: 0, left: 0, right: 0, hash, negative: 0, up: 0, star: 0 }],
            pool: Vec::new(),
            index,
            sums: Sums::new(),
            orders: Orders::new(),
            answers: Answers::new(),
            scratch: Vec::new(),
            pending: (0, 0),
            fault: None,
            uptimals: FxHashMap::default(),
            thermographs: FxHashMap::default(),
            budget: Box::new(budget),
            charged: 0,
            until_look: LOOK_EVERY,
        }
    }

    /// What has been worked out so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            games: self.nodes.len(),
            options: self.pool.len(),
            sums: self.sums.len(),
            orders: self.orders.len(),
            bytes: self.charged,
        }
    }

    /// Asks the budget for bytes.
    pub(crate) fn charge(&mut self, bytes: u64) -> std::result::Result<(), Halt> {
        match self.budget.take(bytes) {
            Ok(()) => {
                self.charged += bytes;
                Ok(())
            }
            Err(refusal) => self.fail(Error::Memory { limit: refusal.limit, needed: refusal.needed }),
        }
    }

    /// Hands bytes back to the budget.
    pub(crate) fn discharge(&mut self, bytes: u64) {
        self.budget.give(bytes);
        self.charged -= bytes;
    }

    /// Ends the growth of a table for which `bytes` were charged: what it freed goes back to the budget, or all of it
    /// if the machine had no room.
    pub(crate) fn exchange(&mut self, bytes: u64, freed: Option<u64>) -> std::result::Result<(), Halt> {
        self.discharge(freed.unwrap_or(bytes));
        if freed.is_none() {
            return self.fail(Error::Memory { limit: self.charged, needed: self.charged.saturating_add(bytes) });
        }
        Ok(())
    }

    /// Keeps an error for the caller at the top.
    #[cold]
    pub(crate) fn fail<T>(&mut self, error: Error) -> std::result::Result<T, Halt> {
        self.fault = Some(error);
        Err(Halt::Fault)
    }

    /// Turns the result of an inner loop into one for callers.
    pub(crate) fn surface<T>(&mut self, inner: std::result::Result<T, Halt>) -> Result<T> {
        inner.map_err(|_| self.fault.take().unwrap_or(Error::Stopped))
    }

    /// Turns a result with details into one for inner loops.
    pub(crate) fn sink<T>(&mut self, outer: Result<T>) -> std::result::Result<T, Halt> {
        match outer {
            Ok(found) => Ok(found),
            Err(error) => self.fail(error),
        }
    }

    /// Looks at the stop button now and then.
    pub(crate) fn tick(&mut self) -> std::result::Result<(), Halt> {
        self.until_look -= 1;
        if self.until_look == 0 {
            self.until_look = LOOK_EVERY;
            if self.budget.stopped() {
                return self.fail(Error::Stopped);
            }
        }
        Ok(())
    }

    /// The Left and then the Right options of a game whose options are written out, as a range of the pool with its
    /// middle.
    #[inline(always)]
    pub(crate) fn range(&self, id: u32) -> (usize, usize, usize) {
        let node = &self.nodes[id as usize];
        let start = node.start as usize;
        let middle = start + node.left as usize;
        (start, middle, middle + node.right as usize)
    }

    /// Makes sure that the options of a game are written out.
    #[inline(always)]
    pub(crate) fn expand(&mut self, id: u32) -> std::result::Result<(), Halt> {
        if self.stops[id as usize].flags & (COMPACT | EXPANDED) == COMPACT { self.write_out(id) } else { Ok(()) }
    }

    /// The number, ups and nimber of a compact game.
    pub(crate) fn figures(&self, id: u32) -> Option<Compact> {
        let stops = &self.stops[id as usize];
        let node = &self.nodes[id as usize];
        stops.is(COMPACT).then(|| Compact { number: stops.left(), up: node.up, star: node.star })
    }

    /// Room for one more game and `options` more options.
    fn make_room(&mut self, options: usize) -> std::result::Result<(), Halt> {
        self.tick()?;
        if self.nodes.len() >= MOST_GAMES as usize {
            return self.fail(Error::Games);
        }
        if self.nodes.len() == self.nodes.capacity() {
            let more = self.nodes.len().max(64);
            let bytes = (more * (size_of::<Node>() + size_of::<Stops>())) as u64;
            self.charge(bytes)?;
            let grown = self.nodes.try_reserve_exact(more).and_then(|()| self.stops.try_reserve_exact(more));
            self.exchange(bytes, grown.is_ok().then_some(0))?;
        }
        if self.pool.len() + options > self.pool.capacity() {
            let more = options.max(self.pool.capacity()).max(256);
            if self.pool.len() + options > u32::MAX as usize {
                return self.fail(Error::Games);
            }
            let bytes = (more * size_of::<u32>()) as u64;
            self.charge(bytes)?;
            let grown = self.pool.try_reserve_exact(more);
            self.exchange(bytes, grown.is_ok().then_some(0))?;
        }
        if (self.nodes.len() + 1) * 2 > self.index.len() {
            let bytes = (self.index.len() * 2 * size_of::<u32>()) as u64;
            self.charge(bytes)?;
            let freed = self.grow_index();
            self.exchange(bytes, freed)?;
        }
        Ok(())
    }

    /// Doubles the index. Gives the bytes that were handed back; None if the machine has no room.
    fn grow_index(&mut self) -> Option<u64> {
        let size = self.index.len() * 2;
        let old = std::mem::replace(&mut self.index, filled(size, NONE)?);
        for id in old.iter().copied().filter(|&id| id != NONE) {
            let mut at = slot(self.nodes[id as usize].hash as u64, size.trailing_zeros());
            while self.index[at] != NONE {
                at = (at + 1) & (size - 1);
            }
            self.index[at] = id;
        }
        // The first index came with the arena and was not charged.
        Some(if old.len() > FIRST_INDEX { (old.len() * size_of::<u32>()) as u64 } else { 0 })
    }

    /// The id with this hash that `is_it`, or the free slot for it.
    #[inline(always)]
    fn look_up(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> std::result::Result<u32, usize> {
        let mask = self.index.len() - 1;
        let mut at = slot(hash as u64, self.index.len().trailing_zeros());
        loop {
            match self.index[at] {
                NONE => return Err(at),
                id if self.nodes[id as usize].hash == hash && is_it(id) => return Ok(id),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// The game with the options `scratch[base..middle]` and `scratch[middle..]`, which are sorted and canonical, and
    /// which do not make a compact game.
    pub(crate) fn intern(&mut self, base: usize, middle: usize, stops: Stops) -> std::result::Result<u32, Halt> {
        let (left, right) = (middle - base, self.scratch.len() - middle);
        let mut hash = (left as u64) << 32 | right as u64;
        for &option in &self.scratch[base..] {
            hash = (hash.rotate_left(5) ^ option as u64).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        let hash = (hash >> 32) as u32;
        let is_it = |id: u32| {
            let node = &self.nodes[id as usize];
            node.left as usize == left
                && node.right as usize == right
                && !self.stops[id as usize].is(COMPACT)
                && self.pool[node.start as usize..][..left + right] == self.scratch[base..]
        };
        if let Ok(id) = self.look_up(hash, is_it) {
            return Ok(id);
        }
        self.make_room(left + right)?;
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(&self.scratch[base..]);
        let node = Node { start, left: left as u32, right: right as u32, hash, negative: NONE, up: 0, star: 0 };
        self.enter(node, stops)
    }

    fn enter(&mut self, node: Node, stops: Stops) -> std::result::Result<u32, Halt> {
        let id = self.nodes.len() as u32;
        let Err(at) = self.look_up(node.hash, |_| false) else { return Ok(id) };
        self.index[at] = id;
        self.nodes.push(node);
        self.stops.push(stops);
        Ok(id)
    }

    /// The id of a number plus ups plus a nimber.
    pub(crate) fn intern_compact(&mut self, compact: Compact) -> std::result::Result<u32, Halt> {
        let hash = hash_compact(&compact);
        let is_it = |id: u32| {
            let node = &self.nodes[id as usize];
            let stops = &self.stops[id as usize];
            node.up == compact.up && node.star == compact.star && stops.is(COMPACT) && stops.left() == compact.number
        };
        if let Ok(id) = self.look_up(hash, is_it) {
            return Ok(id);
        }
        self.make_room(0)?;
        let flags = match (compact.up, compact.star) {
            (0, 0) => COMPACT | NUMBER | AT_MOST_LEFT | AT_LEAST_RIGHT,
            // Above its number if there is more than one up, or one up that no star is confused with.
            (2.., _) => COMPACT | AT_LEAST_RIGHT,
            (1, star) if star != 1 => COMPACT | AT_LEAST_RIGHT,
            (..=-2, _) => COMPACT | AT_MOST_LEFT,
            (-1, star) if star != 1 => COMPACT | AT_MOST_LEFT,
            _ => COMPACT,
        };
        let stops = self.sink(Stops::new(compact.number, compact.number, flags))?;
        let node = Node { start: 0, left: 0, right: 0, hash, negative: NONE, up: compact.up, star: compact.star };
        self.enter(node, stops)
    }

    /// Writes out options for a compact game.
    pub(crate) fn set_options(&mut self, id: u32, base: usize, middle: usize) -> std::result::Result<(), Halt> {
        let count = self.scratch.len() - base;
        self.make_room(count)?;
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(&self.scratch[base..]);
        let node = &mut self.nodes[id as usize];
        (node.start, node.left) = (start, (middle - base) as u32);
        node.right = (self.scratch.len() - middle) as u32;
        self.stops[id as usize].flags |= EXPANDED;
        self.scratch.truncate(base);
        Ok(())
    }
}

fn hash_compact(compact: &Compact) -> u32 {
    let Compact { number, up, star } = compact;
    let mut hash = 0x243f_6a88_85a3_08d3_u64;
    for word in [number.numerator() as u64, number.halvings() as u64, *up as u32 as u64, *star as u64] {
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (hash >> 32) as u32
}

/// What every room asks of a value.
impl Arena {
    /// The options of one player.
    pub fn options(&mut self, value: Value, side: Side) -> Result<Vec<Value>> {
        let expanded = self.expand(value.0);
        self.surface(expanded)?;
        let (start, middle, end) = self.range(value.0);
        let range = match side {
            Side::Left => start..middle,
            Side::Right => middle..end,
        };
        Ok(self.pool[range].iter().map(|&id| Value(id)).collect())
    }

    /// The number that this is, if it is one.
    pub fn number_of(&self, value: Value) -> Option<Dyadic> {
        let stops = &self.stops[value.index()];
        stops.is(NUMBER).then(|| stops.left())
    }

    /// The whole number that this is, if it is one.
    pub fn integer_of(&self, value: Value) -> Option<i64> {
        self.number_of(value).and_then(Dyadic::to_integer)
    }

    /// The number, ups and nimber that this is the sum of, if it is such a sum.
    pub fn compact_of(&self, value: Value) -> Option<Compact> {
        self.figures(value.0)
    }

    /// The size of the nimber that this is, if it is one.
    pub fn nimber_of(&self, value: Value) -> Option<u32> {
        self.compact_of(value).filter(|c| c.number == Dyadic::ZERO && c.up == 0).map(|c| c.star)
    }

    /// Where play ends if Left begins.
    pub fn left_stop(&self, value: Value) -> Dyadic {
        self.stops[value.index()].left()
    }

    /// Where play ends if Right begins.
    pub fn right_stop(&self, value: Value) -> Dyadic {
        self.stops[value.index()].right()
    }

    /// A number.
    pub fn number(&mut self, number: Dyadic) -> Result<Value> {
        self.compact(Compact { number, up: 0, star: 0 })
    }

    /// A whole number.
    pub fn integer(&mut self, n: i64) -> Result<Value> {
        if n == i64::MIN {
            return Err(Error::Overflow("a number does not fit in 63 bits over 2^60"));
        }
        self.number(Dyadic::whole(n))
    }

    /// A nimber.
    pub fn nimber(&mut self, star: u32) -> Result<Value> {
        self.compact(Compact { number: Dyadic::ZERO, up: 0, star })
    }

    /// A number plus ups plus a nimber.
    pub fn compact(&mut self, compact: Compact) -> Result<Value> {
        if compact.up == i32::MIN {
            return Err(Error::Overflow("a multiple of up does not fit in 32 bits"));
        }
        let made = self.intern_compact(compact);
        self.surface(made).map(Value)
    }
}

/// Memory of tables beside the arena, charged to its budget.
impl Arena {
    /// Asks the budget for bytes that somebody else uses. They are handed back with the arena at the latest.
    pub fn take_bytes(&mut self, bytes: u64) -> Result<()> {
        let taken = self.charge(bytes);
        self.surface(taken)
    }

    /// Hands back bytes of [`Arena::take_bytes`].
    pub fn give_bytes(&mut self, bytes: u64) {
        self.discharge(bytes);
    }
}
