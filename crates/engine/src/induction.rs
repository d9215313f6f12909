//! Backward induction: every position of a game without cycles is valued after all its options.
//!
//! A depth-first walk with a stack of its own, since games can be a million moves deep. Each position is expanded exactly
//! once, for expanding is what costs: the edges of a position wait on a shared stack until the last option is valued. To
//! expand again on the way back would save that stack and double the time; to sort all positions by layers first would
//! need every edge of the game at once.
//!
//! Options are entered from the last to the first. Rules mostly count up (`take(k in 1..=n)`), so the last option is the
//! one nearest to the end: heaps are then valued from the smallest up and hardly anything waits, where the other way round
//! every heap would wait with all its edges for the next smaller one.

use crate::bits::Packed;
use crate::error::Error;
use crate::graph::{Edge, Expansion, Graph, Id};
use crate::memory::Memory;
use crate::monitor::Monitor;
use crate::segmented::Segmented;
use crate::valuation::Valuation;
use game::Player;

/// Expanded, but not all options are valued: it lies on the stack. Positions not looked at yet have the colour 0.
const OPEN: u8 = 1;
/// Valued.
const DONE: u8 = 2;

/// Values all positions that can be reached from `roots`.
///
/// Positions that repeat are an error that names those of one cycle in the order in which they are played.
pub fn induction<G: Graph + ?Sized, V: Valuation + ?Sized>(
    graph: &mut G,
    roots: &[Id],
    valuation: &mut V,
    monitor: &mut Monitor,
) -> Result<(), Error> {
    let mut walk = Walk::new(monitor.memory());
    monitor.enter_search("backward induction");
    for &root in roots {
        if let Err(error) = walk.from(root, graph, valuation, monitor) {
            return Err(error.after(graph.len() as u64));
        }
    }
    Ok(())
}

/// The state of the walk.
struct Walk {
    colours: Packed<2>,
    waiting: Waiting,
    settled: u64,
    expansion: Expansion,
}

impl Walk {
    fn new(memory: &Memory) -> Walk {
        Walk {
            colours: Packed::new(memory),
            waiting: Waiting::new(memory),
            settled: 0,
            expansion: Expansion::default(),
        }
    }

    fn from<G: Graph + ?Sized, V: Valuation + ?Sized>(
        &mut self,
        root: Id,
        graph: &mut G,
        valuation: &mut V,
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        if self.colours.get(root as usize) != DONE {
            self.enter(root, graph, valuation, monitor)?;
        }
        while let Some(top) = self.waiting.top() {
            match self.waiting.next_option(&top, &self.colours) {
                None => {
                    self.waiting.pop_into(&top, &mut self.expansion);
                    valuation.settle(top.position, &self.expansion).map_err(|error| error.at(top.position.into()))?;
                    self.done(top.position);
                }
                Some(option) if self.colours.get(option as usize) == OPEN => {
                    return Err(Error::Cycle(self.waiting.cycle(option)));
                }
                Some(option) => self.enter(option, graph, valuation, monitor)?,
            }
        }
        Ok(())
    }

    /// Expands a new position; values it at once if nothing is missing, else puts it on the stack.
    fn enter<G: Graph + ?Sized, V: Valuation + ?Sized>(
        &mut self,
        position: Id,
        graph: &mut G,
        valuation: &mut V,
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        monitor.tick(graph.len() as u64, self.settled)?;
        self.expansion.clear();
        graph.expand(position, &mut self.expansion).map_err(|error| error.at(position.into()))?;
        self.colours.grow_to(graph.len().max(position as usize + 1))?;
        let missing = self.expansion.edges.iter().rposition(|edge| self.colours.get(edge.to as usize) != DONE);
        match missing {
            None => {
                valuation.settle(position, &self.expansion).map_err(|error| error.at(position.into()))?;
                self.done(position);
            }
            Some(last) => {
                self.colours.set(position as usize, OPEN);
                self.waiting.push(position, last, &self.expansion)?;
            }
        }
        Ok(())
    }

    fn done(&mut self, position: Id) {
        self.colours.set(position as usize, DONE);
        self.settled += 1;
    }
}

