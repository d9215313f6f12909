//! A game with its instance, standing at some position: what games and their solutions share.

use std::sync::Arc;

use perfectplay::language::{self, Bound as Ready, Instance};
use perfectplay::solving::{scope, stopped};
use perfectplay::{Error, Solver};

use crate::source::Compiled;

/// A game that stands at a position.
pub struct Stands {
    pub compiled: Arc<Compiled>,
    pub bound: Arc<Ready>,
    /// The moves that led here from where the rules start.
    pub after: Vec<String>,
}

impl Stands {
    pub fn new(compiled: Arc<Compiled>, bound: Ready, after: Vec<String>) -> Arc<Stands> {
        Arc::new(Stands { compiled, bound: Arc::new(bound), after })
    }
}

/// Binds an instance within limits.
pub fn bound(compiled: &Compiled, instance: &Instance, solver: &Solver) -> Result<Ready, Error> {
    let monitor = solver.monitor();
    let scope = scope(&monitor);
    let bound = language::bind(&compiled.program, instance);
    match stopped(&scope) {
        Some(error) => Err(Error::solving(error, &compiled.rules)),
        None => bound.map_err(|wrong| Error::mistakes(&compiled.rules, wrong)),
    }
}
