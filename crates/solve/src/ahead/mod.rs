//! Games that go forward through one list: a move passes some items, and gains by sums of them.
//!
//! `recognise` reads them off the formulas of the rules, `columns` evaluates formulas for all places at once, `game` says
//! what was found, `choice` whether it is used; `table` answers with window maxima, see [`rows::ahead`]. What is not recognised is solved like any other
//! game.

mod choice;
mod columns;
mod game;
mod recognise;
mod table;

pub(crate) use choice::choose;
pub(crate) use table::{AheadTable, NoValues};
