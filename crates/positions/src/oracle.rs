//! The rules as the interpreter reads them, for graphs; and what every graph of positions can be asked.
//!
//! Graphs find options that are not compiled by the [`Oracle`], which runs the interpreter. [`Keeps`] says what an option or an
//! end has to tell the engine: outcomes, one score, or one number a player. Engines name positions by number; where the rules go
//! wrong in one, the graph keeps the fault ([`Numbered::fault`]).

use engine::Error;
use engine::graph::{Edge, Ending, Expansion, Graph, Id};
use engine::interner::{Interner, Words};
use engine::valuation::difference;
use game::codes::Gains;
use game::{End, Outcome, Player};
use jit::Options;
use rules::bind::{Bound, Position};
use rules::fault::Fault;
use rules::interpreter::{Effect, Interpreter};
use rules::stop::Held;

use crate::audit::Audit;
use crate::error::{SolveError, stopped_by};
use crate::facts::Kind;

/// What is kept of gains and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Won, drawn, lost.
    Outcome,
    /// The mover's gains minus the other's.
    Score,
    /// That, and every player's gains beside it, to check their total.
    ScoreAndGains,
    /// Every player's gains.
    Payoffs,
}

impl Keeps {
    /// What a graph keeps of the gains of a game of this kind.
    pub fn of(kind: Kind) -> Keeps {
        match kind {
            Kind::Outcome => Keeps::Outcome,
            Kind::Score => Keeps::Score,
            Kind::Payoffs | Kind::Winners => Keeps::Payoffs,
        }
    }

    /// Whether [`Expansion::gains`] is filled.
    pub fn keeps_gains(self) -> bool {
        matches!(self, Keeps::ScoreAndGains | Keeps::Payoffs)
    }

    /// Which gains compiled code writes.
    pub fn gains(self) -> Gains {
        match self {
            Keeps::Outcome => Gains::Outcome,
            Keeps::Score => Gains::Difference,
            Keeps::ScoreAndGains | Keeps::Payoffs => Gains::All,
        }
    }

    /// The gain of an edge.
    pub fn gain(self, gains: &[i64], mover: Player) -> Result<i64, Error> {
        match self {
            Keeps::Score | Keeps::ScoreAndGains if !gains.is_empty() => difference(gains, mover),
            _ => Ok(0),
        }
    }

    /// Adds what each player gains by a move, where that is kept. A game that is won and not counted gives no gains, which
    /// stands for zeros.
    pub fn keep_gains(self, gains: &[i64], players: usize, into: &mut Vec<i64>) {
        match self.keeps_gains() {
            true if gains.is_empty() => into.resize(into.len() + players, 0),
            true => into.extend_from_slice(gains),
            false => {}
        }
    }

    /// Writes an end into an expansion, as compiled code wrote its gains.
    pub fn written_end(self, gains: &[i64], into: &mut Expansion) -> Result<(), Error> {
        let internal = || Error::Internal("compiled code wrote no result".to_string());
        let first = *gains.first().ok_or_else(internal)?;
        into.end = Some(match self {
            Keeps::Outcome => Ending::Outcome(Outcome::of_sign(first)),
            Keeps::Score => Ending::Score(first),
            Keeps::ScoreAndGains => {
                into.gains.extend_from_slice(gains);
                Ending::Score(difference(gains, into.mover)?)
            }
            Keeps::Payoffs => {
                into.gains.extend_from_slice(gains);
                Ending::Payoffs
            }
        });
        Ok(())
    }

    /// The gain of an option, as compiled code wrote the gains of all options.
    pub fn written_gain(self, gains: &[i64], number: usize, players: usize, mover: Player) -> Result<i64, Error> {
        Ok(match self {
            Keeps::Outcome | Keeps::Payoffs => 0,
            Keeps::Score => gains[number],
            Keeps::ScoreAndGains => difference(&gains[number * players..][..players], mover)?,
        })
    }

    /// Writes an end into an expansion.
    pub fn end(self, end: End, mover: Player, into: &mut Expansion) -> Result<(), Error> {
        into.end = Some(match (self, end) {
            (Keeps::Outcome, End::Outcome(outcome)) => Ending::Outcome(outcome),
            (Keeps::Score, End::Gains(gains)) => Ending::Score(difference(&gains, mover)?),
            (Keeps::ScoreAndGains, End::Gains(gains)) => {
                into.gains.extend_from_slice(&gains);
                Ending::Score(difference(&gains, mover)?)
            }
            (Keeps::Payoffs, End::Gains(gains)) => {
                into.gains.extend_from_slice(&gains);
                Ending::Payoffs
            }
            (keeps, end) => return Err(Error::Internal(format!("an end {end:?} where {keeps:?} was expected"))),
        });
        Ok(())
    }
}

/// The position with the other of two players to move.
pub fn other_to_move(position: &Position) -> Position {
    Position { turn: position.turn.other(), ..position.clone() }
}

/// A graph whose positions can be looked up.
pub trait Numbered: Graph {
    /// The number of a position that was met.
    fn find(&self, position: &Position) -> Option<Id>;

    /// The number of a part on its own, if it was met.
    fn find_part(&self, part: &[i64]) -> Option<Id> {
        self.find(&Position { parts: vec![part.into()], turn: Player::FIRST })
    }

    /// Gives a position a number.
    fn number(&mut self, position: &Position) -> Result<Id, Error>;

    /// The check of what the file declares, if it declares anything and the graph checks it on the way.
    fn audit(&self) -> Option<&Audit<'_>> {
        None
    }

    /// Has what the file declares checked from now on, where the graph can and does not yet.
    fn start_audit(&mut self) {}

    /// Checks what the file declares at a position whose options are known from elsewhere.
    fn look(&mut self, _: Id) -> Result<(), Error> {
        Ok(())
    }

    /// The position of that number, for people; parts of a sum come in no particular order.
    fn position(&self, id: Id) -> Position;

    /// What is wrong with the rules, where the graph met [`Error::Fault`].
    fn fault(&self) -> Option<&Fault>;

    /// An error of an engine on this graph, with the position it is about.
    fn placed(&self, bound: &Bound, error: Error) -> SolveError {
        match (error, self.fault()) {
            (Error::Fault(_), Some(fault)) => SolveError::Fault(fault.clone()),
            (Error::OverflowAt(id), _) => SolveError::overflow(bound, &self.position(id as Id)),
            (error, _) => error.into(),
        }
    }
}

/// Numbers what a move leaves: the cells, and who moves next.
pub type Number<'n> = &'n mut dyn FnMut(&[i64], Player) -> Result<Id, Error>;

/// The rules of a game as the interpreter reads them, for a graph.
///
/// Engines only know numbers, and the interpreter's visitor only knows faults. So a fault of the rules is kept here and
/// named to the engine, and an error of the engine is carried through the visitor.
pub struct Oracle<'b> {
    /// The game.
    pub bound: &'b Bound,
    /// What is kept of gains and results.
    pub keeps: Keeps,
    interpreter: Interpreter<'b>,
    audit: Option<Audit<'b>>,
    fault: Option<Fault>,
}

impl<'b> Oracle<'b> {
    /// The rules of a game, which checks what the file declares on the way or not.
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
