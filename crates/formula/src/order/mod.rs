//! The order in which positions can be filled: a loop nest in which every move leads to a position filled before.
//!
//! ```text
//! i, m: every move raises i            for i descending { for m, in any order { … } }
//! heaps a, b: a move lowers a or b     for a ascending { for b ascending { … } }          a + b falls: a wave
//! ```
//!
//! The search for an order is greedy (`lexicographic`). The next loop runs over a cell that none of the unexplained
//! moves takes the wrong way; moves that change it strictly are then explained. This finds an order whenever one
//! exists, since taking a loop never stands in the way of another. A linear programme over all cells would also find
//! weighted sums; no game of the gallery needs them, and a sum gives no loop nest. Sums that every move lowers are
//! found separately (`potential`), for searches by layers.
//!
//! Reasons are words in which `{3}` stands for cell 3 and `{move 1}` for rule 1, see [`with_names`].

pub(crate) mod bound;
pub(crate) mod conditions;
pub(crate) mod effects;
mod lexicographic;
mod potential;

use crate::formulas::Formulas;
use crate::node::Node;
pub(crate) use lexicographic::{free_last, order_of, width};
pub use potential::Potential;
pub(crate) use potential::{potentials, wave};

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
    /// Every move goes strictly back in this many outer loops (lexicographically). So the loops inside them may run in
    /// any order, side by side, or in lanes.
    pub strict: usize,
    /// A linear combination of cells (a node) that every move lowers strictly, if one is known. Positions with equal
    /// values of it are independent of each other.
    pub wave: Option<Node>,
    /// No play has more moves than this, if a bound is known.
    pub longest: Option<u64>,
    /// The proof, in words for `explain`.
    pub why: String,
}

impl Order {
    /// The cells of the loops, outermost first: the digits of a code from the most significant on.
    pub fn cells(&self) -> Vec<u32> {
        self.loops.iter().map(|each| each.cell).collect()
    }
}

/// The text with the names of cells (`{3}`) and rules (`{move 1}`) filled in.
pub fn with_names(text: &str, cell: &dyn Fn(u32) -> String, rule: &dyn Fn(usize) -> String) -> String {
    let mut named = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inner, after)) = after.split_once('}') else { break };
        named.push_str(before);
        match (inner.strip_prefix("move ").and_then(|number| number.parse().ok()), inner.parse()) {
            (Some(number), _) => named.push_str(&rule(number)),
            (_, Ok(number)) => named.push_str(&cell(number)),
            _ => named.push_str(&format!("{{{inner}}}")),
        }
        rest = after;
    }
    named.push_str(rest);
    named
}

/// The cells that have more than one value.
pub(crate) fn open_cells(formulas: &Formulas) -> Vec<u32> {
    (0..).zip(&formulas.cells).filter(|(_, range)| range.single().is_none()).map(|(cell, _)| cell).collect()
}

/// A list of cells in words: at most three of them.
pub(crate) fn listed(cells: &[u32]) -> String {
    let names: Vec<String> = cells.iter().take(3).map(|cell| format!("{{{cell}}}")).collect();
    match (&names[..], cells.len()) {
        ([], _) => "nothing".to_owned(),
        ([only], 1) => only.clone(),
        ([a, b], 2) => format!("{a} and {b}"),
        ([a, b, c], 3) => format!("{a}, {b} and {c}"),
        _ => format!("{}, {} … {{{}}}", names[0], names[1], cells[cells.len() - 1]),
    }
}
