//! What is true at every reachable position, though the domains do not say so.
//!
//! Each fact is proved by induction: it holds at the start, and every step preserves it, given its guard and the facts
//! already proved. So a fact can help to prove the next, but never itself.
//!
//! - [`bounds`]: cells and differences of cells that stay within bounds (`i <= j`).
//! - [`equations`]: cells that others determine.
//! - [`turn`]: whose turn it is, if the parity of a count shows it.

pub(crate) mod bounds;
pub(crate) mod equations;
pub(crate) mod turn;
