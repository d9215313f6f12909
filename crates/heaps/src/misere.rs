//! Misère play of heap games: whoever cannot move wins.
//!
//! In normal play every impartial position equals one nim-heap. In misère play this fails, and no short symbol says how
//! a position behaves in every sum. Five tools share the work, from the general to the strong:
//!
//! * [`Forms`]: the canonical forms of misère games, equal exactly when two games can replace each other in every sum.
//! * [`Genus`]: Conway's symbol `g^{g0 g1 g2 …}`. It decides sums of *tame* games, and only those.
//! * [`Sums`]: the outcome and the genus of any sum of heaps, by a search that remembers, with the two above as short cuts.
//! * [`Quotient`]: the misère quotient of Plambeck and Siegel. Where it is finite it decides every sum at once, and where
//!   the map of heaps is periodic over a long enough window it does so for heaps of every size.
//! * [`Classes`]: sums of heaps of any size, by the strongest of these tools that a game allows.
//!
//! A heap game is described by the options of each heap ([`HeapRules`]). All work is bounded by [`Limits`]; reaching a
//! limit is an [`Error`] with the figure in it, never a guess.
//!
//! ```
//! use heaps::misere::{Limits, Quotient};
//!
//! // Nim: a heap may be made any smaller heap.
//! let nim = |heap: u32| (0..heap).map(|rest| vec![rest]).collect::<Vec<_>>();
//! let quotient = Quotient::of(nim, 3, Limits::default()).unwrap();
//! assert_eq!(quotient.order(), 6);
//! assert_eq!(quotient.p_types(), 2);
//! assert_eq!(quotient.is_loss(&[2, 2]), Some(true));
//! assert_eq!(quotient.is_loss(&[1, 1]), Some(false));
//! ```

pub mod classes;
pub mod error;
pub mod form;
mod games;
pub mod genus;
pub mod quotient;
pub mod rules;
mod search;
pub mod sums;
pub mod tame;
mod watch;

pub use classes::{Class, Classes, NoClasses, Rules};
pub use error::{Error, Limits, Resource};
pub use form::{Form, Forms};
pub use genus::{Genus, Nature, Tame};
pub use quotient::{Element, Presentation, Quotient};
pub use rules::{HeapMove, HeapRules, Uniform};
pub use sums::Sums;
pub use tame::TameHeaps;
