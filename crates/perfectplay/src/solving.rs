//! Solving in detail: limits and progress, what can be asked, the solved game itself, and why there is none.
//!
//! [`crate::Solver`] is the comfortable way to all of this.

pub use engine::memory::Memory;
pub use engine::monitor::{Expected, Limits, Monitor, Progress, Report};
pub use solve::error::{Limit, SolveError};
pub use solve::method::Report as Findings;
pub use solve::options::{Amount, Detail, Engine, Options};
pub use solve::solved::{Solved, solve};
