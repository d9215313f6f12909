//! Long work that its caller can stop.
//!
//! Every function here takes a hook that says whether to go on. The hook is called about every hundred thousand items.
//! So progress, interruption and time limits are left to the caller and cost nothing.

use std::error::Error;
use std::fmt;

/// About how many items lie between two calls of the hook.
const STRIDE: usize = 1 << 17;

/// How many items are done at a time: few enough that they are still in the nearest cache when they are read again.
pub(crate) const PIECE: usize = 1 << 11;

/// The caller's hook said stop: there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped before the end, as asked")
    }
}

impl Error for Stopped {}

/// The hook, and how many items were done since its last call.
pub(crate) struct Pace<'h> {
    keep_going: &'h mut dyn FnMut() -> bool,
    since: usize,
}

impl<'h> Pace<'h> {
    pub(crate) fn new(keep_going: &'h mut dyn FnMut() -> bool) -> Pace<'h> {
        Pace { keep_going, since: 0 }
    }

    /// Counts finished items, and calls the hook when it is time.
    pub(crate) fn spend(&mut self, items: usize) -> Result<(), Stopped> {
        self.since = self.since.saturating_add(items);
        if self.since < STRIDE {
            return Ok(());
        }
        self.since = 0;
        if (self.keep_going)() { Ok(()) } else { Err(Stopped) }
    }
}
