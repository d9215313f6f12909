//! Rows and stacks: rules whose positions are lists of numbers, of which a move takes one from an open end.
//!
//! [`recognise`] finds which actions shift which cells (`shape`), on what guards and gains depend then (`dependence`), and
//! reads the items of each list (`reader`); `game` says where the items lie and which moves take them.

mod dependence;
mod game;
mod reader;
mod recognise;
mod shape;

pub use game::{Ends, Extra, Gone, Hand, List, Numbers, RowGame};
pub use recognise::{Row, recognise};
pub use shape::MOST_LISTS;
