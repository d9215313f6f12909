//! Certificates: a proof of an answer in a file, which a checker that shares nothing with the solver reads.
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::answer::solution;
//! use perfectplay::certificates::{
//!     self, Argument, Certificate, Claim, Goal, Proved, Refusal, Sampled, Scope, Summary, Unwritten, Verified, Written, Wrong,
//! };
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
//! let written: Written = match certificates::write(&solved, &solution, (&rules.source, Scope::Proof), &mut file, &mut monitor) {
//!     Ok(written) => written,
//!     Err(Unwritten::Solve(error)) => return Err(error.into()), // A limit, or there is no proof that can be written.
//!     Err(Unwritten::File(error)) => panic!("the file cannot be written: {error}"),
//! };
//! assert_eq!(written.bytes, file.len() as u64);
//!
//! // What the file claims, the arguments that prove it, and what these prove.
//! let verified: Verified = certificates::check(&file[..], &mut monitor).unwrap();
//! let Certificate { claim, position, .. } = &verified.certificate;
//! let claim: &Claim = claim;
//! assert_eq!((claim.outcome.unwrap().to_string().as_str(), position), ("draw", &game.start));
//! assert!(matches!(verified.arguments[0], Argument::Strategy { goal: Goal::Draw, .. } | Argument::Outcomes { .. }));
//! let Summary { proved } = &verified.summary;
//! assert!(matches!(proved[0], Proved::AtLeast { .. } | Proved::Outcome { .. }));
//!
//! // Without the limits of a monitor, and with a look at how far it is.
//! assert!(certificates::verify(&file[..], &mut |_entries, _bytes| {}).is_ok());
//!
//! // A changed file is refused.
//! file[100] ^= 1;
//! match certificates::check(&file[..], &mut monitor) {
//!     Err(Refusal::Wrong(wrong)) => panic!("an entry proves nothing: {}", Wrong::clone(&wrong).why),
//!     refused => assert!(matches!(refused, Err(Refusal::Damaged { .. } | Refusal::Foreign(_)))),
//! }
//!
//! // A game too large for a proof may have a sample of its positions checked.
//! let mut file = Vec::new();
//! let written = certificates::write(&solved, &solution, (&rules.source, Scope::Sample(50)), &mut file, &mut monitor).unwrap();
//! let Sampled { positions, .. } = written.sampled.unwrap();
//! assert!(positions >= 50);
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
