//! Games that go forward through one list: a move passes some items, and gains by their prefix sums.
//!
//! A position is an index `i` from 0 to n; the items before it are gone. A move leads to an index `t > i` and gains
//! `arrive(t) − leave(i)`. With prefix sums in both places it gains the items passed; with prefix sums in the first
//! only, all items so far. The mover's value is the best of gain minus the value of the option.
//!
//! The plain method reads every target of every index: quadratic at best. But `leave(i)` is constant for all targets of
//! an index, so the question is the largest `arrive(t) − value(t)` of a window of indices, and sliding windows need not
//! be searched anew.
//!
//! - [`Gains`] says what moves gain.
//! - [`WindowGame`]: the targets of each index are a window of later indices. Linear time if windows slide.
//! - [`DoublingGame`]: how many items a move may pass depends on the most that was passed before. Constant time for
//!   each pair of an index and a bound.
//!
//! Both give the value of every position, every best move, and a line of play. No number wraps: a value that does not
//! fit in 64 bits is an [`AheadError`].

mod cross;
mod doubling;
mod error;
mod filling;
mod gains;
mod layout;
mod line;
mod maxima;
mod table;
mod window;

pub use doubling::{BestCounts, DoublingGame, DoublingLine, DoublingSolution, DoublingValues};
pub use error::AheadError;
pub use gains::Gains;
pub use line::Step;
pub use window::{BestTargets, WindowGame, WindowLine, WindowMethod, WindowSolution, Windows};
