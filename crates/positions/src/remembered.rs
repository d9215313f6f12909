//! A graph that keeps what was worked out while its positions were looked at, so that a look is not lost when the game is
//! solved on the same graph.
//!
//! While it is looked at, every expansion is made, as its pace is wanted. What is kept are the expansions of the first
//! positions, in the order of their numbers, which is the order of a breadth-first look. Once it is taken up by a method,
//! these come from memory, and only the others are worked out.

use engine::Error;
use engine::graph::{Edge, Ending, Expansion, Graph, Id};
use engine::memory::{Lease, Memory};
use engine::sample::Sample;
use game::Player;
use rules::bind::{Bound, Position};
use rules::fault::Fault;

use crate::audit::Audit;
use crate::error::SolveError;
use crate::oracle::{Keeps, Numbered};

/// What play meets: a sample, and what ran the rules for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// What play meets.
    pub sample: Sample,
    /// Seconds that the interpreter takes to work out the options of a position and to number them, by the steps that were counted.
    pub pace: f64,
    /// Whether the rules were interpreted.
    pub interpreted: bool,
    /// Seconds that compiled code takes to work out the options of a position.
    pub code: Option<f64>,
    /// Seconds that the interpreter takes for an option.
    pub step: f64,
}

impl Sampled {
    /// Whether the interpreter met all positions in no time.
    pub fn is_small(&self) -> bool {
        self.interpreted && self.sample.is_exact
    }
}

/// No more options are kept.
const MOST: usize = 1 << 18;

/// What was kept of one position.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Behind the last of its options, and of its gains.
    options: u32,
    gains: u32,
    mover: Player,
    end: Option<Ending>,
}

/// A graph and what was worked out on it.
pub struct Remembered<'b> {
    graph: Box<dyn Numbered + 'b>,
    /// What the graph keeps of gains.
    keeps: Keeps,
    /// Whether its rules are compiled.
    compiled: bool,
    /// Whether it numbers the parts of a sum, instead of positions.
    has_parts: bool,
    frames: Vec<Frame>,
    /// Where each option leads.
    to: Vec<Id>,
    /// The gain of each option, whether the mover moves on, and whether it belongs to the one before; as long as the options that
    /// came before the last which has anything of that.
    more: Vec<(i64, bool, bool)>,
    gains: Vec<i64>,
    lease: Lease,
    /// Whether what is kept is used.
    is_taken_up: bool,
}

impl<'b> Remembered<'b> {
    /// Nothing is kept yet.
    pub fn new(graph: Box<dyn Numbered + 'b>, keeps: Keeps, compiled: bool, memory: &Memory) -> Remembered<'b> {
        Remembered {
            graph,
            keeps,
            compiled,
            has_parts: false,
            frames: Vec::new(),
            to: Vec::new(),
            more: Vec::new(),
            gains: Vec::new(),
            lease: memory.lease(),
            is_taken_up: false,
        }
    }

    /// A graph of the parts of a sum.
    pub fn of_parts(self) -> Remembered<'b> {
        Remembered { has_parts: true, ..self }
    }

    /// Whether it is a graph of the parts of a sum.
    pub fn is_of_parts(&self) -> bool {
        self.has_parts
    }

    /// Whether it is a graph of positions that keeps this of gains, and whose rules are compiled or not.
    pub fn is_of_positions(&self, keeps: Keeps, compiled: bool) -> bool {
        !self.has_parts && (self.keeps, self.compiled) == (keeps, compiled)
    }

    /// From now on what is kept is used, and what the file declares is checked on the way.
    pub fn take_up(&mut self) {
        self.is_taken_up = true;
        self.graph.start_audit();
    }

    /// Whether the expansions of all positions are kept.
    pub fn is_complete(&self) -> bool {
        self.frames.len() == self.graph.len()
    }

    fn keep(&mut self, expansion: &Expansion) -> Result<(), Error> {
        let Expansion { mover, end, edges, gains } = expansion;
        let first = self.to.len();
        self.to.extend(edges.iter().map(|edge| edge.to));
        if edges.iter().any(|edge| edge.gain != 0 || edge.same || edge.joined) {
            self.more.resize(first, (0, false, false));
            self.more.extend(edges.iter().map(|edge| (edge.gain, edge.same, edge.joined)));
        }
        self.gains.extend_from_slice(gains);
        let (options, gains) = (self.to.len() as u32, self.gains.len() as u32);
        self.frames.push(Frame { options, gains, mover: *mover, end: *end });
        let bytes = size_of::<Frame>() * self.frames.capacity()
            + size_of::<Id>() * self.to.capacity()
            + size_of::<(i64, bool, bool)>() * self.more.capacity()
            + size_of::<i64>() * self.gains.capacity();
        if bytes as u64 > self.lease.bytes() {
            self.lease.resize(bytes as u64)?;
        }
        Ok(())
    }

    fn replay(&self, position: usize, into: &mut Expansion) {
        let last = self.frames[position];
        let first = position.checked_sub(1).map(|before| self.frames[before]);
        let (option, gain) = first.map_or((0, 0), |frame| (frame.options as usize, frame.gains as usize));
        into.clear();
        (into.mover, into.end) = (last.mover, last.end);
        let options = option..last.options as usize;
        into.edges.extend(options.map(|index| {
            let (gain, same, joined) = self.more.get(index).copied().unwrap_or_default();
            Edge { to: self.to[index], gain, same, joined }
        }));
        into.gains.extend_from_slice(&self.gains[gain..last.gains as usize]);
    }
}

impl Graph for Remembered<'_> {
    fn len(&self) -> usize {
        self.graph.len()
    }

    fn steps(&self) -> u64 {
        self.graph.steps()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        let index = position as usize;
        if self.is_taken_up && index < self.frames.len() {
            self.graph.look(position)?;
            self.replay(index, into);
            return Ok(());
        }
        self.graph.expand(position, into)?;
        let fits = self.to.len() + into.edges.len() <= MOST && self.gains.len() <= MOST;
        if index == self.frames.len() && !self.is_taken_up && fits {
            self.keep(into)?;
        }
        Ok(())
    }
}

impl Numbered for Remembered<'_> {
    fn find(&self, position: &Position) -> Option<Id> {
        self.graph.find(position)
    }

    fn number(&mut self, position: &Position) -> Result<Id, Error> {
        self.graph.number(position)
    }

    fn audit(&self) -> Option<&Audit<'_>> {
        self.graph.audit()
    }

    fn position(&self, id: Id) -> Position {
        self.graph.position(id)
    }

    fn find_part(&self, part: &[i64]) -> Option<Id> {
        self.graph.find_part(part)
    }

    fn placed(&self, bound: &Bound, error: Error) -> SolveError {
        self.graph.placed(bound, error)
    }

    fn fault(&self) -> Option<&Fault> {
        self.graph.fault()
    }
}
