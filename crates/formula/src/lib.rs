//! The rules of one instance as formulas, which planners analyse and compilers translate.
//!
//! ```text
//! bound game ──specialise──▶ Formulas ──study──▶ Study ──┬─ order, bounds, symmetries ──▶ plans
//!                                                        └─ codes ──▶ jit ──▶ machine code
//! ```
//!
//! Formulas are total and have no loops, so facts about all positions can be proved from them. Every fact here is
//! proved and carries its reason; nothing that a file declares is believed. Read in this order:
//!
//! - [`node`]: expressions over cells, each stored once, simplified, with ranges. [`facts`]: ranges where guards hold.
//! - [`formulas`]: a game written in nodes. [`eval`]: the value of a node at one position, slow and obvious.
//! - [`mod@specialise`]: from a bound game to its formulas. [`readings`]: the formulas and studies of one solve, each made
//!   once.
//! - [`mod@study`]: what is true of all positions, and in which [`order`] they can be filled. [`extremes`]: bounds of
//!   scores. [`skew`]: a change of variables that makes positions independent.
//! - [`symmetry`]: maps of positions that are proved to change nothing, declared or found. [`group`], [`orbits`]: one position for
//!   each orbit. [`layers`]: positions by how many stones there are, and dense numbers for them.
//! - [`tape`]: a few formulas as steps, for many positions, or for ranges of positions.
//! - [`numbering`]: positions as whole numbers. [`rewrite`], [`rebuild`]: formulas with other leaves, or in a new
//!   arena.

pub mod eval;
pub mod extremes;
pub mod facts;
pub mod formulas;
pub mod group;
mod invariant;
pub mod layers;
pub mod node;
pub mod numbering;
pub mod orbits;
pub mod order;
pub mod readings;
pub mod rebuild;
pub mod rewrite;
pub mod skew;
pub mod specialise;
pub mod study;
pub mod symmetry;
pub mod tape;
pub mod weight;

pub use formulas::{Action, Case, Count, EndResult, Formulas};
pub use layers::Layering;
pub use node::{Arena, Node, Op, Range};
pub use numbering::{Coded, Digit, Numbering, TurnPlace};
pub use order::{Loop, Order, Potential};
pub use readings::{Reading, Readings};
pub use skew::Skew;
pub use specialise::{Unsupported, specialise};
pub use study::{Study, study};
