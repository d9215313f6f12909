//! Take-and-break games: a move takes tokens from a heap and leaves the rest as some number of heaps.
//!
//! Kayles, Dawson's chess, Grundy's game, Officers and every game with an octal or hexadecimal code live here.
//!
//! Read [`game`] for what a game is, [`code`] for how it is written, [`sequence`] for how its values grow, and
//! [`theorem`] for what proves a period. Three engines compute values, and all are exact at every term:
//!
//! * `plain` follows the definition with sets of values. It handles every game, and the first terms of all.
//! * `sparse` splits the indices into a few *rare* and many *common* ones, and searches witnesses instead of marking
//!   sets. It handles the games that break a heap in two and take finitely many tokens, and is some hundred times
//!   faster.
//! * `lazy` asks for single nimbers whether a split has them. It handles the games in which a move may take any number.
//!
//! ```
//! use heaps::take_break::{NimSequence, TakeAndBreak};
//! let kayles: TakeAndBreak = "0.77".parse().unwrap();
//! let mut sequence = NimSequence::new(kayles).unwrap();
//! sequence.extend(1000).unwrap();
//! assert_eq!(sequence.value(5), Some(4));
//! let (period, _) = sequence.period().unwrap();
//! assert_eq!((period.start, period.length), (71, 12));
//! assert_eq!(sequence.value(10u64.pow(18)), Some(1));
//! ```

pub mod code;
pub mod game;
mod lazy;
mod marks;
mod mask;
pub mod moves;
mod plain;
mod ring;
pub mod sequence;
mod set;
mod sparse;
pub mod theorem;
mod values;
mod vector;
mod witness;

pub use code::CodeError;
pub use game::{Digit, GameError, MOST_DIGITS, Residues, Split, TakeAndBreak};
pub use moves::{Moves, Take};
pub use sequence::{NimSequence, Rare, SequenceError};
pub use theorem::Theorem;
pub use values::Values;
