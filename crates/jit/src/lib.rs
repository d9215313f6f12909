//! Machine code for the formulas of one instance.

mod options;

pub use options::{Expanded, Gains, Options, Successors};
