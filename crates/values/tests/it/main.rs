//! The tests of the crate, as one binary.

mod algebra;
mod board;
mod days;
mod domineering;
mod oracle;
