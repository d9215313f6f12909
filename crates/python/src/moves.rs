//! A move with what it is worth.

use perfectplay::answer::Verdict;
use perfectplay::moves::RatedMove;
use pyo3::prelude::*;

/// A legal move, and what it is worth to the player who makes it.
#[pyclass(frozen, module = "perfectplay")]
pub struct Move(RatedMove);

impl Move {
    pub fn new(mv: RatedMove) -> Move {
        Move(mv)
    }
}

#[pymethods]
impl Move {
    /// As it is written.
    #[getter]
    fn name(&self) -> &str {
        &self.0.play.label
    }

    /// Whether it keeps the result.
    #[getter]
    fn best(&self) -> bool {
        self.0.best
    }

    /// Whether it also is as quick, or lasts as long, as can be.
    #[getter]
    fn fast(&self) -> bool {
        self.0.fast
    }

    /// Won, lost or drawn by it.
    #[getter]
    fn outcome(&self) -> Option<String> {
        self.0.worth.outcome().map(|outcome| outcome.to_string())
    }

    /// The mover's total from here on minus the other's.
    #[getter]
    fn value(&self) -> Option<i64> {
        match self.0.worth {
            Verdict::Score(score) => Some(score),
            _ => None,
        }
    }

    /// What each player gets from here on.
    #[getter]
    fn payoffs(&self) -> Option<Vec<i64>> {
        match &self.0.worth {
            Verdict::Payoffs { totals, .. } => Some(totals.to_vec()),
            _ => None,
        }
    }

    /// How many moves are left, this one included.
    #[getter]
    fn remoteness(&self) -> Option<u32> {
        self.0.worth.remoteness()
    }

    /// The nimber of what it leaves.
    #[getter]
    fn nimber(&self) -> Option<u64> {
        self.0.leaves.as_ref().and_then(|leaves| leaves.nimber())
    }

    /// What each player gains by it at once.
    #[getter]
    fn gains(&self) -> Vec<i64> {
        self.0.play.gains.clone()
    }

    fn __str__(&self) -> &str {
        self.name()
    }

    fn __repr__(&self) -> String {
        let best = if self.0.best { ", best" } else { "" };
        format!("<perfectplay.Move {}: {}{best}>", self.name(), perfectplay::words::worth(&self.0, false))
    }
}
