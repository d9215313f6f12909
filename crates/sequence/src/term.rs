//! One term of a sequence: what an instance is worth.

use std::fmt;

use game::{LoopyNimber, Outcome, Verdict};

use solve::answer::solution::{AnswerKind, Solution};
use solve::value_text::ValueText;

/// What an instance is worth to the player who starts: a verdict that says the most telling of what was found, and nothing of
/// how long play lasts; and its canonical form, where moves belong to players.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// The verdict.
    pub verdict: Verdict,
    /// The canonical form.
    pub form: Option<ValueText>,
}

impl From<Verdict> for Term {
    fn from(verdict: Verdict) -> Term {
        Term { verdict, form: None }
    }
}

impl Term {
    /// A Grundy number.
    pub fn nimber(nimber: u64) -> Term {
        Verdict::Nimber(nimber).into()
    }

    /// Won, drawn or lost.
    pub fn outcome(outcome: Outcome) -> Term {
        Verdict::outcome_in(outcome, None).into()
    }

    /// The term that an answer gives.
    pub fn of(solution: &Solution) -> Option<Term> {
        if let Some(nimber) = solution.nimber {
            return Some(Term::nimber(nimber));
        }
        if let Some(set) = &solution.loopy {
            return Some(Verdict::Loopy(LoopyNimber::Infinite(set.clone())).into());
        }
        if let Some(value) = solution.value {
            return Some(Verdict::Score(value).into());
        }
        if let (AnswerKind::Payoffs, Some(payoffs)) = (solution.kind, &solution.payoffs) {
            return Some(Verdict::Payoffs { totals: payoffs.as_slice().into(), unique: None }.into());
        }
        let outcome = solution.outcome.map(Term::outcome)?;
        Some(Term { form: solution.canonical.clone(), ..outcome })
    }

    /// A number to compare and to draw: a win is 1, a draw 0, a loss −1. Some terms are none.
    pub fn number(&self) -> Option<i64> {
        if let Some(form) = &self.form {
            return form.name.as_ref()?.parse().ok();
        }
        match &self.verdict {
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
        if self.form.is_some() {
            return "value";
        }
        match &self.verdict {
            Verdict::Nimber(_) => "nimber",
            Verdict::Loopy(_) => "loopy",
            Verdict::Score(_) => "score",
            Verdict::Payoffs { .. } => "payoffs",
            Verdict::Outcome { .. } => "outcome",
        }
    }

    /// Bytes that it holds beyond its own.
    pub(super) fn bytes(&self) -> u64 {
        let text = |text: &Option<String>| text.as_ref().map_or(0, |text| text.len() as u64);
        let form = self.form.as_ref().map_or(0, |form| text(&form.name) + text(&form.mean) + text(&form.temperature));
        form + match &self.verdict {
            Verdict::Loopy(LoopyNimber::Infinite(set)) => 8 * set.as_slice().len() as u64,
            Verdict::Payoffs { totals, .. } => 8 * totals.len() as u64,
            _ => 0,
        }
    }
}

/// The term as a person reads it.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(form) = &self.form {
            return f.pad(form.name.as_deref().unwrap_or("too long to be written out"));
        }
        match &self.verdict {
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
