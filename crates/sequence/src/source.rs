//! Where the values of a sequence come from.

use std::fmt;

use heaps::HeapSequence;
use rules::bind::Bound;

use super::instances::Instances;
use crate::parameter::heap_games;
use solve::methods::heap_sequence;

/// Where the values of a sequence come from.
pub enum Source {
    /// A heap game. Heaps are numbered by the parameter itself: term `n` is heap `n`.
    Heaps(HeapSequence),
    /// Any game: each instance is solved by itself.
    Instances(Box<Instances>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Heaps(heaps) => heaps.fmt(f),
            Source::Instances(instances) => instances.fmt(f),
        }
    }
}

/// The heap game behind rules, if the instance in which parameter `parameter` is `n` is heap `n` of one game for every `n` up
/// to the one that `bound` has, and further: with the largest `n` for which that is known, if there is one.
///
/// The conditions that the rules put on an instance are not looked at: some `n` may be refused.
pub fn heap_source(bound: &Bound, parameter: usize) -> Option<(Source, Option<i64>)> {
    heap_games(bound, parameter).ok()?.find_map(|found| {
        let sequence = heap_sequence(&found.game, found.misere).ok()?;
        Some((Source::Heaps(sequence), found.upto))
    })
}
