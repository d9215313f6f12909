//! From text to a tree: [`lexer`], [`parser`] and the [`tree`] they make.
//!
//! The parser is written by hand, by recursive descent: the language is small, and only so can a message say what a
//! student meant. It always returns a tree and a list of mistakes; a mistake costs one statement or item, not the file.

pub mod expressions;
pub mod items;
pub mod lexer;
pub mod parser;
pub mod show;
pub mod statements;
pub mod token;
pub mod tree;
