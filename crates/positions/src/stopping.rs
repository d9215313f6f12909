//! The limits of a solve inside one position: what runs rules looks at the monitor's flag, clock and memory.
//!
//! Methods tick the monitor between positions. [`watched`] opens a scope (see [`rules::stop`]) for what happens within one, and
//! turns what was stopped there into the limit that stopped it.

use std::sync::Arc;
use std::time::Instant;

use engine::memory::{Lease, Memory};
use engine::monitor::{Monitor, Reserve};
use rules::stop::{Room, Scope, Stopped, Watch};

use crate::error::{Limit, SolveError, stopped_by};

/// Before so many bytes are given away at once, it is asked anew what the program holds beside.
const MUCH: u64 = 1 << 20;

/// Memory as the rules see it.
struct Budget {
    memory: Memory,
    reserve: Option<Reserve>,
}

impl Room for Budget {
    fn take(&self, bytes: u64) -> Result<(), Stopped> {
        if let Some(reserve) = self.reserve.as_ref().filter(|_| bytes >= MUCH) {
            self.memory.reserve(reserve(&self.memory));
        }
        let needed = self.memory.used().saturating_add(bytes);
        self.memory.take(bytes).map_err(|_| Stopped::Memory { limit: self.memory.limit(), needed })
    }

    fn give(&self, bytes: u64) {
        self.memory.give(bytes);
    }
}

/// Has all rules that this thread runs look at the limits of a monitor.
pub fn scope(monitor: &Monitor) -> Scope {
    let limit = monitor.time_limit();
    let end = monitor.time_left().and_then(|left| Instant::now().checked_add(left));
    Scope::new(Watch {
        cancel: Some(Arc::clone(monitor.cancel())),
        deadline: end.zip(limit),
        room: Some(Arc::new(Budget { memory: monitor.memory().clone(), reserve: monitor.reserve().cloned() })),
    })
}

/// Does something that may run rules for long. Where they were stopped there is no answer, whatever was made of that.
pub fn watched<T>(
    monitor: &mut Monitor,
    work: impl FnOnce(&mut Monitor) -> Result<T, SolveError>,
) -> Result<T, SolveError> {
    let scope = scope(monitor);
    let done = work(monitor);
    match (done, scope.stopped()) {
        (Err(error @ (SolveError::Limit { .. } | SolveError::Interrupted { .. })), _) => Err(error),
        (_, Some(why)) => Err(stopped_by(why).after(monitor.met()).into()),
        (done, None) => done,
    }
}

/// Why nothing came of what was done in a scope, if it was stopped.
pub fn stopped(scope: &Scope) -> Option<SolveError> {
    scope.stopped().map(|why| stopped_by(why).into())
}

/// Whether it was the clock or a person that stopped the work in an arena.
pub fn clocked(error: SolveError, monitor: &Monitor) -> SolveError {
    match (error, monitor.time_limit()) {
        (SolveError::Interrupted { positions }, Some(limit))
            if monitor.time_left().is_some_and(|left| left.is_zero()) =>
        {
            SolveError::Limit { limit: Limit::Time { limit }, positions }
        }
        (error, _) => error,
    }
}

/// How much more is charged at once.
const PORTION: u64 = 1 << 16;

/// Does work that tells now and then how many bytes it holds: they are charged to a lease, and the monitor's error stops it.
pub fn charged<T>(
    monitor: &mut Monitor,
    positions: u64,
    settled: u64,
    lease: &mut Lease,
    work: impl FnOnce(&mut dyn FnMut(u64) -> bool) -> T,
) -> Result<T, SolveError> {
    let mut stopped = None;
    let done = work(&mut |bytes| {
        if stopped.is_none() && (bytes > lease.bytes() || bytes + 4 * PORTION < lease.bytes()) {
            stopped = lease.resize(bytes + PORTION).err().map(SolveError::from);
        }
        if stopped.is_none() {
            stopped = monitor.tick(positions, settled).err().map(SolveError::from);
        }
        stopped.is_none()
    });
    stopped.map_or(Ok(done), Err)
}
