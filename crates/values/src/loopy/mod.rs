//! Loopy values: games in which play can go on for ever.
//!
//! A *stopper* is a game in which play that alternates always ends. Stoppers are ordered, add (where the sum has
//! stoppers for its sides) and have a simplest form, much like values without loops (Conway's and Siegel's theory;
//! Siegel, Combinatorial Game Theory, chapter VI). Any other game counts as two stoppers, where it has them: its
//! *onside* is what it is worth if endless play is a win for Left, its *offside* if it is a win for Right. `dud` is `on
//! & off`.
//!
//! What is claimed is checked: a simplified graph is compared with the one before, and a side is accepted only if both
//! inequalities are shown. Where no side is found, the error says so.
//!
//! - [`graph`]: games as graphs, sums, negatives, stoppers.
//! - [`survival`]: who survives in a difference, which is the order.
//! - [`simplest`]: the simplest form of a stopper.
//! - [`sides`]: the onside and the offside of any graph.
//! - [`pieces`]: large graphs, one group of positions that reach each other after another.
//! - [`watch`]: what all this may take.
//! - [`value`]: loopy values, their sum, order, outcome and names.

mod components;
pub mod graph;
pub mod pieces;
pub mod sides;
pub mod simplest;
pub mod survival;
pub mod value;
pub mod watch;

pub use graph::Graph;
pub use pieces::Pieces;
pub use value::Loopy;
