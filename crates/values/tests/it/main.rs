//! The tests of the crate, as one binary.

mod algebra;
mod board;
mod calculator;
mod clobber;
mod days;
mod definitions;
mod domineering;
mod heat;
mod limits;
mod literature;
mod loops;
mod names;
mod oracle;
mod search;
