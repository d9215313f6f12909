//! Who wins a sum, without its value.
//!
//! The canonical form of a sum of many hot games can be far too large, while who wins is found by a search that tries few
//! moves. A state is a list of values, none of them compact, one compact value for all the rest, and whose turn it is.
//! 1. Values that cancel are taken out; small ones are added up beforehand.
//! 2. One value, or two, are decided by the order of values.
//! 3. Thermographs bound the stops of the sum. With walls `L` and `R` at any temperature `t ≥ 0`, for Left to move:
//!    `max over i of L_i(t) + sum of the other R(t)  ≤  Left stop of the sum  ≤  sum of L(t) + t`.
//!    A Left stop above zero wins, one below zero loses; only at zero, or in doubt, moves are tried.
//!    If all values are all-small, these bounds are all zero, and atomic weights decide: a weight of at least 1 wins for Left
//!    to move, one of at most −2 loses.
//! 4. Moves in the hottest value come first. Nobody moves in a number while there is anything else.
//!
//! States that are decided are kept, charged to the budget. The stack is on the heap.

use rustc_hash::FxHashMap;

use game::OutcomeClass;

use crate::arena::{Arena, Value};
use crate::error::{Error, Result};
use crate::number::Dyadic;
use crate::side::Side;
use crate::stops::{COMPACT, NUMBER};

/// Values are added up beforehand while the product of their numbers of followers is at most this.
const SMALL: usize = 300;

/// A move in a sum: in which value, and to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The index of the value in the sum as it was given.
    pub index: usize,
    /// The option that the value becomes.
    pub option: Value,
}

/// What is still to be played: values that are not compact, sorted, and one compact value, last.
type State = Box<[u32]>;

/// A state on the stack, and the options that are still to be tried.
struct Frame {
    state: State,
    side: Side,
    options: Vec<State>,
}

/// A search that remembers what it decided. It serves one arena.
pub struct SumSearch {
    small: usize,
    known: FxHashMap<(State, Side), bool>,
    /// Atomic weights of values; None for those that are not all-small.
    weights: FxHashMap<u32, Option<Value>>,
    /// Bytes that the states take.
    charged: u64,
}

impl Default for SumSearch {
    fn default() -> SumSearch {
        SumSearch { small: SMALL, known: FxHashMap::default(), weights: FxHashMap::default(), charged: 0 }
    }
}

impl SumSearch {
    /// A search that knows nothing yet.
    pub fn new() -> SumSearch {
        SumSearch::default()
    }

    /// A search that adds values up beforehand only while the product of their numbers of followers is at most `small`.
    pub fn adding_up_to(small: usize) -> SumSearch {
        SumSearch { small, ..SumSearch::default() }
    }

    /// How many states are decided and kept.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// True if nothing is decided yet.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Who wins the sum of these values.
    pub fn outcome(&mut self, arena: &mut Arena, values: &[Value]) -> Result<OutcomeClass> {
        let left = self.wins(arena, values, Side::Left)?;
        let right = self.wins(arena, values, Side::Right)?;
        Ok(match (left, right) {
            (true, true) => OutcomeClass::N,
            (true, false) => OutcomeClass::L,
            (false, true) => OutcomeClass::R,
            (false, false) => OutcomeClass::P,
        })
    }

    /// Whether a player who moves first wins the sum of these values.
    pub fn wins(&mut self, arena: &mut Arena, values: &[Value], first: Side) -> Result<bool> {
        let values = gathered(arena, values, self.small)?;
        let state = tidy(arena, values.into_iter().map(|value| value.0).collect())?;
        self.decide(arena, state, first)
    }

    /// The moves with which a player wins the sum of these values.
    pub fn winning_moves(&mut self, arena: &mut Arena, values: &[Value], player: Side) -> Result<Vec<Move>> {
        let mut winning = Vec::new();
        for (index, &value) in values.iter().enumerate() {
            for option in arena.options(value, player)? {
                let mut after = values.to_vec();
                after[index] = option;
                if !self.wins(arena, &after, player.opponent())? {
                    winning.push(Move { index, option });
                }
            }
        }
        Ok(winning)
    }

    /// Whether the player to move wins a state.
    fn decide(&mut self, arena: &mut Arena, state: State, side: Side) -> Result<bool> {
        if let Some(answer) = self.look(arena, &state, side)? {
            return Ok(answer);
        }
        let options = options_of(arena, &state, side)?;
        let mut stack = vec![Frame { state, side, options }];
        loop {
            let frame = stack.last_mut().expect("the first state stays until it is decided");
            let side = frame.side;
            let answer = match frame.options.pop() {
                None => false,
                Some(option) => match self.look(arena, &option, side.opponent())? {
                    // An option that the opponent loses is a win.
                    Some(false) => true,
                    Some(true) => continue,
                    None => {
                        frame.options.push(option.clone());
                        let options = options_of(arena, &option, side.opponent())?;
                        stack.push(Frame { state: option, side: side.opponent(), options });
                        continue;
                    }
                },
            };
            let ticked = arena.tick();
            arena.surface(ticked)?;
            let frame = stack.pop().expect("the frame that was decided");
            self.keep(arena, frame.state, frame.side, answer)?;
            if stack.is_empty() {
                return Ok(answer);
            }
        }
    }

