//! Sequences from outside: terms against the instances solved one by one, and what is said of all terms.

mod claims;
mod common;
mod movers;
mod shared;
mod terms;
