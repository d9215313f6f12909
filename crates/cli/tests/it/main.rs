//! The binary from outside: what people and programs see of it.
//!
//! Most of it is data. A transcript (`tests/golden/*.txt`, and the `console` blocks of `README.md` and of the book in `docs`,
//! see [`book`]) is commands and what they print; [`transcript`] runs it again. `UPDATE_EXPECT=1 cargo test` rewrites what has
//! changed. What a transcript cannot say (signals, closed pipes, one JSON object) is in the other files.

mod batch;
mod book;
mod certificates;
mod cluster;
mod explorer;
mod fmt;
mod guess;
mod help;
mod json;
mod layers;
mod memory;
mod more;
mod prompt;
mod schema;
mod sequence;
mod signals;
mod stops;
mod streams;
mod support;
mod survey;
mod tables;
mod transcript;
