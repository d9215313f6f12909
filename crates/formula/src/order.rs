//! The order in which positions can be filled: a loop nest such that every move leads to a position filled before.

use crate::node::Node;

/// One loop of a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The cell that it counts through.
    pub cell: u32,
    /// Whether it counts up.
    pub ascending: bool,
}

/// A loop nest over all digits of a code.
#[derive(Clone, Debug)]
pub struct Order {
    /// The loops, outermost first. Each digit's cell occurs once.
    pub loops: Vec<Loop>,
    /// Every move goes strictly back in the first so many loops (lexicographically), so the loops after these may run in any
    /// order, side by side, or in lanes.
    pub strict: usize,
    /// A linear combination of cells (a node) that every move lowers strictly, if one is known: positions of the same value
    /// are independent of each other.
    pub wave: Option<Node>,
    /// No play has more moves than this, if a bound is known.
    pub longest: Option<u64>,
    /// The proof, in words for `explain`.
    pub why: String,
}
