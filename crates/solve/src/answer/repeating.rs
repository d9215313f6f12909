//! The value of a position from which play can go on for ever: a stopper, or a pair of them, where the theory has one.
//!
//! The positions that play reaches are the nodes of a graph; `values::loopy` finds their simplest forms. A position of several
//! parts is the sum of theirs. Where endless play is a win for one of the players, that side of the value is all there is.

use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Instant;

use boards::canonical::of_values;
use engine::interner::Id;
use engine::memory::Lease;
use engine::monitor::Monitor;
use game::Player;
use rules::bind::{Bound, Position};
use rustc_hash::FxHashMap;
use values::loopy::pieces::Endless;
use values::loopy::sides::{offside, onside};
use values::loopy::watch::{Purse, Watch, growth, heap};
use values::loopy::{Graph, Loopy, Pieces};
use values::{Arena, Budget, Refusal, Side, Value};

use crate::error::{GivenUp, Reason};
use positions::oracle::Keeps;
use positions::parts::{NOTHING, Parts};

/// How much is spent on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// A little, beside an answer that was found in another way.
    Beside,
    /// As much as it takes.
    Whatever,
}

/// So many positions are looked at beside an answer.
const MOST_BESIDE: usize = 50_000;
/// So many steps of the interpreter their moves may take: about a quarter of a second.
const MOST_STEPS_BESIDE: u64 = 25_000_000;
/// A graph whose groups have no values is compared as a whole if it has at most so many different positions.
const MOST_DIFFERENT: usize = 400;

/// So many pairs of positions and moves from them are compared beside an answer, and so many more for each position that the
/// answer took: the value has a share of the work that grows with the answer. In all no more than so many: about a second.
const WORK_BESIDE: u64 = 10_000_000;
const WORK_A_POSITION: u64 = 12_000;
const MOST_WORK_BESIDE: u64 = 300_000_000;

/// The limits of a monitor, for loopy values.
pub fn watch(monitor: &Monitor) -> Watch {
    let deadline = monitor.time_left().and_then(|left| Instant::now().checked_add(left));
    let purse = Some(Purse::new(Charge(monitor.memory().lease())));
    Watch { cancel: Some(Arc::clone(monitor.cancel())), deadline, most: None, purse }
}

/// The memory of a solve, as loopy values ask for it.
struct Charge(Lease);

impl Budget for Charge {
    fn take(&mut self, bytes: u64) -> Result<(), Refusal> {
        let needed = self.0.memory().used().saturating_add(bytes);
        self.0.grow(bytes).map_err(|_| Refusal { limit: self.0.memory().limit(), needed })
    }

    fn give(&mut self, bytes: u64) {
        self.0.shrink(bytes);
    }
}

/// The limits of loopy values that are looked for beside an answer. The answer took so many positions; the work on the values is
/// bounded by that, and half of the time is left for other things.
pub(crate) fn watch_beside(positions: u64, monitor: &Monitor) -> Watch {
    let most = WORK_BESIDE.saturating_add(positions.saturating_mul(WORK_A_POSITION)).min(MOST_WORK_BESIDE);
    let deadline = monitor.time_left().and_then(|left| Instant::now().checked_add(left / 2));
    let why = "positions repeat, and their loopy values take more work than is spent on them beside an answer; \
               `perfectplay value` looks for them as long as it takes";
    Watch { deadline, most: Some((most, why.to_string())), ..watch(monitor) }
}

/// A value with loops or without.
#[derive(Clone, Debug)]
pub enum Form {
    /// Play always ends.
    Value(Value),
    /// Play may go on for ever.
    Loopy(Box<Loopy>),
}

/// The value of a position from which play may go on for ever.
pub(crate) fn repeating(
    arena: &mut Arena,
    bound: &Bound,
    position: &Position,
    effort: Effort,
    monitor: &mut Monitor,
) -> Result<Form, GivenUp> {
    Repeating::new(bound, effort, monitor)?.form(arena, position, monitor)
}

/// Values of positions of one game whose positions may repeat. Each position is looked at once.
pub(crate) struct Repeating<'b> {
    bound: &'b Bound,
    parts: Parts<'b>,
    effort: Effort,
    moves: Moves,
    /// What play makes of parts, as lists of parts, and the numbers of these.
    nodes: Vec<Box<[Id]>>,
    numbers: FxHashMap<Box<[Id]>, u32>,
    /// Left's and Right's options of each, as numbers.
    options: [Vec<Vec<u32>>; 2],
    pieces: Pieces,
    /// For the lists, the numbers and the moves.
    lease: Lease,
    numbers_lease: Lease,
    moves_lease: Lease,
}

