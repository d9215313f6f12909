//! One term of a sequence: what an instance is worth.

use std::fmt;

use game::{LoopyNimber, Outcome, Verdict};

use crate::answer::solution::{AnswerKind, Solution};

/// What an instance is worth to the player who starts: a verdict that says the most telling of what was found, and nothing of
/// how long play lasts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term(pub Verdict);

impl Term {
    /// A Grundy number.
    pub fn nimber(nimber: u64) -> Term {
        Term(Verdict::Nimber(nimber))
    }

    /// Won, drawn or lost.
    pub fn outcome(outcome: Outcome) -> Term {
        Term(Verdict::outcome_in(outcome, None))
    }

    /// The term that an answer gives.
    pub fn of(solution: &Solution) -> Option<Term> {
        if let Some(nimber) = solution.nimber {
            return Some(Term::nimber(nimber));
        }
        if let Some(set) = &solution.loopy {
            return Some(Term(Verdict::Loopy(LoopyNimber::Infinite(set.clone()))));
        }
        if let Some(value) = solution.value {
            return Some(Term(Verdict::Score(value)));
        }
        if let (AnswerKind::Payoffs, Some(payoffs)) = (solution.kind, &solution.payoffs) {
            return Some(Term(Verdict::Payoffs { totals: payoffs.as_slice().into(), unique: None }));
        }
        solution.outcome.map(Term::outcome)
    }

    /// A number to compare and to draw: a win is 1, a draw 0, a loss −1. Some terms are none.
    pub fn number(&self) -> Option<i64> {
        match &self.0 {
            Verdict::Nimber(nimber) => i64::try_from(*nimber).ok(),
            Verdict::Score(value) => Some(*value),
            Verdict::Outcome { outcome: Outcome::Win, .. } => Some(1),
            Verdict::Outcome { outcome: Outcome::Draw, .. } => Some(0),
            Verdict::Outcome { outcome: Outcome::Loss, .. } => Some(-1),
            Verdict::Loopy(_) | Verdict::Payoffs { .. } => None,
        }
    }

    /// What kind of value it is, in a word.
    pub fn kind(&self) -> &'static str {
        match &self.0 {
            Verdict::Nimber(_) => "nimber",
            Verdict::Loopy(_) => "loopy",
            Verdict::Score(_) => "score",
            Verdict::Payoffs { .. } => "payoffs",
            Verdict::Outcome { .. } => "outcome",
        }
    }

    /// Bytes that it holds beyond its own.
    pub(super) fn bytes(&self) -> u64 {
        match &self.0 {
            Verdict::Loopy(LoopyNimber::Infinite(set)) => 8 * set.as_slice().len() as u64,
            Verdict::Payoffs { totals, .. } => 8 * totals.len() as u64,
            _ => 0,
        }
    }
}

/// The term as a person reads it.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Verdict::Nimber(nimber) => nimber.fmt(f),
            Verdict::Loopy(value) => f.pad(&value.to_string()),
            Verdict::Score(value) => value.fmt(f),
            Verdict::Outcome { outcome, .. } => f.pad(&outcome.to_string()),
            Verdict::Payoffs { totals, .. } => {
                let totals: Vec<String> = totals.iter().map(i64::to_string).collect();
                f.pad(&totals.join(":"))
            }
        }
    }
}
