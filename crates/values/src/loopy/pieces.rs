//! The values of all positions of a large graph, one group of positions that reach each other after another.
//!
//! Comparing all pairs of positions is feasible for some hundred of them. Often far more positions fall into small groups: a
//! fox runs to and fro while the geese stand, and geese never go back. When a group is valued, all that lies outside of it
//! has been valued before. So it is enough to compare the positions of the group with the simplest forms of what it leads to.
//! What is equal may replace what it equals: whoever survives in the difference of the two goes on to survive.
//!
//! Simplest forms are kept in one graph, so that equal ones are mostly the same position of it.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Value};
use crate::error::{Error, Result};
use crate::loopy::components::{BYTES_OF_ONE, NEW, groups};
use crate::loopy::graph::Graph;
use crate::loopy::sides::{onside, onside_everywhere};
use crate::loopy::simplest::simplest_everywhere;
use crate::loopy::survival::above;
use crate::loopy::value::Loopy;
use crate::loopy::watch::{Held, growth, heap, hold};
use crate::side::Side;

/// What play without end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// A draw.
    Draw,
    /// A win for one of the players.
    Wins(Side),
}

/// What a position is worth.
#[derive(Clone, Copy, Debug)]
enum PieceValue {
    /// Not looked at yet.
    New,
    /// A value without loops.
    Value(Value),
    /// The onside and the offside, as positions of the kept graph.
    Sides([u32; 2]),
    /// There is no value; this is the number of the reason.
    Missing(u32),
}

/// Values of the positions of one graph, which may grow.
#[derive(Debug)]
pub struct Pieces {
    endless: Endless,
    worth: Vec<PieceValue>,
    /// Marks for walks through the graph, all of them fresh.
    marks: Vec<u32>,
    /// How many positions were valued, or found to have no value.
    settled: usize,
    /// Why some have none. There are few different reasons.
    reasons: Vec<Error>,
    kept: Kept,
    /// For all of the above.
    held: Held,
}

/// A group of positions with the simplest forms that it leads to, which come first.
struct Local {
    graph: Graph,
    /// Which position of the kept graph each of the first ones is.
    outside: Vec<u32>,
    held: Held,
}

impl Pieces {
    /// Nothing is valued yet.
    pub fn new(endless: Endless) -> Pieces {
        Pieces {
            endless,
            worth: Vec::new(),
            marks: Vec::new(),
            settled: 0,
            reasons: Vec::new(),
            kept: Kept::default(),
            held: Held::default(),
        }
    }