/// A position that waits for the values of its options. Its edges are the last ones on the stack of edges.
#[derive(Clone, Copy, Debug)]
struct Frame {
    position: Id,
    /// The index of the last edge whose option may not be valued yet.
    next: u32,
    edges: u32,
    mover: Player,
    /// Whether the edges have entries on the stacks of marks and of gains.
    marked: bool,
    gaining: bool,
    /// How many payoffs an edge has.
    players: u8,
}

/// The positions that wait, from the root down, with their edges in parallel arrays: an edge takes 4 bytes, one more if
/// any of its position is marked `same` or `joined`, 8 more if any gains something, 8 more a player in a game of payoffs.
struct Waiting {
    frames: Segmented<Frame>,
    to: Segmented<Id>,
    marks: Segmented<u8>,
    gain: Segmented<i64>,
    gains: Segmented<i64>,
}

const SAME: u8 = 1;
const JOINED: u8 = 2;

impl Waiting {
    fn new(memory: &Memory) -> Waiting {
        Waiting {
            frames: Segmented::new(memory),
            to: Segmented::new(memory),
            marks: Segmented::new(memory),
            gain: Segmented::new(memory),
            gains: Segmented::new(memory),
        }
    }

    fn top(&self) -> Option<Frame> {
        self.frames.last()
    }

    /// Puts a position on the stack whose options behind the edge `last` are valued.
    fn push(&mut self, position: Id, last: usize, expansion: &Expansion) -> Result<(), Error> {
        let edges = &expansion.edges;
        let players = expansion.gains.len() / edges.len();
        if edges.len() > u32::MAX as usize || players > usize::from(u8::MAX) {
            return Err(Error::Internal(format!("position {position} has too many options or players")));
        }
        let frame = Frame {
            position,
            next: last as u32,
            edges: edges.len() as u32,
            mover: expansion.mover,
            marked: edges.iter().any(|edge| edge.same || edge.joined),
            gaining: edges.iter().any(|edge| edge.gain != 0),
            players: players as u8,
        };
        for edge in edges {
            self.to.push(edge.to)?;
            if frame.marked {
                self.marks.push((u8::from(edge.same) * SAME) | (u8::from(edge.joined) * JOINED))?;
            }
            if frame.gaining {
                self.gain.push(edge.gain)?;
            }
        }
        self.gains.extend(&expansion.gains)?;
        self.frames.push(frame)
    }

    /// The next option of the topmost position that is not valued, after which the walk will come back here.
    fn next_option(&mut self, top: &Frame, colours: &Packed<2>) -> Option<Id> {
        let start = self.to.len() - top.edges as usize;
        for index in (0..=top.next).rev() {
            let option = self.to.get(start + index as usize);
            if colours.get(option as usize) != DONE {
                let last = self.frames.len() - 1;
                self.frames.at_mut(last).next = index;
                return Some(option);
            }
        }
        None
    }

    /// Takes the topmost position off and writes its expansion out as it was.
    fn pop_into(&mut self, top: &Frame, expansion: &mut Expansion) {
        expansion.clear();
        expansion.mover = top.mover;
        let count = top.edges as usize;
        let first = self.to.len() - count;
        let first_mark = self.marks.len() - if top.marked { count } else { 0 };
        let first_gain = self.gain.len() - if top.gaining { count } else { 0 };
        for index in 0..count {
            let marks = if top.marked { self.marks.get(first_mark + index) } else { 0 };
            expansion.edges.push(Edge {
                to: self.to.get(first + index),
                gain: if top.gaining { self.gain.get(first_gain + index) } else { 0 },
                same: marks & SAME != 0,
                joined: marks & JOINED != 0,
            });
        }
        let first_gains = self.gains.len() - count * usize::from(top.players);
        expansion.gains.resize(count * usize::from(top.players), 0);
        self.gains.read(first_gains, &mut expansion.gains);
        self.to.truncate(first);
        self.marks.truncate(first_mark);
        self.gain.truncate(first_gain);
        self.gains.truncate(first_gains);
        self.frames.pop();
    }

    /// The positions from one on the stack down to the topmost, which has it as an option.
    fn cycle(&self, first: Id) -> Vec<u64> {
        let mut cycle = Vec::new();
        for index in (0..self.frames.len()).rev() {
            let position = self.frames.get(index).position;
            cycle.push(u64::from(position));
            if position == first {
                break;
            }
        }
        cycle.reverse();
        cycle
    }
}
