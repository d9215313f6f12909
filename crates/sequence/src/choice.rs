//! Where the terms of a range come from: the heap game that the chooser of `solve` finds, or the instances one by one.

use super::error::SequenceError;
use super::instances::Instances;
use super::source::{Source, heap_source};
use super::terms::Sequence;
use solve::methods::{self, Ability};
use solve::options::{Engine, Options};

impl Sequence {
    /// The terms `from..to` of the instances of a game: of heaps in one sweep where the rules describe heaps, no instance of
    /// the range is refused and nothing else was asked for; otherwise of the instances.
    pub fn of(instances: Instances, from: i64, to: i64) -> Result<Sequence, SequenceError> {
        match heaps(&instances, from, to) {
            Some((source, upto)) => Ok(Sequence::new(source, from, to)?.known_upto(upto)),
            None => Sequence::new(Source::Instances(Box::new(instances)), from, to),
        }
    }
}

/// The heap game of a range, and how far it is known to be that.
fn heaps(instances: &Instances, from: i64, to: i64) -> Option<(Source, Option<i64>)> {
    if from < 0 || to <= from || !allows_heaps(&instances.options) {
        return None;
    }
    let found = heap_source(&instances.bind(to - 1).ok()?, instances.parameter)?;
    instances.admits_all(from, to).then_some(found)
}

/// Whether heaps may be valued in one sweep by what was asked for.
fn allows_heaps(options: &Options) -> bool {
    options.method.is_none_or(|method| methods::can(method, Ability::HeapGame)) && options.engine == Engine::Auto
}
