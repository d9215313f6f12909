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

/// What it may take at the most.
const MOST: Most = Most { parts: 50_000, positions: 20_000 };

/// The canonical form of a position of a game that has outcome classes. None where it is not feasible: the answer is known
/// without it.
pub fn form(solved: &Solved<'_>, position: &Position, monitor: &mut Monitor) -> Result<Option<Canonical>, SolveError> {
    if solved.report.class.is_none() || !solved.answers.may_have_form() {
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
    let mut arena = CanonicalForms::new(monitor).arena;
    let found = value::form(&mut arena, solved.bound, solved.local.as_deref(), position, MOST, monitor)
        .and_then(|value| Ok(canonical(&mut arena, value)?));
    match found {
        Ok(found) => Ok(Some(found)),
        Err(GivenUp::Error(error @ SolveError::Interrupted { .. })) => Err(error),
        Err(_) => Ok(None),
    }
}
