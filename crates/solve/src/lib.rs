//! Solving: from a bound game to a proved answer.

pub mod bits;
pub mod error;
pub mod game_graph;
pub mod graph;
pub mod induction;
pub mod memory;
pub mod monitor;
pub mod multiset_table;
pub mod position_table;
pub mod retrograde;
pub mod segmented;
pub mod slots;
pub mod valuation;
