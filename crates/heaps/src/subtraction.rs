//! Subtraction games: one heap, and a move takes stones from it. The heap only ever shifts.
//!
//! A move is described by [`Takes`]: a number, a range of numbers or all numbers from some on, with an optional least
//! heap that it needs and an optional rest that it must leave. [`Subtraction`] is a checked list of them, with normal
//! or misère play. Three sequences answer questions about it:
//!
//! | sequence | answers | method |
//! |---|---|---|
//! | [`Outcomes`] | who wins, and by which moves | 64 to 256 heaps at a time, one bit a heap |
//! | [`Nimbers`] | nim-values, and the moves to a wanted one | closed form, bit planes, or a sliding mex |
//! | [`Remotenesses`] | how long the game lasts | one maximum a move, many heaps at a time |
//!
//! Each grows with `extend`, which does exactly the piece it is asked for, and each looks for a period while it grows.
//! Every period it reports is proved, so heaps of 10^18 have exact answers:
//!
//! ```
//! use heaps::subtraction::{Nimbers, Outcomes, Subtraction, Takes};
//!
//! let game = Subtraction::new([1, 3, 4].map(Takes::one).to_vec(), false)?;
//! let mut outcomes = Outcomes::new(&game);
//! outcomes.extend(1000)?;
//! assert_eq!(outcomes.period().unwrap().length, 7);
//! assert_eq!(outcomes.outcome(1_000_000_000_000_000_000), Some(game::Outcome::Win));
//! assert_eq!(outcomes.winning_moves(1_000_000_000_000_000_000, 10).unwrap().takes, [1]);
//!
//! let mut nimbers = Nimbers::new(&game)?;
//! nimbers.extend(1000)?;
//! assert_eq!(nimbers.value(1_000_000_000_000_000_000), Some(1));
//! # Ok::<(), heaps::subtraction::SubtractionError>(())
//! ```
//!
//! # Why a window proves a period
//!
//! Let M be the largest number that a move takes, and let k be so large that no guard matters from k − M on. Then the
//! value of heap n ≥ k depends only on the M heaps below it, by one rule for all n. This is true of win or loss and of
//! nim-values, under normal and misère play (which differ only in heaps without a move, and those are all below k). If
//! the heaps k − M .. k repeat those of k − M + p .. k + p, then by induction on n, heap n and heap n + p have equal
//! values for all n ≥ k − M. So M consecutive matches suffice, and no more than start + length + M heaps need be
//! computed.
//!
//! Moves without an upper bound have no such window. [`Nimbers`] and [`Outcomes`] say what replaces it.

mod bits;
mod closed;
mod engine;
mod game;
mod kernel;
mod layers;
mod nimbers;
mod outcomes;
mod plan;
mod remoteness;
mod seek;
mod settle;
mod short;
mod sliding;
mod trail;

pub use self::game::{LIMIT, Moves, Subtraction, SubtractionError, Takes};
pub use nimbers::{Nimbers, SavedNimbers};
pub use outcomes::Outcomes;
pub use remoteness::Remotenesses;

/// The name under which periods of subtraction games are proved.
pub const THEOREM: &str = "a window as long as the largest move repeats";
/// The name under which arithmetic periods of nim-values are proved, where a move may take any large number.
pub const THEOREM_GROWING: &str = "a window and the largest value below it repeat, shifted";
/// The name under which heaps are settled for good, where a move may take any large number.
pub const THEOREM_UNBOUNDED: &str = "a move without bound reaches the same lost heaps from all larger heaps";
/// The name under which closed forms are proved.
pub const THEOREM_RANGE: &str = "moves of one range have nim-values in closed form";
