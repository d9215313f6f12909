//! Tables of all positions in a file, and what such a file says of itself.

#[doc(inline)]
pub use solve::stored::{Reader, TablePlan, Unfilled};
#[doc(inline)]
pub use table::{Pieces, TableError, TableFile};

pub use crate::json::About;
