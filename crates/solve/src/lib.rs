//! Solving: from a bound game to a proved answer.

pub mod error;
pub mod graph;
