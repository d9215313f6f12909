//! The rules language: from text to a game that can be asked for its moves.

pub mod diagnostic;
pub mod fault;
pub mod program;
pub mod span;
pub mod types;
