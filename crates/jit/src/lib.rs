//! Machine code for the formulas of one instance, made with Cranelift.
//!
//! The table of a game is filled, or its positions are expanded, by code that knows the rules: every guard, gain and
//! end is compiled in. The interpreter remains the reference, and takes over if something cannot be compiled
//! ([`JitError`]). Compiled code never explains a fault; it only reports the position. Read in this order:
//!
//! - [`module`]: memory with machine code in it. [`emit`]: nodes as Cranelift values; `divide`, `branch` and `decode`
//!   are its parts for division, conditional jumps and the digits of codes.
//! - [`expand`]: the options of one position, written into [`game::codes::Options`].
//! - [`fill`]: the values of all positions, by a loop nest fused with the rules.
//! - [`reverse`]: moves turned round, for retrograde analysis.

pub mod assembly;
mod branch;
mod decode;
mod divide;
pub mod emit;
mod error;
pub mod expand;
pub mod fill;
pub mod lists;
pub mod module;
pub mod program;
pub mod reverse;
pub mod ways;

pub use error::JitError;
pub use expand::{Expander, NodeFn, compile_node};
pub use fill::{Filler, Halt, Strategy, Values};
pub use game::codes::{Expanded, Gains, Options, Successors};
pub use reverse::{Retrograde, Reverser};
