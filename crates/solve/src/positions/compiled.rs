//! Positions of a `state` with compiled options: a position is its code, one word.
//!
//! It numbers positions exactly as [`StateGraph`](crate::positions::state::StateGraph) does, since options come in the same
//! order, so every method that works on graphs runs on either. What is compiled is only the question what the options are;
//! where the rules go wrong the interpreter is asked once more, and its message is the one to show.

use game::Player;
use jit::{Expanded, JitError, NodeFn, Options, compile_node};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;

use crate::audit::Audit;
use crate::case::code::Expands;
use crate::case::codec::Codec;
use crate::positions::{Carrier, Keeps, Numbered, keep};
use engine::Error;
use engine::graph::{Edge, Expansion, Graph, Id};
use engine::interner::{Interner, Words};
use engine::memory::Memory;
use rules::fault::Fault;

/// The graph of a `state` game whose rules are compiled.
pub struct CompiledGraph<'b> {
    bound: &'b Bound,
    expander: Expands,
    codec: Codec,
    /// Whose turn it is, where the cells tell.
    mover: Option<NodeFn>,
    table: Interner<Words>,
    options: Options,
    keeps: Keeps,
    audit: Option<Audit<'b>>,
    fault: Option<Fault>,
}

impl<'b> CompiledGraph<'b> {
    /// An empty graph, with code that writes gains as [`Keeps::gains`] says. With an audit, what the file declares is
    /// checked at every position, at the interpreter's speed.
    pub fn new(
        bound: &'b Bound,
        keeps: Keeps,
        (codec, expander): (Codec, Expands),
        audit: Option<Audit<'b>>,
        memory: &Memory,
    ) -> Result<CompiledGraph<'b>, JitError> {
        let mover = codec.coded().mover.map(|mover| compile_node(codec.coded(), mover)).transpose()?;
        let table = Interner::<Words>::new(1, memory);
        Ok(CompiledGraph {
            bound,
            expander,
            codec,
            mover,
            table,
            options: Options::default(),
            keeps,
            audit,
            fault: None,
        })
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

    fn edges(&mut self, into: &mut Expansion) -> Result<(), Error> {
        let Options { codes, same, gains } = &self.options;
        let players = self.bound.players;
        into.edges.reserve(codes.len());
        for (number, (&code, &same)) in codes.iter().zip(same).enumerate() {
            let (to, _) = self.table.intern(&[code])?;
            let gain = self.keeps.written_gain(gains, number, players, into.mover)?;
            into.edges.push(Edge { to, gain, same: same != 0, joined: false });
        }
        if self.keeps.keeps_gains() {
            into.gains.extend_from_slice(gains);
        }
        Ok(())
    }

    /// Has the interpreter say what is wrong in a position. What compiled code takes for a fault must be one.
    fn look_for_fault(&mut self, position: &Position) -> Result<(), Error> {
        let mut interpreter = Interpreter::new(self.bound);
        let cells = position.parts.first().map_or(&[][..], |part| part);
        let mut scratch = Expansion::default();
        let mover = position.turn;
        if let Some(end) = keep(interpreter.end(cells, mover), &mut self.fault)? {
            self.keeps.end(end, mover, &mut scratch)?;
        } else {
            let mut carrier = Carrier::default();
            let mut any = false;
            let result = interpreter.moves(cells, mover, &mut |effect| {
                any = true;
                carrier.step(|| self.keeps.gain(effect.gains, mover).map(|_| ()))
            });
            carrier.finish(result, &mut self.fault)?;
            if !any {
                let end = keep(interpreter.stuck(cells, mover), &mut self.fault)?;
                self.keeps.end(end, mover, &mut scratch)?;
            }
        }
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
        if let Some(audit) = &mut self.audit
            && let Some(position) = self.codec.position(code)
        {
            keep(audit.look(position.parts.first().map_or(&[][..], |part| part), into.mover), &mut self.fault)?;
        }
        match self.expander.expand(code, &mut self.options) {
            Expanded::Options => self.edges(into),
            Expanded::End => self.keeps.written_end(&self.options.gains, into),
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
        self.fault.as_ref()
    }

    fn audit(&self) -> Option<&Audit<'_>> {
        self.audit.as_ref()
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
