//! The canonical form of a position, beside an answer that was found in another way.

use boards::CanonicalForms;
use engine::monitor::Monitor;
use rules::bind::Position;

use super::value::{self, Most};
use crate::canonical::{Canonical, canonical};
use crate::error::SolveError;
use crate::method::GivenUp;
use crate::solved::Solved;
use crate::stopping::scope;

/// What it may take: not much more than the solve did.
fn most(solved: &Solved<'_>) -> (Most, u64) {
    let positions = solved.positions();
    let parts = (positions / 100).clamp(4000, 50_000);
    let bytes = (1 << 20) + positions.saturating_mul(8);
    (Most { parts, positions: 20_000, steps: 500_000 }, bytes)
}

/// The canonical form of a position of a game that has outcome classes. None where it is not feasible: the answer is known
/// without it.
pub fn form(solved: &Solved<'_>, position: &Position, monitor: &mut Monitor) -> Result<Option<Canonical>, SolveError> {
    if solved.report.class.is_none() {
        return Ok(None);
    }
    if let Some(known) = solved.answers.canonical(position) {
        return Ok(Some(known));
    }
    // What is left of the time belongs to moves and lines first.
    if monitor.time_left().zip(monitor.time_limit()).is_some_and(|(left, limit)| left < limit / 2) {
        return Ok(None);
    }
    // The answer is known without it, whatever stops this.
    let _scope = scope(monitor);
    let (most, bytes) = most(solved);
    let mut arena = CanonicalForms::within(monitor, bytes).arena;
    let found = value::form(&mut arena, solved.bound, solved.local.as_deref(), position, most, monitor)
        .and_then(|value| Ok(canonical(&mut arena, value)?));
    match found {
        Ok(found) => Ok(Some(found)),
        Err(GivenUp::Error(error @ SolveError::Interrupted { .. })) => Err(error),
        Err(_) => Ok(None),
    }
}
