//! Games as graphs: each position lists its Left and Right options. The game is position 0.

use crate::arena::{Arena, Value};
use crate::error::{Error, Result};
use crate::loopy::watch::{Held, heap, hold};
use crate::side::Side;

/// So many positions may a loopy game have, once positions alike are one. Comparisons look at pairs of positions.
pub const MOST_POSITIONS: usize = 5000;

/// So many it may have before.
const MOST_WRITTEN: usize = 200_000;

/// So many positions are looked at again while positions alike are made one.
const MOST_WORK: usize = 20_000_000;

/// A game as a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    options: [Vec<Vec<u32>>; 2],
}

impl Graph {
    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> u64 {
        self.options.iter().flatten().map(|list| 24 + heap(4 * list.len())).sum()
    }

    /// How many options both players have in a position.
    fn listed(&self, position: usize) -> usize {
        self.options.iter().map(|side| side[position].len()).sum()
    }

    /// How many moves both players have in all positions together.
    pub(super) fn moves(&self) -> u64 {
        self.options.iter().flatten().map(|options| options.len() as u64).sum()
    }

    /// The game at `start` of a graph with these Left and Right options. Positions that play cannot reach are left out.
    pub fn new(left: &[Vec<u32>], right: &[Vec<u32>], start: u32) -> Result<Graph> {
        let count = left.len();
        let outside = |option: u32| option as usize >= count;
        if right.len() != count || outside(start) || left.iter().chain(right).flatten().any(|&option| outside(option)) {
            return Err(Error::Undefined("an option of the graph names a position that it does not have".into()));
        }
        let graph = Graph { options: [left.to_vec(), right.to_vec()] };
        graph.walked(start, MOST_WRITTEN)?.merged()
    }

    /// With positions made one from which play looks the same: the options of both players are, again and again.
    fn merged(&self) -> Result<Graph> {
        let count = self.len();
        // Classes and their lists, what leads to each position, and the new graph.
        let _held = hold(count as u64 * 300 + self.moves() * 32)?;
        // Where play must end, classes follow from those of the options, once. All other positions begin as one class,
        // which is split until it is stable.
        let mut class = vec![0u32; count];
        let mut index = rustc_hash::FxHashMap::default();
        let mut endless: Vec<usize> = Vec::new();
        let order = self.ending_first();
        for (position, ends) in order {
            if !ends {
                endless.push(position);
                continue;
            }
            let fresh = index.len() as u32 + 1;
            class[position] = *index.entry(self.option_classes(position, &class)).or_insert(fresh);
        }
        let ending = index.len() as u32 + 1;
        let mut classes = 1;
        let mut work = 0;
        loop {
            let mut index = rustc_hash::FxHashMap::default();
            let mut next = Vec::with_capacity(endless.len());
            for &position in &endless {
                let fresh = ending + index.len() as u32;
                next.push(*index.entry((class[position], self.option_classes(position, &class))).or_insert(fresh));
            }
            for (&position, &new) in endless.iter().zip(&next) {
                class[position] = new;
            }
            if index.len() <= classes {
                break;
            }
            classes = index.len();
            work += endless.len();
            if work > MOST_WORK {
                return Err(too_large());
            }
        }
        let mut first = vec![u32::MAX; ending as usize + classes];
        for position in (0..count).rev() {
            first[class[position] as usize] = position as u32;
        }
        let of = |side: Side| {
            let moved = |position| -> Vec<u32> {
                let options = self.options(position, side).iter();
                options.map(|&option| first[class[option as usize] as usize]).collect()
            };
            (0..count).map(moved).collect()
        };
        Graph { options: [of(Side::Left), of(Side::Right)] }.reached(first[class[0] as usize])
    }

    /// The classes of the options of a position.
    fn option_classes(&self, position: usize, class: &[u32]) -> [Vec<u32>; 2] {
        Side::BOTH.map(|side| {
            let options = self.options(position, side).iter();
            let mut options: Vec<u32> = options.map(|&option| class[option as usize]).collect();
            options.sort_unstable();
            options.dedup();
            options
        })
    }

