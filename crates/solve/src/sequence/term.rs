//! One term of a sequence: what an instance is worth.

use std::fmt;

use game::Outcome;
use serde_json::{Value, json};

use crate::solution::Solution;

/// What an instance is worth to the player who starts: the most telling of what was found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// The Grundy number, where there is one.
    Nimber(u64),
    /// A loopy nimber that is infinite, as text: `∞{1}`.
    Loopy(Box<str>),
    /// The starter's total minus the other's.
    Score(i64),
    /// One total a player.
    Payoffs(Box<[i64]>),
    /// Won, drawn or lost.
    Outcome(Outcome),
}

impl Term {
    /// The term that an answer gives.
    pub fn of(solution: &Solution) -> Option<Term> {
        if let Some(nimber) = solution.nimber {
            return Some(Term::Nimber(nimber));
        }
        if let Some(loopy) = &solution.loopy {
            return Some(Term::Loopy(loopy.as_str().into()));
        }
        if let Some(value) = solution.value {
            return Some(Term::Score(value));
        }
        if let Some(payoffs) = &solution.payoffs {
            return Some(Term::Payoffs(payoffs.as_slice().into()));
        }
        let outcomes = [Outcome::Win, Outcome::Loss, Outcome::Draw];
        let outcome = solution.outcome.as_deref()?;
        outcomes.into_iter().find(|known| known.to_string() == outcome).map(Term::Outcome)
    }

    /// A number to compare and to draw: a win is 1, a draw 0, a loss −1. Some terms are none.
    pub fn number(&self) -> Option<i64> {
        match self {
            Term::Nimber(nimber) => i64::try_from(*nimber).ok(),
            Term::Score(value) => Some(*value),
            Term::Outcome(Outcome::Win) => Some(1),
            Term::Outcome(Outcome::Draw) => Some(0),
            Term::Outcome(Outcome::Loss) => Some(-1),
            Term::Loopy(_) | Term::Payoffs(_) => None,
        }
    }

    /// What kind of value it is, as the answers of a solve name it.
    pub fn kind(&self) -> &'static str {
        match self {
            Term::Nimber(_) => "nimber",
            Term::Loopy(_) => "loopy",
            Term::Score(_) => "score",
            Term::Payoffs(_) => "payoffs",
            Term::Outcome(_) => "outcome",
        }
    }

    /// A number, a text or a list.
    pub fn json(&self) -> Value {
        match self {
            Term::Nimber(nimber) => json!(nimber),
            Term::Score(value) => json!(value),
            Term::Payoffs(totals) => json!(totals),
            Term::Loopy(_) | Term::Outcome(_) => json!(self.to_string()),
        }
    }

    /// Bytes that it holds beyond its own.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Term::Loopy(text) => text.len() as u64,
            Term::Payoffs(totals) => 8 * totals.len() as u64,
            _ => 0,
        }
    }
}

/// The term as a person reads it.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Nimber(nimber) => nimber.fmt(f),
            Term::Loopy(text) => f.pad(text),
            Term::Score(value) => value.fmt(f),
            Term::Outcome(outcome) => f.pad(&outcome.to_string()),
            Term::Payoffs(totals) => {
                let totals: Vec<String> = totals.iter().map(i64::to_string).collect();
                f.pad(&totals.join(":"))
            }
        }
    }
}
