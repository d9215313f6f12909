//! The moves of a game where it stands, each with what it is worth.

use std::sync::Arc;

use perfectplay::moves::ListedMoves;
use pyo3::prelude::*;

use crate::limits::Asked;
use crate::moves::Move;
use crate::stands::Stands;
use crate::{errors, run};

/// Solves a game from where it stands, and rates its moves.
pub fn moves(py: Python<'_>, stands: &Arc<Stands>, asked: &Asked<'_>) -> PyResult<Vec<Move>> {
    let (solver, stop) = asked.solver()?;
    let bound = Arc::clone(&stands.bound);
    let listed = run::run(py, &stop, move || {
        let solved = solver.solved(&bound)?;
        ListedMoves::of(&solved, &bound.start)
    })?;
    let listed = listed.map_err(|error| errors::solving(error, &stands.compiled.rules))?;
    Ok(listed.moves.into_iter().map(Move::new).collect())
}
