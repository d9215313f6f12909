//! The tests of the crate, as one binary.

mod board;
mod domineering;
