//! Games that go forward through one list: a move passes some items, and gains by sums of them.
//!
//! [`recognise`] reads them off the formulas; `columns` evaluates formulas for all places at once; `game` says what was found.

mod columns;
mod game;
mod recognise;

pub use game::{ForwardGame, Reach, bands};
pub use recognise::recognise;
