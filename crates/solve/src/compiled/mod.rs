//! Solving with compiled rules: which way is taken, and the way itself.
//!
//! ```text
//! bound game ──specialise──▶ formulas ──study──▶ order, invariants ──blueprint──▶ route ──run──▶ table by code
//! ```
//!
//! - [`blueprint`]: how positions are numbered and which route is taken, decided before anything is allocated.
//! - [`codec`]: positions to codes and back; `filled`: tables that a loop nest fills; `run`: the routes, carried out.
//!
//! The routes, quickest first: *fill* a dense table by a loop nest, *search* a dense table from the start, *hash* the
//! positions met; cyclic games go backwards from their ends. Rules that cannot be written as formulas are left to the
//! interpreter, and so are the smallest games, which it solves before code would be ready.

pub mod blueprint;
pub mod codec;
mod filled;
mod prepared;
mod probe;
mod run;
mod symmetries;
mod table;

pub use blueprint::{Blueprint, Route};
pub use codec::Codec;
pub use filled::Filled;
pub use prepared::Prepared;
pub(crate) use run::{Answered, Job, Machine, Unanswered, run};
pub(crate) use table::CompiledTable;
