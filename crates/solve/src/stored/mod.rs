//! Tables of all positions in a file: filled, read.
//!
//! ```text
//! bound game ──solve──▶ answers ──┐
//!      └────walk, option by option──┴─▶ keys and entries in order ──▶ blocks of a file ──▶ answers again
//! ```
//!
//! The game is solved by a method that has a value for every position (`filling`). Then the positions that play can reach are
//! walked (`reached`), numbered as the file numbers them (`table::Keys`), sorted, and written with their values. What the file holds follows
//! from the rules alone: neither the method nor the memory nor a stop changes a byte. `reading` makes answers of such a file.
//!
//! A long solve is kept in snapshots beside the file (`kept`), so that a run that was killed goes on.
//!
//! Rows that are open at both ends have files of another form, which may be far larger than the memory (`intervals`).

pub mod filling;
pub mod intervals;
mod kept;
mod reached;
mod reading;
mod trouble;

pub use filling::Filling;
pub use intervals::TableLayout;
pub use kept::keeping;
pub use reading::read;
pub use trouble::{Trouble, Unfilled};
