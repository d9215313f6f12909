//! Long work that its caller can stop: the hook, and a count of the steps since it was asked.

use super::AheadError;

/// About how many steps lie between two questions to the hook.
const STRIDE: usize = 1 << 17;

/// How many indices are done between two looks at the count.
pub(super) const PIECE: usize = 1 << 12;

/// The hook with a count of the steps since it was asked.
pub(super) struct Pace<'h> {
    keep_going: &'h mut dyn FnMut() -> bool,
    since: usize,
}

impl<'h> Pace<'h> {
    pub(super) fn new(keep_going: &'h mut dyn FnMut() -> bool) -> Pace<'h> {
        Pace { keep_going, since: 0 }
    }

    /// Notes that some steps are done, and asks the hook if it is time.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), AheadError> {
        self.since = self.since.saturating_add(steps);
        if self.since < STRIDE {
            return Ok(());
        }
        self.since = 0;
        if (self.keep_going)() { Ok(()) } else { Err(AheadError::Stopped) }
    }
}
