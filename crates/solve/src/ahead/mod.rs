//! Games that go forward through one list: a move passes some items, and gains by sums of them.
//!
//! `recognise` reads them off the formulas of the rules, `columns` evaluates formulas for all places at once, `game` says
//! what was found; `table` answers with window maxima, see [`rows::ahead`]. What is not recognised is solved like any other
//! game.

mod columns;
mod game;
mod recognise;
mod table;

pub(crate) use game::AheadGame;
pub(crate) use recognise::recognise;
pub(crate) use table::{AheadTable, NoValues};
