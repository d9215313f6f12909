//! From text to a tree: [`lexer`], [`parser`] and the [`tree`] they make.
//!
//! The parser is written by hand, by recursive descent. The language is small, and a hand-written parser can say in its
//! messages what a student meant. It always returns a tree and a list of mistakes; a mistake costs one statement or
//! item, not the file.

pub mod expressions;
pub mod items;
pub mod judge;
pub mod lexer;
pub mod moves;
pub mod parser;
pub mod show;
pub mod statements;
mod template;
pub mod token;
pub mod tree;
