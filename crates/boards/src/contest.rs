//! The contest: who wins a sum of parts, without its value.
//!
//! The canonical form of a hot sum can be far too large, and so can that of a single part, while a search tries few moves.
//! A state is a list of parts without a value, a list of values, and whose turn it is.
//!
//! 1. A part is valued once it is small: then it is a canonical form, often much smaller than the part.
//! 2. Parts that are each other's negatives are taken out, and so are values; small values are added up.
//! 3. Where all parts have values, [`values::search::SumSearch`] decides, by numbers, stops and the hottest first.
//! 4. Else moves are tried: in parts without a value first, then in the hottest value, last in numbers.
//!
//! States that are decided are kept while there is room; when there is none, they are forgotten and found again. The stack
//! is on the heap.

use engine::Error;
use engine::Limit;
use engine::interner::Id;
use engine::memory::{Lease, Memory};
use engine::monitor::Monitor;
use rustc_hash::{FxHashMap, FxHashSet};
use values::search::SumSearch;
use values::{Side, Value};

use crate::canonical::{CanonicalForms, of_values};
use crate::descent::{Options, Part, PartGraph, Values};
use crate::local::Owner;

/// A part is small if it is valued by looking at no more than so many new parts.
const EFFORT: u64 = 3_000;

/// Parts that can be limited in number.
pub trait Source: PartGraph {
    /// At most so many parts are met.
    fn at_most(&mut self, parts: u64);
}

/// What is still to be played.
#[derive(Clone, Debug, Default)]
struct State {
    /// Parts without a value, sorted.
    open: Vec<Part>,
    /// Sorted, none of them zero.
    values: Vec<Value>,
}

/// A move of a state.
#[derive(Clone, Debug)]
enum Move {
    /// A part without a value becomes other parts.
    Open { at: usize, into: Vec<Part> },
    /// A value becomes an option.
    Valued { at: usize, option: Value },
}

/// A state on the stack, and the moves that are still to be tried, the most promising last.
struct Frame {
    state: State,
    key: Box<[u32]>,
    side: Side,
    moves: Vec<Move>,
}

/// A search that remembers what it decided.
pub struct Contest<S> {
    /// Where parts come from.
    pub source: S,
    forms: CanonicalForms,
    values: Values<Value>,
    sums: SumSearch,
    /// Parts that are too large to be valued.
    large: FxHashSet<Id>,
    /// The arena has no room for more forms.
    is_full: bool,
    effort: u64,
    known: FxHashMap<Box<[u32]>, bool>,
    lease: Lease,
    options: Options,
    decided: u64,
}

impl<S: Source> Contest<S> {
    /// A search that knows nothing yet. Forms take at most half of the memory.
    pub fn new(source: S, monitor: &Monitor) -> Contest<S> {
        Contest::with_effort(source, EFFORT, monitor)
    }

    /// A search that values parts which take a look at no more than `effort` new parts.
    pub fn with_effort(source: S, effort: u64, monitor: &Monitor) -> Contest<S> {
        let memory: &Memory = monitor.memory();
        Contest {
            source,
            forms: CanonicalForms::within(monitor, memory.free() / 2),
            values: Values::new(memory),
            sums: SumSearch::new(),
            large: FxHashSet::default(),
            is_full: false,
            effort,
            known: FxHashMap::default(),
            lease: memory.lease(),
            options: Options::default(),
            decided: 0,
        }
    }

    /// How many states were decided by trying moves.
    pub fn decided(&self) -> u64 {
        self.decided + self.sums.len() as u64
    }

    /// Whether a player who moves first wins the sum of these parts.
    pub fn wins(&mut self, parts: &[Part], first: Side, monitor: &mut Monitor) -> Result<bool, Error> {
        let state = self.settled(State::default(), parts, monitor)?;
        if let Some(answer) = self.look(&state, first)? {
            return Ok(answer);
        }
        let mut open = FxHashSet::default();
        let mut stack = vec![self.frame(state, first, &mut open)?];
        loop {
            monitor.tick(self.source.met(), self.decided)?;
            let Some(frame) = stack.last_mut() else {
                return Err(Error::Internal("a contest without its first state".to_string()));
            };
            let side = frame.side;
            let answer = match frame.moves.last() {
                None => false,
                Some(mv) => {
                    let option = self.after(&frame.state, mv, monitor)?;
                    match self.look(&option, side.opponent())? {
                        // An option that the opponent loses is a win.
                        Some(false) => true,
                        Some(true) => {
                            frame.moves.pop();
                            continue;
                        }
                        None => {
                            stack.push(self.frame(option, side.opponent(), &mut open)?);
                            continue;
                        }
                    }
                }
            };
            if let Some(frame) = stack.pop() {
                open.remove(&frame.key);
                self.keep(frame.key, answer)?;
            }
            if stack.is_empty() {
                return Ok(answer);
            }
        }
    }

