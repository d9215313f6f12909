//! Machine code for the formulas of one instance.
//!
//! - [`emit`]: nodes as Cranelift values, `branch`: conditions as jumps; [`module`]: memory with machine code in it.
//! - [`expand`]: the options of one position.

mod branch;
mod decode;
mod divide;
pub mod emit;
mod error;
pub mod expand;
pub mod fill;
pub mod module;
pub mod reverse;

pub use error::JitError;
pub use expand::{Expander, NodeFn, compile_node};
pub use fill::{Filler, Halt, Strategy, Values};
pub use game::codes::{Expanded, Gains, Options, Successors};
pub use reverse::{Retrograde, Reverser};
