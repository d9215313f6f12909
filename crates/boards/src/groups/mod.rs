//! Variables that no move ties together: forty counters in one array are forty games side by side.
//!
//! [`crate::local`] lists what may stand on each cell, which is for cells of a few values. Here cells may have millions of
//! values, and moves stay formulas. A position falls apart by *ranges*: what a cell may still come to hold, found from above.
//! A move whose condition is false on these ranges is dead, a cell that no live move writes is settled and becomes a number
//! in the formulas, and cells that one live move reads or writes belong together.
//!
//! ```text
//! Formulas ──root kind──▶ Kind ──fall──▶ groups of cells ──kind──▶ one Kind for all groups with the same formulas
//!                           └──────────────── positions of groups, each once ──▶ values, added up
//! ```
//!
//! Groups whose formulas are the same but for the names of their cells are of one [`kind::Kind`], and share all values.
//! Read in this order: [`kind`], `kinds`, `fall`, `table`, [`valuer`]; [`endless`] says which `end`s do not matter.

pub mod endless;
mod fall;
pub mod kind;
mod kinds;
mod table;
pub mod valuer;

pub use valuer::Groups;