    /// A state for the stack. [`Error::Cycle`] if it is there already.
    fn frame(&mut self, state: State, side: Side, open: &mut FxHashSet<Box<[u32]>>) -> Result<Frame, Error> {
        let key = key(&state, side);
        if !open.insert(key.clone()) {
            return Err(Error::Cycle(state.open.iter().map(|part| u64::from(part.id())).collect()));
        }
        let moves = self.moves(&state, side)?;
        Ok(Frame { state, key, side, moves })
    }

    /// Whether the player to move wins, if that is known, or told by values alone.
    fn look(&mut self, state: &State, side: Side) -> Result<Option<bool>, Error> {
        if state.open.is_empty() {
            return self.sums.wins(&mut self.forms.arena, &state.values, side).map(Some).map_err(of_values);
        }
        Ok(self.known.get(&key(state, side)).copied())
    }

    fn keep(&mut self, key: Box<[u32]>, answer: bool) -> Result<(), Error> {
        let bytes = (2 * size_of::<(Box<[u32]>, bool)>() + key.len() * size_of::<u32>() + 16) as u64;
        if let Err(error) = self.lease.grow(bytes) {
            if self.known.is_empty() {
                return Err(error);
            }
            self.known = FxHashMap::default();
            self.lease.resize(bytes)?;
        }
        self.decided += 1;
        self.known.insert(key, answer);
        Ok(())
    }

    /// A state with more parts: small ones become values, and what cancels is taken out.
    fn settled(&mut self, mut state: State, parts: &[Part], monitor: &mut Monitor) -> Result<State, Error> {
        for &part in parts {
            match self.value(part, monitor)? {
                Some(value) => state.values.push(value),
                None => match state.open.iter().position(|open| *open == part.negative()) {
                    Some(at) => drop(state.open.swap_remove(at)),
                    None => state.open.push(part),
                },
            }
        }
        state.open.sort_unstable();
        state.values = self.sums.tidied(&mut self.forms.arena, &state.values).map_err(of_values)?;
        Ok(state)
    }

    /// The value of a part, if it is small.
    fn value(&mut self, part: Part, monitor: &mut Monitor) -> Result<Option<Value>, Error> {
        if let Some(known) = self.values.known(part, &mut self.forms)? {
            return Ok(Some(known));
        }
        if self.is_full || self.large.contains(&part.id()) {
            return Ok(None);
        }
        self.source.at_most(self.source.met().saturating_add(self.effort));
        let valued = self.values.value(part, &mut self.source, &mut self.forms, monitor);
        self.source.at_most(u64::MAX);
        match valued {
            Ok(value) => Ok(Some(value)),
            Err(Error::NotApplicable(_)) => {
                self.large.insert(part.id());
                Ok(None)
            }
            Err(Error::Limit { limit: Limit::Memory { .. } | Limit::Positions, .. }) => {
                self.is_full = true;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn after(&mut self, state: &State, mv: &Move, monitor: &mut Monitor) -> Result<State, Error> {
        let mut after = state.clone();
        match mv {
            Move::Open { at, into } => {
                after.open.remove(*at);
                self.settled(after, into, monitor)
            }
            Move::Valued { at, option } => {
                after.values[*at] = *option;
                self.settled(after, &[], monitor)
            }
        }
    }

    /// The moves of a state, the most promising last.
    fn moves(&mut self, state: &State, side: Side) -> Result<Vec<Move>, Error> {
        let arena = &mut self.forms.arena;
        let mut valued = Vec::new();
        for (at, &value) in state.values.iter().enumerate() {
            if at == 0 || state.values[at - 1] != value {
                let heat = match arena.number_of(value) {
                    Some(_) => None,
                    // A mean that does not fit is no reason to give up the search.
                    None => Some(arena.temperature(value).unwrap_or(values::Dyadic::ZERO)),
                };
                valued.push((heat, at));
            }
        }
        // Numbers first, the hottest last.
        valued.sort_unstable();
        let mut moves = Vec::new();
        for (_, at) in valued {
            for option in arena.options(state.values[at], side).map_err(of_values)? {
                moves.push(Move::Valued { at, option });
            }
        }
        let owner = if side == Side::Left { Owner::Left } else { Owner::Right };
        for (at, &part) in state.open.iter().enumerate() {
            if at > 0 && state.open[at - 1] == part {
                continue;
            }
            self.options.clear();
            self.source.expand(part.id(), &mut self.options)?;
            moves.extend(self.options.of(owner, part).into_iter().map(|into| Move::Open { at, into }));
        }
        Ok(moves)
    }
}

/// What a state is known by.
fn key(state: &State, side: Side) -> Box<[u32]> {
    let open = state.open.iter().map(|part| part.word());
    let values = state.values.iter().map(|value| value.index() as u32);
    [side as u32].into_iter().chain(open).chain([u32::MAX]).chain(values).collect()
}
