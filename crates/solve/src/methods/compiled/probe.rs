//! A quick look at the first positions: whether hardly any can be reached, so that a large table need not be filled.

use std::collections::HashSet;

use game::codes::{Expanded, Options, Successors};

/// Whether no more than `most` positions can be reached.
pub fn reaches_at_most(game: &dyn Successors, roots: &[u64], most: usize) -> bool {
    let mut options = Options::default();
    let mut met: HashSet<u64> = roots.iter().copied().collect();
    let mut open: Vec<u64> = met.iter().copied().collect();
    while let Some(code) = open.pop() {
        if met.len() > most {
            return false;
        }
        if game.expand(code, &mut options) == Expanded::Options {
            open.extend(options.codes.iter().filter(|&&option| met.insert(option)));
        }
    }
    true
}
