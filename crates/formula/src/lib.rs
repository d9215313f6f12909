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
//! - [`mod@specialise`]: from a bound game to its formulas; [`readings`]: the formulas and studies of one solve, each made once.
//! - [`mod@study`]: what is true of all positions, and in which [`order`] they can be filled.
//! - [`formulas`]: what a game is, in nodes; [`eval`]: their meaning, evaluated one position at a time.

pub mod eval;
pub mod facts;
pub mod formulas;
pub mod group;
mod invariant;
pub mod node;
pub mod numbering;
pub mod order;
pub mod readings;
pub mod rebuild;
pub mod rewrite;
pub mod skew;
pub mod specialise;
pub mod study;
pub mod symmetry;
pub mod worth;

pub use formulas::{Action, Case, Count, Formulas, Worth};
pub use node::{Arena, Node, Op, Range};
pub use numbering::{Coded, Digit, Numbering, TurnPlace};
pub use order::{Loop, Order, Potential};
pub use readings::{Reading, Readings};
pub use skew::Skew;
pub use specialise::{Unsupported, specialise};
pub use study::{Study, study};
