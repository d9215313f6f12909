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
pub use positions::{error, facts, stopping};
