//! The answer, with typed fields that are made when somebody looks at them.

use std::sync::Arc;

use perfectplay::json;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::limits::Asked;
use crate::moves::Move;
use crate::partizan::Value;
use crate::stands::Stands;
use crate::{given, solved};

/// The result of a solve.
#[pyclass(frozen, module = "perfectplay")]
pub struct Solution {
    found: perfectplay::Solution,
    /// The game where it stands, and the object that users know it by; a sum of different games has none.
    of: Option<(Arc<Stands>, Py<PyAny>)>,
}

impl Solution {
    pub fn new(found: perfectplay::Solution, of: Option<(Arc<Stands>, Py<PyAny>)>) -> Solution {
        Solution { found, of }
    }
}

#[pymethods]
impl Solution {
    /// The game; `None` for a sum of different games.
    #[getter]
    fn game(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.of.as_ref().map(|(_, game)| game.clone_ref(py))
    }

    /// The game's name.
    #[getter]
    fn name(&self) -> &str {
        &self.found.game
    }

    /// The instance as understood.
    #[getter]
    fn instance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        given::dictionary(py, &self.found.instance)
    }

    /// `outcome`, `score`, `payoffs`, `nimber` or `partizan`.
    #[getter]
    fn kind(&self) -> String {
        self.found.kind.to_string()
    }

    /// The player who starts.
    #[getter]
    fn starter(&self) -> String {
        self.found.starter.to_string()
    }

    /// `first`, `second`, `draw`, or another player.
    #[getter]
    fn winner(&self) -> Option<String> {
        self.found.winner.map(|winner| winner.to_string())
    }

    /// `win`, `lose` or `draw` for the player who starts.
    #[getter]
    fn outcome(&self) -> Option<String> {
        self.found.outcome.map(|outcome| outcome.to_string())
    }

    /// Who wins whoever starts: `L`, `R`, `N` or `P`.
    #[getter]
    fn outcome_class(&self) -> Option<String> {
        self.found.outcome_class.map(|class| class.to_string())
    }

    /// Of a counted game, the starter's total minus the other's; of a partizan game, its value.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let Some(score) = self.found.value {
            return score.into_bound_py_any(py).map(Some);
        }
        match self.found.canonical.as_ref().and_then(|form| form.name.as_deref()) {
            Some(name) => Value::read(py, name, &Asked::default())?.into_bound_py_any(py).map(Some),
            None => Ok(None),
        }
    }

    /// Each player's total.
    #[getter]
    fn scores(&self) -> Option<Vec<i64>> {
        self.found.scores.clone()
    }

    /// One total a player.
    #[getter]
    fn payoffs(&self) -> Option<Vec<i64>> {
        self.found.payoffs.clone()
    }

    /// Whether ties leave the payoffs unique.
    #[getter]
    fn unique(&self) -> Option<bool> {
        self.found.unique
    }

    /// The Grundy number.
    #[getter]
    fn nimber(&self) -> Option<u64> {
        self.found.nimber
    }

    /// Moves until the end.
    #[getter]
    fn remoteness(&self) -> Option<u64> {
        self.found.remoteness
    }

    /// Every first move that keeps the result; `None` where they were not worked out.
    #[getter]
    fn best_moves(&self) -> Option<Vec<&str>> {
        labels(self.found.best_moves.as_deref())
    }

    /// Those of them that attain the remoteness.
    #[getter]
    fn fast_moves(&self) -> Option<Vec<&str>> {
        labels(self.found.fast_moves.as_deref())
    }

    /// One line of best play.
    #[getter]
    fn line(&self) -> Option<Vec<&str>> {
        labels(self.found.line.as_deref())
    }

    /// Every legal move with what it is worth. The game is solved once more for them.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Option<Vec<Move>>> {
        self.of.as_ref().map(|(stands, _)| solved::moves(py, stands, &Asked::default())).transpose()
    }

    /// The method that was used.
    #[getter]
    fn method(&self) -> &str {
        self.found.method.name()
    }

    /// How far the answer is backed.
    #[getter]
    fn proof(&self) -> String {
        self.found.proof.to_string()
    }

    /// Positions met.
    #[getter]
    fn positions(&self) -> u64 {
        self.found.positions
    }

    /// What it took, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.found.seconds
    }

    /// Bytes at the peak.
    #[getter]
    fn bytes(&self) -> u64 {
        self.found.bytes
    }

    /// Everything as text, as `perfectplay solve --json` prints it.
    fn to_json(&self) -> String {
        json::text(&json::solution(&self.found))
    }

    /// Everything as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.to_json(),))
    }

    /// In words.
    fn __str__(&self) -> String {
        let found = &self.found;
        let mut lines = vec![format!("{} {}", found.game, shortened(&json::understood_text(&found.instance)))];
        lines.push(match (found.winner, found.value, &found.payoffs) {
            (Some(perfectplay::answer::Winner::Draw), ..) => "nobody wins".to_string(),
            (Some(winner), Some(value), _) => format!("the {winner} player wins by {}", value.unsigned_abs()),
            (Some(winner), None, _) => format!("the {winner} player wins"),
            (None, _, Some(payoffs)) => format!("payoffs {payoffs:?}"),
            _ => "solved".to_string(),
        });
        if let Some(nimber) = found.nimber {
            lines.push(format!("nimber {nimber}"));
        }
        if let Some(name) = found.canonical.as_ref().and_then(|form| form.name.as_ref()) {
            lines.push(format!("value {name}"));
        }
        for (name, moves) in [("best moves", &found.best_moves), ("line of play", &found.line)] {
            if let Some(moves) = moves.as_ref().filter(|moves| !moves.is_empty()) {
                let moves: Vec<&str> = moves.iter().map(|play| &*play.label).collect();
                lines.push(format!("{name} {}", shortened(&moves.join(", "))));
            }
        }
        lines.push(format!("proof {}; method {}", found.proof, found.method.name()));
        lines.join("\n")
    }

    fn __repr__(&self) -> String {
        let winner = self.winner().map_or(String::new(), |winner| format!(", winner {winner}"));
        let value = self.found.value.map_or(String::new(), |value| format!(", value {value}"));
        let nimber = self.found.nimber.map_or(String::new(), |nimber| format!(", nimber {nimber}"));
        format!("<perfectplay.Solution {}{winner}{value}{nimber}>", self.found.game)
    }
}

fn labels(plays: Option<&[perfectplay::moves::Play]>) -> Option<Vec<&str>> {
    plays.map(|plays| plays.iter().map(|play| &*play.label).collect())
}

/// A text of at most a line or two.
fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_string(),
    }
}
