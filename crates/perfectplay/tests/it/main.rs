//! The front: the gallery as it is shipped, sums and positions from text, looking ahead. What solves games is tested in `solve`.

mod certificates;
mod claims;
mod explanations;
mod gallery;
mod lookahead;
mod positions;
mod rust_games;
mod rust_graphs;
mod scenes;
mod stops;
mod sums;
mod tables;
mod testing;
