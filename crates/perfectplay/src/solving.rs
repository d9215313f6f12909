//! Solving in detail: limits and progress, what can be asked, the solved game itself, and why there is none.
//!
//! [`crate::Solver`] is the comfortable way to all of this. By hand, one solve looks like this:
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicBool, Ordering};
//! use std::time::Duration;
//!
//! use perfectplay::answer::solution;
//! use perfectplay::language::Rules;
//! use perfectplay::solving::{Limits, Monitor, Options, SolveError, solve};
//!
//! let game = Rules::gallery("hex").unwrap().bind(r#"{"size": 3}"#)?;
//! let limits = Limits { memory: 1 << 30, time: Some(Duration::from_secs(60)) };
//! let stop = Arc::new(AtomicBool::new(false));
//! let mut monitor = Monitor::new(&limits).cancelled_by(Arc::clone(&stop));
//!
//! // A solved game answers for every position that its method met.
//! let solved = solve(&game, &game.start, &Options::default(), &mut monitor)?;
//! assert!(solved.moves(&game.start)?.iter().any(|mv| mv.best));
//! assert_eq!(solution(&solved, &mut monitor)?.winner.unwrap().to_string(), "first");
//!
//! // Another thread, or a listener to progress, stops it: the solve ends soon, with how far it came.
//! stop.store(true, Ordering::Relaxed);
//! let large = Rules::gallery("hex").unwrap().bind(r#"{"size": 4}"#)?;
//! let stopped = solve(&large, &large.start, &Options::default(), &mut monitor);
//! assert!(matches!(stopped.err(), Some(SolveError::Interrupted { .. })));
//! # Ok::<(), perfectplay::Error>(())
//! ```

#[doc(inline)]
pub use engine::memory::Memory;
#[doc(inline)]
pub use engine::monitor::{Expected, Limits, Monitor, Progress, Report};
#[doc(inline)]
pub use rules::stop::{Room, Scope, Stopped, Watch};
#[doc(inline)]
pub use solve::error::{Bounded, Limit, SolveError};
#[doc(inline)]
pub use solve::methods::Report as Findings;
#[doc(inline)]
pub use solve::options::{Amount, Best, Detail, Engine, Options, Question};
#[doc(inline)]
pub use solve::solved::{Solved, solve};
#[doc(inline)]
pub use solve::stopping::{scope, stopped};
