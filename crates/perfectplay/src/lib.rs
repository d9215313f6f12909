//! Exact solutions of finite games of perfect information, from rules that a person can read.
//!
//! ```
//! let rules = "game stones(n: int) {
//!     state { left in 0..=n = n; }
//!     move take(k in 1..=3) when k <= left { left -= k; }
//! }";
//! let solution = perfectplay::solve(rules, r#"{"n": 21}"#)?;
//! assert_eq!(solution.winner.unwrap().to_string(), "first");
//! assert_eq!(solution.best_moves.unwrap()[0].label, "take(1)");
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! [`solve()`] is the shortest way. [`Solver`] takes limits, threads, a method, progress and a stop button, and gives the answer, the
//! plan, or the solved game, which can be asked about every position. A game written in Rust needs one `impl` of
//! [`rust_games::Game`]. Everything else is found by topic:
//!
//! | module | what it is about |
//! |---|---|
//! | [`gallery`] | games that come with the library, by name |
//! | [`language`] | rules files, instances, positions, diagnostics |
//! | [`answer`] | the typed solution and its vocabulary; greedy play; pictures of intervals |
//! | [`moves`] | legal moves, rated moves, lines of play |
//! | [`positions`] | positions as JSON and as drawings |
//! | [`scene`] | what a page draws of a position, and where moves are on it |
//! | [`view`], [`words`] | everything that a page shows of a position; results in words |
//! | [`lookahead`] | moves for games too large to solve; nothing is proved |
//! | [`plan`] | what is done with a game and why; the names of the methods |
//! | [`solving`] | limits, progress, options, the solved game, errors |
//! | [`sums`] | sums of different games |
//! | [`sequence`] | values as one parameter runs or two, and their periods |
//! | [`guess`] | closed forms of values, guessed, written as claims and tested |
//! | [`survey`] | statistics over all positions, or over the instances of a sample |
//! | [`tables`] | tables of all positions in files |
//! | [`certificates`] | proofs in files, written with an answer and checked by a stranger |
//! | [`mod@values`] | the algebra of games: a calculator that knows positions |
//! | [`family`] | families of positions: which variables go through which values |
//! | [`numbers`] | numbers as people read them, and the one source of chance |
//! | [`testing`] | the examples and claims that a rules file carries |
//! | [`instances`] | instances to try: the sample of a rules file, its edges |
//! | [`rust_games`] | games written in Rust |
//! | [`json`] | all of it as JSON, described by `docs/schema.json` |
//!
//! This crate is a front: types that it does not define are documented where they live.

// What is public can be reached, so that the list of what has an example is the list of what users see.
#![warn(unreachable_pub)]

pub mod answer;
pub mod certificates;
mod claims;
mod error;
pub mod family;
pub mod gallery;
mod game_graph;
mod game_moves;
mod game_search;
mod game_solution;
pub mod guess;
pub mod instances;
pub mod json;
pub mod language;
pub mod lookahead;
pub mod moves;
pub mod numbers;
mod place;
pub mod plan;
pub mod positions;
mod report;
pub mod rust_games;
pub mod scene;
pub mod sequence;
mod solver;
pub mod solving;
mod source;
pub mod sums;
pub mod survey;
mod table_counts;
pub mod tables;
pub mod testing;
pub mod values;
pub mod view;
pub mod words;

pub use answer::Solution;
pub use error::{Error, Mistakes};
pub use solver::Solver;
pub use solving::{SolveError, Solved};

/// Solves a game from the text of its rules and an instance, which is a JSON object of its parameters.
///
/// [`gallery::find`] gives the rules of a game by its name.
///
/// ```
/// let coins = perfectplay::gallery::find("coins").unwrap();
/// let solution = perfectplay::solve(coins, r#"{"coins": [5, 3, 7, 10]}"#)?;
/// assert_eq!(solution.value, Some(5));
/// assert_eq!(solution.best_moves.unwrap()[0].label, "right");
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn solve(rules: &str, instance: &str) -> Result<Solution, Error> {
    Solver::new().solve(rules, instance)
}

/// The programs of the guide's chapter on this library run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/rust.md")]
struct Guide;
