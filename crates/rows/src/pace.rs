//! Long work that its caller can stop.
//!
//! Every function here takes a hook that says whether to go on. It is asked about every hundred thousand items, so that progress,
//! interruption and time limits stay the caller's business and cost nothing.

use std::error::Error;
use std::fmt;

/// About how many items lie between two questions to the hook.
const STRIDE: usize = 1 << 17;

/// How many items are done at a time: few enough to be in the nearest cache still when they are looked at again.
pub(crate) const PIECE: usize = 1 << 11;

/// The caller's hook said no: there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped before the end, as asked")
    }
}

impl Error for Stopped {}

/// The hook with a count of the items since it was asked.
pub(crate) struct Pace<'h> {
    keep_going: &'h mut dyn FnMut() -> bool,
    since: usize,
}

impl<'h> Pace<'h> {
    pub(crate) fn new(keep_going: &'h mut dyn FnMut() -> bool) -> Pace<'h> {
        Pace { keep_going, since: 0 }
    }

    /// Notes that some items are done, and asks the hook if it is time.
    pub(crate) fn spend(&mut self, items: usize) -> Result<(), Stopped> {
        self.since = self.since.saturating_add(items);
        if self.since < STRIDE {
            return Ok(());
        }
        self.since = 0;
        if (self.keep_going)() { Ok(()) } else { Err(Stopped) }
    }
}
