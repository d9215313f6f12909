//! Functions of a few cells as tables of their values.
//!
//! Where values change names, `cell == 1` becomes `cell == 2` and `mark of the mover` stays what it is, though the formulas look
//! different. A function of few cells is the table of its values, so two formulas for one function compare equal. Large formulas
//! are taken apart until their parts are small.

use rustc_hash::{FxHashMap, FxHashSet};

use super::image::Image;
use crate::eval::{Point, computed};
use crate::formulas::Formulas;
use crate::node::{Node, Op};

/// Tables of more values are not made, nor more values in all.
const MOST_VALUES: u64 = 1 << 13;
const MOST_IN_ALL: u64 = 1 << 25;
/// A table has no more cells.
const MOST_CELLS: usize = 8;

/// What a function reads, if that is little.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Support {
    cells: Vec<u32>,
    mover: bool,
    /// How many values its table has.
    values: u64,
}

/// A function as a table. The first cell runs slowest, the mover fastest.
#[derive(Debug)]
struct Table {
    support: Support,
    values: Vec<i64>,
}

/// The tables of the nodes of a game.
pub(super) struct Tables<'f> {
    formulas: &'f Formulas,
    supports: FxHashMap<Node, Option<Support>>,
    tables: FxHashMap<Node, Table>,
    /// How many values were worked out.
    pub worked: u64,
}

impl<'f> Tables<'f> {
    pub fn new(formulas: &'f Formulas) -> Tables<'f> {
        Tables { formulas, supports: FxHashMap::default(), tables: FxHashMap::default(), worked: 0 }
    }

    /// Whether so much was worked out that proofs end here.
    pub fn is_exhausted(&self) -> bool {
        self.worked > MOST_IN_ALL
    }

    fn width(&self, cell: u32) -> u64 {
        let range = self.formulas.cells[cell as usize];
        u64::try_from(i128::from(range.high) - i128::from(range.low) + 1).unwrap_or(u64::MAX)
    }

    /// Works out what a node reads; operands first, without recursion.
    fn support(&mut self, node: Node) -> Option<&Support> {
        let mut wanted = vec![node];
        while let Some(&next) = wanted.last() {
            if self.supports.contains_key(&next) {
                wanted.pop();
                continue;
            }
            let before = wanted.len();
            let mut parts = Vec::new();
            self.formulas.arena.operands(next, &mut |operand| parts.push(operand));
            wanted.extend(parts.iter().filter(|part| !self.supports.contains_key(part)));
            if wanted.len() == before {
                let support = self.joined(next, &parts);
                self.supports.insert(next, support);
                wanted.pop();
            }
        }
        self.supports.get(&node).and_then(Option::as_ref)
    }

    fn joined(&self, node: Node, parts: &[Node]) -> Option<Support> {
        let (mut cells, mut mover) = (Vec::new(), false);
        match self.formulas.arena.op(node) {
            Op::Choice(_) => return None,
            Op::Cell(cell) => cells.push(*cell),
            Op::Mover => mover = true,
            _ => {}
        }
        for part in parts {
            let support = self.supports.get(part)?.as_ref()?;
            cells.extend(&support.cells);
            mover |= support.mover;
        }
        cells.sort_unstable();
        cells.dedup();
        let players = if mover { self.formulas.players as u64 } else { 1 };
        let values = cells.iter().fold(players, |values, cell| values.saturating_mul(self.width(*cell)));
        (values <= MOST_VALUES && cells.len() <= MOST_CELLS).then_some(Support { cells, mover, values })
    }

    /// The function of a node at the image of a position, with what comes out renamed: the cells it reads, whether it reads
    /// the mover, and its values. `None` if it reads too much.
    pub fn read(&mut self, node: Node, image: &Image, rename: &dyn Fn(i64) -> i64) -> Option<Vec<i64>> {
        self.support(node)?;
        if !self.tables.contains_key(&node) {
            let table = self.table(node)?;
            self.tables.insert(node, table);
        }
        let Table { support, values } = &self.tables[&node];
        // The cells before, in their order, and which cell of the table each feeds.
        let mut sources: Vec<(u32, usize)> =
            support.cells.iter().zip(0..).map(|(&c, at)| (image.from[c as usize], at)).collect();
        sources.sort_unstable();
        let mut strides = vec![0u64; support.cells.len()];
        let mut stride = if support.mover { self.formulas.players as u64 } else { 1 };
        for (at, &cell) in support.cells.iter().enumerate().rev() {
            strides[at] = stride;
            stride *= self.width(cell);
        }
        let mut key: Vec<i64> = vec![sources.len() as i64, i64::from(support.mover)];
        key.extend(sources.iter().map(|source| i64::from(source.0)));
        // What each value of each cell before adds to the place in the table.
        let adds: Vec<Vec<u64>> = sources
            .iter()
            .map(|&(_, at)| {
                let cell = support.cells[at] as usize;
                let low = self.formulas.cells[cell].low;
                let width = self.width(cell as u32) as i64;
                (0..width).map(|value| (image.value(cell, low, low + value) - low) as u64 * strides[at]).collect()
            })
            .collect();
        let players = if support.mover { self.formulas.players as u64 } else { 1 };
        let mut digits = vec![0usize; sources.len()];
        let mut base = adds.iter().map(|adds| adds[0]).sum::<u64>();
        loop {
            for mover in 0..players {
                let mover = if image.exchanges && support.mover { 1 - mover } else { mover };
                key.push(rename(values[(base + mover) as usize]));
            }
            // The next values of the cells, the last one fastest.
            let mut at = digits.len();
            loop {
                let Some(place) = at.checked_sub(1) else {
                    self.worked += values.len() as u64;
                    return Some(key);
                };
                at = place;
                base -= adds[at][digits[at]];
                digits[at] += 1;
                if digits[at] < adds[at].len() {
                    base += adds[at][digits[at]];
                    break;
                }
                digits[at] = 0;
                base += adds[at][0];
            }
        }
    }

    /// The table of a node.
    fn table(&mut self, node: Node) -> Option<Table> {
        let support = self.support(node)?.clone();
        let arena = &self.formulas.arena;
        let mut seen = FxHashSet::default();
        let mut open = vec![node];
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                arena.operands(next, &mut |operand| open.push(operand));
            }
        }
        // Operands have smaller numbers than the nodes that use them.
        let mut nodes: Vec<Node> = seen.into_iter().collect();
        nodes.sort_unstable();
        let place: FxHashMap<Node, usize> = nodes.iter().copied().zip(0..).collect();
        self.worked += support.values * nodes.len() as u64;
        if self.is_exhausted() {
            return None;
        }
        let mut cells: Vec<i64> = self.formulas.cells.iter().map(|range| range.low).collect();
        let players = if support.mover { self.formulas.players as i64 } else { 1 };
        let mut values = Vec::with_capacity(support.values as usize);
        let mut known = vec![0i64; nodes.len()];
        loop {
            for mover in 0..players {
                let point = Point { cells: &cells, mover, choices: &[] };
                for (at, next) in nodes.iter().enumerate() {
                    known[at] = computed(arena.op(*next), &point, &self.formulas.lists, &|node| known[place[&node]]);
                }
                values.push(known[place[&node]]);
            }
            let mut at = support.cells.len();
            loop {
                let Some(index) = at.checked_sub(1) else { return Some(Table { support, values }) };
                at = index;
                let cell = support.cells[at] as usize;
                if cells[cell] < self.formulas.cells[cell].high {
                    cells[cell] += 1;
                    break;
                }
                cells[cell] = self.formulas.cells[cell].low;
            }
        }
    }
}
