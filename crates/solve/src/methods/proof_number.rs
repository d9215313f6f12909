//! `proof_number`: who wins from the start, by proof-number search.

use engine::monitor::Monitor;
use search::solver::Way;

use super::proving::{Proving, recognise};
use crate::case::Case;
use crate::error::SolveError;
use crate::method::{Look, Method};
use crate::options::MethodName;

static PROVING: Proving = Proving {
    name: MethodName::new("proof_number"),
    way: Way::ProofNumber,
    what: "proof-number search, which goes where the least is missing for a proof",
};

/// The method.
pub(super) struct ProofNumber;

impl Method for ProofNumber {
    fn name(&self) -> MethodName {
        PROVING.name
    }

    fn about(&self) -> &'static str {
        "The start only, won or lost: proof-number search"
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        recognise(&PROVING, case, monitor)
    }
}
