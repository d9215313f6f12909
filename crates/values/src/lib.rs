//! The algebra of partizan games.

#![allow(missing_docs)]
pub mod arena;
pub mod budget;
mod canonical;
mod compact;
pub mod error;
pub mod number;
pub mod order;
pub mod parts;
mod stops;
mod sum;
mod table;

pub use arena::{Arena, Compact, Side, Statistics, Value};
pub use budget::{Allowance, Budget, Refusal};
pub use error::{Error, Result};
pub use number::Dyadic;
pub use order::Outcome;