    /// Keeps what was decided. Where there is no room for it, everything that was decided before is forgotten: it can be
    /// found again.
    fn keep(&mut self, arena: &mut Arena, state: State, side: Side, answer: bool) -> Result<()> {
        let entry = (size_of::<(State, Side, bool)>() * 2 + state.len() * size_of::<u32>()) as u64;
        if let Err(error) = arena.take_bytes(entry) {
            if self.known.is_empty() {
                return Err(error);
            }
            self.forget(arena);
            arena.take_bytes(entry)?;
        }
        self.charged += entry;
        self.known.insert((state, side), answer);
        Ok(())
    }

    /// Forgets all states, and hands their bytes back to the arena.
    pub fn forget(&mut self, arena: &mut Arena) {
        self.known = FxHashMap::default();
        arena.give_bytes(std::mem::take(&mut self.charged));
    }

    /// A sum as a sorted list, where values that cancel are gone and small ones are added up.
    pub fn tidied(&self, arena: &mut Arena, values: &[Value]) -> Result<Vec<Value>> {
        let values = gathered(arena, values, self.small)?;
        let state = tidy(arena, values.into_iter().map(|value| value.0).collect())?;
        Ok(state.iter().map(|id| Value(*id)).filter(|value| *value != Value::ZERO).collect())
    }

    /// Whether the player to move wins, if that is known, or shown without moves.
    fn look(&mut self, arena: &mut Arena, state: &State, side: Side) -> Result<Option<bool>> {
        let (&compact, rest) = state.split_last().expect("a state ends with its compact value");
        let (first, second) = match *rest {
            [] => (compact, 0),
            [only] => (only, compact),
            [a, b] if compact == 0 => (a, b),
            _ => {
                if let Some(&answer) = self.known.get(&(state.clone(), side)) {
                    return Ok(Some(answer));
                }
                return match bounds(arena, state, side) {
                    // A mean that does not fit is no reason to give up the search.
                    Ok(None) | Err(Error::Overflow(_)) => self.weigh(arena, state, side),
                    shown => shown,
                };
            }
        };
        let negative = arena.negative(Value(second))?;
        // Left who begins wins what is not at most zero; Right what is not at least zero.
        let lost = match side {
            Side::Left => arena.at_most(Value(first), negative)?,
            Side::Right => arena.at_most(negative, Value(first))?,
        };
        Ok(Some(!lost))
    }
}

/// Atomic weights.
impl SumSearch {
    /// Whether the player to move wins, by the atomic weights of all-small values.
    fn weigh(&mut self, arena: &mut Arena, state: &State, side: Side) -> Result<Option<bool>> {
        let mut weights = Vec::with_capacity(state.len());
        for &id in state {
            let weight = match self.weights.get(&id) {
                Some(&known) => known,
                None => {
                    let small = arena.is_all_small(Value(id))?;
                    let weight = if small { Some(arena.atomic_weight(Value(id))?) } else { None };
                    arena.take_bytes(size_of::<(u32, Option<Value>)>() as u64 * 2)?;
                    self.weights.insert(id, weight);
                    weight
                }
            };
            match weight {
                Some(weight) => weights.push(weight),
                None => return Ok(None),
            }
        }
        let total = arena.total(&weights)?;
        let total = if side == Side::Left { total } else { arena.negative(total)? };
        let (ahead, behind) = (arena.integer(1)?, arena.integer(-2)?);
        if arena.at_most(ahead, total)? {
            return Ok(Some(true));
        }
        Ok(arena.at_most(total, behind)?.then_some(false))
    }
}

impl Arena {
    /// The sum of many values, where it can be found in small steps: two values at a time, whose numbers of followers have a
    /// product of at most `small`. None where the sum may be far too large.
    pub fn total_within(&mut self, values: &[Value], small: usize) -> Result<Option<Value>> {
        let mut rest: Vec<Value> = Vec::with_capacity(values.len());
        for &value in values {
            let negative = self.negative(value)?;
            match rest.iter().position(|&other| other == negative) {
                Some(at) => drop(rest.swap_remove(at)),
                None => rest.push(value),
            }
        }
        match gathered(self, &rest, small)?[..] {
            [] => Ok(Some(Value::ZERO)),
            [only] => Ok(Some(only)),
            [value, compact] => self.plus(value, compact).map(Some),
            _ => Ok(None),
        }
    }
}

