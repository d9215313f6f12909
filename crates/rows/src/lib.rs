//! Scored games on rows of numbers, at the speed their structure allows.
//!
//! The template D(S) = max over moves of gain − D(S') values every position by itself. If the items of a list are taken
//! one after the other, more is known: whole rows collapse before anything is searched, and if the whole table is
//! wanted, its cells can be computed in lanes. This crate knows only numbers: `shapes` recognises such a game in the
//! rules and describes it in the terms of this crate. Read in this order:
//!
//! - [`taking`]: rows and stacks, one item a move: values, best moves and lines of play without a table. Begin with its
//!   `theorem`.
//! - [`triangle`]: all intervals of one row, as fast as the machine can write them.
//! - [`ahead`]: games that go forward through one list, several items a move.
//! - `pace`: long work that its caller can stop.

pub mod ahead;
mod pace;
pub mod taking;
pub mod triangle;
