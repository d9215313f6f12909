//! Where the values of a sequence come from.

use std::fmt;

use heaps::subtraction::Nimbers;
use heaps::take_break::NimSequence;
use rules::bind::Bound;

use super::instances::Instances;

/// Where the values of a sequence come from. Heaps are numbered by the parameter itself: term `n` is heap `n`.
pub enum Source {
    /// A heap from which a move takes, and which it may break up.
    Take(Box<NimSequence>),
    /// A heap from which a move only takes.
    Shift(Box<Nimbers>),
    /// Any game: each instance is solved by itself.
    Instances(Box<Instances>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Take(_) => "Take",
            Source::Shift(_) => "Shift",
            Source::Instances(_) => "Instances",
        })
    }
}

/// The heap game behind rules, if the instance in which parameter `parameter` is `n` is heap `n` of one game for every `n` up
/// to the one that `bound` has.
///
/// No rules are recognised yet, so that every instance is solved by itself.
pub fn heap_source(bound: &Bound, parameter: usize) -> Option<Source> {
    let _ = (bound, parameter);
    None
}
