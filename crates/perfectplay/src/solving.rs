//! Solving in detail: limits and progress, what can be asked, the solved game itself, and why there is none.
//!
//! [`crate::Solver`] is the comfortable way to all of this.

#[doc(inline)]
pub use engine::memory::Memory;
#[doc(inline)]
pub use engine::monitor::{Expected, Limits, Monitor, Progress, Report};
#[doc(inline)]
pub use rules::stop::{Room, Scope, Stopped, Watch};
#[doc(inline)]
pub use solve::error::{Limit, SolveError};
#[doc(inline)]
pub use solve::method::Report as Findings;
#[doc(inline)]
pub use solve::options::{Amount, Detail, Engine, Options};
#[doc(inline)]
pub use solve::solved::{Solved, solve};
#[doc(inline)]
pub use solve::stopping::{scope, stopped};
