//! Whether a failure is on the smallest instance of all: every smaller one of the sample is tried, where these are few.
//!
//! Shrinking goes down step by step, and may end where no single step leads on. So whoever reads "the smallest" should know whether
//! that is proved.

use std::time::Instant;

use perfectplay::instances::{contains, smaller};
use perfectplay::language::Instance;

use crate::check::check;
use crate::failure::Stop;
use crate::instances::Size;
use crate::shrink::{Shrunk, Smallest};
use crate::subject::Subject;

/// So many smaller instances are all tried.
const MOST: usize = 1000;
/// So many are tried between two looks at the clock.
const BATCH: usize = 50;

/// Tries all smaller instances of the sample, the smallest first, where they are few. `progress` is told how many are done.
pub fn prove(
    subject: &Subject,
    mut shrunk: Shrunk,
    threads: usize,
    end: Instant,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Shrunk, Stop> {
    let rules = &subject.rules;
    if shrunk.smallest == Smallest::Unfinished || !contains(rules, &shrunk.failure.instance) {
        return Ok(shrunk);
    }
    let size = Size::of(&shrunk.failure.instance);
    let longest = usize::try_from(size.items()).unwrap_or(usize::MAX);
    let is_small = |instance: &Instance| Size::of(instance) < size;
    let Some(mut smaller) = smaller(rules, MOST, longest, &is_small) else { return Ok(shrunk) };
    smaller.sort_by_key(Size::of);
    let (mut done, mut all_known) = (0, true);
    while done < smaller.len() {
        if Instant::now() >= end {
            shrunk.smallest = Smallest::Unfinished;
            return Ok(shrunk);
        }
        let batch = &smaller[done..(done + BATCH).min(smaller.len())];
        let before = shrunk.tried;
        let checked = check(subject, batch, threads, &|done| progress(before + done))?;
        all_known &= checked.too_large.is_empty();
        let failed = checked.failure.map(|failure| {
            let at = batch.iter().position(|instance| *instance == failure.instance);
            (at.unwrap_or(batch.len() - 1), failure)
        });
        let passed = failed.as_ref().map_or(batch.len(), |(at, _)| at + 1);
        (done, shrunk.tried) = (done + passed, shrunk.tried + passed);
        // A failure of another kind is another mistake.
        if let Some((_, failure)) = failed.filter(|(_, failure)| failure.kind == shrunk.failure.kind) {
            shrunk.failure = *failure;
            smaller.truncate(done - 1);
        }
    }
    if all_known {
        shrunk.smallest = Smallest::Proved(smaller.len());
    }
    Ok(shrunk)
}
