//! Heap games: rules whose position, or each part of it, is one number that moves take from or break up.
//!
//! `recognise` reads their moves off the formulas of the rules, whatever way they are written in, as `piece`s; `game` puts
//! these together in the terms of the library `heaps`; `table` computes as much of the sequence of values as is asked for, with a proved period
//! where there is one; `choice` says whether that is used; `moves` leads from values back to the
//! moves of the rules. What is not recognised is solved like any other game.

mod choice;
mod game;
mod linear;
mod moves;
mod parameter;
mod piece;
mod recognise;
mod table;

pub use game::HeapGame;
pub use parameter::heap_game;

pub(crate) use choice::{Heaps, SEARCHED_HEAP, choose};
pub(crate) use moves::{HeapMove, Wanted};
pub(crate) use table::HeapTable;
