//! Rows and stacks: rules whose positions are lists of numbers, of which a move takes one from an open end.
//!
//! `recognise` reads them off the formulas of the rules, whatever way they are written in, and `game` says where the items
//! lie and which moves take them; `table` answers for positions by the theorem of [`rows::taking`], which needs no table
//! at all. What is not recognised is solved like any other game.

mod choice;
mod dependence;
mod game;
mod hands;
mod reader;
mod recognise;
mod shape;
mod table;
mod triangle;

pub(crate) use choice::{Chosen, choose};
pub(crate) use game::RowGame;
pub(crate) use table::RowTable;
pub(crate) use triangle::TriangleTable;
