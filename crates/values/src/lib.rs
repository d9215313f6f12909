//! The algebra of partizan games.
//!
//! A game in which each player has moves of their own has a *value*, and values add: numbers, switches, ups, stars and
//! what comes beyond. This crate works them out exactly. It knows nothing of rules: whoever does hands in options and
//! gets values.
//!
//! ```
//! use game::OutcomeClass;
//! use values::Arena;
//!
//! let mut arena = Arena::default();
//! let hot = arena.read("{2|-1}")?;
//! let switch = arena.read("±1")?;
//! let sum = arena.plus(hot, switch)?;
//! assert_eq!(arena.name(sum, 1000)?, "{3|1||0|-2}");
//! assert_eq!(arena.outcome(sum)?, OutcomeClass::L);
//! assert_eq!(arena.mean(sum)?.to_string(), "1/2");
//! # Ok::<(), values::Error>(())
//! ```
//!
//! Read in this order:
//!
//! - [`arena`]: every value once, under an id. [`number`]: dyadic numbers. [`mod@stops`], [`table`]: what makes it
//!   fast.
//! - [`order`], [`canonical`], [`sum`]: comparisons, canonical forms, sums and negatives. [`compact`]: numbers, ups,
//!   nimbers. [`judgement`]: which options are dominated or reversible.
//! - [`thermograph`], [`temperature`], [`cooling`], [`reduced`], [`atomic`], [`product`]: the rest of the theory, each
//!   built over the [`followers`] of a value.
//! - [`name`], [`expression`], [`drawing`]: values written and read, the calculator, thermographs drawn.
//! - [`loopy`]: games in which play can go on for ever.
//! - [`parts`]: values of positions that fall apart. [`search`]: who wins a sum, without its value.
//!
//! Every operation returns a [`Result`]: memory is asked for before it is used, numbers that do not fit are errors, and
//! no recursion follows the depth of a game.

pub mod arena;
pub mod atomic;
pub mod budget;
pub mod canonical;
pub mod compact;
pub mod cooling;
pub mod drawing;
pub mod error;
pub mod expression;
pub mod followers;
pub mod judgement;
pub mod loopy;
pub mod name;
pub mod number;
pub mod order;
pub mod parts;
pub mod product;
pub mod reduced;
pub mod search;
pub mod side;
pub mod stops;
pub mod sum;
pub mod table;
pub mod temperature;
pub mod thermograph;

pub use arena::{Arena, Compact, Statistics, Value};
pub use budget::{Allowance, Budget, Refusal};
pub use error::{Error, Result};
pub use expression::{Answer, Calculator, Named, Positions};
pub use judgement::Judgement;
pub use loopy::Loopy;
pub use number::Dyadic;
pub use side::Side;
pub use thermograph::Thermograph;
