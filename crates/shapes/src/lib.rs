//! Shapes: games that are known under another name, found in the formulas of their rules.
//!
//! - [`heap`]: a position, or each part of it, is one number that moves take from or break up.
//! - [`row`]: a position is lists of numbers, and a move takes one from an open end.
//! - [`forward`]: a move goes forward through one list.
//! - [`local`]: a move looks at a few cells of a board and changes a few.
//!
//! Nothing is asked of the spelling: a recogniser reads formulas, not rules text. Each returns the game in the terms of the
//! theory behind it (the crates `heaps`, `rows` and `boards`) with its reason in words, or why the rules describe no such game, as a part
//! of a sentence. How these games are valued is not known here.

pub mod forward;
pub mod heap;
mod lead;
pub mod local;
pub mod row;
