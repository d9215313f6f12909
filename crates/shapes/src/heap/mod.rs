//! Heap games: rules whose position, or each part of it, is one number that moves take from or break up.
//!
//! [`recognise`] takes every action apart into linear conditions (`linear`) on what is taken and what is left (`piece`), and
//! puts the pieces together into a game that the library `heaps` knows (`game`).

mod game;
mod linear;
mod piece;
mod recognise;

pub use game::HeapGame;
pub use piece::Piece;
pub use recognise::{Heap, recognise};
