//! Certificates: a proof of an answer in a file, which a checker that shares nothing with the solver reads.
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::answer::solution;
//! use perfectplay::certificates::{self, Scope};
//! use perfectplay::language::Rules;
//!
//! let rules = Rules::gallery("tic_tac_toe").unwrap();
//! let game = rules.bind("{}")?;
//! let solver = Solver::new();
//! let solved = solver.solved(&game)?;
//! let mut monitor = solver.monitor();
//! let solution = solution(&solved, &mut monitor)?;
//!
//! let mut file = Vec::new();
//! let written = certificates::write(&solved, &solution, (&rules.source, Scope::Proof), &mut file, &mut monitor).unwrap();
//! assert_eq!(written.bytes, file.len() as u64);
//!
//! let verified = certificates::check(&file[..], &mut monitor).unwrap();
//! assert_eq!(verified.certificate.claim.outcome.unwrap().to_string(), "draw");
//!
//! // A changed file is refused.
//! file[100] ^= 1;
//! assert!(certificates::check(&file[..], &mut monitor).is_err());
//! # Ok::<(), perfectplay::Error>(())
//! ```

use std::io::Read;

use engine::monitor::Monitor;

#[doc(inline)]
pub use ::certificate::{Scope, Unwritten, Written, write};
#[doc(inline)]
pub use verify::argument::Argument;
#[doc(inline)]
pub use verify::certificate::Certificate;
#[doc(inline)]
pub use verify::claim::Claim;
#[doc(inline)]
pub use verify::proved::{Proved, Summary};
#[doc(inline)]
pub use verify::refusal::{Refusal, Wrong};
#[doc(inline)]
pub use verify::sample::Sampled;
#[doc(inline)]
pub use verify::strategy::Goal;
#[doc(inline)]
pub use verify::{Verified, verify};

/// Checks a certificate within the limits of a monitor.
///
/// See [`crate::certificates`] for an example.
pub fn check(input: impl Read, monitor: &mut Monitor) -> Result<Verified, Refusal> {
    let scope = solve::stopping::scope(monitor);
    monitor.enter("checking");
    // Ticks only show how far it is: the scope stops the check.
    let checked = verify(input, &mut |entries, _| drop(monitor.tick(entries, entries)));
    match (checked, scope.stopped()) {
        (Err(refusal @ Refusal::Stopped(_)), _) => Err(refusal),
        (_, Some(why)) => Err(Refusal::Stopped(why)),
        (checked, None) => checked,
    }
}
