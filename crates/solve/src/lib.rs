//! Solving: from a bound game to a proved answer.
//!
//! ```text
//! bound game ──case──▶ facts, formulas ──plan──▶ plan ──method──▶ answers ──answer──▶ solution
//!                            ▲                             │
//!                            └──── given up, with reason ──┘
//! ```
//!
//! Read in this order: [`case`] is one instance with all that is known of it beforehand; [`method`] is the one door that every
//! method comes in by, and [`answers`] what comes back; [`methods`] are the rooms and their registry; [`mod@plan`] chooses;
//! [`solved`] carries out; [`answer`] puts the answer together. `positions` makes graphs of rules files for the engines,
//! [`rust_game`] of games written in Rust. On top stand [`compound`] (sums of different games), [`sequence`], [`compare`],
//! [`picture`], [`mod@survey`] and [`stored`]; nothing stands on them.
//!
//! What files declare is checked (`audit`), and every line of play is replayed from the rules before it is given.

pub mod answer;
pub mod answers;
mod audit;
pub mod canonical;
pub mod case;
pub mod compare;
pub mod compound;
mod declared;
pub mod error;
pub mod fact;
pub mod method;
pub mod methods;
pub mod options;
pub mod picture;
pub mod plan;
mod positions;
pub mod proof;
pub mod rated;
pub mod reason;
mod repeats;
pub mod rust_game;
pub mod sequence;
pub mod solved;
pub mod stored;
mod sum_walker;
pub mod survey;
