//! The rules of one instance as formulas: what planners analyse and compilers translate.
//!
//! ```text
//! bound game ──specialise──▶ Formulas ──┬─ order ──▶ in which order positions can be filled, and why
//!                                       └─ jit   ──▶ machine code
//! ```
//!
//! - [`node`]: expressions over cells, hash-consed, simplified, with ranges; [`facts`]: ranges where guards hold.
//! - [`numbering`]: positions as whole numbers; [`rewrite`]: formulas with other leaves.
//! - [`symmetry`]: permutations of cells that are proved to change nothing; [`group`]: one position for each orbit.
//! - [`formulas`]: what a game is, in nodes; [`eval`]: their meaning, evaluated one position at a time.

pub mod eval;
pub mod facts;
pub mod formulas;
pub mod group;
pub mod node;
pub mod numbering;
pub mod order;
pub mod rewrite;
pub mod symmetry;

pub use formulas::{Action, Case, Count, Formulas, Worth};
pub use node::{Arena, Node, Op, Range};
pub use numbering::{Coded, Digit, Numbering, TurnPlace};
pub use order::{Loop, Order};
