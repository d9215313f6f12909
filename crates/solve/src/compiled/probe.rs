//! Quick looks at the first positions, before a method is settled.
//!
//! Whether hardly any position can be reached, so that a large table need not be filled; and whether there is a cycle, so
//! that a game whose positions repeat goes backwards at once. Where nothing shows that positions cannot repeat, a depth-first walk of a few thousand positions mostly meets a cycle if
//! there is one. If it meets none, nothing is known, and the search proper will tell.

use std::collections::{HashMap, HashSet};

use jit::{Expanded, Options, Successors};

/// How many positions are looked at.
const MOST: usize = 4096;

/// The codes of a cycle in the order of play, if one is met.
pub(crate) fn cycle(game: &dyn Successors, root: u64) -> Option<Vec<u64>> {
    let mut options = Options::default();
    // For each code met: its place on the path, or none once it was left.
    let mut met: HashMap<u64, Option<usize>> = HashMap::new();
    let mut path: Vec<(u64, Vec<u64>)> = Vec::new();
    let mut enter = |code: u64, depth: usize, met: &mut HashMap<u64, Option<usize>>| {
        met.insert(code, Some(depth));
        match game.expand(code, &mut options) {
            Expanded::Options => Some((code, options.codes.clone())),
            Expanded::End | Expanded::Fault => Some((code, Vec::new())),
        }
    };
    path.extend(enter(root, 0, &mut met));
    while let Some((code, rest)) = path.last_mut() {
        let Some(option) = rest.pop() else {
            met.insert(*code, None);
            path.pop();
            continue;
        };
        match met.get(&option) {
            Some(Some(depth)) => return Some(path[*depth..].iter().map(|(code, _)| *code).collect()),
            Some(None) => {}
            None if met.len() >= MOST => return None,
            None => {
                let depth = path.len();
                path.extend(enter(option, depth, &mut met));
            }
        }
    }
    None
}

/// Whether no more than `most` positions can be reached.
pub(crate) fn reaches_at_most(game: &dyn Successors, roots: &[u64], most: usize) -> bool {
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
