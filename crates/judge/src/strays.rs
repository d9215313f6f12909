//! Processes that have lost their supervisor, which a program may end: whoever checks takes them in, and ends them at last.

#[cfg(target_os = "linux")]
use std::collections::HashSet;

#[cfg(target_os = "linux")]
use rustix::process::{Pid, getpid, set_child_subreaper};

#[cfg(target_os = "linux")]
use crate::descendants;

/// From when on orphans are taken in. They end when this is dropped, and so do all children of this process that are newer than this.
#[must_use]
pub struct Strays {
    /// Children that were there before.
    #[cfg(target_os = "linux")]
    spared: HashSet<Pid>,
}

impl Strays {
    /// Takes in orphans from now on, where the system can do that.
    #[cfg(target_os = "linux")]
    pub fn taken_in() -> Strays {
        let spared = descendants::living(getpid()).into_iter().collect();
        // Where that is refused there are no strays, but the supervisors still are.
        let _ = set_child_subreaper(Some(getpid()));
        Strays { spared }
    }

    /// Takes in orphans from now on, where the system can do that.
    #[cfg(not(target_os = "linux"))]
    pub fn taken_in() -> Strays {
        Strays {}
    }
}

#[cfg(target_os = "linux")]
impl Drop for Strays {
    fn drop(&mut self) {
        descendants::end(getpid(), &self.spared, || {});
    }
}
