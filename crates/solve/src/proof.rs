//! How far an answer is backed.

use std::fmt;

/// What an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Every position that counts was valued.
    Table,
    /// A search proved it, move by move, without a table of all positions.
    Search,
    /// A theorem, by name.
    Theorem(String),
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::Table => f.write_str("table"),
            Proof::Search => f.write_str("search"),
            Proof::Theorem(name) => write!(f, "theorem: {name}"),
        }
    }
}
