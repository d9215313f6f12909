//! A game on codes, as the engines see it: options, roots, symmetries, and what is worked out.

use std::sync::Arc;

use game::codes::{Options, Successors};

use crate::codes::kind::Kind;

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
    /// What tells the numbering of these codes from any other one, where snapshots are kept.
    pub identity: String,
}

impl<'g> Codes<'g> {
    /// A game without symmetries, for one thread.
    pub fn new(game: &'g dyn Successors, roots: &'g [u64], kind: Kind) -> Codes<'g> {
        Codes { game, roots, kind, canonical: None, size: 1 << 63, threads: 1, identity: String::new() }
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
