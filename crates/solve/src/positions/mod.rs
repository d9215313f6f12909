//! Positions of rules files as numbered graphs: how a position is written down, and how its options are found.
//!
//! - [`state`]: one part, its variables packed into a few words, with the turn only where the rules look at it.
//! - [`compiled`]: one part, too, with compiled options and codes for positions.
//! - [`program`]: one part, too, with rules compiled as they stand and keys of any number of words.
//! - [`sum`]: several parts, each packed and numbered once; a position is the sorted list of its parts' numbers.
//! - [`parts`]: the parts alone, for nimbers, where an option is a run of parts.
//!
//! [`Keeps`] says what an option or an end has to tell the engine: outcomes, one score, or one number a player. Engines name
//! positions by number; where the rules go wrong in one, the graph keeps the fault ([`Numbered::fault`]).

pub(crate) mod compiled;
pub(crate) mod parts;
pub(crate) mod program;
pub(crate) mod state;
pub(crate) mod sum;
#[cfg(test)]
mod tests;

use engine::Error;
use engine::graph::{Ending, Expansion, Graph, Id};
use engine::valuation::difference;
use game::{End, Outcome, Player};
use jit::Gains;
use rules::bind::{Bound, Position};
use rules::fault::Fault;

use crate::audit::Audit;
use crate::error::SolveError;

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
    /// Whether [`Expansion::gains`] is filled.
    pub fn keeps_gains(self) -> bool {
        matches!(self, Keeps::ScoreAndGains | Keeps::Payoffs)
    }

    /// How compiled code writes them.
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

/// A graph whose positions can be looked up.
pub trait Numbered: Graph {
    /// The number of a position that was met.
    fn find(&self, position: &Position) -> Option<Id>;

    /// Gives a position a number.
    fn number(&mut self, position: &Position) -> Result<Id, Error>;

    /// The check of what the file declares, if it declares anything.
    fn audit(&self) -> Option<&Audit<'_>>;

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

/// Carries errors of engines through the interpreter's visitor, which only knows faults, and faults through engines, which
/// only know numbers.
#[derive(Default)]
pub(crate) struct Carrier {
    error: Option<Error>,
}

impl Carrier {
    /// Runs a step of ours inside the visitor.
    pub(crate) fn step(&mut self, step: impl FnOnce() -> Result<(), Error>) -> Result<(), Fault> {
        step().map_err(|error| {
            self.error = Some(error);
            rules::diagnostic::Diagnostic::new("stopped").into()
        })
    }

    /// The result of the visit, with our own error in place of the fault that carried it. A fault of the rules is kept.
    pub(crate) fn finish(self, result: Result<(), Fault>, kept: &mut Option<Fault>) -> Result<(), Error> {
        match (self.error, result) {
            (Some(error), _) => Err(error),
            (None, result) => keep(result, kept),
        }
    }
}

/// Keeps a fault, and names it to an engine. Engines stop at the first, so the number of the position is of no use.
pub(crate) fn keep<T>(result: Result<T, Fault>, kept: &mut Option<Fault>) -> Result<T, Error> {
    result.map_err(|fault| {
        *kept = Some(fault);
        Error::Fault(0)
    })
}
