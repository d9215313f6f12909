//! Engines on codes: positions are numbers, options come from [`game::codes::Successors`], mostly compiled rules.
//!
//! - [`dense_search`]: no positions repeat and the codes are few enough to index a table.
//! - [`hashed_search`]: the same with codes of up to 63 bits in a hash table.
//! - [`layered_search`]: hashed too, on many threads, where a number is known that every move lowers.
//! - [`dense_retrograde`]: positions repeat, the codes are few enough, the game is won and lost by two.
//!
//! All make a [`CodeTable`], all charge their memory before they use it, and none knows rules. The methods on a
//! [`crate::graph::Graph`] do the same for positions of any form, numbered as they are met, and are what these are
//! compared with; to know a position by its code saves the table that numbers it.

mod backward;
mod buckets;
mod cell;
mod crew;
mod discovery;

mod frames;
mod hashed;
mod hints;

mod kind;
mod layers;
mod line;
mod list;
mod retrograde;
mod search;
mod store;
mod table;

use std::sync::Arc;

use game::codes::{Options, Successors};

pub use discovery::Extent;
pub use kind::{Kind, Value};
pub use layers::{always_layered_search, layered_search};
pub use retrograde::{Mover, dense_retrograde};
pub use search::{dense_search, hashed_search};
pub use table::CodeTable;

/// A function of codes that threads can share and a table can keep.
pub type Map = Arc<dyn Fn(u64) -> u64 + Send + Sync>;

/// A game as the engines see it. Codes are below 2^63.
pub struct Codes<'g> {
    /// The options of a position.
    pub game: &'g dyn Successors,
    /// The codes from which play can begin.
    pub roots: &'g [u64],
    /// What is worked out.
    pub kind: Kind,
    /// Symmetries: the code that stands for all of its class.
    pub canonical: Option<Map>,
    /// All codes are below this.
    pub size: u64,
    /// How many threads may be used; the answer does not depend on it.
    pub threads: usize,
}

impl<'g> Codes<'g> {
    /// A game without symmetries, for one thread.
    pub fn new(game: &'g dyn Successors, roots: &'g [u64], kind: Kind) -> Codes<'g> {
        Codes { game, roots, kind, canonical: None, size: 1 << 63, threads: 1 }
    }

    /// Whether keys of 32 bits will do for all codes, each plus one.
    pub(crate) fn have_short_keys(&self) -> bool {
        self.size < 1 << 32
    }

    /// The code that stands for a code.
    #[inline]
    pub(crate) fn canonical(&self, code: u64) -> u64 {
        match &self.canonical {
            Some(canonical) => canonical(code),
            None => code,
        }
    }

    /// Replaces the options by those that stand for them.
    #[inline]
    pub(crate) fn canonical_options(&self, options: &mut Options) {
        if let Some(canonical) = &self.canonical {
            for option in &mut options.codes {
                *option = canonical(*option);
            }
        }
    }
}
