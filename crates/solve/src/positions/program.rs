//! Positions of a `state` whose rules are compiled as they stand: a position is a key of one word or several.
//!
//! It numbers positions exactly as [`StateGraph`](crate::positions::state::StateGraph) does. Where compiled code leaves a
//! position alone, because the rules go wrong there or a list grew too long, the interpreter finds the options instead.

use std::sync::Arc;

use game::Player;
use jit::program::{Rules, Scratch, Stop};
use jit::{Expanded, JitError};
use rules::bind::{Bound, Position};
use rules::fault::Fault;
use rules::interpreter::Interpreter;

use crate::audit::Audit;
use crate::positions::{Carrier, Keeps, Numbered, keep};
use engine::graph::{Edge, Expansion, Graph, Id};
use engine::interner::{Interner, Words};
use engine::monitor::Monitor;
use engine::{Error, Limit};

/// The graph of a `state` game whose rules are compiled as they stand.
pub struct ProgramGraph<'b> {
    bound: &'b Bound,
    rules: Arc<Rules>,
    scratch: Scratch,
    table: Interner<Words>,
    key: Vec<u64>,
    cells: Vec<i64>,
    keeps: Keeps,
    audit: Option<Audit<'b>>,
    fault: Option<Fault>,
    /// The limit on time, to name it.
    time: Option<std::time::Duration>,
}

impl<'b> ProgramGraph<'b> {
    /// An empty graph. A position that takes long is left when the monitor's time is up or its flag is set. With an audit,
    /// what the file declares is checked at every position, at the interpreter's speed.
    pub fn new(
        bound: &'b Bound,
        keeps: Keeps,
        rules: Arc<Rules>,
        audit: Option<Audit<'b>>,
        monitor: &Monitor,
    ) -> ProgramGraph<'b> {
        let mut scratch = rules.scratch();
        let left = monitor.time_left();
        let deadline = left.and_then(|left| std::time::Instant::now().checked_add(left));
        scratch.stop = Stop { flag: Some(Arc::clone(monitor.cancel())), deadline };
        let words = rules.words();
        ProgramGraph {
            bound,
            rules,
            scratch,
            table: Interner::<Words>::new(words, monitor.memory()),
            key: vec![0; words],
            cells: vec![0; bound.layout.cells()],
            keeps,
            audit,
            fault: None,
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

    fn edges(&mut self, into: &mut Expansion) -> Result<(), Error> {
        let jit::Options { codes, same, gains } = &self.scratch.options;
        let players = self.bound.players;
        into.edges.reserve(same.len());
        for (number, (key, &same)) in codes.chunks_exact(self.key.len()).zip(same).enumerate() {
            let (to, _) = self.table.intern(key)?;
            let gain = self.keeps.written_gain(gains, number, players, into.mover)?;
            into.edges.push(Edge { to, gain, same: same != 0, joined: false });
        }
        if self.keeps.keeps_gains() {
            into.gains.extend_from_slice(gains);
        }
        Ok(())
    }

    /// Has the interpreter find the options of a position that code left alone.
    fn interpreted(&mut self, into: &mut Expansion) -> Result<(), Error> {
        let mover = into.mover;
        let mut interpreter = Interpreter::new(self.bound);
        if let Some(end) = keep(interpreter.end(&self.cells, mover), &mut self.fault)? {
            return self.keeps.end(end, mover, into);
        }
        let (bound, table, rules, keeps, key) = (self.bound, &mut self.table, &self.rules, self.keeps, &mut self.key);
        let mut carrier = Carrier::default();
        let result = interpreter.moves(&self.cells, mover, &mut |effect| {
            carrier.step(|| {
                rules.key(effect.after, effect.turn, key);
                let (to, _) = table.intern(key)?;
                let gain = keeps.gain(effect.gains, mover)?;
                into.edges.push(Edge { to, gain, same: effect.turn == mover, joined: false });
                keeps.keep_gains(effect.gains, bound.players, &mut into.gains);
                Ok(())
            })
        });
        carrier.finish(result, &mut self.fault)?;
        if into.edges.is_empty() {
            let end = keep(interpreter.stuck(&self.cells, mover), &mut self.fault)?;
            self.keeps.end(end, mover, into)?;
        }
        Ok(())
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
        if let Some(audit) = &mut self.audit {
            keep(audit.look(&self.cells, into.mover), &mut self.fault)?;
        }
        match self.rules.expand(&self.key, &mut self.scratch) {
            Expanded::Options => self.edges(into),
            Expanded::End => self.keeps.written_end(&self.scratch.options.gains, into),
            Expanded::Fault if self.scratch.stopped => Err(self.stopped()),
            Expanded::Fault => self.interpreted(into),
        }
    }
}

impl Numbered for ProgramGraph<'_> {
    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    fn audit(&self) -> Option<&Audit<'_>> {
        self.audit.as_ref()
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
        let mut cells = vec![0; self.bound.layout.cells()];
        let turn = self.rules.position(&key, &mut cells).unwrap_or(Player::FIRST);
        Position { parts: vec![cells.into_boxed_slice()], turn }
    }
}
