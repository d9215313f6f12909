//! What is true at every position that can be reached, though the domains do not say so.
//!
//! Each fact is proved by induction: it holds at the start, and every step keeps it, given its guard and what is known
//! already. So a fact can help to prove the next, but never itself.
//!
//! - [`bounds`]: cells and differences of cells that stay within bounds (`i <= j`).
//! - [`equations`]: cells that others determine.
//! - [`turn`]: whose turn it is, where the parity of something tells.

pub(crate) mod bounds;
pub(crate) mod equations;
pub(crate) mod turn;
