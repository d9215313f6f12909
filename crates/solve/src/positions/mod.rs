//! Positions of rules files as numbered graphs: how a position is written down, and how its options are found.
//!
//! - [`state`]: one part, its variables packed into a few words, with the turn only where the rules look at it.
//! - [`compiled`]: one part, too, with compiled options. It has positions to codes and back, and the code that expands them.
//! - [`program`]: one part, too, with rules compiled as they stand and keys of any number of words.
//! - [`sum`]: several parts, each packed and numbered once; a position is the sorted list of its parts' numbers.
//! - [`parts`]: the parts alone, for nimbers, where an option is a run of parts.
//! - [`remembered`]: any of them, with what a first look at it worked out.
//!
//! All find options that are not compiled by [`oracle`], which runs the interpreter; searches on codes do so through
//! [`interpreted`].
//!
//! [`Keeps`] says what an option or an end has to tell the engine: outcomes, one score, or one number a player. Engines name
//! positions by number; where the rules go wrong in one, the graph keeps the fault ([`Numbered::fault`]).

pub(crate) mod compiled;
pub(crate) mod interpreted;
pub(crate) mod oracle;
pub(crate) mod parts;
pub(crate) mod program;
pub(crate) mod remembered;
pub(crate) mod state;
pub(crate) mod sum;

use engine::Error;
use engine::graph::{Ending, Expansion, Graph, Id};
use engine::valuation::difference;
use game::codes::Gains;
use game::{End, Outcome, Player};
use rules::bind::{Bound, Position};
use rules::fault::Fault;

use crate::audit::Audit;
use crate::error::SolveError;
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
            Keeps::Outcome if first > 0 => Ending::Outcome(Outcome::Win),
            Keeps::Outcome if first < 0 => Ending::Outcome(Outcome::Loss),
            Keeps::Outcome => Ending::Outcome(Outcome::Draw),
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
pub(crate) fn other_to_move(position: &Position) -> Position {
    Position { turn: position.turn.other(), ..position.clone() }
}

/// A graph whose positions can be looked up.
pub trait Numbered: Graph {
    /// The number of a position that was met.
    fn find(&self, position: &Position) -> Option<Id>;

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

    /// Works out the options of a position with compiled code and forgets them, to see how long that takes; whether it did.
    fn try_code(&mut self, _: Id) -> bool {
        false
    }

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