    /// All positions: first those from which play must end, each after its options, then the others.
    fn ending_first(&self) -> Vec<(usize, bool)> {
        let count = self.len();
        let mut before = vec![Vec::new(); count];
        let mut open = vec![0usize; count];
        for (position, open) in open.iter_mut().enumerate() {
            for &option in self.options[0][position].iter().chain(&self.options[1][position]) {
                before[option as usize].push(position);
                *open += 1;
            }
        }
        let mut order: Vec<usize> = (0..count).filter(|&position| open[position] == 0).collect();
        let mut at = 0;
        while at < order.len() {
            for &previous in &before[order[at]] {
                open[previous] -= 1;
                if open[previous] == 0 {
                    order.push(previous);
                }
            }
            at += 1;
        }
        let endless = (0..count).filter(|&position| open[position] > 0).map(|position| (position, false));
        order.into_iter().map(|position| (position, true)).chain(endless).collect()
    }

    /// A value without loops, as a graph.
    pub fn of_value(arena: &mut Arena, value: Value) -> Result<Graph> {
        let mut ids = vec![value];
        let mut options = [Vec::new(), Vec::new()];
        let mut at = 0;
        let mut index = rustc_hash::FxHashMap::default();
        index.insert(value, 0u32);
        while at < ids.len() {
            for side in Side::BOTH {
                let mut list = Vec::new();
                for option in arena.options(ids[at], side)? {
                    let next = ids.len() as u32;
                    let id = *index.entry(option).or_insert(next);
                    if id == next {
                        ids.push(option);
                    }
                    list.push(id);
                }
                options[side as usize].push(list);
            }
            at += 1;
            if ids.len() > MOST_POSITIONS {
                return Err(too_large());
            }
        }
        Ok(Graph { options })
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.options[0].len()
    }

    /// Never: the game itself is a position.
    pub fn is_empty(&self) -> bool {
        self.options[0].is_empty()
    }

    /// The options of a position.
    pub fn options(&self, position: usize, side: Side) -> &[u32] {
        &self.options[side as usize][position]
    }

    /// A graph with these options, sorted here, without the positions that `start` does not reach.
    pub(crate) fn with_options(options: [Vec<Vec<u32>>; 2], start: u32) -> Result<Graph> {
        Graph { options }.reached(start)
    }

    /// A graph with these options, sorted here, and all of its positions.
    pub(super) fn whole(mut options: [Vec<Vec<u32>>; 2]) -> Graph {
        for list in options.iter_mut().flatten() {
            list.sort_unstable();
            list.dedup();
        }
        Graph { options }
    }

    /// Replaces all options: `edit` makes the new ones from the position, the player and the old ones.
    pub(super) fn edited(&self, edit: impl Fn(usize, Side, &[u32]) -> Vec<u32>) -> Graph {
        let of = |side: Side| (0..self.len()).map(|at| edit(at, side, self.options(at, side))).collect();
        Graph::whole([of(Side::Left), of(Side::Right)])
    }

    /// Numbers the positions from the last to the first.
    pub(super) fn reversed(&self) -> Graph {
        let last = self.len() as u32 - 1;
        let turned = |list: &Vec<u32>| list.iter().map(|&option| last - option).collect();
        Graph::whole(self.options.each_ref().map(|lists| lists.iter().rev().map(turned).collect()))
    }

    /// The part that play reaches from a position, which becomes position 0.
    pub fn reached(&self, start: u32) -> Result<Graph> {
        self.walked(start, MOST_POSITIONS)
    }

    fn walked(&self, start: u32, most: usize) -> Result<Graph> {
        let mut new = vec![u32::MAX; self.len()];
        new[start as usize] = 0;
        let mut order = vec![start as usize];
        let mut options = [Vec::new(), Vec::new()];
        let mut at = 0;
        while at < order.len() {
            for side in Side::BOTH {
                let mut list = Vec::new();
                for &option in self.options(order[at], side) {
                    if new[option as usize] == u32::MAX {
                        new[option as usize] = order.len() as u32;
                        order.push(option as usize);
                    }
                    list.push(new[option as usize]);
                }
                list.sort_unstable();
                list.dedup();
                options[side as usize].push(list);
            }
            at += 1;
        }
        if order.len() > most {
            return Err(too_large());
        }
        Ok(Graph { options })
    }

