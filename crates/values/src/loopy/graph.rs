//! Games as graphs: each position lists its Left and Right options. The game is position 0.

use crate::arena::{Arena, Value};
use crate::error::{Error, Result};
use crate::side::Side;

/// So many positions may a loopy game have. Comparisons look at pairs of positions.
pub const MOST_POSITIONS: usize = 2000;

/// A game as a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    options: [Vec<Vec<u32>>; 2],
}

impl Graph {
    /// The game at `start` of a graph with these Left and Right options. Positions that play cannot reach are left out.
    pub fn new(left: &[Vec<u32>], right: &[Vec<u32>], start: u32) -> Result<Graph> {
        let count = left.len();
        let outside = |option: u32| option as usize >= count;
        if right.len() != count || outside(start) || left.iter().chain(right).flatten().any(|&option| outside(option)) {
            return Err(Error::Undefined("an option of the graph names a position that it does not have".into()));
        }
        let graph = Graph { options: [left.to_vec(), right.to_vec()] };
        graph.reached(start)
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

    /// The same graph with other options, which are sorted here; what is not reached from `start` is left out.
    pub(crate) fn with_options(options: [Vec<Vec<u32>>; 2], start: u32) -> Result<Graph> {
        Graph { options }.reached(start)
    }

    /// The part that play reaches from a position, which becomes position 0.
    pub fn reached(&self, start: u32) -> Result<Graph> {
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
        if order.len() > MOST_POSITIONS {
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
        while at < pairs.len() {
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
            if pairs.len() > MOST_POSITIONS {
                return Err(too_large());
            }
        }
        Ok(Graph { options })
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
        for node in 0..count {
            let after = next(node / 2, Side::BOTH[node % 2]);
            open[node] = after.len();
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
    Error::Undefined(format!("a loopy game with more than {MOST_POSITIONS} positions is not worked out"))
}
