//! The value of a position from which play can go on for ever: a stopper, or a pair of them, where the theory has one.
//!
//! The positions that play reaches are the nodes of a graph; `values::loopy` finds its simplest form. A position of several
//! parts is the sum of theirs. Where endless play is a win for one of the players, that side of the value is all there is.

use std::collections::hash_map::Entry;

use boards::canonical::of_values;
use engine::interner::Id;
use engine::memory::Lease;
use engine::monitor::Monitor;
use game::Player;
use rules::bind::{Bound, Position};
use rustc_hash::FxHashMap;
use values::loopy::sides::{offside, onside};
use values::loopy::{Graph, Loopy};
use values::{Arena, Side, Value};

use crate::error::{GivenUp, Reason};
use crate::positions::Keeps;
use crate::positions::parts::{NOTHING, Parts};

/// So many positions are looked at.
const MOST: usize = 20_000;
/// So many different ones a loopy game may have: all pairs of them are compared.
const MOST_DIFFERENT: usize = 400;

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
    monitor: &mut Monitor,
) -> Result<Form, GivenUp> {
    Repeating::new(bound, monitor)?.form(arena, position, monitor)
}

/// Values of positions of one game whose positions may repeat. Moves are worked out once, and so are parts.
pub(crate) struct Repeating<'b> {
    bound: &'b Bound,
    parts: Parts<'b>,
    moves: Moves,
    forms: FxHashMap<Id, Form>,
    lease: Lease,
}

/// What the moves of each player make of each part.
type Moves = FxHashMap<(Id, Player), Vec<Box<[Id]>>>;

impl<'b> Repeating<'b> {
    /// Nothing is valued yet.
    pub fn new(bound: &'b Bound, monitor: &Monitor) -> Result<Repeating<'b>, GivenUp> {
        let parts = Parts::new(bound, Keeps::Outcome, monitor.memory())?;
        let lease = monitor.memory().lease();
        Ok(Repeating { bound, parts, moves: Moves::default(), forms: FxHashMap::default(), lease })
    }

    /// How many parts were looked at.
    pub fn met(&self) -> u64 {
        self.moves.len() as u64 / 2
    }

    /// The value of a position. All values must be asked for with the same arena.
    pub fn form(&mut self, arena: &mut Arena, position: &Position, monitor: &mut Monitor) -> Result<Form, GivenUp> {
        let mut forms = Vec::with_capacity(position.parts.len());
        for part in &position.parts {
            forms.push(self.part(arena, part, monitor)?);
        }
        total(arena, &forms).map_err(undefined)
    }

    fn part(&mut self, arena: &mut Arena, part: &[i64], monitor: &mut Monitor) -> Result<Form, GivenUp> {
        let start = self.parts.number(part).map_err(|error| self.parts.placed(error))?;
        if let Some(known) = self.forms.get(&start) {
            return Ok(known.clone());
        }
        let graph = graph(&mut self.parts, &mut self.moves, &mut self.lease, start, monitor)?;
        let form = match graph.to_value(arena).map_err(undefined)? {
            Some(value) => Form::Value(value),
            None => Form::Loopy(Box::new(sided(self.bound.forever, &graph).map_err(undefined)?)),
        };
        self.forms.insert(start, form.clone());
        Ok(form)
    }
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

/// Everything that play makes of one part: positions are lists of parts.
fn graph(
    parts: &mut Parts<'_>,
    known: &mut Moves,
    kept: &mut Lease,
    start: Id,
    monitor: &mut Monitor,
) -> Result<Graph, GivenUp> {
    let mut lease = monitor.memory().lease();
    let mut bytes = 0;
    let first: Box<[Id]> = [start].into();
    let mut numbers: FxHashMap<Box<[Id]>, u32> = FxHashMap::from_iter([(first.clone(), 0)]);
    let mut nodes = vec![first];
    let mut options = [Vec::new(), Vec::new()];
    while options[0].len() < nodes.len() {
        let at = options[0].len();
        monitor.tick(nodes.len() as u64, at as u64)?;
        for (side, player) in [(Side::Left, Player::FIRST), (Side::Right, Player::FIRST.other())] {
            let mut into = Vec::new();
            for (place, &part) in nodes[at].clone().iter().enumerate() {
                let moves = match known.entry((part, player)) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(fresh) => {
                        let moves = parts.moves(part, player).map_err(|error| parts.placed(error))?;
                        kept.grow(64 + moves.iter().map(|mv| 24 + 8 * mv.into.len() as u64).sum::<u64>())?;
                        fresh.insert(moves.into_iter().map(|mv| mv.into).collect())
                    }
                };
                for becomes in &*moves {
                    let mut after = nodes[at].to_vec();
                    after.swap_remove(place);
                    after.extend(becomes.iter().filter(|&&part| part != NOTHING));
                    after.sort_unstable();
                    let after: Box<[Id]> = after.into();
                    let next = nodes.len() as u32;
                    let number = *numbers.entry(after.clone()).or_insert(next);
                    if number == next {
                        bytes += 64 + 8 * after.len() as u64;
                        nodes.push(after);
                    }
                    into.push(number);
                }
            }
            into.sort_unstable();
            into.dedup();
            bytes += 24 + 4 * into.len() as u64;
            options[side as usize].push(into);
        }
        lease.resize(bytes)?;
        if nodes.len() > MOST {
            return Err(GivenUp::Because(Reason::Values(format!(
                "positions repeat, and loopy values are looked for among at most {MOST} positions"
            ))));
        }
    }
    let graph = Graph::new(&options[0], &options[1], 0).map_err(undefined)?;
    if graph.len() > MOST_DIFFERENT && !graph.is_finite() {
        return Err(GivenUp::Because(Reason::Values(format!(
            "positions repeat, and a loopy value with more than {MOST_DIFFERENT} different positions is not worked out"
        ))));
    }
    Ok(graph)
}
