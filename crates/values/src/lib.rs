//! The algebra of partizan games.

#![allow(missing_docs)]
pub mod arena;
mod atomic;
pub mod budget;
mod canonical;
mod compact;
mod cooling;
mod drawing;
pub mod error;
pub mod expression;
mod followers;
pub mod loopy;
pub mod name;
pub mod number;
pub mod order;
pub mod parts;
mod product;
mod reduced;
pub mod side;
mod stops;
mod sum;
mod table;
mod temperature;
pub mod thermograph;

pub use arena::{Arena, Compact, Statistics, Value};
pub use budget::{Allowance, Budget, Refusal};
pub use error::{Error, Result};
pub use expression::{Answer, Calculator, Positions};
pub use loopy::Loopy;
pub use number::Dyadic;
pub use order::Outcome;
pub use side::Side;
pub use thermograph::Thermograph;