/// What the moves of each player make of each part.
type Moves = FxHashMap<(Id, Player), Vec<Box<[Id]>>>;

impl<'b> Repeating<'b> {
    /// Nothing is valued yet.
    pub fn new(bound: &'b Bound, effort: Effort, monitor: &Monitor) -> Result<Repeating<'b>, GivenUp> {
        let parts = Parts::new(bound, Keeps::Outcome, monitor.memory())?;
        let endless = match bound.forever {
            None => Endless::Draw,
            Some(Player::FIRST) => Endless::Wins(Side::Left),
            Some(_) => Endless::Wins(Side::Right),
        };
        Ok(Repeating {
            bound,
            parts,
            effort,
            moves: Moves::default(),
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            options: [Vec::new(), Vec::new()],
            pieces: Pieces::new(endless),
            lease: monitor.memory().lease(),
            numbers_lease: monitor.memory().lease(),
            moves_lease: monitor.memory().lease(),
        })
    }

    /// Whether the answer is known without these values.
    fn is_beside(&self) -> bool {
        self.effort == Effort::Beside
    }

    /// How many parts were looked at.
    pub fn met(&self) -> u64 {
        self.moves.len() as u64 / 2
    }

    /// The value of a position. All values must be asked for with the same arena.
    pub fn form(&mut self, arena: &mut Arena, position: &Position, monitor: &mut Monitor) -> Result<Form, GivenUp> {
        // Beside an answer somebody else keeps a watch already, which is stricter.
        let _watched = (!self.is_beside()).then(|| watch(monitor).enter());
        let mut forms = Vec::with_capacity(position.parts.len());
        for part in &position.parts {
            forms.push(self.part(arena, part, monitor)?);
        }
        total(arena, &forms).map_err(undefined)
    }

    fn part(&mut self, arena: &mut Arena, part: &[i64], monitor: &mut Monitor) -> Result<Form, GivenUp> {
        let start = self.parts.number(part).map_err(|error| self.parts.placed(error))?;
        let start = self.number([start].into())?;
        self.explore(monitor)?;
        let [left, right] = &self.options;
        let stopped = |monitor: &mut Monitor| monitor.tick(left.len() as u64, 0).map_err(|_| values::Error::Stopped);
        self.pieces.settle(arena, [left, right], start, &mut || stopped(monitor)).map_err(undefined)?;
        match self.pieces.value(start) {
            Ok(Ok(value)) => Ok(Form::Value(value)),
            Ok(Err(loopy)) => Ok(Form::Loopy(Box::new(loopy))),
            Err(error) => self.whole(arena, start).map_err(|other| match other {
                other if other.is_without_value() => undefined(error),
                limit => undefined(limit),
            }),
        }
    }

    /// The value of a part whose groups of positions have none: a small graph is compared as a whole.
    fn whole(&self, arena: &mut Arena, start: u32) -> values::Result<Form> {
        let graph = Graph::new(&self.options[0], &self.options[1], start)?;
        if graph.len() > MOST_DIFFERENT {
            return Err(values::Error::Beyond("too many positions".to_string()));
        }
        Ok(match graph.to_value(arena)? {
            Some(value) => Form::Value(value),
            None => Form::Loopy(Box::new(sided(self.bound.forever, &graph)?)),
        })
    }

    /// The number of a list of parts.
    fn number(&mut self, node: Box<[Id]>) -> Result<u32, GivenUp> {
        let next = self.nodes.len() as u32;
        make_room(&mut self.numbers_lease, &self.numbers)?;
        match self.numbers.entry(node) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(fresh) => {
                let list = size_of_val(&**fresh.key());
                self.lease.grow(size_of::<Box<[Id]>>() as u64 + 2 * heap(list))?;
                self.nodes.push(fresh.key().clone());
                Ok(*fresh.insert(next))
            }
        }
    }

