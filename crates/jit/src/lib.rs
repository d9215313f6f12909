//! Machine code for the formulas of one instance.

mod divide;
pub mod emit;
mod error;
pub mod module;
mod options;

pub use error::JitError;
pub use options::{Expanded, Gains, Options, Successors};
