//! Positions of rules files as numbered graphs: how a position is written down, and how its options are found.
//!
//! - [`compiled`]: the same as `state`, with compiled options and codes for positions.
//! - [`state`]: one part, its variables packed into a few words, with the turn only where the rules look at it.
//! - [`sum`]: several parts, each packed and numbered once; a position is the sorted list of its parts' numbers.
//! - [`parts`]: the parts alone, for Grundy numbers, where an option is a run of parts.
//!
//! [`Worth`] says what an option or an end has to tell the method: outcomes, one score, or one number a player.

pub mod compiled;
mod growth;
pub mod parts;
pub mod state;
pub mod sum;

use game::{End, Player};
use rules::bind::Position;
use rules::fault::Fault;

use crate::audit::Audit;
use crate::error::SolveError;
use crate::graph::{Ending, Expansion, Graph, Id};
use crate::valuation::score::difference;

/// What is kept of gains and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Won, drawn, lost.
    Outcome,
    /// The mover's gains minus the other's.
    Score,
    /// The same, and every player's gains beside it, to check their total.
    ScoreAndGains,
    /// Every player's gains.
    Payoffs,
}

impl Worth {
    /// Whether [`Expansion::gains`] is filled.
    pub fn keeps_gains(self) -> bool {
        matches!(self, Worth::ScoreAndGains | Worth::Payoffs)
    }

    /// The gain of an edge.
    pub fn gain(self, gains: &[i64], mover: Player) -> Result<i64, SolveError> {
        match self {
            Worth::Score | Worth::ScoreAndGains if !gains.is_empty() => difference(gains, mover),
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

    /// Writes an end into an expansion.
    pub fn end(self, end: End, mover: Player, into: &mut Expansion) -> Result<(), SolveError> {
        into.end = Some(match (self, end) {
            (Worth::Outcome, End::Outcome(outcome)) => Ending::Outcome(outcome),
            (Worth::Score, End::Gains(gains)) => Ending::Score(difference(&gains, mover)?),
            (Worth::ScoreAndGains, End::Gains(gains)) => {
                into.gains.extend_from_slice(&gains);
                Ending::Score(difference(&gains, mover)?)
            }
            (Worth::Payoffs, End::Gains(gains)) => {
                into.gains.extend_from_slice(&gains);
                Ending::Payoffs
            }
            (worth, end) => return Err(SolveError::Internal(format!("an end {end:?} where {worth:?} was expected"))),
        });
        Ok(())
    }
}

/// A graph whose positions can be looked up.
pub trait Numbered: Graph {
    /// The number of a position that was met.
    fn find(&self, position: &Position) -> Option<Id>;

    /// Gives a position a number.
    fn number(&mut self, position: &Position) -> Result<Id, SolveError>;

    /// The check of what the file declares, if it declares anything.
    fn audit(&self) -> Option<&Audit<'_>>;

    /// The position of that number, for people; parts of a sum come in no particular order.
    fn position(&self, id: Id) -> Position;
}

/// Carries an error of ours through the interpreter's visitor, which only knows faults.
#[derive(Default)]
pub(crate) struct Carrier {
    error: Option<SolveError>,
}

impl Carrier {
    /// Runs a step of ours inside the visitor.
    pub(crate) fn step(&mut self, step: impl FnOnce() -> Result<(), SolveError>) -> Result<(), Fault> {
        step().map_err(|error| {
            self.error = Some(error);
            rules::diagnostic::Diagnostic::new("stopped").into()
        })
    }

    /// The result of the visit, with our own error in place of the fault that carried it.
    pub(crate) fn finish(self, result: Result<(), Fault>) -> Result<(), SolveError> {
        match (self.error, result) {
            (Some(error), _) => Err(error),
            (None, Err(fault)) => Err(SolveError::Fault(fault)),
            (None, Ok(())) => Ok(()),
        }
    }
}