    /// Looks at everything that play makes of the numbered lists of parts.
    fn explore(&mut self, monitor: &mut Monitor) -> Result<(), GivenUp> {
        while self.options[0].len() < self.nodes.len() {
            let at = self.options[0].len();
            monitor.tick(self.nodes.len() as u64, at as u64)?;
            let mut lists = [Vec::new(), Vec::new()];
            for (list, player) in lists.iter_mut().zip([Player::FIRST, Player::FIRST.other()]) {
                for after in self.after(at, player)? {
                    list.push(self.number(after)?);
                }
                list.sort_unstable();
                list.dedup();
                list.shrink_to_fit();
                self.lease.grow(24 + heap(4 * list.len()))?;
            }
            for (options, list) in self.options.iter_mut().zip(lists) {
                options.push(list);
            }
            if self.is_beside() && self.nodes.len() > MOST_BESIDE {
                return Err(dear(format!("are looked for among at most {MOST_BESIDE} positions")));
            }
            if self.is_beside() && self.parts.steps() > MOST_STEPS_BESIDE {
                return Err(dear("are not looked for where listing the moves takes so long".to_string()));
            }
        }
        Ok(())
    }

    /// What the moves of a player make of a list of parts.
    fn after(&mut self, at: usize, player: Player) -> Result<Vec<Box<[Id]>>, GivenUp> {
        let node = self.nodes[at].clone();
        let mut found = Vec::new();
        for (place, &part) in node.iter().enumerate() {
            make_room(&mut self.moves_lease, &self.moves)?;
            let moves = match self.moves.entry((part, player)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(fresh) => {
                    let moves = self.parts.moves(part, player).map_err(|error| self.parts.placed(error))?;
                    let lists = moves.iter().map(|mv| heap(size_of_val(&*mv.into))).sum::<u64>();
                    self.lease.grow(heap(moves.len() * size_of::<Box<[Id]>>()) + lists)?;
                    // Collected in place, the list would keep the room of the moves it comes from.
                    let mut into = Vec::with_capacity(moves.len());
                    into.extend(moves.into_iter().map(|mv| mv.into));
                    fresh.insert(into)
                }
            };
            for becomes in &*moves {
                let mut after = node.to_vec();
                after.swap_remove(place);
                after.extend(becomes.iter().filter(|&&part| part != NOTHING));
                after.sort_unstable();
                found.push(after.into());
            }
        }
        Ok(found)
    }
}

/// Values would take more than is spent on them beside an answer.
fn dear(why: String) -> GivenUp {
    GivenUp::Because(Reason::Values(format!(
        "positions repeat, and beside an answer loopy values {why}; `perfectplay value` looks for them as long as it takes"
    )))
}

/// Asks for what the next entry of a map takes. A table that grows lies beside the old one for a moment.
fn make_room<K, V>(lease: &mut Lease, map: &FxHashMap<K, V>) -> Result<(), GivenUp> {
    let more = growth(map.len(), map.capacity(), size_of::<(K, V)>());
    if more > 0 {
        lease.grow(more)?;
        lease.resize(more)?;
    }
    Ok(())
}

/// The sum of values with loops or without.
pub(crate) fn total(arena: &mut Arena, forms: &[Form]) -> values::Result<Form> {
    let mut finite = Value::ZERO;
    let mut loops: Option<Loopy> = None;
    for form in forms {
        match (form, &loops) {
            (Form::Value(value), _) => finite = arena.plus(finite, *value)?,
            (Form::Loopy(loopy), None) => loops = Some((**loopy).clone()),
            (Form::Loopy(loopy), Some(before)) => loops = Some(before.plus(loopy)?),
        }
    }
    let Some(mut loopy) = loops else { return Ok(Form::Value(finite)) };
    if finite != Value::ZERO {
        loopy = loopy.plus(&Loopy::of_value(arena, finite)?)?;
    }
    Ok(match loopy.to_value(arena)? {
        Some(value) => Form::Value(value),
        None => Form::Loopy(Box::new(loopy)),
    })
}

impl Form {
    /// The value as one that may have loops.
    pub(crate) fn to_loopy(&self, arena: &mut Arena) -> values::Result<Loopy> {
        match self {
            Form::Value(value) => Loopy::of_value(arena, *value),
            Form::Loopy(loopy) => Ok((**loopy).clone()),
        }
    }
}

/// The value of a graph, with endless play a draw or a win for one of the players.
fn sided(forever: Option<Player>, graph: &Graph) -> values::Result<Loopy> {
    match forever {
        None => Loopy::of_graph(graph),
        Some(Player::FIRST) => Loopy::of_graph(&onside(graph)?),
        Some(_) => Loopy::of_graph(&offside(graph)?),
    }
}

/// A limit stays one; what the theory does not give is a reason.
pub(crate) fn undefined(error: values::Error) -> GivenUp {
    match of_values(error) {
        engine::Error::NotApplicable(why) => GivenUp::Because(Reason::Values(why)),
        error => error.into(),
    }
}
