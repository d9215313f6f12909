//! Engines on codes: positions are numbers, options come from [`game::codes::Successors`], mostly compiled rules.
//!
//! - [`dense_search`]: no positions repeat and the codes are few enough to index a table.
//! - [`hashed_search`]: no positions repeat; codes have up to 63 bits and lie in a hash table, or in pages
//!   where many lie close together.
//! - [`layered_search`]: hashed too, on many threads, where a number is known that every move lowers.
//! - [`dense_retrograde`]: positions may repeat, a bit for each code fits in memory, the game is won and lost by two.
//!
//! All make a [`CodeTable`], all charge their memory before they use it, and none knows rules. The engines on a
//! [`crate::graph::Graph`] do the same for positions of any form, numbered as they are met, and are what these are
//! compared with; to know a position by its code saves the table that numbers it.

mod cell;
mod discovery;
mod first_level;
mod frames;
mod hashed;
mod kind;
mod layers;
mod line;
mod paged;
mod ranked;
mod ranks;
mod records;
mod retrograde;
mod search;
mod source;
mod store;
mod table;

pub use kind::Kind;
pub use layers::{always_layered_search, layered_search};
pub use retrograde::{Mover, dense_retrograde};
pub use search::{dense_search, hashed_search};
pub use source::{Codes, Map};
pub use table::CodeTable;