    /// How many simplest forms are kept, with their positions.
    pub fn len(&self) -> usize {
        self.kept.options[0].len()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Values all that play reaches from a position of a graph with these Left and Right options. Later graphs may have more
    /// positions, but must have these with the same options. `look` is asked before each group, and may stop the work.
    pub fn settle(
        &mut self,
        arena: &mut Arena,
        options: [&[Vec<u32>]; 2],
        start: u32,
        look: &mut dyn FnMut() -> Result<()>,
    ) -> Result<()> {
        self.make_room(options[0].len())?;
        let worth = &self.worth;
        let known = |position: u32| !matches!(worth[position as usize], PieceValue::New);
        if known(start) {
            return Ok(());
        }
        let next = |position: u32, at: u32| {
            let [left, right] = options.map(|side| &side[position as usize]);
            let at = at as usize;
            left.get(at).or_else(|| right.get(at - left.len())).copied()
        };
        let _walk = hold((worth.len() - self.settled) as u64 * BYTES_OF_ONE)?;
        for group in groups(&mut self.marks, start, next, known).iter() {
            look()?;
            match self.group(arena, options, group) {
                Ok(()) => {}
                Err(why) if why.is_without_value() => {
                    let reason = PieceValue::Missing(self.reason(why));
                    group.iter().for_each(|&member| self.worth[member as usize] = reason);
                }
                Err(error) => return Err(error),
            }
            self.settled += group.len();
        }
        Ok(())
    }

    /// Makes room for a graph of so many positions.
    fn make_room(&mut self, count: usize) -> Result<()> {
        let fresh = count - self.worth.len();
        self.held.grow(fresh as u64 * (size_of::<PieceValue>() + size_of::<u32>()) as u64)?;
        self.worth.resize(count, PieceValue::New);
        self.marks.resize(count, NEW);
        Ok(())
    }

    /// The number of a reason.
    fn reason(&mut self, why: Error) -> u32 {
        let known = self.reasons.iter().position(|reason| *reason == why);
        known.unwrap_or_else(|| {
            self.reasons.push(why);
            self.reasons.len() - 1
        }) as u32
    }

    /// The value of a position that was settled, without loops where it has none.
    pub fn value(&self, position: u32) -> Result<std::result::Result<Value, Loopy>> {
        match &self.worth[position as usize] {
            PieceValue::Value(value) => Ok(Ok(*value)),
            PieceValue::Sides([on, off]) => Ok(Err(Loopy::of_stoppers(self.kept.graph(*on)?, self.kept.graph(*off)?))),
            PieceValue::Missing(why) => Err(self.reasons[*why as usize].clone()),
            PieceValue::New => Err(Error::Undefined("the position was not looked at".to_string())),
        }
    }

    /// Values the positions of a group.
    fn group(&mut self, arena: &mut Arena, options: [&[Vec<u32>]; 2], members: &[u32]) -> Result<()> {
        if let [only] = members
            && let Some(value) = self.without_loops(arena, options.map(|side| &side[*only as usize][..]))?
        {
            self.worth[*only as usize] = PieceValue::Value(value);
            return Ok(());
        }
        let wanted: &[usize] = match self.endless {
            Endless::Draw => &[0, 1],
            Endless::Wins(side) => &[side as usize],
        };
        let mut found: Vec<Vec<u32>> = Vec::new();
        for &side in wanted {
            let local = self.local(arena, options, members, side)?;
            found.push(self.sided(arena, local, members.len(), side)?);
        }
        for (at, &member) in members.iter().enumerate() {
            let sides = [found[0][at], found[found.len() - 1][at]];
            self.worth[member as usize] = match self.kept.value(sides) {
                Some(value) => PieceValue::Value(value),
                None => PieceValue::Sides(sides),
            };
        }
        Ok(())
    }

    /// The value of a position whose options have values without loops.
    fn without_loops(&self, arena: &mut Arena, options: [&[u32]; 2]) -> Result<Option<Value>> {
        let values = options.map(|side| -> Option<Vec<Value>> {
            let value = |&option: &u32| match self.worth[option as usize] {
                PieceValue::Value(value) => Some(value),
                _ => None,
            };
            side.iter().map(value).collect()
        });
        match values {
            [Some(left), Some(right)] => arena.game(&left, &right).map(Some),
            _ => Ok(None),
        }
    }

    /// A group as a graph, with one side of what it leads to.
    fn local(&mut self, arena: &mut Arena, options: [&[Vec<u32>]; 2], members: &[u32], side: usize) -> Result<Local> {
        let inside: FxHashMap<u32, usize> = members.iter().enumerate().map(|(at, &member)| (member, at)).collect();
        let mut exits: FxHashMap<u32, u32> = FxHashMap::default();
        for &option in members.iter().flat_map(|&member| options.map(|side| &side[member as usize])).flatten() {
            if inside.contains_key(&option) || exits.contains_key(&option) {
                continue;
            }
            let kept = match &self.worth[option as usize] {
                PieceValue::Value(value) => self.kept.embed(arena, *value)?,
                PieceValue::Sides(sides) => sides[side],
                PieceValue::Missing(why) => return Err(self.reasons[*why as usize].clone()),
                PieceValue::New => return Err(Error::Undefined("an option was not looked at".to_string())),
            };
            exits.insert(option, kept);
        }
        let outside = self.kept.reached(exits.values().copied());
        let held =
            hold(self.kept.bytes_of(&outside) + members.iter().map(|&member| bytes_of(options, member)).sum::<u64>())?;
        let number: FxHashMap<u32, u32> = outside.iter().enumerate().map(|(at, &kept)| (kept, at as u32)).collect();
        let lists = [0, 1].map(|of: usize| {
            let kept =
                outside.iter().map(|&kept| self.kept.options[of][kept as usize].iter().map(|o| number[o]).collect());
            let own = members.iter().map(|&member| {
                let place = |option: &u32| match inside.get(option) {
                    Some(at) => (outside.len() + at) as u32,
                    None => number[&exits[option]],
                };
                options[of][member as usize].iter().map(place).collect()
            });
            kept.chain(own).collect()
        });
        Ok(Local { graph: Graph::whole(lists), outside, held })
    }

    /// The positions of the kept graph that one side of each of the `count` members is.
    fn sided(&mut self, arena: &mut Arena, local: Local, count: usize, side: usize) -> Result<Vec<u32>> {
        let Local { graph, outside, held: _held } = local;
        // The offside is the onside with the players changed.
        let turned = |graph: Graph| if side == 0 { graph } else { graph.negative() };
        let graph = turned(graph);
        let first = outside.len();
        let (stoppers, roots) = match onside_everywhere(&graph)? {
            Some(stoppers) => (stoppers, (first..first + count).collect()),
            None => one_by_one(&graph, first, count)?,
        };
        self.kept.insert(arena, &turned(stoppers), &outside, &roots)
    }
}

/// What a position takes in a graph of its own, in bytes: its lists, and its number.
fn bytes_of(options: [&[Vec<u32>]; 2], position: u32) -> u64 {
    options.iter().map(|side| 24 + heap(4 * side[position as usize].len())).sum::<u64>() + 24
}

/// More positions than these are not compared with one another.
const MOST_BESIDE_ONE_ANOTHER: usize = 1 << 11;

/// The onside of each member alone, put beside the simplest forms that come first.
fn one_by_one(graph: &Graph, first: usize, count: usize) -> Result<(Graph, Vec<usize>)> {
    let mut options = Side::BOTH.map(|side| (0..first).map(|at| graph.options(at, side).to_vec()).collect::<Vec<_>>());
    let mut roots = Vec::with_capacity(count);
    for member in first..first + count {
        let stopper = onside(&graph.reached(member as u32)?)?;
        let base = options[0].len();
        if base + stopper.len() > MOST_BESIDE_ONE_ANOTHER {
            return Err(Error::Beyond("these loopy games have too many pairs of positions to compare".into()));
        }
        roots.push(base);
        for side in Side::BOTH {
            let moved = |&option: &u32| option + base as u32;
            let lists = (0..stopper.len()).map(|at| stopper.options(at, side).iter().map(moved).collect());
            options[side as usize].extend(lists);
        }
    }
    Ok((simplest_everywhere(Graph::whole(options))?, roots))
}

/// Simplest forms, in one graph.
#[derive(Debug, Default)]
struct Kept {
    options: [Vec<Vec<u32>>; 2],
    /// Values without loops, where they are, and back.
    embedded: FxHashMap<Value, u32>,
    values: FxHashMap<u32, Value>,
    /// Positions that lead to themselves or to others that were known before, by their options.
    index: FxHashMap<[Vec<u32>; 2], u32>,
    /// For the lists, and for each of the maps.
    lists: Held,
    maps: [Held; 3],
}

/// Stands for the position itself among its options.
const ITSELF: u32 = u32::MAX;

impl Kept {
    /// A value without loops that both sides are.
    fn value(&self, [on, off]: [u32; 2]) -> Option<Value> {
        self.values.get(&on).filter(|_| on == off).copied()
    }

