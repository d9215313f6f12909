//! The canonical form of a position, beside an answer that was found in another way.

use boards::{CanonicalForms, Valuer};
use engine::Error;
use engine::monitor::Monitor;
use rules::bind::Position;

use crate::canonical::{Canonical, canonical};
use crate::error::SolveError;
use crate::method::GivenUp;
use crate::methods::Forms;
use crate::solved::Solved;
use crate::stopping::scope;

/// So many parts of a board are valued for it at the most.
const MOST_PARTS: u64 = 50_000;
/// So many positions that the interpreter looks at.
const MOST_POSITIONS: u64 = 20_000;

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
    let found = match board(solved, position, monitor) {
        Some(found) => found.map_err(GivenUp::from),
        None => rules(solved, position, monitor),
    };
    match found {
        Ok(found) => Ok(Some(found)),
        Err(GivenUp::Error(error @ SolveError::Interrupted { .. })) => Err(error),
        Err(_) => Ok(None),
    }
}

/// By the parts of a board, where moves are local.
fn board(solved: &Solved<'_>, position: &Position, monitor: &mut Monitor) -> Option<Result<Canonical, Error>> {
    let local = solved.local.as_ref()?;
    let [cells] = &position.parts[..] else { return None };
    let cells = local.position(cells)?;
    let mut valued = || {
        let memory = monitor.memory().clone();
        let mut valuer = Valuer::new(local.game.clone(), &cells, CanonicalForms::new(monitor), &memory)?;
        valuer.at_most(MOST_PARTS);
        let value = valuer.value(&cells, monitor)?;
        canonical(&mut valuer.algebra.arena, value)
    };
    Some(valued())
}

/// By the rules as they stand.
fn rules(solved: &Solved<'_>, position: &Position, monitor: &mut Monitor) -> Result<Canonical, GivenUp> {
    Forms::new(solved.bound, monitor)?.at_most(MOST_POSITIONS).canonical(position, monitor)
}
