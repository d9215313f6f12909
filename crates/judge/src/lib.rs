//! Is a program right? It is run on instances of a game, and what it prints is compared with the exact answer.
//!
//! ```text
//! sample ──instances──▶ instance ──format──▶ input ──run──▶ output ──expected──▶ right, or a failure ──shrink──▶ the smallest one
//! ```
//!
//! Read in this order:
//! - [`instances`]: which instances are tried, small ones first; what "small" means.
//! - [`format`](mod@format): how an instance is written and an answer read.
//! - [`run`]: one run of a program, within limits of time, memory and output. [`limited`] is the process that takes on the limits,
//!   on Linux the `supervisor` of the program, which finds its `descendants`.
//! - [`expected`]: the right answer, compared with what was printed.
//! - [`subject`]: a program with all that is needed to judge it.
//! - [`check`](mod@check): many runs side by side, and the first failure in the order of the instances.
//! - [`play`]: a program plays against perfect play. [`spelled`] is how moves are written, [`oracle`] what they are worth.
//! - [`shrink`]: a small instance that still fails. [`smallest`] tries to prove that there is no smaller one.
//! - [`strays`]: what programs leave behind that have ended their supervisor.
//! - [`why`]: the right answer explained.

pub mod check;
#[cfg(target_os = "linux")]
mod descendants;
pub mod expected;
pub mod failure;
pub mod format;
pub mod instances;
pub mod limited;
pub mod oracle;
pub mod play;
pub mod run;
pub mod shrink;
pub mod smallest;
pub mod spelled;
pub mod strays;
pub mod subject;
#[cfg(target_os = "linux")]
mod supervisor;
pub mod why;