/// Adds up values while the sums stay small: two at a time, as long as the product of their numbers of followers is at most
/// `small`.
pub(crate) fn gathered(arena: &mut Arena, values: &[Value], small: usize) -> Result<Vec<Value>> {
    let mut sized = Vec::new();
    let mut compact = Value::ZERO;
    for &value in values {
        if arena.stops[value.index()].is(COMPACT) {
            compact = arena.plus(compact, value)?;
        } else {
            sized.push((size(arena, value)?, value));
        }
    }
    loop {
        // The two smallest, again and again.
        sized.sort_unstable_by(|a, b| b.cmp(a));
        let [.., (more, b), (less, a)] = sized[..] else { break };
        if more.saturating_mul(less) > small {
            break;
        }
        sized.truncate(sized.len() - 2);
        let sum = arena.plus(a, b)?;
        if arena.stops[sum.index()].is(COMPACT) {
            compact = arena.plus(compact, sum)?;
        } else {
            sized.push((size(arena, sum)?, sum));
        }
    }
    let mut all: Vec<Value> = sized.into_iter().map(|(_, value)| value).collect();
    all.push(compact);
    Ok(all)
}

/// How many followers a value has; compact ones count as one.
fn size(arena: &mut Arena, value: Value) -> Result<usize> {
    Ok(arena.followers_to(value, |arena, value| arena.stops[value.index()].is(COMPACT))?.len())
}

/// The state of a list of values: what cancels is taken out, what is compact is added up.
fn tidy(arena: &mut Arena, values: Vec<u32>) -> Result<State> {
    let mut compact = Value::ZERO;
    let mut rest: Vec<u32> = Vec::with_capacity(values.len());
    for id in values {
        if arena.stops[id as usize].is(COMPACT) {
            compact = arena.plus(compact, Value(id))?;
            continue;
        }
        let negative = arena.negative(Value(id))?.0;
        match rest.iter().position(|&other| other == negative) {
            Some(at) => drop(rest.swap_remove(at)),
            None => rest.push(id),
        }
    }
    rest.sort_unstable();
    rest.push(compact.0);
    Ok(rest.into())
}

/// The options of a state, the most promising last.
fn options_of(arena: &mut Arena, state: &State, side: Side) -> Result<Vec<State>> {
    let mut values: Vec<(Dyadic, usize)> = Vec::new();
    for (at, &id) in state.iter().enumerate() {
        let same = at > 0 && state[at - 1] == id;
        // A number is left alone: there is something else, or the order would have decided.
        if !same && !arena.stops[id as usize].is(NUMBER) {
            match arena.temperature(Value(id)) {
                Ok(temperature) => values.push((temperature, at)),
                Err(Error::Overflow(_)) => values.push((Dyadic::ZERO, at)),
                Err(error) => return Err(error),
            }
        }
    }
    values.sort_unstable();
    let mut options = Vec::new();
    for (_, at) in values {
        for option in arena.options(Value(state[at]), side)? {
            let mut after = state.to_vec();
            after[at] = option.0;
            options.push(tidy(arena, after)?);
        }
    }
    Ok(options)
}

/// Whether the player to move wins, by the thermographs of the values.
fn bounds(arena: &mut Arena, state: &State, side: Side) -> Result<Option<bool>> {
    let mut graphs = Vec::with_capacity(state.len());
    let mut heights = vec![Dyadic::ZERO];
    let mut number = Dyadic::ZERO;
    for &id in state {
        // Above zero a compact value is a mast at its number.
        if let Some(compact) = arena.compact_of(Value(id)) {
            number = number.plus(compact.number)?;
            continue;
        }
        let graph = arena.thermograph(Value(id))?;
        for wall in Side::BOTH {
            heights.extend(graph.wall(wall).corners().iter().map(|corner| corner.0).filter(|&t| t > Dyadic::ZERO));
        }
        graphs.push(graph);
    }
    heights.sort_unstable();
    heights.dedup();
    // All is seen from the side of the player to move.
    let sign = |x: Dyadic| if side == Side::Left { x } else { -x };
    for t in heights {
        let (mut own, mut other, mut widest) = (sign(number), sign(number), Dyadic::ZERO);
        for graph in &graphs {
            let (near, far) = (sign(graph.wall(side).at(t)?), sign(graph.wall(side.opponent()).at(t)?));
            own = own.plus(near)?;
            other = other.plus(far)?;
            widest = widest.max(near.minus(far)?);
        }
        if other.plus(widest)? > Dyadic::ZERO {
            return Ok(Some(true));
        }
        if own.plus(t)? < Dyadic::ZERO {
            return Ok(Some(false));
        }
    }
    Ok(None)
}
