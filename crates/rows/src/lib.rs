//! Scored games on rows of numbers, at the speed their structure allows.
//!
//! The template D(S) = max over moves of gain − D(S') values every position by itself. Where the items of a list are taken
//! one after the other, there is more to know: whole rows collapse before anything is searched, and where the whole table
//! is wanted, its cells can be computed in lanes. This crate knows numbers only: `solve` recognises such a game in the
//! rules and describes it in the terms of this crate.
//!
//! - [`taking`]: rows and stacks, one item a move: values, best moves and lines of play without a table.
//! - [`triangle`]: all intervals of one row, as fast as the machine can write them.
//! - [`ahead`]: games that go forward through one list, several items a move.

pub mod ahead;
mod pace;
pub mod taking;
pub mod triangle;
