//! Positions of a `state` with compiled options: a position is its code, one word.
//!
//! It numbers positions exactly as [`StateGraph`](crate::positions::state::StateGraph) does, since options come in the same
//! order, so every method that works on graphs runs on either. What is compiled is only the question what the options are;
//! where the rules go wrong the interpreter is asked once more, and its message is the one to show.

use game::Player;
use jit::{Expanded, JitError, NodeFn, Options, Successors, compile_node};
use rules::bind::{Bound, Position};

use crate::audit::Audit;
use crate::case::codec::Codec;
use crate::positions::oracle::Oracle;
use crate::positions::{Keeps, Numbered};
use engine::Error;
use engine::graph::{Expansion, Graph, Id};
use engine::interner::{Interner, Words};
use engine::memory::Memory;
use rules::fault::Fault;

/// The graph of a `state` game whose rules are compiled.
pub struct CompiledGraph<'b> {
    oracle: Oracle<'b>,
    expander: Box<dyn Successors + Send>,
    codec: Codec,
    /// Whose turn it is, where the cells tell.
    mover: Option<NodeFn>,
    table: Interner<Words>,
    options: Options,
}

impl<'b> CompiledGraph<'b> {
    /// An empty graph. With an audit, what the file declares is checked at every position, at the interpreter's speed.
    pub fn new(
        bound: &'b Bound,
        keeps: Keeps,
        codec: Codec,
        audit: Option<Audit<'b>>,
        memory: &Memory,
    ) -> Result<CompiledGraph<'b>, JitError> {
        let expander = jit::ways::successors(bound, codec.coded(), keeps.gains())?;
        let mover = codec.coded().mover.map(|mover| compile_node(codec.coded(), mover)).transpose()?;
        let table = Interner::<Words>::new(1, memory);
        let oracle = Oracle::new(bound, keeps, audit);
        Ok(CompiledGraph { oracle, expander, codec, mover, table, options: Options::default() })
    }

    fn code(&self, id: Id) -> u64 {
        let mut key = [0];
        self.table.key(id, &mut key);
        key[0]
    }

    fn mover(&self, code: u64) -> Player {
        match &self.mover {
            Some(mover) => Player(mover.value(code).unwrap_or(0) as u8),
            None => self.codec.mover(code),
        }
    }

    /// The code of a position, if it is one of those that codes stand for.
    fn code_of(&self, position: &Position) -> Option<u64> {
        let code = self.codec.code_of(position)?;
        let same = self.codec.position(code)?;
        let recorded = self.mover.is_some() || self.codec.coded().numbering.turn.is_some();
        (same.parts == position.parts && (!recorded || same.turn == position.turn)).then_some(code)
    }

    /// Has the interpreter say what is wrong in a position. What compiled code takes for a fault must be one.
    fn look_for_fault(&mut self, position: &Position) -> Result<(), Error> {
        let cells = position.parts.first().map_or(&[][..], |part| part);
        let mut scratch = Expansion { mover: position.turn, ..Expansion::default() };
        self.oracle.expand(cells, &mut scratch, &mut |_, _| Ok(0))?;
        Err(Error::Internal(format!("compiled code found a fault at {cells:?}, the interpreter none")))
    }
}

impl Graph for CompiledGraph<'_> {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        into.clear();
        let code = self.code(position);
        into.mover = self.mover(code);
        if self.oracle.audit().is_some()
            && let Some(position) = self.codec.position(code)
        {
            self.oracle.look(position.parts.first().map_or(&[][..], |part| part), into.mover)?;
        }
        match self.expander.expand(code, &mut self.options) {
            Expanded::Options => self.oracle.written(&self.options, 1, &mut self.table, into),
            Expanded::End => self.oracle.keeps.written_end(&self.options.gains, into),
            Expanded::Fault => self.look_for_fault(&self.position(position)),
        }
    }
}

impl Numbered for CompiledGraph<'_> {
    fn try_code(&mut self, id: Id) -> bool {
        let code = self.code(id);
        self.expander.expand(code, &mut self.options);
        true
    }

    fn fault(&self) -> Option<&Fault> {
        self.oracle.fault()
    }

    fn audit(&self) -> Option<&Audit<'_>> {
        self.oracle.audit()
    }

    fn find(&self, position: &Position) -> Option<Id> {
        self.table.find(&[self.code_of(position)?])
    }

    fn number(&mut self, position: &Position) -> Result<Id, Error> {
        let outside = || Error::Internal("a position is outside what was proved of all positions".to_string());
        let code = self.code_of(position).ok_or_else(outside)?;
        Ok(self.table.intern(&[code])?.0)
    }

    fn position(&self, id: Id) -> Position {
        let code = self.code(id);
        self.codec.position(code).unwrap_or_else(|| {
            // Not one that can be reached: still shown as well as it can be.
            let (cells, turn) = self.codec.coded().position(code);
            Position { parts: vec![cells.into()], turn: Player(turn) }
        })
    }
}
