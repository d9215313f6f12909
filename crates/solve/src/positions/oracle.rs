//! What graphs of rules share: the interpreter, the check of what the file declares, and the fault that was met.

use engine::Error;
use engine::graph::{Edge, Expansion, Id};
use engine::interner::{Interner, Words};
use game::{End, Player};
use jit::Options;
use rules::bind::Bound;
use rules::fault::Fault;
use rules::interpreter::{Effect, Interpreter};
use rules::stop::Held;

use crate::audit::Audit;
use crate::error::stopped_by;
use crate::positions::Keeps;

/// Numbers what a move leaves: the cells, and who moves next.
pub(crate) type Number<'n> = &'n mut dyn FnMut(&[i64], Player) -> Result<Id, Error>;

/// The rules of a game as the interpreter reads them, for a graph.
///
/// Engines only know numbers, and the interpreter's visitor only knows faults. So a fault of the rules is kept here and
/// named to the engine, and an error of the engine is carried through the visitor.
pub(crate) struct Oracle<'b> {
    pub bound: &'b Bound,
    pub keeps: Keeps,
    interpreter: Interpreter<'b>,
    audit: Option<Audit<'b>>,
    fault: Option<Fault>,
}

impl<'b> Oracle<'b> {
    pub fn new(bound: &'b Bound, keeps: Keeps, audit: Option<Audit<'b>>) -> Oracle<'b> {
        Oracle { bound, keeps, interpreter: Interpreter::new(bound), audit, fault: None }
    }

    /// The check of what the file declares, if it declares anything.
    pub fn audit(&self) -> Option<&Audit<'b>> {
        self.audit.as_ref()
    }

    /// The check, to be told what needs no look and how far it went.
    pub fn audit_mut(&mut self) -> &mut Option<Audit<'b>> {
        &mut self.audit
    }

    /// Has what the file declares checked from now on.
    pub fn start_audit(&mut self) {
        if self.audit.is_none() {
            self.audit = Audit::new(self.bound);
        }
    }

    /// Steps of the interpreter so far.
    pub fn steps(&self) -> u64 {
        self.interpreter.steps()
    }

    /// What is wrong with the rules, where [`Error::Fault`] was met.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// Forgets the fault of a position that may never come up.
    pub fn forget_fault(&mut self) {
        self.fault = None;
    }

    /// Keeps a fault, and names it to an engine. Rules that were stopped are no fault. Engines stop at the first, so the number
    /// of the position is of no use.
    pub fn keep<T>(&mut self, result: Result<T, Fault>) -> Result<T, Error> {
        result.map_err(|fault| {
            if let Some(why) = fault.stopped() {
                return stopped_by(why);
            }
            self.fault = Some(fault);
            Error::Fault(0)
        })
    }

    /// Checks what the file declares at a position.
    pub fn look(&mut self, cells: &[i64], mover: Player) -> Result<(), Error> {
        let Some(audit) = &mut self.audit else { return Ok(()) };
        let seen = audit.look(cells, mover);
        self.keep(seen)
    }

    /// The result of a position in which the game is over.
    pub fn end(&mut self, cells: &[i64], mover: Player) -> Result<Option<End>, Error> {
        let end = self.interpreter.end(cells, mover);
        self.keep(end)
    }

    /// The result of a position without moves.
    pub fn stuck(&mut self, cells: &[i64], mover: Player) -> Result<End, Error> {
        let end = self.interpreter.stuck(cells, mover);
        self.keep(end)
    }

    /// Visits the moves of a position or part, in rule order.
    pub fn moves(
        &mut self,
        cells: &[i64],
        mover: Player,
        visit: &mut dyn FnMut(&Effect<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut stopped = None;
        let mut held = Held::default();
        let result = self.interpreter.moves(cells, mover, &mut |effect| {
            held.grow(size_of::<Edge>() as u64)?;
            visit(effect).map_err(|error| {
                stopped = Some(error);
                rules::diagnostic::Diagnostic::new("stopped").into()
            })
        });
        match stopped {
            Some(error) => Err(error),
            None => self.keep(result),
        }
    }

    /// Writes the end or the options of a position into an expansion, which knows the mover. `number` numbers what a move
    /// leaves.
    pub fn expand(&mut self, cells: &[i64], into: &mut Expansion, number: Number<'_>) -> Result<(), Error> {
        let (mover, keeps, players) = (into.mover, self.keeps, self.bound.players);
        if let Some(end) = self.end(cells, mover)? {
            return keeps.end(end, mover, into);
        }
        self.moves(cells, mover, &mut |effect| {
            let to = number(effect.after, effect.turn)?;
            let gain = keeps.gain(effect.gains, mover)?;
            into.edges.push(Edge { to, gain, same: effect.turn == mover, joined: false });
            keeps.keep_gains(effect.gains, players, &mut into.gains);
            Ok(())
        })?;
        if into.edges.is_empty() {
            let end = self.stuck(cells, mover)?;
            keeps.end(end, mover, into)?;
        }
        Ok(())
    }

    /// Writes options into an expansion as compiled code wrote them, in keys of so many words.
    pub fn written(
        &self,
        options: &Options,
        words: usize,
        table: &mut Interner<Words>,
        into: &mut Expansion,
    ) -> Result<(), Error> {
        let Options { codes, same, gains } = options;
        into.edges.reserve(same.len());
        for (number, (key, &same)) in codes.chunks_exact(words).zip(same).enumerate() {
            let (to, _) = table.intern(key)?;
            let gain = self.keeps.written_gain(gains, number, self.bound.players, into.mover)?;
            into.edges.push(Edge { to, gain, same: same != 0, joined: false });
        }
        if self.keeps.keeps_gains() {
            into.gains.extend_from_slice(gains);
        }
        Ok(())
    }
}
