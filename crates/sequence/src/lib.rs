//! The value of a game as one of its parameters runs: `g(0), g(1), g(2), …`.
//!
//! A [`Sequence`] grows in pieces ([`Sequence::extend`]), so that progress, limits and checkpoints are the caller's
//! business. Where its values come from is its [`Source`]: a heap game has methods that value all heaps up to the last in one
//! sweep, and theorems that prove a period; of any other game each instance is solved by itself, or one table answers many
//! (`shared`). [`Sequence::of`] asks the chooser of `solve` for the heap game. [`Summary`] tells what people ask of a sequence:
//! its period, its largest value, its rare values. [`saved`] is the form in which a long run is kept on a disk.

mod admitted;
mod alike;
mod choice;
mod error;
mod grid;
mod instances;
mod misere;
mod parameter;
pub mod saved;
mod shared;
mod sharing;
mod source;
mod stretch;
mod summary;
mod term;
mod terms;

pub use error::SequenceError;
pub use grid::{Axis, Grid};
pub use instances::{Instances, Runs, Unvalued};
pub use misere::{Found, Misere};
pub use source::{Source, heap_source};
pub use summary::{Largest, Rare, Repeats, Summary};
pub use term::{Term, TermKind};
pub use terms::{MOST_TERMS, Sequence};
