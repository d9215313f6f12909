//! `alpha_beta`: the value of the start by alpha-beta with a table of transpositions.

use engine::monitor::Monitor;
use search::solver::Way;

use super::proving::{Proving, recognise};
use crate::case::Case;
use crate::error::SolveError;
use crate::method::{Look, Method};
use crate::options::MethodName;

/// Its name.
pub(crate) const NAME: MethodName = MethodName::new("alpha_beta");

static PROVING: Proving =
    Proving { name: NAME, way: Way::AlphaBeta, what: "alpha-beta with a table of transpositions" };

/// The method.
pub(super) struct AlphaBeta;

impl Method for AlphaBeta {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "The start only: alpha-beta with a table of transpositions"
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        recognise(&PROVING, case, monitor)
    }
}