    /// All that is reached from some positions.
    fn reached(&self, roots: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut met: rustc_hash::FxHashSet<u32> = roots.collect();
        let mut order: Vec<u32> = met.iter().copied().collect();
        order.sort_unstable();
        let mut at = 0;
        while at < order.len() {
            let position = order[at] as usize;
            for &option in self.options.iter().flat_map(|side| &side[position]) {
                if met.insert(option) {
                    order.push(option);
                }
            }
            at += 1;
        }
        order
    }

    /// The form at a position, as a graph of its own.
    fn graph(&self, position: u32) -> Result<Graph> {
        let order = self.reached([position].into_iter());
        let number: FxHashMap<u32, u32> = order.iter().enumerate().map(|(at, &kept)| (kept, at as u32)).collect();
        let of = |side: usize| {
            let lists = order.iter().map(|&kept| self.options[side][kept as usize].iter().map(|option| number[option]));
            lists.map(Iterator::collect).collect()
        };
        Graph::with_options([of(0), of(1)], 0)
    }

    /// What these positions take in a graph of their own.
    fn bytes_of(&self, positions: &[u32]) -> u64 {
        let options = [&self.options[0][..], &self.options[1][..]];
        positions.iter().map(|&position| bytes_of(options, position)).sum()
    }

    fn push(&mut self, options: [Vec<u32>; 2]) -> Result<u32> {
        self.lists.grow(options.iter().map(|list| 24 + heap(4 * list.len())).sum())?;
        let position = self.options[0].len() as u32;
        for (side, list) in self.options.iter_mut().zip(options) {
            side.push(list);
        }
        Ok(position)
    }

    /// Notes that a value without loops is at a place.
    fn note(&mut self, value: Value, place: u32) -> Result<()> {
        let [embedded, values, _] = &mut self.maps;
        grown(embedded, &self.embedded)?;
        self.embedded.insert(value, place);
        grown(values, &self.values)?;
        self.values.insert(place, value);
        Ok(())
    }

