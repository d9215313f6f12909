//! How much of a triangle is kept.

use std::fmt;

/// What is kept of a triangle, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// The leads of the intervals that start with the first item, the whole row among them; linear memory.
    Value,
    /// As [`Storage::Value`], and a bit for every interval: whether taking the first item is best. (A set bit means
    /// no.)
    Moves,
    /// The leads of all intervals.
    Table,
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Storage::Value => "values, rolling",
            Storage::Moves => "values rolling, one bit of best move a cell",
            Storage::Table => "the whole table",
        })
    }
}
