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
//! use perfectplay::solving::{Limits, Monitor, Options, SolveError, Solved, solve};
//!
//! let game = Rules::gallery("hex").unwrap().bind(r#"{"size": 3}"#)?;
//! let limits = Limits { memory: 1 << 30, time: Some(Duration::from_secs(60)) };
//! let stop = Arc::new(AtomicBool::new(false));
//! let mut monitor = Monitor::new(&limits).cancelled_by(Arc::clone(&stop));
//!
//! // A solved game answers for every position that its method met.
//! let solved: Solved<'_> = solve(&game, &game.start, &Options::default(), &mut monitor)?;
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
//!
//! What can be asked for, and how a limit is told:
//!
//! ```
//! use perfectplay::language::Rules;
//! use perfectplay::solving::{
//!     Amount, Best, Bounded, Detail, Engine, Findings, Limit, Limits, Memory, Monitor, Options, Question, SolveError, solve,
//! };
//!
//! // Who wins, of the start alone, by the interpreter; one best move will do, and ten positions are valued again.
//! let options = Options {
//!     question: Question::Weak,
//!     engine: Engine::Interpreted,
//!     best: Best::One,
//!     detail: Detail::Outcome,
//!     check: Some(Amount::Some(10)),
//!     ..Options::default()
//! };
//! let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
//! let solved = solve(&game, &game.start, &options, &mut Monitor::unlimited())?;
//! let findings: &Findings = &solved.report;
//! assert!(!findings.repeats());
//!
//! // All that grows with the game is charged to one budget. Where that is too small, the error says so with figures.
//! let mut small = Monitor::new(&Limits { memory: 1000, time: None });
//! let memory: &Memory = small.memory();
//! assert_eq!(memory.free(), 1000);
//! let strong = Options { question: Question::Strong, ..Options::default() };
//! let error = solve(&game, &game.start, &strong, &mut small).err().unwrap();
//! assert!(matches!(error, SolveError::Limit { limit: Limit::Memory { limit: 1000, .. }, .. }));
//!
//! // A search may have proved something by then.
//! let bounds = Bounded { is_outcome: true, low: Some(0), high: Some(1), estimate: None };
//! let known = SolveError::Bounded { error: Box::new(error), bounds };
//! assert!(known.is_limit() && known.bounds() == Some(&bounds));
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! Progress is told about ten times a second:
//!
//! ```
//! use perfectplay::solving::{Expected, Monitor, Progress, Report};
//!
//! let report: Report = Box::new(|progress: &Progress| {
//!     if let Some(Expected { total, .. }) = progress.expected {
//!         eprintln!("{}: {} of {total} positions", progress.phase, progress.settled);
//!     }
//! });
//! let monitor = Monitor::unlimited().reporting_to(report);
//! # drop(monitor);
//! ```
//!
//! Whatever runs rules for long looks at the scope of its thread. Who calls the interpreter by hand opens one:
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! use perfectplay::language::Rules;
//! use perfectplay::moves;
//! use perfectplay::solving::{Limits, Monitor, Room, Scope, SolveError, Stopped, Watch, scope, stopped};
//!
//! // The limits of a monitor. Nothing was stopped here.
//! let nim = Rules::gallery("nim").unwrap().bind(r#"{"piles": [3, 4]}"#)?;
//! let watched = scope(&Monitor::new(&Limits::default()));
//! assert_eq!(moves::plays(&nim, &nim.start).unwrap().len(), 7);
//! assert_eq!(stopped(&watched), None);
//! drop(watched);
//!
//! // Or limits of your own: a flag, a deadline, room for what grows.
//! struct Small;
//! impl Room for Small {
//!     fn take(&self, bytes: u64) -> Result<(), Stopped> {
//!         if bytes > 1000 { Err(Stopped::Memory { limit: 1000, needed: bytes }) } else { Ok(()) }
//!     }
//!     fn give(&self, _: u64) {}
//! }
//! let cancel = Arc::new(AtomicBool::new(true));
//! let own = Scope::new(Watch { cancel: Some(cancel), room: Some(Arc::new(Small)), ..Watch::default() });
//! let large = Rules::gallery("nim").unwrap().bind(r#"{"piles": [1000000]}"#);
//! let looked = large.map(|nim| moves::plays(&nim, &nim.start).is_ok());
//! assert!(!looked.unwrap_or(false));
//! assert_eq!(stopped(&own), Some(SolveError::Interrupted { positions: 0 }));
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
