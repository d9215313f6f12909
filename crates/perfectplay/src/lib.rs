//! Exact solutions of finite games of perfect information, from rules that a person can read.
//!
//! ```
//! use perfectplay::{Instance, Limits, Monitor, Options};
//!
//! let rules = "game stones(n: int) {
//!     state { left in 0..=n = n; }
//!     move take(k in 1..=3) when k <= left { left -= k; }
//! }";
//! let program = std::sync::Arc::new(perfectplay::compile(rules).unwrap());
//! let instance = perfectplay::parse_instance(r#"{"n": 21}"#).unwrap();
//! let game = perfectplay::bind(&program, &instance).unwrap();
//! let answer = perfectplay::answer(&game, &Options::default(), &mut Monitor::new(&Limits::default())).unwrap();
//! assert_eq!(answer.winner.as_deref(), Some("first"));
//! assert_eq!(answer.best_moves.unwrap(), ["take(1)"]);
//! ```
//!
//! A game written in Rust implements [`Game`] and is solved by [`solve_game`]. This crate is a front: the language is
//! in `rules`, the methods are in `solve`, the vocabulary is in `game`, sequences of heaps and their periods are in `heaps`.

pub mod gallery;
pub mod sums;
pub mod testing;

pub use game::{End, Game, LoopyNimber, Nim64, Nimber, Outcome, OutcomeClass, Play, Player, Remoteness};
pub use rules::bind::{Bound, Position, bind};
pub use rules::compile;
pub use rules::diagnostic::Diagnostic;
pub use rules::instance::{Given, Instance, parse_given, parse_instance};
pub use rules::program::Program;
pub use solve::answer::{answer, solution};
pub use solve::check::{Amount, Checked, check};
pub use solve::compare::{Compare, compare};
pub use solve::compound::{
    Compound, SolvedSum, SumError, SumMove, SumPlay, SumPosition, Summand, SummandAnswer, solve_sum, sum_answer,
};
pub use solve::error::{Limit, SolveError};
pub use solve::game_graph::solve_game;
pub use solve::monitor::{Limits, Monitor, Progress};
pub use solve::options::{Engine, Options};
pub use solve::plan::{Method, Plan};
pub use solve::solution::Solution;
pub use solve::solved::Solved;
pub use solve::solver::solve;
pub use solve::stored::{About, TablePlan, Unfilled};
pub use solve::verdict::{RatedMove, Verdict, Worth};
pub use solve::walk::{Moved, Stop, WholeLine, whole as whole_line};
pub use table::{TableError, TableFile};

/// The crates behind this front, whole.
pub mod parts {
    pub use {game, heaps, rows, rules, solve, table};
}
