//! Heap games: rules whose position, or each part of it, is one number that moves take from or break up.
//!
//! `recognise` reads them off the formulas of the rules, whatever way they are written in, and describes the game in the
//! terms of the library `heaps`; `table` computes as much of the sequence of values as is asked for, with a proved period
//! where there is one; `choice` says whether that is used; `moves` leads from values back to the moves of the rules. What is not recognised is solved like any
//! other game.

mod choice;
mod linear;
mod moves;
mod parameter;
mod piece;
mod recognise;
mod table;

pub use parameter::heap_game;
pub use recognise::HeapGame;

pub(crate) use choice::{Heaps, SEARCHED_HEAP, choose};
pub(crate) use moves::{HeapMove, Wanted};
pub(crate) use table::HeapTable;
