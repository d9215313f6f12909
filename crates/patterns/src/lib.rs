//! Closed forms guessed from values alone.
//!
//! Values are [`Symbol`]s: numbers, or texts that are only compared. [`line::guess`] looks at the values as one number runs, and
//! [`plane::guess`] as two do. What comes back is a [`Form`]: it can be evaluated, and it is written in the rules language.
//!
//! A form must be much shorter than the values that it explains. Otherwise anything has one: a list of all values fits, and so
//! does a period that is seen once. What counts as short enough stands beside each kind of form. A guess is no proof, however many
//! values it fits.

pub mod form;
pub mod line;
pub mod numbers;
pub mod plane;

pub use form::{Form, Number, Symbol, Test};
