//! Machine code for the rules of one instance, made with Cranelift, in two ways.
//!
//! *Formulas*: the rules are unfolded into formulas first, which are studied and compiled. Tables are filled and moves turned
//! round this way, and small formulas expand positions most quickly. But loops and choices that unfold to much become much
//! code, and a position must fit in 63 bits.
//!
//! *The rules as they stand* ([`program`]): loops stay loops, so that the code is as long as the rules text, whatever the
//! instance; positions may have any number of bits. [`ways`] says which way is taken where both are open.
//!
//! The interpreter remains the reference, and takes over if something cannot be compiled ([`JitError`]). Compiled code never
//! explains a fault; it only reports the position. Read in this order:
//!
//! - [`module`]: memory with machine code in it. [`assembly`]: a module over formulas, with their [`lists`].
//! - [`emit`]: nodes as Cranelift values; `divide`, `branch` and `decode` are its parts for division, conditional jumps and
//!   the digits of codes.
//! - [`expand`]: the options of one position, written into [`game::codes::Options`].
//! - [`fill`]: the values of all positions, by a loop nest fused with the rules.
//! - [`reverse`]: moves turned round, for retrograde analysis.
//! - [`program`]: the rules as they stand.

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
pub use fill::{Filler, Halt, Outline, Strategy, Values};
pub use game::codes::{Expanded, Gains, Options, Successors};
pub use reverse::Retrograde;
