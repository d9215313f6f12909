//! Tests of the searches, all in one binary.

mod ahead;
mod graphs;
mod random;
mod table;
mod turns;
