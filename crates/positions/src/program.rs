//! Positions of a `state` whose rules are compiled as they stand: a position is a key of one word or several.
//!
//! It numbers positions exactly as [`StateGraph`](crate::state::StateGraph) does. Where compiled code leaves a
//! position alone, because the rules go wrong there or a list grew too long, the interpreter finds the options instead.

use std::sync::Arc;

use game::Player;
use jit::program::{Rules, Scratch, Stop};
use jit::{Expanded, JitError};
use rules::bind::{Bound, Position};
use rules::fault::Fault;

use crate::oracle::{Keeps, Numbered, Oracle};
use engine::graph::{Expansion, Graph, Id};
use engine::interner::{Interner, Words};
use engine::monitor::Monitor;
use engine::{Error, Limit};

/// The graph of a `state` game whose rules are compiled as they stand.
pub struct ProgramGraph<'b> {
    oracle: Oracle<'b>,
    rules: Arc<Rules>,
    scratch: Scratch,
    table: Interner<Words>,
    key: Vec<u64>,
    cells: Vec<i64>,
    /// The limit on time, to name it.
    time: Option<std::time::Duration>,
}

impl<'b> ProgramGraph<'b> {
    /// An empty graph. A position that takes long is left when the monitor's time is up or its flag is set.
    pub fn new(bound: &'b Bound, keeps: Keeps, rules: Arc<Rules>, monitor: &Monitor) -> ProgramGraph<'b> {
        let mut scratch = rules.scratch();
        let left = monitor.time_left();
        let deadline = left.and_then(|left| std::time::Instant::now().checked_add(left));
        scratch.stop = Stop { flag: Some(Arc::clone(monitor.cancel())), deadline };
        let words = rules.words();
        ProgramGraph {
            oracle: Oracle::new(bound, keeps, None),
            rules,
            scratch,
            table: Interner::<Words>::new(words, monitor.memory()),
            key: vec![0; words],
            cells: vec![0; bound.layout.cells()],
            time: monitor.time_limit(),
        }
    }

    /// Compiles the rules for what a graph keeps.
    pub fn compile(bound: &Bound, keeps: Keeps, with_turn: bool) -> Result<Arc<Rules>, JitError> {
        Rules::compile(bound, keeps.gains(), with_turn).map(Arc::new)
    }

    fn key_of(&self, position: &Position) -> Vec<u64> {
        let mut key = vec![0; self.key.len()];
        let cells = position.parts.first().map_or(&[][..], |part| part);
        self.rules.key(cells, position.turn, &mut key);
        key
    }

    /// Has the interpreter find the options of a position that code left alone.
    fn interpreted(&mut self, into: &mut Expansion) -> Result<(), Error> {
        let (table, rules, key) = (&mut self.table, &self.rules, &mut self.key);
        self.oracle.expand(&self.cells, into, &mut |after, turn| {
            rules.key(after, turn, key);
            Ok(table.intern(key)?.0)
        })
    }

    /// Why a position was left half expanded.
    fn stopped(&self) -> Error {
        let positions = self.table.len() as u64;
        let set = self.scratch.stop.flag.as_ref();
        match (set.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed)), self.time) {
            (false, Some(limit)) => Error::Limit { limit: Limit::Time { limit }, positions },
            _ => Error::Interrupted { positions },
        }
    }
}

impl Graph for ProgramGraph<'_> {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        into.clear();
        self.table.key(position, &mut self.key);
        let outside = || Error::Internal("a key is none of a position".to_string());
        into.mover = self.rules.position(&self.key, &mut self.cells).ok_or_else(outside)?;
        match self.rules.expand(&self.key, &mut self.scratch) {
            Expanded::Options => self.oracle.written(&self.scratch.options, self.key.len(), &mut self.table, into),
            Expanded::End => self.oracle.keeps.written_end(&self.scratch.options.gains, into),
            Expanded::Fault if self.scratch.stopped => Err(self.stopped()),
            Expanded::Fault => self.interpreted(into),
        }
    }
}

impl Numbered for ProgramGraph<'_> {
    fn fault(&self) -> Option<&Fault> {
        self.oracle.fault()
    }

    fn find(&self, position: &Position) -> Option<Id> {
        self.table.find(&self.key_of(position))
    }

    fn number(&mut self, position: &Position) -> Result<Id, Error> {
        let key = self.key_of(position);
        Ok(self.table.intern(&key)?.0)
    }

    fn position(&self, id: Id) -> Position {
        let mut key = vec![0; self.key.len()];
        self.table.key(id, &mut key);
        let mut cells = vec![0; self.oracle.bound.layout.cells()];
        let turn = self.rules.position(&key, &mut cells).unwrap_or(Player::FIRST);
        Position { parts: vec![cells.into_boxed_slice()], turn }
    }
}
