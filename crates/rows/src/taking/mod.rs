//! Rows, open at both ends, and stacks, open at the top; a move takes one open item and gains its number.
//!
//! Textbooks fill a table of all intervals for one row, and call several rows hopeless. Neither is necessary.
//! Neighbours x ≤ y ≥ z play like the one item x − y + z. Fused until no peak is left, each list has its best at its
//! open ends, and everything is taken in falling order. The [`theorem`] module has the exact statement, its limits, and
//! the proof, which also shows that fused items may be played one by one and what a first move changes.
//!
//! - [`List`] is the input: a borrowed slice and a shape. A position in the middle of a game is the same with shorter
//!   slices.
//! - [`row_value`] and [`row_values`] answer for one row in linear time.
//! - [`sum_value`], [`first_moves`] and [`best_moves`] answer for sums in the time of sorting.
//! - [`line()`] plays a sum to its end, every move optimal.
//!
//! Values are `i128`: no sum of 64-bit items overflows that. All functions call a hook from time to time to ask whether
//! to go on.
//!
//! Memory is linear at worst and mostly far less, because random lists collapse to a few blocks. At worst, if the
//! numbers fit in 64 bits, one row takes 8 bytes per item for its value and 32 for its options; a sum takes about 40
//! bytes for each remaining block; a line about 120 for each block while it is sorted, and 24 afterwards. Numbers of
//! 128 bits take up to twice that.

mod ladder;
mod line;
mod list;
mod number;
mod reduction;
mod row;
mod sum;
pub mod theorem;

pub use crate::pace::Stopped;
pub use line::{Line, line};
pub use list::{End, List, Shape, Take};
pub use row::{RowOptions, RowValues, row_value, row_values};
pub use sum::{BestMoves, FirstMove, best_moves, first_moves, sum_value};
pub use theorem::{THEOREM, THEOREM_STATEMENT};
