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

/// What kind of value a term is, or all terms of a sequence are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// A Grundy number.
    Nimber,
    /// A loopy nimber; of a sequence, Grundy numbers some of which are loopy.
    Loopy,
    /// A score.
    Score,
    /// Totals of the players.
    Payoffs,
    /// Won, drawn or lost.
    Outcome,
    /// A canonical form.
    Value,
    /// Terms of several kinds.
    Mixed,
}

impl TermKind {
    /// The kind of all terms, given that of some and that of one more.
    pub(super) fn with(known: Option<TermKind>, new: TermKind) -> TermKind {
        match (known, new) {
            (None, new) => new,
            (Some(known), new) if known == new => known,
            (Some(TermKind::Nimber | TermKind::Loopy), TermKind::Nimber | TermKind::Loopy) => TermKind::Loopy,
            _ => TermKind::Mixed,
        }
    }
}

impl fmt::Display for TermKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            TermKind::Nimber => "nimber",
            TermKind::Loopy => "loopy",
            TermKind::Score => "score",
            TermKind::Payoffs => "payoffs",
            TermKind::Outcome => "outcome",
            TermKind::Value => "value",
            TermKind::Mixed => "mixed",
        })
    }
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

    /// What kind of value it is.
    pub fn kind(&self) -> TermKind {
        if self.form.is_some() {
            return TermKind::Value;
        }
        match &self.verdict {
            Verdict::Nimber(_) => TermKind::Nimber,
            Verdict::Loopy(_) => TermKind::Loopy,
            Verdict::Score(_) => TermKind::Score,
            Verdict::Payoffs { .. } => TermKind::Payoffs,
            Verdict::Outcome { .. } => TermKind::Outcome,
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