    /// The place of a value without loops.
    fn embed(&mut self, arena: &mut Arena, value: Value) -> Result<u32> {
        let mut stack = vec![value];
        while let Some(&value) = stack.last() {
            let lists = [arena.options(value, Side::Left)?, arena.options(value, Side::Right)?];
            let missing = lists.iter().flatten().filter(|option| !self.embedded.contains_key(option)).copied();
            let before = stack.len();
            stack.extend(missing);
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if !self.embedded.contains_key(&value) {
                let place = self.push(lists.map(|list| list.iter().map(|option| self.embedded[option]).collect()))?;
                self.note(value, place)?;
            }
        }
        Ok(self.embedded[&value])
    }

    /// Takes in a graph of simplest forms of which the first positions are known. Gives where the roots are.
    fn insert(&mut self, arena: &mut Arena, graph: &Graph, outside: &[u32], roots: &[usize]) -> Result<Vec<u32>> {
        let order = above(graph, graph)?;
        let same = |i: usize, j: usize| order.is(i, j) && order.is(j, i);
        let first_alike = |at: usize| (0..=at).find(|&other| same(at, other)).unwrap_or(at);
        let mut place: FxHashMap<usize, u32> = outside.iter().copied().enumerate().collect();
        let mut fresh = Vec::new();
        let mut stack: Vec<usize> = roots.iter().map(|&root| first_alike(root)).collect();
        let mut met: rustc_hash::FxHashSet<usize> = stack.iter().copied().collect();
        while let Some(position) = stack.pop() {
            if place.contains_key(&position) {
                continue;
            }
            if let Some(value) = graph.reached(position as u32)?.to_value(arena)? {
                place.insert(position, self.embed(arena, value)?);
                continue;
            }
            fresh.push(position);
            let options = Side::BOTH.into_iter().flat_map(|side| graph.options(position, side));
            stack.extend(options.map(|&option| first_alike(option as usize)).filter(|&option| met.insert(option)));
        }
        self.insert_known(graph, &mut fresh, &mut place, first_alike)?;
        // What is left leads round in larger circles.
        for &position in &fresh {
            place.insert(position, self.push([Vec::new(), Vec::new()])?);
        }
        for &position in &fresh {
            for side in Side::BOTH {
                let list = graph.options(position, side).iter().map(|&option| place[&first_alike(option as usize)]);
                let list: Vec<u32> = list.collect();
                self.lists.grow(heap(4 * list.len()))?;
                self.options[side as usize][place[&position] as usize] = list;
            }
        }
        Ok(roots.iter().map(|&root| place[&first_alike(root)]).collect())
    }

    /// Places positions that lead to themselves and to placed ones only, until there are none.
    fn insert_known(
        &mut self,
        graph: &Graph,
        fresh: &mut Vec<usize>,
        place: &mut FxHashMap<usize, u32>,
        first_alike: impl Fn(usize) -> usize,
    ) -> Result<()> {
        loop {
            let mut left = Vec::with_capacity(fresh.len());
            for &position in &*fresh {
                let lists = Side::BOTH.map(|side| {
                    let options = graph.options(position, side).iter().map(|&option| first_alike(option as usize));
                    let placed = |option| if option == position { Some(ITSELF) } else { place.get(&option).copied() };
                    let list: Option<Vec<u32>> = options.map(placed).collect();
                    list.map(|mut list| {
                        list.sort_unstable();
                        list
                    })
                });
                match lists {
                    [Some(left), Some(right)] => place.insert(position, self.indexed([left, right])?),
                    _ => {
                        left.push(position);
                        continue;
                    }
                };
            }
            let placed = fresh.len() - left.len();
            *fresh = left;
            if placed == 0 {
                return Ok(());
            }
        }
    }

    /// The place of a position with these options.
    fn indexed(&mut self, key: [Vec<u32>; 2]) -> Result<u32> {
        if let Some(&known) = self.index.get(&key) {
            return Ok(known);
        }
        let next = self.options[0].len() as u32;
        let named = |list: &Vec<u32>| list.iter().map(|&at| if at == ITSELF { next } else { at }).collect();
        let own = self.push([named(&key[0]), named(&key[1])])?;
        self.lists.grow(key.iter().map(|list| heap(4 * list.len())).sum())?;
        grown(&mut self.maps[2], &self.index)?;
        self.index.insert(key, own);
        Ok(own)
    }
}

/// Asks for what the next entry of a map takes.
fn grown<K, V>(held: &mut Held, map: &FxHashMap<K, V>) -> Result<()> {
    match growth(map.len(), map.capacity(), size_of::<(K, V)>()) {
        0 => Ok(()),
        more => {
            held.grow(more)?;
            // The old table goes as soon as its entries have moved.
            held.shrink_to(more);
            Ok(())
        }
    }
}
