//! Solving: from a bound game to a proved answer.
//!
//! ```text
//! bound game ──case──▶ facts, formulas ──chooser──▶ plan ──method──▶ answers ──answer──▶ solution
//!                            ▲                                │              │
//!                            └───── given up, with reason ────┴──────────────┘
//! ```
//!
//! Read in this order: [`case`] is one instance with all that is known of it beforehand; [`methods`] says what a method is and
//! which there are, one room each, and [`answers`] what comes back from one; [`chooser`] makes [plans](plan); [`solved`] carries them
//! out; [`answer`] puts the answer together. What the rules show of positions, graphs of them, and errors come from the crate
//! `positions` ([`facts`], [`error`], [`stopping`]). Values of partizan games come from [`part_values`] and `game_valuer`. On top
//! stand [`compound`] (sums of different games), [`compare`], [`picture`], [`mod@survey`] and [`stored`]; nothing stands on them.
//! The crates `sequence` and `certificate` go on from here.
//!
//! # Walks
//!
//! From `cli/src/commands/solve/mod.rs` to the printed answer a solve passes these files, none of them twice:
//! `answer/mod.rs` → `solved.rs` → `chooser.rs` → `case.rs` → `methods/mod.rs` → one room → `plan.rs` → `answers.rs` → `answer/line.rs` →
//! `answer/solution.rs`.
//!
//! | game | the room |
//! |---|---|
//! | `coins` | `methods/row/mod.rs`, `theorem.rs` |
//! | `kayles` | `methods/grundy.rs`, `by_parts.rs` |
//! | `m_n_k` | `methods/search.rs`, `compiled.rs`, `sampling.rs` |
//!
//! # Where things are
//!
//! - How many positions there are is found by a sample of play (`methods/sampling.rs`). Its graph is kept: the plan goes on from it.
//! - Who needs a method that can do more than answer for the start asks by [`methods::Ability`]: surveys, sums, `build` ([`stored`]),
//!   `sequence`. A look so many moves ahead (`answer/ahead.rs`) solves nothing and has no plan.
//! - Searches prove moves on demand (`methods/proving`): their answers keep the search, its table and a monitor of the same solve.
//! - A field of the answer is filled in `answer/mod.rs`; where it applies to them, also for sums of different games
//!   (`compound/answer.rs`) and for looks ahead (`answer/ahead.rs`). Its text is the command line's; examples may name it once it is in
//!   `crates/rules/src/check/results.rs`.
//! - Values of partizan games come from the method that has them ([`part_values`]) or from `game_valuer`. `answer/canonical_value.rs` puts
//!   them beside an answer, `answer/judged` judges moves by them, `answer/repeating.rs` finds loopy ones, `compound/forms.rs` adds
//!   those of different games.
//! - [`mod@survey`] walks all positions of a solved game; `survey/family_values.rs` values a family of positions with one valuer.
//!
//! What files declare is checked ([`positions::audit`]), and every line of play is replayed from the rules before it is given.
//!
//! Words that are near to one another, and what each means here:
//!
//! | word | what it is |
//! |---|---|
//! | **value** | what a position is worth to its mover: an outcome, a score, a nimber, one total a player |
//! | **verdict** | the value of one position as a type ([`game::Verdict`]), with remoteness where that is known |
//! | **plan** | the method that will be used, why, and at what cost ([`plan::Plan`]); nothing is solved yet |
//! | **prepared** | the work of a plan, ready to be run ([`methods::Prepared`]) |
//! | **answers** | what a method leaves behind: a verdict for every position that it met ([`answers::Answers`]) |
//! | **solved** | a plan that was run, with its answers ([`solved::Solved`]); it can be asked about positions |
//! | **solution** | what people are told of the start: winner, best moves, line, proof ([`answer::solution::Solution`]) |
//! | **play** | one legal move with what it does ([`rules::play::Play`]); **rated**: with what it is worth |
//! | **line** | one play of the game from a position on, best moves only ([`answer::line::Line`]) |
//! | **walk** | the way along a line, move by move ([`answers::Walker`]), or over all positions (`survey`) |
//! | **part** | one component of a sum within one rules file; a **summand** is one of a sum of different games |

pub mod answer;
pub mod answers;
pub mod case;
pub mod chooser;
pub mod compare;
pub mod compound;
pub mod error;
mod game_valuer;
pub mod methods;
pub mod options;
pub mod part_values;
pub mod picture;
pub mod plan;
mod solo;
pub mod solved;
pub mod stored;
pub mod survey;
pub mod value_text;
mod whole;

pub use engine::numbers;
pub use positions::{facts, stopping};
