//! Positions of a `state` with compiled options: a position is its code, one word.
//!
//! It numbers positions exactly as [`StateGraph`](crate::positions::state::StateGraph) does, since options come in the same
//! order, so every method that works on graphs runs on either. What is compiled is only the question what the options are.
//! Where code leaves a position alone, because the rules go wrong there or something is in doubt, the interpreter finds the
//! options instead.

use game::Player;
use jit::{Expanded, JitError, NodeFn, Options, compile_node};
use rules::bind::{Bound, Position};

use crate::positions::code::Expands;
use crate::positions::codec::Codec;
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
    expander: Expands,
    codec: Codec,
    /// Whose turn it is, where the cells tell.
    mover: Option<NodeFn>,
    table: Interner<Words>,
    options: Options,
}

impl<'b> CompiledGraph<'b> {
    /// An empty graph, with code that writes gains as [`Keeps::gains`] says.
    pub fn new(
        bound: &'b Bound,
        keeps: Keeps,
        codec: Codec,
        expander: Expands,
        memory: &Memory,
    ) -> Result<CompiledGraph<'b>, JitError> {
        let mover = codec.coded().mover.map(|mover| compile_node(codec.coded(), mover)).transpose()?;
        let table = Interner::<Words>::new(1, memory);
        let oracle = Oracle::new(bound, keeps, None);
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

    /// Has the interpreter find the options of a position that code left alone.
    fn interpreted(&mut self, position: &Position, into: &mut Expansion) -> Result<(), Error> {
        let (table, codec) = (&mut self.table, &self.codec);
        let cells = position.parts.first().map_or(&[][..], |part| part);
        self.oracle.expand(cells, into, &mut |after, turn| {
            let code = codec.code(after, turn).ok_or_else(outside)?;
            Ok(table.intern(&[code])?.0)
        })
    }
}

/// The error for a position that has no code.
fn outside() -> Error {
    Error::Internal("a position is outside what was proved of all positions".to_string())
}

impl Graph for CompiledGraph<'_> {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        into.clear();
        let code = self.code(position);
        into.mover = self.mover(code);
        match self.expander.expand(code, &mut self.options) {
            Expanded::Options => self.oracle.written(&self.options, 1, &mut self.table, into),
            Expanded::End => self.oracle.keeps.written_end(&self.options.gains, into),
            Expanded::Fault => self.interpreted(&self.position(position), into),
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

    fn find(&self, position: &Position) -> Option<Id> {
        self.table.find(&[self.codec.code_of(position)?])
    }

    fn number(&mut self, position: &Position) -> Result<Id, Error> {
        let code = self.codec.code_of(position).ok_or_else(outside)?;
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
