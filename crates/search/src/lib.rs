//! Searches: the value of one position, proved without a table of all positions. No search knows rules.
//!
//! ```text
//! game (keys, options, ends) ──alpha-beta · proof numbers──▶ bounds of the value of one position
//! ```
//!
//! Read [`mod@game`] first: it is the template `D(S) = max over moves of gain − D(S')` as a search sees it. Won, drawn and lost are
//! the scores 1, 0, −1. [`table`] keeps what was proved of positions; [`alpha_beta`] and [`proof_number`] are the searches;
//! [`solver`] asks them questions and shares one between threads; [`bounded`] looks so many moves ahead and no further;
//! [`minimax`] and [`counts`] count what simpler searches would look at; [`race`](mod@race) lets the searches compete in short trials,
//! and [`turns`] lets the loser of a race come back.
//!
//! # What a search promises
//!
//! - Every bound in a table was derived from bounds that were there before it, down to ends of the game. So it holds whatever
//!   play outside of the derivation is like, and a collision of hashes cannot spoil it: whole keys are compared.
//! - Positions that repeat are met on the path of the search, and then the search stops with [`engine::Error::Cycle`]: what a
//!   repetition is worth would depend on the path, and a table knows no paths. Where no repetition is met, the derivations
//!   have no circles, and the bounds hold even if the game has them elsewhere.
//! - With one thread a search is the same to the node every time. With several the order of things depends on timing, the value
//!   does not: there is only one, and what is given was proved.
//!
//! Modules in the order in which they stand on one another: [`game`](mod@game), [`table`], `word`, `order`, `room`, [`alpha_beta`],
//! [`proof_number`], [`solver`], [`bounded`], [`race`](mod@race), [`turns`], [`minimax`], [`counts`].

pub mod alpha_beta;
pub mod bounded;
pub mod counts;
pub mod game;
pub mod minimax;
mod order;
pub mod proof_number;
pub mod race;
mod room;
pub mod solver;
pub mod table;
pub mod turns;
mod word;