    /// The negative: the players change sides.
    pub fn negative(&self) -> Graph {
        Graph { options: [self.options[1].clone(), self.options[0].clone()] }
    }

    /// The sum, as the graph of all pairs that play reaches.
    pub fn plus(&self, other: &Graph) -> Result<Graph> {
        let mut pairs = vec![(0u32, 0u32)];
        let mut index = rustc_hash::FxHashMap::default();
        index.insert((0u32, 0u32), 0u32);
        let mut options = [Vec::new(), Vec::new()];
        let mut at = 0;
        let mut held = Held::default();
        while at < pairs.len() {
            // A pair with its number, and its lists.
            let lists = self.listed(pairs[at].0 as usize) + other.listed(pairs[at].1 as usize);
            held.grow(56 + 2 * (24 + heap(2 * lists)))?;
            let (a, b) = pairs[at];
            for side in Side::BOTH {
                let first = self.options(a as usize, side).iter().map(|&option| (option, b));
                let second = other.options(b as usize, side).iter().map(|&option| (a, option));
                let mut list = Vec::new();
                for pair in first.chain(second) {
                    let next = pairs.len() as u32;
                    let id = *index.entry(pair).or_insert(next);
                    if id == next {
                        pairs.push(pair);
                    }
                    list.push(id);
                }
                list.sort_unstable();
                list.dedup();
                options[side as usize].push(list);
            }
            at += 1;
            if pairs.len() > MOST_WRITTEN {
                return Err(too_large());
            }
        }
        Graph { options }.merged()
    }

    /// Whether play that alternates always ends, from every position.
    pub fn is_stopper(&self) -> bool {
        // Positions with the player to move. What cannot be peeled off from the ends lies on an endless line.
        self.peels(|position, side| {
            let next = side.opponent() as usize;
            self.options(position, side).iter().map(|&option| option as usize * 2 + next).collect()
        })
    }

    /// Whether play always ends, whoever moves.
    pub fn is_finite(&self) -> bool {
        self.peels(|position, _| {
            let all = self.options[0][position].iter().chain(&self.options[1][position]);
            all.flat_map(|&option| [option as usize * 2, option as usize * 2 + 1]).collect()
        })
    }

    fn peels(&self, next: impl Fn(usize, Side) -> Vec<usize>) -> bool {
        let count = self.len() * 2;
        let mut before = vec![Vec::new(); count];
        let mut open = vec![0; count];
        for (node, open) in open.iter_mut().enumerate() {
            let after = next(node / 2, Side::BOTH[node % 2]);
            *open = after.len();
            for option in after {
                before[option].push(node);
            }
        }
        let mut ends: Vec<usize> = (0..count).filter(|&node| open[node] == 0).collect();
        let mut peeled = 0;
        while let Some(node) = ends.pop() {
            peeled += 1;
            for &previous in &before[node] {
                open[previous] -= 1;
                if open[previous] == 0 {
                    ends.push(previous);
                }
            }
        }
        peeled == count
    }

    /// The value of a graph without loops.
    pub fn to_value(&self, arena: &mut Arena) -> Result<Option<Value>> {
        if !self.is_finite() {
            return Ok(None);
        }
        let mut values: Vec<Option<Value>> = vec![None; self.len()];
        let mut stack = vec![0usize];
        while let Some(&position) = stack.last() {
            let all = self.options[0][position].iter().chain(&self.options[1][position]);
            let missing: Vec<usize> =
                all.map(|&option| option as usize).filter(|&option| values[option].is_none()).collect();
            if values[position].is_some() || missing.is_empty() {
                stack.pop();
                let of = |side: Side| -> Vec<Value> {
                    self.options(position, side).iter().filter_map(|&option| values[option as usize]).collect()
                };
                let (left, right) = (of(Side::Left), of(Side::Right));
                values[position] = Some(arena.game(&left, &right)?);
            } else {
                stack.extend(missing);
            }
        }
        Ok(values[0])
    }
}

pub(crate) fn too_large() -> Error {
    Error::Beyond(format!(
        "a loopy game with more than {MOST_POSITIONS} positions, or one that takes too long to compare, is not worked out"
    ))
}
