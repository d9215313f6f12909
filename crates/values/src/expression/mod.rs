//! The calculator: expressions of values, read and worked out.
//!
//! ```text
//! domineering(2,3) + 2*{1|-1} - ^*        sums, differences, multiples, games in braces
//! {2|0||0} || 0                           comparisons: < <= > >= = != || <| |>
//! cool({4|2||-1}, 1) : *2                 functions (see FUNCTIONS), ordinal sums
//! over + a{0||0|a}                        loopy games: on, off, over, under, dud, and labels
//! ```
//!
//! Literals are those of [`crate::name`]. All other names are positions, and so are paths that end in `.game` and texts
//! in quotes: a callback gives their values, so this crate need not know any rules. An error of a text carries its place in bytes.

pub mod answer;
pub mod evaluate;
pub mod functions;
pub mod parser;
pub mod tree;

pub use answer::Answer;
pub use evaluate::{Calculator, NoPositions, Positions};
pub use functions::{FUNCTIONS, Function};
pub use parser::parse;
pub use tree::{Expression, Named, Relation, Term};

use crate::arena::{Arena, Value};
use crate::error::{Error, Result};

impl Arena {
    /// Reads a value that was written by [`Arena::name`], or any expression without positions that gives a value.
    pub fn read(&mut self, text: &str) -> Result<Value> {
        match Calculator::new(self, &mut NoPositions).evaluate(text)? {
            Answer::Game(value) => Ok(value),
            other => Err(Error::at(0..text.len(), format!("a value is expected here, not {}", other.kind()))),
        }
    }
}
